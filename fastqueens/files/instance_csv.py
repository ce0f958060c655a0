"""Instances in ``.csv``: fixed queens only, as lines ``column,row``; the file does not state the size of the board."""

from __future__ import annotations

import io
from collections.abc import Iterator

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.files.fixed_queens import read_square_lines, square_lines
from fastqueens.files.instance_parts import Parts, Request, agreed_n, made


def read(data: bytes, name: str, request: Request) -> Instance:
    """Read fixed queens from lines of text."""
    if request.first is not None:
        raise InputError(f"{name}: only a list diags, as in CSPLib 079, has a first part; this file has fixed queens")
    n = agreed_n(None, request, name)
    squares = read_square_lines(io.BytesIO(data), name, n, request.rows_from)
    return made(n, Parts(squares), name, rows_from=request.rows_from)


def content(instance: Instance) -> Iterator[bytes]:
    """Yield the header and the lines of the file."""
    yield from square_lines(instance.fixed.squares, instance.fixed.rows_from)
