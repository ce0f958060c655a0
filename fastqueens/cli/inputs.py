"""Inputs of commands from files and options: boards, instances and a cluster. Also checks of output files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import fastqueens
from fastqueens._run.text import counted
from fastqueens.cli.options import Values, is_number, refuse, whole_number
from fastqueens.cli.output import Output, file_label
from fastqueens.errors import InputError

if TYPE_CHECKING:
    from fastqueens._run.executors import Executor
    from fastqueens.board import Queens
    from fastqueens.files.boards import Reading

_DEFAULT_N = 8


def board_given(out: Output, board: Values) -> Queens | None:
    """Return the board of ``--file`` or ``--board``, or None without these options. It must have N queens."""
    if board.file is None and board.rows is None:
        return None
    queens = read_board(out, board.file, board.rows)
    if board.n is not None and board.n != len(queens):
        option = "--file" if board.rows is None else "--board"
        end = f"the board has {counted(len(queens), 'queen')}; give either N or {option}"
        raise InputError(f"N is {board.n:,}, but {end}")
    return queens


def task_given(out: Output, board: Values, constraints: Values) -> tuple[fastqueens.Instance, Queens | None]:
    """Return the instance that the options describe, and the board to start from or None."""
    queens = board_given(out, board) if hasattr(board, "file") else None
    n = board.n if queens is None else len(queens)
    if constraints.instance is None:
        n = n_or_default(n)
    return instance_of(out, n, constraints) or fastqueens.make_instance(n_or_default(n)), queens


def read_board(out: Output, file: str | None, rows: str | None = None) -> Queens:
    """Return the single board of FILE or ``--board``."""
    boards = read_boards(out, file, rows).queens
    if len(boards) > 1:
        raise InputError(f"{file_label(file)} must hold a single board, not {len(boards):,} boards")
    queens: Queens = boards[0]
    return queens


def read_boards(out: Output, file: str | None, rows: str | None = None, n: int | None = None) -> Reading:
    """Return the boards of FILE or ``--board``, with shape (count, n), and print notes about them on stderr.

    If ``n`` is given, boards of another size raise :class:`InputError`. If ``out.rows_from`` is None, the content
    decides from which number rows count.
    """
    from fastqueens.files.board_forms import ROWS, has_n_in_front
    from fastqueens.files.boards import parse_boards, read_any

    if file is None:
        found = parse_boards(rows or "", out.rows_from)
    else:
        out.reading(file)
        if is_number(file) and not os.path.exists(file):
            raise InputError(
                f"{file}: no such file; to create a file with a board, use fastqueens solve {file} -o board.txt"
            )
        found = read_any(file, out.rows_from)
    for note in found.notes:
        out.say(note, err=True)
    queens = found.queens.reshape(-1, found.queens.shape[-1])
    size, first = queens.shape[1], int(queens[0, 0]) + found.rows_from
    check_size(
        file_label(file), size, n, "; if the first number is meant as n, remove it" if first == n == size - 1 else ""
    )
    if n is None and found.kind in ROWS and has_n_in_front(queens + found.rows_from):
        message = f"The first number in {file_label(file)}, {size - 1}, equals the count of the other numbers."
        out.say(f"{message} If it is meant as n, remove it.", err=True)
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
    return whole_number(board_or_n) if board_or_n is not None and is_number(board_or_n) else None


def check_unsolved() -> None:
    """Raise UsageError if a seed or sweeps are given with a board from a file."""
    refuse("{} has no effect on a board from a file; it applies to boards solved for N", "mix", "no_mix", "seed")


def instance_of(out: Output, n: int | None, constraints: Values) -> fastqueens.Instance | None:
    """Return the instance that all options together describe, or None without such options.

    Its size is ``n`` or, if that is None, the size in the file of ``--instance``.
    """
    if not any(vars(constraints).values()):
        return None
    import numpy as np

    from fastqueens.files.instances import parse_square, read_fixed_queens

    if constraints.instance is not None:
        out.reading(constraints.instance)
        before = fastqueens.read_instance(constraints.instance)
        if n is not None and n != before.n:
            name = file_label(constraints.instance)
            raise InputError(f"{name}: n is {before.n:,} in the file, but the board has n = {n:,}")
    elif n is None:
        raise click.UsageError("the size of the board is unknown; give a board, or an --instance FILE")
    else:
        before = fastqueens.make_instance(n)

    def squares(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.array([parse_square(text, rows_from=out.rows_from) for text in texts], np.int64).reshape(-1, 2)

    fixed = [before.fixed.squares, squares(constraints.queen)]
    if constraints.queens_file is not None:
        tell = partial(out.say, err=True)
        fixed.append(read_fixed_queens(constraints.queens_file, before.n, rows_from=out.rows_from, tell=tell))
    return fastqueens.make_instance(
        before.n,
        np.concatenate(fixed),
        blocked=np.concatenate([before.blocked, squares(constraints.block)]),
        excluded_sums=[*before.excluded_sums.tolist(), *constraints.exclude_sum],
        excluded_differences=[*before.excluded_differences.tolist(), *constraints.exclude_difference],
        rows_from=out.rows_from,
    )


def read_or_solve(
    out: Output, board: Values, constraints: Values, **settings: Any
) -> tuple[Queens, fastqueens.Result | None, fastqueens.Instance | None]:
    """Read the board in the file BOARD_OR_N, or solve a board for N or the instance. Large boards are mixed.

    Returns the board, the result or None if the board comes from a file, and the instance or None. A board from a file
    can violate the instance.
    """
    from fastqueens.solver import sweeps_for

    n = parse_n(board.source)
    if n is None and board.source is not None:
        check_unsolved()
        queens = read_board(out, board.source)
        return queens, None, instance_of(out, len(queens), constraints)
    if board.source is None and constraints.instance is None:
        raise click.UsageError("missing argument 'BOARD_OR_N'; give a file, a number of queens, or an --instance FILE")
    instance = instance_of(out, n, constraints)
    settings |= {"seed": board.seed, "mix": sweeps_for(n, board.mix, instance), "trace": False, **out.callbacks}
    result = fastqueens.solve(instance or n, **settings)
    return result.queens, result, instance


def executor_of(out: Output, scheduler: str | None) -> AbstractContextManager[Executor | None]:
    """Connect to a cluster for the duration of a ``with`` block, or yield None, which stands for this process."""
    if scheduler is None:
        return nullcontext()
    from fastqueens._run.executors import connected

    out.progress(f"connecting to {scheduler}")
    return connected(scheduler)


def check_picture(
    path: str | None,
    dpi: float | None = None,
    inches: tuple[float, float] | None = None,
    title: str | None = None,
) -> None:
    """Raise an error if a picture of this resolution, size and title cannot be written to this path."""
    if path is not None:
        from fastqueens.pictures.saving import PICTURE_FORMATS, check_figure

        check_output(path, PICTURE_FORMATS)
        if inches is not None:
            check_figure(path, dpi, inches)
    if title is not None:
        from fastqueens.pictures.figure import check_title

        check_title(title)


def check_output(path: str | None, suffixes: Sequence[str]) -> None:
    """Raise an error if the suffix of a file is not one of these, or the file cannot be written."""
    if path is not None:
        from fastqueens.files.atomic import check_target
        from fastqueens.files.text import checked_suffix

        checked_suffix(path, suffixes)
        check_target(path)


def check_board_output(path: str | None) -> None:
    """Raise an error if a board cannot be written to the file that ``-o`` names."""
    if path not in (None, "-"):
        from fastqueens.files.boards import FORMATS

        if path is not None and path.lower().endswith((".png", ".pdf", ".svg")):
            raise InputError(
                f"{path}: a board is written as {', '.join(FORMATS)}; to draw it: fastqueens show board.txt -o {path}"
            )
        check_output(path, FORMATS)


def write_board(out: Output, path: str | None, queens: Queens) -> None:
    """Write a valid board to a file, or to stdout if the path is "-"."""
    if path is None:
        return
    from fastqueens.files.boards import content_of, write_checked_board

    out.writing(path)
    if path == "-":
        with out.data() as file:
            file.writelines(content_of(queens, out.rows_from, ".txt"))
    else:
        write_checked_board(path, queens, out.rows_from)
