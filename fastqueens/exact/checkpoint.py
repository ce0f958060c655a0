"""Checkpoints of long searches: files with one line for the search, and one line per finished part.

The digest of the first line is the key of all other digests. A line is therefore valid only in its own search, but at
any place in the file. Lines can be missing, repeated or in any order, and several processes can append to one file.
Parts without a line are searched again.
"""

from __future__ import annotations

import json
import logging
import os
from typing import Any, NamedTuple, Self, TypeAlias

from fastqueens import __version__
from fastqueens.errors import InputError
from fastqueens.exact.tree import Subtree
from fastqueens.files.growing import GrowingFile, line_of, seed_in, values_of

#: The key of a subtree: its generation, the number of its search, and its position in that search.
Key: TypeAlias = tuple[int, ...]

_FORMAT = "fastqueens checkpoint"

# Values that messages do not show, since the user did not enter them in this form.
_INTERNAL = ("instance", "weights")

# Bytes of the longest line after the first. A part can give away hundreds of other parts.
_LONGEST = 1 << 24

_KEY_BYTES = 16

log = logging.getLogger("fastqueens")


class Outcome(NamedTuple):
    """The result of the search of a subtree, in JSON types.

    nodes : the number of squares tried
    solutions : the number of solutions found
    places : the row of each free column, counted among the free rows, or None if fewer solutions exist than are wanted
    remaining : the subtrees that were given away
    """

    nodes: int
    solutions: int
    places: list[int] | None = None
    remaining: tuple[Subtree, ...] = ()


class Checkpoint:
    """The outcomes of finished subtrees by key, and the file, if any, to which further outcomes are appended."""

    def __init__(self, path: str | os.PathLike[str] | None, search: dict[str, Any]) -> None:
        """Open or create a file; ``search`` describes the search in JSON types.

        If the file is not a checkpoint of this search, raises :class:`InputError` and leaves the file unchanged.
        """
        self.outcomes: dict[Key, Outcome] = {}
        self._file: GrowingFile | None = None
        if path is None:
            return
        self._search = {"format": _FORMAT, "version": __version__, **search}
        self._header = line_of(self._search)
        self._search = json.loads(self._header)  # converts all values to JSON types
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
        """Append the outcome of a subtree to the file. A failure is logged once, and the search continues."""
        if self._file is None:
            return
        nodes, solutions, places = outcome.nodes, outcome.solutions, outcome.places
        values = {"part": key, "nodes": nodes, "solutions": solutions, "places": places, "left": outcome.remaining}
        try:
            self._file.append(line_of(values, self._key))
        except InputError as error:
            log.error("%s; the search continues, but the checkpoint is no longer updated", error)
            self.__exit__()
            self._file = None

    def _read(self, file: GrowingFile) -> None:
        """Read the outcomes and remove damaged lines."""
        has_header = False

        def is_kept(_number: int, line: bytes) -> bool:
            nonlocal has_header
            if line == self._header:
                has_header = True
                return True
            values = values_of(line, self._key)
            if values is not None:
                remaining = tuple(Subtree(tuple(queens), squares) for queens, squares in values["left"])
                outcome = Outcome(values["nodes"], values["solutions"], values["places"], remaining)
                self.outcomes.setdefault(tuple(values["part"]), outcome)
                return True
            header = values_of(line)
            if header is not None and header.get("format") == _FORMAT:
                self._check(file.name, header)
            return False

        with file.locked():
            file.read(is_kept)
            # A killed process can leave the beginning of the first line.
            is_begun = file.size == len(file.first_rejected) and self._header.startswith(file.first_rejected)
            if not (has_header or self.outcomes or is_begun):
                raise InputError(
                    f"{file.name} is not a checkpoint of this search; name a new file, or the checkpoint of an earlier "
                    "search. If only its first line is damaged, state the seed of that search."
                )
            file.remove_rejected()
        if not has_header:
            file.append(self._header)

    def _check(self, name: str, found: dict[str, Any]) -> None:
        """Raise :class:`InputError` if a first line belongs to another search."""
        for key, value in self._search.items():
            if found.get(key) != value:
                begin = f"{name} belongs to another search"
                if key in _INTERNAL:
                    raise InputError(f"{begin}, with other fixed queens or other constraints")
                theirs, ours = (json.dumps(of) for of in (found.get(key), value))
                raise InputError(f"{begin}, whose {key} is {theirs}; in this search it is {ours}")


def seed_of_checkpoint(path: str | os.PathLike[str]) -> int | None:
    """Return the seed of the search in a checkpoint, or None if the file does not exist or has no seed."""
    return seed_in(path, _LONGEST)
