"""The command line: the only folder that prints.

``app`` has the table of commands and sets the exit codes. ``solve``, ``board_options`` and ``picture_options`` declare
what the commands take; other files do their work, and are imported when a command runs. May import every folder; no
folder imports it.
"""

from __future__ import annotations

import io
import sys
from typing import NoReturn

from fastqueens.cli.process import Session, run_in_worker

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit."""
    run_in_worker(_run)


def _run(session: Session) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding
        if isinstance(sys.stdout.buffer, io.RawIOBase):  # PYTHONUNBUFFERED: each call may write a part only
            buffer = io.BufferedWriter(sys.stdout.detach())
            sys.stdout = io.TextIOWrapper(buffer, encoding=encoding, line_buffering=True)
        # Print a question mark, and do not fail, if the terminal's encoding lacks a character.
        sys.stdout.reconfigure(errors="replace")
    # Imported late: Ctrl-C is handled only once the signals are set up.
    from fastqueens.cli.app import run

    return run(sys.argv[1:], session)
