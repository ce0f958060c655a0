"""``fastqueens climb``: the rules of the classroom at work on one board, step by step or side by side."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import count, drawing, table_text

if TYPE_CHECKING:
    from fastqueens.classroom.climbing import Climb, Look

#: Each is a line of the table; ``fastqueens study`` counts millions.
_MOST_RUNS = 1000

_SQUARE = re.compile(r"\s*(\d{1,10})\s*,\s*(\d{1,10})\s*", re.ASCII)


def _rules(_context: click.Context, _parameter: click.Parameter, text: str | None) -> list[str] | None:
    """Read rules written as steepest,sideways or all; which there are is for the library to say."""
    return None if text is None else [name.strip() for name in text.split(",")]


def _square(_context: click.Context, _parameter: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """Read a square written as COL,ROW."""
    if text is None:
        return None
    found = _SQUARE.fullmatch(text)
    if not found:
        raise click.BadParameter(f"{text!r} is no square; write a column and a row, both from 0, like 3,0.")
    return int(found[1]), int(found[2])


@click.command(
    short_help="Hill climbing by the rules that courses teach.",
    epilog="""\b
Examples:
  fastqueens climb --show
  fastqueens climb 8 --rule all --runs 10 --seed 1
  fastqueens climb --static-point 0,0 --board "0 7 3 4 7 1 2 2"
""",
)
@click.argument("n", required=False, callback=options.whole_number)
@click.option(
    "--rule",
    "rules",
    metavar="RULE",
    callback=_rules,
    help="steepest (the default), sideways, annealing or min-conflicts; several with commas between, or all.",
)
@boards.file_option
@boards.board_option
@options.rows_from
@click.option("--runs", metavar="COUNT", callback=options.whole_number, help="Runs of each rule. 3 if not given.")
@click.option(
    "--seed",
    metavar="SEED",
    callback=options.whole_number,
    help="That of the first run, one more for each further run. One is drawn if none is given.",
)
@click.option(
    "--restarts",
    metavar="TIMES",
    callback=options.whole_number,
    help="How often a stuck climb may begin again from a new random board. 0 if not given.",
)
@click.option(
    "--sideways-limit",
    metavar="MOVES",
    callback=options.whole_number,
    help="Moves in a row that may keep the cost, for the rule sideways. 100 if not given.",
)
@click.option("--temperature", type=float, metavar="T", help="Where annealing begins. 1 if not given.")
@click.option("--cooling", type=float, metavar="FACTOR", help="From one temperature to the next. 0.95 if not given.")
@click.option("--show", is_flag=True, help="Draw every board of every run.")
@click.option(
    "--static-point",
    metavar="COL,ROW",
    callback=_square,
    help="The assignment with a static point: queens move one tile at a time, the one there never. Both count "
    "from 0. Takes N, --file, --board, --seed and --restarts (attempts in all) beside it.",
)
@options.as_json
@options.quiet
@options.origin
@click.pass_obj
def climb(session: Session, /, **given: Any) -> int:
    """Climb from random boards of N queens (8 if nothing is given), or from a given one.

    All rules start from the same boards. A run is solved or stuck; the exit code is 0 if all runs are solved.
    """
    request = _Request(**given)
    _check_usage(request)
    with commented(session.display, quiet=request.quiet):
        if request.static_point is not None:
            return _climb_around(request, request.static_point, session)
        return _climb(request, session)


@dataclass(frozen=True)
class _Request:
    """The options as given."""

    n: int | None
    rules: list[str] | None
    file: str | None
    board: str | None
    rows_from: int
    runs: int | None
    seed: int | None
    restarts: int | None
    sideways_limit: int | None
    temperature: float | None
    cooling: float | None
    show: bool
    static_point: tuple[int, int] | None
    as_json: bool
    quiet: bool
    origin: str


def _check_usage(request: _Request) -> None:
    """Refuse what cannot be meant together."""
    boards.check_one_board(request.file, request.board)
    if request.show and request.as_json:
        raise click.UsageError("--show and --json: stdout cannot carry both.")
    if request.runs is not None and not 1 <= request.runs <= _MOST_RUNS:
        raise click.UsageError(f"--runs is {request.runs}: it goes from 1 to {_MOST_RUNS:,}; study makes more.")
    if request.static_point is None:
        return
    others = {
        "--rule": request.rules,
        "--runs": request.runs,
        "--sideways-limit": request.sideways_limit,
        "--temperature": request.temperature,
        "--cooling": request.cooling,
        "--show": request.show or None,
        "--json": request.as_json or None,
    }
    for option, value in others.items():
        if value is not None:
            raise click.UsageError(f"--static-point and {option}: the assignment's rule has no such thing.")
    if request.restarts is not None and (request.file is not None or request.board is not None):
        raise click.UsageError("--static-point with --restarts begins from random boards: leave the board out.")
    if request.restarts is not None and request.seed is not None:
        raise click.UsageError("--static-point with --restarts and --seed: the assignment sets its seed to 1.")


def _climb(request: _Request, session: Session) -> int:
    from fastqueens.classroom import climbing
    from fastqueens.classroom.rules import RULES, Limits, check_rule

    rules = ["steepest"] if request.rules is None else list(RULES) if request.rules == ["all"] else request.rules
    for rule in rules:
        check_rule(rule)
    given = {
        "sideways": request.sideways_limit,
        "restarts": request.restarts,
        "temperature": request.temperature,
        "cooling": request.cooling,
    }
    limits = Limits(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    board = boards.given_board(session, request.file, request.board, request.rows_from)
    n = boards.QUEENS_IF_NOTHING_IS_GIVEN if request.n is None and board is None else request.n
    seed = secrets.randbelow(10**9) if request.seed is None else request.seed
    tasks = [(rule, seed + run) for run in range(request.runs or 3) for rule in rules]
    rows = []
    for done, (rule, run_seed) in enumerate(tasks):
        session.display.report("climbs", done, len(tasks))
        climbed = climbing.climb(n, board=board, rule=rule, limits=limits, seed=run_seed, stop=session.stop.is_set)
        if request.show and not request.quiet:
            session.display.clear()
            _show(climbed, done + 1, request)
        rows.append(climbed.as_dict())
    session.display.clear()
    if request.as_json:
        click.echo("[" + ",\n ".join(json.dumps(row) for row in rows) + "]")
    elif not request.quiet:
        click.echo(_table(rows), nl=False)
    return SOLVED if all(row["solved"] for row in rows) else NOT_SOLVED


def _show(climbed: Climb, run: int, request: _Request) -> None:
    """Draw the boards of a run one under the other, each with its cost, and say how it ended."""
    click.echo(click.style(f"Run {run}: {climbed.rule}, seed {climbed.seed}", bold=True))
    columns = shutil.get_terminal_size().columns
    is_drawn = 2 * climbed.n - 1 <= columns
    if not is_drawn:
        click.echo(f"The boards are not drawn: they need {2 * climbed.n - 1:,} columns, and there are {columns}.")
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
    made = f"{count(climbed.steps, 'step')}, {count(len(climbed.restarts), 'restart')}"
    click.echo(f"\n{verdict}: {made}. {_why(climbed, look)}\n")


def _why(climbed: Climb, last: Look) -> str:
    """Say why a run ended with its last board."""
    if climbed.solved:
        return "No queen attacks another."
    if climbed.rule == "annealing":
        return "It has cooled down."
    if climbed.rule == "min-conflicts":
        return "It has been too long without a new least cost."
    from fastqueens import move_costs

    costs = move_costs(last.queens)
    moves = costs.size - climbed.n
    if moves == 0:
        return "There is no move."
    costs[last.queens, range(climbed.n)] = costs.max() + 1
    least = int(costs.min())
    if climbed.rule == "sideways" and climbed.limits.sideways and least == last.cost:
        return f"{count(climbed.limits.sideways, 'sideways move')} in a row did not help."
    if least == last.cost:
        return f"The best of {count(moves, 'move')} keeps the cost at {least}."
    return f"Each of {count(moves, 'move')} raises the cost, to {least} at the least."


def _table(rows: list[dict[str, Any]]) -> str:
    headings = ("rule", "seed", "initial cost", "steps", "restarts", "cost", "solved")
    figures = ("initial_cost", "steps", "restarts", "cost")
    return table_text(
        headings,
        [
            [row["rule"], str(row["seed"]), *(f"{row[key]:,}" for key in figures), "yes" if row["solved"] else "no"]
            for row in rows
        ],
    )


def _climb_around(request: _Request, point: tuple[int, int], session: Session) -> int:
    """Run the assignment with a static point, and print what its functions print."""
    from fastqueens import nqueens
    from fastqueens.board import InputError, check_n

    given = boards.given_board(session, request.file, request.board, request.rows_from)
    size = boards.QUEENS_IF_NOTHING_IS_GIVEN if request.n is None else check_n(request.n)
    n = len(given) if given is not None and request.n is None else size
    if given is not None and n != len(given):
        raise InputError(f"N is {n}, and the board has {len(given)} queens: leave one of them out")
    if max(point) >= n:
        raise InputError(f"the static point {point[0]},{point[1]} is off the board: both go from 0 to {n - 1}")
    session.display.clear()
    attempts = request.restarts
    if attempts is not None:
        if attempts < 1:
            raise InputError(f"restarts is {attempts}: the assignment makes at least 1 attempt")
        printed = _printed(lambda: nqueens.n_queens_restart(n, attempts, *point))
    else:
        state = _random_state(n, point, request.seed) if given is None else given.tolist()
        printed = _printed(lambda: nqueens.n_queens(state, *point))
    if not request.quiet:
        click.echo(printed, nl=False)
    return SOLVED if printed.endswith("f=0\n") else NOT_SOLVED


def _printed(call: Callable[[], object]) -> str:
    """What a function prints."""
    with contextlib.redirect_stdout(io.StringIO()) as caught:
        call()
    return caught.getvalue()


def _random_state(n: int, point: tuple[int, int], seed: int | None) -> list[int]:
    """A random board with a queen on the static point."""
    draw = random.Random(secrets.randbelow(10**9) if seed is None else seed)
    state = [draw.randrange(n) for _ in range(n)]
    state[point[0]] = point[1]
    return state
