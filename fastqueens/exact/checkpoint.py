"""Checkpoints of long searches: SQLite databases with a description of the search, and one row per finished part.

The digest of a row covers the description, so a row is valid only in its own search. Parts without a valid row are
searched again. Several processes can write to one file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, Self, TypeAlias

from fastqueens import __version__
from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.exact.tree import Subtree
from fastqueens.files.text import checked_name, shortened

#: The key of a subtree: its generation, the number of its search, and its position in that search.
Key: TypeAlias = tuple[int, ...]

# Marks a database as a checkpoint ("fq" and a version of the format).
_APPLICATION = 0x66710001

_SIGNATURE = b"SQLite format 3\0"
_OTHER = "{} is not a checkpoint; name a new file, or the checkpoint of an earlier search"

# Numbers can exceed the 64 bits of SQLite, so rows hold JSON.
_NEW = (
    "CREATE TABLE search (description TEXT NOT NULL)",
    "CREATE TABLE part (key TEXT PRIMARY KEY, outcome TEXT NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID",
    f"PRAGMA application_id = {_APPLICATION}",
)

# Seconds between two commits, and those to wait for another process that commits.
_PAUSE = 0.5
_PATIENCE = 10

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
    """The outcomes of finished subtrees by key, and the file, if any, to which further outcomes are added."""

    def __init__(self, path: str | os.PathLike[str] | None, search: dict[str, Any]) -> None:
        """Open or create a file; ``search`` describes the search in JSON types.

        If the file is not a checkpoint of this search, raises :class:`InputError` and leaves the file unchanged.
        """
        self.outcomes: dict[Key, Outcome] = {}
        self._database: sqlite3.Connection | None = None
        if path is None:
            return
        self._name = checked_name(path)
        self._description = json.dumps({"version": __version__, **search})
        self._new: list[tuple[str, str, bytes]] = []
        self._committed = time.monotonic()
        with _explained(self._name):
            self._database = _opened(self._name)
            try:
                self._begin(self._database)
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._commit()
        if self._database is not None:
            self._database.close()

    def add(self, key: Key, outcome: Outcome) -> None:
        """Add the outcome of a subtree to the file, within half a second."""
        if self._database is None:
            return
        place, text = json.dumps(key), json.dumps(outcome)
        self._new.append((place, text, self._digest(place, text)))
        if time.monotonic() > self._committed + _PAUSE:
            self._commit()

    def _commit(self) -> None:
        """Write the new rows. A failure is logged once, and the search continues."""
        if self._database is None or not self._new:
            return
        try:
            if not os.path.exists(self._name):
                raise InputError(f"{self._name} was removed or moved")
            with _explained(self._name), self._database:
                self._database.executemany("INSERT OR REPLACE INTO part VALUES (?, ?, ?)", self._new)
        except InputError as error:
            log.error("%s; the search continues, but the checkpoint is no longer updated", error)
            self._database.close()
            self._database = None
        self._new.clear()
        self._committed = time.monotonic()

    def _begin(self, database: sqlite3.Connection) -> None:
        """Read the outcomes, or describe the search in a new file."""
        database.execute("BEGIN IMMEDIATE")  # no other process creates or describes it meanwhile
        with database:
            [application] = database.execute("PRAGMA application_id").fetchone()
            [tables] = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if application == _APPLICATION:
                self._read(database)
            elif application or tables:
                raise InputError(_OTHER.format(self._name))
            else:
                for statement in _NEW:
                    database.execute(statement)
                database.execute("INSERT INTO search VALUES (?)", (self._description,))

    def _read(self, database: sqlite3.Connection) -> None:
        """Read the outcomes; raise :class:`InputError` if they belong to another search."""
        [description] = database.execute("SELECT description FROM search").fetchone()
        theirs = json.loads(description)
        for key, value in json.loads(self._description).items():
            if theirs.get(key) != value:
                held, wanted = (shortened(json.dumps(of)) for of in (theirs.get(key), value))
                raise InputError(
                    f"{self._name} belongs to another search, whose {key} is {held}; in this search it is {wanted}"
                )
        rows = database.execute("SELECT key, outcome, digest FROM part").fetchall()
        valid = [(place, text) for place, text, digest in rows if digest == self._digest(place, text)]
        for place, text in valid:
            nodes, solutions, places, remaining = json.loads(text)
            left = tuple(Subtree(tuple(queens), squares) for queens, squares in remaining)
            self.outcomes[tuple(json.loads(place))] = Outcome(nodes, solutions, places, left)
        if wrong := len(rows) - len(valid):
            log.warning("%s: %s searched again, because their digests are wrong", self._name, counted(wrong, "part"))

    def _digest(self, place: str, text: str) -> bytes:
        content = "\n".join([self._description, str(place), str(text)])
        return hashlib.blake2b(content.encode(), digest_size=8).digest()


def _opened(name: str) -> sqlite3.Connection:
    """Open a database, which need not exist, and refuse pipes, devices, folders and other files."""
    path = os.path.abspath(name)  # SQLite has special names
    if os.path.exists(path):
        if not os.path.isfile(path):
            raise InputError(f"{name}: this is not a file")
        with open(path, "rb") as file:  # SQLite would overwrite a few bytes
            if file.read(len(_SIGNATURE)) not in (b"", _SIGNATURE):
                raise InputError(_OTHER.format(name))
    return sqlite3.connect(path, timeout=_PATIENCE, isolation_level="IMMEDIATE", check_same_thread=False)


@contextlib.contextmanager
def _explained(name: str) -> Iterator[None]:
    """Convert errors of SQLite to errors that name the file."""
    try:
        yield
    except (sqlite3.DatabaseError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        if isinstance(error, sqlite3.OperationalError):  # such as a full disk
            raise InputError(f"{name}: {error}") from error
        raise InputError(f"{name} is damaged, or not a checkpoint; name a new file ({error})") from error
