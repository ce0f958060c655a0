"""Progress and the wish to stop: kernels run in slices, and between two slices somebody may look in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Progress = Callable[[str, int, int], None]
Stop = Callable[[], bool]


class Stopped(Exception):  # noqa: N818 - a request that was met is no error
    """The caller's ``stop`` said yes before there was a whole board, or a whole answer, to give back."""


class Watch:
    """Calls the two hooks of a user between the slices of some work."""

    def __init__(self, progress: Progress | None = None, stop: Stop | None = None) -> None:
        self._progress = progress
        self._stop = stop

    def report(self, stage: str, done: int, total: int) -> None:
        """Tell how much of a stage is done."""
        if self._progress is not None:
            self._progress(stage, done, total)

    def look(self, stage: str, done: int, total: int) -> None:
        """Tell how much of a stage is done; raise :class:`Stopped` where the user wants to stop."""
        self.report(stage, done, total)
        if self._stop is not None and self._stop():
            raise Stopped(f"stopped during {stage}, {done:,} of {total:,} done")

    def slices(self, stage: str, total: int, size: int, turn: int = 0, turns: int = 1) -> Iterator[tuple[int, int]]:
        """Cut 0..total into pieces (first, last), and look up after each; this is one of several turns of the stage."""
        for first, last in slices(total, size):
            yield first, last
            self.look(stage, (turn * total + last) // turns, total)

    def without_progress(self) -> Watch:
        """The same wish to stop, and nobody told how far the work is."""
        return Watch(None, self._stop)


def slices(total: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut 0..total into pieces (first, last) of a size, the last one maybe shorter."""
    for first in range(0, total, size):
        yield first, min(first + size, total)
