"""The commands that draw files: ``plot`` conflict curves, ``poster`` a board, ``animate`` a climb."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import click

import fastqueens
from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.checking import violations
from fastqueens.cli import inputs
from fastqueens.cli.options import Stated
from fastqueens.cli.output import Output
from fastqueens.cli.process import NOT_SOLVED, SOLVED
from fastqueens.errors import InputError
from fastqueens.files.traces import read_trace_and_header
from fastqueens.pictures import animation as animations
from fastqueens.pictures.animation import Animation
from fastqueens.pictures.curves import Drawable, Run, conflict_curves
from fastqueens.pictures.figure import Picture
from fastqueens.pictures.paper import paper
from fastqueens.pictures.saving import check_picture_suffix, save_picture
from fastqueens.solver import sweeps_for


def plot(out: Output, *, traces: Sequence[str], output: str, dpi: float | None, **look: Any) -> None:
    """Draw conflict curves; ``look`` goes to what draws them."""
    inputs.check_picture(output)
    runs = []
    for trace in traces:
        out.reading(trace)
        runs.append(_run(trace))
    draw_curves(out, runs, output, dpi=dpi, **look)
    steps = sum(len(run.trace.pairs) - 1 - len(run.restarts) for run in runs)
    out.wrote(output, f"{counted(steps, 'step')} of {counted(len(runs), 'run')}")


def poster(
    out: Output,
    *,
    board: str | None,
    output: str,
    title: str | None,
    seed: int | None,
    mix: int | None,
    stated: Stated,
    threads: int | None,
    size: str,
    dpi: int,
    **look: Any,
) -> int:
    """Draw a board as a poster."""
    inputs.check_picture(output)
    # Before a board is solved.
    paper(size, dpi=dpi, **{name: look[name] for name in ("orientation", "margin", "bleed", "crop_marks")})
    if mix is None and Stated(rows_from=stated.rows_from) == stated:
        mix = sweeps_for(inputs.parse_n(board), None)
    queens, result, instance = inputs.read_or_solve(out, board, stated, seed=seed, mix=mix, threads=threads)
    look |= {"size": size, "instance": instance, "title": None if title is None else title.replace("\\n", "\n")}
    draw_poster(out, output, queens if result is None else result, dpi=dpi, **look)
    if result is not None:
        verdict = "Solved" if result.solved else "Not solved"
        mixed = f", mixed for {counted(result.sweeps, 'sweep')}" if result.sweeps else ""
        out.say(f"{verdict}: {counted(result.n, 'queen')}, seed {result.seed}{mixed}.")
    out.wrote(output)
    return SOLVED if result is None or result.solved else NOT_SOLVED


def animate(
    out: Output,
    *,
    n: int | None,
    file: str | None,
    board: str | None,
    stated: Stated,
    rule: str,
    seed: int | None,
    restarts: int | None,
    output: str,
    size: tuple[int, int],
    seconds: float,
    **look: Any,
) -> None:
    """Animate hill climbing."""
    inputs.check_output(output, animations.ANIMATION_FORMATS)
    animations.check_animation(n or 1, size, seconds)
    instance, start = inputs.task_given(out, n, file, board, stated)
    animation = fastqueens.animate(
        instance.n if start is None else start,
        rule=rule,
        seed=seed,
        restarts=restarts,
        instance=instance,
        size=size,
        seconds=seconds,
        output=output,
        **look,
        **out.callbacks,
    )
    out.say(*_summary(animation, instance))
    width, height = animation.size
    frames = f"{animation.seconds:.1f} s, {counted(len(animation.frames), 'frame')} of {width} x {height} pixels"
    out.wrote(output, frames)


def draw_curves(
    out: Output,
    runs: Drawable | Sequence[Drawable],
    path: str,
    *,
    dpi: float | None = None,
    scale: str | None = None,
    **look: Any,
) -> None:
    """Draw curves and write them; ``look`` goes to :func:`fastqueens.pictures.curves.conflict_curves`."""
    is_log = None if scale is None else scale == "log"
    out.progress("drawing")
    figure = conflict_curves(runs, log_steps=is_log, log_counts=is_log, **look)
    out.writing(path)
    save_picture(figure, path, dpi=dpi)


def draw_picture(out: Output, draw: Callable[[], Picture], path: str) -> None:
    """Draw a picture and write it."""
    out.progress("drawing")
    picture = draw()
    out.writing(path)
    save_picture(picture, path)
    out.wrote(path, err=True)


def draw_poster(out: Output, path: str, board: Queens | fastqueens.Result, *, dpi: int = 300, **look: Any) -> None:
    """Draw a board as a poster and write it; ``look`` goes to :func:`fastqueens.poster`."""
    is_vector = check_picture_suffix(path) in (".pdf", ".svg")
    # A time limit is one for the search.
    picture = fastqueens.poster(board, dpi=dpi, vector=is_vector, **look, progress=out.progress, stop=out.is_stopped)
    out.writing(path)
    save_picture(picture, path, dpi=dpi)


def _run(path: str) -> Run:
    try:
        trace, restarts, header = read_trace_and_header(path)
    except InputError:
        if not inputs.can_be_read(fastqueens.read_board, path):
            raise
        raise InputError(
            f"{path}: this is a board, and a trace of a search is needed; fastqueens solve 1000 --trace trace.csv "
            "writes one"
        ) from None
    return Run(trace, restarts, os.path.splitext(click.format_filename(path, shorten=True))[0], *header)


def _summary(animation: Animation, instance: fastqueens.Instance) -> list[str]:
    climb = animation.climb
    restarts = f" and {counted(len(climb.restarts), 'restart')}" if climb.restarts else ""
    verdict = "solved" if climb.solved else f"{counted(climb.cost, 'attacking pair')} left"
    lines = [
        f"{counted(climb.n, 'queen')} by {climb.rule}, seed {climb.seed}: {verdict} after "
        f"{counted(climb.steps, 'step')}{restarts}."
    ]
    if not instance.is_free:
        words = violations(climb.queens, instance).words or "no violation"
        lines.append(f"Hill climbing does not respect the instance, and its last board has {words}.")
    if animation.stride > 1:
        most = animations.MOST_SECONDS
        more = f"; --seconds {most} shows more of them" if animation.seconds < most - 1 else ""
        lines.append(f"Only 1 in {animation.stride:,} steps is shown{more}.")
    return lines
