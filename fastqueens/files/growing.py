"""Checkpoints and answers: files that grow line by line while the work goes on, and can be continued.

Each line is an object of JSON. Its last key is its digest: a hash of the bytes before it, and of a key that says what
the file is about. A line that is damaged, cut off, or from another file has a wrong digest and is removed. Lines are
appended under a lock. It is held for one line and not for the whole work, since the processes of a pool inherit it:
they would keep it if the process that started them were killed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Self, TypeAlias

from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.files.instances import BatchEntry
from fastqueens.files.text import IS_A_FOLDER, FileName, parse_json, printed, reason_of, shortened

try:
    import fcntl
except ModuleNotFoundError:  # on Windows, lines are appended without a lock
    fcntl = None  # type: ignore[assignment]

# A pipe does not block when it is opened, and what another process appends is not overwritten, even without a lock.
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

# Seconds to wait for another process that has the lock, which it needs for milliseconds, and between two tries.
_PATIENCE = 10
_PAUSE = 0.005

_BLOCK = 1 << 20

# A line that is longer, in bytes, is read in pieces, which are then rejected: few files hold answers for 50 million
# queens, and any file can be named by mistake.
_LONGEST = 1 << 30

# The beginning of an answer: what it is about.
Head: TypeAlias = dict[str, Any]

_ANSWERS = ("solved", "no solution", "undecided")
_FIRST = b'{"number": 1, '

log = logging.getLogger("fastqueens")


def line_of(values: dict[str, Any], key: bytes = b"") -> bytes:
    """Return the line of an object, without its end; ``key`` says what the file is about, in at most 64 bytes."""
    begin = json.dumps(values).encode()[:-1]
    return begin + _end(begin, key)


def values_of(line: bytes, key: bytes = b"") -> dict[str, Any] | None:
    """Return the object of a line without its digest; None if the digest is wrong."""
    length = len(_end(b"", b""))
    begin = line[:-length]
    if line[-length:] != _end(begin, key):
        return None
    values: dict[str, Any] = parse_json(begin + b"}", "a line")
    return values


def _end(begin: bytes, key: bytes) -> bytes:
    return b', "digest": "%s"}' % hashlib.blake2b(begin, key=key, digest_size=8).hexdigest().encode()


def seed_in(path: FileName, longest: int = _LONGEST) -> int | None:
    """Return the seed in the first line that states one; None if there is no such line, or no file."""
    if not os.path.exists(path):
        return None
    with GrowingFile(path, longest) as file:
        for _, line in file.lines():
            seed = (values_of(line.rstrip(b"\n")) or {}).get("seed")
            if type(seed) is int:
                return seed
    return None


class GrowingFile:
    """A file of lines that is read once, and then grows.

    ``size`` is the number of bytes when it was last read or added to. ``rejected`` counts the lines that :meth:`read`
    has not kept; ``first_rejected`` is the first of them, without its end.
    """

    def __init__(self, path: FileName, longest: int = _LONGEST) -> None:
        """Open or create a regular file; no more than ``longest`` bytes of a line are in memory."""
        self.name = os.fspath(path)
        self._longest = longest
        self.size = self.rejected = 0
        self.first_rejected = b""
        # Where each run of lines that are kept begins and ends.
        self._kept: list[list[int]] = []
        with self._explained():
            self._target = os.path.realpath(self.name)
            self._descriptor = os.open(self._target, _FLAGS, 0o666)
            mode = os.fstat(self._descriptor).st_mode
            if not stat.S_ISREG(mode):
                os.close(self._descriptor)
                kind = IS_A_FOLDER if stat.S_ISDIR(mode) else "this is a pipe or a device; a file is needed"
                raise InputError(f"{self.name}: {kind}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._descriptor)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from reading and adding; raise :class:`InputError` if one does not let go."""
        end = time.monotonic() + _PATIENCE
        while fcntl is not None:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    reason = f"another process has locked it for more than {_PATIENCE} s"
                    raise InputError(f"{self.name}: {reason}") from None
            except OSError:  # the system has no locks for such files
                break
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            if fcntl is not None:
                with contextlib.suppress(OSError):
                    fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield where each line begins, and the line with its end; one that is too long comes in pieces."""
        begin = 0
        with self._explained(), open(self._descriptor, "rb", closefd=False) as file:
            file.seek(0)
            while line := file.readline(self._longest):
                yield begin, line
                begin += len(line)

    def read(self, is_kept: Callable[[int, bytes], bool]) -> None:
        """Read the file, of which the lock must be held; ``is_kept`` gets each whole line and its number."""
        for number, (begin, line) in enumerate(self.lines(), 1):
            self.size = begin + len(line)
            text = line.rstrip(b"\n")
            if text == line or not is_kept(number, text):
                self.rejected += 1
                self.first_rejected = self.first_rejected or text
            elif self._kept and self._kept[-1][1] == begin:
                self._kept[-1][1] = self.size
            else:
                self._kept.append([begin, self.size])

    def remove_rejected(self) -> None:
        """Remove the lines that :meth:`read` has not kept, and log how many; the lock must still be held.

        The others move towards the beginning. If the process is killed meanwhile, at most one of them is damaged.
        """
        if not self.rejected:
            return
        with self._explained(), open(self._target, "r+b", buffering=0) as file:  # without O_APPEND
            if {self._checked_size(file.fileno()), self._checked_size(self._descriptor)} != {self.size}:
                raise InputError(f"{self.name}: another process adds lines to it")
            end = 0
            for begin, stop in self._kept:
                while begin < stop:
                    file.seek(begin)
                    block = file.read(min(_BLOCK, stop - begin))
                    if begin != end:
                        file.seek(end)
                        _write(file.fileno(), block)
                    begin, end = begin + len(block), end + len(block)
            file.truncate(end)
            self.size = end
        removed = counted(self.rejected, "damaged or repeated line")
        log.warning("%s: removed %s; what is missing is computed again", self.name, removed)

    def append(self, line: bytes, *, is_alone: bool = False) -> None:
        """Add a line and its end; if that fails, raise :class:`InputError` and leave the file as it was.

        With ``is_alone``, it also fails if another process has added something.
        """
        with self._explained(), self.locked():
            size = self._checked_size(self._descriptor)
            if is_alone and size != self.size:
                raise InputError(f"{self.name}: another process adds lines to it")
            # Another process may have been killed in the middle of a line.
            data = b"\n" * (size != self.size and self._is_torn(size)) + line + b"\n"
            try:
                _write(self._descriptor, data)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._descriptor, size)
                raise
            self.size = size + len(data)

    def _is_torn(self, size: int) -> bool:
        """Return whether the last line has no end."""
        if size == 0:
            return False
        # The next write appends all the same.
        os.lseek(self._descriptor, size - 1, os.SEEK_SET)
        return os.read(self._descriptor, 1) != b"\n"

    def _checked_size(self, descriptor: int) -> int:
        """Return the size of an open file; raise :class:`InputError` if the name does not lead to it."""
        status = os.fstat(descriptor)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(status, os.stat(self._target)):
                return status.st_size
        raise InputError(f"{self.name}: this file was moved, removed or replaced meanwhile")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn an error of the system into one that names the file."""
        try:
            yield
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{self.name}: {reason_of(error)}") from error


def _write(descriptor: int, data: bytes) -> None:
    """Write all of some bytes: a system may write only a part of them at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def heads_of(entries: Sequence[BatchEntry], settings: dict[str, Any]) -> list[Head]:
    """Return the heads of the answers to a batch that is solved with some settings."""
    heads = []
    for number, entry in enumerate(entries, 1):
        named = {} if entry.name is None else {"name": entry.name}
        digest = hashlib.blake2b(entry.text.strip(), digest_size=8).hexdigest()
        heads.append({"number": number, **named, "instance": digest, **settings})
    return heads


@contextlib.contextmanager
def growing_answers(path: FileName, heads: list[Head]) -> Iterator[tuple[Callable[[bytes], None], dict[int, str]]]:
    """Open a file of answers, or create it; yield a function that adds a line, and the answers that it has already.

    These are "solved" and so on, by the number of the instance. Damaged or repeated lines are removed; a file that does
    not answer this batch is refused and stays unchanged. The function raises if another process has added a line.
    """
    known: dict[int, str] = {}
    with GrowingFile(path) as file:

        def is_kept(at: int, line: bytes) -> bool:
            values = values_of(line)
            if values is None:
                return False
            number = _checked_number(values, f"{file.name}: line {at}", heads)
            is_new = number not in known
            known[number] = values["answer"]
            return is_new

        with file.locked():
            file.read(is_kept)
            # A killed process can leave the beginning of the first answer.
            is_begun = file.size == len(file.first_rejected) and _FIRST.startswith(file.first_rejected[: len(_FIRST)])
            if not (known or is_begun):
                held = printed(file.first_rejected)
                raise InputError(f"{file.name}: line 1 holds {held}, which is not an answer; nothing was written")
            file.remove_rejected()
        yield partial(file.append, is_alone=True), known


def _checked_number(values: dict[str, Any], place: str, heads: list[Head]) -> int:
    """Return the number of the instance that a line answers; raise :class:`InputError` if it is not of this batch."""
    number: Any = values.get("number")
    is_number = type(number) is int and 0 < number <= len(heads)
    if not is_number or values.get("answer") not in _ANSWERS:
        batch = f"this batch of {counted(len(heads), 'instance')}"
        raise InputError(f"{place}: number {shortened(repr(number))} is not answered in {batch}; nothing was written")
    for key, wanted in heads[number - 1].items():
        if values.get(key) != wanted:
            raise InputError(
                f"{place}: {key} is {shortened(json.dumps(values.get(key)))}, and {json.dumps(wanted)} in this batch; "
                "its answers need another file"
            )
    return int(number)
