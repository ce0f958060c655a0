"""Progress and stop: the callbacks of the user, called between the slices in which kernels run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fastqueens.core.errors import Stopped

Progress = Callable[[str, int, int], None]
Stop = Callable[[], bool]


class Callbacks:
    """The two callbacks of the user, either of which may be missing."""

    def __init__(self, progress: Progress | None = None, stop: Stop | None = None) -> None:
        self._progress = progress
        self._stop = stop

    def report(self, stage: str, done: int, total: int) -> None:
        """Report how much of a stage is done."""
        if self._progress is not None:
            self._progress(stage, done, total)

    def poll(self, stage: str, done: int, total: int) -> None:
        """Report how much of a stage is done; raise :class:`Stopped` if the stop callback returns True."""
        self.report(stage, done, total)
        if self._stop is not None and self._stop():
            raise Stopped(f"stopped during {stage}, {done:,} of {total:,} done")

    def slices(self, stage: str, total: int, size: int, turn: int = 0, turns: int = 1) -> Iterator[tuple[int, int]]:
        """Cut 0..total into pieces (first, last) and poll after each, in one of the ``turns`` of a stage."""
        for first, last in slices(total, size):
            yield first, last
            self.poll(stage, (turn * total + last) // turns, total)

    def without_progress(self) -> Callbacks:
        """Return callbacks that stop as these do and report nothing."""
        return Callbacks(None, self._stop)


def slices(end: int, size: int, begin: int = 0) -> Iterator[tuple[int, int]]:
    """Cut begin..end into pieces (first, last) of one size; the last may be shorter."""
    for first in range(begin, end, size):
        yield first, min(first + size, end)
