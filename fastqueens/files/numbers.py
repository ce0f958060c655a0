"""Numbers in files: tables in text, arrays in archives, checks of ranges, and formatting of lines."""

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
from fastqueens.errors import InputError, NotEnoughMemoryError, is_raised_in
from fastqueens.files.text import check_repetition, printed, shortened

#: The bytes of text that are read at once.
BLOCK = 1 << 20

#: The bytes of text before the reader looks for endless input, and the bytes that lines of numbers consist of.
_UNCHECKED = 1 << 24
_OF_NUMBERS = b"0123456789+-.eE,;[](){} \t\r\n"

#: The numbers that are checked or written at once, which bounds the additional memory.
PIECE = 1 << 17

#: The end of messages about arrays that are not boards.
ARRAY_NEEDED = "boards must be an array of whole numbers, of shape (n,) or (boards, n)"

#: The packages whose errors mean that a file of arrays is broken.
READING_ARRAYS = ("ast", "fastqueens", "numpy", "struct", "tokenize", "zipfile")

#: The most bytes of the arrays in an archive: this multiple of its size, or this number, whichever is more.
_MOST_COMPRESSION = 100
_MOST_UNPACKED = 50_000_000

#: A comment is empty or has a word of at least two letters or digits. Any other # can be a square of a drawing.
COMMENT = re.compile(rb"#(?:[^\n]{0,200}?[0-9A-Za-z\x80-\xff]{2}[^\n]*|[ \t]*$)", re.MULTILINE)

_HAS_BRACKET = re.compile(rb"[\[\](){}]")
_LAST_SEPARATOR = re.compile(r"[,;][ \t]*(?=\n)")

#: All brackets become square brackets, and line ends become blanks.
_IN_BRACKETS = str.maketrans("({})\n", "[[]] ")

_REAL = re.compile(rb"(?<![^\s,;\[(])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?(?![^\s,;\])])")
_NUMBER = re.compile(r"[-+]?\d+", re.ASCII)

#: A function that returns the place of the number with a given index, for example "board.txt: line 3".
Place: TypeAlias = Callable[[int], str]


class NotNumbersError(InputError):
    """The error for a text that holds something other than whole numbers."""


class NumberTable(NamedTuple):
    """Whole numbers in a (lines, width) array of uint32, or of int64 if they do not fit.

    ``skipped`` lists the lines of the text, counted from 1, that hold no numbers. With ``is_bracketed``, each line of
    the table is the content of a pair of brackets.
    """

    numbers: NDArray[Any]
    skipped: NDArray[np.int64]
    is_bracketed: bool = False

    def place(self, at: int) -> str:
        """Return the place of a line of the table in the text: "line 3" or "list 3"."""
        before = int(np.searchsorted(self.skipped - np.arange(len(self.skipped)), at + 1, side="right"))
        return f"{'list' if self.is_bracketed else 'line'} {at + 1 + before}"


def read_table(stream: IO[bytes], name: str, *, begun: bytes = b"", skipped: int = 0) -> NumberTable:
    """Return the lines of whole numbers up to the end of a stream.

    The text ``begun`` and the ``skipped`` lines before it were already read from the stream. Numbers are separated by
    blanks, commas or semicolons, ``#`` begins a comment, and blank lines are ignored. If the first numbers are in
    brackets, each innermost pair of brackets encloses a line. Numbers can have a fraction of 0. Raises
    :class:`NotNumbersError` for any other text, and :class:`InputError` if lines differ in length.
    """
    text = _Text(stream, name, begun, skipped)
    with warnings.catch_warnings(action="ignore"):  # NumPy warns if there are no numbers
        warnings.simplefilter("error", DeprecationWarning)  # NumPy 1.26 would truncate a fraction
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
    """Return the arrays of an ``.npz`` file that are listed in ``parts``; error messages end with ``needed``.

    An archive that is much larger when unpacked is refused, since each of its megabytes could take seconds.
    """
    try:
        # Unusual headers cause warnings in Python and NumPy.
        with warnings.catch_warnings(action="ignore"), np.load(file, allow_pickle=False) as content:
            # Unpacking a member stops at the size that the member states.
            size, unpacked_size = file.seek(0, os.SEEK_END), sum(member.file_size for member in content.zip.infolist())
            check_memory(unpacked_size, f"unpacking {name}")
            if unpacked_size > max(_MOST_UNPACKED, _MOST_COMPRESSION * size):
                raise InputError(
                    f"{name} unpacks to {unpacked_size:,} bytes, more than {_MOST_COMPRESSION} times its size; write "
                    "it without compression, as numpy.savez does"
                )
            return {part: np.asarray(content[part]) for part in parts if part in content}
    except (InputError, NotEnoughMemoryError):
        raise
    except Exception as error:  # a broken file can cause almost any exception in NumPy and zipfile
        if not is_raised_in(error, *READING_ARRAYS):
            raise
        raise InputError(f"{name} cannot be read as .npz ({shortened(str(error), 200)}); {needed}") from error


def check_range(numbers: NDArray[Any], low: int, high: int, place: Place, what: str) -> None:
    """Raise :class:`InputError` for the first number that is not between low and high; a mapped array stays on disk."""
    for first in range(0, len(numbers), PIECE):
        piece = numbers[first : first + PIECE]
        if int(piece.min()) < low or int(piece.max()) > high:
            # The comparison needs Python integers, since low and high need not fit into the dtype.
            for at, value in enumerate(piece.tolist()):
                if not low <= value <= high:
                    raise InputError(f"{place(first + at)} holds {value}; {what} go from {low} to {high}")


def pieces_of(values: NDArray[Any], offset: int = 0) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the first index of each piece of an array and its values plus ``offset``, in the dtype of the array."""
    for first in range(0, len(values), PIECE):
        yield first, values[first : first + PIECE] + values.dtype.type(offset)


def lines_of_numbers(line: str, columns: NDArray[Any]) -> bytes:
    """Return a (k, fields) array as k lines of text; ``line`` has a ``%d`` for each field."""
    return ((line * len(columns)) % tuple(columns.ravel().tolist())).encode("ascii")


class _Text:
    """The lines of numbers in a text. ``line`` is the last one, and ``number`` its number; ``skipped`` are others."""

    def __init__(self, stream: IO[bytes], name: str, begun: bytes, skipped: int) -> None:
        self._stream, self._name, self._begun = stream, name, io.BytesIO(begun)
        self.number, self.line = skipped, ""
        self.skipped = list(range(1, skipped + 1))
        self._width = 0
        # The first numbers determine the separator of all.
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
        begun: list[str] = []  # the parts of a list whose closing bracket is still to come
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
            raise InputError(f"{self._name}: brackets do not match; a part of the text can be missing")
        self._check_outside("".join(begun))

    def error(self) -> InputError:
        """Return the error that describes the fault of the line that was read last."""
        kind = f"{self._name}: {'list' if self.is_bracketed else 'line'} {self.number}"
        words = self._words()
        odd = next((word for word in words if not _NUMBER.fullmatch(word)), None)
        if odd is not None:
            return NotNumbersError(f"{kind} holds {printed(odd.encode('latin-1'))}, which is not a whole number")
        if len(words) != self._width and self._width:
            held = f"holds {counted(len(words), 'number')}, but the lines before hold {self._width:,}"
            hint = "if the first line is n, remove it" if self._width == 1 else "all lines must be equally long"
            return InputError(f"{kind} {held}; {hint}")
        return InputError(f"{kind} holds a number of 19 digits or more")

    def _words(self) -> list[str]:
        return [word.strip() for word in self.line.split(self.separator)]

    def _inside(self, text: str) -> str:
        """Return the numbers after the last opening bracket."""
        before, bracket, inside = text.rpartition("[")
        self._check_outside(before if bracket else text)
        return inside.rstrip().removesuffix(self.separator or " ") if bracket else ""

    def _check_outside(self, text: str) -> None:
        """Raise :class:`NotNumbersError` if there are numbers or words outside of brackets."""
        outside = text.strip("[,; \t\r\n")[:200]
        if outside:
            raise NotNumbersError(f"{self._name}: {printed(outside.encode('latin-1'))} is outside of brackets")

    def _blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks of whole lines, without comments and with Unix line ends."""
        rest: list[bytes] = []
        total = 0
        while block := self._begun.read(BLOCK) or self._stream.read(BLOCK):
            total += len(block)
            # Checked for each block, since the input can be endless. A number has two bytes or more, and needs eight.
            check_memory(4 * total, f"reading the {total:,} bytes so far in {self._name}")
            end, newline, after = block.rpartition(b"\n")
            if total > _UNCHECKED:
                check_repetition(block, self._stream, self._name)
                if not newline and (block.isdigit() or block.translate(None, _OF_NUMBERS)):
                    raise NotNumbersError(
                        f"{self._name}: a line of {len(block):,} bytes or more is not a row of numbers"
                    )
            if newline:
                yield _plain(b"".join([*rest, end, newline]))
                rest.clear()
            rest.append(after)
        if any(rest):
            yield _plain(b"".join([*rest, b"\n"]))


def _plain(block: bytes) -> bytes:
    """Return a block without comments and fractions of 0, and with Unix line ends."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"#" in block:
        block = COMMENT.sub(b"", block)
    return _REAL.sub(_whole, block) if any(mark in block for mark in (b".", b"e", b"E", b"+")) else block


def _whole(found: re.Match[bytes]) -> bytes:
    """Return a number without its fraction if the fraction is 0."""
    number = float(found[0])
    is_plain = found[0].isdigit() or not number.is_integer() or abs(number) >= 2.0**53
    return found[0] if is_plain else b"%d" % int(number)
