"""``fastqueens info``: versions, machine and compiled code, to be included in a bug report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from fastqueens import __version__
from fastqueens.cli import options
from fastqueens.cli.session import Session

_LIBRARIES = ("numpy", "numba", "matplotlib", "pillow", "psutil", "click", "rich")
_EXTRAS = ("dask", "starlette", "uvicorn")


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
    found = _describe()
    session.display.clear()
    if as_json:
        click.echo(json.dumps(found))
        return
    lines = _lines(found)
    width = max(map(len, lines))
    for heading, text in lines.items():
        click.echo(f"{heading:{width}}  {text}")


def _describe() -> dict[str, Any]:
    """Return what ``fastqueens info --json`` prints; memory is in bytes, or None if unknown."""
    import platform

    from fastqueens.core.memory import available_memory
    from fastqueens.core.threads import all_cores

    return {
        "fastqueens": __version__,
        "folder": str(Path(__file__).parents[1]),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "libraries": {name: version for name in (*_LIBRARIES, *_EXTRAS) if (version := _version(name)) is not None},
        "cores": all_cores(),
        "available_memory": available_memory(),
        **_compiled_code(),
    }


def _version(name: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _compiled_code() -> dict[str, Any]:
    """Find the compiled code of each kernel on disk.

    "cache" is its folder (None if no folder is writable), "kernels" how many kernels exist, "compiled" the names of the
    compiled ones, and "cache_size" their bytes.
    """
    import importlib
    import pkgutil

    from fastqueens import kernels
    from fastqueens.kernels.jit import cached_code

    folder, count, compiled, size = None, 0, [], 0
    for module in pkgutil.iter_modules(kernels.__path__, "fastqueens.kernels."):
        for name, value in vars(importlib.import_module(module.name)).items():
            kept = cached_code(value)
            if kept is None or value.py_func.__module__ != module.name:
                continue
            count += 1
            folder, files = kept
            if files:
                compiled.append(name)
                size += sum(file.stat().st_size for file in files if file.exists())
    cache = None if folder is None else str(folder)
    return {"cache": cache, "kernels": count, "compiled": compiled, "cache_size": size}


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
