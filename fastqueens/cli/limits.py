"""A limit on this process's memory (ulimit) that is too small to begin with: said before anything is loaded.

Without this look libraries end the process, or wait for ever for memory that does not come.
"""

from __future__ import annotations

import resource

import click

_MEGABYTE = 1_000_000

#: Megabytes that it takes to load numba and its libraries, measured on two cores; more cores take more.
_LEAST = (("RLIMIT_AS", 400, "address space (ulimit -v)"), ("RLIMIT_DATA", 250, "data (ulimit -d)"))


def check_limits() -> None:
    """Refuse to begin where a limit lets nothing be loaded."""
    for name, least, what in _LEAST:
        limit = resource.getrlimit(getattr(resource, name))[0]
        if limit != resource.RLIM_INFINITY and limit < least * _MEGABYTE:
            raise click.ClickException(
                f"this process may have {limit // _MEGABYTE:,} MB of {what}, and takes {least} MB to begin with"
            )
