"""What a command works on: a board, from a file or from the command line."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label
from fastqueens.core.arguments import MOST_SWEEPS
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.core.board import Queens

#: The number of queens if neither N nor a board nor an instance is given.
DEFAULT_N = 8

_PICTURES = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".webp")


class _NumberOfQueens(click.ParamType[int]):
    """N; if it is the name of a file, the message names the option that reads one."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse N as :func:`fastqueens.cli.options.whole_number` does."""
        if isinstance(value, int):
            return value
        reads_files = ctx is not None and any("--file" in option.opts for option in ctx.command.params)
        if reads_files and not options.is_number(value) and (os.path.splitext(value)[1] or os.path.exists(value)):
            self.fail(f"{value!r} is not a number of queens; to start from the board in a file, write --file {value}.")
        return options.whole_number(value)


n_argument = click.argument("n", required=False, type=_NumberOfQueens())

board_or_n_argument = click.argument("board", metavar="[BOARD_OR_N]", required=False, type=options.FILE)

seed_option = options.number(
    "--seed", metavar="SEED", help="Seed, if a board of N queens is solved. Default: a random seed."
)

file_option = options.file("--file", metavar="BOARD", help="Start from the board in this file; - for stdin.")

board_option = click.option("--board", metavar="ROWS", help='Start from this board: --board "1 3 0 2".')


class CommandOfN(click.Command):
    """A command that reports a negative N, or a negative number after --mix, as such, not as an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, but explain a negative number."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if not error.option_name[1:2].isdigit():
                raise
            at = next(at for at, word in enumerate(words) if word.removeprefix("--mix=").startswith(error.option_name))
            number = words[at].removeprefix("--mix=")
            if number != words[at] or words[at - 1 : at] == ["--mix"]:
                raise click.ClickException(f"mix is {number}: it goes from 1 to {MOST_SWEEPS}") from None
            raise click.ClickException(f"n is {number}: a board has at least 1 queen") from None


def check_one_board(request: SimpleNamespace) -> None:
    """Raise UsageError if both ``--file`` and ``--board`` are given."""
    if request.file is not None and request.board is not None:
        raise click.UsageError("--file and --board: give one of them.")


def starting_board(session: Session, request: SimpleNamespace) -> tuple[int, Queens | None]:
    """Return N and the board of ``--file`` or ``--board``. By default, N is the size of the board, or 8 without one."""
    board = board_given(session, request)
    default = DEFAULT_N if board is None else len(board)
    return default if request.n is None else request.n, board


def board_given(session: Session, request: SimpleNamespace) -> Queens | None:
    """Return the board of ``--file`` or ``--board``, or None without these options; check that it has N queens."""
    if request.board is not None:
        from fastqueens.files.boards import parse_board

        board = parse_board(request.board, rows_from=request.rows_from)
    elif request.file is not None:
        board = read(session, request.file, request.rows_from)
    else:
        return None
    _check_size(board, request)
    return board


def _check_size(board: Queens, request: SimpleNamespace) -> None:
    """Raise InputError if N is given, too, and is another."""
    from fastqueens.core.board import check_n
    from fastqueens.core.errors import InputError

    if request.n is not None and check_n(request.n) != len(board):
        option = "--file" if request.board is None else "--board"
        queens = counted(len(board), "queen")
        raise InputError(f"n is {request.n:,}, and the board has {queens}: give either N or {option}")


def read(session: Session, path: str, rows_from: int) -> Queens:
    """Read a board from a file."""
    from fastqueens.core.errors import InputError
    from fastqueens.files.boards import read_board

    session.display.report(f"reading {file_label(path)}")
    try:
        return read_board(path, rows_from=rows_from)
    except InputError:
        if options.is_number(path) and not os.path.exists(path):
            raise InputError(
                f"{path}: no such file; a file with a board is needed, and fastqueens solve {path} -o board.txt "
                "writes one"
            ) from None
        if _is_trace(path):
            raise InputError(
                f"{path}: this is a trace, and a board is needed; fastqueens plot {path} -o curves.png draws a trace"
            ) from None
        raise


def _is_trace(path: str) -> bool:
    """Tell whether a file that is no board is a trace."""
    from fastqueens.core.errors import InputError
    from fastqueens.files.traces import read_trace

    try:
        read_trace(path)
    except (InputError, MemoryError):
        return False
    return True


def check_output(path: str | None, *, has_poster: bool = False) -> None:
    """Raise an error if a board cannot be written to the file of ``-o``; ``--poster`` may draw it instead."""
    if path == "-":
        if sys.stdout is None:
            raise click.UsageError("-o -: stdout is closed.")
    elif path is not None:
        from fastqueens.files.atomic import check_target
        from fastqueens.files.boards import check_suffix

        if os.path.splitext(path)[1].lower() in _PICTURES:
            ways = f"--poster {path} draws it, and so does fastqueens" if has_poster else "draw it with fastqueens"
            raise click.ClickException(
                f"{path}: -o writes the board as .npy, .txt, .csv or .json; {ways} show BOARD -o {path}"
            )
        check_suffix(path)
        check_target(path)


def parse_n(board_or_n: str) -> int | None:
    """Return the n that BOARD_OR_N means, or None if it names a file."""
    return options.whole_number(board_or_n) if options.is_number(board_or_n) else None


def check_seed_of_file(seed: int | None) -> None:
    """Raise UsageError if a seed is given with a board from a file."""
    if seed is not None:
        raise click.UsageError("--seed: the board comes from a file, and only a board that is solved has a seed.")
