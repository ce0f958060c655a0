"""The command ``solve``: search, report and files of one board."""

from __future__ import annotations

from contextlib import nullcontext
from shlex import quote
from textwrap import wrap
from typing import TYPE_CHECKING

import fastqueens
from fastqueens._run.text import counted, duration
from fastqueens.cli import inputs, options
from fastqueens.cli.options import (
    OUTPUT,
    ConstraintOptions,
    Group,
    Report,
    Start,
    command,
    given,
    option,
    output,
    refuse,
)
from fastqueens.cli.output import DRAWN_BELOW, file_label
from fastqueens.cli.session import ExitCode, Session
from fastqueens.errors import NoSolutionError, NotEnoughMemoryError, printable

if TYPE_CHECKING:
    from fastqueens.board import Queens
    from fastqueens.cli.terminal import Terminal

_UNKNOWN = "It is unknown whether there is a solution. Try higher limits, or fastqueens prove."

#: Beside a cloth: the room of the first word of a line, the most blocks of the course of attacking pairs, and the most
#: entries of a trace that they show.
_INDENT, _MOST_BLOCKS, _MOST_PAIRS = " " * 9, 24, 10_000


class _Search(Group):
    method: str = options.method
    start: str | None = options.start
    seed: int | None = options.seed
    max_steps: int | None = options.max_steps
    restarts: int | None = option(
        "--restarts COUNT",
        "Restarts of local search. Default: unlimited; up to 20 with constraints; 0 with --file or --board.",
    )
    time_limit: float | None = option("--time-limit SECONDS", "Stop after this many seconds.")
    mix: int | None = options.mix
    threads: int | None = options.threads
    force: bool = option("--force", "Start even if memory seems to be too small.")


class _Output(Report):
    path: str | None = output("Write the board to this file (.npy .txt .csv .json), or stdout (-).")
    trace: str | None = option(
        "--trace FILE", "Write the conflicts after each step (.csv), or also all moves (.npz).", OUTPUT
    )
    plot: str | None = option("--plot FILE", "Plot the conflicts after each step (.png .pdf .svg .jpg .webp).", OUTPUT)
    poster: str | None = option("--poster FILE", "Draw an A1 poster (.png .pdf .svg .jpg .webp).", OUTPUT)
    origin: str = options.origin


@command("fastqueens solve 1e6 --seed 1 -o board.npy\nfastqueens solve 8 --queen 0,3 --block 4,4")
def solve(session: Session, board: Start, constraints: ConstraintOptions, search: _Search, output: _Output) -> int:
    """Place N queens (default: 8) so that no queen attacks another.

    You can write a million as 1000000, 1,000,000 or 1e6. Boards with fewer than 33 queens are drawn before and after
    the search, with fixed queens as F.
    """
    if search.method == "complete":
        message = "{} has no effect on --method complete; omit it, or choose --method auto or --method local"
        refuse(message, "file", "rows", "start", "max_steps", "restarts")
    session.limit(search.time_limit)
    queens = inputs.board_given(session, board)
    instance = inputs.instance_given(session, board.n if queens is None else len(queens), constraints)
    session.has_data_on_stdout |= output.path == "-"
    try:
        result = _solved(session, instance, queens, search, output)
    except NoSolutionError as error:
        if session.as_json:
            counts = {} if instance.is_free else instance.counts
            spent = {"nodes": error.nodes, "complete_search_seconds": error.seconds}
            session.json({"n": instance.n, "solved": False, "solvable": False, **counts, **spent})
        raise
    except NotEnoughMemoryError as error:
        error.add_note("Hint: --force starts anyway.")
        raise
    if session.as_json:
        session.json(result.as_dict() | session.in_json(result.queens))
    is_drawn = output.path != "-" and result.n < DRAWN_BELOW
    source = None if queens is None else file_label(board.file)
    cloth = _with_cloth(session, result, source, output.path)
    session.say(*([cloth] if cloth else _report(session, result, source, is_drawn=is_drawn)))
    session.wrote(output.path)
    if output.trace is not None and result.trace is not None:
        from fastqueens.files.traces import write_trace

        session.writing(output.trace)
        write_trace(output.trace, result.trace, result.restarts, result.header, result.moves)
        session.wrote(output.trace)
    if output.plot is not None:
        from fastqueens.pictures.curves import conflict_curves

        session.draw(lambda: conflict_curves(result), output.plot)
    if output.poster is not None:
        from fastqueens.cli.poster import draw_poster

        draw_poster(session, output.poster, fastqueens.poster(result, **session.callbacks))
        session.wrote(output.poster)
    session.say_partial(f"mixed for {result.sweeps:,} of {counted(search.mix or 0, 'sweep')}")
    return ExitCode.SOLVED if result.solved else ExitCode.NOT_SOLVED


def _solved(
    session: Session, instance: fastqueens.Instance, queens: Queens | None, search: _Search, output: _Output
) -> fastqueens.Result:
    """Solve, and write the board, so that it is kept even if the report cannot be written."""
    is_built_there = output.path is not None and output.path.lower().endswith(".npy") and session.rows_from == 0
    if is_built_there:
        session.progress("reserving disk space")
    has_moves = output.trace is not None and output.trace.lower().endswith(".npz")
    # A terminal with colours shows the course of a search that is known to be short: others would take memory.
    is_short = queens is None and instance.is_free and search.start in (None, "windowed")
    is_traced = output.trace is not None or output.plot is not None or (is_short and session.terminal is not None)
    with session.keeping() if search.mix else nullcontext():
        result = fastqueens.solve(
            instance,
            board=queens,
            **search.values,
            trace="moves" if has_moves else is_traced,
            out=output.path if is_built_there else None,
            **session.callbacks,
        )
        session.is_partial = result.solved and result.sweeps < (search.mix or 0)
    if not is_built_there:
        inputs.write_board(session, output.path, result.queens)
    return result


def _report(session: Session, result: fastqueens.Result, source: str | None, *, is_drawn: bool) -> list[str]:
    """Return the sentences about a result, with drawings of small boards."""
    lines = _local_search(session, result, source, is_drawn=is_drawn) if result.attempts else []
    if result.nodes:
        outcome = "" if result.method == "complete" else ", without an answer"
        seed = "" if result.attempts else f" (n = {result.n:,}, seed {result.seed})"
        taken = duration(result.timings.complete_search)
        lines.append(f"Complete search for {taken}: {counted(result.nodes, 'square')} tried{outcome}{seed}.")
    if result.sweeps:
        lines.append(f"Mixed for {duration(result.timings.mixing)}: {counted(result.sweeps, 'sweep')}.")
    lines.append(_verdict(session, result))
    if not result.solved and not result.instance.is_free:
        lines.append(_UNKNOWN)
    if is_drawn:
        way = "Draw a poster with --poster FILE.png."
        lines.append(f"\n{session.drawing(result.queens, result.instance, way)}")
    return lines


def _local_search(session: Session, result: fastqueens.Result, source: str | None, *, is_drawn: bool) -> list[str]:
    """Return sentences about the local search, with a drawing of its first board unless that is the last board."""
    n_fixed, timings, first = len(result.fixed), result.timings, result.initial_queens
    queens = counted(result.n - n_fixed, "queen") + (f" plus {counted(n_fixed, 'fixed queen')}" if n_fixed else "")
    placed = duration(timings.placement)
    how = f"Placed {queens}" if source is None else f"Set up {queens} from {source}"
    start = f"{result.start} start, " if source is None else ""
    lines = [
        f"{how} in {placed} ({start}seed {result.seed}).",
        f"Initial board: {counted(result.initial_pairs, 'attacking pair')}.",
    ]
    if (
        is_drawn
        and first is not None
        and first.tolist() != result.queens.tolist()
        and not session.no_room(2 * result.n - 1)
    ):
        from fastqueens.pictures.ascii import draw_board

        lines.append(f"\n{session.styled(draw_board(first, session.origin, result.instance))}\n")
    restarts = f" and {counted(len(result.restarts), 'restart')}" if result.restarts else ""
    return [*lines, f"Searched for {duration(timings.search)}: {counted(result.steps, 'step')}{restarts}."]


def _verdict(session: Session, result: fastqueens.Result) -> str:
    if not result.solved:
        return f"{session.painted('Not solved', 'attack')}: {_left(result)} left."
    respected = "" if result.instance.is_free else f", with {result.instance.constraints}"
    return (
        f"{session.painted('Solved', 'solved')}{' and mixed' if result.sweeps else ''} in {_time(result)} and "
        f"verified in {duration(result.timings.verification)}: no queen attacks another{respected}."
    )


def _left(result: fastqueens.Result) -> str:
    """Return the conflicts that are left."""
    return f"{counted(result.pairs, 'attacking pair')} and {counted(result.conflicting_queens, 'conflicting queen')}"


def _time(result: fastqueens.Result) -> str:
    """Return the time of all parts of the work, without the allocation of memory and the verification."""
    return duration(sum(getattr(result.timings, part) for part in ("placement", "search", "complete_search", "mixing")))


def _with_cloth(session: Session, result: fastqueens.Result, source: str | None, path: str | None) -> str:
    """Return the report beside the weave of the board; "" if the terminal lacks colours or room."""
    terminal = session.terminal
    if result.n < DRAWN_BELOW or terminal is None or not terminal.side:
        return ""
    lines = [
        terminal.painted(line, role, bold=at == 0)
        for at, (text, role) in enumerate(_facts(result, source))
        for line in wrap(text, terminal.beside, subsequent_indent=_INDENT) or [""]
    ]
    cloth = terminal.cloth(result.queens)
    if result.trace is not None and result.steps:
        from fastqueens.cli.terminal import sparkline

        pairs = result.trace.pairs[:: -(-len(result.trace.pairs) // _MOST_PAIRS)].tolist()
        blocks = terminal.painted(sparkline(pairs, min(_MOST_BLOCKS, terminal.beside - len(_INDENT))), "attack")
        lines.append(f"{'pairs':<{len(_INDENT)}}{blocks}")
    commands = [line for text in _next_commands(result, path, session.rows_from) for line in _command(text, terminal)]
    if len(lines) + len(commands) < len(cloth):
        lines += ["", *(terminal.painted(line, "accent") for line in commands)]
    return terminal.side_by_side(cloth, lines)


def _facts(result: fastqueens.Result, source: str | None) -> list[tuple[str, str]]:
    """Return the numbers of the report in short lines, each with the role of its colour."""
    from fastqueens.cli.terminal import NO, YES

    timings, instance = result.timings, result.instance
    lines = [(counted(result.n, "queen"), "")] + [(f"with {instance.constraints}", "")] * (not instance.is_free)
    if result.solved:
        mixed, verified = " and mixed" if result.sweeps else "", duration(timings.verification)
        lines += [(f"{YES} solved{mixed} in {_time(result)}", "solved"), (f"{YES} verified in {verified}", "solved")]
    else:
        lines += [(f"{NO} not solved: {_left(result)} left", "attack")] + [(_UNKNOWN, "")] * (not instance.is_free)
    rows = []
    if result.attempts:
        restarts = f", {counted(len(result.restarts), 'restart')}" if result.restarts else ""
        start = f"{result.start}, " if source is None else f"{source}, "
        rows += [
            ("start", f"{start}seed {result.seed}"),
            ("placed", f"{duration(timings.placement)}, {counted(result.initial_pairs, 'attacking pair')}"),
            ("searched", f"{duration(timings.search)}, {counted(result.steps, 'step')}{restarts}"),
        ]
    if result.nodes:
        tried = f"{duration(timings.complete_search)}, {counted(result.nodes, 'square')} tried"
        rows.append(("complete", f"search {tried}"))
    if result.sweeps:
        rows.append(("mixed", f"{duration(timings.mixing)}, {counted(result.sweeps, 'sweep')}"))
    return [*lines, ("", ""), *((f"{label:<{len(_INDENT)}}{text}", "") for label, text in rows)]


def _next_commands(result: fastqueens.Result, path: str | None, rows_from: int) -> list[str]:
    """Return commands that draw and show this board, if it has a file or can be repeated by its seed."""
    if path is not None and path != "-" and printable(path) == path:
        board = f"{quote(path)}{f' --rows-from {rows_from}' if rows_from else ''}"
    elif result.instance.is_free and not given("file", "rows", "start", "method", "max_steps", "restarts", "mix"):
        board = f"{result.n} --seed\u00a0{result.seed}"
    else:
        return []
    return [f"fastqueens poster {board} -o\u00a0poster.pdf", f"fastqueens explore {board}"]


def _command(text: str, terminal: Terminal) -> list[str]:
    """Return a command in lines that can be copied together."""
    lines = wrap(text, terminal.beside - 2, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in (*(f"{line} \\" for line in lines[:-1]), *lines[-1:])]
