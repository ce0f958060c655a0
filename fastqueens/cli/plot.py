"""The command ``plot``: curves of the conflicts in a search."""

from __future__ import annotations

import os

import click
from click import Choice

from fastqueens._run.arguments import AXES
from fastqueens._run.text import counted
from fastqueens.cli import options
from fastqueens.cli.options import INPUT, Group, argument, command, option, output, utf8
from fastqueens.cli.session import Session


class _Picture(Group):
    what: str | None = option(
        "--what WHAT",
        "Curves to draw: conflicting, pairs or both. Default: both for one trace, pairs for several.",
        Choice(("both", "conflicting", "pairs")),
    )
    scale: str = option("--scale SCALE", "Scale of axes: auto (default), linear or log.", Choice(AXES), default="auto")
    title: str | None = option("--title TEXT", "Text above a picture that is at least 3.5 inches wide.", utf8)
    size: tuple[float, float] | None = options.size
    theme: str = options.theme


class _Output(Group):
    traces: tuple[str, ...] = argument("TRACE...", INPUT, required=True)
    path: str = output("Write the picture to this file (.png .pdf .svg .jpg .webp).")
    dpi: float | None = option("--dpi DPI", "Dots per inch. Default: 150.")
    quiet: bool = options.quiet


@command("fastqueens plot trace.csv -o curves.png\nfastqueens plot first.npz second.npz --what pairs -o curves.pdf")
def plot(session: Session, picture: _Picture, output: _Output) -> None:
    """Plot the numbers of conflicting queens and attacking pairs after each step of a search.

    `fastqueens solve --trace` writes the traces. Several traces share one picture. If there are more than six, the
    curves are faint, and their median is drawn on top. Ticks mark restarts.
    """
    from fastqueens.files.traces import read_trace_and_header
    from fastqueens.pictures.curves import SIZE, Run, conflict_curves
    from fastqueens.pictures.figure import check_title
    from fastqueens.pictures.saving import check_figure

    check_figure(output.path, output.dpi, picture.size or SIZE)
    if picture.title is not None:
        check_title(picture.title)
    if "-" in output.traces:
        raise click.UsageError("a trace cannot be read from standard input; name a .csv or .npz file")
    runs = []
    for path in output.traces:
        session.reading(path)
        trace, restarts, header = read_trace_and_header(path)
        label = os.path.splitext(click.format_filename(path, shorten=True))[0]
        runs.append(Run(trace, restarts, label, header.n, header.seed, header.start))
    steps = sum(len(run.trace.pairs) - 1 - len(run.restarts) for run in runs)
    details = f"{counted(steps, 'step')} of {counted(len(runs), 'run')}"
    session.draw(lambda: conflict_curves(runs, **picture.values), output.path, dpi=output.dpi, details=details)
