"""The command ``show``: drawings of boards, of instances and of the costs of moves."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import click

import fastqueens
from fastqueens._run.arguments import PICTURE_STYLES, check_integer
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import (
    INPUT,
    ConstraintOptions,
    Group,
    argument,
    command,
    given,
    option,
    output,
    refuse,
)
from fastqueens.cli.output import file_label
from fastqueens.cli.session import Session

if TYPE_CHECKING:
    from fastqueens.board import Queens

#: The most boards of a file that are drawn in a terminal.
_MOST_SHOWN = 10

#: Advice for a board that is too wide for the terminal.
_PICTURE = "Open it in the browser with fastqueens explore, or draw a picture with -o FILE.png."

#: The most best moves that are listed.
_MOST_NAMED = 5


class _Board(Group):
    file: str | None = argument("[FILE]", INPUT)
    rows: str | None = options.rows
    pick: int | None = option("--pick NUMBER", "Draw only this board of several. The first board is 1.")
    rows_from: int = options.rows_from
    origin: str = options.origin
    move_costs: bool = option(
        "--move-costs",
        "Show on each square the attacking pairs after its column's queen moves there. Q: queen, *: best move.",
    )


class _Output(Group):
    path: str | None = output(
        "Draw the weave in this file (.png .pdf .svg .jpg .webp): the diagonals of each queen as threads, on squares "
        "with crowns up to 30 queens."
    )
    style: str = option(
        "--style STYLE",
        "weave (default), dots or density.",
        click.Choice(PICTURE_STYLES),
        default="weave",
    )
    size: tuple[float, float] | None = options.size
    theme: str = options.theme
    threads: int | None = options.threads
    quiet: bool = options.quiet


@command("fastqueens show board.txt --move-costs\nfastqueens show board.txt -o board.png")
def show(session: Session, board: _Board, constraints: ConstraintOptions, output: _Output) -> None:
    """Draw the board in FILE (- for stdin) as text or as a picture, and count its conflicts.

    The drawing also shows the constraints that are given by options, and a line below it explains the marks. Without
    FILE, only the constraints are drawn. If FILE holds several boards, a terminal shows the first 10.
    """
    if output.path is None:
        refuse("{} applies to a picture; add -o FILE", "style", "size", "theme")
    elif output.size is not None:
        inputs.check_plot(output.path, output.size)
    if board.file is None and board.rows is None:
        if not given(*ConstraintOptions.fields()):
            raise click.UsageError("missing argument 'FILE'; give a file, a --board or an --instance FILE")
        refuse("{} needs a board; give FILE or --board", "pick", "move_costs", "style")
        instance = inputs.instance_of(session, None, constraints)
        assert instance is not None
        _show(session, None, instance, output)
        asked = f", with {instance.constraints}" if instance.constraints else ""
        session.say(f"n = {instance.n:,}{asked}.")
        return
    if board.move_costs:
        refuse("--move-costs and {} cannot be combined", "style", *ConstraintOptions.fields())
    boards = inputs.read_boards(session, board.file, board.rows).queens
    count = len(boards)
    if board.pick is not None:
        boards = boards[check_integer(board.pick, "pick", 1, count) - 1 :][:1]
    if output.path is not None and len(boards) > 1:
        label = file_label(board.file)
        raise click.UsageError(f"{label} holds {counted(count, 'board')}; choose one with --pick NUMBER")
    instance = inputs.instance_of(session, boards.shape[1], constraints)
    shown = boards if session.width is None else boards[:_MOST_SHOWN]
    for at, queens in enumerate(shown, 1):
        if len(boards) > 1:
            session.say(*[""] * (at > 1), click.style(f"Board {at} of {count}", bold=True))
        if board.move_costs:
            _show_costs(session, queens, output)
        else:
            _show(session, queens, instance, output)
        _count_conflicts(session, queens, output.threads)
        if instance is not None:
            from fastqueens.checking import violations

            verdict = violations(queens, instance).words or session.painted("all respected", "solved")
            session.say(f"The instance has {instance.constraints or 'no constraints'}: {verdict}.")
    if len(shown) < len(boards):
        rest = counted(len(boards) - len(shown), "more board")
        session.say(f"\n{rest} not shown; choose a board with --pick NUMBER.")


def _show(session: Session, queens: Queens | None, instance: fastqueens.Instance | None, output: _Output) -> None:
    """Draw a board, or an instance without queens, as text or as a picture."""
    if output.path is None:
        session.result(session.drawing(queens, instance, _PICTURE, attacks=True))
    elif queens is not None:
        look = partial(fastqueens.picture, style=output.style, size=output.size, theme=output.theme)
        draw = partial(look, queens, instance=instance, **session.numbering, **session.callbacks)
        session.draw(draw, output.path)
    elif instance is not None:
        from fastqueens.pictures.boards import instance_picture

        look = partial(instance_picture, size=output.size, theme=output.theme)
        session.draw(partial(look, instance, **session.numbering), output.path)


def _count_conflicts(session: Session, queens: Queens, threads: int | None) -> None:
    """Print the numbers of queens, attacking pairs and conflicting queens."""
    # For a billion queens, this check takes seconds, whereas counting takes minutes.
    is_solved = fastqueens.is_solution(queens, threads=threads, **session.callbacks)
    figures = {"queen": len(queens), "attacking pair": 0, "conflicting queen": 0}
    if not is_solved:
        figures["attacking pair"] = fastqueens.attacking_pairs(queens, threads=threads, **session.callbacks)
        figures["conflicting queen"] = fastqueens.conflicting_queens(queens, threads=threads, **session.callbacks)
    session.say(", ".join(counted(number, noun) for noun, number in figures.items()) + ".")


def _show_costs(session: Session, queens: Queens, output: _Output) -> None:
    """Draw the cost of each move, with queens in bold and the best moves in green, and list the best moves."""
    from fastqueens.classroom.moves import best_moves
    from fastqueens.pictures.ascii import draw_move_costs, move_costs_width
    from fastqueens.pictures.boards import move_costs_picture

    session.progress("costs of moves")
    costs = fastqueens.move_costs(queens)
    best = best_moves(queens, costs)
    reason = session.no_room(move_costs_width(costs), _PICTURE)
    if output.path is not None:
        look = partial(move_costs_picture, size=output.size, theme=output.theme)
        session.draw(partial(look, queens, costs, best, **session.numbering), output.path)
    elif reason:
        session.result(reason)
    else:
        text = draw_move_costs(costs, queens, best, session.origin)
        text = re.sub(r"\d+Q", lambda found: click.style(found[0], bold=True), text)
        session.result(re.sub(r"\d+\*", lambda found: session.painted(found[0], "solved"), text))
    if not len(best):
        session.say("No move is possible because the board has only one row.")
        return
    column, row = best[0]
    least = costs[row, column]
    stuck = "Every move adds attacking pairs. " if least > costs[queens[column], column] else ""
    named = [f"column {column} to row {row + session.rows_from}" for column, row in best[:_MOST_NAMED]]
    more = f" and {len(best) - _MOST_NAMED:,} more" if len(best) > _MOST_NAMED else ""
    pairs = counted(int(least), "attacking pair")
    lead = "leads" if len(best) == 1 else "lead"
    session.say(f"{stuck}{counted(len(best), 'best move')}, which {lead} to {pairs}: {', '.join(named)}{more}.")
