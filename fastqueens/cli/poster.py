"""The command ``poster``: a board for printing."""

from __future__ import annotations

from click import Choice

import fastqueens
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import BoardOrN, ConstraintOptions, Group, command, option, output, utf8
from fastqueens.cli.session import ExitCode, Session
from fastqueens.pictures.palettes import PALETTES, STYLES
from fastqueens.pictures.paper import ORIENTATIONS, PAPERS


class _Look(Group):
    style: str = option("--style STYLE", "weave (default), night or plain.", Choice(STYLES), default="weave")
    palette: str | None = option(
        "--palette COLORS",
        f"{', '.join(PALETTES)}, or your own colours for the paper and one or two inks: white,navy,#f25f3a.",
        complete=PALETTES,
    )
    title: str | None = option("--title TEXT", 'Heading, with "\\n" for a new line. Default: number of queens.', utf8)


class _Paper(Group):
    size: str = option(
        "--size SIZE",
        "A6 to A0, letter, legal, tabloid, or width x height with a unit (mm, cm, in): 24x36in.",
        default="A1",
        complete=PAPERS,
    )
    orientation: str | None = option("--orientation ORIENTATION", "portrait or landscape.", Choice(ORIENTATIONS))
    dpi: int = option("--dpi DPI", "Pixels per inch.", default="300")
    bleed: str = option("--bleed LENGTH", "Extra margin that is printed and cut off, usually 3mm.", default="0mm")


class _Output(Group):
    path: str = output("Write the poster to this file (.png .jpg .webp, or .pdf .svg as vector graphics).")
    threads: int | None = options.threads
    quiet: bool = options.quiet


@command(
    "fastqueens poster 1000 --seed 1 -o poster.png\nfastqueens poster board.npy --palette night --size 50x70cm -o p.pdf"
)
def poster(
    session: Session, board: BoardOrN, constraints: ConstraintOptions, look: _Look, paper: _Paper, output: _Output
) -> int:
    """Draw a board as a poster for printing.

    The board comes from a file (- for stdin), or it is solved for N queens or for --instance. Boards that are solved
    for N between 10,000 and 10 million, without constraints, are shuffled as with --mix.

    The style weave draws the two diagonals of each queen as threads in two inks. In a solution, no two queens share a
    thread. The style night draws queens as lights, and plain draws them on squares. Above 100,000 queens, both show
    the density instead. Attacks are red. Blocked squares, excluded diagonals and fixed queens are drawn if the squares
    are large enough.
    """
    from fastqueens.pictures.posters import check_format, checked_look

    title = None if look.title is None else look.title.replace("\\n", "\n")
    drawn = {**look.values, **paper.values, "title": title}
    # This check comes before the board is solved, which can take long.
    check_format(output.path, checked_look(**drawn).paper)
    queens, result, instance = inputs.read_or_solve(session, board, constraints, output.threads)
    made = fastqueens.poster(queens if result is None else result, instance=instance, **drawn, **session.callbacks)
    draw_poster(session, output.path, made)
    if result is not None:
        verdict = "Solved" if result.solved else "Not solved"
        mixed = f", mixed for {counted(result.sweeps, 'sweep')}" if result.sweeps else ""
        session.say(f"{verdict}: {counted(result.n, 'queen')}, seed {result.seed}{mixed}.")
    session.wrote(output.path)
    return ExitCode.SOLVED if result is None or result.solved else ExitCode.NOT_SOLVED


def draw_poster(session: Session, path: str, poster: fastqueens.Poster) -> None:
    """Draw a poster, and write it."""
    from fastqueens.pictures.saving import save_picture

    session.progress("drawing")
    drawn = poster.drawn(path)
    session.writing(path)
    save_picture(drawn, path, title=poster.title)
