"""Growing files: checkpoints and answers, to which lines are appended during a run, and which a later run continues.

Each line is a JSON object. Its last key is its digest, a hash of the bytes before it and of a key that identifies the
subject of the file. A line that is damaged, cut off, or from another file has a wrong digest and is removed. Lines are
appended under a lock, which is held for one line and not for the whole run. The processes of a pool inherit the lock,
and would otherwise keep it if the process that started them were killed.
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

# O_NONBLOCK: opening a pipe does not block. O_APPEND: lines of other processes are never overwritten.
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

# The seconds to wait for another process that holds the lock (usually for milliseconds), and between two attempts.
_PATIENCE = 10
_PAUSE = 0.005

_BLOCK = 1 << 20

# The longest line in bytes. Longer lines are read in pieces, which are then rejected. An answer for 50 million queens
# fits, and a file that was named by mistake does not fill the memory.
_LONGEST = 1 << 30

# The beginning of an answer: its instance and settings.
Head: TypeAlias = dict[str, Any]

_ANSWERS = ("solved", "no solution", "undecided")
_FIRST = b'{"number": 1, '

log = logging.getLogger("fastqueens")


def line_of(values: dict[str, Any], key: bytes = b"") -> bytes:
    """Return the line for an object, without the line end; ``key``, of at most 64 bytes, identifies the file."""
    begin = json.dumps(values).encode()[:-1]
    return begin + _end(begin, key)


def values_of(line: bytes, key: bytes = b"") -> dict[str, Any] | None:
    """Return the object in a line, without its digest, or None if the digest is wrong."""
    length = len(_end(b"", b""))
    begin = line[:-length]
    if line[-length:] != _end(begin, key):
        return None
    values: dict[str, Any] = parse_json(begin + b"}", "a line")
    return values


def _end(begin: bytes, key: bytes) -> bytes:
    return b', "digest": "%s"}' % hashlib.blake2b(begin, key=key, digest_size=8).hexdigest().encode()


def seed_in(path: FileName, longest: int = _LONGEST) -> int | None:
    """Return the seed in the first line that has one, or None if there is no such line or no file."""
    if not os.path.exists(path):
        return None
    with GrowingFile(path, longest) as file:
        for _, line in file.lines():
            seed = (values_of(line.rstrip(b"\n")) or {}).get("seed")
            if type(seed) is int:
                return seed
    return None


class GrowingFile:
    """A file of lines that is read once, and to which lines are then appended.

    ``size`` is the number of bytes after the last read or append. ``rejected`` counts the lines that :meth:`read` did
    not keep, and ``first_rejected`` is the first of them, without its end.
    """

    def __init__(self, path: FileName, longest: int = _LONGEST) -> None:
        """Open or create a regular file; at most ``longest`` bytes of a line are held in memory."""
        self.name = os.fspath(path)
        self._longest = longest
        self.size = self.rejected = 0
        self.first_rejected = b""
        # The beginning and the end of each run of kept lines.
        self._kept: list[list[int]] = []
        with self._explained():
            self._target = os.path.realpath(self.name)
            self._descriptor = os.open(self._target, _FLAGS, 0o666)
            mode = os.fstat(self._descriptor).st_mode
            if not stat.S_ISREG(mode):
                os.close(self._descriptor)
                kind = IS_A_FOLDER if stat.S_ISDIR(mode) else "this is a pipe or a device, not a file"
                raise InputError(f"{self.name}: {kind}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._descriptor)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the file against other processes; raise :class:`InputError` if another one keeps the lock."""
        end = time.monotonic() + _PATIENCE
        while fcntl is not None:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    reason = f"another process has locked it for more than {_PATIENCE} s"
                    raise InputError(f"{self.name}: {reason}") from None
            except OSError:  # the file system has no locks
                break
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            if fcntl is not None:
                with contextlib.suppress(OSError):
                    fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the offset of each line, and the line with its end. A line that is too long is yielded in pieces."""
        begin = 0
        with self._explained(), open(self._descriptor, "rb", closefd=False) as file:
            file.seek(0)
            while line := file.readline(self._longest):
                yield begin, line
                begin += len(line)

    def read(self, is_kept: Callable[[int, bytes], bool]) -> None:
        """Read the file, whose lock must be held; call ``is_kept`` with the number and the text of each whole line."""
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
        """Remove the lines that :meth:`read` did not keep, and log their number; the lock must still be held.

        The other lines move towards the beginning. If the process is killed meanwhile, at most one line is damaged.
        """
        if not self.rejected:
            return
        with self._explained(), open(self._target, "r+b", buffering=0) as file:  # without O_APPEND
            if {self._checked_size(file.fileno()), self._checked_size(self._descriptor)} != {self.size}:
                raise InputError(f"{self.name}: another process is writing to this file")
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
        log.warning("%s: removed %s; their results are computed again", self.name, removed)

    def append(self, line: bytes, *, is_alone: bool = False) -> None:
        """Append a line and its end; if that fails, raise :class:`InputError` and restore the file.

        With ``is_alone``, the method also raises if another process has changed the file.
        """
        with self._explained(), self.locked():
            size = self._checked_size(self._descriptor)
            if is_alone and size != self.size:
                raise InputError(f"{self.name}: another process is writing to this file")
            # Another process could have been killed in the middle of a line.
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
        # Writing appends in spite of this seek.
        os.lseek(self._descriptor, size - 1, os.SEEK_SET)
        return os.read(self._descriptor, 1) != b"\n"

    def _checked_size(self, descriptor: int) -> int:
        """Return the size of an open file; raise :class:`InputError` if its name refers to another file."""
        status = os.fstat(descriptor)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(status, os.stat(self._target)):
                return status.st_size
        raise InputError(f"{self.name}: the file was moved, removed or replaced during the run")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Convert system errors to errors that name the file."""
        try:
            yield
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{self.name}: {reason_of(error)}") from error


def _write(descriptor: int, data: bytes) -> None:
    """Write all bytes, since the system can write fewer at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def heads_of(entries: Sequence[BatchEntry], settings: dict[str, Any], options: Sequence[dict[str, Any]]) -> list[Head]:
    """Return the heads of the answers to a batch that is solved with these settings and options of each instance."""
    heads = []
    for number, (entry, chosen) in enumerate(zip(entries, options, strict=True), 1):
        named = {} if entry.name is None else {"name": entry.name}
        digest = hashlib.blake2b(entry.text.strip(), digest_size=8).hexdigest()
        heads.append({"number": number, **named, "instance": digest, **settings, "options": chosen})
    return heads


@contextlib.contextmanager
def growing_answers(path: FileName, heads: list[Head]) -> Iterator[tuple[Callable[[bytes], None], dict[int, str]]]:
    """Open or create a file of answers; yield a function that appends a line, and the answers that the file holds.

    The answers are a dict of "solved", "no solution" and "undecided" by the number of the instance. Damaged and
    repeated lines are removed. A file with other answers is refused and unchanged. The function raises if another
    process has changed the file.
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
                raise InputError(f"{file.name} is not a file of answers (line 1 holds {held}); nothing was written")
            file.remove_rejected()
        yield partial(file.append, is_alone=True), known


def _checked_number(values: dict[str, Any], place: str, heads: list[Head]) -> int:
    """Return the number of the instance that a line answers; raise :class:`InputError` for another batch."""
    number: Any = values.get("number")
    is_number = type(number) is int and 0 < number <= len(heads)
    if not is_number or values.get("answer") not in _ANSWERS:
        batch = f"this batch of {counted(len(heads), 'instance')}"
        raise InputError(f"{place}: number {shortened(repr(number))} is not an answer to {batch}; nothing was written")
    for key, wanted in heads[number - 1].items():
        if values.get(key) != wanted:
            raise InputError(
                f"{place}: {key} is {shortened(json.dumps(values.get(key)))}, but {json.dumps(wanted)} in this batch; "
                "write the answers to another file"
            )
    return int(number)
