"""The commands that work on boards: ``verify`` checks them, ``show`` draws them, ``random`` makes one."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

import fastqueens
from fastqueens._run.arguments import check_integer, new_seed
from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.checking import violations
from fastqueens.cli import inputs
from fastqueens.cli.options import Stated
from fastqueens.cli.output import Output, drawing, file_label, in_bold, move_costs_drawing, with_legend
from fastqueens.cli.process import BAD_INPUT, NOT_SOLVED, SOLVED
from fastqueens.errors import InputError, printable
from fastqueens.files.board_forms import SharedColumnError
from fastqueens.instance import Instance
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
    """Whether a board is a solution.

    attack : the squares of the first two queens that attack each other, as [column, row]; or None
    broken : for each kind of constraint, the squares of the queens that break it
    """

    n: int
    pairs: int
    attack: list[list[int]] | None
    broken: dict[str, list[list[int]]]

    @property
    def is_right(self) -> bool:
        return not self.attack and not any(self.broken.values())

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON says."""
        verdict: dict[str, Any] = {"n": self.n, "solved": self.is_right, "pairs": self.pairs}
        verdict["first_attack"] = self.attack
        for name, found in self.broken.items():
            verdict |= {f"{name}_queens": len(found), f"first_{name}": found[0] if found else None}
        return verdict


class _Boards(NamedTuple):
    """The boards of a file, a verdict on each, what the file was read as, and the instance that they are to solve."""

    verdicts: list[_Verdict]
    different: int
    kind: str
    instance: Instance | None

    @property
    def wrong(self) -> list[int]:
        """The numbers of the boards that are not solutions, from 1."""
        return [number for number, verdict in enumerate(self.verdicts, 1) if not verdict.is_right]


def verify(
    out: Output,
    *,
    files: tuple[str, ...],
    board: str | None,
    n: int | None,
    stated: Stated,
    threads: int | None,
    verbose: bool,
) -> int:
    """Check whether a board is a solution, whether all boards of a file are, or the boards of several files."""
    how: dict[str, Any] = {"board": board, "n": n, "stated": stated, "threads": threads}
    if len(files) > 1:
        return _verify_files(out, files, how)
    (file,) = files or (None,)
    boards = _judge(out, file, **how)
    if verbose:
        out.say(f"{file_label(file)} was read as: {boards.kind}.")
    verdicts, instance = boards.verdicts, boards.instance
    if out.as_json:
        answers = [verdict.as_dict() for verdict in verdicts]
        out.json(answers if len(answers) > 1 else answers[0])
    if len(verdicts) == 1:
        out.say(_sentence(verdicts[0]))
        if instance is not None:
            out.say("\n".join(_constraint_sentences(instance, verdicts[0].broken)))
    else:
        out.say(*(f"Board {number}: {_reasons(verdicts[number - 1], instance)}" for number in boards.wrong))
        out.say(_sentence_about_all(boards))
    return NOT_SOLVED if boards.wrong else SOLVED


def _verify_files(out: Output, files: tuple[str, ...], how: dict[str, Any]) -> int:
    """Check the boards of several files, and print a line for each; a file that cannot be read is named, too."""
    exit_codes: list[int] = []
    answers: list[dict[str, Any]] = []
    for file in files:
        try:
            boards = _judge(out, file, **how)
        except (InputError, OSError) as error:
            exit_codes.append(BAD_INPUT)
            answers.append({"file": file, "error": str(error)})
            out.say(f"{click.style('Not read', fg='red')}: {printable(str(error))}")
            continue
        exit_codes.append(NOT_SOLVED if boards.wrong else SOLVED)
        listed = [verdict.as_dict() for verdict in boards.verdicts]
        answers.append({"file": file} | (listed[0] if len(listed) == 1 else {"boards": listed}))
        number = boards.wrong[0] if boards.wrong else 1
        reason = _reasons(boards.verdicts[number - 1], boards.instance).replace("\n", " ")
        reason = f" {'' if len(listed) == 1 else f'Board {number}: '}{reason}" if boards.wrong else ""
        sentence = _sentence_about_all(boards) if len(listed) > 1 else _in_short(boards.verdicts[0])
        out.say(f"{printable(file_label(file))}: {sentence}{reason}")
    if out.as_json:
        out.json(answers)
    return max(exit_codes)


def _judge(
    out: Output, file: str | None, *, board: str | None, n: int | None, stated: Stated, threads: int | None
) -> _Boards:
    """Read boards and check each; two queens in one column are a wrong answer."""
    try:
        boards, kind = inputs.boards_given(out, file, board, stated.rows_from, n)
    except SharedColumnError as error:
        inputs.check_size(file_label(file), len(error.squares), n)
        inputs.instance_of(out, len(error.squares), stated)
        if error.count > 1:
            out.say(f"Board {error.number} of {error.count} has two queens in one column; the others were not checked.")
        pair = [[column, row + stated.rows_from] for column, row in error.pair]
        return _Boards([_Verdict(len(error.squares), _pairs_on(error.squares), pair, {})], 1, "squares of queens", None)
    instance = inputs.instance_of(out, boards.shape[1], stated)
    verdicts, seen = [], set()
    for number, queens in enumerate(boards, 1):
        verdicts.append(_verdict(out, queens, instance, stated.rows_from, threads))
        if len(boards) > 1:
            seen.add(hashlib.blake2b(np.ascontiguousarray(queens).data, digest_size=16).digest())
            out.progress("boards", number, len(boards))
    return _Boards(verdicts, len(seen), kind, instance)


def _verdict(out: Output, queens: Queens, instance: Instance | None, rows_from: int, threads: int | None) -> _Verdict:
    """Check a board."""
    # The quick check first: first_attack uses one thread.
    is_solved = fastqueens.is_solution(queens, threads=threads, **out.callbacks)
    attack = None if is_solved else fastqueens.first_attack(queens, **out.callbacks)
    pairs = 0 if is_solved else fastqueens.attacking_pairs(queens, threads=threads, **out.callbacks)
    squares = None if attack is None else [[column, int(queens[column]) + rows_from] for column in attack]
    broken = {name: [] for name in _BROKEN} if instance is None else _broken(queens, instance, rows_from)
    return _Verdict(len(queens), pairs, squares, broken)


def _pairs_on(squares: NDArray[np.int64]) -> int:
    """Return the attacking pairs of queens on any squares, also in one column."""
    columns, rows = squares.T
    lines = (columns, rows, columns + rows, columns - rows)
    counts = np.concatenate([np.unique(line, return_counts=True)[1] for line in lines])
    return int((counts * (counts - 1) // 2).sum())


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
        from fastqueens.pictures.boards import move_costs_picture

        out.progress(f"drawing {file_label(output)}")
        if move_costs:
            picture = move_costs_picture(queens, **look)
        else:
            picture = fastqueens.picture(queens, instance=instance, marked=mark, **look, **out.callbacks)
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
    """Return whether a board is a solution, and the first two queens that attack each other."""
    if verdict.is_right:
        return f"{_in_short(verdict)[:-1]}, and no two of them share a row or a diagonal."
    if not verdict.attack:
        return f"{_in_short(verdict)[:-1]}; no two of them share a row or a diagonal."
    return f"{_in_short(verdict)[:-1]} with {counted(verdict.pairs, 'attacking pair')}.\n{_first_attack(verdict)}"


def _in_short(verdict: _Verdict) -> str:
    return f"{_solved(verdict.is_right)}: {counted(verdict.n, 'queen')}."


def _sentence_about_all(boards: _Boards) -> str:
    """Return how many boards there are, how many of them differ, and how many are solutions."""
    count, wrong = len(boards.verdicts), len(boards.wrong)
    differ = "all different" if boards.different == count else f"{boards.different:,} different"
    rest = f"; {wrong:,} of them {'is not a solution' if wrong == 1 else 'are not solutions'}" if wrong else ""
    queens = counted(boards.verdicts[0].n, "queen")
    return f"{_solved(not wrong)}: {count:,} boards, {differ}, of {queens} each{rest}."


def _reasons(verdict: _Verdict, instance: Instance | None) -> str:
    """Return why a board is not a solution."""
    pairs = f"{counted(verdict.pairs, 'attacking pair')}. {_first_attack(verdict)}" if verdict.attack else ""
    is_broken = instance is not None and any(verdict.broken.values())
    constraints = _constraint_sentences(instance, verdict.broken) if instance is not None and is_broken else []
    return " ".join(filter(None, [pairs, *map(click.unstyle, constraints)]))


def _solved(is_right: bool) -> str:
    return click.style("Solved", fg="green") if is_right else click.style("Not solved", fg="red")


def _first_attack(verdict: _Verdict) -> str:
    """Return the squares of the first two queens that attack each other."""
    assert verdict.attack is not None
    (left, row), (right, other_row) = verdict.attack
    line = "column" if left == right else "row" if row == other_row else "diagonal"
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
