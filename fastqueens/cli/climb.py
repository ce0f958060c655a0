"""``fastqueens climb``: hill climbing by the rules that courses teach."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import shutil
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import drawing, file_label, say, table_text, wrote
from fastqueens.core.arguments import RESTARTING_RULES, STUDY_RULES, new_seed
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.classroom.climbing import Climb, Look

#: Each run is a line of the table; ``fastqueens study`` makes millions.
_MOST_RUNS = 1000

_SQUARE = re.compile(r"\s*(\d{1,10})\s*,\s*(\d{1,10})\s*", re.ASCII)


def _square(text: str) -> tuple[int, int]:
    """Parse a square written as COL,ROW."""
    found = _SQUARE.fullmatch(text)
    if not found:
        raise click.BadParameter(f"{text!r} is not a square; write a column and a row, both from 0, like 3,0.")
    return int(found[1]), int(found[2])


@click.command(
    cls=boards.CommandOfN,
    short_help="Hill climbing by the rules that courses teach.",
    epilog="""\b
Examples:
  fastqueens climb --show
  fastqueens climb 8 --rule all --runs 10 --seed 1
  fastqueens climb 8 --rule sideways --seed 3 -o climb.npz
  fastqueens climb --static-point 0,0 --board "0 7 3 4 7 1 2 2"
""",
)
@boards.n_argument
@click.option(
    "--rule",
    "--rules",
    "rules",
    metavar="LIST",
    type=options.rules,
    help=f"Some of {', '.join(STUDY_RULES)}, separated by commas; or all. Default: steepest.",
)
@boards.file_option
@boards.board_option
@options.rows_from
@options.number("--runs", metavar="COUNT", help="Number of runs of each rule. Default: 3, or 1 with -o.")
@options.number(
    "--seed",
    metavar="SEED",
    help="Seed of the first run; the next runs have SEED + 1, SEED + 2, .... Default: a random seed.",
)
@options.number(
    "--restarts",
    metavar="TIMES",
    help="How often a stuck run may restart from a new random board. Default: 0; no limit for restart and "
    "restart-sideways.",
)
@options.number(
    "--sideways-limit",
    metavar="MOVES",
    help="How many moves in a row may keep the number of attacking pairs, with sideways and restart-sideways. Default: "
    "100.",
)
@options.decimal("--temperature", metavar="T", help="Initial temperature of annealing. Default: 1.")
@options.decimal("--cooling", metavar="FACTOR", help="Factor from one temperature to the next. Default: 0.95.")
@options.file("-o", "--output", help="Write the moves of a single run to an .npz trace, which explore plays.")
@click.option("--show", is_flag=True, help="Draw every board of every run.")
@click.option(
    "--static-point",
    metavar="COL,ROW",
    type=_square,
    help="Run another kind of hill climbing, from an assignment: the queen on the square COL,ROW, both from 0, never "
    "moves. Each step moves one other queen up or down by one square, and f counts the attacked queens. Only N, "
    "--file, --board, --seed and --restarts can be added; --restarts is the number of boards to start from.",
)
@options.as_json
@options.quiet
@options.origin
@click.pass_obj
def climb(session: Session, /, **parameters: Any) -> int:
    """Run hill climbing from random boards of N queens (default: 8), or from your own board.

    The rules lower the number of attacking pairs, which courses call the cost, h or the H value of a board. --show
    prints it as H value. All rules start from the same boards. A run ends when the board is solved or the rule is
    stuck. The exit code is 0 if all runs are solved, otherwise 1.
    """
    request = SimpleNamespace(**parameters)
    _check_usage(request)
    with progress_and_notes(session.display, quiet=request.quiet):
        if request.static_point is not None:
            return _climb_around(request, session)
        return _climb(request, session)


def _check_usage(request: SimpleNamespace) -> None:
    """Raise UsageError if options contradict each other."""
    boards.check_one_board(request)
    if request.show and request.as_json:
        raise click.UsageError("--show and --json both write to stdout: give one of them.")
    if request.runs is not None and not 1 <= request.runs <= _MOST_RUNS:
        raise click.ClickException(f"--runs is {request.runs}: it goes from 1 to {_MOST_RUNS:,}; study makes more")
    if request.output is not None:
        _check_output(request)
    if request.static_point is None:
        return
    excluded = {
        "--rule": request.rules,
        "--runs": request.runs,
        "--sideways-limit": request.sideways_limit,
        "--temperature": request.temperature,
        "--cooling": request.cooling,
        "--show": request.show or None,
        "--json": request.as_json or None,
        "-o": request.output,
    }
    for option, value in excluded.items():
        if value is not None:
            raise click.UsageError(f"--static-point and {option}: {option} cannot be used in this assignment.")
    if request.restarts is not None and (request.file is not None or request.board is not None):
        raise click.UsageError(
            "--static-point with --restarts starts from random boards: leave out --file and --board."
        )
    if request.restarts is not None and request.seed is not None:
        raise click.UsageError("--static-point with --restarts and --seed: the assignment sets its seed to 1.")


def _check_output(request: SimpleNamespace) -> None:
    """Raise an error if more than one run would be written, or if the file cannot be."""
    if (request.runs or 1) * len(request.rules or ["steepest"]) > 1:
        raise click.UsageError("-o writes a single run: give one --rule, and no --runs.")
    options.check_output(request.output, (".npz",))


def _climb(request: SimpleNamespace, session: Session) -> int:
    from fastqueens.classroom import climbing
    from fastqueens.classroom.rules import Limits, check_rule

    rules = request.rules or ["steepest"]
    for rule in rules:
        check_rule(rule, STUDY_RULES)
    values = {
        "sideways": request.sideways_limit,
        "restarts": request.restarts,
        "temperature": request.temperature,
        "cooling": request.cooling,
    }
    limits = Limits(**{name: value for name, value in values.items() if value is not None})
    n, board = boards.starting_board(session, request)
    seed = new_seed() if request.seed is None else request.seed
    tasks = [(rule, seed + run) for run in range(_runs(request)) for rule in rules]
    rows = []
    for done, (rule, run_seed) in enumerate(tasks):
        session.display.report("climbs", done, len(tasks))
        is_until_solved = rule in RESTARTING_RULES and request.restarts is None
        climbed = climbing.climb(
            n,
            board=board,
            rule=STUDY_RULES[rule],
            limits=limits._replace(restarts=None) if is_until_solved else limits,
            seed=run_seed,
            stop=session.stop.is_set,
        )
        if request.show and not request.quiet:
            session.display.clear()
            _show(climbed, f"Run {done + 1}: {rule}, seed {run_seed}", request)
        rows.append({**climbed.as_dict(), "rule": rule})
        if request.output is not None:
            _write(climbed, request.output, session)
    session.display.clear()
    if request.as_json:
        click.echo("[" + ",\n ".join(json.dumps(row) for row in rows) + "]")
    elif not request.quiet:
        click.echo(_table(rows), nl=False)
    if request.output is not None and not request.quiet:
        say(wrote(request.output), err=request.as_json)
    return SOLVED if all(row["solved"] for row in rows) else NOT_SOLVED


def _runs(request: SimpleNamespace) -> int:
    """Return the number of runs of each rule: 3 by default, or 1 if the run is written to a file."""
    return request.runs or (3 if request.output is None else 1)


def _write(climbed: Climb, path: str, session: Session) -> None:
    from fastqueens.classroom.climbing import recorded
    from fastqueens.files.traces import Header, write_trace

    session.display.report(f"writing {file_label(path)}")
    trace, restarts, moves = recorded(climbed)
    write_trace(path, trace, restarts, Header(climbed.n, climbed.seed), moves)


def _show(climbed: Climb, heading: str, request: SimpleNamespace) -> None:
    """Print the boards of a run, each with its attacking pairs, and how the run ended."""
    click.echo(click.style(heading, bold=True))
    columns, width = shutil.get_terminal_size().columns, 2 * climbed.n - 1
    is_drawn = width <= columns
    if not is_drawn:
        say(f"The boards are not drawn: they need {width:,} columns, and the terminal has {columns}.")
    is_first = True
    for look in climbed.looks():
        click.echo()
        if look.is_start:
            click.echo("Start:" if is_first else "Restart from a random board:")
            is_first = False
        else:
            column, row, _ = climbed.moves[look.step - 1].tolist()
            moved = f"column {column} to row {row + request.rows_from}" if column >= 0 else "the queen stays"
            click.echo(f"Step {look.step}: {moved}")
        if is_drawn:
            click.echo(drawing(look.queens, request.origin))
        click.echo(f"H value: {look.cost}")
    verdict = click.style("Success", fg="green") if climbed.solved else click.style("Failure", fg="red")
    made = f"{counted(climbed.steps, 'step')}, {counted(len(climbed.restarts), 'restart')}"
    say(f"\n{verdict}: {made}. {_reason(climbed, look)}\n")


def _reason(climbed: Climb, last: Look) -> str:
    """Return the reason for which a run ended with its last board."""
    if climbed.solved:
        return "No queen attacks another."
    if climbed.rule == "annealing":
        return "The lowest temperature is reached."
    if climbed.rule == "min-conflicts":
        return "There were too many steps without a new lowest cost."
    from fastqueens import move_costs

    costs = move_costs(last.queens)
    moves = costs.size - climbed.n
    if moves == 0:
        return "No move is possible."
    costs[last.queens, range(climbed.n)] = costs.max() + 1
    least = int(costs.min())
    if climbed.rule == "sideways" and climbed.limits.sideways and least == last.cost:
        return f"{counted(climbed.limits.sideways, 'sideways move')} in a row did not help."
    if least == last.cost:
        return f"The best of {counted(moves, 'move')} leaves {counted(least, 'attacking pair')}."
    return f"Each of {counted(moves, 'move')} leads to {counted(least, 'attacking pair')} or more."


def _table(rows: list[dict[str, Any]]) -> str:
    headings = ("rule", "seed", "initial pairs", "steps", "restarts", "pairs", "solved")
    figures = ("initial_cost", "steps", "restarts", "cost")
    return table_text(
        headings,
        [
            [row["rule"], str(row["seed"]), *(f"{row[key]:,}" for key in figures), "yes" if row["solved"] else "no"]
            for row in rows
        ],
    )


def _climb_around(request: SimpleNamespace, session: Session) -> int:
    """Run the assignment with a static point, and print what its functions print."""
    from fastqueens import nqueens
    from fastqueens.core.board import check_n
    from fastqueens.core.errors import InputError

    n, board = boards.starting_board(session, request)
    check_n(n)
    point = request.static_point
    if max(point) >= n:
        raise InputError(f"the static point {point[0]},{point[1]} is off the board: both go from 0 to {n - 1}")
    session.display.clear()
    attempts = request.restarts
    if attempts is not None:
        if attempts < 1:
            raise InputError(f"restarts is {attempts}: the assignment makes at least 1 attempt")
        printed = _printed(lambda: nqueens.n_queens_restart(n, attempts, *point))
    else:
        state = _random_state(n, point, request.seed) if board is None else board.tolist()
        printed = _printed(lambda: nqueens.n_queens(state, *point))
    if not request.quiet:
        click.echo(printed, nl=False)
    return SOLVED if printed.endswith("f=0\n") else NOT_SOLVED


def _printed(call: Callable[[], object]) -> str:
    """Return what a function prints."""
    with contextlib.redirect_stdout(io.StringIO()) as caught:
        call()
    return caught.getvalue()


def _random_state(n: int, point: tuple[int, int], seed: int | None) -> list[int]:
    """Return a random board with a queen on the static point."""
    generator = random.Random(new_seed() if seed is None else seed)
    state = [generator.randrange(n) for _ in range(n)]
    state[point[0]] = point[1]
    return state
