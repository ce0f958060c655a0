"""``fastqueens animate``: a climb on a small board as a GIF or WebP animation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, instances, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label, say, wrote
from fastqueens.core.arguments import RULES
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.classroom.climbing import Climb
    from fastqueens.core.instance import Instance
    from fastqueens.pictures.animation import Animation


@click.command(
    cls=boards.CommandOfN,
    short_help="Animate hill climbing on a small board.",
    epilog="\b\nExample:\n  fastqueens animate 8 --rule sideways --seed 1 -o climb.gif",
)
@boards.n_argument
@boards.file_option
@boards.board_option
@instances.instance_options
@options.rows_from
@click.option(
    "--rule",
    type=click.Choice(list(RULES)),
    default="min-conflicts",
    show_default=True,
    help="Rule that chooses the moves.",
)
@options.number("--seed", metavar="SEED", help="Seed; the same seed repeats the run. Default: a random seed.")
@options.number(
    "--restarts",
    metavar="TIMES",
    help="How often a stuck run may restart from a new random board. Default: 0; no limit for min-conflicts without "
    "--file and --board.",
)
@click.option(
    "-o",
    "--output",
    type=options.NeededFile("climb.gif"),
    required=True,
    metavar="FILE",
    help="Write the animation: .gif or .webp.",
)
@click.option(
    "--size",
    metavar="WxH",
    type=options.size(int, "pixels", "960x540"),
    default="960x540",
    show_default=True,
    help="Size in pixels.",
)
@options.decimal(
    "--seconds",
    metavar="SECONDS",
    default="12",
    show_default=True,
    help="Maximum duration. If there are too many steps for it, only some are shown.",
)
@click.option(
    "--title", metavar="TEXT", type=options.utf8_text, help="Text next to the board. Default: the name of the rule."
)
@options.quiet
@options.origin
@click.pass_obj
def animate(session: Session, /, **parameters: Any) -> None:
    """Animate hill climbing from a random board of N queens (default: 8, at most 40), or from your own board.

    A curve next to the board shows the number of attacking pairs. An instance is drawn under the
    queens, but hill climbing does not respect it.
    """
    request = SimpleNamespace(**parameters)
    _check(request)
    with progress_and_notes(session.display, quiet=request.quiet):
        climb, instance = _climb(request, session)
        session.display.report(f"drawing {file_label(request.output)}")
        animation = _write(climb, instance, request)
    if not request.quiet:
        for line in _summary(climb, instance, animation, request.output):
            say(line)


def _check(request: SimpleNamespace) -> None:
    """Raise an error before the climb if its animation cannot be drawn or written."""
    boards.check_one_board(request)
    instances.check_instance_options(request, {"--file": request.file})
    from fastqueens.files.atomic import check_target
    from fastqueens.pictures.animation import check_animation, check_animation_suffix

    check_animation_suffix(request.output)
    check_target(request.output)
    check_animation(request.n or 1, request.size, request.seconds)


def _climb(request: SimpleNamespace, session: Session) -> tuple[Climb, Instance | None]:
    """Return a climb, and the instance to draw under it, which may say how large the board is."""
    from fastqueens.classroom.climbing import climb
    from fastqueens.classroom.rules import Limits
    from fastqueens.pictures.animation import check_animation

    n, board = boards.starting_board(session, request)
    is_n_stated = request.n is not None or board is not None or request.instance is None
    instance = instances.instance_of(session, n if is_n_stated else None, request)
    if instance is not None:
        n = instance.n
    check_animation(n)
    is_until_solved = request.restarts is None and request.rule == "min-conflicts" and board is None
    made = climb(
        n,
        board=board,
        rule=request.rule,
        limits=Limits(restarts=None if is_until_solved else request.restarts or 0),
        seed=request.seed,
        **session.callbacks,
    )
    return made, instance


def _write(climb: Climb, instance: Instance | None, request: SimpleNamespace) -> Animation:
    from fastqueens.pictures.animation import animate_climb, write_animation

    animation = animate_climb(
        climb,
        instance=instance,
        size=request.size,
        seconds=request.seconds,
        origin=request.origin,
        title=request.title,
    )
    write_animation(request.output, animation)
    return animation


def _summary(climb: Climb, instance: Instance | None, animation: Animation, path: str) -> list[str]:
    restarts = f" and {counted(len(climb.restarts), 'restart')}" if climb.restarts else ""
    verdict = "solved" if climb.solved else f"{counted(climb.cost, 'attacking pair')} left"
    width, height = animation.size
    return [
        f"{counted(climb.n, 'queen')} by {climb.rule}, seed {climb.seed}: {verdict} after "
        f"{counted(climb.steps, 'step')}{restarts}.",
        *([] if instance is None or instance.is_free else [_violations(climb, instance)]),
        *([] if animation.stride == 1 else [_left_out(animation)]),
        wrote(
            path,
            f"{animation.seconds:.1f} s, {counted(len(animation.frames), 'frame')} of {width} x {height} pixels",
        ),
    ]


def _left_out(animation: Animation) -> str:
    """Return which steps are shown, as a sentence."""
    from fastqueens.pictures.animation.making import MOST_SECONDS

    more = f"; --seconds {MOST_SECONDS} shows more of them" if animation.seconds < MOST_SECONDS - 1 else ""
    return f"Only 1 in {animation.stride:,} steps is shown{more}."


def _violations(climb: Climb, instance: Instance) -> str:
    """Return how far the last board respects an instance, as a sentence."""
    from fastqueens.check.violations import violations

    words = violations(climb.queens, instance).words
    return f"Hill climbing does not respect the instance, and its last board has {words or 'no violation'}."
