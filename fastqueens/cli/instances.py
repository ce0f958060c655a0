"""The options that state an instance: fixed queens, blocked squares and excluded diagonals, one by one or in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fastqueens.core.board import Queens
    from fastqueens.core.instance import Instance
    from fastqueens.solving.result import Result

_OPTIONS: tuple[Callable[..., Any], ...] = (
    options.file(
        "--instance",
        help="Read fixed queens, blocked squares and excluded diagonals from this file: JSON, ASP facts or CSPLib's "
        "formats; - for stdin. The options below add to it.",
    ),
    options.number(
        "--first", metavar="M", help="Exclude only the first M diagonals of --instance, in the order of a CSPLib file."
    ),
    click.option("--queen", multiple=True, metavar="COLUMN,ROW", help="Square of a fixed queen. May be repeated."),
    options.file("--queens-file", help="Read fixed queens from this file, one COLUMN,ROW per line; - for stdin."),
    click.option(
        "--block", multiple=True, metavar="COLUMN,ROW", help="Square on which no queen may stand. May be repeated."
    ),
    options.number(
        "--exclude-sum",
        multiple=True,
        metavar="D",
        help="Diagonal on which no queen may stand: column + row, both from 0 for any --rows-from. May be repeated.",
    ),
    options.number(
        "--exclude-difference",
        multiple=True,
        metavar="D",
        help="Diagonal on which no queen may stand: row - column, both from 0 for any --rows-from. May be repeated.",
    ),
)

#: The options of which each states a part of an instance.
_PARTS = ("instance", "queen", "queens_file", "block", "exclude_sum", "exclude_difference")


def instance_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that state an instance to a command, which also needs ``options.rows_from``."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def has_instance(request: SimpleNamespace) -> bool:
    """Return whether any of the options is given."""
    return any(_is_given(getattr(request, part)) for part in _PARTS)


def check_instance_options(request: SimpleNamespace, others: Mapping[str, str | None] | None = None) -> None:
    """Raise UsageError if the options contradict each other.

    Parameters
    ----------
    request : SimpleNamespace
        The values of all options.
    others : mapping of str to (str or None), optional
        What else the command reads, by the names in its help: only one of all files may be "-".
    """
    if request.first is not None and request.instance is None:
        raise click.UsageError("--first says how many diagonals of a file to exclude: add --instance FILE.")
    files = {**(others or {}), "--instance": request.instance, "--queens-file": request.queens_file}
    from_stdin = [name for name, path in files.items() if path == "-"]
    if len(from_stdin) > 1:
        raise click.UsageError(f"{' and '.join(from_stdin)} cannot both be read from stdin.")


def instance_of(session: Session, n: int | None, request: SimpleNamespace) -> Instance | None:
    """Return the instance of all options together, or None without these options.

    Parameters
    ----------
    session : Session
    n : int or None
        Side of the board, if known; None to take it from the file of ``--instance``.
    request : SimpleNamespace
        The values of all options; messages count rows from ``request.rows_from``.

    Raises
    ------
    UsageError
        If neither ``n`` nor a file says how large the board is.
    InputError, NoSolutionError
        As :func:`fastqueens.core.instance.make_instance` and :func:`fastqueens.read_instance`.
    """
    if not has_instance(request):
        return None
    stated = None
    if request.instance is not None:
        from fastqueens.files.instances import read_instance

        session.display.report(f"reading {file_label(request.instance)}")
        stated = read_instance(request.instance, n=n, first=request.first, rows_from=request.rows_from)
        session.check_stop()
    if not any(_is_given(getattr(request, part)) for part in _PARTS[1:]):
        return stated
    return _extended(session, n if stated is None else stated.n, stated, request)


def check_board_or_n(request: SimpleNamespace) -> None:
    """Raise UsageError if nothing says which board is meant, or the options of the instance contradict each other."""
    if request.board is None and request.instance is None:
        raise click.UsageError("Missing argument 'BOARD_OR_N'; without it, an --instance FILE is needed.")
    check_instance_options(request, {"BOARD_OR_N": request.board})


def read_or_solve(
    session: Session, request: SimpleNamespace, *, trace: bool = False
) -> tuple[Queens, Result | None, Instance | None]:
    """Read the board that BOARD_OR_N names, or solve one of that n, or of the n of the instance.

    Returns
    -------
    queens : Queens
    result : Result or None
        None if the board was read.
    instance : Instance or None
        What the options ask for; a board that was read may violate it.
    """
    import fastqueens

    n = None if request.board is None else boards.parse_n(request.board)
    mix = getattr(request, "mix", None)
    if n is None and request.board is not None:
        boards.check_seed_of_file(request.seed)
        if mix is not None:
            raise click.UsageError("--mix: the board comes from a file, and only a board that is solved is mixed.")
        queens = boards.read(session, request.board, request.rows_from)
        return queens, None, instance_of(session, len(queens), request)
    instance = instance_of(session, n, request)
    result = fastqueens.solve(
        n if instance is None else instance,
        seed=request.seed,
        trace=trace,
        mix=mix,
        threads=request.threads,
        **session.callbacks,
    )
    session.check_stop()
    return result.queens, result, instance


def _is_given(value: Any) -> bool:
    return value not in (None, ())


def _extended(session: Session, n: int | None, stated: Instance | None, request: SimpleNamespace) -> Instance:
    """Return an instance of side n with what is stated already and what the options other than the file add."""
    if n is None:
        raise click.UsageError("the size of the board is not known: give N, or an --instance FILE that has it.")
    import numpy as np

    from fastqueens.core.instance import make_instance

    fixed, blocked = _squares(request.queen, request.rows_from), _squares(request.block, request.rows_from)
    if request.queens_file is not None:
        from fastqueens.files.fixed_queens import read_fixed_queens

        session.display.report(f"reading {file_label(request.queens_file)}")
        fixed = np.concatenate([fixed, read_fixed_queens(request.queens_file, n, rows_from=request.rows_from)])
    sums, differences = list(request.exclude_sum), list(request.exclude_difference)
    if stated is not None:
        fixed = np.concatenate([stated.fixed.squares, fixed])
        blocked = np.concatenate([stated.blocked, blocked])
        sums = [*stated.excluded_sums.tolist(), *sums]
        differences = [*stated.excluded_differences.tolist(), *differences]
    return make_instance(
        n,
        fixed,
        blocked=blocked,
        excluded_sums=sums,
        excluded_differences=differences,
        rows_from=request.rows_from,
    )


def _squares(texts: tuple[str, ...], rows_from: int) -> NDArray[np.int64]:
    """Return squares written as COLUMN,ROW."""
    import numpy as np

    from fastqueens.files.fixed_queens import parse_square

    return np.array([parse_square(text, rows_from=rows_from) for text in texts], np.int64).reshape(-1, 2)
