"""What a poster shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from fastqueens.analysis.density import Bins
from fastqueens.core.board import Queens
from fastqueens.core.callbacks import Progress, Stop
from fastqueens.core.trace import Trace


class CallbackArguments(TypedDict):
    """The callbacks of the user, as keyword arguments."""

    progress: Progress | None
    stop: Stop | None


@dataclass
class Subject:
    """A board, the words about it, and its search if known; ``drawn_as_density`` is set when a density is drawn."""

    queens: Queens
    title: list[str]
    facts: str
    trace: Trace | None
    steps: int | None
    is_solution: bool
    callbacks: CallbackArguments
    drawn_as_density: Bins | None = None

    @property
    def n(self) -> int:
        """The number of queens."""
        return len(self.queens)
