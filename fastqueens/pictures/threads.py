"""The threads of a weave as shapes on axes on which a square is the unit."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from numpy.typing import NDArray

from fastqueens.pictures.palettes import Palette, printed
from fastqueens.pictures.weave import width_of

#: Threads in one shape at most: renderers of PDF overflow if one shape has very many corners.
_BANDS_IN_SHAPE = 500


def draw_threads(
    axes: Axes, columns: NDArray[Any], rows: NDArray[Any], n: int, palette: Palette, strength: float = 1.0
) -> None:
    """Draw the threads of queens on a board of n in two inks that are printed over each other.

    Rows count in the direction of the y axis. The overlap is a layer of its own, because not every program blends
    colours: the falling threads in the colour of both inks, clipped by the rising threads.
    """
    (rising, first), (falling, second) = _directions(axes, columns, rows)
    up, down = (_bands(axes, np.unique(at), way, width_of(n)) for at, way in ((rising, first), (falling, second)))
    one, other, both = (
        printed(palette.paper, inks, shines=palette.shines, strength=strength)
        for inks in ([palette.rising], [palette.falling], [palette.rising, palette.falling])
    )
    fill(axes, up, one, gid="rising")
    fill(axes, down, other, gid="falling")
    for clip in up:
        fill(axes, down, both, clip, gid="overlap")


def draw_pale_threads(
    axes: Axes, columns: NDArray[Any], rows: NDArray[Any], n: int, palette: Palette, strength: float
) -> None:
    """Draw threads through which squares can be seen."""
    inks = palette.rising, palette.falling
    for (at, way), ink, name in zip(_directions(axes, columns, rows), inks, ("rising", "falling"), strict=True):
        fill(axes, _bands(axes, np.unique(at), way, width_of(n)), ink, alpha=strength, gid=name, zorder=1)


def draw_shared_lines(
    axes: Axes, columns: NDArray[Any], rows: NDArray[Any], color: str, width: float, **look: Any
) -> None:
    """Draw the rows and diagonals of several queens; the width is in distances between neighbouring diagonals."""
    for at, way in (*_directions(axes, columns, rows), (rows + 0.5, 0)):
        used, counts = np.unique(at, return_counts=True)
        broad = width if way else width / 2**0.5
        fill(axes, _bands(axes, used[counts > 1], way, broad), color, gid="shared", **look)


def _directions(axes: Axes, columns: NDArray[Any], rows: NDArray[Any]) -> tuple[tuple[NDArray[Any], int], ...]:
    """Return the lines of threads that rise and of those that fall on the screen: y = way (x - at)."""
    sums, differences = (columns + rows + 1, -1), (columns - rows, 1)
    return (sums, differences) if axes.yaxis_inverted() else (differences, sums)


def _bands(axes: Axes, lines: NDArray[Any], way: int, width: float) -> list[Path]:
    """Return bands along lines y = way (x - at), or y = at, inside the axes.

    Threads without a gap between them are one band.
    """
    if not len(lines):
        return []
    is_gap = np.diff(lines) > width + 1e-9
    edges = lines[np.append(True, is_gap)] - width / 2, lines[np.append(is_gap, True)] + width / 2
    (left, right), ends = sorted(axes.get_xlim()), axes.viewLim
    x = np.array([left - 1, right + 1, right + 1, left - 1, left - 1])
    at = np.stack((edges[0], edges[0], edges[1], edges[1], edges[0]), axis=1)
    y = way * (x - at) if way else at
    corners = np.stack(np.broadcast_arrays(x, y), axis=2)
    return [
        Path.make_compound_path(*(Path(band, closed=True) for band in part)).clip_to_bbox(ends)
        for part in np.array_split(corners, -(-len(corners) // _BANDS_IN_SHAPE))
    ]


def fill(axes: Axes, shapes: list[Path], color: str, clip: Path | None = None, **look: Any) -> None:
    """Fill shapes, only inside the shape ``clip`` if it is given."""
    for shape in shapes:
        patch = PathPatch(shape, facecolor=color, linewidth=0, **look)
        if clip is not None:
            patch.set_clip_path(clip, axes.transData)
        axes.add_artist(patch)
