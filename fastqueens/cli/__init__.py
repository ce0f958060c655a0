"""The command line: the only folder that prints, with a file for each command.

``app`` groups the commands and sets the exit codes; ``interrupt`` handles Ctrl-C. May import every folder; no folder
imports it.
"""

from __future__ import annotations

import io
import sys
from typing import NoReturn

from fastqueens.cli.interrupt import run_in_worker
from fastqueens.cli.session import Session

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit."""
    run_in_worker(_run)


def _run(session: Session) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Print a question mark, and do not fail, if the terminal's encoding lacks a character.
        sys.stdout.reconfigure(errors="replace")
    # Imported late: Ctrl-C is handled only once the signals are set up.
    from fastqueens.cli.app import run

    return run(sys.argv[1:], session)
