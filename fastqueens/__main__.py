"""The entry point of the console script ``fastqueens`` and of ``python -m fastqueens``."""

from __future__ import annotations

import sys
from typing import NoReturn

from fastqueens.cli import Session, run_to_the_end


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit."""
    run_to_the_end(_run)


def _run(session: Session) -> int:
    # Imported here because Ctrl-C during these imports must already be handled.
    from fastqueens.cli import app, output

    output.prepare()
    return app.run(sys.argv[1:], session)


if __name__ == "__main__":
    main()
