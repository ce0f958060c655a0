"""What this machine gives: memory that is free to use, and the check of a need against it."""

from __future__ import annotations

import resource
from pathlib import Path

from fastqueens.board import NotEnoughMemoryError

_MEGABYTE = 1_000_000


def check_memory(need: int, what: str) -> None:
    """Raise :class:`NotEnoughMemoryError` where ``need`` bytes are more than this process can get.

    Work of less than 100 MB is let through without a look.
    """
    if need < 100 * _MEGABYTE:
        return
    available = available_memory()
    if available is not None and need > available:
        raise NotEnoughMemoryError(
            f"{what} needs {need / _MEGABYTE:,.0f} MB of memory, and {available / _MEGABYTE:,.0f} MB are available"
        )


def available_memory() -> int | None:
    """Bytes this process can still get: the least of the machine's, its control group's and its own limit.

    None where the system says nothing of it.
    """
    known = [bytes_ for bytes_ in (_of_machine(), _of_control_group(), _of_process()) if bytes_ is not None]
    return max(0, min(known)) if known else None


def address_space_needed(need: int) -> str:
    """Say that a mapping of ``need`` bytes does not fit into the limit of this process, with both numbers."""
    left = _of_address_space()
    there = "" if left is None else f", and {max(0, left) / _MEGABYTE:,.0f} MB are available"
    return f"mapping it needs {need / _MEGABYTE:,.0f} MB of address space{there}"


def _of_machine() -> int | None:
    return _kilobytes("/proc/meminfo", "MemAvailable:")


def _of_process() -> int | None:
    known = [_left_of_limit(resource.RLIMIT_DATA, "VmData:"), _of_address_space()]
    return min((bytes_ for bytes_ in known if bytes_ is not None), default=None)


def _of_address_space() -> int | None:
    return _left_of_limit(resource.RLIMIT_AS, "VmSize:")


def _left_of_limit(kind: int, held: str) -> int | None:
    limit = resource.getrlimit(kind)[0]
    used = _kilobytes("/proc/self/status", held)
    return None if limit == resource.RLIM_INFINITY or used is None else limit - used


def _of_control_group() -> int | None:
    """The tightest limit on the way up from this process's group, less what the group holds; version 2 and 1."""
    try:
        groups = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    except (OSError, ValueError):
        return None
    known = []
    for _, controllers, own in (group for group in groups if len(group) == 3):
        if controllers == "":
            known += _left_on_the_way_up(Path("/sys/fs/cgroup"), own, "memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            root = Path("/sys/fs/cgroup/memory")
            known += _left_on_the_way_up(root, own, "memory.limit_in_bytes", "memory.usage_in_bytes")
    return min(known) if known else None


def _left_on_the_way_up(root: Path, own: str, limit: str, used: str) -> list[int]:
    group = root / own.lstrip("/")
    left = [_left_in(folder, limit, used) for folder in (group, *group.parents) if folder.is_relative_to(root)]
    return [bytes_ for bytes_ in left if bytes_ is not None]


def _left_in(group: Path, limit_file: str, used_file: str) -> int | None:
    try:
        limit = int((group / limit_file).read_text())  # "max" is no number, and no limit
        used = int((group / used_file).read_text())
    except (OSError, ValueError):
        return None
    return limit - used + _inactive_files(group)


def _inactive_files(group: Path) -> int:
    """Bytes of cached files that the system gives back before it runs short.

    Version 1 counts the groups below apart, in "total_inactive_file", but has them in what is used.
    """
    try:
        lines = [line.split() for line in (group / "memory.stat").read_text().splitlines()]
    except (OSError, ValueError):
        return 0
    figures = {line[0]: int(line[1]) for line in lines if len(line) == 2 and line[1].isdecimal()}
    return figures.get("total_inactive_file", figures.get("inactive_file", 0))


def _kilobytes(path: str, name: str) -> int | None:
    try:
        lines = Path(path).read_text().splitlines()
    except (OSError, ValueError):
        return None
    for line in lines:
        fields = line.split()
        if fields[:1] == [name] and fields[1:2] and fields[1].isdecimal():
            return int(fields[1]) * 1024
    return None
