"""``fastqueens animate``: a climb on a small board as a GIF or a WebP."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import Session
from fastqueens.cli.wording import count, file_label

if TYPE_CHECKING:
    from fastqueens.classroom.climbing import Climb
    from fastqueens.pictures.animation import Animation

#: The same as ``fastqueens.classroom.rules.RULES``, which cannot be imported without numba.
RULES = ("steepest", "sideways", "annealing", "min-conflicts")


@click.command(
    short_help="Show a climb on a small board as a moving picture.",
    epilog="\b\nExample:\n  fastqueens animate 8 --rule sideways --seed 1 -o climb.gif",
)
@click.argument("n", required=False, callback=options.whole_number)
@boards.file_option
@boards.board_option
@options.rows_from
@click.option("--rule", type=click.Choice(RULES), default="min-conflicts", show_default=True, help="How it climbs.")
@click.option(
    "--seed", metavar="SEED", callback=options.whole_number, help="Repeats a climb. One is drawn if none is given."
)
@click.option(
    "--restarts",
    metavar="TIMES",
    callback=options.whole_number,
    help="How often it may begin again with a new board where it is stuck. Not given: min-conflicts until solved, the "
    "other rules never, and never where you gave the board.",
)
@click.option(
    "-o", "--output", type=click.Path(), required=True, metavar="FILE", help="Where to write it: .gif or .webp."
)
@click.option(
    "--size",
    metavar="WxH",
    callback=options.size(int, "pixels", "960x540"),
    default="960x540",
    show_default=True,
    help="In pixels.",
)
@click.option(
    "--seconds",
    type=float,
    metavar="SECONDS",
    default=12,
    show_default=True,
    help="How long it may play. With very many steps only some are shown.",
)
@click.option(
    "--title",
    metavar="TEXT",
    callback=options.letters,
    help="What stands beside the board; the name of the rule if not given.",
)
@options.quiet
@options.origin
@click.pass_obj
def animate(session: Session, /, **given: Any) -> None:
    """Climb from a random board of N queens (8 if nothing is given, at most 40) and show every move.

    The cost, the number of attacking pairs, is drawn as a curve beside the board.
    """
    request = _Request(**given)
    _check(request)
    with commented(session.display, quiet=request.quiet):
        climb = _climb(request, session)
        session.display.report(f"drawing {file_label(request.output)}")
        animation = _write(climb, request)
    if not request.quiet:
        for line in _summary(climb, animation, request.output):
            click.echo(line)


@dataclass(frozen=True)
class _Request:
    """The options as given."""

    n: int | None
    file: str | None
    board: str | None
    rows_from: int
    rule: str
    seed: int | None
    restarts: int | None
    output: str
    size: tuple[int, int]
    seconds: float
    title: str | None
    quiet: bool
    origin: str


def _check(request: _Request) -> None:
    """Find out before the climb what cannot be drawn or written after it."""
    boards.check_one_board(request.file, request.board)
    from fastqueens.pictures.animation import check_animation, check_animation_suffix
    from fastqueens.wholefile import check_target

    check_animation_suffix(request.output)
    check_target(request.output)
    check_animation(request.n or 1, request.size, request.seconds)


def _climb(request: _Request, session: Session) -> Climb:
    from fastqueens.classroom.climbing import climb
    from fastqueens.classroom.rules import Limits
    from fastqueens.pictures.animation import check_animation

    board = boards.given_board(session, request.file, request.board, request.rows_from)
    if board is not None:
        check_animation(len(board))
    n = boards.QUEENS_IF_NOTHING_IS_GIVEN if request.n is None and board is None else request.n
    is_until_solved = request.restarts is None and request.rule == "min-conflicts" and board is None
    return climb(
        n,
        board=board,
        rule=request.rule,
        limits=Limits(restarts=None if is_until_solved else request.restarts or 0),
        seed=request.seed,
        **session.hooks,
    )


def _write(climb: Climb, request: _Request) -> Animation:
    from fastqueens.pictures.animation import animate_climb, write_animation

    animation = animate_climb(
        climb, size=request.size, seconds=request.seconds, origin=request.origin, title=request.title
    )
    write_animation(request.output, animation)
    return animation


def _summary(climb: Climb, animation: Animation, path: str) -> list[str]:
    restarts = f" and {count(len(climb.restarts), 'restart')}" if climb.restarts else ""
    verdict = "solved" if climb.solved else f"{count(climb.cost, 'attacking pair')} left"
    width, height = animation.size
    kilobytes = os.path.getsize(path) / 1000
    return [
        f"{count(climb.n, 'queen')} by {climb.rule}, seed {climb.seed}: {verdict} after {count(climb.steps, 'step')}"
        f"{restarts}.",
        f"Wrote {file_label(path)}: {animation.seconds:.1f} s, {count(len(animation.frames), 'frame')} of {width} x "
        f"{height} pixels, {kilobytes:,.0f} kB.",
    ]
