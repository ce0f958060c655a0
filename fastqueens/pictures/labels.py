"""Names of lines next to the lines, where they cover neither a line nor another name."""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from fastqueens.pictures.figure import text_width
from fastqueens.pictures.style import theme

#: The size of the type, and distances between a line and its name, of which the later ones need a leader, in points.
_SIZE = 10
_GAPS, _LEADER_FROM = (4, 10, 24, 45), 10

#: What a covered cell costs, compared with a point between line and name or a covered cell this near to the line; and
#: how many places on a line are tried.
_COVERED, _NEAR = 100, 6
_PLACES = 150


def label_lines(axes: Axes) -> None:
    """Write the label of each line of these axes next to it, in its colour; a short line leads to it from afar."""
    figure = axes.get_figure()
    assert figure is not None
    figure.draw_without_rendering()  # type: ignore[union-attr]
    box, cell = axes.get_window_extent(), figure.dpi / 36  # type: ignore[union-attr]
    size = np.array([box.width, box.height]) / cell
    taken = np.zeros(size.astype(int) + 1, bool)
    named = []
    for line in axes.lines:
        points = (axes.transData.transform(line.get_xydata()) - (box.x0, box.y0)) / cell  # type: ignore[arg-type]
        points = _dense(points)
        if line.get_gid() != "plateau":
            taken[tuple(np.clip(points, 0, size).astype(int).T)] = True
        if not str(line.get_label()).startswith("_"):
            named.append((line, points[:: -(-len(points) // _PLACES)]))
    for line, points in named if len(named) > 1 else ():
        label = str(line.get_label()).strip()
        room = np.array([36 * text_width(label, _SIZE, True), _SIZE / 2])
        gap, point, corner = _best_place(taken, points, room)
        first, last = np.clip([corner - 1, corner + room + 1], 0, size).astype(int)
        taken[first[0] : last[0] + 1, first[1] : last[1] + 1] = True
        leader = {"arrowstyle": "-", "color": line.get_color(), "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0}
        place = axes.transData.inverted().transform(point * cell + (box.x0, box.y0))
        middle = (corner + room / 2) / size
        text = axes.annotate(
            label, tuple(place), tuple(middle), textcoords="axes fraction", color=line.get_color(), fontsize=_SIZE,
            fontweight="bold", ha="center", va="center", zorder=4, arrowprops=leader if gap > _LEADER_FROM else None,
        )  # fmt: skip
        text.set_path_effects([withStroke(linewidth=2.5, foreground=theme().paper)])
        text.set_in_layout(False)


def _dense(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points at most a cell apart along a line, which nan interrupts."""
    steps = np.abs(np.diff(points, axis=0)).max(axis=1)
    parts = zip(points, points[1:], steps, strict=False)
    pieces = [np.linspace(one, other, int(step) + 2) for one, other, step in parts if np.isfinite(step)]
    return np.concatenate(pieces) if pieces else points[np.isfinite(points[:, 0])]


def _best_place(
    taken: NDArray[np.bool_], points: NDArray[np.float64], room: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Return the distance from a line, its point and the lower left corner of the best place for a name."""
    sums = np.pad(taken, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    most = np.array(taken.shape) - 1

    def covered(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.int64]:
        left, bottom, right, top = np.clip(np.hstack([low, high]), 0, [*most] * 2).astype(int).T
        return sums[right + 1, top + 1] - sums[left, top + 1] - sums[right + 1, bottom] + sums[left, bottom]

    # Where other lines are near, it is hard to tell which line a name belongs to.
    crowd = covered(points - _NEAR, points + _NEAR)
    found = []
    for gap, across, up in itertools.product(_GAPS, (-1, 0, 1), (-1, 1)):
        direction = np.array([across, up])
        corners = points + direction * (gap / 2 + room / 2) - room / 2
        is_inside = ((corners >= 0) & (corners + room <= most)).all(axis=1)
        cost = _COVERED * covered(corners - 1, corners + room + 1) + crowd + gap + np.where(is_inside, 0, np.inf)
        best = int(cost.argmin())
        found.append((float(cost[best]), gap, points[best], corners[best]))
    return min(found, key=lambda place: place[0])[1:]
