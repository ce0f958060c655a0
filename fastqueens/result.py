"""What :func:`fastqueens.solve` gives back. Knows no kernel and no file; matplotlib only where a picture is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens

if TYPE_CHECKING:
    from fastqueens.pictures.style import Picture


class Trace(NamedTuple):
    """The course of the search: one entry before the first step of every attempt and one after each step."""

    pairs: NDArray[np.int64]
    conflicting_queens: NDArray[np.int64]


class Moves(NamedTuple):
    """What the search did on the board.

    Attributes
    ----------
    first_boards : (attempts, n) int32 or uint32 array
        The board that each attempt began with.
    steps : (steps, 3) int64 array
        For each step the column of its queen, the row it stood on, and the row it was put on, which may be the same.
    """

    first_boards: Queens
    steps: NDArray[np.int64]


class Timings(NamedTuple):
    """Seconds spent getting memory, making boards, searching, and checking the final board.

    What is got is touched for the first time here from n = 2**22 on; smaller boards touch it in the placement.
    """

    allocation: float
    placement: float
    search: float
    verification: float


@dataclass(frozen=True, eq=False)
class Result:
    """A finished search.

    Attributes
    ----------
    queens : (n,) int32 or uint32 array
        The best board found; ``queens[c]`` is the row of the queen in column c.
    solved : bool
        True where an independent check of all lines has found no two queens on one.
    steps : int
        Steps of the search, over all restarts.
    initial_pairs, pairs, conflicting_queens : int
        Attacking pairs of the first board; attacking pairs and conflicting queens of ``queens``.
    trace : Trace or None
        Two int64 arrays of ``steps + len(restarts) + 1`` entries; None where no trace was asked for.
    restarts : tuple of int
        Where in the trace each new attempt begins, the first attempt not counted.
    seed : int
        What repeats this run.
    start : str
        How the first board was made: "windowed", "uniform", "random", "permutation" or "given".
    timings : Timings
        Seconds for allocation, placement, search and verification.
    initial_queens : array or None
        The board before the first step, kept up to n = 4096.
    fixed : (k, 2) int64 array
        Column and row of the given queens, sorted by column.
    nodes : int
        Squares tried by the exact search; 0 where local search was enough.
    moves : Moves or None
        Every step of the search on its board; None where they were not asked for.
    """

    queens: Queens
    solved: bool
    steps: int
    initial_pairs: int
    pairs: int
    conflicting_queens: int
    trace: Trace | None
    restarts: tuple[int, ...]
    seed: int
    start: str
    timings: Timings
    initial_queens: Queens | None
    fixed: NDArray[np.int64]
    nodes: int
    moves: Moves | None = None

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.queens)

    def __repr__(self) -> str:
        verdict = "solved" if self.solved else f"not solved, {self.pairs:,} pairs left"
        return (
            f"<Result n={self.n} {verdict}, {self.steps:,} steps, "
            f"start={self.start!r}, seed={self.seed}, {sum(self.timings):.3g} s>"
        )

    def plot(self, what: str = "both", **options: Any) -> Picture:
        """Draw the course of the search; see :func:`fastqueens.pictures.curves.conflict_curves`.

        Parameters
        ----------
        what : "both", "conflicting" or "pairs"
            Conflicting queens, attacking pairs, or both.
        **options
            ``title``, ``size`` and the others of ``conflict_curves``.

        Raises
        ------
        InputError
            Where no trace was kept.
        """
        from fastqueens.pictures.curves import conflict_curves

        return conflict_curves(self, what=what, **options)

    def picture(self, **options: Any) -> Picture:
        """Draw the board; see :func:`fastqueens.picture`, which takes the same options."""
        from fastqueens.pictures.showing import picture

        return picture(self.queens, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """What a notebook shows: the curves, or the board where no step was traced."""
        has_curves = self.trace is not None and len(self.trace.pairs) > 1
        shown = self.plot() if has_curves else self.picture()
        return shown._repr_png_()

    def as_dict(self) -> dict[str, Any]:
        """The figures of the run under the names that ``fastqueens solve --json`` prints."""
        return {
            "n": self.n,
            "seed": self.seed,
            "start": self.start,
            "solved": self.solved,
            "steps": self.steps,
            "restarts": len(self.restarts),
            "given_queens": len(self.fixed),
            "nodes": self.nodes,
            "initial_pairs": self.initial_pairs,
            "pairs": self.pairs,
            "conflicting_queens": self.conflicting_queens,
            "allocation_seconds": self.timings.allocation,
            "placement_seconds": self.timings.placement,
            "search_seconds": self.timings.search,
            "verification_seconds": self.timings.verification,
        }
