"""The answer to one instance: a solution, a proof that there is none, or neither."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastqueens.board import Queens, compares_arrays
from fastqueens.errors import NoSolutionError


@compares_arrays
class Answer(NamedTuple):
    """The answer to one instance: a solution, a proof that there is none, or neither.

    Attributes
    ----------
    solvable : bool or None
        True if a solution was found and checked, False if it is proved that there is none, and None if a limit was
        reached first.
    solved : bool
        Whether there is a solution in ``queens``.
    in_words : str
        The answer in words: "solved", "no solution" or "undecided".
    queens : (n,) int32 or uint32 array or None
        The solution: the row of the queen in each column.
    method : str or None
        The search that found the solution, "local" or "complete".
    nodes : int
        Squares that complete search tried.
    attempts : int
        First boards from which local search started; 0 if there is no solution.
    seconds : float
        Wall-clock time in seconds that the instance took.
    reason : str
        Why there is no solution, if this is clear without a search; otherwise empty.
    seed : int or None
        The seed of :func:`prove`, with which the call can be repeated. None in the answers of
        :func:`solve_instances`, which have one seed.

    Methods
    -------
    as_dict()
        Return the answer with the names that ``fastqueens batch`` and ``fastqueens prove`` print.

    See Also
    --------
    solve_instances, prove

    Examples
    --------
    >>> from fastqueens import prove
    >>> answer = prove(6, seed=1)
    >>> answer.solvable, answer.queens
    (True, array([2, 5, 1, 4, 0, 3], dtype=int32))
    """

    solvable: bool | None
    queens: Queens | None = None
    method: str | None = None
    nodes: int = 0
    attempts: int = 0
    seconds: float = 0.0
    reason: str = ""
    seed: int | None = None

    @property
    def solved(self) -> bool:
        """Whether there is a solution in ``queens``."""
        return self.solvable is True

    @property
    def in_words(self) -> str:
        """The answer in words: "solved", "no solution" or "undecided"."""
        return {True: "solved", False: "no solution", None: "undecided"}[self.solvable]

    def as_dict(self) -> dict[str, Any]:
        """Return the answer with the names that ``fastqueens batch`` and ``fastqueens prove`` print."""
        known: dict[str, Any] = {"answer": self.in_words, "nodes": self.nodes, "seconds": round(self.seconds, 6)}
        known |= {name: value for name in ("method", "attempts", "reason") if (value := getattr(self, name))}
        return known if self.queens is None else {**known, "queens": self.queens.tolist()}


def refuted(error: NoSolutionError, seconds: float = 0.0) -> Answer:
    """Return the answer that there is no solution."""
    return Answer(False, nodes=error.nodes, seconds=seconds, reason="" if error.nodes else str(error))
