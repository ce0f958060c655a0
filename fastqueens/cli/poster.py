"""``fastqueens poster``: a board as a poster, from a file or solved for the purpose."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, instances, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.plot import check_picture_file
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import file_label, say, wrote
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.core.board import Queens
    from fastqueens.solving.result import Result


@click.command(
    cls=boards.CommandOfN,
    short_help="Draw a board as a poster for printing.",
    epilog="\b\nExamples:\n  fastqueens poster 1000 --seed 1 -o poster.png\n"
    "  fastqueens poster board.npy --style modern --size 50x70cm -o p.pdf",
)
@boards.board_or_n_argument
@click.option(
    "-o",
    "--output",
    type=options.NeededFile("poster.png"),
    required=True,
    metavar="FILE",
    help="Write the poster: .png .jpg .webp, or .pdf .svg as vector graphics.",
)
@click.option(
    "--size",
    default="A1",
    show_default=True,
    metavar="SIZE",
    help="A5 to A0, letter, legal, tabloid, or width x height with a unit (mm, cm, in): 24x36in.",
)
@options.number("--dpi", default="300", show_default=True, metavar="DPI", help="Pixels per inch.")
@click.option(
    "--style",
    default="classic",
    show_default=True,
    metavar="STYLE",
    help="classic, modern, lines, infographic or limit-shape.",
)
@click.option(
    "--title",
    metavar="TEXT",
    type=options.utf8_text,
    help='The heading, with "\\n" for a new line. Default: the number of queens.',
)
@click.option(
    "--caption/--no-caption",
    default=False,
    show_default=True,
    help="Write seed and steps in small print.",
)
@click.option("--orientation", metavar="WAY", help="portrait or landscape. Default: as given by --size.")
@click.option(
    "--margin",
    metavar="LENGTH",
    help="Empty space at the edges of the sheet, for example 20mm. Default: a twelfth of the shorter side.",
)
@click.option(
    "--bleed",
    default="0mm",
    show_default=True,
    metavar="LENGTH",
    help="Extra width printed on each side, to be cut off; usually 3mm.",
)
@boards.seed_option
@options.mix
@instances.instance_options
@options.rows_from
@options.threads_of_solving
@options.quiet
@click.pass_obj
def poster(session: Session, /, **parameters: Any) -> int:
    """Draw a board as a poster: one from a file (- for stdin), or one that is solved for N queens.

    A line below the title says whether queens attack each other, and how many pairs of them.

    If squares are large enough, blocked squares, excluded diagonals and fixed queens are drawn, too. With --instance,
    the argument may be left out: the instance is solved.

    Above 50,000 queens, the poster shows their density.
    """
    from fastqueens.pictures.posters import check_style
    from fastqueens.pictures.posters.paper import paper

    request = SimpleNamespace(**parameters)
    sheet: dict[str, Any] = {name: parameters[name] for name in ("size", "dpi", "orientation", "margin", "bleed")}
    instances.check_board_or_n(request)
    check_picture_file(request.output)
    check_style(request.style)
    paper(**sheet)
    title = None if request.title is None else request.title.replace("\\n", "\n")
    with progress_and_notes(session.display, quiet=request.quiet):
        queens, result, instance = instances.read_or_solve(session, request, trace=request.style == "infographic")
        look = {**sheet, "style": request.style, "title": title, "caption": request.caption, "instance": instance}
        draw_poster(session, request.output, queens, result, **look)
    if not request.quiet:
        if result is not None:
            verdict = "Solved" if result.solved else "Not solved"
            say(f"{verdict}: {counted(result.n, 'queen')}, seed {result.seed}.")
        say(wrote(request.output))
    return SOLVED if result is None or result.solved else NOT_SOLVED


def draw_poster(
    session: Session, path: str, queens: Queens, result: Result | None, *, dpi: int = 300, **look: Any
) -> None:
    """Draw a poster, with facts from the result if there is one, and write it.

    ``look`` goes to :func:`fastqueens.pictures.posters.poster`.
    """
    from fastqueens.pictures.posters import poster
    from fastqueens.pictures.posters.paper import paper
    from fastqueens.pictures.saving import check_picture_suffix, save_picture

    facts: dict[str, Any] = (
        {}
        if result is None
        else {
            "seed": result.seed,
            "steps": result.steps,
            "sweeps": result.sweeps,
            "trace": result.trace,
            "instance": result.instance,
        }
    )
    is_vector = check_picture_suffix(path) in (".pdf", ".svg")
    picture = poster(queens, dpi=dpi, vector=is_vector, **{**facts, **look}, **session.callbacks)
    session.check_stop()
    session.display.report(f"writing {file_label(path)}")
    save_picture(picture, path, dpi=dpi, bleed=paper(bleed=look.get("bleed", 0.0)).bleed)
