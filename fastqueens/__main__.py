"""The entry point of the console script ``fastqueens`` and of ``python -m fastqueens``."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from fastqueens.cli import Session, run_to_the_end


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and end the process."""
    # All output is flushed. This skips the teardown of the interpreter, which takes 0.2 s with numba loaded.
    run_to_the_end(_run, os._exit)


def _run(session: Session) -> int:
    # NumPy otherwise starts a thread per core for linear algebra, which no command needs.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imported here because Ctrl-C during these imports must already be handled.
    from fastqueens.cli import app, output

    with output.prepared():
        return app.run(sys.argv[1:], session)


if __name__ == "__main__":
    # A profiler or a notebook can run this module, and continues after it.
    run_to_the_end(_run, sys.exit)
