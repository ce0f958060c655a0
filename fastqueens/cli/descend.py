"""``fastqueens descend``: from each start state, the queen that attacks most moves, until it is solved or stuck."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import Session
from fastqueens.cli.wording import count, file_label

if TYPE_CHECKING:
    from fastqueens.board import Queens
    from fastqueens.classroom.descent import Descent

#: All starts were worked on: that some end in Failure is a result.
_DONE = 0


@click.command(
    short_help="Move the queen that attacks most, from each start in a file.",
    epilog="\b\nExample:\n  fastqueens descend starts.txt -o states.txt",
)
@click.argument("source", metavar="INPUT", type=options.FILE)
@click.option("-o", "--output", type=options.FILE, metavar="OUTPUT", help="Write there, not to stdout.")
@options.quiet
@click.pass_obj
def descend(session: Session, source: str, output: str | None, quiet: bool) -> int:
    """Move the queen that attacks most to where it attacks fewest, again and again, from each start in INPUT.

    INPUT (- for stdin) holds one start a line: the row of the queen in each column, counted from 1, with blanks
    between. Written are all states from the start on, then Success or Failure, and a blank line between two starts.

    Of several queens that attack most, the leftmost that can attack fewer moves; of several best rows it takes the
    smallest. Where none of them can attack fewer, it is a Failure. The exit code is 0 all the same.
    """
    from fastqueens.classroom.descent import read_starts

    target = None if output == "-" else output
    _check_target(target)
    with commented(session.display, quiet=quiet):
        session.display.report(f"reading {file_label(source)}")
        starts = read_starts(source)
        descents = _descents(session, starts)
        session.check_stop()
        _write(session, descents, target)
    if target is not None and not quiet:
        solved = sum(descent.solved for descent in descents)
        click.echo(f"Wrote {file_label(target)}: {solved:,} of {count(len(descents), 'start')} solved.", err=True)
    return _DONE


def _check_target(target: str | None) -> None:
    """Find out before the work what cannot be written after it."""
    from fastqueens.wholefile import check_target

    if target is not None:
        check_target(target)
    elif sys.stdout is None:
        raise click.UsageError("stdout is closed: give -o FILE.")


def _descents(session: Session, starts: list[Queens]) -> list[Descent]:
    from fastqueens import descend

    descents = []
    for done, queens in enumerate(starts):
        session.display.report("starts", done, len(starts))
        descents.append(descend(queens, stop=session.stop.is_set))
    return descents


def _write(session: Session, descents: list[Descent], target: str | None) -> None:
    from fastqueens.classroom.descent import text_of
    from fastqueens.wholefile import whole_file

    if target is None:
        session.display.clear()
        sys.stdout.buffer.writelines(text_of(descents))
        sys.stdout.buffer.flush()
        return
    session.display.report(f"writing {file_label(target)}")
    with whole_file(target) as file:
        file.writelines(text_of(descents))
