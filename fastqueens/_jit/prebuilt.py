"""Machine code that comes with the package, for Linux on x86-64: one file for each level of its instruction set.

The levels are those of the x86-64 psABI, which compilers and distributions share. A file holds the code of each kernel
for the kinds of arguments that the kernel declares, and begins with a digest of its content and of its key: the hash of
all sources that the code depends on, and the level. ``.ci/prebuild.py`` makes the files for the wheel.
"""

from __future__ import annotations

import contextlib
import functools
import marshal
import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from fastqueens._jit import store
from fastqueens._jit.machine_code import processor_flags

FOLDER = Path(__file__).with_name("prebuilt")

#: The levels, highest first, and what each adds to the next one, as /proc/cpuinfo spells it.
LEVELS = {
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
    "x86-64-v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave",
    "x86-64-v2": "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3",
}


def supported(flags: frozenset[str]) -> list[str]:
    """Return the levels that a processor supports, highest first."""
    needed, found = set[str](), list[str]()
    for level, more in reversed(LEVELS.items()):
        needed.update(more.split())
        if needed <= flags:
            found.insert(0, level)
    return found


def write(level: str, codes: Mapping[str, bytes]) -> Path:
    """Write the file of a level: packed machine code by the name of each kernel and the kinds of its arguments."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / level
    path.write_bytes(store.with_digest(marshal.dumps(dict(codes), 4), _key(level)))
    return path


@functools.cache
def codes() -> tuple[str | None, dict[str, bytes]]:
    """Return the level that this process uses, and its code by name; None and no code if there is none for it."""
    if sys.platform == "linux" and platform.machine() == "x86_64" and not store.IS_CHECKED and not store.settings():
        for level in supported(processor_flags()):
            with contextlib.suppress(OSError):
                content = store.content_of((FOLDER / level).read_bytes(), _key(level))
                if content is not None:
                    return level, marshal.loads(content)
    return None, {}


def _key(level: str) -> bytes:
    return f"{store.stamp()} {level}".encode()
