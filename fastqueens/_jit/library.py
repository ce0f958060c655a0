"""Compiled kernels in shared libraries: where they are, how they are loaded, and how they are called.

A library exports a C function for each kernel and the kinds of its arguments, ``int32 entry(int64 *words)``. The first
words receive the results, one word each. The others are the arguments: a number is one word, an array is the address of
its data and its lengths, and tuples are flattened. The entry returns 0 unless the kernel has failed.

Libraries come with the package, one for each level of the processor's instruction set. In the user's cache, each kernel
that was compiled on first use is a library of its own. :mod:`.build` makes the former, and :mod:`.cache` the latter.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import logging
import os
import platform
import stat
import struct
import sys
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from fastqueens._jit.functions import Function
from fastqueens._jit.types import DESCRIBED, Kinds
from fastqueens.errors import InputError, is_raised_in

#: What runs a kernel: gets the words of its arguments (see :func:`describe`) and the arguments themselves.
Call = Callable[[list[Any], tuple[Any, ...]], Any]

#: The folder of the libraries that come with the package.
FOLDER = Path(__file__).with_name("libraries")

#: The levels of the psABI for x86-64, highest first, and what each adds to the next one, as /proc/cpuinfo spells it.
LEVELS = {
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
    "x86-64-v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave",
    "x86-64-v2": "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3",
}

#: The levels for which there are libraries on Windows, highest first, and what Windows calls an instruction set of each
#: (``PF_AVX2_INSTRUCTIONS_AVAILABLE``, ``PF_SSE4_2_INSTRUCTIONS_AVAILABLE``). It has no number for the others, but no
#: processor with one of these lacks those that integer code needs. That would not hold for v4 and AVX512F.
WINDOWS_LEVELS = {"x86-64-v3": 40, "x86-64-v2": 38}

#: The words for results. No kernel returns more numbers.
RESULTS = 4

#: The end of the name of the text that says of which numbers the result of a kernel consists, in the letters of
#: ``struct``; one number alone has no comma.
RESULT = ".result"

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")

_NUMBERS = {int: np.int64, bool: np.int64} | {np.dtype(letter).type: np.dtype(letter).type for letter in "bBhHiIlLqQ"}

# Letters of the module ``struct`` for the items of arrays and for numbers, in the byte order of this machine.
_LETTERS = {np.dtype(letter).str: letter for letter in "bBhHiIqQ"}

#: Whether numba runs the kernels with bounds checks: several times slower, for tests.
IS_CHECKED = os.environ.get("FASTQUEENS_CHECKED", "0") not in ("", "0")

_HERE = Path(__file__).parent
_log = logging.getLogger("fastqueens")
_addressof, _from_buffer = ctypes.addressof, (ctypes.c_char * 0).from_buffer  # 0 items also fit in an empty array


# Calls


def describe(values: Iterable[Any], kinds: list[Any], words: list[Any]) -> None:
    """Append the kinds of all values (see :mod:`.types`), and the words of each array and number."""
    for value in values:
        kind = type(value)
        if kind is np.ndarray or isinstance(value, np.ndarray):
            shape = value.shape
            kinds += (value.dtype, len(shape))
            words += (_address_of(value), *shape)
        elif kind in _NUMBERS:
            kinds.append(_NUMBERS[kind])
            words.append(value)
        elif isinstance(value, tuple):
            of_value, words_of_value = getattr(value, DESCRIBED, None) or _described(value)
            kinds += of_value
            words += words_of_value
        else:
            raise TypeError(f"kernels take arrays, integers and tuples of them, not {value!r}")


def _described(value: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Return the kinds and the words of a tuple. A bundle keeps them, so that later calls need not read its arrays."""
    described = [type(value), len(value)], list[Any]()
    describe(value, *described)
    if hasattr(value, DESCRIBED):
        setattr(value, DESCRIBED, described)
    return described


def _address_of(array: Any) -> int:
    """Return the address of the data of an array, which must be in C order."""
    try:
        return _addressof(_from_buffer(array))  # five times as fast as array.ctypes.data
    except (TypeError, ValueError):  # read-only, or not in C order
        if not array.flags.c_contiguous:
            raise TypeError("an array is not in C order") from None
        return int(array.ctypes.data)


def function_of(library: ctypes.CDLL, kernel: Function, kinds: Kinds) -> Call | None:
    """Return what calls a kernel in a library; None if the library lacks it."""
    name = symbol(kernel, kinds)
    try:
        call = library[name]
        result = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, name + RESULT))).decode()
    except (AttributeError, ValueError):
        return None
    letters = _letters(kinds, "Q")
    block_class = ctypes.c_int64 * (RESULTS + len(letters))
    pack, unpack = struct.Struct("".join(letters)).pack_into, struct.Struct(result.replace("?", "?7x")).unpack_from
    is_one, make = len(result) == 1, kernel.result_class

    def run(words: list[Any], _arguments: tuple[Any, ...]) -> Any:
        block = block_class()
        pack(block, 8 * RESULTS, *words)
        if call(block):
            raise RuntimeError(f"the kernel {kernel.__name__} has failed; FASTQUEENS_CHECKED=1 shows the reason")
        results = unpack(block)
        return results[0] if is_one else make(*results) if make else results or None

    return run


def symbol(kernel: Function, kinds: Kinds) -> str:
    """Return the name of a kernel in a library: module, name and kinds, such as ``tree.search.2H1Qq``.

    A kind is a letter of the module ``struct``; for an array, the number of dimensions stands before it.
    """
    module = kernel.py_func.__module__.rpartition(".")[2]
    return f"{module}.{kernel.__name__}.{''.join(_letters(kinds, None))}"


def _letters(kinds: Kinds, address: str | None) -> list[str]:
    """Return letters for all words, with this one for an address; without it, one text for each array and number."""
    found, left = [], iter(kinds)
    for kind in left:
        if isinstance(kind, np.dtype):
            if kind.str not in _LETTERS:
                raise TypeError(f"kernels take arrays of integers in this machine's byte order, not of {kind!r}")
            ndim = next(left)
            found += [f"{ndim}{_LETTERS[kind.str]}"] if address is None else [address, *"q" * ndim]
        elif issubclass(kind, tuple):
            next(left)
        else:
            letter = _LETTERS[np.dtype(kind).str]
            found.append(letter if address is None else "Q" if letter.isupper() else "q")
    return found


# The libraries of the package


@functools.cache
def uses_numba() -> bool:
    """Return whether numba is to run the kernels, because of an environment variable."""
    wanted = os.environ.get("FASTQUEENS_BACK_END") or "library"
    if wanted not in ("library", "numba"):
        raise InputError(f"the environment variable FASTQUEENS_BACK_END must be library or numba, not {wanted!r}")
    return wanted == "numba" or IS_CHECKED


@functools.cache
def of_package() -> tuple[str | None, ctypes.CDLL | None]:
    """Return the level and the library that came with the package for this processor; None if there is none."""
    for level in levels_here():
        path = FOLDER / f"kernels-{level}-{stamp()}{SUFFIX}"
        if path.exists():
            try:
                return level, ctypes.CDLL(str(path))
            except OSError as error:
                _log.warning("a library of kernels cannot be loaded: %s", error)
    return None, None


def levels_here() -> list[str]:
    """Return the levels that this processor supports, highest first; on another architecture, its name."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine())
    if machine != "x86_64":
        return [machine]
    if sys.platform == "win32":
        has = ctypes.windll.kernel32.IsProcessorFeaturePresent
        return [level for level, instructions in WINDOWS_LEVELS.items() if has(instructions)]
    flags = next((line.partition(":")[2] for line in _processor() if line.startswith("flags")), "")
    return supported(frozenset(flags.split()))


def supported(flags: frozenset[str]) -> list[str]:
    """Return the levels that a processor for x86-64 supports, highest first."""
    needed, found = set[str](), list[str]()
    for level, more in reversed(LEVELS.items()):
        needed.update(more.split())
        if needed <= flags:
            found.insert(0, level)
    return found


@functools.cache
def _processor() -> list[str]:
    """Return the lines in which Linux describes the first processor, without changing ones; none on other systems."""
    try:
        with open("/proc/cpuinfo") as file:
            return [
                line for line in itertools.takewhile(str.strip, file) if not line.startswith(("cpu MHz", "bogomips"))
            ]
    except OSError:
        return []


# The user's cache


def cached(kernel: Function, kinds: Kinds) -> Call | None:
    """Return what calls a kernel that an earlier process compiled; None if there is none that can be trusted."""
    path = path_in_cache(kernel, kinds)
    if not is_safe(path.parent) or not is_safe(path):
        return None
    try:
        return function_of(ctypes.CDLL(str(path)), kernel, kinds)
    except OSError as error:  # for example, the folder is mounted with noexec
        if not is_raised_in(error, "ctypes"):  # but by a signal handler of the caller, such as an alarm
            raise
        _log.info("a compiled kernel cannot be loaded: %s", error)
        return None


def path_in_cache(kernel: Function, kinds: Kinds) -> Path:
    """Return where the library of a kernel is in the user's cache."""
    return cache_folder() / (symbol(kernel, kinds) + SUFFIX)


@functools.cache
def cache_folder() -> Path:
    """Return the folder for the kernels that this user compiles from these sources on this processor."""
    processor = "".join([platform.machine(), os.environ.get("PROCESSOR_IDENTIFIER", ""), *_processor()])
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return cache_root() / f"kernels-{user}-{stamp()}-{zlib.crc32(processor.encode()):08x}"


def cache_root() -> Path:
    """Return the folder for everything that is compiled."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or _user_cache() / "fastqueens").absolute()


def is_safe(path: Path) -> bool:
    """Return whether a file or folder exists, not as a link, and only this user or root can write to it."""
    try:
        status = path.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):  # on Windows, the folder of the user is private
        return True
    return status.st_uid in (0, os.getuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _user_cache() -> Path:
    """Return the cache folder of this user."""
    home = Path(os.path.expanduser("~"))
    if not home.is_absolute():  # without a home; the working directory can be anybody's
        home = Path(os.devnull)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    wanted = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return wanted if wanted.is_absolute() else home / ".cache"  # its specification says to ignore a relative one


@functools.cache
def stamp() -> str:
    """Return a hash of all sources of compiled code: after an edit in any of them, no library is found."""
    return hash_of_sources()


def hash_of_sources() -> str:
    content = b"\0".join(path.name.encode() + b"\0" + path.read_bytes() for path in sources())
    return f"{zlib.crc32(content):08x}"  # detects edits; hashlib would load OpenSSL, which takes 3 ms


def sources() -> list[Path]:
    return sorted([*_HERE.glob("*.py"), *_HERE.parent.glob("kernels/[a-z]*.py")])


# Now, before any kernel is imported.
stamp()
