"""``fastqueens show``: draws a board from a file and counts its conflicts."""

from __future__ import annotations

import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fastqueens.cli import boards, instances, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.plot import check_picture_file
from fastqueens.cli.session import Session
from fastqueens.cli.wording import drawing, file_label, in_bold, legend, move_costs_drawing, say, wrote
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from fastqueens.core.board import Queens
    from fastqueens.core.instance import Instance

_LEAST_DPI, _MOST_DPI = 20, 1200

#: The number of best moves to name.
_MOST_NAMED = 5


@click.command(
    short_help="Draw a board and count its conflicts.",
    epilog="\b\nExamples:\n  fastqueens show board.txt --origin lower\n  fastqueens show board.txt -o board.png\n"
    "  fastqueens show --instance puzzle.json -o puzzle.pdf",
)
@click.argument("file", metavar="[FILE]", required=False, type=options.FILE)
@instances.instance_options
@options.rows_from
@options.origin
@click.option(
    "--move-costs",
    is_flag=True,
    help="Show on each square how many attacking pairs there are after the queen of its column moves there. Q marks "
    "the queens, * the best moves.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE",
    help="Draw a picture (.png .pdf .svg) instead of text: single queens up to N = 50,000, and their density on larger "
    "boards. With --move-costs, N is at most 40.",
)
@click.option(
    "--mark",
    type=options.whole_number,
    multiple=True,
    metavar="COLUMN",
    help="Mark the queen of this column, from 0 on, in the picture. May be repeated.",
)
@click.option("--title", metavar="TEXT", type=options.utf8_text, help="Text above the picture.")
@options.number("--dpi", metavar="DOTS", help="Dots per inch of the picture, from 20 to 1200.")
@options.threads
@click.pass_obj
def show(session: Session, /, **parameters: Any) -> None:
    """Draw the board in FILE (- for stdin) and count its conflicts.

    Options that state an instance add its fixed queens, blocked squares and excluded diagonals to the drawing. Without
    FILE, the instance is drawn without its solution. Below the text, a line explains the marks.
    """
    request = SimpleNamespace(**parameters)
    _check_usage(request)
    columns = shutil.get_terminal_size().columns
    if request.file is None:
        _show_instance(session, request, columns)
        return
    with progress_and_notes(session.display):
        queens = boards.read(session, request.file, request.rows_from)
        instance = instances.instance_of(session, len(queens), request)
        if request.output is not None:
            session.display.report(f"drawing {file_label(request.output)}")
            _save(_picture(session, queens, instance, request), request)
        moves = _moves(session, queens) if request.move_costs else None
        pairs, conflicting = _conflicts(session, queens, request.threads)
    if request.output is None:
        click.echo(_board_text(queens, instance, moves, request, columns))
    else:
        say(wrote(request.output))
    figures = {"queen": len(queens), "attacking pair": pairs, "conflicting queen": conflicting}
    click.echo(", ".join(counted(number, noun) for noun, number in figures.items()) + ".")
    if instance is not None:
        click.echo(click.wrap_text(_instance_sentence(queens, instance), columns))
    if moves is not None:
        click.echo(click.wrap_text(_best_moves_sentence(queens, moves, request.rows_from), columns))


class _Moves(NamedTuple):
    """The cost of each move on a board, and the best moves."""

    costs: NDArray[np.int64]
    best: NDArray[np.int64]


def _check_usage(request: SimpleNamespace) -> None:
    """Raise an error if options contradict each other or the picture cannot be written."""
    has_instance = instances.has_instance(request)
    if request.file is None and not has_instance:
        raise click.UsageError("Missing argument 'FILE'; without it, an --instance FILE is needed.")
    if request.file is None and (request.mark or request.move_costs):
        raise click.UsageError("--mark and --move-costs need a board: give its FILE.")
    if request.move_costs and has_instance:
        raise click.UsageError("--move-costs shows no instance: leave out the options that state one.")
    instances.check_instance_options(request, {"FILE": request.file})
    if request.output is None:
        only_pictures = {"--mark": request.mark or None, "--title": request.title, "--dpi": request.dpi}
        for option, value in only_pictures.items():
            if value is not None:
                raise click.UsageError(f"{option} needs a picture: add -o FILE.")
        return
    if request.dpi is not None and not _LEAST_DPI <= request.dpi <= _MOST_DPI:
        raise click.ClickException(f"--dpi is {request.dpi}: it goes from {_LEAST_DPI} to {_MOST_DPI:,}")
    if request.mark and request.move_costs:
        raise click.UsageError("--mark and --move-costs: give one of them.")
    check_picture_file(request.output)


def _show_instance(session: Session, request: SimpleNamespace, columns: int) -> None:
    """Draw an instance without a solution."""
    with progress_and_notes(session.display):
        instance = instances.instance_of(session, None, request)
        assert instance is not None
        if request.output is not None:
            from fastqueens.pictures.boards import instance_picture

            session.display.report(f"drawing {file_label(request.output)}")
            look = {"origin": request.origin, "rows_from": request.rows_from, "title": request.title}
            _save(instance_picture(instance, **look), request)
    if request.output is None:
        click.echo(_instance_text(instance, request.origin, columns))
    else:
        say(wrote(request.output))
    asked = f", with {instance.constraints}" if instance.constraints else ""
    click.echo(click.wrap_text(f"n = {instance.n:,}{asked}.", columns))


def _picture(session: Session, queens: Queens, instance: Instance | None, request: SimpleNamespace) -> Figure:
    from fastqueens.pictures.boards import move_costs_picture, picture

    look = {"origin": request.origin, "rows_from": request.rows_from, "title": request.title}
    if request.move_costs:
        return move_costs_picture(queens, **look)
    return picture(queens, instance=instance, marked=request.mark, **look, **session.callbacks)


def _save(picture: Figure, request: SimpleNamespace) -> None:
    from fastqueens.pictures.saving import save_picture

    save_picture(picture, request.output, dpi=request.dpi or picture.dpi)


def _moves(session: Session, queens: Queens) -> _Moves:
    from fastqueens.classroom.moves import best_moves, move_costs

    session.display.report("costs of moves")
    costs = move_costs(queens)
    return _Moves(costs, best_moves(queens, costs))


def _conflicts(session: Session, queens: Queens, threads: int | None) -> tuple[int, int]:
    """Return the numbers of attacking pairs and conflicting queens."""
    from fastqueens import attacking_pairs, conflicting_queens, is_solution

    work: dict[str, Any] = {"threads": threads, **session.callbacks}
    # For a billion queens this check takes seconds, and counting takes minutes.
    if is_solution(queens, **work):
        return 0, 0
    return attacking_pairs(queens, **work), conflicting_queens(queens, **work)


def _instance_text(instance: Instance, origin: str, columns: int) -> str:
    """Return the drawn instance, or why it is not drawn."""
    width = 2 * instance.n - 1
    if width > columns:
        return _too_wide(width, columns, "draw a picture with -o FILE.png")
    from fastqueens.pictures.text import draw_instance

    text = in_bold(draw_instance(instance, origin))
    return text + legend(text)


def _too_wide(width: int, columns: int, way: str) -> str:
    return (
        f"The board is not drawn: it needs {width:,} columns, and the terminal has {columns}.\n"
        f"{click.wrap_text(f'To see it, {way}.', columns)}"
    )


def _board_text(
    queens: Queens, instance: Instance | None, moves: _Moves | None, request: SimpleNamespace, columns: int
) -> str:
    """Return the drawn board, with the cost on each square if there are moves, or why it is not drawn."""
    from fastqueens.pictures.text import move_costs_width

    if moves is None:
        width = 2 * len(queens) - 1
        if width > columns:
            label = file_label(request.file) if request.file != "-" else "FILE"
            way = f"run fastqueens explore {label} to open it in the browser, or draw a picture with -o FILE.png"
            return _too_wide(width, columns, way)
        text = drawing(queens, request.origin, instance)
        return text + legend(text)
    width = move_costs_width(moves.costs)
    if width > columns:
        return f"The moves are not drawn: they need {width:,} columns, and the terminal has {columns}."
    return move_costs_drawing(moves.costs, queens, moves.best, request.origin)


def _instance_sentence(queens: Queens, instance: Instance) -> str:
    """Return a sentence on what an instance asks for and whether a board respects it."""
    from fastqueens.check.violations import violations

    violated = violations(queens, instance).words
    verdict = violated or click.style("all respected", fg="green")
    return f"The instance has {instance.constraints or 'no constraint'}: {verdict}."


def _best_moves_sentence(queens: Queens, moves: _Moves, rows_from: int) -> str:
    """Return a sentence with the best moves."""
    costs, best = moves
    if not len(best):
        return "No move is possible: the board has one row."
    column, row = best[0]
    least = costs[row, column]
    stuck = "Every move adds attacking pairs. " if least > costs[queens[column], column] else ""
    named = [f"column {column} to row {row + rows_from}" for column, row in best[:_MOST_NAMED]]
    more = f" and {len(best) - _MOST_NAMED:,} more" if len(best) > _MOST_NAMED else ""
    pairs = counted(int(least), "attacking pair")
    return f"{stuck}{counted(len(best), 'best move')}, to {pairs}: {', '.join(named)}{more}."
