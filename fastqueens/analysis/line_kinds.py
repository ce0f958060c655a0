"""Rows, sum diagonals and difference diagonals as kernels count them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.checking import Span


class LineKind(NamedTuple):
    """One of the three kinds of lines: the queen (c, r) stands on line ``slope * c + r + offset`` of ``lines``."""

    slope: int
    offset: int
    lines: int

    def span(self, first: int, lines: int) -> Span:
        """Return neighbouring lines of this kind in the form that kernels take."""
        offset = (self.offset - first) % 2**64
        return Span(np.uint64(self.slope), np.uint64(offset), np.uint64(min(lines, self.lines - first)))

    def first_line(self, span: Span) -> int:
        """Return which line of this kind is the first one of a span."""
        return (self.offset - int(span.offset)) % 2**64

    @property
    def all_lines(self) -> Span:
        """All lines of this kind, in the form that kernels take."""
        return self.span(0, self.lines)


def line_kinds(n: int) -> tuple[LineKind, LineKind, LineKind]:
    """Return the rows, sum diagonals and difference diagonals of a board of n."""
    return LineKind(0, 0, n), LineKind(1, 0, 2 * n), LineKind(2**64 - 1, n, 2 * n)


def cut_lines(kind: LineKind, parts: int) -> list[Span]:
    """Cut the lines of a kind into spans of whole 64-bit words."""
    size = -(-kind.lines // parts // 64) * 64
    return [kind.span(first, size) for first in range(0, kind.lines, size)]


def empty_bitset(span: Span, spare: int = 0) -> NDArray[np.uint64]:
    """Allocate a bitset for the lines of a span, with ``spare`` more words."""
    return np.zeros((int(span.lines) + 63) // 64 + spare, np.uint64)


def mark_lines(bitset: NDArray[np.uint64], lines: NDArray[np.int64]) -> None:
    """Set the bits of lines; those beyond the bitset, or below 0, are left out."""
    inside = lines[(lines >= 0) & (lines < 64 * len(bitset))]
    np.bitwise_or.at(bitset, inside >> 6, np.uint64(1) << (inside & 63).astype(np.uint64))
