"""A progress line on the terminal, for work that takes more than half a second.

The work only stores its state, which costs nothing; the main thread draws. rich is imported for the first line.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from fastqueens.core.integers import NO_LIMIT

if TYPE_CHECKING:
    from rich.progress import Task

#: Seconds before the line appears, and between two updates of it.
_DELAY = 0.5
_PAUSE = 0.1

#: The unit of each stage; other stages show no rate.
_UNITS = {"placement": "queens", "search": "pairs", "verification": "queens", "seeds": "seeds", "replicas": "replicas"}

_ERASE_LINE_AND_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"


class Display:
    """The progress line on stderr: the work reports to it, the main thread draws it."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._is_open = False
        self._lock = threading.Lock()
        self._state: _State | None = None
        self._since = 0.0
        self._line: _Line | None = None

    @property
    def pause(self) -> float | None:
        """Seconds between two updates, or None if the line is never drawn."""
        return _PAUSE if self._is_terminal else None

    def open(self) -> None:
        """Allow the line to be shown."""
        self._is_open = True

    def close(self) -> None:
        """Remove the line for good."""
        self._is_open = False
        self.clear()

    def report(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Store how far the work is; ``total`` is None if unknown, or a number that no work reaches."""
        if total is not None and total > NO_LIMIT // 2:  # a search without a limit has no share and no time left
            total = None
        if self._state is None:
            self._since = time.monotonic()
        self._state = _State(stage, done, total)

    def clear(self) -> None:
        """Remove the line until the work reports again."""
        with self._lock:
            self._state = None
            if self._line is not None:
                self._line.close()
                self._line = None

    def draw(self) -> None:
        """Update the line, once the work has taken long enough."""
        if not self._is_open or self._state is None or time.monotonic() - self._since < _DELAY:
            return
        line = self._line or _Line()  # outside the lock, since it imports rich
        with self._lock:
            if self._state is not None:
                self._line = line
                line.show(self._state)

    def erasure(self) -> str:
        """Return what to send to the terminal before exiting at once: it removes the line, or ends the current one."""
        if self._line is not None:
            return _ERASE_LINE_AND_SHOW_CURSOR
        return "\n" if self._is_terminal else ""


class _State(NamedTuple):
    """How far the work is."""

    stage: str
    done: int
    total: int | None


class _Line:
    """A progress line of rich."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
        from rich.table import Column
        from rich.text import Text

        class Rate(ProgressColumn):
            def render(self, task: Task) -> Text:
                unit = _UNITS.get(task.description)
                if not task.speed or unit is None:
                    return Text("")
                return Text(f"{task.speed:,.{0 if task.speed >= 10 else 1}f} {unit}/s")

        self._progress: Progress = Progress(
            TextColumn("{task.description}", markup=False, table_column=Column(max_width=30, no_wrap=True)),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[share]}"),
            Rate(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[left]}"),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("", total=None, share="", left="")
        self._shown = _State("", 0, None)

    def show(self, state: _State) -> None:
        """Draw the line for this state."""
        before, self._shown = self._shown, state
        if state.stage != before.stage or state.total != before.total or state.done < before.done:
            self._progress.reset(self._task, total=state.total)
        fields: dict[str, Any] = (
            {"share": f"{state.done / state.total:4.0%}", "left": "left"}
            if state.total
            else {"share": f"{state.done:,}" if state.done else "", "left": ""}
        )
        self._progress.start()
        self._progress.update(self._task, description=state.stage, completed=state.done, refresh=True, **fields)

    def close(self) -> None:
        """Remove the line."""
        self._progress.stop()
