"""Available memory, and whether some work fits into it.

psutil knows the memory of the machine; where it does not, nothing is refused. If the process itself has a smaller limit
(ulimit), the allocation that exceeds it raises a MemoryError.
"""

from __future__ import annotations

from fastqueens.errors import InputError, NotEnoughMemoryError

_MEGABYTE = 1_000_000

#: Megabytes needed to load numba and its libraries, measured on two cores; more cores need more.
_LEAST = (("RLIMIT_AS", 400, "address space (ulimit -v)"), ("RLIMIT_DATA", 250, "data (ulimit -d)"))


def check_limits() -> None:
    """Raise :class:`InputError` if a limit leaves no room for the libraries, which would crash or wait for ever."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for name, least, what in _LEAST:
        # Systems without this limit do not know its name. No limit is a negative or a huge number.
        limit = resource.getrlimit(getattr(resource, name))[0] if hasattr(resource, name) else -1
        if 0 <= limit < least * _MEGABYTE:
            raise InputError(f"this process may use {limit // _MEGABYTE:,} MB of {what}, and needs {least} MB to start")


def check_memory(need: int, what: str) -> None:
    """Raise :class:`NotEnoughMemoryError` if fewer than ``need`` bytes are available; 100 MB always are."""
    if need < 100 * _MEGABYTE:
        return
    available = available_memory()
    if available is not None and need > available:
        raise NotEnoughMemoryError(
            f"{what} needs {need / _MEGABYTE:,.0f} MB of memory, and {available / _MEGABYTE:,.0f} MB are available"
        )


def available_memory() -> int | None:
    """Return the bytes that the machine can give without swapping, or None if psutil does not know, or returns 0."""
    try:
        import psutil  # here, since it takes 30 ms and small work does not need it

        return int(psutil.virtual_memory().available) or None
    except Exception:  # the type depends on the system
        return None
