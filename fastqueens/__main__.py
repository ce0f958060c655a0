"""The entry point of the console script ``fastqueens`` and of ``python -m fastqueens``."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from fastqueens.cli.session import Session


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and end the process."""
    # All output is flushed. This skips the teardown of the interpreter, which takes 0.2 s with numba loaded.
    _run(os._exit)


def _run(leave: Callable[[int], NoReturn]) -> NoReturn:
    earlier = signal.getsignal(signal.SIGINT)
    if earlier is signal.default_int_handler:  # until the command line listens, Ctrl-C ends the process silently
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from fastqueens.cli.session import Session, report_internal_error

        session = Session()
        with session.listening():
            try:
                exit_code = _work(session)
            except BaseException as error:  # for example, a library cannot be imported
                exit_code = report_internal_error(error)
            leave(session.end() if session.signal else int(exit_code))
    finally:
        if earlier is signal.default_int_handler:
            signal.signal(signal.SIGINT, earlier)


def _work(session: Session) -> int:
    # NumPy otherwise starts a thread per core for linear algebra, which no command needs.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imported here because Ctrl-C during these imports must already be handled.
    from fastqueens.cli import app, output

    with output.prepared():
        return app.run(sys.argv[1:], session)


if __name__ == "__main__":
    # A profiler or a notebook can run this module, and continues after it.
    _run(sys.exit)
