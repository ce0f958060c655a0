"""``fastqueens info``: versions, machine and compiled code, to be included in a bug report."""

from __future__ import annotations

import json
from typing import Any

import click

from fastqueens.cli import options
from fastqueens.cli.session import Session


@click.command(
    short_help="Show versions, cores, memory and compiled code.", epilog="\b\nExample:\n  fastqueens info --json"
)
@options.as_json
@click.pass_obj
def info(session: Session, as_json: bool) -> None:
    """Show versions, cores, memory, and how much compiled code is stored and where.

    Include the output in bug reports.
    """
    session.display.report("looking")
    from fastqueens.cli.installation import describe

    found = describe()
    session.display.clear()
    if as_json:
        click.echo(json.dumps(found))
        return
    lines = _lines(found)
    width = max(map(len, lines))
    for heading, text in lines.items():
        click.echo(f"{heading:{width}}  {text}")


def _lines(found: dict[str, Any]) -> dict[str, str]:
    """Return the lines to show, by heading."""
    memory = found["available_memory"]
    libraries = [f"{name} {version}" for name, version in found["libraries"].items()]
    return {
        "fastqueens": f"{found['fastqueens']}, in {found['folder']}",
        "Python": f"{found['python']}, {found['system']}",
        "libraries": ", ".join(libraries[:4]),
        "": ", ".join(libraries[4:]),
        "cores": str(found["cores"]),
        "memory": "unknown" if memory is None else f"{memory / 2**30:.1f} GiB available",
        "compiled": _compiled(found),
    }


def _compiled(found: dict[str, Any]) -> str:
    if found["cache"] is None:
        return "nothing: no folder is writable, so each process compiles again"
    megabytes = found["cache_size"] / 1e6
    return f"{len(found['compiled'])} of {found['kernels']} kernels, {megabytes:.1f} MB, in {found['cache']}"
