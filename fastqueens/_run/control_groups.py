"""Limits of a container: those of the process's control group and of its parents (cgroup v2 of Linux)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

_ROOT, _OWN_GROUP = "/sys/fs/cgroup", "/proc/self/cgroup"


def memory_left() -> list[int]:
    """Return the bytes that each group with a limit has left, where files in the page cache count as free."""
    left = []
    for group in _groups():
        # A group without a limit has no file, or the word "max" in it.
        with contextlib.suppress(OSError, ValueError, KeyError):
            limit, used = (int(_text(f"{group}/memory.{name}")) for name in ("max", "current"))
            held = dict(line.split() for line in _text(f"{group}/memory.stat").splitlines())
            left.append(max(0, limit - used + int(held["active_file"]) + int(held["inactive_file"])))
    return left


def processors() -> list[int]:
    """Return the number of processors that each group with a quota can use, rounded up."""
    found = []
    for group in _groups():
        with contextlib.suppress(OSError, ValueError):
            quota, period = map(int, _text(f"{group}/cpu.max").split())
            found.append(-(-quota // period))
    return found


def _groups() -> Iterator[str]:
    """Yield the folder of the group of this process and those of its parents, whose limits also apply."""
    with contextlib.suppress(OSError):
        for line in _text(_OWN_GROUP).splitlines():
            if line.startswith("0::/"):
                names = line[3:].rstrip("/").split("/")
                yield from (_ROOT + "/".join(names[:count]) for count in range(len(names), 0, -1))


def _text(path: str) -> str:
    with open(path) as file:  # importing pathlib would take 4 ms
        return file.read()
