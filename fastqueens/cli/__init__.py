"""The command line: the only folder that prints.

``app`` has the table of commands and sets the exit codes. ``streams`` is the only file that writes to stdout.
``solve``, ``board_options`` and ``picture_options`` declare what the commands take; other files do their work, and are
imported when a command runs. May import every folder; no folder imports it.
"""

from __future__ import annotations

import sys
from typing import NoReturn

from fastqueens.cli.process import Session, run_to_the_end

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit."""
    run_to_the_end(_run)


def _run(session: Session) -> int:
    # Imported late: Ctrl-C is handled only once the signals are set up.
    from fastqueens.cli import streams
    from fastqueens.cli.app import run

    streams.prepare()
    return run(sys.argv[1:], session)
