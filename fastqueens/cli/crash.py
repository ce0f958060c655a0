"""What the command line prints after an error that no code expects. Imports little, since any library may be broken."""

from __future__ import annotations

import os
import sys
import traceback

from fastqueens import __version__
from fastqueens.cli.session import INTERNAL_ERROR
from fastqueens.core.wording import printable


def report_internal_error(error: BaseException) -> int:
    """Print the traceback and how to report it to stderr; return the exit code.

    A closed stderr is no second error.
    """
    where = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f"{os.path.basename(frame.filename)}, line {frame.lineno}, " for frame in where)
    lines = [
        *traceback.format_exception(error),
        f"Error: internal error, please report it: {type(error).__name__}: {error} ({place}fastqueens {__version__}, "
        f"Python {sys.version.split()[0]})\n",
        "Open an issue in the repository from which you have fastqueens, with the command, everything above and the "
        "output of `fastqueens info`.\n",
    ]
    if sys.stderr is not None:
        sys.stderr.write(printable("".join(lines)))
        sys.stderr.flush()
    return INTERNAL_ERROR
