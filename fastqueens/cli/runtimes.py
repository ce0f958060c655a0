"""``fastqueens runtimes``: how long board generation and search take on boards of several sizes."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from typing import Any

from fastqueens._run.tables import Table
from fastqueens._run.text import counted
from fastqueens.board import check_n, check_solvable
from fastqueens.cli import inputs
from fastqueens.cli.output import Output
from fastqueens.cli.process import NOT_SOLVED, SOLVED
from fastqueens.errors import NotEnoughMemoryError
from fastqueens.files.atomic import atomic_write
from fastqueens.runtimes import RunTimes, run_times

#: The sizes in the table of the term project, without 300,000.
_SIZES = (10, 100, 1000, 10_000, 100_000, 1_000_000)

_LEGEND = (
    "Generation is the time for the memory of the board and for placing its queens.",
    "Search is the time for moving queens until none attacks another.",
    "Neither includes loading, compiling, or the check of the solution: the first run",
    "on each size is repeated, and only the repetition counts.",
)


def runtimes(
    out: Output,
    *,
    n: list[int] | None,
    seeds: list[int],
    output: str | None,
    plot: str | None,
    scale: str | None,
    theme: str,
    time_limit: float | None,
    **settings: Any,
) -> int:
    """Measure run times; ``settings`` go to :func:`fastqueens.solve`."""
    out.limit(time_limit)
    inputs.check_output(output, (".csv",))
    inputs.check_picture(plot)
    sizes = list(dict.fromkeys(n or _SIZES))
    for size in sizes:
        check_solvable(check_n(size))
    rows: list[RunTimes] = []
    too_large: NotEnoughMemoryError | None = None

    def measured() -> Iterator[RunTimes]:
        for done, size in enumerate(sizes):
            out.progress("run times", done, len(sizes))
            rows.append(run_times(size, seeds, stop=out.callbacks["stop"], **settings))
            yield rows[-1]

    try:
        deque(out.each(measured()), maxlen=0)
    except NotEnoughMemoryError as error:
        if not rows:
            raise
        too_large = error
    start, span = settings["start"], _span(seeds)
    if out.as_json:
        out.json({"start": start, "seeds": seeds, "rows": [row.as_dict() for row in rows]})
    text = f"Run times from a {start} start: medians of {counted(len(seeds), 'run')} ({span}).\n\n"
    text += f"{_table(rows).text(out.width)}\n\n{(' ' if out.width else chr(10)).join(_LEGEND)}"
    if out.as_json or output is not None or plot is not None:
        out.say(text)
    else:
        out.result(text)
    if output is not None:
        _write(output, rows, start)
        out.wrote(output)
    out.say_partial(f"{len(rows)} of {counted(len(sizes), 'size')}")
    if plot is not None:
        from fastqueens.cli.pictures import draw_picture
        from fastqueens.pictures.studies import run_times_picture

        facts = f"{start} start · {counted(len(seeds), 'run')} for each n, {span}"
        draw_picture(out, lambda: run_times_picture(rows, facts=facts, scale=scale or "log", theme=theme), plot)
    if too_large is not None:
        raise too_large
    return SOLVED if all(row.solved == row.runs for row in rows) else NOT_SOLVED


def _span(seeds: list[int]) -> str:
    """Write seeds as a range if they follow each other."""
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    is_range = seeds == list(range(seeds[0], seeds[0] + len(seeds)))
    return f"seeds {seeds[0]} to {seeds[-1]}" if is_range else f"seeds {', '.join(map(str, seeds))}"


def _table(rows: list[RunTimes]) -> Table:
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
    return Table(headings, {"": cells})


def _write(path: str, rows: list[RunTimes], start: str) -> None:
    lines = [{"start": start, **row.as_dict()} for row in rows]
    with atomic_write(path, "w") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
