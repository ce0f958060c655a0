"""The weave: a picture of the rising and the falling diagonal of each queen as threads.

Rising threads have one ink and falling threads the other. Both are printed over each other, with a dot at each queen.
On a solution, no two queens share a thread. Near two corners, few diagonals have a queen, and one ink thins out there.

The share of each ink in a pixel is computed exactly, so there is no moiré at any size. It depends only on x + y for
rising and on x - y for falling threads. Two short lists therefore hold the colours of a picture, and time and memory
are linear in the number of pixels.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens
from fastqueens.pictures.palettes import Palette

Floats = NDArray[np.floating[Any]]


#: The width of a thread as a share of the distance between neighbouring diagonals, by the number of queens.
_WIDTHS = (8, 60, 400), (0.30, 0.55, 1.0)

#: The diameter of a dot: at least this share of a square, and of the mean distance between queens.
_DOT_IN_SQUARE, _DOT_IN_DISTANCE = 0.72, 0.15

#: With more queens than a quarter of the pixels along a side, threads are drawn as silk: their density in bins of half
#: a pixel, whose deviations from a smooth density are amplified. The smooth density is a mean over this share of the
#: side.
_QUEENS_PER_PIXEL, _SMOOTH = 0.25, 1 / 9

#: The standard deviation of silk for this number of queens, and the power of n with which it falls: more queens look
#: finer and smoother, and the limit shape shows.
_DEVIATION, _DEVIATION_OF, _FALL = 0.22, 5000, 0.22

#: The shares of a pixel in the four bins that it touches.
_BINS_OF_PIXEL = 0.125, 0.375, 0.375, 0.125

#: A copy of the board and, for one direction at a time, whether each diagonal has one queen, and several.
BYTES_PER_QUEEN = 10

#: Queens whose diagonals are computed at a time: about five megabytes.
_QUEENS_AT_A_TIME = 1 << 16

#: The least diameter of dots, in pixels.
LEAST_DOT = 3

#: The strength of inks while all queens attack each other, since red on full inks is hard to see, and its growth with
#: the share of resolved pairs.
_FAINTEST, _GROWTH = 0.15, 1.6

#: Up to so many red lines are at least this wide, as a share of the side; more lines are narrower.
_FEW_RED, _WIDE_RED = 4, 0.004

#: The width of a ring of paper in diameters of its dot. Dots have rings if threads are narrower than this, because
#: paper shows between narrow threads and dots would be lost.
RING = 1.5
_CLOSE_THREADS = 0.8

#: Pixels of dots that are drawn at a time: a few megabytes.
_DOT_PIXELS = 1 << 18


def colors_of_dots(n: int, palette: Palette, strength: float = 1.0) -> tuple[str, str | None]:
    """Return the colour of dots and the colour of the ring around them, None without rings.

    >>> from fastqueens.pictures.palettes import PALETTES
    >>> look = PALETTES["riso"]
    >>> colors_of_dots(1000, look) == (look.dot, None), colors_of_dots(30, look) == (look.ink, look.paper)
    (True, True)
    """
    if palette.shines:
        return palette.dot, palette.paper
    is_dark = width_of(n) < _CLOSE_THREADS or strength < 1
    return (palette.ink, palette.paper) if is_dark else (palette.dot, None)


class Place(NamedTuple):
    """The position of a board in a picture, in pixels: its left and upper edges, and its side."""

    left: float
    top: float
    side: float


def width_of(n: int) -> float:
    """Return the width of a thread, in distances between neighbouring diagonals.

    >>> [round(width_of(n), 2) for n in (4, 8, 60, 400, 1000)]
    [0.3, 0.3, 0.55, 1.0, 1.0]
    """
    return float(np.interp(n, *_WIDTHS))


def red_width(n: int, lines: int) -> float:
    """Return the width of the red lines of several queens: wider than threads if there are few of many lines.

    >>> [round(red_width(n, lines), 2) for n, lines in ((8, 1), (1000, 1), (1000, 4), (1000, 8), (1000, 100))]
    [0.3, 5.66, 5.66, 2.83, 1.0]
    """
    return max(width_of(n), _WIDE_RED * n * 2**0.5 * _FEW_RED / max(_FEW_RED, lines))


def dot_of(n: int) -> float:
    """Return the diameter of a dot as a share of the side of the board.

    >>> [round(dot_of(n), 4) for n in (8, 100, 10_000)]
    [0.09, 0.015, 0.0015]
    """
    return max(_DOT_IN_SQUARE / n, _DOT_IN_DISTANCE / math.sqrt(n))


def strength_of(pairs: float, most: float) -> float:
    """Return the strength of inks on a board with so many attacking pairs, of ``most`` that count as none resolved.

    >>> [round(strength_of(pairs, 100), 2) for pairs in (200, 100, 50, 1, 0)]
    [0.15, 0.15, 0.43, 0.99, 1.0]
    """
    return _FAINTEST + (1 - _FAINTEST) * float(max(0.0, 1 - pairs / most if pairs else 1.0) ** _GROWTH)


def usual_pairs(n: int) -> float:
    """Return about the attacking pairs of a random board, for :func:`strength_of`."""
    return n / 2


def strength_on(n: int, pairs: float | None) -> float:
    """Return the strength of inks on a board with so many attacking pairs, None if they were not counted.

    >>> strength_on(8, None), strength_on(8, 0)
    (0.15, 1.0)
    """
    return strength_of(n if pairs is None else pairs, usual_pairs(n))


def is_silk(n: int, pixels: float) -> bool:
    """Return whether a board with a side of so many pixels is drawn as silk."""
    return n > _QUEENS_PER_PIXEL * pixels


def deviation_of(n: int) -> float:
    """Return the standard deviation of the density of silk.

    >>> [round(deviation_of(n), 2) for n in (1000, 5000, 10**6, 10**7)]
    [0.22, 0.22, 0.07, 0.04]
    """
    return float(_DEVIATION * min(1.0, _DEVIATION_OF / n) ** _FALL)


def coverage(positions: Floats, edges: Floats, covered: Floats, pixel: float) -> Floats:
    """Return the covered share of pixels, which are squares of side ``pixel`` that threads cross diagonally.

    Between edge k and the next edge, the share ``covered[k]`` is covered. Across a thread, a pixel is a triangle that
    reaches from ``pixel`` before its position to ``pixel`` behind it. Its share is therefore a second difference of the
    double integral of the coverage.
    """
    once = _so_far(edges, covered)
    twice = _so_far(edges, (once[1:] + once[:-1]) / 2)
    covered = np.append(covered, 0.0)

    def integral(at: Floats) -> Floats:
        edge = np.maximum(np.searchsorted(edges, at, side="right") - 1, 0)
        rest = np.maximum(at - edges[edge], 0.0)
        return np.asarray(twice[edge] + once[edge] * rest + covered[edge] * rest**2 / 2)

    shares = (integral(positions + pixel) - 2 * integral(positions) + integral(positions - pixel)) / pixel**2
    return np.asarray(np.clip(shares, 0.0, 1.0))


def _so_far(edges: Floats, values: Floats) -> Floats:
    """Return the integral up to each edge of a function that has one value between each two edges."""
    return np.concatenate(([0.0], np.cumsum(values * np.diff(edges))))


def threads(lines: NDArray[np.int64], width: float) -> tuple[Floats, Floats]:
    """Return the edges of the threads along sorted lines, and the shares that they cover, for :func:`coverage`.

    Line k is k + 1 spacings of neighbouring diagonals from the corner of the board.
    """
    edges = np.repeat(lines + 1.0, 2) + np.tile((-width / 2, width / 2), len(lines))
    return edges, np.arange(len(edges) - 1) % 2 == 0.0


def binned(is_used: NDArray[np.bool_], width: float, bins: int) -> tuple[Floats, Floats]:
    """Return the edges of bins from 0 to one after the last line, and the density of threads of a width up to 1."""
    edges = np.linspace(0, len(is_used) + 1, bins + 1)
    # Line k is in the middle of a cell from k + 0.5 on. The threads of all cells before an edge, and a part of its own.
    cells = np.clip(np.floor(edges - 0.5).astype(np.int64), 0, len(is_used) - 1)
    counts = [np.count_nonzero(is_used[first:last]) for first, last in itertools.pairwise([0, *cells.tolist()])]
    parts = np.clip(edges - cells - 1 + width / 2, 0, width)
    return edges, np.diff(width * np.cumsum(counts) + is_used[cells] * parts) / np.diff(edges)


def silk(edges: Floats, covered: Floats, n: int, pixels: float) -> tuple[Floats, Floats, float]:
    """Return threads as their amplified density in bins of half a pixel, for :func:`coverage`, and the gain."""
    bins = np.linspace(0, 2 * n, max(2, round(4 * pixels)) + 1)
    density = np.diff(np.interp(bins, edges, _so_far(edges, covered))) / np.diff(bins)
    window = np.hanning(round(_SMOOTH * len(density) / 2) | 1)
    smooth = np.convolve(np.pad(density, len(window) // 2, mode="edge"), window / window.sum(), mode="valid")
    deviation = density - smooth
    of_pixels = np.convolve(deviation, _BINS_OF_PIXEL, mode="valid")
    gain = max(1.0, deviation_of(n) / max(float(np.std(of_pixels)), 1e-9))
    return bins, np.clip(smooth + gain * deviation, 0.0, 1.0), gain


def used_lines(queens: Queens, way: int, first: int, last: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each line from ``first`` to before ``last`` whether it has queens, and whether it has several.

    Lines count from 0: rising diagonals with ``way`` 1, falling ones with -1, rows with 0.
    """
    n, is_used, found = len(queens), np.zeros(last - first, bool), 0

    def parts() -> Iterator[NDArray[np.int64]]:
        for start in range(0, n, _QUEENS_AT_A_TIME):
            rows = queens[start : start + _QUEENS_AT_A_TIME].astype(np.int64)
            columns = np.arange(start, start + len(rows))
            lines = rows if way == 0 else columns + rows if way == 1 else columns - rows + n - 1
            yield lines[(lines >= first) & (lines < last)] - first

    for lines in parts():
        is_used[lines] = True
        found += len(lines)
    has_several = np.zeros_like(is_used)
    if np.count_nonzero(is_used) < found:
        is_used[:] = False
        for lines in parts():
            unique, counts = np.unique(lines, return_counts=True)
            has_several[unique[is_used[unique] | (counts > 1)]] = True
            is_used[unique] = True
    return is_used, has_several


class _Discs(NamedTuple):
    """The coverage of pixels by discs, from 0 to 255, and the colour of the discs."""

    covers: NDArray[np.uint8]
    color: Floats


class Cloth:
    """The weave of a board at a place on a picture of ``width`` x ``height`` pixels.

    Threads continue beyond the board. Inks have a ``strength`` up to 1. Threads and rows of several queens are red.
    ``gain`` is the factor by which the contrast of threads is amplified, 1 unless they are drawn as silk.

    With a diameter of a ``dot``, in pixels, it is a part of a board seen through a lens: exact threads, as wide as on a
    board of the columns in view, and dots with rings.
    """

    def __init__(
        self,
        queens: Queens,
        palette: Palette,
        width: int,
        height: int,
        place: Place,
        strength: float = 1.0,
        *,
        dot: float | None = None,
    ) -> None:
        self.palette, self.width, self.height, self.place = palette, width, height, place
        self.gain, self._queens, self._strength, self._dot = 1.0, queens, strength, dot
        n, pixel = len(queens), len(queens) / place.side
        self._in_view = n if dot is None else math.ceil(min(n, pixel * width))
        steps = np.arange(1.0, width + height)
        # Both lists begin at the right place for the first pixel of the first, and of the last row.
        sums = (steps - place.left - place.top) * pixel
        differences = (steps - height - place.left + place.top) * pixel + n
        self._rising, self._red_rising = self._covers(1, sums, pixel)
        self._falling, self._red_falling = self._covers(-1, differences, pixel)
        self._red_rows = self._covers_rows((np.arange(height + 1) - place.top) * pixel, pixel)

    def _covers(self, way: int, positions: Floats, pixel: float) -> tuple[Floats, Floats]:
        """Return the coverage by all threads of one direction, and by the threads of several queens."""
        n, first, last = len(self._queens), 0, 2 * len(self._queens) - 1
        if self._dot is not None:
            # Only threads in view, counted from the first one: the integrals of the others would drown their digits.
            first = min(max(0, math.floor(positions[0] - pixel) - 2), last)
            last = max(first, min(last, math.ceil(positions[-1] + pixel + 1)))
            positions = positions - first
        is_used, has_several = used_lines(self._queens, way, first, last)
        if self._dot is None and is_silk(n, self.place.side):
            density = binned(is_used, width_of(n), self._bins(is_used))
            edges, covered, gain = silk(*density, n, self.place.side)
            self.gain = max(self.gain, gain)
        else:
            edges, covered = threads(np.flatnonzero(is_used), width_of(self._in_view))
        red = np.zeros_like(positions)
        if np.any(has_several):
            red = coverage(positions, *self._red_lines(has_several, 1.0), pixel)
        return self._strength * coverage(positions, edges, covered, pixel), red

    def _bins(self, is_used: NDArray[np.bool_]) -> int:
        """Return the number of bins of half a pixel across all lines of a direction."""
        return max(2, round(2 * self.place.side * (len(is_used) + 1) / len(self._queens)))

    def _red_lines(self, has_several: NDArray[np.bool_], share: float) -> tuple[Floats, Floats]:
        """Return the lines of several queens in this share of their width, in bins if there are fewer bins."""
        count, bins = int(np.count_nonzero(has_several)), self._bins(has_several)
        width = share * red_width(self._in_view, count)
        if count > bins and width <= 1:
            return binned(has_several, width, bins)
        return threads(np.flatnonzero(has_several), width)

    def _covers_rows(self, edges_of_pixels: Floats, pixel: float) -> Floats:
        """Return the share of each row of pixels that rows of the board with several queens cover."""
        _, has_several = used_lines(self._queens, 0, 0, len(self._queens))
        if not np.any(has_several):
            return np.zeros(len(edges_of_pixels) - 1)
        edges, covered = self._red_lines(has_several, 1 / 2**0.5)
        return np.asarray(np.diff(np.interp(edges_of_pixels + 0.5, edges, _so_far(edges, covered))) / pixel)

    def pixels(self) -> NDArray[np.uint8]:
        """Return the picture: (height, width, 3) bytes."""
        look, (width, height) = self.palette, (self.width, self.height)
        paper, rising, falling, red = map(_rgb, (look.paper, look.rising, look.falling, look.attack))
        # A thread of ink reduces the light of the paper. A thread that shines reduces the darkness.
        ground, first, second = (1 - paper, rising, falling) if look.shines else (paper, 1 - rising, 1 - falling)
        up = (255 * ground * (1 - np.outer(self._rising, first))).astype(np.float32)
        down = (1 - np.outer(self._falling, second)).astype(np.float32)
        attack, has_red, (rings, dots) = (255 * red).astype(np.float32), self._has_red(), self._rings_and_dots()
        picture = np.empty((height, width, 3), np.uint8)
        line = np.empty((width, 3), np.float32)
        for y in range(height):
            back = height - 1 - y
            np.multiply(up[y : y + width], down[back : back + width], out=line)
            if look.shines:
                np.subtract(255, line, out=line)
            # Red lines are above rings and below dots.
            _add_discs(line, rings, y)
            if has_red:
                self._add_red(line, attack, y)
            _add_discs(line, dots, y)
            np.add(line, 0.5, out=line)
            picture[y] = line
        return picture

    def _add_red(self, line: Floats, red: Floats, y: int) -> None:
        """Draw lines of several queens over a row of pixels."""
        back = self.height - 1 - y
        rest = (1 - self._red_rising[y : y + self.width]) * (1 - self._red_falling[back : back + self.width])
        line += (1 - rest[:, None] * (1 - self._red_rows[y])) * (red - line)

    def _rings_and_dots(self) -> tuple[_Discs | None, _Discs | None]:
        """Return the rings around the dots, if there are any, and the dots, unless they would be specks."""
        n = len(self._queens)
        diameter = self._dot or dot_of(n) * self.place.side
        if diameter < LEAST_DOT:
            return None, None
        dot, ring = colors_of_dots(n if self._dot is None else 1, self.palette, self._strength)
        colored = [
            None if color is None else _Discs(self.discs(size), (255 * _rgb(color)).astype(np.float32))
            for color, size in ((ring, RING * diameter), (dot, diameter))
        ]
        return colored[0], colored[1]

    def _has_red(self) -> bool:
        return any(np.any(covers) for covers in (self._red_rising, self._red_falling, self._red_rows))

    def discs(self, diameter: float) -> NDArray[np.uint8]:
        """Return the coverage of the pixels by discs around the queens, from 0 to 255."""
        found = np.zeros((self.height, self.width), np.uint8)
        n, (left, top, side), radius = len(self._queens), self.place, diameter / 2
        reach = int(radius + 1)
        near = np.arange(-reach, reach + 1)
        ends = ((end - left) * n / side for end in (-reach - 1, self.width + reach + 1))
        first, last = (min(n, max(0, math.floor(end))) for end in ends)
        at = (self._queens[first : last + 1] + 0.5) * side / n + top
        shown = np.flatnonzero((at > -reach - 1) & (at < self.height + reach + 1))
        for part in np.array_split(shown, -(-len(shown) * len(near) ** 2 // _DOT_PIXELS) or 1):
            # One axis for the queens, one for the pixels down from each, one for those across.
            x, y = left + (first + part + 0.5) * side / n, at[part]
            across = np.floor(x).astype(np.int64)[:, None, None] + near
            down = np.floor(y).astype(np.int64)[:, None, None] + near[:, None]
            distances = np.hypot(across + 0.5 - x[:, None, None], down + 0.5 - y[:, None, None])
            covered = np.rint(255 * np.clip(radius + 0.5 - distances, 0, 1)).astype(np.uint8)
            is_inside = (across >= 0) & (across < self.width) & (down >= 0) & (down < self.height)
            np.maximum.at(found.reshape(-1), (down * self.width + across)[is_inside], covered[is_inside])
        return found


def _add_discs(line: Floats, discs: _Discs | None, y: int) -> None:
    """Draw discs over a row of pixels."""
    if discs is not None:
        marked = np.flatnonzero(discs.covers[y])
        if len(marked):
            line[marked] += discs.covers[y, marked, None] / np.float32(255) * (discs.color - line[marked])


def _rgb(color: str) -> Floats:
    return np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
