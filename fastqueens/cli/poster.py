"""The command ``poster``: a board for printing."""

from __future__ import annotations

import click
from click import Choice

import fastqueens
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import BoardOrN, ConstraintOptions, Group, command, option, output, refuse, utf8
from fastqueens.cli.session import ExitCode, Session
from fastqueens.pictures.palettes import PALETTES, STYLES
from fastqueens.pictures.paper import ORIENTATIONS, PAPERS


class _Board(BoardOrN):
    all: bool = option("--all", "Draw all solutions of N queens, for N from 4 to 10.")


class _Look(Group):
    style: str = option("--style STYLE", "weave (default) or plain.", Choice(STYLES), default="weave")
    palette: str = option(
        "--palette COLORS",
        f"{', '.join(PALETTES)}, or colours (names or #rrggbb) of the paper and one or two inks: white,navy.",
        default="riso",
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
    "fastqueens poster 1000 --seed 1 -o poster.png\n"
    "fastqueens poster board.npy --palette night --size 50x70cm -o poster.pdf\n"
    "fastqueens poster --all 8 -o all.pdf"
)
def poster(
    session: Session, board: _Board, constraints: ConstraintOptions, look: _Look, paper: _Paper, output: _Output
) -> int:
    """Draw a board as a poster for printing.

    The board comes from a file (- for stdin), or it is solved for N queens or for --instance. Boards that are solved
    for N between 10,000 and 10 million, without constraints, are shuffled as with --mix.

    The style weave draws the two diagonals of each queen as threads in two inks. In a solution, no two queens share a
    thread. From 20,000 queens on, three lenses show them. The style plain draws at most 64 queens on squares. Attacks
    are red. Blocked squares, excluded diagonals and fixed queens are drawn if the squares are large enough.
    """
    from fastqueens.pictures.posters import check_format, checked_look

    title = None if look.title is None else look.title.replace("\\n", "\n")
    drawn = {**look.values, **paper.values, "title": title}
    # These checks come before the board is solved, which can take long.
    n = inputs.parse_n(board.source)
    check_format(output.path, checked_look(**drawn, n=n).paper)
    if board.all:
        constraints_given = constraints.fields()
        refuse("{} has no effect on a poster of all solutions", "mix", "seed", "threads", *constraints_given)
        if n is None:
            raise click.UsageError("--all draws the solutions of N queens: fastqueens poster --all 8 -o all.pdf")
        draw_poster(session, output.path, fastqueens.poster(n, all=True, **drawn, **session.callbacks))
        session.wrote(output.path)
        return ExitCode.SOLVED
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
    picture, about = poster.drawn(path)
    session.writing(path)
    save_picture(picture, path, title=poster.title, about=about)
