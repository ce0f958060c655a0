"""``fastqueens poster``: a board as something to hang up, from a file or solved for the purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import commented
from fastqueens.cli.plot import check_picture_file
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import file_label

if TYPE_CHECKING:
    from fastqueens.board import Queens
    from fastqueens.result import Result, Trace


@click.command(
    short_help="Draw a board as a poster, ready for print.",
    epilog="\b\nExamples:\n  fastqueens poster 1000 --seed 1 -o poster.png\n"
    "  fastqueens poster board.npy --style modern --size 50x70cm --bleed 3mm -o poster.pdf",
)
@click.argument("board", metavar="BOARD_OR_N", type=options.FILE)
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="The poster: .png .jpg .webp, or .pdf .svg as shapes."
)
@click.option(
    "--size", default="A1", show_default=True, metavar="SIZE", help="A4 to A0, 24x36in, or WxH with mm, cm or in."
)
@click.option(
    "--dpi", default="300", show_default=True, metavar="DPI", callback=options.whole_number, help="Pixels an inch."
)
@click.option(
    "--style", default="classic", show_default=True, metavar="STYLE", help="classic, modern, lines or infographic."
)
@click.option(
    "--title",
    metavar="TEXT",
    callback=options.letters,
    help='The large words, "\\n" for a new line. The number of queens if not given.',
)
@click.option("--orientation", metavar="WAY", help="portrait or landscape. As the size says if not given.")
@click.option(
    "--margin", metavar="LENGTH", help="Kept empty inside the sheet, as in 20mm. 6 % of the shorter side if not given."
)
@click.option(
    "--bleed",
    default="0mm",
    show_default=True,
    metavar="LENGTH",
    help="Printed around the sheet, to be cut off; usual are 3mm.",
)
@click.option(
    "--seed", metavar="SEED", callback=options.whole_number, help="Of the board that is solved for the poster."
)
@options.rows_from
@options.threads
@options.quiet
@click.pass_obj
def poster(session: Session, /, board: str, output: str, rows_from: int, quiet: bool, **given: Any) -> int:
    """Draw a board from a file (- for stdin) as a poster, or solve one of N queens for it.

    Boards too large for the paper's resolution are drawn as a density: on A1, from about 5,000 queens on.
    """
    from fastqueens.pictures.paper import paper
    from fastqueens.pictures.posters import check_style

    sheet: dict[str, Any] = {name: given[name] for name in ("size", "dpi", "orientation", "margin", "bleed")}
    check_picture_file(output)
    check_style(given["style"])
    paper(**sheet)
    title = None if given["title"] is None else given["title"].replace("\\n", "\n")
    with commented(session.display, quiet=quiet):
        shown = _shown(session, board, rows_from, given)
        _draw(session, shown, output, **sheet, style=given["style"], title=title)
    return SOLVED if shown.is_solved else NOT_SOLVED


def draw_poster_of(session: Session, result: Result, path: str) -> None:
    """Draw the board of a finished search as a poster of the usual size and style."""
    _draw(session, _Shown(result.queens, result.solved, result.seed, result.steps), path)


def _draw(session: Session, shown: _Shown, path: str, *, dpi: int = 300, **look: Any) -> None:
    """Draw a poster and write it; ``look`` is for :func:`fastqueens.pictures.posters.poster`."""
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
        **session.hooks,
        **look,
    )
    session.check_stop()
    session.display.report(f"writing {file_label(path)}")
    save_picture(picture, path, dpi=dpi)


class _Shown(NamedTuple):
    """The board of a poster and, where it was solved for it, how."""

    queens: Queens
    is_solved: bool = True
    seed: int | None = None
    steps: int | None = None
    trace: Trace | None = None


def _shown(session: Session, board: str, rows_from: int, given: dict[str, Any]) -> _Shown:
    is_infographic = given["style"] == "infographic"
    queens, result = boards.board_or_solved(
        session, board, seed=given["seed"], rows_from=rows_from, threads=given["threads"], trace=is_infographic
    )
    if result is None:
        return _Shown(queens)
    return _Shown(queens, result.solved, result.seed, result.steps, result.trace)
