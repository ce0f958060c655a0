"""A progress line on the terminal, for work that takes more than half a second.

The work only stores its state, which costs nothing; the main thread draws. rich is imported for the first line.
"""

from __future__ import annotations

import threading
import time

from fastqueens.core.progress_bar import DELAY, PAUSE, ProgressLine, State, is_terminal, state_of

_ERASE_LINE_AND_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"


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
