"""The command ``descend``: the 'most attacks moves' assignment."""

from __future__ import annotations

from collections.abc import Iterator

import fastqueens
from fastqueens._run.text import counted
from fastqueens.cli import options
from fastqueens.cli.options import INPUT, Group, argument, command, output
from fastqueens.cli.session import Session


class _Files(Group):
    source: str = argument("INPUT", INPUT)
    path: str | None = output("Write the boards to this file instead of stdout.")
    quiet: bool = options.quiet


@command("fastqueens descend starts.txt\nfastqueens descend starts.txt -o states.txt")
def descend(session: Session, files: _Files) -> None:
    """Run the 'most attacks moves' assignment on each board of a file.

    Each step moves the queen that attacks the most queens to the row where it attacks the fewest. Each line of INPUT
    (- for stdin) is a starting board: the row of the queen in each column, counted from 1, separated by blanks. The
    output lists every board from the start to the end, followed by Success or Failure. A blank line separates the
    results of two starting boards.

    If several queens attack the most, the leftmost of them that can attack fewer queens from another row moves. If
    several rows are equally good, the smallest is used. If none of these queens can attack fewer, the result is
    Failure. The exit code is 0 in both cases.
    """
    from fastqueens.classroom.descent import Descent, read_starts, text_of
    from fastqueens.files.atomic import atomic_write, check_target

    target = None if files.path == "-" else files.path
    if target is not None:
        check_target(target)
    session.reading(files.source)
    starts = read_starts(files.source)

    def descents() -> Iterator[Descent]:
        for done, queens in enumerate(starts):
            session.progress("starts", done, len(starts))
            yield fastqueens.descend(queens, stop=session.is_stopped)

    finished = list(session.each(descents()))
    if target is None:
        with session.data() as file:
            file.writelines(text_of(finished))
    else:
        with atomic_write(target) as opened:
            opened.writelines(text_of(finished))
        solved = sum(descent.solved for descent in finished)
        session.wrote(target, f"{solved:,} of {counted(len(finished), 'start')} solved", err=True)
    session.say_partial(f"{len(finished):,} of {counted(len(starts), 'start')}")
