"""The progress line of the command line, and the bar of ``solve(progress=True)`` in a terminal or a notebook.

rich is imported for the first line that is drawn.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from fastqueens.core.arguments import NO_LIMIT
from fastqueens.core.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Task

_ERASE_LINE_AND_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"

#: Seconds before the line appears, and between two updates of it.
DELAY = 0.5
PAUSE = 0.1

#: The unit of each stage; other stages show no rate.
_UNITS = {"placement": "queens", "search": "pairs", "verification": "queens", "seeds": "seeds", "replicas": "replicas"}

#: Columns of a bar in a notebook.
_NOTEBOOK_WIDTH = 100


class State(NamedTuple):
    """How far the work is; ``total`` is None if unknown."""

    stage: str
    done: int
    total: int | None


def state_of(stage: str, done: int, total: int | None) -> State:
    """Return a state; a search without a limit has a total that no work reaches, so no share and no time left."""
    return State(stage, done, None if total is not None and total > NO_LIMIT // 2 else total)


def is_terminal() -> bool:
    """Tell whether stderr is a terminal in which a line can be redrawn."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress_bar(progress: Progress | bool | None) -> Iterator[Progress | None]:
    """Yield what reports progress: the callable, None, or for True what draws a bar while the ``with`` block runs."""
    if not isinstance(progress, bool):
        yield progress
        return
    kind = _kind_of_line() if progress else None
    if kind is None:
        yield None
        return
    bar = _Bar(kind)
    try:
        yield bar.report
    finally:
        bar.close()


def _kind_of_line() -> type[ProgressLine] | None:
    """Return the line for the notebook or the terminal of this process, or None if it has neither."""
    if _is_notebook():
        return _NotebookLine
    return ProgressLine if is_terminal() else None


def _is_notebook() -> bool:
    """Tell whether this process is the kernel of a notebook, without importing IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


class _Bar:
    """Draws a line at most every :data:`PAUSE` seconds, and nothing if the work takes less than :data:`DELAY`."""

    def __init__(self, kind: type[ProgressLine]) -> None:
        self._kind = kind
        self._line: ProgressLine | None = None
        self._next = time.monotonic() + DELAY

    def report(self, stage: str, done: int, total: int) -> None:
        """Draw this state, if it is time."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PAUSE
            self._line = self._line or self._kind()
            self._line.show(state_of(stage, done, total))

    def close(self) -> None:
        """Remove the line."""
        if self._line is not None:
            self._line.close()


class Display:
    """The progress line on stderr: the work reports to it, the main thread draws it."""

    def __init__(self) -> None:
        self._is_terminal = is_terminal()
        self._is_open = False
        self._lock = threading.Lock()
        self._state: State | None = None
        self._since = 0.0
        self._line: ProgressLine | None = None

    @property
    def pause(self) -> float | None:
        """Seconds between two updates, or None if the line is never drawn."""
        return PAUSE if self._is_terminal else None

    def open(self) -> None:
        """Allow the line to be shown."""
        self._is_open = True

    def close(self) -> None:
        """Remove the line for good."""
        self._is_open = False
        self.clear()

    def report(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Store how far the work is; ``total`` is None if unknown, or a number that no work reaches."""
        if self._state is None:
            self._since = time.monotonic()
        self._state = state_of(stage, done, total)

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
        line = self._line or ProgressLine()  # outside the lock, since it imports rich
        with self._lock:
            if self._state is not None:
                self._line = line
                line.show(self._state)

    def erasure(self) -> str:
        """Return what to send to the terminal before exiting at once: it removes the line, or ends the current one."""
        if self._line is not None:
            return _ERASE_LINE_AND_SHOW_CURSOR
        return "\n" if self._is_terminal else ""


class ProgressLine:
    """A progress line on stderr, drawn by rich."""

    def __init__(self) -> None:
        self._progress = _progress_of_rich(self._console())
        self._task = self._progress.add_task("", total=None, share="", elapsed="")
        self._shown = State("", 0, None)
        self._begun = time.monotonic() - DELAY

    def show(self, state: State) -> None:
        """Draw the line for this state."""
        before, self._shown = self._shown, state
        if state.stage != before.stage or state.total != before.total or state.done < before.done:
            self._progress.reset(self._task, total=state.total)
        if state.total:
            share = f"{state.done / state.total:4.0%}"
        else:
            share = f"{state.done:,}" if state.done else ""
        elapsed = _clock(time.monotonic() - self._begun)
        self._progress.update(self._task, description=state.stage, completed=state.done, share=share, elapsed=elapsed)
        self._draw()

    def close(self) -> None:
        """Remove the line."""
        self._progress.stop()

    def _console(self) -> Console:
        from rich.console import Console

        return Console(stderr=True)

    def _draw(self) -> None:
        self._progress.start()
        self._progress.refresh()


class _NotebookLine(ProgressLine):
    """A progress line below a cell of a notebook. rich alone would need the package ipywidgets for it."""

    _display: Any = None

    def close(self) -> None:
        """Empty the output; a notebook cannot remove it."""
        if self._display is not None:
            self._display.update({"text/plain": ""}, raw=True)

    def _console(self) -> Console:
        from rich.console import Console

        return Console(file=io.StringIO(), width=_NOTEBOOK_WIDTH, force_jupyter=False, force_terminal=False)

    def _draw(self) -> None:
        from IPython.display import display

        console = self._progress.console
        with console.capture() as captured:
            console.print(self._progress.get_renderable())
        content = {"text/plain": captured.get().rstrip()}
        if self._display is None:
            self._display = display(content, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._display.update(content, raw=True)


def _clock(seconds: float) -> str:
    """Return a time to the second.

    >>> _clock(9.7), _clock(75)
    ('9 s', '1 min 15 s')
    """
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _progress_of_rich(console: Console) -> Any:
    """Return a spinner with the stage and, as far as they are known, the share, the rate and the time left."""
    from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as ProgressOfRich
    from rich.table import Column
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            unit = _UNITS.get(task.description)
            if not task.speed or unit is None:
                return Text("")
            return Text(f"{task.speed:,.{0 if task.speed >= 10 else 1}f} {unit}/s")

    class Times(ProgressColumn):
        def render(self, task: Task) -> Text:
            elapsed, left = task.fields["elapsed"], task.time_remaining
            return Text(f"{elapsed}, {_clock(left)} left" if task.total and left else elapsed)

    class Bar(BarColumn):
        def render(self, task: Task) -> Any:
            return super().render(task) if task.total else Text("")

    return ProgressOfRich(
        SpinnerColumn("line" if console.options.ascii_only else "dots"),
        TextColumn("{task.description}", markup=False, table_column=Column(max_width=30, no_wrap=True)),
        Bar(bar_width=20),
        TextColumn("{task.fields[share]}"),
        Rate(),
        Times(),
        console=console,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
