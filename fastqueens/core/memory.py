"""How much memory this process can still get, and whether some work fits into it.

psutil knows the memory of the machine. Control groups, limits of the process (ulimit) and what this process uses come
from the system: where it does not tell them, they set no limit.
"""

from __future__ import annotations

from pathlib import Path

from fastqueens.core.errors import InputError, NotEnoughMemoryError

_MEGABYTE = 1_000_000

#: Megabytes needed to load numba and its libraries, measured on two cores; more cores need more.
_LEAST = (("RLIMIT_AS", 400, "address space (ulimit -v)"), ("RLIMIT_DATA", 250, "data (ulimit -d)"))


def process_limit(name: str) -> int | None:
    """Return a limit in bytes, for example "RLIMIT_AS"; None if there is none, as on systems without such limits."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    if not hasattr(resource, name):
        return None
    limit = resource.getrlimit(getattr(resource, name))[0]
    return None if limit == resource.RLIM_INFINITY else limit


def check_limits() -> None:
    """Raise :class:`InputError` if a limit of this process leaves no room for the libraries.

    Without this check, libraries end the process or wait for memory for ever.
    """
    for name, least, what in _LEAST:
        limit = process_limit(name)
        if limit is not None and limit < least * _MEGABYTE:
            raise InputError(f"this process may use {limit // _MEGABYTE:,} MB of {what}, and needs {least} MB to start")


def check_memory(need: int, what: str) -> None:
    """Raise :class:`NotEnoughMemoryError` if this process cannot get ``need`` bytes.

    A need of less than 100 MB always passes, without asking the system.
    """
    if need < 100 * _MEGABYTE:
        return
    available = available_memory()
    if available is not None and need > available:
        raise NotEnoughMemoryError(
            f"{what} needs {need / _MEGABYTE:,.0f} MB of memory, and {available / _MEGABYTE:,.0f} MB are available"
        )


def available_memory() -> int | None:
    """Return how many bytes the machine, the control group and ulimit still allow, or None if none of them is known."""
    limits = (_of_machine(), _of_control_group(), _left_of_limit("RLIMIT_DATA", "VmData:"), _of_address_space())
    known = [bytes_ for bytes_ in limits if bytes_ is not None]
    return max(0, min(known)) if known else None


def address_space_needed(need: int) -> str:
    """Return the message that a mapping of ``need`` bytes does not fit into the address space of this process."""
    left = _of_address_space()
    available = "" if left is None else f", and {max(0, left) / _MEGABYTE:,.0f} MB are available"
    return f"mapping it needs {need / _MEGABYTE:,.0f} MB of address space{available}"


def _of_machine() -> int | None:
    try:
        # Imported here because it takes 30 ms and small work does not need it.
        import psutil

        # psutil returns 0 for what it does not know.
        return int(psutil.virtual_memory().available) or None
    except Exception:  # the type depends on the system
        return None


def _of_address_space() -> int | None:
    return _left_of_limit("RLIMIT_AS", "VmSize:")


def _left_of_limit(name: str, field: str) -> int | None:
    limit = process_limit(name)
    used = _figures_in(Path("/proc/self/status")).get(field)
    return None if limit is None or used is None else limit - 1024 * used


def _of_control_group() -> int | None:
    """Return the least that the group of this process or a group above it has left, in version 1 or 2."""
    groups = [line.split(":", 2) for line in _lines_of(Path("/proc/self/cgroup"))]
    known = []
    for _, controllers, own in (group for group in groups if len(group) == 3):
        if controllers == "":
            known += _left_on_the_way_up(Path("/sys/fs/cgroup"), own, "memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            root = Path("/sys/fs/cgroup/memory")
            known += _left_on_the_way_up(root, own, "memory.limit_in_bytes", "memory.usage_in_bytes")
    return min(known, default=None)


def _left_on_the_way_up(root: Path, own: str, limit: str, used: str) -> list[int]:
    group = root / own.lstrip("/")
    left = [_left_in(folder, limit, used) for folder in (group, *group.parents) if folder.is_relative_to(root)]
    return [bytes_ for bytes_ in left if bytes_ is not None]


def _left_in(group: Path, limit_file: str, used_file: str) -> int | None:
    try:
        limit = int((group / limit_file).read_text())  # "max", for no limit, raises ValueError
        used = int((group / used_file).read_text())
    except (OSError, ValueError):
        return None
    # Cached files are freed before the system runs short. In version 1, only the total includes the groups below, as
    # the bytes in use do.
    figures = _figures_in(group / "memory.stat")
    return limit - used + figures.get("total_inactive_file", figures.get("inactive_file", 0))


def _figures_in(path: Path) -> dict[str, int]:
    """Return the second word of each line, if it is a number, by the first."""
    lines = (line.split() for line in _lines_of(path))
    return {line[0]: int(line[1]) for line in lines if len(line) > 1 and line[1].isdecimal()}


def _lines_of(path: Path) -> list[str]:
    """Return the lines of a file; none if it cannot be read."""
    try:
        return path.read_text().splitlines()
    except (OSError, ValueError):
        return []
