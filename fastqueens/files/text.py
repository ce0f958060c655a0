"""Text in files: names and suffixes, input from files and pipes, and strict parsing of JSON."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_kind, did_you_mean
from fastqueens._run.memory import check_memory
from fastqueens.errors import InputError

FileName: TypeAlias = str | os.PathLike[str]


#: Suffixes of pictures, which boards do not have.
_OF_PICTURES = (".jpg", ".pdf", ".png", ".svg", ".webp")


#: Names that Windows reserves for devices, with any suffix: a file con.txt would be the console.
_RESERVED = {"aux", "con", "conin$", "conout$", "nul", "prn"}
_RESERVED |= {f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789\u00b9\u00b2\u00b3"}
_HAS_RESERVED_NAMES = os.name == "nt"


def checked_name(path: FileName) -> str:
    """Return the name of a file as a string; raise :class:`InputError` for anything else or a device of Windows."""
    check_kind(isinstance(path, str | os.PathLike), path, "the name of a file", "a string or a path")
    name = os.fspath(path)
    stem = re.split("[.:]", os.path.basename(name), maxsplit=1)[0].rstrip()
    if _HAS_RESERVED_NAMES and stem.lower() in _RESERVED:
        raise InputError(f"{name}: Windows reserves the name {stem} for a device; choose another name")
    return name


def checked_suffix(path: FileName, known: Sequence[str]) -> str:
    """Return the suffix of a file name in lower case; raise :class:`InputError` if it is unknown."""
    name = checked_name(path)
    suffix = os.path.splitext(name)[1].lower()
    if suffix in known:
        return suffix
    choice = f"{', '.join(known[:-1])} or {known[-1]}" if len(known) > 1 else known[0]
    if not suffix:
        raise InputError(f"{name}: add a suffix to choose the format: {choice}")
    advice = did_you_mean(suffix, known, 0.7)
    if ".npy" in known and suffix in _OF_PICTURES:
        advice = f"; to draw a board, call picture or poster (fastqueens show -o {name})"
    raise InputError(f"{name}: unknown suffix {suffix!r}; use {choice}{advice}")


_BLOCK = 1 << 24

#: The byte order marks of UTF-16.
UTF16 = (b"\xff\xfe", b"\xfe\xff")

IS_A_FOLDER = "this is a folder, not a file"

#: The formats that cannot be read from a pipe, and the end of the message about it.
_SEEKABLE = (".npy", ".npz")
NO_PIPE = "arrays of NumPy cannot be read from a pipe or a device; use a regular file"

_REASONS = {
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.ENOSPC: "the disk is full",
    errno.EFBIG: "the file is larger than allowed",
    errno.ENOENT: "no such file",
    errno.EISDIR: IS_A_FOLDER,
    errno.EBUSY: "the file is mounted or in use",
}


@contextlib.contextmanager
def open_input(source: FileName) -> Iterator[tuple[IO[bytes], str]]:
    """Open a file, or standard input for "-", for reading bytes; yield it with its name for messages."""
    name = name_of_input(source)
    if source == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed; name a file instead")
        yield sys.stdin.buffer, name
        return
    if os.path.splitext(name)[1].lower() in _SEEKABLE and _is_pipe_or_device(name):
        raise InputError(f"{name}: {NO_PIPE}")
    try:
        file = open(name, "rb")  # noqa: SIM115 (a ValueError of the caller's block must not be caught here)
    except (OSError, ValueError) as error:
        reason = IS_A_FOLDER if os.path.isdir(name) else reason_of(error)  # Windows says "no permission" of a folder
        raise InputError(f"{name}: {reason}") from error
    with file, explained(name):
        yield file, name


@contextlib.contextmanager
def explained(path: FileName) -> Iterator[None]:
    """Convert system errors in a ``with`` block to errors that name the file."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: {reason_of(error)}") from error


def name_of_input(source: FileName) -> str:
    """Return the name of an input file for messages."""
    return "standard input" if source == "-" else checked_name(source)


def read_all(stream: IO[bytes], name: str, is_right: Callable[[bytes], bool] = bool, bytes_per_byte: int = 1) -> bytes:
    """Return the content of a stream, or its first block if ``is_right`` returns False for it.

    Raises :class:`NotEnoughMemoryError` if the content does not fit into memory with ``bytes_per_byte``.
    """
    blocks: list[bytes] = []
    size = 0
    while block := stream.read(_BLOCK):
        blocks.append(block)
        if not is_right(blocks[0]):
            break
        if len(block) == _BLOCK:
            check_repetition(block, stream, name)
        size += len(block)
        # Checked for each block, since the stream can be endless.
        check_memory(bytes_per_byte * size, f"reading the {size:,} bytes so far in {name}")
    return b"".join(blocks)


def check_repetition(block: bytes, stream: IO[bytes], name: str) -> None:
    """Raise :class:`InputError` if a large block from a pipe or a device repeats its beginning, as ``yes`` does."""
    period = block.find(block[:64], 1)
    if period < 1 or block[period:] != block[:-period] or is_regular(stream):
        return
    raise InputError(f"{name} repeats {printed(block[:period])} endlessly; it must hold a board or an instance")


def _is_pipe_or_device(path: str) -> bool:
    """Return whether a path names neither a file nor a folder. It is not opened, which could wait for a writer."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def is_regular(stream: IO[bytes]) -> bool:
    """Return whether a stream has an end: it reads a regular file or memory."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:  # io.BytesIO
        return True


def in_utf8(data: bytes, name: str) -> bytes:
    """Return a text in UTF-8 without a byte order mark; the input can also be in UTF-16."""
    if data[:2] not in UTF16:
        return data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-16").encode()
    except UnicodeDecodeError:
        raise InputError(f"{name} begins as UTF-16, but is damaged; save it as UTF-8") from None


def reason_of(error: OSError | ValueError) -> str:
    """Return the reason for a system error, in this package's own words if it has any."""
    if isinstance(error, OSError) and error.errno is not None:
        return _REASONS.get(error.errno) or error.strerror or str(error)
    return str(error)


def parse_json(data: bytes, place: str) -> Any:
    """Parse JSON; raise :class:`InputError` for every fault, including a repeated key in an object."""
    import json  # imported late, since most files have another format

    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_without_repetition)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if b"\n" in data else ""
        raise InputError(f"{place}: {line}character {error.colno}: this is not valid JSON ({error.msg})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: byte {error.start + 1} is not UTF-8; JSON must be text") from error
    except RecursionError as error:
        raise InputError(f"{place}: the brackets are nested too deeply; write a flat list") from error
    except ValueError as error:
        raise InputError(
            f"{place}: a number in it has thousands of digits; rows and columns have at most 10"
        ) from error


def integers(values: Any, place: str) -> NDArray[np.int64]:
    """Return a list from parsed JSON as an array; raise :class:`InputError` if it is not a list of whole numbers."""
    if not isinstance(values, list):
        raise InputError(f"{place} must be a list of whole numbers, not {shortened(repr(values))}")
    if not set(map(type, values)) <= {int}:
        at = next(at for at, value in enumerate(values) if type(value) is not int)
        raise InputError(f"{place}[{at}] must be a whole number, not {shortened(repr(values[at]))}")
    try:
        return np.array(values, np.int64)
    except OverflowError:
        raise InputError(f"{place} holds a number of 19 digits or more; rows and columns have at most 10") from None


def shortened(text: str, most: int = 50) -> str:
    """Return a text, cut if it is too long for an error message."""
    return text if len(text) <= most else f"{text[: most - 10]} ..."


def printed(text: bytes) -> str:
    """Return the beginning of some bytes in the form in which messages show it."""
    return shortened(repr(text[:200].decode(errors="replace")))


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"an object has the key {shortened(repr(key))} twice; keep one of them")
        found[key] = value
    return found
