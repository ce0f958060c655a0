"""The commands of the classroom: ``climb``, ``descend`` and ``study``."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable, Iterator
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import fastqueens
from fastqueens._jit.clock import clock
from fastqueens._run.arguments import new_seed
from fastqueens._run.text import counted, duration
from fastqueens.board import Queens, check_n
from fastqueens.classroom.climbing import Climb, ClimbBoard, climbs_table
from fastqueens.classroom.descent import Descent, read_starts, text_of
from fastqueens.classroom.rules import RULES, Limits, check_options, checked_limits
from fastqueens.classroom.studies import STUDY_SUFFIXES, write_runs, write_study
from fastqueens.cli import inputs
from fastqueens.cli.output import Output, drawing, in_bold, in_json
from fastqueens.cli.process import NOT_SOLVED, SOLVED
from fastqueens.errors import InputError
from fastqueens.files.atomic import atomic_write, check_target

#: Fields of Limits whose option has another name.
_OPTION_OF = {"sideways": "sideways-limit"}

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
    moves: str,
    output: str | None,
    plot: str | None,
    scale: str,
    theme: str,
    show: bool,
    static_point: tuple[int, int] | None,
    origin: str,
    **limits: Any,
) -> int:
    """Run hill climbing; ``limits`` are the options of rules."""
    rules = rules or ["steepest"]
    if runs is not None and not 1 <= runs <= _MOST_RUNS:
        raise click.ClickException(f"--runs is {runs}: it goes from 1 to {_MOST_RUNS:,}; study makes more")
    if output is not None and (runs or 1) * len(rules) > 1:
        raise click.UsageError("-o writes a single run: give one --rule, and no --runs.")
    inputs.check_output(output, (".npz",))
    inputs.check_picture(plot)
    start = inputs.board_given(out, n, file, board, rows_from)
    n = len(start) if start is not None else inputs.n_or_default(n)
    if static_point is not None:
        return _climb_around(out, n, start, static_point, limits["restarts"], seed)
    checked = _limits(rules, moves, limits)
    first_seed = new_seed() if seed is None else seed
    runs = runs or (3 if output is None else 1)
    tasks = [(rule, first_seed + run) for run in range(runs) for rule in rules]
    rows, first_runs = [], []

    def climbs() -> Iterator[Climb]:
        for done, (rule, run_seed) in enumerate(tasks):

            def progress(stage: str, *_: int, done: int = done) -> None:
                out.progress(stage, done, len(tasks) if len(tasks) > 1 else None)

            given: dict[str, Any] = {"board": start, "rule": rule, "moves": moves, "limits": checked, "seed": run_seed}
            yield fastqueens.climb(n, **given, progress=progress, stop=out.is_stopped)

    for done, climbed in enumerate(out.each(climbs())):
        rule, run_seed = tasks[done]
        if show and not out.quiet:
            _show(out, climbed, f"Run {done + 1}: {rule}, seed {run_seed}", origin, rows_from)
        rows.append(climbed.as_dict() | {"queens": _queens_in_json(climbed, rows_from)})
        if plot is not None and done < len(rules):
            first_runs.append(climbed)
        if output is not None:
            _write(out, climbed, output)
    if out.as_json:
        out.json(rows)
    else:
        out.say(f"\n{climbs_table(rows).text(out.width)}\n")
    out.wrote(output)
    out.say_partial(f"{len(rows):,} of {counted(len(tasks), 'run')}")
    if plot is not None:
        from fastqueens.cli.pictures import draw_picture
        from fastqueens.pictures.studies import climb_picture

        draw_picture(out, lambda: climb_picture(first_runs, theme=theme, scale=scale), plot)
    return SOLVED if all(row["solved"] for row in rows) else NOT_SOLVED


def _queens_in_json(climbed: Climb, rows_from: int) -> NDArray[Any] | None:
    """Return the last board of a run for JSON; None is a column that a systematic search has not filled."""
    rows: NDArray[Any] | None = in_json(climbed.queens, rows_from)
    if rows is None or climbed.queens.max() < climbed.n:
        return rows
    return np.where(climbed.queens < climbed.n, rows, np.array(None))


def _limits(rules: list[str], moves: str, given: dict[str, Any]) -> Limits:
    """Return the options of rules that were given; raise an error for one that changes none of these rules."""
    given = {name: value for name, value in given.items() if value is not None}
    limits = checked_limits(Limits(**given), moves, rules)
    check_options(rules, {name: "--" + _OPTION_OF.get(name, name).replace("_", "-") for name in given})
    return limits


def _write(out: Output, climbed: Climb, path: str) -> None:
    from fastqueens.files.traces import Header, write_trace

    if climbed.moves is None:
        raise click.UsageError(f"-o writes moves of one queen, and a step of {climbed.rule} may change more than that.")
    out.writing(path)
    write_trace(path, climbed.trace, climbed.restarts, Header(climbed.n, climbed.seed), climbed.moves)


def _show(out: Output, climbed: Climb, heading: str, origin: str, rows_from: int) -> None:
    """Print the boards of a run, each with its attacking pairs, and how the run ended."""
    out.say(click.style(heading, bold=True))
    reason = out.no_room(2 * climbed.n - 1, "With -o climb.npz, fastqueens explore climb.npz plays the run.")
    out.say(*filter(None, [reason]))
    is_first = True
    for look in climbed.looks():
        if look.is_start:
            caption = "Start:" if is_first else "Restart from a random board:"
            is_first = False
        else:
            caption = f"Step {look.step}: {_moved(look, rows_from)}" if climbed.moves else f"Step {look.step}:"
        board = [] if reason else [_drawn(look.queens, origin)]
        out.say("", caption, *board, f"H value: {look.cost}")
    if climbed.solved and look.cost > 0:  # a beam or a population has the first board and random ones
        out.say(
            "", "The best of the first boards:", *([] if reason else [_drawn(climbed.queens, origin)]), "H value: 0"
        )
    verdict = click.style("Success", fg="green") if climbed.solved else click.style("Failure", fg="red")
    made = f"{counted(climbed.steps, 'step')}, {counted(len(climbed.restarts), 'restart')}"
    out.say(f"\n{verdict}: {made}. {_reason(climbed, look)}\n")


def _drawn(queens: Queens, origin: str) -> str:
    """Draw a board; columns that a systematic search has not filled are empty."""
    n = len(queens)
    if queens.max() < n:
        return drawing(queens, origin)
    lines = [" ".join("Q" if row == queen else "." for queen in queens.tolist()) for row in range(n)]
    return in_bold("\n".join(lines if origin == "upper" else lines[::-1]))


def _moved(look: ClimbBoard, rows_from: int) -> str:
    return f"column {look.move[0]} to row {look.move[2] + rows_from}" if look.move else "the queen stays"


def _reason(climbed: Climb, last: ClimbBoard) -> str:
    """Return the reason for which a run ended with its last board."""
    if climbed.solved:
        return "No queen attacks another."
    rule = RULES[climbed.rule]
    if _is_cut(climbed):
        return "A limit ends the run."
    if rule.why_stuck:
        return rule.why_stuck
    costs = fastqueens.move_costs(last.queens)
    moves = costs.size - climbed.n
    if moves == 0:
        return "No move is possible."
    costs[last.queens, range(climbed.n)] = costs.max() + 1
    least = int(costs.min())
    if "sideways" in rule.options and climbed.limits.sideways and least == last.cost:
        return f"{counted(climbed.limits.sideways, 'sideways move')} in a row did not help."
    if least == last.cost:
        return f"The best of {counted(moves, 'move')} leaves {counted(least, 'attacking pair')}."
    return f"Each of {counted(moves, 'move')} leads to {counted(least, 'attacking pair')} or more."


def _is_cut(climbed: Climb) -> bool:
    """Tell whether one of the limits of a run has ended it."""
    limits = climbed.limits
    used = (
        (limits.max_steps, climbed.steps),
        (limits.max_evaluations, climbed.evaluations),
        (limits.time_limit, climbed.seconds),
    )
    return any(limit is not None and value >= limit for limit, value in used)


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
    out.say(printed.removesuffix("\n"))
    column, row = point
    if board is not None and board[column] != row:
        out.say(
            f"No queen moves, because none stands on the static point {column},{row}: the queen of column {column} is "
            f"in row {board[column]}, counted from 0. Use --static-point {column},{board[column]}, or a board whose "
            f"queen of column {column} is in row {row}.",
            err=True,
        )
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
    if target is not None:
        check_target(target)
    out.reading(source)
    starts = read_starts(source)
    descents: list[Descent] = []
    for done, queens in enumerate(starts):
        out.progress("starts", done, len(starts))
        descents.append(fastqueens.descend(queens, stop=out.is_stopped))
    if target is None:
        with out.data() as file:
            file.writelines(text_of(descents))
        return
    out.writing(target)
    with atomic_write(target) as opened:
        opened.writelines(text_of(descents))
    solved = sum(descent.solved for descent in descents)
    out.wrote(target, f"{solved:,} of {counted(len(descents), 'start')} solved", err=True)


def study(
    out: Output,
    *,
    n: list[int] | None,
    rules: list[str],
    runs: int,
    seed: int | None,
    moves: str,
    threads: int | None,
    scheduler: str | None,
    output: str | None,
    runs_file: str | None,
    plot: str | None,
    what: str,
    theme: str,
    **limits: Any,
) -> None:
    """Make a study; ``limits`` are the options of rules."""
    inputs.check_output(output, STUDY_SUFFIXES)
    inputs.check_output(runs_file, STUDY_SUFFIXES[:1])
    inputs.check_picture(plot)
    sizes = n or [inputs.n_or_default(None)]
    settings: dict[str, Any] = {"moves": moves, "limits": _limits(rules, moves, limits)}
    settings["keep_runs"] = runs_file is not None
    with inputs.executor_of(out, scheduler) as executor:
        begun = clock.seconds()
        with out.keeping():
            try:
                result = fastqueens.study(
                    sizes, rules, runs, seed=seed, threads=threads, executor=executor, **settings, **out.callbacks
                )
            except fastqueens.Stopped as stopped:
                result = out.part(stopped)
        seconds = clock.seconds() - begun
    if output is not None:
        write_study(output, result)
    if runs_file is not None:
        write_runs(runs_file, result)
    if out.as_json:
        out.json(result.as_dict())
    text = repr(result)
    if not out.as_json and output is None and runs_file is None and plot is None:
        out.result(text)
    else:
        out.say(text)
    out.say(f"{counted(result.runs * len(result.rows), 'run')} in {duration(seconds)}.")
    out.wrote(output, err=True)
    out.wrote(runs_file, err=True)
    out.say_partial(f"{len(result.rows)} of {counted(len(set(sizes)) * len(set(rules)), 'row')}")
    if plot is not None:
        from fastqueens.cli.pictures import draw_picture

        draw_picture(out, lambda: result.plot(what=what, theme=theme), plot)
