"""Refuses to start if a limit on memory (ulimit) is too small to load the libraries.

Without this check, libraries end the process or wait for memory for ever.
"""

from __future__ import annotations

import resource

import click

_MEGABYTE = 1_000_000

#: Megabytes needed to load numba and its libraries, measured on two cores; more cores need more.
_LEAST = (("RLIMIT_AS", 400, "address space (ulimit -v)"), ("RLIMIT_DATA", 250, "data (ulimit -d)"))


def check_limits() -> None:
    """Raise ClickException if a limit of this process leaves no room for the libraries."""
    for name, least, what in _LEAST:
        limit = resource.getrlimit(getattr(resource, name))[0]
        if limit != resource.RLIM_INFINITY and limit < least * _MEGABYTE:
            raise click.ClickException(
                f"this process may use {limit // _MEGABYTE:,} MB of {what}, and needs {least} MB to start"
            )
