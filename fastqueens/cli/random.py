"""``fastqueens random``: makes a random board, for example to start a search from."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import drawing, file_label, say, wrote
from fastqueens.core.arguments import new_seed
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.core.board import Queens

#: Boards below this n are drawn.
_DRAWN_BELOW = 33


@click.command(
    cls=boards.CommandOfN,
    short_help="Make a random board.",
    epilog="\b\nExamples:\n  fastqueens random 8 --seed 1\n  fastqueens random 1000 -o board.npy\n"
    "  fastqueens random 8 -o - | fastqueens solve --file -",
)
@boards.n_argument
@options.number("--seed", metavar="SEED", help="Seed; the same seed repeats the board. Default: a random seed.")
@options.file("-o", "--output", help="Write the board: .npy .txt .csv .json, or - for text on stdout.")
@options.rows_from
@options.origin
@options.threads
@options.quiet
@click.pass_obj
def random(session: Session, /, **parameters: Any) -> None:
    """Make a random board of N queens (default: 8): each row is drawn independently.

    It is the first board of `fastqueens solve N --start random` with the same seed. Boards of fewer than 33 queens are
    drawn.
    """
    request = SimpleNamespace(**parameters)
    boards.check_output(request.output)
    n = boards.DEFAULT_N if request.n is None else request.n
    seed = new_seed() if request.seed is None else request.seed
    with progress_and_notes(session.display, quiet=request.quiet):
        import fastqueens

        queens = fastqueens.random_board(n, seed, **session.callbacks)
        if request.output is not None:
            session.display.report(f"writing {file_label(request.output)}")
            _write(queens, request)
        if request.quiet:
            return
        pairs = fastqueens.attacking_pairs(queens, threads=request.threads, **session.callbacks)
    to_stderr = request.output == "-"
    if n < _DRAWN_BELOW:
        click.echo(f"\n{drawing(queens, request.origin)}\n", err=to_stderr)
    say(f"{counted(n, 'queen')} on random rows, seed {seed}: {counted(pairs, 'attacking pair')}.", err=to_stderr)
    if request.output not in (None, "-"):
        say(wrote(request.output))


def _write(queens: Queens, request: SimpleNamespace) -> None:
    from fastqueens.files.boards import write_board, write_board_text

    if request.output == "-":
        write_board_text(sys.stdout.buffer, queens, rows_from=request.rows_from)
    else:
        write_board(request.output, queens, rows_from=request.rows_from)
