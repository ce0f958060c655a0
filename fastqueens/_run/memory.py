"""Available memory, and checks that work fits into it.

psutil reports the memory of the machine, and the control groups of Linux report the limit of a container. Where psutil
cannot, no work is refused. If the process itself has a smaller limit (ulimit), the allocation that exceeds the limit
raises a MemoryError.
"""

from __future__ import annotations

from fastqueens._run import control_groups
from fastqueens.errors import InputError, NotEnoughMemoryError, is_raised_in

_MEGABYTE = 1_000_000

#: Megabytes for loading numba and its libraries, measured on two cores. Machines with more cores need more.
_LEAST = (("RLIMIT_AS", 400, "address space (ulimit -v)"), ("RLIMIT_DATA", 250, "data (ulimit -d)"))


def check_limits() -> None:
    """Raise :class:`InputError` if a limit leaves too little memory for the libraries, which would crash or hang."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for name, least, what in _LEAST:
        # Systems without this limit do not define its name. A negative or huge number means that there is no limit.
        limit = resource.getrlimit(getattr(resource, name))[0] if hasattr(resource, name) else -1
        if 0 <= limit < least * _MEGABYTE:
            raise InputError(
                f"this process is limited to {limit // _MEGABYTE:,} MB of {what}, but needs {least} MB to start; raise "
                "this limit"
            )


def check_memory(need: int, what: str) -> None:
    """Raise :class:`NotEnoughMemoryError` if ``need`` bytes are not available. Needs below 100 MB are accepted."""
    if need < 100 * _MEGABYTE:
        return
    available = available_memory()
    if available is not None and need > available:
        raise NotEnoughMemoryError(
            f"{what} needs {need / _MEGABYTE:,.0f} MB of memory, but only {available / _MEGABYTE:,.0f} MB are available"
        )


def available_memory() -> int | None:
    """Return the bytes that are available without swapping, or None if psutil fails or returns 0."""
    try:
        import psutil  # imported here because it takes 30 ms and small work does not need it

        available = int(psutil.virtual_memory().available)
        return min([available, *control_groups.memory_left()]) if available else None
    except Exception as error:  # the type depends on the system
        if not is_raised_in(error, "fastqueens", "importlib", "psutil"):
            raise
        return None
