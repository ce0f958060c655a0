"""The commands that work on boards: ``verify`` checks them, ``show`` draws them, ``random`` makes one."""

from __future__ import annotations

from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

import fastqueens
from fastqueens.check.violations import violations
from fastqueens.cli import inputs
from fastqueens.cli.options import Stated
from fastqueens.cli.output import Output, drawing, file_label, in_bold, move_costs_drawing, with_legend
from fastqueens.cli.process import NOT_SOLVED, SOLVED
from fastqueens.core.arguments import check_integer, new_seed
from fastqueens.core.board import Queens
from fastqueens.core.errors import counted
from fastqueens.core.instance import Instance
from fastqueens.pictures.saving import save_picture

#: The kinds of constraints a board may break, and the beginning of the sentence about each.
_BROKEN = {"missing": "Missing", "blocked": "On a blocked square", "excluded": "On an excluded diagonal"}

_LEAST_DPI, _MOST_DPI = 20, 1200

#: Boards that a terminal shows.
_MOST_SHOWN = 10

#: How to see a board that is too wide.
_PICTURE = "draw a picture with -o FILE.png."

#: The cost of each move on a board, and the best moves.
_Moves = tuple[NDArray[np.int64], NDArray[np.int64]]

#: The number of best moves to name.
_MOST_NAMED = 5


class _Verdict(NamedTuple):
    """Whether a board is a solution; ``attack`` has the squares of the first pair, ``broken`` those by constraint."""

    queens: Queens
    pairs: int
    attack: list[tuple[int, int]]
    broken: dict[str, list[list[int]]]

    @property
    def is_right(self) -> bool:
        return not self.attack and not any(self.broken.values())

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON says."""
        verdict: dict[str, Any] = {"n": len(self.queens), "solved": self.is_right, "pairs": self.pairs}
        verdict["first_attack"] = self.attack or None
        for name, found in self.broken.items():
            verdict |= {f"{name}_queens": len(found), f"first_{name}": found[0] if found else None}
        return verdict


def verify(
    out: Output, *, file: str | None, board: str | None, stated: Stated, threads: int | None, verbose: bool
) -> int:
    """Check whether a board is a solution, or whether all boards of a file are."""
    boards, kind = inputs.boards_given(out, file, board, stated.rows_from)
    instance = inputs.instance_of(out, boards.shape[1], stated)
    if verbose:
        out.say(f"{file_label(file)} was taken for: {kind}.")
    if len(boards) > 1:
        return _verify_all(out, boards, instance, stated.rows_from, threads)
    verdict = _verdict(out, boards[0], instance, stated.rows_from, threads)
    if out.as_json:
        out.json(verdict.as_dict())
    out.say(_sentence(verdict))
    if instance is not None:
        out.say("\n".join(_constraint_sentences(instance, verdict.broken)))
    return SOLVED if verdict.is_right else NOT_SOLVED


def _verify_all(out: Output, boards: Queens, instance: Instance | None, rows_from: int, threads: int | None) -> int:
    """Check several boards; name those that are no solutions."""
    verdicts: list[dict[str, Any]] = []
    wrong = 0
    for number, queens in enumerate(boards, 1):
        out.check_stop()
        verdict = _verdict(out, queens, instance, rows_from, threads)
        if not verdict.is_right:
            wrong += 1
            out.say(f"Board {number}: {_summary(verdict, instance)}")
        if out.as_json:
            verdicts.append(verdict.as_dict())
        out.progress("boards", number, len(boards))
    if out.as_json:
        out.json(verdicts)
    what = f"boards of {counted(boards.shape[1], 'queen')}"
    if wrong:
        out.say(f"{click.style('Not solved', fg='red')}: {wrong:,} of {len(boards):,} {what}.")
    else:
        out.say(f"{click.style('Solved', fg='green')}: all {len(boards):,} {what}.")
    return NOT_SOLVED if wrong else SOLVED


def _summary(verdict: _Verdict, instance: Instance | None) -> str:
    """Return in one line why a board is no solution."""
    reasons = (
        [f"{counted(verdict.pairs, 'attacking pair')}; {_first_attack(verdict).lower()}"] if verdict.attack else []
    )
    if instance is not None and any(verdict.broken.values()):
        reasons += [click.unstyle(text) for text in _constraint_sentences(instance, verdict.broken)]
    return " ".join(reasons)


def _verdict(out: Output, queens: Queens, instance: Instance | None, rows_from: int, threads: int | None) -> _Verdict:
    """Check a board."""
    # The quick check first: first_attack uses one thread.
    is_solved = fastqueens.is_solution(queens, threads=threads, **out.callbacks)
    attack = None if is_solved else fastqueens.first_attack(queens, **out.callbacks)
    pairs = 0 if is_solved else fastqueens.attacking_pairs(queens, threads=threads, **out.callbacks)
    squares = [] if attack is None else [(column, int(queens[column]) + rows_from) for column in attack]
    broken = {name: [] for name in _BROKEN} if instance is None else _broken(queens, instance, rows_from)
    return _Verdict(queens, pairs, squares, broken)


def show(
    out: Output,
    *,
    file: str | None,
    board: str | None,
    pick: int | None,
    stated: Stated,
    dpi: int | None,
    output: str | None,
    **how: Any,
) -> None:
    """Draw boards and count their conflicts; ``how`` goes to what draws one."""
    if dpi is not None and not _LEAST_DPI <= dpi <= _MOST_DPI:
        raise click.ClickException(f"--dpi is {dpi}: it goes from {_LEAST_DPI} to {_MOST_DPI:,}")
    inputs.check_picture(output)
    if file is None and board is None:
        look = {name: how[name] for name in ("origin", "title", "theme")}
        _show_instance(out, stated, output, dpi, {**look, "rows_from": stated.rows_from})
        return
    boards, _ = inputs.boards_given(out, file, board, stated.rows_from)
    count = len(boards)
    if pick is not None:
        boards = boards[check_integer(pick, "pick", 1, count) - 1 :][:1]
    if output is not None and len(boards) > 1:
        raise click.UsageError(f"{file_label(file)} holds {counted(count, 'board')}: choose one with --pick K.")
    instance = inputs.instance_of(out, boards.shape[1], stated)
    shown = boards if out.width is None else boards[:_MOST_SHOWN]
    for number, queens in enumerate(shown, 1):
        out.check_stop()
        if len(boards) > 1:
            out.say(*[""] * (number > 1), click.style(f"Board {number} of {count}", bold=True))
        _show_board(out, queens, file, instance, stated.rows_from, output=output, dpi=dpi, **how)
    if len(shown) < len(boards):
        out.say(f"\n{counted(len(boards) - len(shown), 'more board')}; --pick K shows board K.")


def _show_board(
    out: Output,
    queens: Queens,
    file: str | None,
    instance: Instance | None,
    rows_from: int,
    *,
    move_costs: bool,
    output: str | None,
    mark: tuple[int, ...],
    dpi: int | None,
    threads: int | None,
    **look: Any,
) -> None:
    """Draw a board and count its conflicts."""
    look["rows_from"] = rows_from
    origin = look["origin"]
    if output is not None:
        from fastqueens.pictures import boards

        out.progress(f"drawing {file_label(output)}")
        if move_costs:
            picture = boards.move_costs_picture(queens, **look)
        else:
            picture = boards.picture(queens, instance=instance, marked=mark, **look, **out.callbacks)
        save_picture(picture, output, dpi=dpi or picture.dpi)
    moves = _moves(out, queens) if move_costs else None
    pairs, conflicting = _conflicts(out, queens, threads)
    if output is None:
        label = file_label(file) if file not in (None, "-") else "FILE"
        way = f"To see it, run fastqueens explore {label} to open it in the browser, or {_PICTURE}"
        if moves is None:
            out.result(out.no_room(2 * len(queens) - 1, way) or with_legend(drawing(queens, origin, instance)))
        else:
            out.result(_moves_text(out, queens, moves, origin))
    out.wrote(output)
    figures = {"queen": len(queens), "attacking pair": pairs, "conflicting queen": conflicting}
    out.say(", ".join(counted(number, noun) for noun, number in figures.items()) + ".")
    if instance is not None:
        out.say(_instance_sentence(queens, instance))
    if moves is not None:
        out.say(_best_moves_sentence(queens, moves, rows_from))


def random(
    out: Output,
    *,
    n: int | None,
    seed: int | None,
    output: str | None,
    rows_from: int,
    origin: str,
    threads: int | None,
) -> None:
    """Make a random board."""
    inputs.check_board_output(output)
    n = inputs.n_or_default(n)
    seed = new_seed() if seed is None else seed
    queens = fastqueens.random_board(n, seed, **out.callbacks)
    inputs.write_board(out, output, queens, rows_from)
    if out.quiet:
        return
    pairs = fastqueens.attacking_pairs(queens, threads=threads, **out.callbacks)
    out.has_data_on_stdout = output == "-"
    if n < inputs.DRAWN_BELOW and output != "-":
        out.say(f"\n{out.no_room(2 * n - 1, 'With -o FILE, it is written.') or drawing(queens, origin)}\n")
    out.say(f"{counted(n, 'queen')} on random rows, seed {seed}: {counted(pairs, 'attacking pair')}.")
    out.wrote(output)


def _broken(queens: Queens, instance: Instance, rows_from: int) -> dict[str, list[list[int]]]:
    """Return the squares of the queens that break each kind of constraint; of missing ones, where they belong."""
    found = violations(queens, instance)
    fixed = instance.fixed.squares
    squares = {name: np.column_stack((columns, queens[columns])) for name, columns in found._asdict().items()}
    squares["missing"] = fixed[np.isin(fixed[:, 0], found.missing)]
    return {name: [[column, row + rows_from] for column, row in listed.tolist()] for name, listed in squares.items()}


def _constraint_sentences(instance: Instance, broken: dict[str, list[list[int]]]) -> list[str]:
    """Return a sentence for each kind of constraint that is broken, or one for all if none is."""
    if not any(broken.values()):
        return [f"It respects {instance.constraints}."]
    sentences = []
    for name, squares in broken.items():
        if squares:
            of_fixed = f"{len(squares):,} of {counted(len(instance.fixed), 'fixed queen')}"
            broken_by = of_fixed if name == "missing" else counted(len(squares), "queen")
            place = f"{'' if len(squares) == 1 else 'the first '}in column {squares[0][0]}, row {squares[0][1]}"
            sentences.append(f"{click.style(_BROKEN[name], fg='red')}: {broken_by}, {place}.")
    return sentences


def _sentence(verdict: _Verdict) -> str:
    board = counted(len(verdict.queens), "queen")
    if verdict.is_right:
        return f"{click.style('Solved', fg='green')}: {board}, and no two of them share a row or a diagonal."
    if not verdict.attack:
        return f"{click.style('Not solved', fg='red')}: {board}; no two of them share a row or a diagonal."
    return (
        f"{click.style('Not solved', fg='red')}: {board} with {counted(verdict.pairs, 'attacking pair')}.\n"
        f"{_first_attack(verdict)}"
    )


def _first_attack(verdict: _Verdict) -> str:
    (left, row), (right, other_row) = verdict.attack
    line = "row" if row == other_row else "diagonal"
    first = "They are" if verdict.pairs == 1 else "The first are"
    return f"{first} column {left}, row {row} and column {right}, row {other_row}, on one {line}."


def _show_instance(out: Output, stated: Stated, output: str | None, dpi: int | None, look: dict[str, Any]) -> None:
    """Draw an instance without a solution."""
    instance = inputs.instance_of(out, None, stated)
    assert instance is not None
    if output is None:
        from fastqueens.pictures.text import draw_instance

        reason = out.no_room(2 * instance.n - 1, f"To see it, {_PICTURE}")
        out.result(reason or with_legend(in_bold(draw_instance(instance, look["origin"]))))
    else:
        from fastqueens.pictures.boards import instance_picture

        out.progress(f"drawing {file_label(output)}")
        picture = instance_picture(instance, **look)
        save_picture(picture, output, dpi=dpi or picture.dpi)
        out.wrote(output)
    asked = f", with {instance.constraints}" if instance.constraints else ""
    out.say(f"n = {instance.n:,}{asked}.")


def _moves(out: Output, queens: Queens) -> _Moves:
    from fastqueens.classroom.moves import best_moves

    out.progress("costs of moves")
    costs = fastqueens.move_costs(queens)
    return costs, best_moves(queens, costs)


def _conflicts(out: Output, queens: Queens, threads: int | None) -> tuple[int, int]:
    """Return the numbers of attacking pairs and conflicting queens."""
    work: dict[str, Any] = {"threads": threads, **out.callbacks}
    # For a billion queens this check takes seconds, and counting takes minutes.
    if fastqueens.is_solution(queens, **work):
        return 0, 0
    return fastqueens.attacking_pairs(queens, **work), fastqueens.conflicting_queens(queens, **work)


def _moves_text(out: Output, queens: Queens, moves: _Moves, origin: str) -> str:
    """Return the board with the cost of a move on each square, or why it is not drawn."""
    from fastqueens.pictures.text import move_costs_width

    needed = move_costs_width(moves[0])
    return out.no_room(needed, f"To see it, {_PICTURE}") or move_costs_drawing(moves[0], queens, moves[1], origin)


def _instance_sentence(queens: Queens, instance: Instance) -> str:
    """Return a sentence on what an instance asks for and whether a board respects it."""
    verdict = violations(queens, instance).words or click.style("all respected", fg="green")
    return f"The instance has {instance.constraints or 'no constraint'}: {verdict}."


def _best_moves_sentence(queens: Queens, moves: _Moves, rows_from: int) -> str:
    """Return a sentence with the best moves."""
    costs, best = moves
    if not len(best):
        return "No move is possible: the board has one row."
    column, row = best[0]
    least = costs[row, column]
    stuck = "Every move adds attacking pairs. " if least > costs[queens[column], column] else ""
    named = [f"column {column} to row {row + rows_from}" for column, row in best[:_MOST_NAMED]]
    more = f" and {len(best) - _MOST_NAMED:,} more" if len(best) > _MOST_NAMED else ""
    pairs = counted(int(least), "attacking pair")
    return f"{stuck}{counted(len(best), 'best move')}, to {pairs}: {', '.join(named)}{more}."
