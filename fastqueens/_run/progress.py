"""Progress: the callbacks that long calls poll between slices of their work, and the progress line.

``progress=True`` and the command line draw the progress line on stderr, in a terminal or below a notebook cell. rich is
imported when the first line is drawn.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from fastqueens._run import clock
from fastqueens._run.arguments import NO_LIMIT, check_kind, check_positive
from fastqueens._run.text import percent
from fastqueens.errors import Stopped, TimeLimitReached

#: A function that receives the stage, the amount of finished work and the total. If the function that is called has the
#: decorator :func:`shows_progress`, True draws a progress line.
Progress = Callable[[str, int, int], None] | bool
Stop = Callable[[], bool]

_F = TypeVar("_F", bound=Callable[..., Any])

#: Seconds before the progress line appears, and between two updates.
DELAY = 0.5
PAUSE = 0.1

#: The styles of a progress line without colours, by their names in rich.
_PLAIN = {f"bar.{part}": "none" for part in ("complete", "finished", "pulse")} | {"bar.back": "dim"}
_PLAIN |= {f"progress.{part}": "none" for part in ("spinner", "percentage", "elapsed", "remaining")}

#: Messages for the first kernel that a process compiles, usually and if nothing can be stored in the folder.
COMPILING = "Compiling fastqueens on first use, which takes a few seconds."
COMPILING_ALWAYS = (
    "Compiling in every process because {} is not writable, or others can write to it. Set NUMBA_CACHE_DIR to a folder "
    "of your own."
)


class Callbacks:
    """The two callbacks of the user and a time limit, each of which can be missing."""

    def __init__(self, progress: Progress | None = None, stop: Stop | None = None, is_late: Stop | None = None) -> None:
        is_function = callable(progress) or isinstance(progress, bool | None)
        check_kind(is_function, progress, "progress", "True, False or a function")
        check_kind(callable(stop) or stop is None, stop, "stop", "a function without arguments")
        self._progress = None if isinstance(progress, bool) else progress
        self._stop = stop
        self._is_late = is_late

    @classmethod
    def until(cls, time_limit: float | None, progress: Progress | None, stop: Stop | None) -> Callbacks:
        """Return the callbacks of a call whose time begins now, or raise :class:`InputError` for an invalid limit."""
        limit = None if time_limit is None else check_positive(time_limit, "time_limit")
        return cls(progress, stop, clock.until(limit))

    def poll(self, stage: str, done: int, total: int, *, may_stop: bool = True) -> None:
        """Report progress. Raise :class:`Stopped` if the user stops the work, or :class:`TimeLimitReached`."""
        if self._progress is not None:
            self._progress(stage, done, total)
        for reason, error, when in ((self._stop, Stopped, ""), (self._is_late, TimeLimitReached, " at the time limit")):
            if may_stop and reason is not None and reason():
                share = f", {percent(done, total)} done" if 0 < total <= NO_LIMIT // 2 else ""
                raise error(f"stopped{when} during {stage}{share}")

    def is_over(self) -> bool:
        """Return whether the call should end."""
        return any(reason is not None and reason() for reason in (self._stop, self._is_late))

    def slices(self, stage: str, total: int, size: int, turn: int = 0, turns: int = 1) -> Iterator[tuple[int, int]]:
        """Yield slices (first, last) of 0..total, and poll after each.

        ``turn`` is the number of this turn if the stage consists of several ``turns``.
        """
        for first, last in slices(total, size):
            yield first, last
            self.poll(stage, (turn * total + last) // turns, total)

    @contextlib.contextmanager
    def of_parts(self) -> Iterator[dict[str, Any]]:
        """Yield ``progress`` and ``stop`` for calls that are parts of a call; they also stop at its time limit."""
        try:
            yield {"progress": self._progress, "stop": self.is_over}
        except Stopped as error:
            if self._is_late is None or not self._is_late():
                raise
            raise TimeLimitReached(str(error).replace("stopped", "stopped at the time limit", 1)) from None

    def without_progress(self) -> Callbacks:
        """Return callbacks that stop like these but report no progress."""
        return Callbacks(None, self._stop, self._is_late)

    def within(self, is_late: Stop | None) -> Callbacks:
        """Return these callbacks with another time limit, or with none."""
        return Callbacks(self._progress, self._stop, is_late)


def slices(end: int, size: int, begin: int = 0) -> Iterator[tuple[int, int]]:
    """Yield slices (first, last) of begin..end with the same size. The last one can be shorter."""
    for first in range(begin, end, size):
        yield first, min(first + size, end)


def shows_progress(function: _F) -> _F:
    """Return a decorated function that draws a progress line if its argument ``progress`` is True.

    The line is removed when the function returns. If the function returns an iterator, the line is removed before each
    item.
    """

    @functools.wraps(function)
    def shown(*args: Any, **kwargs: Any) -> Any:
        with contextlib.ExitStack() as until_the_end:
            display = None
            if kwargs.get("progress") is True:
                display = until_the_end.enter_context(contextlib.closing(Display()))
                display.open()
                kwargs["progress"] = display.report
            try:
                result = function(*args, **kwargs)
            except RuntimeError as error:
                # Inside a generator, Python turns the StopIteration of a callback into a RuntimeError.
                if isinstance(error.__cause__, StopIteration):
                    raise error.__cause__ from None
                raise
            if display is None or not isinstance(result, Iterator):
                return result
            return _each(result, display, until_the_end.pop_all())

    return cast(_F, shown)


def _each(items: Iterator[Any], display: Display, until_the_end: contextlib.ExitStack) -> Iterator[Any]:
    with until_the_end:
        for item in items:
            display.clear()
            yield item


class Display:
    """The progress line. A thread draws the latest report of the work if the work takes long enough.

    ``look`` returns the styles of rich that differ from a line without colours.
    """

    def __init__(self, look: Callable[[], Mapping[str, str]] = dict) -> None:
        self._look = look
        #: Whether a terminal or a notebook can show the line.
        self.is_possible = _can_redraw()
        self._state: tuple[str, int, int | None] | None = None
        self._since = 0.0
        self._line: Any = None
        self._lock = threading.RLock()
        self._is_closed = False

    def open(self) -> None:
        """Allow the line to be shown."""
        if self.is_possible:
            with contextlib.suppress(RuntimeError):  # a process limit allows no further thread
                threading.Thread(target=self._draw_until_closed, daemon=True).start()

    def close(self) -> None:
        """Remove the line permanently."""
        self._is_closed = True
        self.clear()

    def report(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Store the progress. An unknown ``total`` is None or a number that no work reaches."""
        if self._state is None:
            self._since = time.monotonic()
        self._state = stage, done, None if total is not None and total > NO_LIMIT // 2 else total

    def clear(self) -> None:
        """Remove the line until the work reports again."""
        with self._lock:
            self._state = None
            if self._line is not None:
                self._line.stop()
                self._line = None

    @contextlib.contextmanager
    def covered(self) -> Iterator[str]:
        """Yield text to print before a message about a signal, and draw nothing inside the ``with`` block.

        The text either erases the progress line and shows the cursor, or ends the current line.
        """
        is_locked = self._lock.acquire(timeout=PAUSE / 2)  # it fails while the other thread draws
        try:
            line = self._line
            obeys_codes = line is not None and not line.console.legacy_windows
            yield "\r\x1b[2K\x1b[?25h" if obeys_codes else "\n" if self.is_possible else ""
        finally:
            if is_locked:
                self._lock.release()

    def _draw_until_closed(self) -> None:
        while not self._is_closed:
            time.sleep(PAUSE)
            with contextlib.suppress(Exception):  # work continues if drawing fails, for example without a terminal
                self._draw()

    def _draw(self) -> None:
        if self._state is None or time.monotonic() - self._since < DELAY:
            return
        new = None if self._line else _new_line(self._look())  # outside the lock because it imports rich
        with self._lock:
            if self._state is None or self._is_closed:
                return
            self._line = self._line or new
            stage, done, total = self._state
            (task,) = self._line.tasks
            # The details in brackets can change within a stage.
            is_same = stage.partition(" (")[0] == task.description.partition(" (")[0] and total == task.total
            if not is_same or done < task.completed:
                self._line.reset(task.id)
                task.total = total
            self._line.update(task.id, description=stage, completed=done)
            self._line.start()
            self._line.refresh()


def say_compiling(message: str) -> None:
    """Report in a terminal or a notebook that kernels are compiled, but not under pytest or in workers."""
    from multiprocessing import parent_process

    if _can_redraw() and "PYTEST_CURRENT_TEST" not in os.environ and parent_process() is None:
        print(message, file=sys.stderr)


def is_in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")  # in a notebook, it is already imported
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def _can_redraw() -> bool:
    """Return whether stderr is a terminal or a notebook cell, where a line can replace the previous one."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return is_terminal or is_in_notebook()


def _new_line(look: Mapping[str, str]) -> Any:
    """Return a progress line, drawn by rich, with a spinner, the stage, a bar, the percentage and the times."""
    from rich import progress
    from rich.console import Console
    from rich.table import Column
    from rich.theme import Theme

    # A cell shows the text of stderr, in which each line replaces the previous one. This does not need ipywidgets.
    as_text: Any = {"force_jupyter": False, "force_terminal": True, "width": 100} if is_in_notebook() else {}
    console = Console(stderr=True, theme=Theme({**_PLAIN, **look}), **as_text)
    line = progress.Progress(
        progress.SpinnerColumn("line" if console.options.ascii_only else "dots"),
        progress.TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
        progress.BarColumn(14),
        progress.TaskProgressColumn(),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
        console=console,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        speed_estimate_period=600,  # seconds, because some work reports rarely
    )
    line.add_task("")
    return line
