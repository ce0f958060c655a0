"""Traces in files: the course of a search as ``.csv``, ``.json`` or ``.npz``.

- ``.csv``: ``attempt,step,pairs,conflicting_queens``, one line an entry. Attempts count from 1, steps from 0 and on
  across restarts: the first entry of a later attempt repeats the step before it: it shows a new board and no step.
- ``.json``: an object with the lists ``restarts``, ``pairs`` and ``conflicting_queens``.
- ``.npz``: int64 arrays of the same names.

These two also say ``n``, ``seed`` and ``start`` where they are known; a ``.csv`` stays a plain table for any program.
An ``.npz`` may hold the moves as well: ``first_boards`` (attempts, n), the rows of the queens as each attempt began,
and ``moves`` (steps, 3), int64: the column of each step's queen, the row it stood on and the row it was put on.

``restarts`` holds the indices of the entries with which later attempts begin. Nothing is ever unpickled, and nothing is
drawn here.
"""

from __future__ import annotations

import json
import os
import reprlib
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import MAX_N, InputError, NotEnoughMemoryError, Queens, as_queens
from fastqueens.boardfile import check_range, integers, json_list, lines_of_numbers, load_json, number_lines
from fastqueens.machine import check_memory
from fastqueens.result import Moves, Trace
from fastqueens.wholefile import FileName, checked_suffix, open_to_read, whole_file

TRACE_FORMATS = (".csv", ".json", ".npz")

_CSV_HEADER = "attempt,step,pairs,conflicting_queens"
_NAMES = ("restarts", "pairs", "conflicting_queens")
_LARGEST_SEED = 2**64 - 1
_MOST_PAIRS = MAX_N * (MAX_N - 1) // 2
_PIECE = 1 << 16

#: restarts, pairs, conflicting_queens
_Arrays: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


class Header(NamedTuple):
    """What a trace file says of its run beside the trace; None for what it does not say."""

    n: int | None = None
    seed: int | None = None
    start: str | None = None

    @property
    def known(self) -> dict[str, int | str]:
        """What is said, by name."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def check_trace_suffix(path: FileName) -> str:
    """The suffix in lower case, or :class:`InputError` naming the three formats there are."""
    return checked_suffix(path, TRACE_FORMATS)


def write_trace(
    path: FileName,
    trace: Trace,
    restarts: Sequence[int] = (),
    header: Header | None = None,
    moves: Moves | None = None,
) -> None:
    """Write a trace in the format of the suffix, whole or not at all.

    Parameters
    ----------
    path : str or path
        Where to; an earlier file of that name is replaced when the new one is complete.
    trace : Trace
        Two integer arrays of one length, at least 1.
    restarts : sequence of int
        Where in the trace each new attempt begins, the first attempt not counted: rising, from 1 on.
    header : Header, optional
        The n, seed and start of the run, kept in ``.json`` and ``.npz``.
    moves : Moves, optional
        What each step did on the board, kept in ``.npz``.

    Raises
    ------
    InputError
        For an unknown suffix, or one that keeps no moves, for arrays that make no trace, and where the file cannot be
        written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "trace.csv")
    ...     write_trace(file, Trace(np.array([2, 1, 3, 0]), np.array([4, 2, 5, 0])), restarts=[2])
    ...     print(file.read_text())
    attempt,step,pairs,conflicting_queens
    1,0,2,4
    1,1,1,2
    2,1,3,5
    2,2,0,0
    <BLANKLINE>

    """
    suffix = check_trace_suffix(path)
    if moves is not None:
        check_keeps_moves(path)
    header = header or Header()
    (pairs, queens), restarts = checked_trace(trace, restarts)
    marks = np.array(restarts, np.int64)
    with whole_file(path) as file:
        if suffix == ".npz":
            arrays_by_name: dict[str, Any] = {**header.known, **dict(zip(_NAMES, (marks, pairs, queens), strict=True))}
            if moves is not None:
                arrays_by_name |= {"first_boards": moves.first_boards, "moves": moves.steps}
            np.savez(file, **arrays_by_name)
        else:
            arrays = marks, pairs, queens
            for block in _csv_content(*arrays) if suffix == ".csv" else _json_content(header, *arrays):
                file.write(block)


def read_trace(path: FileName) -> tuple[Trace, tuple[int, ...]]:
    """Read a trace that :func:`write_trace` wrote.

    Returns
    -------
    (Trace, tuple of int)
        The two int64 arrays, and where in them each later attempt begins.

    Raises
    ------
    InputError
        Naming the file, where in it, the value found, and what would be right.

    """
    trace, restarts, _ = read_trace_and_header(path)
    return trace, restarts


def read_trace_and_header(path: FileName) -> tuple[Trace, tuple[int, ...], Header]:
    """Read a trace as :func:`read_trace` does, and what its file says of the run."""
    name = os.fspath(path)
    suffix = check_trace_suffix(name)
    with open_to_read(name) as file:
        (restarts, pairs, conflicting_queens), said = _READERS[suffix](file, name)
    _check_trace(restarts, pairs, conflicting_queens, name)
    return Trace(pairs, conflicting_queens), tuple(restarts.tolist()), _checked_header(said, name)


def check_keeps_moves(path: FileName) -> None:
    """Raise :class:`InputError` where a trace file of this name cannot hold moves."""
    if check_trace_suffix(path) != ".npz":
        raise InputError(f"{os.fspath(path)}: only an .npz file keeps the moves of a search")


def read_moves(path: FileName) -> tuple[Trace, tuple[int, ...], Moves]:
    """Read a trace with the moves of its search; every move is checked against the board it was made on.

    Returns
    -------
    (Trace, tuple of int, Moves)
        As in :func:`read_trace`, and the moves.

    Raises
    ------
    InputError
        Naming the file, where in it, the value found, and what would be right.
    """
    name = os.fspath(path)
    check_keeps_moves(name)
    trace, restarts = read_trace(name)
    with open_to_read(name) as file:
        found = list(_unpacked(file, name, ("first_boards", "moves")).values())
    if len(found) != 2:
        raise InputError(f"{name}: it holds a trace, but no moves; fastqueens solve --trace {name} --moves keeps both")
    return trace, restarts, _checked_moves(found[0], found[1], len(trace.pairs), restarts, name)


def _checked_moves(
    boards: NDArray[Any], moves: NDArray[Any], entries: int, restarts: Sequence[int], name: str
) -> Moves:
    attempts = len(restarts) + 1
    if boards.ndim != 2 or len(boards) != attempts:
        raise InputError(f"{name}: first_boards has shape {boards.shape}: {attempts} boards are needed, a row each")
    if moves.shape != (entries - attempts, 3):
        raise InputError(f"{name}: moves has shape {moves.shape}, ({entries - attempts}, 3) is needed")
    queens = np.stack([as_queens(board, f"{name}: first_boards[{i}]") for i, board in enumerate(boards)])
    steps = _as_int64(moves, f"{name}: moves")
    for part, what in enumerate(("columns", "rows", "rows")):
        check_range(steps[:, part], 0, queens.shape[1] - 1, lambda at: f"{name}: moves[{at}]", what)
    _check_course(queens, steps, restarts, name)
    return Moves(queens, steps)


def _check_course(queens: Queens, steps: NDArray[np.int64], restarts: Sequence[int], name: str) -> None:
    """Raise :class:`InputError` for the first move of a queen from a row that it does not stand on."""
    # A restart is an entry of the trace and no step.
    first_steps = np.array(restarts, np.int64) - np.arange(1, len(restarts) + 1)
    attempts = np.searchsorted(first_steps, np.arange(len(steps)), side="right")
    columns, before, after = steps.T
    order = np.lexsort((columns, attempts))
    stands = queens[attempts[order], columns[order]].astype(np.int64)
    again = (np.diff(columns[order]) == 0) & (np.diff(attempts[order]) == 0)
    stands[1:][again] = after[order][:-1][again]
    wrong = np.flatnonzero(stands != before[order])
    if len(wrong):
        at = wrong[np.argmin(order[wrong])]
        step = order[at]
        raise InputError(
            f"{name}: moves[{step}] takes the queen of column {columns[step]} from row {before[step]}, "
            f"it stands on row {stands[at]}"
        )


def checked_trace(trace: Trace, restarts: Sequence[int] = (), name: str = "trace") -> tuple[Trace, tuple[int, ...]]:
    """Give a trace as two int64 arrays, and its restarts; :class:`InputError` where they make none.

    ``name`` is what error messages call the trace.

    >>> checked_trace(Trace(np.array([2, 0]), np.array([4, 0])), [2])
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: trace: restarts[0] holds 2, restarts go from 1 to 1
    """
    parts = dict(zip(_NAMES, (restarts, *trace), strict=True))
    marks, pairs, queens = (_as_int64(values, f"{name}: {part}") for part, values in parts.items())
    _check_trace(marks, pairs, queens, name)
    return Trace(pairs, queens), tuple(marks.tolist())


def attempts_and_steps(entries: NDArray[Any], restarts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The attempt and the step of each entry: the first entry of a later attempt is no step.

    >>> [numbers.tolist() for numbers in attempts_and_steps(np.arange(4), np.array([2]))]
    [[1, 1, 2, 2], [0, 1, 1, 2]]
    """
    earlier = np.searchsorted(restarts, entries, side="right")
    return earlier + 1, entries - earlier


def _check_trace(restarts: NDArray[Any], pairs: NDArray[Any], queens: NDArray[Any], name: str) -> None:
    if any(array.ndim != 1 for array in (restarts, pairs, queens)):
        raise InputError(f"{name}: restarts, pairs and conflicting_queens are one-dimensional")
    if len(pairs) == 0:
        raise InputError(f"{name}: it is empty; a trace has at least 1 entry")
    if len(pairs) != len(queens):
        raise InputError(f"{name}: {len(pairs)} entries of pairs, but {len(queens)} of conflicting_queens")
    check_range(pairs, 0, _MOST_PAIRS, lambda index: f"{name}: pairs[{index}]", "pairs")
    check_range(queens, 0, MAX_N, lambda index: f"{name}: conflicting_queens[{index}]", "conflicting queens")
    check_range(restarts, 1, len(pairs) - 1, lambda index: f"{name}: restarts[{index}]", "restarts")
    if (np.diff(restarts) < 1).any():
        at = int(np.argmax(np.diff(restarts) < 1)) + 1
        raise InputError(f"{name}: restarts[{at}] holds {restarts[at]} after {restarts[at - 1]}, restarts rise")


def _checked_header(said: dict[str, Any], name: str) -> Header:
    """The header out of what a file holds under its names."""
    for part, least, most in (("n", 1, MAX_N), ("seed", 0, _LARGEST_SEED)):
        value = said.get(part)
        if value is not None and not (type(value) is int and least <= value <= most):
            raise InputError(
                f"{name}: {part} holds {reprlib.repr(value)}, a whole number from {least} to {most} is needed"
            )
    if not isinstance(said.get("start"), str | None):
        raise InputError(f"{name}: start holds {reprlib.repr(said['start'])}, a text is needed")
    return Header(*(said.get(part) for part in Header._fields))


def _csv_content(restarts: NDArray[Any], pairs: NDArray[Any], queens: NDArray[Any]) -> Iterator[bytes]:
    yield f"{_CSV_HEADER}\n".encode()
    for first in range(0, len(pairs), _PIECE):
        entries = np.arange(first, min(first + _PIECE, len(pairs)))
        attempts, steps = attempts_and_steps(entries, restarts)
        yield lines_of_numbers("%d,%d,%d,%d\n", np.column_stack((attempts, steps, pairs[entries], queens[entries])))


def _json_content(
    header: Header, restarts: NDArray[Any], pairs: NDArray[Any], queens: NDArray[Any]
) -> Iterator[bytes]:
    opening = "{" + "".join(f'"{name}": {json.dumps(value)}, ' for name, value in header.known.items())
    for name, numbers in zip(_NAMES, (restarts, pairs, queens), strict=True):
        yield f'{opening}"{name}": '.encode()
        yield from json_list(numbers[first : first + _PIECE] for first in range(0, len(numbers), _PIECE))
        opening = ", "
    yield b"}\n"


def _read_csv(file: IO[bytes], name: str) -> tuple[_Arrays, dict[str, Any]]:
    first_line, blocks = 1, [np.empty((0, 4), np.int64)]
    for line, numbers in number_lines(file, name, _CSV_HEADER):
        first_line = first_line if len(blocks) > 1 else line
        blocks.append(numbers)
    attempts, steps, pairs, queens = np.concatenate(blocks).T
    restarts = np.flatnonzero(attempts[1:] != attempts[:-1]) + 1
    right_attempts, right_steps = attempts_and_steps(np.arange(len(pairs)), restarts)
    wrong = (attempts != right_attempts) | (steps != right_steps)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"{name}: line {first_line + at} holds attempt {attempts[at]}, step {steps[at]}, "
            f"here stand attempt {right_attempts[at]}, step {right_steps[at]}"
        )
    return (restarts, pairs.copy(), queens.copy()), {}


def _read_json(file: IO[bytes], name: str) -> tuple[_Arrays, dict[str, Any]]:
    content = load_json(file, name)
    if not isinstance(content, dict) or not set(_NAMES) <= content.keys():
        raise InputError(f"{name}: an object is needed with the lists {', '.join(_NAMES)}")
    restarts, pairs, queens = (integers(content[part], f"{name}: {part}") for part in _NAMES)
    return (restarts, pairs, queens), content


def _read_npz(file: IO[bytes], name: str) -> tuple[_Arrays, dict[str, Any]]:
    found = _unpacked(file, name, (*_NAMES, *Header._fields))
    missing = [part for part in _NAMES if part not in found]
    if missing:
        raise InputError(f"{name}: {missing[0]} is not in it; needed are {', '.join(_NAMES)}")
    arrays = {part: found[part] for part in _NAMES}
    said = {part: found[part].tolist() for part in Header._fields if part in found}
    restarts, pairs, queens = (_as_int64(array, f"{name}: {part}") for part, array in arrays.items())
    return (restarts, pairs, queens), said


def _unpacked(file: IO[bytes], name: str, parts: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Those of the named arrays that an .npz file holds."""
    try:
        with np.load(file, allow_pickle=False) as content:
            # A small archive can hold much: what the members say of their size is all that is ever unpacked.
            check_memory(sum(member.file_size for member in content.zip.infolist()), f"unpacking {name}")
            return {part: np.asarray(content[part]) for part in parts if part in content}
    except NotEnoughMemoryError:
        raise
    except Exception as error:  # NumPy and zipfile let through whatever a broken file sets off
        raise InputError(f"{name}: it cannot be read as .npz ({error}); needed are {', '.join(_NAMES)}") from error


def _as_int64(values: Any, place: str) -> NDArray[np.int64]:
    array = np.asarray(values)
    if not array.size:  # of whatever kind: an empty list is one of floats
        return np.zeros(array.shape, np.int64)
    if array.dtype.kind not in "iu":
        raise InputError(f"{place} holds {array.dtype}, integers are needed")
    return array.astype(np.int64, copy=False)


#: What is read from a file of each format: the arrays, and what may stand beside them.
_READERS: dict[str, Callable[[IO[bytes], str], tuple[_Arrays, dict[str, Any]]]] = {
    ".csv": _read_csv,
    ".json": _read_json,
    ".npz": _read_npz,
}
