"""Boards in files: ``.npy``, ``.txt``, ``.csv`` and ``.json``, read strictly, written whole or not at all.

- ``.npy``: a one-dimensional array of integers, ``queens[c]``, as NumPy saves it. Never unpickled.
- ``.txt``: one row a line, the leftmost column first.
- ``.csv``: the header ``column,row``, then one line a queen; read in any order, and without the header too.
- ``.json``: ``{"n": 4, "queens": [1, 3, 0, 2]}``; a bare list of rows is read as well.

Where ``rows_from=1`` the file counts rows from 1. Columns count from 0 always, and so do the boards in memory. Whether
a board is a solution is not looked at here.
"""

from __future__ import annotations

import contextlib
import errno
import io
import itertools
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import IO, Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError, Queens, as_queens, check_n, row_dtype
from fastqueens.machine import address_space_needed, check_memory
from fastqueens.wholefile import FileName, checked_suffix, open_input, reserve, whole_file

FORMATS = (".npy", ".txt", ".csv", ".json")

_CSV_HEADER = "column,row"

#: An ``.npy`` file from this size on stays on disk and is mapped.
_MAPPED_FROM = 1 << 24

#: Bytes of text read in one go, and rows checked or written in one go: they bound the extra memory.
_BLOCK = 1 << 20
_PIECE = 1 << 17

#: Bytes of a file that is read as a whole, in one go.
_LARGE_BLOCK = 1 << 24

#: What a number of a text takes on its way into a board.
_BYTES_A_NUMBER = 8

_INT64_LIMITS = (-(2**63), 2**63 - 1)

#: Says where the entry with a given index stands, as in "board.txt: line 3".
Place: TypeAlias = Callable[[int], str]


def check_suffix(path: FileName) -> str:
    """The suffix in lower case, or :class:`InputError` naming the four formats there are."""
    return checked_suffix(path, FORMATS)


def read_board(source: FileName, *, rows_from: int = 0) -> Queens:
    r"""Read a board from a file; the format is known by the suffix, and a name without one is text.

    Parameters
    ----------
    source : str or path
        The file, or "-" for text on standard input.
    rows_from : 0 or 1
        What the file calls the first row.

    Returns
    -------
    (n,) int32 array, uint32 from n = 2^31 on
        ``queens[c]`` from 0 to n - 1. An ``.npy`` file of 16 MiB or more that already has this form is mapped,
        read-only, and never copied. Beside the result reading takes up to 8 bytes a queen for text, 17 for ``.csv``,
        6 and the size of the file for ``.json`` laid out as written here.

    Raises
    ------
    InputError
        Naming the file, where in it, the value found, and what would be right.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "four.txt")
    ...     write_board(file, [1, 3, 0, 2])
    ...     file.read_text(), read_board(file)
    ('1\n3\n0\n2\n', array([1, 3, 0, 2], dtype=int32))

    """
    _check_rows_from(rows_from)
    suffix = check_suffix(source) if os.path.splitext(source)[1] else ".txt"
    with open_input(source) as (file, name):
        return _READERS[suffix](file, name, rows_from)


def parse_board(text: str, *, rows_from: int = 0, name: str = "--board") -> Queens:
    """Read a board that stands in one line, with blanks or commas between the rows.

    >>> parse_board("2 4 1 3", rows_from=1)
    array([1, 3, 0, 2], dtype=int32)
    >>> parse_board("1, 3, x, 2")
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: --board: column 2 holds 'x', a whole number is needed
    """
    _check_rows_from(rows_from)
    stripped = text.strip()
    fields = re.split(r"\s*,\s*|\s+", stripped) if stripped else []
    rows = [_whole_number(field.encode(errors="replace"), f"{name}: column {c}") for c, field in enumerate(fields)]
    return _as_board(np.array(rows, np.int64), rows_from, name, lambda c: f"{name}: column {c}")


def write_board(path: FileName, queens: Any, *, rows_from: int = 0) -> None:
    """Write a board in the format of the suffix, whole or not at all.

    Parameters
    ----------
    path : str or path
        Where to; an earlier file of that name is replaced when the new one is complete.
    queens : sequence or array of n integers
        ``queens[c]`` from 0 to n - 1.
    rows_from : 0 or 1
        What the file shall call the first row.

    Raises
    ------
    InputError
        For an unknown suffix, for what is no board, and where the file cannot be written.

    """
    _check_rows_from(rows_from)
    suffix = check_suffix(path)
    queens = as_queens(queens)
    with whole_file(path) as file:
        if suffix == ".npy":
            reserve(file.fileno(), queens.nbytes)
        for block in _CONTENTS[suffix](queens, rows_from):
            file.write(block)


def can_be_mapped(path: FileName) -> bool:
    """Whether :func:`mapped_board` could make this file: an ``.npy``, and no pipe or device."""
    return check_suffix(path) == ".npy" and (os.path.isfile(path) or not os.path.exists(path))


@contextlib.contextmanager
def mapped_board(path: FileName, n: int) -> Iterator[Queens]:
    """Make an ``.npy`` file whose board is filled in the ``with`` block, on disk and not in memory.

    The space on disk is claimed first. The file takes its target's place when the block ends, after that the array is
    read-only; when the block raises, it vanishes.

    Parameters
    ----------
    path : str or path
        Where to; see :func:`can_be_mapped`.
    n : int
        The length of the board.

    Yields
    ------
    (n,) int32 array, uint32 from n = 2^31 on
        ``queens[c]`` from 0 to n - 1, to be written by the caller; what stands in it at first means nothing.

    Raises
    ------
    InputError
        For what is no ``.npy`` file, and where the file cannot be written or the disk is too small for it.
    MemoryError
        Where the address space of this process is too small for the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "four.npy")
    ...     with mapped_board(file, 4) as queens:
    ...         queens[:] = [1, 3, 0, 2]
    ...         before = file.exists()
    ...     before, read_board(file)
    (False, array([1, 3, 0, 2], dtype=int32))

    """
    dtype = np.dtype(row_dtype(check_n(n)))
    if not can_be_mapped(path):
        raise InputError(f"{os.fspath(path)}: only an .npy file, no pipe and no device, can be mapped")
    with whole_file(path) as file:
        header = _npy_header(dtype, n)
        file.write(header)
        file.flush()
        claim_space(file, len(header), n * dtype.itemsize)
        mapped = _mapped(file, dtype, len(header), n, os.fspath(path))
        queens = mapped.view(np.ndarray)
        yield queens
        mapped.flush()
        queens.flags.writeable = False


def claim_space(file: IO[bytes], header: int, n_bytes: int) -> None:
    """Claim disk space for a file that will be mapped: where it runs out later, the process is killed (SIGBUS).

    ``header`` bytes are written already, ``n_bytes`` more will be mapped.
    """
    if reserve(file.fileno(), header + n_bytes):
        return
    for first in range(0, n_bytes, _BLOCK):
        file.write(bytes(min(_BLOCK, n_bytes - first)))
    file.flush()


def _mapped(file: IO[bytes], dtype: np.dtype[Any], offset: int, n: int, name: str) -> np.memmap[Any, Any]:
    try:
        return np.memmap(file, dtype, "r+", offset, (n,))
    except OSError as error:
        if error.errno != errno.ENOMEM:
            raise
        needed = n * dtype.itemsize
        raise MemoryError(f"{name}: {address_space_needed(needed)}") from error


def write_board_text(stream: IO[str] | IO[bytes], queens: Any, *, rows_from: int = 0) -> None:
    """Write a board to an open stream, one row a line, and flush it.

    Raises
    ------
    InputError
        For what is no board, and where the stream's disk is full. ``BrokenPipeError`` passes through.

    """
    _check_rows_from(rows_from)
    blocks = _text_content(as_queens(queens), rows_from)
    try:
        if isinstance(stream, io.TextIOBase):
            stream.writelines(block.decode("ascii") for block in blocks)
        else:
            cast("IO[bytes]", stream).writelines(blocks)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{getattr(stream, 'name', 'output')}: {error.strerror or error}") from error


def number_lines(stream: IO[bytes], name: str, header: str) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Read lines of whole numbers, strictly, in blocks of bounded size.

    Accepted beside the numbers: blanks around them, CRLF, blank lines at the end, a byte order mark, the header where
    there is one. Numbers beyond int64 come back as its largest or smallest value: no board is as large.

    Parameters
    ----------
    stream : binary stream
        Read to its end.
    name : str
        What error messages call the file.
    header : str
        The names of the fields, with commas between, as the first line may hold them. Without a comma: one number a
        line, no header.

    Yields
    ------
    (int, (k, fields) int64 array)
        The number of the block's first line, from 1, and the numbers.

    """
    fields = header.count(",") + 1
    first_blank = 0
    for line, chunk in _whole_lines(stream, name):
        # For those that are still to come together: the input may have no end.
        check_memory(_BYTES_A_NUMBER * fields * line, f"a board of the {line:,} lines so far in {name}")
        if line == 1 and fields > 1 and _is_header(chunk, header):
            chunk, line = chunk[chunk.index(b"\n") + 1 :], 2
        numbers = None if first_blank else _plain_numbers(chunk, fields)
        if numbers is None:
            numbers, first_blank = _exact_numbers(chunk, line, first_blank, name, header)
        if len(numbers):
            yield line, numbers


def check_range(numbers: NDArray[Any], low: int, high: int, place: Place, what: str) -> None:
    """Raise :class:`InputError` for the first number outside low ... high.

    Works piece by piece, so that a mapped file stays on disk.

    >>> check_range(np.array([0, 2]), 0, 1, lambda i: f"board.txt: line {i + 1}", "rows")
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: board.txt: line 2 holds 2, rows go from 0 to 1
    """
    for first in range(0, len(numbers), _PIECE):
        piece = numbers[first : first + _PIECE]
        if int(piece.min()) < low or int(piece.max()) > high:
            # Python integers, since low and high need not fit into the dtype.
            at, value = next((at, value) for at, value in enumerate(piece.tolist()) if not low <= value <= high)
            shown = "a number of 19 digits or more" if value in _INT64_LIMITS else str(value)
            raise InputError(f"{place(first + at)} holds {shown}, {what} go from {low} to {high}")


def integers(values: Any, place: str) -> NDArray[np.int64]:
    """Take a list out of parsed JSON that must hold whole numbers only; beyond int64 as in :func:`number_lines`.

    >>> integers([1, 2.5], "trace.json: pairs")
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: trace.json: pairs[1] holds 2.5, a whole number is needed
    """
    if not isinstance(values, list):
        raise InputError(f"{place} holds {_shortened(repr(values))}, a list of whole numbers is needed")
    if not set(map(type, values)) <= {int}:
        at = next(at for at, value in enumerate(values) if type(value) is not int)
        raise InputError(f"{place}[{at}] holds {_shortened(repr(values[at]))}, a whole number is needed")
    try:
        return np.array(values, np.int64)
    except OverflowError:
        return np.array([_within_int64(value) for value in values], np.int64)


def load_json(file: IO[bytes], name: str) -> Any:
    """Parse a JSON file; whatever is wrong with it, a key that stands twice included, is an :class:`InputError`."""
    return _parse_json(all_bytes(file, name), name)


def all_bytes(stream: IO[bytes], name: str) -> bytes:
    """Read a stream to its end, as long as there is memory: it may have none."""
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(_LARGE_BLOCK):
        pieces.append(piece)
        size += len(piece)
        check_memory(size, f"reading the {size:,} bytes so far in {name}")
    return b"".join(pieces)


# Reading


def _check_rows_from(rows_from: int) -> None:
    if rows_from not in (0, 1):
        raise InputError(f"rows_from is {rows_from!r}: rows are counted from 0 or from 1")


def _read_text(stream: IO[bytes], name: str, rows_from: int) -> Queens:
    blocks = [_narrowed(numbers[:, 0]) for _, numbers in number_lines(stream, name, "row")]
    return _as_board(_joined(blocks), rows_from, name, lambda index: f"{name}: line {index + 1}")


def _read_csv(stream: IO[bytes], name: str, rows_from: int) -> Queens:
    first_line = 1
    column_blocks: list[NDArray[Any]] = []
    row_blocks: list[NDArray[Any]] = []
    for line, numbers in number_lines(stream, name, _CSV_HEADER):
        first_line = first_line if column_blocks else line
        column_blocks.append(_narrowed(numbers[:, 0]))
        row_blocks.append(_narrowed(numbers[:, 1]))

    def place(index: int) -> str:
        return f"{name}: line {first_line + index}"

    queens = _as_board(_joined(row_blocks), rows_from, name, place)
    columns = _joined(column_blocks)
    check_range(columns, 0, len(columns) - 1, place, f"{len(columns)} lines make a board whose columns")
    return _in_column_order(queens, columns, place)


def _in_column_order(queens: Queens, columns: NDArray[Any], place: Place) -> Queens:
    """Sort the rows by column; all columns are on the board already."""
    seen = np.zeros(len(columns), np.bool_)
    seen[columns] = True
    if not seen.all():
        earlier: set[int] = set()
        for index, column in enumerate(columns.tolist()):
            if column in earlier:
                missing = int(np.argmin(seen))
                raise InputError(f"{place(index)} holds column {column} again, column {missing} is missing")
            earlier.add(column)
    ordered = np.empty_like(queens)
    ordered[columns] = queens
    return ordered


def _read_npy(file: IO[bytes], name: str, rows_from: int) -> Queens:
    needed = "needed is a one-dimensional array of integers, as numpy.save writes it"
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{name}: .npy is read from regular files only")
    begin = file.read(6)
    if not begin:
        raise InputError(f"{name}: it is empty; {needed}")
    if begin != b"\x93NUMPY":
        raise InputError(f"{name}: this is no .npy file, it begins with {begin!r}; {needed}")
    try:
        with np.errstate(over="raise"):  # a warning of NumPy's for what is refused all the same
            rows = np.load(name, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # NumPy lets through whatever a broken header sets off
        raise InputError(f"{name}: it cannot be read as .npy ({error}); {needed}") from error
    if rows.ndim != 1:
        raise InputError(f"{name}: the array has shape {rows.shape}; {needed}")
    if rows.dtype.kind not in "iu":
        raise InputError(f"{name}: the array holds {rows.dtype}; {needed}")
    surplus = status.st_size - rows.offset - rows.nbytes
    if surplus and len(rows):
        raise InputError(f"{name}: {surplus} bytes follow the array; {needed}")
    rows = rows if status.st_size >= _MAPPED_FROM else np.array(rows)
    return _as_board(rows, rows_from, name, lambda c: f"{name}: column {c}")


def _read_json(file: IO[bytes], name: str, rows_from: int) -> Queens:
    data = all_bytes(file, name)
    if not data.strip():
        raise InputError(f"{name}: it is empty")
    rows = _plain_json(data)
    if rows is None:
        rows = _exact_json(data, name)
    return _as_board(rows, rows_from, name, lambda c: f"{name}: queens[{c}]")


_READERS: dict[str, Callable[[IO[bytes], str, int], Queens]] = {
    ".npy": _read_npy,
    ".txt": _read_text,
    ".csv": _read_csv,
    ".json": _read_json,
}


def _as_board(rows: NDArray[Any], rows_from: int, name: str, place: Place) -> Queens:
    """Check rows in the file's own counting, then give them back from 0 and in the board's dtype."""
    n = len(rows)
    if n == 0:
        raise InputError(f"{name}: it is empty; a board has at least 1 queen")
    dtype = row_dtype(check_n(n))
    check_range(rows, rows_from, n - 1 + rows_from, place, "rows")
    if rows_from == 0 and rows.dtype == dtype:
        return rows
    queens: NDArray[Any] = np.empty(n, dtype)
    for first in range(0, n, _PIECE):
        queens[first : first + _PIECE] = rows[first : first + _PIECE].astype(np.int64) - rows_from
    return queens


def _narrowed(numbers: NDArray[np.int64]) -> NDArray[Any]:
    """Halve the memory of rows on their way; what no board holds stays wide, to be reported."""
    if numbers.min() < 0 or numbers.max() >= 2**32:
        return numbers.copy()
    return numbers.astype(np.uint32)


def _joined(blocks: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(blocks) if blocks else np.empty(0, np.uint32)


# Lines of numbers


def _whole_lines(stream: IO[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """Yield chunks that end with a line, and the number of their first line."""
    line = 1
    rest = stream.read(3).removeprefix(b"\xef\xbb\xbf")
    while block := stream.read(_BLOCK):
        lines, newline, after = (rest + block).rpartition(b"\n")
        rest = after
        if newline:
            yield line, lines + newline
            line += lines.count(b"\n") + 1
        if len(rest) > 2 * _BLOCK:
            raise InputError(f"{name}: line {line} has over {len(rest)} bytes; this is no text with a number a line")
    if rest:
        yield line, rest + b"\n"


def _is_header(chunk: bytes, header: str) -> bool:
    first_line = chunk[: chunk.index(b"\n")]
    return [name.strip(b' \t\r"') for name in first_line.split(b",")] == header.encode().split(b",")


def _plain_numbers(chunk: bytes, fields: int) -> NDArray[np.int64] | None:
    """Lines without anything but digits, commas and line ends, parsed fast; None for all others, right or wrong."""
    plain = chunk.replace(b"\r\n", b"\n")
    separators = plain.translate(None, b"0123456789")
    line_of_them = b"," * (fields - 1) + b"\n"
    if separators != line_of_them * (len(separators) // fields):
        return None
    plain = plain.replace(b",", b"\n")
    if not plain or plain.startswith(b"\n") or b"\n\n" in plain:
        return None
    return np.fromstring(plain, np.int64, sep="\n").reshape(-1, fields)


def _exact_numbers(chunk: bytes, line: int, first_blank: int, name: str, header: str) -> tuple[NDArray[np.int64], int]:
    """Parse line by line; gives the numbers and the first blank line so far (0: none)."""
    fields = header.count(",") + 1
    numbers: list[int] = []
    for line_number, raw in enumerate(chunk.split(b"\n")[:-1], line):
        text = raw.removesuffix(b"\r").strip(b" \t")
        if not text:
            first_blank = first_blank or line_number
            continue
        if first_blank:
            raise InputError(f"{name}: line {first_blank} is blank; blank lines may stand at the end only")
        parts = [part.strip(b" \t") for part in text.split(b",")] if fields > 1 else [text]
        if len(parts) != fields:
            raise InputError(f"{name}: line {line_number} holds {_shown(text)}, {fields} numbers are needed: {header}")
        for part in parts:
            short = part.isdigit() and len(part) < 19
            numbers.append(int(part) if short else _whole_number(part, f"{name}: line {line_number}"))
    return np.array(numbers, np.int64).reshape(-1, fields), first_blank


def _whole_number(text: bytes, place: str) -> int:
    """Digits, with a minus sign at most: no plus sign, underscore, point, or digit of another script."""
    digits = text.removeprefix(b"-")
    if not digits.isdigit():
        raise InputError(f"{place} holds {_shown(text)}, a whole number is needed")
    # Cut to 20 digits, which int64 does not hold anyway: Python refuses to convert thousands.
    number = int(digits) if len(digits) < 20 else int(digits.lstrip(b"0")[:20] or b"0")
    return _within_int64(-number if text.startswith(b"-") else number)


def _within_int64(number: int) -> int:
    return max(_INT64_LIMITS[0], min(number, _INT64_LIMITS[1]))


def _shown(text: bytes) -> str:
    try:
        return _shortened(repr(text[:200].decode()))
    except UnicodeDecodeError:
        return _shortened(repr(text[:200].decode("latin-1")))


def _shortened(text: str) -> str:
    return text if len(text) <= 50 else f"{text[:40]} ..."


# JSON


def _plain_json(data: bytes) -> NDArray[np.int64] | None:
    """The board of a file laid out as this module writes it, parsed fast; None for all others, right or wrong."""
    head = re.match(rb'(?:\{"n": (0|[1-9][0-9]{0,9}), "queens": )?\[', data)
    tail = re.search(rb"\](\})?\n?\Z", data[-3:])
    if not head or not tail or bool(head[1]) != bool(tail[1]):
        return None
    end = len(data) - len(tail[0])
    blocks: list[NDArray[Any]] = []
    first = head.end()
    after = -1
    while after != end:
        after = data.find(b",", min(first + _BLOCK, end), end)
        after = end if after < 0 else after
        block = data[first:after].replace(b", ", b",")
        # A line end between two numbers or a zero before one is no JSON, though it passes as text.
        if b"\n" in block or b"\r" in block or re.search(rb",0[0-9]", b"," + block):
            return None
        numbers = _plain_numbers(block.replace(b",", b"\n") + b"\n", 1)
        if numbers is None:
            return None
        blocks.append(_narrowed(numbers[:, 0]))
        first = after + 1 + (data[after + 1 : after + 2] == b" ")
    rows = _joined(blocks)
    return None if head[1] and int(head[1]) != len(rows) else rows


def _exact_json(data: bytes, name: str) -> NDArray[np.int64]:
    board = _parse_json(data, name)
    if isinstance(board, list):
        return integers(board, f"{name}: queens")
    if not isinstance(board, dict) or "queens" not in board:
        raise InputError(f'{name}: a list of rows is needed, or an object with "queens"')
    rows = integers(board["queens"], f"{name}: queens")
    n = board.get("n", len(rows))
    if type(n) is not int or n != len(rows):
        raise InputError(f"{name}: n is {_shortened(repr(n))}, but queens holds {len(rows)} rows")
    return rows


def _parse_json(data: bytes, name: str) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_without_repetition)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{name}: line {error.lineno}, character {error.colno}: no JSON ({error.msg})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start + 1} is no UTF-8; JSON is text") from error
    except RecursionError as error:
        raise InputError(f"{name}: brackets in brackets, too deep to read; a flat list is needed") from error
    except ValueError as error:
        raise InputError(f"{name}: a number in it has thousands of digits") from error


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key {_shortened(repr(repeated))} stands twice in one object")
    return made


# Writing


def lines_of_numbers(line: str, columns: NDArray[Any]) -> bytes:
    """Write an array of shape (k, fields) as k lines: ``line`` has a ``%d`` for every field.

    >>> lines_of_numbers("%d,%d;", np.array([[0, 1], [1, 3]]))
    b'0,1;1,3;'
    """
    return ((line * len(columns)) % tuple(columns.ravel().tolist())).encode("ascii")


def _text_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    for _, rows in _pieces(queens, rows_from):
        yield lines_of_numbers("%d\n", rows)


def _csv_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    yield f"{_CSV_HEADER}\n".encode()
    for first, rows in _pieces(queens, rows_from):
        yield lines_of_numbers("%d,%d\n", np.column_stack((np.arange(first, first + len(rows)), rows)))


def _json_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    yield f'{{"n": {len(queens)}, "queens": '.encode()
    yield from json_list(rows for _, rows in _pieces(queens, rows_from))
    yield b"}\n"


def json_list(pieces: Iterator[NDArray[Any]]) -> Iterator[bytes]:
    """Write the numbers of several arrays as one JSON list.

    >>> b"".join(json_list(iter([np.array([1, 3]), np.array([0])])))
    b'[1, 3, 0]'
    """
    yield b"["
    separators = itertools.chain([2], itertools.repeat(0))
    for piece, cut in zip(pieces, separators, strict=False):
        yield lines_of_numbers(", %d", piece)[cut:]
    yield b"]"


def _npy_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    yield _npy_header(queens.dtype, len(queens))
    for _, rows in _pieces(queens, rows_from):
        yield rows.tobytes()


def _npy_header(dtype: np.dtype[Any], n: int) -> bytes:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": dtype.str, "fortran_order": False, "shape": (n,)})
    return header.getvalue()


_CONTENTS: dict[str, Callable[[Queens, int], Iterator[bytes]]] = {
    ".npy": _npy_content,
    ".txt": _text_content,
    ".csv": _csv_content,
    ".json": _json_content,
}


def _pieces(queens: Queens, rows_from: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the first column of each piece and the rows in it, in the file's counting and the board's dtype."""
    for first in range(0, len(queens), _PIECE):
        yield first, queens[first : first + _PIECE] + queens.dtype.type(rows_from)
