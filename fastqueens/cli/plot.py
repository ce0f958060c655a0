"""``fastqueens plot``: draws conflict curves from traces; ``solve --plot`` uses it too."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label, say, wrote
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.pictures.curves import Drawable, Run

#: The same as ``fastqueens.pictures.curves.WHAT``, which cannot be imported without NumPy.
WHAT = ("both", "conflicting", "pairs")


@click.command(
    short_help="Draw the conflict curves of traces.",
    epilog="\b\nExample:\n  fastqueens solve 1000 --start random --trace t.csv\n  fastqueens plot t.csv -o curves.png",
)
@click.argument("traces", metavar="TRACE...", nargs=-1, required=True, type=options.FILE)
@click.option(
    "-o",
    "--output",
    type=options.NeededFile("curves.png"),
    required=True,
    metavar="FILE",
    help="Write the picture: .png .pdf .svg .jpg .webp.",
)
@click.option(
    "--what",
    type=click.Choice(WHAT),
    default="both",
    show_default=True,
    help="Conflicting queens, attacking pairs, or both.",
)
@click.option("--title", metavar="TEXT", type=options.utf8_text, help="Text above the curves.")
@click.option(
    "--size",
    metavar="WxH",
    type=options.size(float, "inches", "8x4.5"),
    help="Size in inches. Default: 8x4.5, or 8x7 for both curves of several traces.",
)
@options.decimal("--dpi", metavar="DPI", help="Dots per inch. Default: 150.")
@options.quiet
@click.pass_obj
def plot(session: Session, /, traces: Sequence[str], output: str, dpi: float | None, quiet: bool, **look: Any) -> None:
    """Draw the number of conflicting queens and attacking pairs after each step, from files of `solve --trace`.

    Several traces are drawn in the same picture. An axis is logarithmic if its range is wide. Bands mark plateaus,
    where the number of attacking pairs stays the same; ticks mark restarts.
    """
    check_picture_file(output)
    with progress_and_notes(session.display, quiet=quiet):
        runs = []
        for trace in traces:
            session.display.report(f"reading {file_label(trace)}")
            runs.append(_run(trace))
            session.check_stop()
        draw(session, runs, output, dpi=dpi, **look)
    if not quiet:
        steps = sum(len(run.trace.pairs) - 1 - len(run.restarts) for run in runs)
        say(wrote(output, f"{counted(steps, 'step')} of {counted(len(runs), 'run')}"))


def check_picture_file(path: str) -> None:
    """Raise an error if a picture cannot be written to this path."""
    from fastqueens.pictures.saving import PICTURE_FORMATS

    options.check_output(path, PICTURE_FORMATS)


def draw(
    session: Session, runs: Drawable | Sequence[Drawable], path: str, *, dpi: float | None = None, **look: Any
) -> None:
    """Draw curves and write them; ``look`` goes to :func:`fastqueens.conflict_curves`."""
    session.display.report("drawing")
    from fastqueens.pictures.curves import conflict_curves
    from fastqueens.pictures.saving import save_picture

    figure = conflict_curves(runs, **look)
    session.check_stop()
    session.display.report(f"writing {file_label(path)}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        save_picture(figure, path, dpi=dpi)
    if any(str(warning.message).startswith("Glyph") for warning in caught):
        session.display.clear()
        say("Some letters are drawn as boxes, because the font DejaVu Sans does not have them.", err=True)


def _run(path: str) -> Run:
    from fastqueens.core.errors import InputError
    from fastqueens.files.traces import read_trace_and_header
    from fastqueens.pictures.curves import Run

    try:
        trace, restarts, header = read_trace_and_header(path)
    except InputError:
        if not _is_board(path):
            raise
        raise InputError(
            f"{path}: this is a board, and a trace of a search is needed; fastqueens solve 1000 --trace trace.csv "
            "writes one"
        ) from None
    return Run(trace, restarts, click.format_filename(path, shorten=True), *header)


def _is_board(path: str) -> bool:
    """Tell whether a file that is no trace is a board."""
    from fastqueens.core.errors import InputError
    from fastqueens.files.boards import read_board

    try:
        read_board(path)
    except (InputError, MemoryError):
        return False
    return True
