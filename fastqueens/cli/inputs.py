"""What a command works on, from files and from its options: boards, instances, a cluster; and checks of its outputs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np

import fastqueens
from fastqueens._run.text import counted
from fastqueens.board import Queens, check_n
from fastqueens.cli.options import Stated
from fastqueens.cli.output import Output, file_label
from fastqueens.cli.values import is_number, whole_number
from fastqueens.errors import InputError

if TYPE_CHECKING:
    from fastqueens._run.executors import Executor

_DEFAULT_N = 8

#: Boards below this n are drawn.
DRAWN_BELOW = 33


def board_given(out: Output, n: int | None, file: str | None, board: str | None, rows_from: int) -> Queens | None:
    """Return the board of ``--file`` or ``--board``, or None without these options; check that it has N queens."""
    if board is not None:
        from fastqueens.files.boards import parse_board

        queens = parse_board(board, rows_from=rows_from)
    elif file is not None:
        queens = read_board(out, file, rows_from)
    else:
        return None
    if n is not None and check_n(n) != len(queens):
        option = "--file" if board is None else "--board"
        raise InputError(f"n is {n:,}, and the board has {counted(len(queens), 'queen')}: give either N or {option}")
    return queens


def task_given(
    out: Output, n: int | None, file: str | None, board: str | None, stated: Stated
) -> tuple[fastqueens.Instance, Queens | None]:
    """Return what the options ask to solve, and the board to start from, if they give one."""
    queens = board_given(out, n, file, board, stated.rows_from)
    if queens is not None:
        n = len(queens)
    elif stated.instance is None:
        n = n_or_default(n)
    return instance_of(out, n, stated) or fastqueens.make_instance(n_or_default(n)), queens


def read_board(out: Output, path: str, rows_from: int) -> Queens:
    """Read a board from a file."""
    boards, _ = boards_given(out, path, None, rows_from)
    if len(boards) > 1:
        raise InputError(f"{file_label(path)}: it holds {len(boards):,} boards; a single board is needed")
    queens: Queens = boards[0]
    return queens


def boards_given(
    out: Output, file: str | None, board: str | None, rows_from: int, n: int | None = None
) -> tuple[Queens, str]:
    """Return the boards of FILE or ``--board``, (count, n), and what the text or file was read as.

    With ``n``, boards of another size are refused.
    """
    from fastqueens.files.board_forms import ROWS, has_n_in_front
    from fastqueens.files.boards import parse_boards, read_any

    if board is not None:
        queens, kind = parse_boards(board, rows_from)
    else:
        assert file is not None
        out.reading(file)
        with _explaining_numbers(file):
            queens, kind = read_any(file, rows_from)
    queens = queens.reshape(-1, queens.shape[-1])
    check_size(file_label(file), queens.shape[1], n, int(queens[0, 0]) + rows_from)
    if n is None and kind in ROWS and has_n_in_front(queens + rows_from):
        out.say(
            f"The first number in {file_label(file)}, {queens.shape[1] - 1}, is the number of the others. If it is n, "
            "remove it.",
            err=True,
        )
    return queens, kind


def check_size(label: str, queens: int, n: int | None, first: int | None = None) -> None:
    """Raise :class:`InputError` if boards, whose first number is given, have another size than ``-n`` says."""
    if n is not None and check_n(n) != queens:
        front = "; if the first number is n, remove it" if first == n == queens - 1 else ""
        raise InputError(f"{label}: the board has {counted(queens, 'queen')}, and n is {n:,}{front}")


@contextmanager
def _explaining_numbers(path: str) -> Iterator[None]:
    """Say in the error for a number that a file is needed."""
    try:
        yield
    except InputError:
        if is_number(path) and not os.path.exists(path):
            raise InputError(
                f"{path}: no such file; a file with a board is needed, and fastqueens solve {path} -o board.txt "
                "writes one"
            ) from None
        raise


def can_be_read(read: Any, path: str) -> bool:
    """Tell whether a function can read a file."""
    try:
        read(path)
    except (InputError, MemoryError):
        return False
    return True


def n_or_default(n: int | None) -> int:
    """Return n, or the number of queens if nothing says how many."""
    return _DEFAULT_N if n is None else n


def parse_n(board_or_n: str | None) -> int | None:
    """Return the n that BOARD_OR_N means, or None if it is missing or names a file."""
    return whole_number(board_or_n) if board_or_n is not None and is_number(board_or_n) else None


def check_unsolved(seed: int | None, mix: int | None = None) -> None:
    """Raise UsageError if a seed or sweeps are given with a board from a file."""
    if mix is not None:
        raise click.UsageError("--mix: the board comes from a file, and only a board that is solved is mixed.")
    if seed is not None:
        raise click.UsageError("--seed: the board comes from a file, and only a board that is solved has a seed.")


def instance_of(out: Output, n: int | None, stated: Stated) -> fastqueens.Instance | None:
    """Return the instance of all options together, or None without these options.

    ``n`` is the side of the board, if known; None to take it from the file of ``--instance``. Raises UsageError if
    neither says how large the board is, and the errors of :func:`fastqueens.make_instance` and
    :func:`fastqueens.read_instance`.
    """
    if not any(part not in (None, ()) for part in stated[:-1]):
        return None
    if stated.instance is not None:
        from fastqueens.files.text import name_of_input

        out.reading(stated.instance)
        before = fastqueens.read_instance(stated.instance)
        if n is not None and check_n(n) != before.n:
            name = name_of_input(stated.instance)
            raise InputError(f"{name}: n is {before.n:,} in the file, and {n:,} for the board; both must agree")
        if not any(part not in (None, ()) for part in stated[1:-1]):
            return replace(before, rows_from=stated.rows_from)
    elif n is None:
        raise click.UsageError("the size of the board is not known: give N, or an --instance FILE that has it.")
    else:
        before = fastqueens.make_instance(n)
    fixed, blocked = _squares(stated.queen, stated.rows_from), _squares(stated.block, stated.rows_from)
    if stated.queens_file is not None:
        from fastqueens.files.instances import read_fixed_queens

        out.reading(stated.queens_file)
        fixed = np.concatenate([fixed, read_fixed_queens(stated.queens_file, before.n, rows_from=stated.rows_from)])
    return fastqueens.make_instance(
        before.n,
        np.concatenate([before.fixed.squares, fixed]),
        blocked=np.concatenate([before.blocked, blocked]),
        excluded_sums=[*before.excluded_sums.tolist(), *stated.exclude_sum],
        excluded_differences=[*before.excluded_differences.tolist(), *stated.exclude_difference],
        rows_from=stated.rows_from,
    )


def read_or_solve(
    out: Output,
    board: str | None,
    stated: Stated,
    *,
    seed: int | None,
    mix: int | None = None,
    **settings: Any,
) -> tuple[Queens, fastqueens.Result | None, fastqueens.Instance | None]:
    """Read the board that BOARD_OR_N names, or solve one of that n, or of the n of the instance.

    Returns the board, the result or None if the board was read, and the instance that the options ask for; a board that
    was read may violate it. ``settings`` go to :func:`fastqueens.solve`.
    """
    n = parse_n(board)
    if n is None and board is not None:
        check_unsolved(seed, mix)
        queens = read_board(out, board, stated.rows_from)
        return queens, None, instance_of(out, len(queens), stated)
    instance = instance_of(out, n, stated)
    result = fastqueens.solve(instance or n, seed=seed, mix=mix, trace=False, **settings, **out.callbacks)
    return result.queens, result, instance


def executor_of(out: Output, scheduler: str | None) -> AbstractContextManager[Executor | None]:
    """Connect to the cluster that works; None means this process."""
    if scheduler is None:
        return nullcontext()
    from fastqueens._run.executors import connected

    out.progress(f"connecting to {scheduler}")
    return connected(scheduler)


def check_picture(path: str | None) -> None:
    """Raise an error if a picture cannot be written to this path."""
    if path is not None:
        from fastqueens.pictures.saving import PICTURE_FORMATS

        check_output(path, PICTURE_FORMATS)


def check_output(path: str | None, suffixes: Sequence[str]) -> None:
    """Raise an error if a file has another suffix or cannot be written."""
    if path is not None:
        from fastqueens.files.atomic import check_target
        from fastqueens.files.text import checked_suffix

        checked_suffix(path, suffixes)
        check_target(path)


def check_board_output(path: str | None) -> None:
    """Raise an error if a board cannot be written to the file of ``-o``."""
    if path not in (None, "-"):
        from fastqueens.files.boards import FORMATS

        check_output(path, FORMATS)


def write_board(out: Output, path: str | None, queens: Queens, rows_from: int) -> None:
    """Write a board that was checked before to a file, or to stdout if it is "-"."""
    if path is None:
        return
    if path == "-":
        from fastqueens.files.boards import content_of

        with out.data() as file:
            file.writelines(content_of(queens, rows_from, ".txt"))
    else:
        from fastqueens.files.boards import write_checked_board

        out.writing(path)
        write_checked_board(path, queens, rows_from)


def _squares(texts: Sequence[str], rows_from: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return squares written as COLUMN,ROW."""
    from fastqueens.files.instances import parse_square

    return np.array([parse_square(text, rows_from=rows_from) for text in texts], np.int64).reshape(-1, 2)
