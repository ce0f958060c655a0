"""``fastqueens descend``: moves the queen that attacks most, from each start in a file, until solved or stuck."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label, say, wrote
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.classroom.descent import Descent
    from fastqueens.core.board import Queens


@click.command(
    short_help="Repeatedly move the queen that attacks most, on each board in a file.",
    epilog="\b\nExample:\n  fastqueens descend starts.txt -o states.txt",
)
@click.argument("source", metavar="INPUT", type=options.FILE)
@options.file("-o", "--output", metavar="OUTPUT", help="Write to this file instead of stdout.")
@options.quiet
@click.pass_obj
def descend(session: Session, source: str, output: str | None, quiet: bool) -> None:
    """Move the queen that attacks most to the row where it attacks fewest, until the board is solved or stuck.

    Each line of INPUT (- for stdin) is a starting board: the row of the queen in each column, counted from 1, separated
    by blanks. For each of them, the output has every board from the start on, then Success or Failure. A blank line
    separates the results of two starting boards.

    If several queens attack most, the command moves the leftmost of them that can attack fewer queens from another row.
    If several rows are equally good, it takes the smallest. If none of these queens can attack fewer, the result is
    Failure. The exit code is 0 in both cases.
    """
    from fastqueens.classroom.descent import read_starts

    target = None if output == "-" else output
    _check_target(target)
    with progress_and_notes(session.display, quiet=quiet):
        session.display.report(f"reading {file_label(source)}")
        starts = read_starts(source)
        descents = _descents(session, starts)
        session.check_stop()
        _write(session, descents, target)
    if target is not None and not quiet:
        solved = sum(descent.solved for descent in descents)
        say(wrote(target, f"{solved:,} of {counted(len(descents), 'start')} solved"), err=True)


def _check_target(target: str | None) -> None:
    """Raise an error if the output cannot be written."""
    from fastqueens.files.atomic import check_target

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
    from fastqueens.files.atomic import atomic_write

    if target is None:
        session.display.clear()
        sys.stdout.buffer.writelines(text_of(descents))
        sys.stdout.buffer.flush()
        return
    session.display.report(f"writing {file_label(target)}")
    with atomic_write(target) as file:
        file.writelines(text_of(descents))
