"""Inputs of commands from files and options: boards, instances and a cluster. Also checks of output files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import fastqueens
from fastqueens._run.arguments import Size, size_in_inches
from fastqueens._run.text import counted
from fastqueens._run.typed_numbers import is_number, number
from fastqueens.cli.options import BoardOrN, ConstraintOptions, Start, refuse
from fastqueens.cli.output import file_label
from fastqueens.cli.session import Session
from fastqueens.errors import InputError

if TYPE_CHECKING:
    from fastqueens._run.executors import Executor
    from fastqueens.board import Queens
    from fastqueens.files.boards import Reading

_DEFAULT_N = 8


def board_given(session: Session, board: Start) -> Queens | None:
    """Return the board of ``--file`` or ``--board``, or None without these options. It must have N queens."""
    if board.file is None and board.rows is None:
        return None
    queens = read_board(session, board.file, board.rows)
    if board.n is not None and board.n != len(queens):
        option = "--file" if board.rows is None else "--board"
        end = f"the board has {counted(len(queens), 'queen')}; give either N or {option}"
        raise InputError(f"N is {board.n:,}, but {end}")
    return queens


def instance_given(session: Session, n: int | None, constraints: ConstraintOptions) -> fastqueens.Instance:
    """Return the instance that the options describe. By default, it has 8 queens and no constraints."""
    if constraints.instance is None:
        n = n_or_default(n)
    return instance_of(session, n, constraints) or fastqueens.make_instance(n_or_default(n))


def read_board(session: Session, file: str | None, rows: str | None = None) -> Queens:
    """Return the single board of FILE or ``--board``."""
    boards = read_boards(session, file, rows).queens
    if len(boards) > 1:
        raise InputError(f"{file_label(file)} must hold a single board, not {len(boards):,} boards")
    queens: Queens = boards[0]
    return queens


def read_boards(
    session: Session,
    file: str | None,
    rows: str | None = None,
    n: int | None = None,
    *,
    is_auto: bool = False,
) -> Reading:
    """Return the boards of FILE or ``--board``, with shape (count, n), and print notes about them on stderr.

    If ``n`` is given, boards of another size raise :class:`InputError`. With ``is_auto``, the content decides from
    which number rows count.
    """
    from fastqueens.files.board_forms import ROWS, has_n_in_front
    from fastqueens.files.boards import parse_boards, read_any

    rows_from = None if is_auto else session.rows_from
    if file is None:
        found = parse_boards(rows or "", rows_from)
    else:
        session.reading(file)
        if is_number(file) and not os.path.exists(file):
            raise InputError(
                f"{file}: no such file; to create a file with a board, use fastqueens solve {file} -o board.txt"
            )
        found = read_any(file, rows_from)
    for note in found.notes:
        session.say(note, err=True)
    queens = found.queens.reshape(-1, found.queens.shape[-1])
    size, first = queens.shape[1], int(queens[0, 0]) + found.rows_from
    check_size(
        file_label(file), size, n, "; if the first number is meant as n, remove it" if first == n == size - 1 else ""
    )
    if n is None and found.kind in ROWS and has_n_in_front(queens + found.rows_from):
        message = f"The first number in {file_label(file)}, {size - 1}, equals the count of the other numbers."
        session.say(f"{message} If it is meant as n, remove it.", err=True)
    return found._replace(queens=queens)


def check_size(label: str, size: int, n: int | None, hint: str = "") -> None:
    """Raise :class:`InputError` if boards do not have the size that ``-n`` gives."""
    if n is not None and n != size:
        raise InputError(f"{label}: the board has {counted(size, 'queen')}, but n is {n:,}{hint}")


def n_or_default(n: int | None) -> int:
    """Return n, or the default number of queens if n is None."""
    return _DEFAULT_N if n is None else n


def parse_n(board_or_n: str | None) -> int | None:
    """Return N if BOARD_OR_N is a number, or None if it is missing or names a file."""
    return number(board_or_n) if board_or_n is not None and is_number(board_or_n) else None


def check_unsolved() -> None:
    """Raise UsageError if a seed or sweeps are given with a board from a file."""
    refuse("{} has no effect on a board from a file; it applies to boards solved for N", "mix", "seed")


def instance_of(session: Session, n: int | None, constraints: ConstraintOptions) -> fastqueens.Instance | None:
    """Return the instance that all options together describe, or None without such options.

    Its size is ``n`` or, if that is None, the size in the file of ``--instance``.
    """
    if not any(getattr(constraints, name) for name in ConstraintOptions.fields()):
        return None
    import numpy as np

    from fastqueens.files.instances import parse_square, read_fixed_queens

    if constraints.instance is not None:
        session.reading(constraints.instance)
        before = fastqueens.read_instance(constraints.instance)
        if n is not None and n != before.n:
            name = file_label(constraints.instance)
            raise InputError(f"{name}: n is {before.n:,} in the file, but the board has n = {n:,}")
    elif n is None:
        raise click.UsageError("the size of the board is unknown; give a board, or an --instance FILE")
    else:
        before = fastqueens.make_instance(n)

    def squares(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.array([parse_square(text, rows_from=session.rows_from) for text in texts], np.int64).reshape(-1, 2)

    fixed = [before.fixed.squares, squares(constraints.queen)]
    if constraints.queens_file is not None:
        tell = partial(session.say, err=True)
        fixed.append(read_fixed_queens(constraints.queens_file, before.n, rows_from=session.rows_from, tell=tell))
    return fastqueens.make_instance(
        before.n,
        np.concatenate(fixed),
        blocked=np.concatenate([before.blocked, squares(constraints.block)]),
        excluded_sums=[*before.excluded_sums.tolist(), *constraints.exclude_sum],
        excluded_differences=[*before.excluded_differences.tolist(), *constraints.exclude_difference],
        rows_from=session.rows_from,
    )


def kind_of_solutions(fundamental: bool) -> tuple[str, dict[str, bool]]:
    """Return the noun for solutions in reports, and a mark for fundamental solutions in JSON."""
    return ("fundamental solution", {"fundamental": True}) if fundamental else ("solution", {})


def read_or_solve(
    session: Session, board: BoardOrN, constraints: ConstraintOptions, threads: int | None
) -> tuple[Queens, fastqueens.Result | None, fastqueens.Instance | None]:
    """Read the board in the file BOARD_OR_N, or solve a board for N or the instance. Large boards are mixed.

    Returns the board, the result or None if the board comes from a file, and the instance or None. A board from a file
    can violate the instance.
    """
    from fastqueens.pictures.given import sweeps_for

    n = parse_n(board.source)
    if n is None and board.source is not None:
        check_unsolved()
        queens = read_board(session, board.source)
        return queens, None, instance_of(session, len(queens), constraints)
    if board.source is None and constraints.instance is None:
        raise click.UsageError("missing argument 'BOARD_OR_N'; give a file, a number of queens, or an --instance FILE")
    instance = instance_of(session, n, constraints)
    mix = sweeps_for(n, board.mix, instance)
    result = fastqueens.solve(
        instance or n, seed=board.seed, mix=mix, threads=threads, trace=False, **session.callbacks
    )
    return result.queens, result, instance


def executor_of(session: Session, scheduler: str | None) -> AbstractContextManager[Executor | None]:
    """Connect to a cluster for the duration of a ``with`` block, or yield None, which stands for this process."""
    if scheduler is None:
        return nullcontext()
    from fastqueens._run.executors import connected

    session.progress(f"connecting to {scheduler}")
    return connected(scheduler)


def continued_by(checkpoint: str | None) -> Callable[[], str]:
    """Return a function that says how an interrupted command with this checkpoint can be continued."""
    is_there = partial(os.path.isfile, checkpoint or "")
    return lambda: f"; the same command continues {file_label(checkpoint)}" if is_there() else ""


def check_plot(path: str, size: Size) -> None:
    """Raise :class:`InputError` if the file of a plot cannot hold the pixels of this size, before the work begins."""
    from fastqueens.pictures.saving import check_figure

    check_figure(path, None, size_in_inches(size))


def write_board(session: Session, path: str | None, queens: Queens) -> None:
    """Write a valid board to a file, or to stdout if the path is "-"."""
    if path is None:
        return
    from fastqueens.files.boards import content_of, write_checked_board

    session.writing(path)
    if path == "-":
        with session.data() as file:
            file.writelines(content_of(queens, session.rows_from, ".txt"))
    else:
        write_checked_board(path, queens, session.rows_from)
