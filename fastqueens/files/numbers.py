"""Tables of whole numbers in text, which are read in blocks of bounded size."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError, counted
from fastqueens.core.memory import check_memory
from fastqueens.files.text import printed

#: Bytes of text that are parsed at once; they bound the extra memory.
BLOCK = 1 << 20

#: A line of more bytes is parsed in pieces.
LONG = 1 << 20

_HAS_BRACKET = re.compile(rb"[\[\](){}]")
_COMMENT = re.compile(rb"#[^\n]*")

#: Separators become blanks. If brackets enclose the numbers, the end of a bracket ends a line, and nothing else does.
_PLAIN = bytes.maketrans(b"\t\v\f,;", b"     ")
_IN_BRACKETS = bytes.maketrans(b"\t\v\f,;\n[({])}", b"         \n\n\n")

#: The kinds of characters, for a look at what is beside what; and those that are left out.
_KINDS = bytes.maketrans(b"123456789-+.eE;({)}", b"00000000000000,[[]]")
_BLANKS = b" \t\v\f"

_DIGITS = b"0123456789 \n-"
_REALS = b"0123456789 \n-+.eE"
_NUMBER = re.compile(rb"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?")

#: A sign that does not begin a number.
_ODD_SIGN = re.compile(rb"[^ \n]-|-(?![0-9])")


class Stream(Protocol):
    """What can be read, such as a file."""

    def read(self, size: int, /) -> bytes: ...  # noqa: D102


class NotNumbersError(InputError):
    """A text holds something that is not a whole number."""


class Table(NamedTuple):
    """Whole numbers, as many in each line.

    Attributes
    ----------
    numbers : (lines, width) array of uint32, or of int64 if a number needs it
        Numbers beyond int64 are its largest or smallest value.
    skipped : (k,) int64 array
        The lines of the text, from 1, that hold no numbers.
    is_bracketed : bool
        Whether a line is what a pair of brackets encloses.
    """

    numbers: NDArray[Any]
    skipped: NDArray[np.int64]
    is_bracketed: bool = False

    def place(self, at: int) -> str:
        """Return where a line of the table is in the text: "line 3" or "list 3"."""
        before = int(np.searchsorted(self.skipped - np.arange(len(self.skipped)), at + 1, side="right"))
        return f"{'list' if self.is_bracketed else 'line'} {at + 1 + before}"


def read_table(stream: Stream, name: str, *, skipped: int = 0) -> Table:
    """Read lines of whole numbers to the end of a stream.

    Blanks, tabs, commas and semicolons separate numbers, ``#`` begins a comment, and blank lines do not count. If the
    first numbers are in brackets, each innermost pair of brackets encloses a line. A number may have a fraction of 0,
    as numpy.savetxt writes it. ``skipped`` lines were read from the stream before.

    Raises :class:`NotNumbersError` if anything else occurs, and :class:`InputError` if lines differ in length, a field
    is empty, or a bracket is missing.
    """
    lines = _Lines(name, skipped)
    for block in _blocks(stream, name):
        # At each block, since the input may have no end.
        check_memory(8 * lines.count, f"a board of the {lines.count:,} numbers so far in {name}")
        lines.add(block)
    return lines.table()


class _Lines:
    """The numbers that were read so far, and how they are divided into lines."""

    def __init__(self, name: str, skipped: int) -> None:
        self._name = name
        self._blocks: list[NDArray[Any]] = []
        self.count = 0
        self._is_bracketed: bool | None = None
        self._depth = 0
        self._line = 1 + skipped
        self._skipped = [np.arange(1, skipped + 1)]
        self._width = 0  # of each line; 0 before the first one ends
        self._begun = 0  # numbers of the line that has not ended

    def add(self, block: bytes) -> None:
        """Parse a block of text that ends between two numbers."""
        if b"#" in block:
            block = _COMMENT.sub(b"", block)
        if self._is_bracketed is None and block.strip():
            self._is_bracketed = _HAS_BRACKET.search(block) is not None
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if self._is_regular(block):
            numbers = np.fromstring(block.translate(_PLAIN), np.int64, sep=" ")
            self._line += block.count(b"\n")
        else:
            numbers = self._numbers_in(block)
        if len(numbers):
            is_narrow = numbers.min() >= 0 and numbers.max() < 2**32
            self._blocks.append(numbers.astype(np.uint32) if is_narrow else numbers)
            self.count += len(numbers)

    def _is_regular(self, block: bytes) -> bool:
        """Return whether a block has only digits with one separator between, and lines as long as the ones before.

        Such a block is parsed at once.
        """
        if not self._width or self._begun or self._is_bracketed or not block.endswith(b"\n"):
            return False
        kinds = block.translate(_KINDS)
        line = kinds.translate(None, b"0")[: self._width]
        mark = line[:1]
        if line != mark * (self._width - 1) + b"\n" or mark not in b", \t\n" or kinds[0] != ord("0"):
            return False
        has_gap = any(pair in kinds for pair in (mark * 2, mark + b"\n", b"\n" + mark, b"\n\n"))
        separators = block.translate(_KINDS, b"0123456789")
        return not has_gap and separators == line * (len(separators) // self._width)

    def _numbers_in(self, block: bytes) -> NDArray[np.int64]:
        """Return the numbers of a block, and note which lines have them."""
        self._check_fields(block)
        plain = block.translate(_IN_BRACKETS if self._is_bracketed else _PLAIN)
        letters = np.frombuffer(plain, np.uint8)
        is_blank = letters <= ord(" ")
        begins = ~is_blank
        begins[1:] &= is_blank[:-1]
        before = np.cumsum(begins, dtype=np.int64)
        ends = np.flatnonzero(letters == ord("\n"))
        numbers = self._parse(block, plain, int(before[-1]) if len(before) else 0)
        self._count_lines(before[ends], len(numbers))
        return numbers

    def table(self) -> Table:
        """Return the table, at the end of the text."""
        if self._depth:
            raise InputError(f"{self._name}: a bracket is not closed, so the end may be missing")
        if self._begun:
            self._count_lines(np.zeros(1, np.int64), 0)
        numbers = np.concatenate(self._blocks) if self._blocks else np.empty(0, np.uint32)
        skipped = np.concatenate(self._skipped)
        # Those at the end are before no line.
        return Table(numbers.reshape(-1, max(1, self._width)), skipped, bool(self._is_bracketed))

    def _check_fields(self, block: bytes) -> None:
        """Raise for an empty field, for separators of two kinds, and for brackets that do not match."""
        kinds = block.translate(_KINDS, _BLANKS + b"\n" * bool(self._is_bracketed))
        if any(pair in kinds for pair in (b",,", b"[,", b"\n,")) or kinds.startswith(b","):
            raise NotNumbersError(f"{self._name}: a field between two separators is empty")
        marks = (b"," in block) + (b";" in block)
        if marks > 1 or (marks and _are_beside_each_other(block)):
            raise NotNumbersError(f"{self._name}: numbers are separated in two ways; use blanks, commas or semicolons")
        if self._is_bracketed:
            self._depth += kinds.count(b"[") - kinds.count(b"]")
            if self._depth < 0:
                raise InputError(f"{self._name}: a bracket is closed that is not open")
            if any(pair in kinds for pair in (b"0[", b"0,[", b"]0", b"],0")):
                raise NotNumbersError(f"{self._name}: numbers stand beside a list of numbers")

    def _parse(self, block: bytes, plain: bytes, expected: int) -> NDArray[np.int64]:
        """Return the numbers in a block; raise :class:`NotNumbersError` if there are not as many as words."""
        if not plain.translate(None, _DIGITS) and (b"-" not in plain or not _ODD_SIGN.search(plain)):
            numbers = np.fromstring(plain, np.int64, sep=" ") if expected else np.empty(0, np.int64)
            if len(numbers) == expected:
                return numbers
        if not plain.translate(None, _REALS):
            with warnings.catch_warnings(action="ignore"):
                try:
                    reals = np.array(plain.split(), np.float64)
                except ValueError:
                    raise self._not_a_number(block) from None
            if np.array_equal(reals, np.floor(reals)) and np.all(np.abs(reals) < 2.0**53):
                return reals.astype(np.int64)
        raise self._not_a_number(block)

    def _not_a_number(self, block: bytes) -> NotNumbersError:
        """Return the error for the first word that is not a whole number."""
        for line, text in enumerate(block.split(b"\n"), self._line):
            for word in text.translate(_IN_BRACKETS if self._is_bracketed else _PLAIN).split():
                if not _NUMBER.fullmatch(word) or float(word) % 1:
                    return NotNumbersError(f"{self._name}: line {line} holds {printed(text)}; whole numbers are needed")
        return NotNumbersError(f"{self._name}: line {self._line} holds a number that is too large")

    def _count_lines(self, before: NDArray[np.int64], count: int) -> None:
        """Note where lines end: after which of the ``count`` numbers of a block."""
        if not len(before):
            self._begun += count
            return
        widths = np.diff(before, prepend=0)
        widths[0] += self._begun
        self._begun = count - int(before[-1])
        is_used = widths > 0
        used = widths[is_used]
        if len(used):
            self._width = self._width or int(used[0])
            if np.any(used != self._width):
                at = int(np.flatnonzero(is_used & (widths != self._width))[0])
                kind = "list" if self._is_bracketed else "line"
                raise InputError(
                    f"{self._name}: {kind} {self._line + at} holds {counted(int(widths[at]), 'number')}, and the ones "
                    f"before hold {self._width}; a file holds boards of one size"
                )
        if len(used) < len(widths) and not self._is_bracketed:
            self._skipped.append(self._line + np.flatnonzero(~is_used))
        self._line += len(widths) if not self._is_bracketed else len(used)


def _are_beside_each_other(block: bytes) -> bool:
    """Return whether nothing but blanks separates two numbers."""
    kinds = block.translate(_KINDS).replace(b"\t", b" ")
    while b"  " in kinds:
        kinds = kinds.replace(b"  ", b" ")
    return b"0 0" in kinds


def _blocks(stream: Stream, name: str) -> Iterator[bytes]:
    """Yield the text in blocks that end with a line, or between two numbers if a line is long."""
    rest = b""
    while block := stream.read(BLOCK):
        text = rest + block
        cut = text.rfind(b"\n") + 1
        if not cut and len(text) > LONG and b"#" not in text:
            cut = next((at for mark in (b",", b";", b" ", b"\t") if (at := text.rfind(mark)) >= 0), -1) + 1
            if not cut:
                raise NotNumbersError(f"{name}: it has {len(text):,} bytes without a separator; numbers are needed")
        rest = text[cut:]
        if cut:
            yield text[:cut]
    if rest:
        yield rest
