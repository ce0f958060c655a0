"""The file with which a long search continues: JSON lines, one for each finished part.

The first line says what is searched for. Each other line has the number of a part and its outcome. A line is written at
once, so that at most the last one is incomplete if the process is killed; it is dropped then.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any, Self

from fastqueens import __version__
from fastqueens.core.errors import InputError
from fastqueens.exact.bundles import Outcome

_FORMAT = "fastqueens checkpoint"

# Values that no user gave in this form.
_INTERNAL = ("instance", "weights")


class Checkpoint:
    """The finished parts of a search, and the file that they are added to, if there is one.

    Attributes
    ----------
    outcomes : dict
        The outcome of each part that was finished earlier, by its number.
    """

    def __init__(self, path: str | os.PathLike[str] | None, search: dict[str, Any]) -> None:
        """Open a file, or create it; ``search`` says in JSON types what is searched for.

        Raises :class:`InputError`, and leaves the file as it is, if it is no checkpoint or that of another search.
        """
        self.outcomes: dict[int, Outcome] = {}
        self._file = None
        if path is None:
            return
        first = _line({"format": _FORMAT, "version": __version__, **search})
        content = Path(path).read_bytes() if os.path.exists(path) else b""
        if first.startswith(content):
            self._file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed by __exit__
            self._file.write(first)
            return
        lines = [line for line in content.splitlines(keepends=True) if line.endswith(b"\n")]
        _check(path, _header(path, lines[0] if lines else b""), json.loads(first))
        for at, line in enumerate(lines[1:]):
            try:
                number, nodes, solutions, queens, left = json.loads(line)
                if not all(isinstance(bundle, str) for bundle in left):
                    raise TypeError("a bundle is text")
                self.outcomes[number] = Outcome(nodes, solutions, queens, tuple(left))
            except (ValueError, TypeError):
                raise InputError(f"{os.fspath(path)}: line {at + 2} is damaged") from None
        self._file = open(path, "r+b", buffering=0)  # noqa: SIM115
        self._file.truncate(sum(map(len, lines)))
        self._file.seek(0, os.SEEK_END)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, number: int, outcome: Outcome) -> None:
        """Add the outcome of a part to the file."""
        if self._file is not None:
            self._file.write(_line([number, *outcome]))


def seed_of_checkpoint(path: str | os.PathLike[str]) -> int | None:
    """Return the seed of the search that a file continues; None if there is no such file yet."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        first = file.readline()
    return int(_header(path, first)["seed"]) if first else None


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _header(path: str | os.PathLike[str], line: bytes) -> dict[str, Any]:
    """Return what the first line says."""
    with contextlib.suppress(ValueError):
        header = json.loads(line)
        if isinstance(header, dict) and header.get("format") == _FORMAT:
            return header
    raise InputError(f"{os.fspath(path)}: this is no checkpoint; name a new file, or one that a search has written")


def _check(path: str | os.PathLike[str], found: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name, value in wanted.items():
        if found.get(name) != value:
            begin = f"{os.fspath(path)}: it belongs to another search"
            if name in _INTERNAL:
                raise InputError(f"{begin}, with other fixed queens or other constraints")
            theirs, ours = (json.dumps(of) for of in (found.get(name), value))
            raise InputError(f"{begin}, whose {name} is {theirs}; here it is {ours}")
