"""The command ``runtimes``: run times on boards of several sizes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from click import Choice

import fastqueens
from fastqueens._run.arguments import STARTS, check_seed
from fastqueens._run.text import counted
from fastqueens._run.typed_numbers import spans
from fastqueens.cli import inputs, options
from fastqueens.cli.options import OUTPUT, Group, Report, command, option, output, refuse
from fastqueens.cli.session import ExitCode, Session
from fastqueens.errors import NotEnoughMemoryError

if TYPE_CHECKING:
    from fastqueens.runtimes import RunTimes

_MOST_SEEDS = 1_000_000

#: The default sizes, which are those in the table of the term project without 300,000.
_SIZES = (10, 100, 1000, 10_000, 100_000, 1_000_000)

_LEGEND = """
Generation is the time to allocate the board and to place the queens.
Search is the time to move queens until none attacks another.
Neither includes loading, compiling or checking the solution. The first run on
each size is repeated, and only the repetition counts."""


def _seeds(text: str) -> list[int]:
    """Return the seeds in a list such as 1..100 or 1,5,9."""
    return list(map(check_seed, spans(text, _MOST_SEEDS, "seeds; a table")))


class _Runs(Group):
    n: list[int] | None = options.argument_or_n("N", options.sizes)
    seeds: list[int] = option(
        "--seeds LIST", "Solve once for each seed, for example 1..100 or 1,5,9.", _seeds, default="1..5"
    )
    time_limit: float | None = options.time_limit


class _Search(Group):
    start: str = option(
        "--start START",
        "First board: windowed (default), uniform (the usual greedy placement), random or permutation.",
        Choice(STARTS),
        default="windowed",
    )
    max_steps: int | None = options.max_steps
    threads: int | None = options.threads


class _Output(Report):
    path: str | None = output("Write the table, with the fastest and the slowest times, to this .csv file.")
    plot: str | None = option("--plot FILE", "Plot both times against N (.png .pdf .svg .jpg .webp).", OUTPUT)
    size: tuple[float, float] | None = options.size
    theme: str = options.theme


@command("fastqueens runtimes --plot times.png\nfastqueens runtimes 10,1e3,1e5,3e5,1e6 --start uniform -o times.csv")
def runtimes(session: Session, runs: _Runs, search: _Search, output: _Output) -> int:
    """Measure the times of board generation and search, and print a table with a line for each N.

    N is a board size, or several, as in 10,1e3,1e5 or 4..20. The default sizes are 10, 100, 1,000 and so on up to a
    million. The times, the steps and the attacking pairs of the first board are medians over all --seeds. The table
    does not include loading and compiling, because the first run on each size does not count.
    """
    import csv

    from fastqueens._run.threads import all_cores
    from fastqueens.board import check_n, check_solvable
    from fastqueens.files.atomic import atomic_write
    from fastqueens.files.headers import columns_of, header_of
    from fastqueens.runtimes import run_times

    if output.plot is None:
        refuse("{} applies to a plot; add --plot FILE", "size", "theme")
    elif output.size is not None:
        inputs.check_plot(output.plot, output.size)
    sizes, seeds, start = [*dict.fromkeys(runs.n or _SIZES)], runs.seeds, search.start
    stop = session.limit(runs.time_limit)
    for size in sizes:
        check_solvable(check_n(size))
    rows: list[RunTimes] = []
    too_large: NotEnoughMemoryError | None = None

    def measured() -> Iterator[RunTimes]:
        for done, size in enumerate(sizes):
            session.progress("run times", done, len(sizes))
            rows.append(run_times(size, seeds, stop=stop, **search.values))
            yield rows[-1]

    try:
        deque(session.each(measured()), maxlen=0)
    except NotEnoughMemoryError as error:
        if not rows:
            raise
        too_large = error
    threads = search.threads or all_cores()
    chosen = {"start": start, "max_steps": search.max_steps, "threads": threads, "time_limit": runs.time_limit}
    header = header_of(sizes, None, chosen, seeds=seeds)
    if session.as_json:
        session.json({**header, "rows": [row.as_dict() for row in rows]})
    made = f"{counted(len(seeds), 'run')} ({_span(seeds)})"
    steps = "" if search.max_steps is None else f" of at most {counted(search.max_steps, 'step')}"
    where = f"{counted(threads, 'thread')}, version {fastqueens.__version__}"
    text = f"Run times from a {start} start: medians of {made}{steps}; {where}."
    text += f"\n\n{_table(rows, session.width)}\n{_LEGEND}"
    if session.as_json or output.path is not None or output.plot is not None:
        session.say(text)
    else:
        session.result(text)
    if output.path is not None:
        with atomic_write(output.path, "w") as file:
            lines = [{**row.as_dict(), **columns_of({**header, "n": row.n})} for row in rows]
            writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
        session.wrote(output.path)
    session.say_partial(f"{len(rows)} of {counted(len(sizes), 'size')}")
    if output.plot is not None:
        from fastqueens.pictures.studies import run_times_picture

        facts = f"{start} start · {counted(len(seeds), 'run')} for each n, {_span(seeds)}"
        draw = partial(run_times_picture, rows, facts=facts, size=output.size, theme=output.theme)
        session.draw(draw, output.plot, err=True)
    if too_large is not None:
        raise too_large
    return ExitCode.SOLVED if all(row.solved == row.runs for row in rows) else ExitCode.NOT_SOLVED


def _span(seeds: list[int]) -> str:
    """Return seeds as text, with consecutive seeds as a range."""
    if len(seeds) == 1:
        return f"seed {seeds[0]:,}"
    is_range = seeds == list(range(seeds[0], seeds[0] + len(seeds)))
    return f"seeds {seeds[0]:,} to {seeds[-1]:,}" if is_range else f"seeds {', '.join(map(str, seeds))}"


def _table(rows: list[RunTimes], width: int | None) -> str:
    from fastqueens._run.tables import Table

    cells = [
        [
            f"{row.n:,}",
            *(f"{time.median:.6f}" for time in (row.board_generation, row.search)),
            *(f"{count.median:,.1f}".removesuffix(".0") for count in (row.steps, row.initial_pairs)),
            f"{row.solved} of {row.runs}",
        ]
        for row in rows
    ]
    headings = [
        ("", "generation", "search", "", "initial", ""),
        ("n", "seconds", "seconds", "steps", "pairs", "solved"),
    ]
    return Table(headings, {"": cells}).text(width)
