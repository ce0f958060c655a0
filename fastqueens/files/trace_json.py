"""Traces in ``.json``: an object with the lists ``restarts``, ``pairs`` and ``conflicting_queens``.

It also holds ``n``, ``seed`` and ``start`` if they are known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any

from fastqueens.core.errors import InputError
from fastqueens.core.trace import Moves
from fastqueens.files.numbers import integers, json_list, parse_json, pieces_of
from fastqueens.files.reading import read_all
from fastqueens.files.trace_entries import Entries


def read(file: IO[bytes], name: str) -> tuple[Entries, dict[str, Any]]:
    """Read a trace from JSON, and everything else in its object."""
    content = parse_json(read_all(file, name), name)
    if not isinstance(content, dict) or not set(Entries._fields) <= content.keys():
        raise InputError(f"{name}: an object with the lists {', '.join(Entries._fields)} is needed")
    return Entries(*(integers(content[part], f"{name}: {part}") for part in Entries._fields)), content


def write(file: IO[bytes], entries: Entries, header: dict[str, Any], _moves: Moves | None) -> None:
    """Write the object on one line."""
    file.writelines(_content(entries, header))


def _content(entries: Entries, header: dict[str, Any]) -> Iterator[bytes]:
    opening = "{" + "".join(f'"{name}": {json.dumps(value)}, ' for name, value in header.items())
    for name, values in entries._asdict().items():
        yield f'{opening}"{name}": '.encode()
        yield from json_list(piece for _, piece in pieces_of(values))
        opening = ", "
    yield b"}\n"
