"""The limits that the system sets for this process (ulimit)."""

from __future__ import annotations


def process_limit(name: str) -> int | None:
    """Return a limit in bytes, for example "RLIMIT_AS"; None if there is none, as on systems without such limits."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    kind = getattr(resource, name, None)
    if kind is None:
        return None
    limit = resource.getrlimit(kind)[0]
    return None if limit == resource.RLIM_INFINITY else limit
