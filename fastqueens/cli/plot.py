"""``fastqueens plot``: conflict curves from trace files; and what ``solve --plot`` does after its board."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import Session
from fastqueens.cli.wording import count, file_label

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
    required=True,
    type=options.FILE,
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
@click.option("--title", metavar="TEXT", callback=options.letters, help="What stands above the curves.")
@click.option(
    "--size",
    metavar="WxH",
    callback=options.size(float, "inches", "8x4.5"),
    help="Inches. 8x4.5 if not given, 8x7 for both curves of several traces.",
)
@click.option("--dpi", type=float, metavar="DPI", help="Dots an inch. 150 if not given.")
@options.quiet
@click.pass_obj
def plot(
    session: Session,
    traces: Sequence[str],
    output: str,
    what: str,
    title: str | None,
    size: tuple[float, float] | None,
    dpi: float | None,
    quiet: bool,
) -> None:
    """Draw conflicting queens and attacking pairs against steps, from files that `solve --trace` wrote.

    Several traces are drawn over each other. Axes are logarithmic where the range asks for it, a band marks a plateau,
    a tick a restart.
    """
    check_picture_file(output)
    with commented(session.display, quiet=quiet):
        runs = []
        for trace in traces:
            session.display.report(f"reading {file_label(trace)}")
            runs.append(_run(trace))
            session.check_stop()
        draw(session, runs, output, what=what, title=title, size=size, dpi=dpi)
    if not quiet:
        steps = sum(len(run.trace.pairs) - 1 - len(run.restarts) for run in runs)
        click.echo(f"Drew {count(steps, 'step')} of {count(len(runs), 'run')}: {click.format_filename(output)}")


def check_picture_file(path: str) -> str:
    """Find out before the work whether a picture can be written here; its suffix."""
    from fastqueens.pictures.saving import check_picture_suffix
    from fastqueens.wholefile import check_target

    suffix = check_picture_suffix(path)
    check_target(path)
    return suffix


def draw(
    session: Session,
    runs: Drawable | Sequence[Drawable],
    path: str,
    *,
    what: str = "both",
    title: str | None = None,
    size: tuple[float, float] | None = None,
    dpi: float | None = None,
) -> None:
    """Draw curves and write them."""
    session.display.report("drawing")
    from fastqueens.pictures.curves import conflict_curves
    from fastqueens.pictures.saving import save_picture

    figure = conflict_curves(runs, what=what, title=title, size=size)
    session.check_stop()
    session.display.report(f"writing {file_label(path)}")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        save_picture(figure, path, dpi=dpi)
    if any(str(warning.message).startswith("Glyph") for warning in said):
        session.display.clear()
        click.echo("Some letters are drawn as boxes: the font, DejaVu Sans, has no shape for them.", err=True)


def _run(path: str) -> Run:
    from fastqueens.pictures.curves import Run
    from fastqueens.tracefile import read_trace_and_header

    trace, restarts, header = read_trace_and_header(path)
    return Run(trace, restarts, click.format_filename(path, shorten=True), *header)
