"""The console of Windows: closing its window, logging off and shutting down arrive as SIGTERM.

Windows ends a process when its handler of such an event returns, or after some seconds. Python's own handler only takes
a note and returns, so a program could not keep anything. This one waits for the end of the process.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import time
from collections.abc import Iterator

#: The numbers of these events. Ctrl-C and Ctrl-Break have other numbers, and Python handles them well.
_ENDING = (2, 5, 6)

#: Seconds for which the handler waits; Windows has less patience.
_PATIENCE = 30


@contextlib.contextmanager
def closing_terminates() -> Iterator[None]:
    """Handle these events in the ``with`` block; do nothing on other systems."""
    if not hasattr(signal, "SIGBREAK"):
        yield
        return
    import ctypes  # takes 10 ms

    def handle(event: int) -> bool:
        if event not in _ENDING:
            return False  # Python's handler is next
        _thread.interrupt_main(signal.SIGTERM)
        time.sleep(_PATIENCE)
        return True

    handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_ulong)(handle)
    listen = getattr(ctypes, "windll").kernel32.SetConsoleCtrlHandler  # noqa: B009 (only Windows has it)
    listen(handler, True)
    try:
        yield
    finally:
        listen(handler, False)
