"""What a poster shows, and in which colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from matplotlib.colors import Colormap

from fastqueens.check.density import Bins
from fastqueens.core.board import Queens
from fastqueens.core.instance import Instance
from fastqueens.core.trace import Trace
from fastqueens.pictures.style import AROUND_EVEN, BEST, EXCLUDED, INK, SMALL_PRINT


@dataclass
class Subject:
    """A board, the words about it, its instance, its search and its sweeps of mixing if known.

    ``drawn_as_density`` is set when a density is drawn, ``drawn_exclusions`` when blocked squares or excluded diagonals
    are, and ``drawn_limit_shape`` when the limit shape is behind the queens.
    """

    queens: Queens
    title: list[str]
    subtitle: str
    caption: str
    trace: Trace | None
    steps: int | None
    is_solution: bool
    callbacks: dict[str, Any]
    instance: Instance | None = None
    sweeps: int = 0
    drawn_as_density: Bins | None = None
    drawn_exclusions: bool = False
    drawn_limit_shape: bool = False

    @property
    def n(self) -> int:
        """The number of queens."""
        return len(self.queens)


class Theme(NamedTuple):
    """The colours of a style.

    ``fixed``, ``blocked`` and ``excluded`` are for what an instance asks for. ``is_grey`` is for styles that have no
    other colours than those of a density, ``density``.
    """

    paper: str
    board: str
    dark_square: str
    ink: str = INK
    faint: str = SMALL_PRINT
    fixed: str = BEST
    blocked: str = "#8b9199"
    excluded: str = EXCLUDED
    is_grey: bool = False
    density: Colormap = AROUND_EVEN
