"""The file with which a long search continues: a line for what is searched for, and one for each finished part.

The digest of the first line is the key of the other digests, so a line counts only in its own search, wherever it is in
the file. A part has a key, and its outcome follows from it. So lines may be missing, repeated or in any order, and
several processes may add to one file: parts without a line are searched again.
"""

from __future__ import annotations

import json
import logging
import os
from typing import Any, NamedTuple, Self, TypeAlias

from fastqueens import __version__
from fastqueens._run.arguments import NO_LIMIT
from fastqueens.errors import InputError
from fastqueens.files.growing import GrowingFile, line_of, seed_in, values_of

Key: TypeAlias = tuple[int, ...]

_FORMAT = "fastqueens checkpoint"

# Values that no user gave in this form.
_INTERNAL = ("instance", "weights")

# Bytes of the longest line besides the first: a part may give hundreds of others away.
_LONGEST = 1 << 24

_KEY_BYTES = 16

log = logging.getLogger("fastqueens")


class Outcome(NamedTuple):
    """What the search of a part has found, as values that JSON has.

    places : the row of each free column, counted among the free rows, if as many solutions are found as are wanted
    left : further parts, with the work that was given away: queens, and the squares to try next, as bits
    """

    nodes: int
    solutions: int
    places: list[int] | None = None
    left: tuple[tuple[tuple[int, ...], int], ...] = ()


class Checkpoint:
    """The outcomes of finished parts by their keys, and the file that further ones are added to, if there is one."""

    def __init__(self, path: str | os.PathLike[str] | None, search: dict[str, Any]) -> None:
        """Open a file, or create it; ``search`` says in JSON types what is searched for.

        Raises :class:`InputError`, and leaves the file as it is, if it is not a checkpoint of this search.
        """
        self.outcomes: dict[Key, Outcome] = {}
        self._file: GrowingFile | None = None
        if path is None:
            return
        self._search = {"format": _FORMAT, "version": __version__, **search}
        self._header = line_of(self._search)
        self._search = json.loads(self._header)  # with the types of JSON
        self._key = self._header[-_KEY_BYTES - 2 : -2]
        self._file = GrowingFile(path, len(self._header) + _LONGEST)
        try:
            self._read(self._file)
        except BaseException:
            self._file.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.__exit__()

    def add(self, key: Key, outcome: Outcome) -> None:
        """Add the outcome of a part to the file. If that fails, a note says so once, and the search goes on."""
        if self._file is None:
            return
        try:
            self._file.append(line_of({"part": key, **outcome._asdict()}, self._key))
        except InputError as error:
            log.error("%s; the search goes on, but the checkpoint is no longer updated", error)
            self.__exit__()
            self._file = None

    def _read(self, file: GrowingFile) -> None:
        """Read the outcomes, and remove the lines that are damaged."""
        has_header = False

        def is_kept(_number: int, line: bytes) -> bool:
            nonlocal has_header
            if line == self._header:
                has_header = True
                return True
            values = values_of(line, self._key)
            if values is not None and (part := _part_of(values, self._search)) is not None:
                self.outcomes.setdefault(*part)
                return True
            header = values_of(line)
            if header is not None and header.get("format") == _FORMAT:
                self._check(file.name, header)
            return False

        with file.locked():
            file.read(is_kept)
            # A process that was killed may have left the beginning of the first line.
            is_begun = file.size == len(file.first_rejected) and self._header.startswith(file.first_rejected)
            if not (has_header or self.outcomes or is_begun):
                raise InputError(
                    f"{file.name}: this is not a checkpoint of this search; name a new file, or one that a search has "
                    "written (if its first line is damaged, it continues with the seed of the search)"
                )
            file.remove_rejected()
        if not has_header:
            file.append(self._header)

    def _check(self, name: str, found: dict[str, Any]) -> None:
        """Raise :class:`InputError` if a first line is that of another search."""
        for key, value in self._search.items():
            if found.get(key) != value:
                begin = f"{name}: it belongs to another search"
                if key in _INTERNAL:
                    raise InputError(f"{begin}, with other fixed queens or other constraints")
                theirs, ours = (json.dumps(of) for of in (found.get(key), value))
                raise InputError(f"{begin}, whose {key} is {theirs}; here it is {ours}")


def seed_of_checkpoint(path: str | os.PathLike[str]) -> int | None:
    """Return the seed of the search that a file continues; None if there is no such file yet."""
    return seed_in(path, _LONGEST)


def _part_of(values: dict[str, Any], search: dict[str, Any]) -> tuple[Key, Outcome] | None:
    """Return the key and the outcome in a line; None if they are not what a search writes."""
    part: list[Any] = [values.get(name) for name in ("part", *Outcome._fields)]
    key, nodes, solutions, places, left = part
    is_list = isinstance(key, list) and isinstance(left, list) and isinstance(places, list | None)
    if not is_list or not _are_integers([*key, nodes, solutions], NO_LIMIT):
        return None
    if len(key) < 3 or key[1] >= len(search["free columns"]):
        return None
    columns = search["free columns"][key[1]]
    if places is None:
        is_right = search["solutions wanted"] != 1 or solutions == 0
    else:
        is_right = len(places) == columns and _are_integers(places, columns - 1)
    for piece in left:
        is_pair = isinstance(piece, list) and len(piece) == 2 and isinstance(piece[0], list)
        is_right &= is_pair and _are_integers(piece[0], columns**2 - 1) and _are_integers(piece[1:], 2**64 - 1)
    if not is_right:
        return None
    return tuple(key), Outcome(nodes, solutions, places, tuple((tuple(queens), squares) for queens, squares in left))


def _are_integers(values: list[Any], most: int) -> bool:
    return all(type(value) is int and 0 <= value <= most for value in values)
