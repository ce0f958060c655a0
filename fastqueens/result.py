"""The result of :func:`fastqueens.solve`. Only its methods that draw import matplotlib."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.text import counted
from fastqueens.board import Moves, Queens, Trace
from fastqueens.files.headers import header_of
from fastqueens.instance import Instance

if TYPE_CHECKING:
    from fastqueens.pictures.figure import Picture


class Timings(NamedTuple):
    """The seconds that the parts of a run took.

    The first touch of the board's memory counts as allocation if n is at least 2**17, and as placement otherwise.
    """

    allocation: float = 0.0
    placement: float = 0.0
    search: float = 0.0
    verification: float = 0.0
    complete_search: float = 0.0
    mixing: float = 0.0
    writing: float = 0.0


@dataclass(frozen=True, eq=False)
class Result:
    """The result of :func:`solve`: a board, and how it was found.

    Attributes
    ----------
    queens : (n,) int32 or uint32 array
        The best board found; ``queens[c]`` is the row of the queen in column c.
    n : int
        Side of the board and number of queens.
    solved : bool
        Whether the board is a solution. An independent check has then found no two queens on one line, every fixed
        queen in its place, and no queen on a blocked square or an excluded diagonal.
    method : str or None
        The search that found the solution, "local" or "complete"; None without a solution.
    steps : int
        Steps of local search in all attempts.
    initial_pairs : int
        Attacking pairs of the first board. Without local search, it is equal to ``pairs``.
    pairs : int
        Attacking pairs of ``queens``. A queen on a blocked square or an excluded diagonal adds two.
    conflicting_queens : int
        Queens of ``queens`` that attack another queen, or stand on a blocked square or an excluded diagonal.
    trace : Trace or None
        Two int64 arrays, ``pairs`` and ``conflicting_queens``, of ``steps + len(restarts) + 1`` entries. None if no
        trace was kept.
    restarts : tuple of int
        Indices in the trace at which the second and later attempts begin. ``as_dict`` returns their number.
    seed : int
        The seed that repeats this run.
    start : str
        How the first board was made: "windowed", "uniform", "random", "permutation" or "board".
    timings : Timings
        Seconds in the attributes ``allocation``, ``placement``, ``search``, ``verification``, ``complete_search``,
        ``mixing`` and ``writing``.
    initial_queens : array or None
        The first board of local search; None for n > 4096, or without local search.
    instance : Instance
        The instance that was to be solved.
    fixed : (k, 2) int64 array
        Column and row of each fixed queen, sorted by column.
    attempts : int
        First boards from which local search started; 0 without local search.
    nodes : int
        Squares that complete search tried; 0 without complete search.
    moves : Moves or None
        ``first_boards``, an (attempts, n) array, and ``steps``, a (steps, 3) int64 array with the column of the moved
        queen, its old row and its new row. Moves by ``mix`` are not included. None if no moves were kept.
    sweeps : int
        Sweeps for which the solution was mixed; 0 without ``mix``.
    options : dict
        The options that influence the result, with their defaults filled in; ``board`` is your own first board, or a
        digest above 1,000 queens.

    Methods
    -------
    plot(what="both", **options)
        Draw attacking pairs and conflicting queens against the steps.
    picture(**options)
        Draw the board.
    as_dict()
        Return the numbers of the run as a dict.

    See Also
    --------
    solve, picture, write_board, write_trace

    Examples
    --------
    >>> from fastqueens import solve
    >>> result = solve(8, start="random", seed=2)
    >>> result.solved, result.initial_pairs, result.steps
    (True, 8, 19)
    """

    queens: Queens
    solved: bool
    method: str | None
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
    instance: Instance
    attempts: int
    nodes: int
    moves: Moves | None = None
    sweeps: int = 0
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.queens)

    @property
    def fixed(self) -> NDArray[np.int64]:
        """A (k, 2) array with the column and the row of each fixed queen, sorted by column."""
        return self.instance.fixed.squares

    def __repr__(self) -> str:
        verdict = "solved" if self.solved else f"not solved, {counted(self.pairs, 'pair')} left"
        local = f"{counted(self.steps, 'step')}, start={self.start!r}"
        search = local if self.attempts else f"{counted(self.nodes, 'square')} tried, method={self.method!r}"
        return f"<Result n={self.n} {verdict}, {search}, seed={self.seed}, {sum(self.timings):.3g} s>"

    def plot(self, what: str = "both", **options: Any) -> Picture:
        """Draw the course of the search: attacking pairs and conflicting queens against the steps.

        Parameters
        ----------
        what : str
            The curves to draw: "conflicting", "pairs" or "both" (the default).
        **options
            ``title`` (str), ``theme`` (str, as in :func:`fastqueens.picture`), ``size`` (width and height in inches, or
            a str such as "84x60mm"; by default 8 x 4.5 inches), ``ax`` (your own axes of matplotlib to draw into), and
            ``scale`` of the axes ("auto", "linear" or "log").

        Returns
        -------
        Picture
            A notebook shows it, ``save`` writes it, and ``figure`` is its figure.

        Raises
        ------
        InputError
            If the result has no trace, or an option is invalid.
        """
        from fastqueens.pictures.curves import conflict_curves

        return conflict_curves(self, what=what, **options)

    def picture(self, **options: Any) -> Picture:
        """Draw the board with its instance.

        The options are ``style``, ``instance``, ``marked``, ``origin``, ``rows_from``, ``title``, ``theme``, ``size``,
        ``ax``, ``progress`` and ``stop``, as in :func:`fastqueens.picture`.
        """
        from fastqueens.pictures.boards import board_picture

        return board_picture(self.queens, **{"instance": self.instance, **options})

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        """Return the picture of the board for a notebook."""
        return self.picture()._repr_png_()

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers of the run, with the names that ``fastqueens solve --json`` prints next to the board."""
        first = ("solved", "method", "steps", "attempts")
        last = ("nodes", "sweeps", "initial_pairs", "pairs", "conflicting_queens")
        return {
            **self.header,
            **{name: getattr(self, name) for name in first},
            "restarts": len(self.restarts),
            **self.instance.counts,
            **{name: getattr(self, name) for name in last},
            **{f"{part}_seconds": seconds for part, seconds in self.timings._asdict().items()},
        }

    @property
    def header(self) -> dict[str, Any]:
        """The version, n, constraints, seed, start and options, which repeat the run, in JSON types."""
        return header_of(self.instance, self.seed, self.options, start=self.start)
