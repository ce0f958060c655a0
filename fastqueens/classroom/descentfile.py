"""Files of the assignment "most attacks moves": its start states, and the text of its descents.

One state a line. Rows count from 1 in the files, from 0 everywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from fastqueens.classroom.descent import Descent
from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.files.names import FileName
from fastqueens.files.reading import open_input, read_all

# No row of any board has more, and Python refuses to convert thousands of digits.
_MOST_DIGITS = 19


def read_starts(source: FileName) -> list[Queens]:
    """Return the start states of a file: on each line n rows from 1 to n, separated by blanks; blank lines are skipped.

    Parameters
    ----------
    source : str or path
        The file, or "-" for standard input. All of it is checked before the function returns.

    Returns
    -------
    list of (n,) int32 arrays
        The states in order, their rows from 0. n may differ from state to state.

    Raises
    ------
    InputError
        If a line is no state, with the file, the line, the value and what would be valid, or if no line has a state.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "starts.txt")
    ...     _ = file.write_text("2 4 1 3")
    ...     read_starts(file)
    [array([1, 3, 0, 2], dtype=int32)]
    """
    with open_input(source) as (file, name):
        return _parsed(read_all(file, name), name)


def text_of(descents: Iterable[Descent]) -> Iterator[bytes]:
    r"""Yield the lines of the assignment's output: a block for each descent, a blank line between two blocks.

    A block holds the states, their rows from 1 separated by single blanks, and then Success or Failure.

    >>> from fastqueens import descend
    >>> b"".join(text_of([descend([0, 0]), descend([1, 3, 0, 2])]))
    b'1 1\nFailure\n\n2 4 1 3\nSuccess\n'
    """
    separator = b""
    for descent in descents:
        yield separator
        separator = b"\n"
        rows = [b"%d" % (row + 1) for row in descent.initial_queens.tolist()]
        yield b" ".join(rows) + b"\n"
        for column, row in descent.moves.tolist():
            rows[column] = b"%d" % (row + 1)
            yield b" ".join(rows) + b"\n"
        yield b"Success\n" if descent.solved else b"Failure\n"


def _parsed(data: bytes, name: str) -> list[Queens]:
    lines = data.removeprefix(b"\xef\xbb\xbf").splitlines()
    starts = [_start(line.split(), f"{name}: line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not starts:
        raise InputError(f"{name}: no line holds a start; write one a line, for example 2 5 7 4 1 3 6 3")
    return starts


def _start(entries: list[bytes], place: str) -> Queens:
    n = len(entries)
    rows = [int(entry) if entry.isdigit() and len(entry) <= _MOST_DIGITS else 0 for entry in entries]
    if min(rows) < 1 or max(rows) > n:
        wrong = next(i for i, row in enumerate(rows) if not 1 <= row <= n)
        shown = entries[wrong][:40].decode(errors="backslashreplace")
        raise InputError(
            f"{place}: entry {wrong + 1} is {shown!r}; "
            f"a line of {n} entries holds whole numbers from 1 to {n}"
        )
    return (np.array(rows, np.int64) - 1).astype(row_dtype(n))
