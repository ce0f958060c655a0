"""The command ``study``: many runs of the search algorithms of courses, compared."""

from __future__ import annotations

import re
from functools import partial

from click import Choice

import fastqueens
from fastqueens._run.text import counted, duration
from fastqueens.classroom.algorithms import USUAL_ALGORITHMS
from fastqueens.cli import inputs, options
from fastqueens.cli.algorithm_options import NAMES, LimitOptions, limits_of, moves, names_in_list, seed_of_first_run
from fastqueens.cli.options import OUTPUT, Group, Report, command, option, output, refuse
from fastqueens.cli.session import Session

#: A row of the table up to the share of solved boards and its interval.
_SOLVED = re.compile(r"(?P<algorithm>[a-z-]+) +(?P<solved>[\d.]+) +[\d.]+-[\d.]+")


class _Runs(Group):
    n: list[int] | None = options.argument_or_n("N", options.sizes)
    algorithms: list[str] = option(
        "--algorithms --algorithm LIST",
        "Names with commas, or all. Default: first five.",
        names_in_list,
        default=",".join(USUAL_ALGORITHMS),
        complete=NAMES,
    )
    runs: int = option("--runs COUNT", "Runs per algorithm and size.", default="10000")
    seed: int | None = seed_of_first_run
    moves: str = moves
    threads: int | None = options.threads
    scheduler: str | None = options.scheduler


class _Output(Report):
    path: str | None = output("Write the results (.csv, or .json with histograms).")
    runs_file: str | None = option("--runs-file FILE", "Write a .csv file with a line for each run.", OUTPUT)
    plot: str | None = option("--plot FILE", "Plot the results (.png .pdf .svg .jpg .webp).", OUTPUT)
    what: str = option(
        "--what WHAT",
        "Plot success, steps, evaluations, seconds or all (default).",
        Choice(("all", "success", "steps", "evaluations", "seconds")),
        default="all",
    )
    size: tuple[float, float] | None = options.size
    theme: str = options.theme


@command("fastqueens study --runs 100000\nfastqueens study 4..20 --algorithms steepest,sideways -o s.csv --plot s.png")
def study(session: Session, runs: _Runs, limits: LimitOptions, output: _Output) -> None:
    """Run the search algorithms of AI courses many times, and compare their success rates and steps.

    `fastqueens climb --help` lists the algorithms. N is a board size (default: 8), or several, as in 4..20 or 8,16. All
    local searches start from the same random boards. To see one of the runs, repeat its seed:
    `fastqueens climb 8 --algorithm steepest --runs 1 --seed 5 --show`.
    """
    from fastqueens._run import clock
    from fastqueens.classroom.studies import write_runs, write_study

    if output.plot is not None and output.size is not None:
        inputs.check_plot(output.plot, output.size)
    if output.plot is None:
        refuse("{} applies to a plot; add --plot FILE", "what", "size", "theme")
    sizes = runs.n or [inputs.n_or_default(None)]
    checked = limits_of(runs.algorithms, runs.moves, limits)
    with inputs.executor_of(session, runs.scheduler) as executor:
        begun = clock.seconds()
        result = session.finished_part(
            fastqueens.study,
            sizes,
            runs.algorithms,
            runs.runs,
            moves=runs.moves,
            limits=checked,
            seed=runs.seed,
            keep_runs=output.runs_file is not None,
            threads=runs.threads,
            executor=executor,
            **session.callbacks,
        )
        seconds = clock.seconds() - begun
    if output.path is not None:
        write_study(output.path, result)
    if output.runs_file is not None:
        write_runs(output.runs_file, result)
    if session.as_json:
        session.json(result.as_dict())
    elif output.path is None and output.runs_file is None and output.plot is None:
        session.result(_table(session, result))
    else:
        session.say(_table(session, result))
    made = sum(row.tally.runs for row in result.rows)
    session.say(f"{counted(made, 'run')} in {duration(seconds)}.")
    session.wrote(output.path, err=True)
    session.wrote(output.runs_file, err=True)
    all_runs = result.runs * len(set(sizes)) * len(set(runs.algorithms))
    session.say_partial(f"{made:,} of {counted(all_runs, 'run')}")
    if output.plot is not None:
        look = {"what": output.what, "size": output.size, "theme": output.theme}
        session.draw(partial(result.plot, **look), output.plot, err=True)


def _table(session: Session, result: fastqueens.Study) -> str:
    """Return the table; a terminal with colours shows bars behind the shares of solved boards, and marks the best."""
    terminal, lines = session.terminal, repr(result).split("\n")
    if terminal is None:
        return "\n".join(lines)
    found = [(at, match) for at, line in enumerate(lines) if (match := _SOLVED.match(line))]
    # Of algorithms that solve the same share of boards, the best one looks at fewer boards.
    figures = [row.figures() for row in result.rows]
    ranks = [(row["n"], row["success_rate"], -row["evaluations_mean"]) for row in figures]
    best = {max(rank for rank in ranks if rank[0] == n) for n, *_ in ranks}
    left = min(match.start("solved") for _, match in found)
    for (at, match), row, rank in zip(found, figures, ranks, strict=True):
        name, right, is_best = match["algorithm"], match.end(), rank in best
        end = left + round(row["success_rate"] * (right - left))
        bar = terminal.painted(lines[at][left:end], "paper" if is_best else "", "solved" if is_best else "grid")
        begin = terminal.painted(name, "solved", bold=True) if is_best else name
        rest = terminal.painted(lines[at][end:], bold=True) if is_best else lines[at][end:]
        lines[at] = f"{begin}{lines[at][len(name) : left]}{bar}{rest}"
    return "\n".join(lines)
