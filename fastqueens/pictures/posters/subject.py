"""What a poster is about, and the colours it is drawn in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from matplotlib.colors import Colormap

from fastqueens.binning import Bins
from fastqueens.board import Queens
from fastqueens.result import Trace
from fastqueens.watch import Progress, Stop


class Hooks(TypedDict):
    """What looks in while the board is gone through."""

    progress: Progress | None
    stop: Stop | None


class Theme(NamedTuple):
    """The colours of a style."""

    paper: str
    board: str
    dark_square: str
    ink: str
    faint: str
    density: Colormap
    more_is: str = "darker"
    mode: str = "RGB"


@dataclass
class Subject:
    """What a poster is about."""

    queens: Queens
    title: list[str]
    facts: str
    trace: Trace | None
    steps: int | None
    is_solution: bool
    hooks: Hooks
    drawn_as_density: Bins | None = None

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.queens)
