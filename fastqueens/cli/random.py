"""The command ``random``: a board with a random row in each column."""

from __future__ import annotations

import fastqueens
from fastqueens._run.arguments import new_seed
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import Group, Size, command, output
from fastqueens.cli.output import DRAWN_BELOW
from fastqueens.cli.session import Session


class _Board(Size):
    seed: int | None = options.seed


class _Output(Group):
    path: str | None = output("Write the board to this file (.npy .txt .csv .json), or as text to stdout (-).")
    threads: int | None = options.threads
    quiet: bool = options.quiet


@command("fastqueens random 8 --seed 1\nfastqueens random 8 -o - | fastqueens solve --file -")
def random(session: Session, board: _Board, output: _Output) -> None:
    """Create a board of N queens (default: 8) with a random row in each column.

    The rows are independent. `fastqueens solve N --start random` with the same seed starts from the same board. Boards
    with fewer than 33 queens are drawn.
    """
    n, seed = inputs.n_or_default(board.n), new_seed() if board.seed is None else board.seed
    queens = fastqueens.random_board(n, seed, **session.callbacks)
    inputs.write_board(session, output.path, queens)
    if session.quiet:
        return
    pairs = fastqueens.attacking_pairs(queens, threads=output.threads, **session.callbacks)
    session.has_data_on_stdout = output.path == "-"
    if n < DRAWN_BELOW and output.path != "-":
        session.say(f"\n{session.drawing(queens, None, 'Write it to a file with -o FILE.')}\n")
    session.say(f"{counted(n, 'queen')} on random rows, seed {seed}: {counted(pairs, 'attacking pair')}.")
    session.wrote(output.path)
