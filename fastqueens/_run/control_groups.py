"""Limits of a container: those of the process's control group and of its parents (cgroup v2 of Linux)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

_ROOT, _OWN_GROUP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def memory_left() -> list[int]:
    """Return the bytes that each group with a limit has left, where files in the page cache count as free."""
    left = []
    for group in _groups():
        # A group without a limit has no file, or the word "max" in it.
        with contextlib.suppress(OSError, ValueError, KeyError):
            limit, used = (int((group / f"memory.{name}").read_text()) for name in ("max", "current"))
            held = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
            left.append(max(0, limit - used + int(held["active_file"]) + int(held["inactive_file"])))
    return left


def processors() -> list[int]:
    """Return the number of processors that each group with a quota can use, rounded up."""
    found = []
    for group in _groups():
        with contextlib.suppress(OSError, ValueError):
            quota, period = map(int, (group / "cpu.max").read_text().split())
            found.append(-(-quota // period))
    return found


def _groups() -> Iterator[Path]:
    """Yield the folder of the group of this process and those of its parents, whose limits also apply."""
    with contextlib.suppress(OSError):
        for line in _OWN_GROUP.read_text().splitlines():
            if line.startswith("0::/"):
                group = _ROOT / line[4:]
                yield from (group, *group.parents)
