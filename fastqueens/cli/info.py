"""``fastqueens info``: versions, machine and compiled code, to be included in a bug report."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fastqueens import __version__
from fastqueens.cli import options
from fastqueens.cli.session import Session

if TYPE_CHECKING:
    from fastqueens.jit.decorators import Kernel

_LIBRARIES = ("numpy", "numba", "matplotlib", "pillow", "pypdf", "psutil", "click", "rich")
#: Files that import numba.
_COMPILER = ("compiler", "instructions", "group_instructions")
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
        **describe_compiled_code(),
    }


def _version(name: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def describe_compiled_code() -> dict[str, Any]:
    """Find the compiled code of each kernel on disk.

    "back_end" is what runs the kernels, "reason" why numba does (None if the loader does), "cache" the folder (None if
    no folder is writable, or if numba stores its own code), "kernels" how many exist, "compiled" the bytes of each one
    that is stored, and "ignored" the folders and files that are not used, and why.
    """
    from fastqueens.jit import back_end, store

    functions = {f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}": kernel.py_func for kernel in _kernels()}
    reason = back_end.reason_for_numba()
    is_ours = reason is None
    files = {name: store.files_of(function) for name, function in functions.items() if is_ours}
    folder = store.folder_of(next(iter(functions.values()))) if is_ours else None
    return {
        "back_end": "loader" if reason is None else "numba",
        "reason": reason,
        "cache": None if folder is None else str(folder),
        "kernels": len(functions),
        "compiled": {name: sum(file.stat().st_size for file in found) for name, found in files.items() if found},
        "ignored": {str(path): reason for path, reason in store.ignored(functions.values()).items()},
    }


def _kernels() -> list[Kernel]:
    """Import all kernels that drivers call, in the order of their files."""
    import importlib

    from fastqueens.jit import store
    from fastqueens.jit.decorators import Kernel

    names = [f"fastqueens.{path.parent.name}.{path.stem}" for path in store.sources() if path.stem not in _COMPILER]
    modules = [importlib.import_module(name) for name in names]
    values = [value for module in modules for value in vars(module).values() if isinstance(value, Kernel)]
    return [value for value in dict.fromkeys(values) if not value.__name__.startswith("_")]


def _lines(found: dict[str, Any]) -> dict[str, str]:
    """Return the lines to show, by heading."""
    memory = found["available_memory"]
    libraries = [f"{name} {version}" for name, version in found["libraries"].items()]
    lines = {
        "fastqueens": f"{found['fastqueens']}, in {found['folder']}",
        "Python": f"{found['python']}, {found['system']}",
        "libraries": ", ".join(libraries[:4]),
        "": ", ".join(libraries[4:]),
        "cores": str(found["cores"]),
        "memory": "unknown" if memory is None else f"{memory / 2**30:.1f} GiB available",
        "back end": found["back_end"] + (f": {found['reason']}" if found["reason"] else ""),
        "compiled": _compiled(found),
    }
    ignored = [f"{path}: {reason}" for path, reason in found["ignored"].items()]
    if ignored:
        lines["ignored"] = ignored[0] + (f"; and {len(ignored) - 1:,} more" if ignored[1:] else "")
    return lines


def _compiled(found: dict[str, Any]) -> str:
    if found["reason"]:
        return "numba stores it"
    if found["cache"] is None:
        return "nothing: no folder is writable, so each process compiles again"
    compiled = found["compiled"]
    sizes = [f"{name}\xa0{size / 1000:.1f}\xa0kB" for name, size in compiled.items()]
    size = sum(compiled.values()) / 1000
    summary = f"{len(compiled)} of {found['kernels']} kernels, {size:.0f} kB, in {found['cache']}"
    listed = textwrap.indent(textwrap.fill(", ".join(sizes), 66), 12 * " ").replace("\xa0", " ")
    return f"{summary}\n{listed}"
