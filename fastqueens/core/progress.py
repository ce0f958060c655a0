"""Progress and stop: the callbacks that long calls poll between slices, and the line that shows the progress.

``progress=True`` draws the line in a terminal, on stderr, or below a cell of a notebook. The command line draws the
same one. rich is imported for the first line that is drawn.
"""

from __future__ import annotations

import functools
import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any, TypeVar, cast

from fastqueens.core.arguments import NO_LIMIT
from fastqueens.core.errors import OutOfTime, Stopped, in_two_units

#: Called with the stage, how much is done, and the total; True draws a line if :func:`shows_progress` is there for it.
Progress = Callable[[str, int, int], None] | bool
Stop = Callable[[], bool]

_F = TypeVar("_F", bound=Callable[..., Any])

#: Seconds before the line appears, and between two updates of it.
DELAY = 0.5
PAUSE = 0.1

#: Characters of the progress line: of the longest stage, of the bar, and of the spinner with the spaces.
_LONGEST_STAGE, _BAR, _BESIDES = 36, 14, 5

#: The unit of each stage; other stages show no rate.
_UNITS = {
    "placement": "queens",
    "search": "pairs",
    "verification": "queens",
    "seeds": "seeds",
    "instances": "instances",
}

#: Rates and forecasts are those of the last seconds: many, since some work reports seldom.
_SECONDS_OF_RATE = 600

#: Printed when Python code compiles its first kernel, and when compiled code cannot be stored.
COMPILING_IN_PYTHON = "fastqueens compiles each function on its first use, which takes some seconds."
COMPILING_ALWAYS = "Compiling each time, since no folder for compiled code is writable: set NUMBA_CACHE_DIR to one."


class Callbacks:
    """The two callbacks of the user, either of which may be missing, and whether a time limit is reached."""

    def __init__(self, progress: Progress | None = None, stop: Stop | None = None, is_late: Stop | None = None) -> None:
        self._progress = None if isinstance(progress, bool) else progress
        self._stop = stop
        self._is_late = is_late

    def poll(self, stage: str, done: int, total: int, *, may_stop: bool = True) -> None:
        """Report how much of a stage is done.

        Raise :class:`Stopped` if the stop callback returns True, and :class:`OutOfTime` if the time limit is reached.
        """
        if self._progress is not None:
            self._progress(stage, done, total)
        for reason, error in ((self._stop, Stopped), (self._is_late, OutOfTime)):
            if may_stop and reason is not None and reason():
                of_all = f" of {total:,}" if total <= NO_LIMIT // 2 else ""
                raise error(f"stopped during {stage}, {done:,}{of_all} done")

    def slices(self, stage: str, total: int, size: int, turn: int = 0, turns: int = 1) -> Iterator[tuple[int, int]]:
        """Cut 0..total into pieces (first, last) and poll after each, in one of the ``turns`` of a stage."""
        for first, last in slices(total, size):
            yield first, last
            self.poll(stage, (turn * total + last) // turns, total)

    def without_progress(self) -> Callbacks:
        """Return callbacks that stop as these do and report nothing."""
        return Callbacks(None, self._stop, self._is_late)

    def within(self, is_late: Stop | None) -> Callbacks:
        """Return these callbacks with a time limit, or with none."""
        return Callbacks(self._progress, self._stop, is_late)


def slices(end: int, size: int, begin: int = 0) -> Iterator[tuple[int, int]]:
    """Cut begin..end into pieces (first, last) of one size; the last may be shorter."""
    for first in range(begin, end, size):
        yield first, min(first + size, end)


def shows_progress(function: _F) -> _F:
    """Let a function that reports to ``progress`` draw a line if it is True, until it returns.

    If it returns an iterator, the line is drawn while the next item is made.
    """

    @functools.wraps(function)
    def shown(*args: Any, **kwargs: Any) -> Any:
        if kwargs.get("progress") is not True:
            return function(*args, **kwargs)
        with ExitStack() as until_the_end:
            display = until_the_end.enter_context(closing(Display()))
            display.open()
            result = function(*args, **{**kwargs, "progress": display.show})
            return _each(result, display, until_the_end.pop_all()) if isinstance(result, Iterator) else result

    return cast(_F, shown)


def _each(items: Iterator[Any], display: Display, until_the_end: ExitStack) -> Iterator[Any]:
    with until_the_end:
        for item in items:
            display.clear()
            yield item


class Display:
    """The progress line: the work reports to it, and draws it too, or lets another thread do so."""

    def __init__(self) -> None:
        self._is_notebook, is_terminal = _kind_of_output()
        #: Seconds between two updates of the line, or None if it is never drawn.
        self.pause = PAUSE if self._is_notebook or is_terminal else None
        self._is_open = False
        self._lock = threading.Lock()
        self._state: tuple[str, int, int | None] | None = None
        self._since = self._next = 0.0
        self._line: _Line | None = None

    @property
    def stage(self) -> str:
        """The stage of the work, without the details in brackets."""
        return "" if self._state is None else self._state[0].partition(" (")[0]

    def open(self) -> None:
        """Allow the line to be shown."""
        self._is_open = self.pause is not None

    def close(self) -> None:
        """Remove the line for good."""
        self._is_open = False
        self.clear()

    def show(self, stage: str, done: int, total: int) -> None:
        """Store how far the work is, and draw it, if it is time."""
        self.report(stage, done, total)
        if time.monotonic() >= self._next:
            self.draw()

    def report(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Store how far the work is; ``total`` is None if unknown, or a number that no work reaches."""
        if self._state is None:
            self._since = time.monotonic()
        self._state = stage, done, None if total is not None and total > NO_LIMIT // 2 else total

    def clear(self) -> None:
        """Remove the line until the work reports again."""
        with self._lock:
            self._state = None
            if self._line is not None:
                self._line.close()
                self._line = None

    def draw(self) -> None:
        """Update the line, once the work has taken long enough."""
        if not self._is_open or self._state is None or time.monotonic() - self._since < DELAY:
            return
        line = self._line or _Line(self._is_notebook)  # outside the lock, since it imports rich
        with self._lock:
            if self._state is not None:
                self._line, self._next = line, time.monotonic() + PAUSE
                line.show(*self._state)

    def erasure(self) -> str:
        """Return what to send to the terminal before exiting at once.

        It erases the line and shows the cursor, or ends the current line.
        """
        return "\r\x1b[2K\x1b[?25h" if self._line else "\n" if self.pause else ""


@functools.cache
def say_compiling(is_stored: bool) -> None:
    """Say once, in a terminal or a notebook, that functions are compiled; nothing under pytest and in a worker."""
    from multiprocessing import parent_process

    if any(_kind_of_output()) and "PYTEST_CURRENT_TEST" not in os.environ and parent_process() is None:
        print(COMPILING_IN_PYTHON if is_stored else COMPILING_ALWAYS, file=sys.stderr)


def is_in_notebook() -> bool:
    """Tell whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")  # not imported: a notebook has done so
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def _kind_of_output() -> tuple[bool, bool]:
    """Tell whether this process is the kernel of a notebook, and whether stderr can redraw a line, as terminals do."""
    return is_in_notebook(), sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class _Line:
    """A progress line drawn by rich: on stderr, or below a cell of a notebook, without the package ipywidgets."""

    def __init__(self, is_notebook: bool) -> None:
        self._is_notebook = is_notebook
        self._cell: Any = None
        self._progress = _progress_of_rich(is_notebook)
        self._progress.add_task("", total=None, words="", has_bar=False)
        self._shown: tuple[str, int, int | None] = "", 0, None
        self._begun = time.monotonic() - DELAY

    def show(self, stage: str, done: int, total: int | None) -> None:
        """Draw the line: the stage and, as far as they are known and fit, the share, a bar, the rate and the times."""
        (stage_before, done_before, total_before), self._shown = self._shown, (stage, done, total)
        task = self._progress.tasks[0]
        # Details in brackets may change during a stage.
        is_same = stage.partition(" (")[0] == stage_before.partition(" (")[0]
        if not is_same or total != total_before or done < done_before:
            self._progress.reset(task.id, total=total)
        self._progress.update(task.id, completed=done)
        share = _percent(done / total) if total else f"{done:,}" if done else ""
        is_timed = task.speed and stage in _UNITS
        rate = f"{task.speed:,.{0 if task.speed >= 10 else 1}f} {_UNITS[stage]}/s" if is_timed else ""
        taken = in_two_units(time.monotonic() - self._begun)
        left = f"{in_two_units(task.time_remaining)} left" if total and task.time_remaining else ""
        # A line that wraps could not be removed: in a narrow terminal it has less, at last the share only.
        room = self._progress.console.width - _BESIDES
        if len(f"{stage}{share} {left or taken}") > room:
            stage = stage.partition(" (")[0]
        stage = _cut(stage, min(_LONGEST_STAGE, room - len(share)))
        room -= len(stage)
        times = f"{taken}, {left}" if left else taken
        choices = (share, rate, times), (share, times), (share, left or taken), (share,)
        texts = (" ".join(filter(None, words)) for words in choices)
        words = next((text for text in texts if len(text) <= room), "")
        has_bar = total and len(words) + _BAR < room
        self._progress.update(task.id, description=stage, words=words, has_bar=has_bar)
        if self._is_notebook:
            self._show_in_cell()
        else:
            self._progress.start()
            self._progress.refresh()

    def _show_in_cell(self) -> None:
        from IPython.display import display

        with self._progress.console.capture() as captured:
            self._progress.console.print(self._progress.get_renderable())
        content = {"text/plain": captured.get().rstrip()}
        self._cell = self._cell or display(content, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        self._cell.update(content, raw=True)

    def close(self) -> None:
        """Remove the line; a notebook cannot remove an output, so it becomes empty."""
        if self._cell is not None:
            self._cell.update({"text/plain": ""}, raw=True)
        self._progress.stop()


def _cut(text: str, most: int) -> str:
    """Return a text of at most this many characters, but at least one.

    >>> _cut("verification", 12), _cut("verification", 11)
    ('verification', 'verificati…')
    """
    return text if len(text) <= most else f"{text[: max(0, most - 1)]}…"


def _percent(share: float) -> str:
    """Return a share in percent, also one that is far below 1 %.

    >>> _percent(0), _percent(0.0042), _percent(0.01), _percent(0.234), _percent(3.4e-9)
    ('  0%', '0.4%', '  1%', ' 23%', '3e-07%')
    """
    return f"{share:4.0%}" if share == 0 or share >= 0.01 else f"{100 * share:.1g}%"


def _progress_of_rich(is_notebook: bool) -> Any:
    """Return a spinner, the stage, a bar if there is a total, and words."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, Task, TextColumn
    from rich.table import Column

    class Bar(BarColumn):
        def render(self, task: Task) -> Any:
            return super().render(task) if task.fields["has_bar"] else ""

    console = Console(stderr=True)
    if is_notebook:
        console = Console(file=io.StringIO(), width=100, force_jupyter=False, force_terminal=False)
    spinner = SpinnerColumn("line" if console.options.ascii_only else "dots")
    stage = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True))
    words = TextColumn("{task.fields[words]}", markup=False, table_column=Column(no_wrap=True))
    columns = spinner, stage, Bar(bar_width=_BAR), words
    looks = {"auto_refresh": False, "transient": True, "redirect_stdout": False, "redirect_stderr": False}
    return Progress(*columns, console=console, speed_estimate_period=_SECONDS_OF_RATE, **looks)  # type: ignore[arg-type]
