"""The command ``climb``: single runs of the search algorithms of courses."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

import fastqueens
from fastqueens._run.arguments import check_seed, later_seed, new_seed
from fastqueens._run.text import counted
from fastqueens.classroom.algorithms import ALGORITHMS, records_moves, unusual_options
from fastqueens.cli import inputs, options
from fastqueens.cli.algorithm_options import NAMES, LimitOptions, limits_of, moves, names_in_list, seed_of_first_run
from fastqueens.cli.options import OUTPUT, Group, Report, Start, command, given, option, output, refuse
from fastqueens.cli.output import Figures
from fastqueens.cli.session import ExitCode, Session
from fastqueens.errors import InputError

if TYPE_CHECKING:
    from fastqueens.board import Queens

#: The most runs of ``climb``, because its table has a line for each. ``study`` makes millions of runs.
_MOST_RUNS = 1000

#: The most curves in one picture that can have their own colours and names.
_MOST_PLOTTED = 6

#: The parameters that the assignment with a static point also has.
_OF_THE_ASSIGNMENT = ("static_point", "n", "n_option", "file", "rows", "seed", "restarts", "rows_from", "quiet")


class _Runs(Group):
    algorithms: list[str] | None = option(
        "--algorithm --algorithms LIST", "Names with commas, or all. Default: steepest.", names_in_list, complete=NAMES
    )
    runs: int | None = option("--runs COUNT", "Runs of each. Default: 3; 1 with a board or -o.")
    seed: int | None = seed_of_first_run
    moves: str = moves
    static_point: str | None = option(
        "--static-point SQUARE", "Run the assignment whose queen on this COLUMN,ROW (from 0) never moves."
    )


class _Output(Report):
    show: bool = option("--show", "Draw every board of every run.")
    path: str | None = output("Write one run to an .npz trace for fastqueens explore.")
    plot: str | None = option(
        "--plot FILE", "Plot the costs of up to 6 algorithms (.png .pdf .svg .jpg .webp).", OUTPUT
    )
    size: tuple[float, float] | None = options.size
    theme: str = options.theme
    origin: str = options.origin


@command("fastqueens climb --show\nfastqueens climb 8 --algorithm all --runs 10 --seed 1")
def climb(session: Session, board: Start, runs: _Runs, limits: LimitOptions, output: _Output) -> int:
    """Run the search algorithms of AI courses on a board of N queens (default: 8).

    The algorithms are steepest, sideways, restart, restart-sideways, min-conflicts, annealing, stochastic,
    first-choice, beam, stochastic-beam, genetic, random-walk, random-sampling, backtracking, forward-checking and mrv.
    Local searches start from random boards, the same for all algorithms, or from your own board, and lower its cost:
    the number of attacking pairs, which courses also call h. A run ends when the board is solved or the algorithm is
    stuck. The exit code is 0 if all runs are solved, otherwise 1.
    """
    from fastqueens.classroom.climbing import check_board, climbs_table

    if runs.static_point is not None:
        return _climb_around(session, board, runs.static_point, limits.restarts, runs.seed)
    if output.show:
        refuse("--show and {} cannot be combined: both write to stdout", "as_json")
    names, count = runs.algorithms or ["steepest"], runs.runs
    if count is not None and not 1 <= count <= _MOST_RUNS:
        raise click.ClickException(f"--runs must be between 1 and {_MOST_RUNS:,}, not {count:,}; study makes more runs")
    if output.path is not None and (count or 1) * len(names) > 1:
        raise click.UsageError("-o writes a single run; give one --algorithm, and leave out --runs")
    if output.plot is None:
        refuse("{} applies to a plot; add --plot FILE", "size", "theme")
    elif output.size is not None:
        inputs.check_plot(output.plot, output.size)
    if output.plot is not None and len(names) > _MOST_PLOTTED:
        raise click.UsageError(
            f"--plot draws at most {_MOST_PLOTTED} algorithms; to compare more, use fastqueens study --plot"
        )
    start = inputs.board_given(session, board)
    n = len(start) if start is not None else inputs.n_or_default(board.n)
    checked = limits_of(names, runs.moves, limits, [n])
    for name in names:
        check_board(start, name, runs.moves)
    if output.path is not None and not records_moves(names[0], runs.moves):
        kind = f" with --moves {runs.moves}" if given("moves") else ""
        raise click.UsageError(f"-o cannot write runs of {names[0]}{kind}, whose steps can move several queens")
    first_seed = new_seed() if runs.seed is None else check_seed(runs.seed)
    seeds = [later_seed(first_seed, run) for run in range(count or (3 if start is None and output.path is None else 1))]
    # An algorithm without a random first board does the same for all seeds.
    tasks = [
        (name, seed) for seed in seeds for name in names if count or seed == first_seed or ALGORITHMS[name].is_seeded
    ]
    rows: list[Figures] = []
    first_runs: list[fastqueens.Climb] = []

    def climbs() -> Iterator[fastqueens.Climb]:
        for done, (name, seed) in enumerate(tasks):
            session.progress("climbs", done, len(tasks) if len(tasks) > 1 else None)
            yield fastqueens.climb(
                n, algorithm=name, board=start, moves=runs.moves, limits=checked, seed=seed, stop=session.is_stopped
            )

    for done, climbed in enumerate(session.each(climbs())):
        if output.show and not session.quiet:
            _show(session, climbed, f"Run {done + 1}: {climbed.algorithm}, seed {climbed.seed}")
        final = session.in_json(climbed.queens)
        if final["queens"] is not None:  # the row n marks a column that a systematic search left empty
            final["queens"] = [row if row < n + session.rows_from else None for row in final["queens"].tolist()]
        rows.append(climbed.as_dict() | final)
        if output.plot is not None and done < len(names):
            first_runs.append(climbed)
        if output.path is not None:
            from fastqueens.files.traces import write_trace

            write_trace(output.path, climbed.trace, climbed.restarts, climbed.header, climbed.moves)
    if session.as_json:
        session.json(rows)
    else:
        unusual = unusual_options(checked, runs.moves, names)
        facts = ", ".join(filter(None, [f"n = {n:,}", "" if start is None else "from your board", unusual]))
        session.say(f"\n{facts} (version {fastqueens.__version__})\n\n{climbs_table(rows).text(session.width)}\n")
    session.wrote(output.path)
    session.say_partial(f"{len(rows):,} of {counted(len(tasks), 'run')}")
    if output.plot is not None:
        from fastqueens.pictures.curves import conflict_curves

        look = partial(conflict_curves, what="pairs", size=output.size, theme=output.theme)
        session.draw(lambda: look(first_runs), output.plot, err=True)
    return ExitCode.SOLVED if all(row["solved"] for row in rows) else ExitCode.NOT_SOLVED


def _check_assignment() -> None:
    """Raise UsageError for options that the assignment with a static point does not have."""
    others = {param.name or "" for param in click.get_current_context().command.params} - {*_OF_THE_ASSIGNMENT}
    refuse("--static-point and {} cannot be combined", *others)
    if given("restarts"):
        refuse("{} cannot be combined with --restarts, which starts from random boards", "file", "rows")
        refuse("{} cannot be combined with --restarts: the assignment uses the seed 1", "seed")


def _show(session: Session, climbed: fastqueens.Climb, heading: str) -> None:
    """Print the boards of a run, each with its attacking pairs, and the end of the run."""
    session.say(click.style(heading, bold=True))
    reason = session.no_room(
        2 * climbed.n - 1, "Write the run with -o climb.npz, and replay it with fastqueens explore climb.npz."
    )
    if reason:
        session.say(reason)
    start = "Start:"
    for look in climbed.looks():
        caption = f"Step {look.step}:"
        if look.is_start:
            caption, start = start, "Restart from a random board:"
        elif look.move:
            caption += f" column {look.move[0]} to row {look.move[2] + session.rows_from}"
        elif climbed.moves:
            caption += " the queen stays"
        session.say("", caption, *([] if reason else [_drawn(session, look.queens)]), f"H value: {look.cost}")
    if climbed.solved and look.cost > 0:  # one of the other first boards of a beam or a population is a solution
        board = [] if reason else [_drawn(session, climbed.queens)]
        session.say("", "Best of the first boards:", *board, "H value: 0")
    verdict = session.painted("Success", "solved") if climbed.solved else session.painted("Failure", "attack")
    made = f"{counted(climbed.steps, 'step')}, {counted(len(climbed.restarts), 'restart')}"
    session.say(f"\n{verdict}: {made}. {_reason(climbed)}\n")


def _drawn(session: Session, queens: Queens) -> str:
    """Return a drawing of a board. A systematic search can leave columns without a queen."""
    rows = range(len(queens)) if session.origin == "upper" else reversed(range(len(queens)))
    lines = (" ".join("Q" if row == queen else "." for queen in queens.tolist()) for row in rows)
    return session.styled("\n".join(lines))


def _reason(climbed: fastqueens.Climb) -> str:
    """Return the reason for the end of a run."""
    algorithm, limits = ALGORITHMS[climbed.algorithm], climbed.limits
    used = (climbed.steps, climbed.evaluations, climbed.seconds)
    ends = (limits.max_steps, limits.max_evaluations, limits.time_limit)
    if climbed.solved:
        return "No queen attacks another."
    if any(end is not None and value >= end for end, value in zip(ends, used, strict=True)):
        return "The run reached its limit."
    return algorithm.why_stuck or "No move lowers the number of attacking pairs."


def _climb_around(session: Session, given_board: Start, point: str, attempts: int | None, seed: int | None) -> int:
    """Run the assignment with a static point, and print what its functions print."""
    from fastqueens import nqueens
    from fastqueens.board import check_n
    from fastqueens.files.instances import parse_square

    _check_assignment()
    board = inputs.board_given(session, given_board)
    n = check_n(inputs.n_or_default(given_board.n)) if board is None else len(board)
    column, row = parse_square(point)
    if not 0 <= min(column, row) <= max(column, row) < n:
        raise InputError(
            f"the static point {column},{row} is off the board; both numbers must be between 0 and {n - 1:,}"
        )
    if attempts == 0:
        raise InputError("restarts must be at least 1 with a static point, not 0")
    if attempts is not None:
        climbed = nqueens.best_states(n, attempts, column, row)
    elif board is not None:
        climbed = [*nqueens.climb(board.tolist(), column, row)]
    else:
        seed = new_seed() if seed is None else seed
        generator = random.Random(seed)
        state = [generator.randrange(n) for _ in range(n)]
        state[column] = row
        session.say(f"The first board is random, with seed {seed}.", err=True)
        climbed = [*nqueens.climb(state, column, row)]
    session.say("\n".join(f"{state} - f={score}" for score, state in climbed))
    score, state = climbed[-1]
    if state[column] != row:
        session.say(
            f"No queen moves because the static point {column},{row} is empty: the queen of column {column} is in row "
            f"{state[column]}, counted from 0. Use --static-point {column},{state[column]}, or a board whose queen in "
            f"column {column} is in row {row}.",
            err=True,
        )
    return ExitCode.SOLVED if score == 0 else ExitCode.NOT_SOLVED
