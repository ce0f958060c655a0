"""Tables of whole numbers in text."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.files.text import printed

#: Bytes of text that are read at once.
BLOCK = 1 << 20

_HAS_BRACKET = re.compile(rb"[\[\](){}]")

#: A comment has a word of two letters or digits, or nothing. Otherwise the mark can be a square of a drawing.
COMMENT = re.compile(r"#(?:[^\n]{0,200}?[^\W_]{2}[^\n]*|[ \t]*$)", re.MULTILINE)
_COMMENT = re.compile(rb"#(?:[^\n]{0,200}?[0-9A-Za-z\x80-\xff]{2}[^\n]*|[ \t]*$)", re.MULTILINE)

#: Separators become blanks. If brackets enclose the numbers, the end of a bracket ends a line, and nothing else does.
_PLAIN = bytes.maketrans(b",;", b"  ")
_IN_BRACKETS = bytes.maketrans(b",;\n[({])}", b"      \n\n\n")

#: The kinds of characters, for a look at what is beside what; and those that are left out.
_KINDS = bytes.maketrans(b"123456789-+.eE\t;({)}", b"00000000000000 ,[[]]")
_BLANKS = b" \t\v\f"

_REAL = re.compile(rb"(?<![^\s,;\[(])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?(?![^\s,;\])])")
_NUMBER = re.compile(r"[-+]?\d+", re.ASCII)


class NotNumbersError(InputError):
    """A text holds something that is not a whole number."""


class Table(NamedTuple):
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


def read_table(stream: IO[bytes], name: str, *, begun: bytes = b"", skipped: int = 0) -> Table:
    """Read lines of whole numbers to the end of a stream, of which ``begun`` and ``skipped`` lines were read before.

    Blanks, tabs, commas or semicolons separate numbers, ``#`` begins a comment, and blank lines do not count. If the
    first numbers are in brackets, each innermost pair of brackets encloses a line. A number may have a fraction of 0,
    as numpy.savetxt writes it. Raises :class:`NotNumbersError` if anything else occurs, and :class:`InputError` if
    lines differ in length, or a bracket is missing.
    """
    text = _Text(stream, name, begun, skipped)
    with warnings.catch_warnings(action="ignore"):  # that there are no numbers
        warnings.simplefilter("error", DeprecationWarning)  # NumPy 1.26 would cut a fraction off
        try:
            numbers = np.loadtxt(text.lines(), np.int64, comments=None, ndmin=2)
        except InputError:
            raise
        except (ValueError, DeprecationWarning):
            raise text.error() from None
    if numbers.size and numbers.min() >= 0 and numbers.max() < 2**32:
        numbers = numbers.astype(np.uint32)
    return Table(numbers, np.array(text.skipped, np.int64), bool(text.is_bracketed))


class _Text:
    """The lines of numbers in a text: ``line`` was read last, and is line ``number``; ``skipped`` hold no numbers."""

    def __init__(self, stream: IO[bytes], name: str, begun: bytes, skipped: int) -> None:
        self._stream, self._name, self._begun = stream, name, io.BytesIO(begun)
        self.number, self.line = skipped, ""
        self.skipped = list(range(1, skipped + 1))
        self.is_bracketed: bool | None = None
        self._depth = 0
        self._width = 0

    def lines(self) -> Iterator[str]:
        """Yield the lines that hold numbers, with blanks between these."""
        begun: list[str] = []  # the parts of a list in brackets that no bracket has closed yet
        for block in self._blocks():
            self._check(block)
            plain = block.translate(_IN_BRACKETS if self.is_bracketed else _PLAIN).decode("latin-1")
            *lines, rest = plain.split("\n")
            if lines:
                lines[0] = "".join([*begun, lines[0]])
                begun.clear()
            begun.append(rest)
            for line in lines:
                if line and not line.isspace():
                    self.number += 1
                    self.line = line
                    yield line
                    self._width = self._width or len(line.split())
                elif not self.is_bracketed:
                    self.number += 1
                    self.skipped.append(self.number)
        if self._depth:
            raise InputError(f"{self._name}: a bracket is not closed, so the end may be missing")
        outside = "".join(begun).strip()
        if outside:
            raise NotNumbersError(f"{self._name}: {printed(outside.encode('latin-1'))} stands outside of brackets")

    def error(self) -> InputError:
        """Return what is wrong in the line that was read last."""
        kind = f"{self._name}: {'list' if self.is_bracketed else 'line'} {self.number}"
        words = self.line.split()
        odd = next((word for word in words if not _NUMBER.fullmatch(word)), None)
        if odd is not None:
            return NotNumbersError(f"{kind} holds {printed(odd.encode('latin-1'))}; a whole number is needed")
        if len(words) != self._width and self._width:
            held = f"holds {counted(len(words), 'number')}, and the ones before hold {self._width}"
            hint = "if the first line is n, remove it" if self._width == 1 else "all lines need as many numbers"
            return InputError(f"{kind} {held}; {hint}")
        return InputError(f"{kind} holds a number of 19 digits or more")

    def _blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks that end with a line, without comments and with Unix line ends."""
        rest: list[bytes] = []
        total = 0
        while block := self._begun.read(BLOCK) or self._stream.read(BLOCK):
            total += len(block)
            # At each block, since the input may have no end. A number has at least two bytes, and takes eight.
            check_memory(4 * total, f"reading the {total:,} bytes so far in {self._name}")
            end, newline, after = block.rpartition(b"\n")
            if newline:
                yield self._plain(b"".join([*rest, end, newline]))
                rest.clear()
            rest.append(after)
        if any(rest):
            yield self._plain(b"".join([*rest, b"\n"]))

    def _plain(self, block: bytes) -> bytes:
        """Return a block without comments, fractions of 0, and line ends of other systems."""
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"#" in block:
            block = _COMMENT.sub(b"", block)
        return _REAL.sub(_whole, block) if any(mark in block for mark in (b".", b"e", b"E", b"+")) else block

    def _check(self, block: bytes) -> None:
        """Raise for an empty field, for separators of two kinds, and for brackets that do not match."""
        if self.is_bracketed is None and block.strip():
            self.is_bracketed = _HAS_BRACKET.search(block) is not None
        kinds = block.translate(_KINDS, _BLANKS + b"\n" * bool(self.is_bracketed))
        if any(pair in kinds for pair in (b",,", b"[,", b"\n,")) or (kinds.startswith(b",") and not self._width):
            raise NotNumbersError(f"{self._name}: a field between two separators is empty")
        marks = (b"," in block) + (b";" in block)
        if marks > 1 or (marks and _are_beside_each_other(block)):
            raise NotNumbersError(f"{self._name}: numbers are separated in two ways; use blanks, commas or semicolons")
        if self.is_bracketed:
            self._depth += kinds.count(b"[") - kinds.count(b"]")
            if self._depth < 0:
                raise InputError(f"{self._name}: a bracket is closed that is not open")
            if any(pair in kinds for pair in (b"0[", b"0,[", b"]0", b"],0")):
                raise NotNumbersError(f"{self._name}: numbers stand beside a list of numbers")


def _whole(found: re.Match[bytes]) -> bytes:
    """Return a number without its fraction if that is 0."""
    number = float(found[0])
    is_plain = found[0].isdigit() or not number.is_integer() or abs(number) >= 2.0**53
    return found[0] if is_plain else b"%d" % int(number)


def _are_beside_each_other(block: bytes) -> bool:
    """Return whether nothing but blanks separates two numbers."""
    kinds = block.translate(_KINDS)
    while b"  " in kinds:
        kinds = kinds.replace(b"  ", b" ")
    return b"0 0" in kinds
