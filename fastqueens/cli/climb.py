"""``fastqueens climb`` and ``descend``: hill climbing by the rules that courses teach, and most attacks moves."""

from __future__ import annotations

import contextlib
import io
import random
import sys
from collections.abc import Callable
from typing import Any

import click

import fastqueens
from fastqueens.classroom.climbing import Climb, Limits, Look, check_rule
from fastqueens.classroom.descent import Descent, read_starts, text_of
from fastqueens.cli import inputs
from fastqueens.cli.output import Output, drawing, table_text, terminal_width
from fastqueens.cli.process import NOT_SOLVED, SOLVED
from fastqueens.core.arguments import RESTARTING_RULES, STUDY_RULES, new_seed
from fastqueens.core.board import Queens, check_n
from fastqueens.core.errors import InputError
from fastqueens.core.wording import counted
from fastqueens.files.atomic import atomic_write, check_target

#: Each run is a line of the table; ``fastqueens study`` makes millions.
_MOST_RUNS = 1000


def climb(
    out: Output,
    *,
    n: int | None,
    rules: list[str] | None,
    file: str | None,
    board: str | None,
    rows_from: int,
    runs: int | None,
    seed: int | None,
    restarts: int | None,
    sideways_limit: int | None,
    temperature: float | None,
    cooling: float | None,
    output: str | None,
    show: bool,
    static_point: tuple[int, int] | None,
    origin: str,
) -> int:
    """Run hill climbing."""
    rules = rules or ["steepest"]
    if runs is not None and not 1 <= runs <= _MOST_RUNS:
        raise click.ClickException(f"--runs is {runs}: it goes from 1 to {_MOST_RUNS:,}; study makes more")
    if output is not None and (runs or 1) * len(rules) > 1:
        raise click.UsageError("-o writes a single run: give one --rule, and no --runs.")
    inputs.check_output(output, (".npz",))
    for rule in rules:
        check_rule(rule, STUDY_RULES)
    values = {"sideways": sideways_limit, "restarts": restarts, "temperature": temperature, "cooling": cooling}
    limits = Limits(**{name: value for name, value in values.items() if value is not None})  # type: ignore[arg-type]
    start = inputs.board_given(out, n, file, board, rows_from)
    n = len(start) if start is not None else inputs.n_or_default(n)
    if static_point is not None:
        return _climb_around(out, n, start, static_point, restarts, seed)
    first_seed = new_seed() if seed is None else seed
    runs = runs or (3 if output is None else 1)
    tasks = [(rule, first_seed + run) for run in range(runs) for rule in rules]
    rows = []
    for done, (rule, run_seed) in enumerate(tasks):
        out.progress("climbs", done, len(tasks))
        is_until_solved = rule in RESTARTING_RULES and restarts is None
        climbed = fastqueens.climb(
            n,
            board=start,
            rule=STUDY_RULES[rule],
            limits=limits._replace(restarts=None) if is_until_solved else limits,
            seed=run_seed,
            stop=out.is_stopped,
        )
        if show and not out.quiet:
            _show(out, climbed, f"Run {done + 1}: {rule}, seed {run_seed}", origin, rows_from)
        rows.append({**climbed.as_dict(), "rule": rule})
        if output is not None:
            _write(out, climbed, output)
    if out.as_json:
        out.json(rows)
    else:
        out.draw(_table(rows), nl=False)
    out.wrote(output)
    return SOLVED if all(row["solved"] for row in rows) else NOT_SOLVED


def _write(out: Output, climbed: Climb, path: str) -> None:
    from fastqueens.files.traces import Header, write_trace

    out.writing(path)
    write_trace(path, climbed.trace, climbed.restarts, Header(climbed.n, climbed.seed), climbed.moves)


def _show(out: Output, climbed: Climb, heading: str, origin: str, rows_from: int) -> None:
    """Print the boards of a run, each with its attacking pairs, and how the run ended."""
    out.draw(click.style(heading, bold=True))
    columns, width = terminal_width(), 2 * climbed.n - 1
    is_drawn = width <= columns
    if not is_drawn:
        out.say(f"The boards are not drawn: they need {width:,} columns, and the terminal has {columns}.")
    is_first = True
    for look in climbed.looks():
        if look.is_start:
            caption = "Start:" if is_first else "Restart from a random board:"
            is_first = False
        else:
            moved = f"column {look.move[0]} to row {look.move[2] + rows_from}" if look.move else "the queen stays"
            caption = f"Step {look.step}: {moved}"
        board = [drawing(look.queens, origin)] if is_drawn else []
        out.draw("", caption, *board, f"H value: {look.cost}")
    verdict = click.style("Success", fg="green") if climbed.solved else click.style("Failure", fg="red")
    made = f"{counted(climbed.steps, 'step')}, {counted(len(climbed.restarts), 'restart')}"
    out.say(f"\n{verdict}: {made}. {_reason(climbed, look)}\n")


def _reason(climbed: Climb, last: Look) -> str:
    """Return the reason for which a run ended with its last board."""
    if climbed.solved:
        return "No queen attacks another."
    if climbed.rule == "annealing":
        return "The lowest temperature is reached."
    if climbed.rule == "min-conflicts":
        return "There were too many steps without a new lowest cost."
    costs = fastqueens.move_costs(last.queens)
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


def _climb_around(
    out: Output, n: int, board: Queens | None, point: tuple[int, int], attempts: int | None, seed: int | None
) -> int:
    """Run the assignment with a static point, and print what its functions print."""
    from fastqueens import nqueens

    check_n(n)
    if max(point) >= n:
        raise InputError(f"the static point {point[0]},{point[1]} is off the board: both go from 0 to {n - 1}")
    out.clear()
    if attempts is not None:
        if attempts < 1:
            raise InputError(f"restarts is {attempts}: the assignment makes at least 1 attempt")
        printed = _printed(lambda: nqueens.n_queens_restart(n, attempts, *point))
    else:
        state = _random_state(n, point, seed) if board is None else board.tolist()
        printed = _printed(lambda: nqueens.n_queens(state, *point))
    out.draw(printed, nl=False)
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


def descend(out: Output, *, source: str, output: str | None) -> None:
    """Move the queen that attacks most, from each start in a file, until solved or stuck."""
    target = None if output == "-" else output
    inputs.check_stdout(target, "stdout is closed: give -o FILE.")
    if target is not None:
        check_target(target)
    out.reading(source)
    starts = read_starts(source)
    descents: list[Descent] = []
    for done, queens in enumerate(starts):
        out.progress("starts", done, len(starts))
        descents.append(fastqueens.descend(queens, stop=out.is_stopped))
    out.check_stop()
    if target is None:
        out.clear()
        sys.stdout.buffer.writelines(text_of(descents))
        sys.stdout.buffer.flush()
        return
    out.writing(target)
    with atomic_write(target) as opened:
        opened.writelines(text_of(descents))
    solved = sum(descent.solved for descent in descents)
    out.wrote(target, f"{solved:,} of {counted(len(descents), 'start')} solved", err=True)
