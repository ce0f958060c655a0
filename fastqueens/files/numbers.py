"""Numbers in files: tables of whole numbers in text, arrays in archives, ranges, and the lines that are written."""

from __future__ import annotations

import io
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import IO, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens.errors import InputError, NotEnoughMemoryError
from fastqueens.files.text import printed, shortened

#: Bytes of text that are read at once.
BLOCK = 1 << 20

#: Numbers that are checked or written at once: they bound the extra memory.
PIECE = 1 << 17

#: Ends the message about an array that is not a board.
ARRAY_NEEDED = "an array of whole numbers is needed, of shape (n,) or (boards, n)"

#: Arrays can be this many times as large as their archive, or have this many bytes, whichever is more.
_MOST_COMPRESSION = 100
_MOST_UNPACKED = 50_000_000

#: A comment has a word of two letters or digits, or nothing. Otherwise the mark can be a square of a drawing.
COMMENT = re.compile(rb"#(?:[^\n]{0,200}?[0-9A-Za-z\x80-\xff]{2}[^\n]*|[ \t]*$)", re.MULTILINE)

_HAS_BRACKET = re.compile(rb"[\[\](){}]")
_LAST_SEPARATOR = re.compile(r"[,;][ \t]*(?=\n)")

#: All brackets become square ones, and a line end inside of them is a blank.
_IN_BRACKETS = str.maketrans("({})\n", "[[]] ")

_REAL = re.compile(rb"(?<![^\s,;\[(])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?(?![^\s,;\])])")
_NUMBER = re.compile(r"[-+]?\d+", re.ASCII)

#: Tells where the number with a given index is, for example "board.txt: line 3".
Place: TypeAlias = Callable[[int], str]


class NotNumbersError(InputError):
    """A text holds something that is not a whole number."""


class NumberTable(NamedTuple):
    """Whole numbers in a (lines, width) array, of int64 if they do not fit into uint32.

    ``skipped`` are the lines of the text, from 1, that hold no numbers. With ``is_bracketed``, a line is what a pair of
    brackets encloses.
    """

    numbers: NDArray[Any]
    skipped: NDArray[np.int64]
    is_bracketed: bool = False

    def place(self, at: int) -> str:
        """Return where a line of the table is in the text: "line 3" or "list 3"."""
        before = int(np.searchsorted(self.skipped - np.arange(len(self.skipped)), at + 1, side="right"))
        return f"{'list' if self.is_bracketed else 'line'} {at + 1 + before}"


def read_table(stream: IO[bytes], name: str, *, begun: bytes = b"", skipped: int = 0) -> NumberTable:
    """Read lines of whole numbers to the end of a stream, of which ``begun`` and ``skipped`` lines were read before.

    Blanks, commas or semicolons separate numbers, ``#`` begins a comment, and blank lines do not count. If the first
    numbers are in brackets, each innermost pair of brackets encloses a line. A number can have a fraction of 0. Raises
    :class:`NotNumbersError` for anything else, and :class:`InputError` if lines differ in length.
    """
    text = _Text(stream, name, begun, skipped)
    with warnings.catch_warnings(action="ignore"):  # that there are no numbers
        warnings.simplefilter("error", DeprecationWarning)  # NumPy 1.26 would cut a fraction off
        try:
            numbers = np.loadtxt(text.lines(), np.int64, comments=None, delimiter=text.separator, ndmin=2)
        except InputError:
            raise
        except (ValueError, DeprecationWarning):
            raise text.error() from None
    if numbers.size and numbers.min() >= 0 and numbers.max() < 2**32:
        numbers = numbers.astype(np.uint32)
    return NumberTable(numbers, np.array(text.skipped, np.int64), text.is_bracketed)


def unpacked(file: IO[bytes], name: str, parts: Sequence[str], needed: str) -> dict[str, NDArray[Any]]:
    """Return those of the named arrays that an ``.npz`` file holds; an error message ends with ``needed``.

    An archive that is much larger when unpacked is refused: it would take seconds per megabyte.
    """
    try:
        # Odd headers make Python and NumPy warn.
        with warnings.catch_warnings(action="ignore"), np.load(file, allow_pickle=False) as content:
            # No more is unpacked than the sizes its members state.
            size, unpacked_size = file.seek(0, os.SEEK_END), sum(member.file_size for member in content.zip.infolist())
            check_memory(unpacked_size, f"unpacking {name}")
            if unpacked_size > max(_MOST_UNPACKED, _MOST_COMPRESSION * size):
                raise InputError(
                    f"{name}: it unpacks to {unpacked_size:,} bytes, more than {_MOST_COMPRESSION} times its size; "
                    "write it without compression, as numpy.savez does"
                )
            return {part: np.asarray(content[part]) for part in parts if part in content}
    except (InputError, NotEnoughMemoryError):
        raise
    except Exception as error:  # a broken file can cause almost any exception in NumPy and zipfile
        raise InputError(f"{name}: it cannot be read as .npz ({shortened(str(error), 200)}); {needed}") from error


def check_range(numbers: NDArray[Any], low: int, high: int, place: Place, what: str) -> None:
    """Raise :class:`InputError` for the first number below low or above high; a mapped array stays on disk."""
    for first in range(0, len(numbers), PIECE):
        piece = numbers[first : first + PIECE]
        if int(piece.min()) < low or int(piece.max()) > high:
            # Python integers, since low and high need not fit into the dtype.
            for at, value in enumerate(piece.tolist()):
                if not low <= value <= high:
                    raise InputError(f"{place(first + at)} holds {value}; {what} go from {low} to {high}")


def pieces_of(values: NDArray[Any], offset: int = 0) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the first index of each piece of an array, and its values plus ``offset``, in the array's dtype."""
    for first in range(0, len(values), PIECE):
        yield first, values[first : first + PIECE] + values.dtype.type(offset)


def lines_of_numbers(line: str, columns: NDArray[Any]) -> bytes:
    """Format an array of shape (k, fields) as k lines; ``line`` has a ``%d`` for each field."""
    return ((line * len(columns)) % tuple(columns.ravel().tolist())).encode("ascii")


class _Text:
    """The lines of numbers in a text: ``line`` was read last, and is line ``number``; ``skipped`` hold no numbers."""

    def __init__(self, stream: IO[bytes], name: str, begun: bytes, skipped: int) -> None:
        self._stream, self._name, self._begun = stream, name, io.BytesIO(begun)
        self.number, self.line = skipped, ""
        self.skipped = list(range(1, skipped + 1))
        self._width = 0
        # The first numbers tell how all are separated.
        blocks, begin = self._blocks(), b""
        for block in blocks:
            begin += block
            if block.strip():
                break
        self._all_blocks = chain([begin], blocks)
        self.is_bracketed = _HAS_BRACKET.search(begin) is not None
        self.separator = next((mark for mark in ",;" if mark.encode() in begin), None)

    def lines(self) -> Iterator[str]:
        """Yield the lines that hold numbers."""
        begun: list[str] = []  # the parts of a list in brackets that no bracket has closed yet
        depth = 0
        for block in self._all_blocks:
            text = block.decode("latin-1")
            if self.is_bracketed:
                text = text.translate(_IN_BRACKETS)
                depth += text.count("[") - text.count("]")
            elif self.separator:
                text = _LAST_SEPARATOR.sub("", text)
            *lines, rest = text.split("]" if self.is_bracketed else "\n")
            if lines:
                lines[0] = "".join([*begun, lines[0]])
                begun.clear()
            begun.append(rest)
            for each in lines:
                line = self._inside(each) if self.is_bracketed else each
                if line and not line.isspace():
                    self.number += 1
                    self.line = line
                    yield line
                    self._width = self._width or len(line.split(self.separator))
                elif not self.is_bracketed:
                    self.number += 1
                    self.skipped.append(self.number)
        if depth:
            raise InputError(f"{self._name}: brackets do not match, so a part may be missing")
        self._check_outside("".join(begun))

    def error(self) -> InputError:
        """Return what is wrong in the line that was read last."""
        kind = f"{self._name}: {'list' if self.is_bracketed else 'line'} {self.number}"
        words = self._words()
        odd = next((word for word in words if not _NUMBER.fullmatch(word)), None)
        if odd is not None:
            return NotNumbersError(f"{kind} holds {printed(odd.encode('latin-1'))}; a whole number is needed")
        if len(words) != self._width and self._width:
            held = f"holds {counted(len(words), 'number')}, and the ones before hold {self._width}"
            hint = "if the first line is n, remove it" if self._width == 1 else "all lines need as many numbers"
            return InputError(f"{kind} {held}; {hint}")
        return InputError(f"{kind} holds a number of 19 digits or more")

    def _words(self) -> list[str]:
        return [word.strip() for word in self.line.split(self.separator)]

    def _inside(self, text: str) -> str:
        """Return the numbers behind the last bracket that opens."""
        before, bracket, inside = text.rpartition("[")
        self._check_outside(before if bracket else text)
        return inside.rstrip().removesuffix(self.separator or " ") if bracket else ""

    def _check_outside(self, text: str) -> None:
        """Raise :class:`NotNumbersError` if numbers or words are not in a pair of brackets."""
        outside = text.strip("[,; \t\r\n")[:200]
        if outside:
            raise NotNumbersError(f"{self._name}: {printed(outside.encode('latin-1'))} stands outside of brackets")

    def _blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks that end with a line, without comments and with Unix line ends."""
        rest: list[bytes] = []
        total = 0
        while block := self._begun.read(BLOCK) or self._stream.read(BLOCK):
            total += len(block)
            # In each block, since the input can be endless. A number has at least two bytes, and takes eight.
            check_memory(4 * total, f"reading the {total:,} bytes so far in {self._name}")
            end, newline, after = block.rpartition(b"\n")
            if newline:
                yield _plain(b"".join([*rest, end, newline]))
                rest.clear()
            rest.append(after)
        if any(rest):
            yield _plain(b"".join([*rest, b"\n"]))


def _plain(block: bytes) -> bytes:
    """Return a block without comments, fractions of 0, and line ends of other systems."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"#" in block:
        block = COMMENT.sub(b"", block)
    return _REAL.sub(_whole, block) if any(mark in block for mark in (b".", b"e", b"E", b"+")) else block


def _whole(found: re.Match[bytes]) -> bytes:
    """Return a number without its fraction if that is 0."""
    number = float(found[0])
    is_plain = found[0].isdigit() or not number.is_integer() or abs(number) >= 2.0**53
    return found[0] if is_plain else b"%d" % int(number)
