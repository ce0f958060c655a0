"""``fastqueens poster``: a board as a poster, from a file or solved for the purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.plot import check_picture_file
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import file_label

if TYPE_CHECKING:
    from fastqueens.core.board import Queens
    from fastqueens.core.trace import Trace
    from fastqueens.solving.result import Result


@click.command(
    short_help="Draw a board as a poster for printing.",
    epilog="\b\nExamples:\n  fastqueens poster 1000 --seed 1 -o poster.png\n"
    "  fastqueens poster board.npy --style modern --size 50x70cm -o p.pdf",
)
@click.argument("board", metavar="BOARD_OR_N", type=options.FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Write the poster: .png .jpg .webp, or .pdf .svg as vector graphics.",
)
@click.option(
    "--size",
    default="A1",
    show_default=True,
    metavar="SIZE",
    help="A4 to A0, or width x height with a unit (mm, cm, in): 24x36in.",
)
@click.option(
    "--dpi", default="300", show_default=True, metavar="DPI", callback=options.whole_number, help="Pixels per inch."
)
@click.option(
    "--style", default="classic", show_default=True, metavar="STYLE", help="classic, modern, lines or infographic."
)
@click.option(
    "--title",
    metavar="TEXT",
    callback=options.utf8_text,
    help='The heading, with "\\n" for a new line. Default: the number of queens.',
)
@click.option("--orientation", metavar="WAY", help="portrait or landscape. Default: as given by --size.")
@click.option(
    "--margin",
    metavar="LENGTH",
    help="Empty space at the edges of the sheet, for example 20mm. Default: 6 % of the shorter side.",
)
@click.option(
    "--bleed",
    default="0mm",
    show_default=True,
    metavar="LENGTH",
    help="Extra width printed on each side, to be cut off; usually 3mm.",
)
@click.option(
    "--seed",
    metavar="SEED",
    callback=options.whole_number,
    help="Seed, if a board of N queens is solved. Default: a random seed.",
)
@options.rows_from
@options.threads
@options.quiet
@click.pass_obj
def poster(session: Session, /, board: str, output: str, rows_from: int, quiet: bool, **parameters: Any) -> int:
    """Draw a board as a poster: one from a file (- for stdin), or one that is solved for N queens.

    If a board is too large for single queens at this resolution, the poster shows their density. On A1, this happens
    from about 5,000 queens on.
    """
    from fastqueens.pictures.posters import check_style
    from fastqueens.pictures.posters.paper import paper

    sheet: dict[str, Any] = {name: parameters[name] for name in ("size", "dpi", "orientation", "margin", "bleed")}
    check_picture_file(output)
    check_style(parameters["style"])
    paper(**sheet)
    title = None if parameters["title"] is None else parameters["title"].replace("\\n", "\n")
    with progress_and_notes(session.display, quiet=quiet):
        shown = _shown(session, board, rows_from, parameters)
        _draw(session, shown, output, **sheet, style=parameters["style"], title=title)
    return SOLVED if shown.is_solved else NOT_SOLVED


def draw_poster_of(session: Session, result: Result, path: str) -> None:
    """Draw the board of a result as a poster of default size and style."""
    _draw(session, _Shown(result.queens, result.solved, result.seed, result.steps), path)


def _draw(session: Session, shown: _Shown, path: str, *, dpi: int = 300, **look: Any) -> None:
    """Draw a poster and write it; ``look`` goes to :func:`fastqueens.pictures.posters.poster`."""
    from fastqueens.pictures.posters import poster as draw_poster
    from fastqueens.pictures.saving import check_picture_suffix, save_picture

    session.display.report("drawing")
    picture = draw_poster(
        shown.queens,
        dpi=dpi,
        seed=shown.seed,
        steps=shown.steps,
        trace=shown.trace,
        vector=check_picture_suffix(path) in (".pdf", ".svg"),
        **session.callbacks,
        **look,
    )
    session.check_stop()
    session.display.report(f"writing {file_label(path)}")
    save_picture(picture, path, dpi=dpi)


class _Shown(NamedTuple):
    """The board of a poster, with facts about its search if it was solved."""

    queens: Queens
    is_solved: bool = True
    seed: int | None = None
    steps: int | None = None
    trace: Trace | None = None


def _shown(session: Session, board: str, rows_from: int, parameters: dict[str, Any]) -> _Shown:
    is_infographic = parameters["style"] == "infographic"
    seed, threads = parameters["seed"], parameters["threads"]
    queens, result = boards.read_or_solve(
        session, board, seed=seed, rows_from=rows_from, threads=threads, trace=is_infographic
    )
    if result is None:
        return _Shown(queens)
    return _Shown(queens, result.solved, result.seed, result.steps, result.trace)
