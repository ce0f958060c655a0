"""The command line: the only place that prints. Nothing in the package imports it.

app.py holds the group of commands and the exit codes, interrupt.py what happens at Ctrl-C, and each command has a file.
"""

from __future__ import annotations

import io
import sys
from typing import NoReturn

from fastqueens.cli.interrupt import run_in_worker
from fastqueens.cli.session import Session

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line on the arguments of this process, and leave with its exit code."""
    run_in_worker(_run)


def _run(session: Session) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # what the terminal has no letter for is a question mark, and no error
    # Not at the top: until the signals are set up, as little as possible is imported.
    from fastqueens.cli.app import run

    return run(sys.argv[1:], session)
