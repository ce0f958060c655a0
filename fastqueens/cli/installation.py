"""Describes this installation: versions, machine, and the compiled code on disk."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import platform
from pathlib import Path
from typing import Any, NamedTuple

import fastqueens
from fastqueens import kernels
from fastqueens.core.memory import available_memory
from fastqueens.core.threads import all_cores
from fastqueens.kernels.jit import cached_code

_LIBRARIES = ("numpy", "numba", "matplotlib", "pillow", "psutil", "click", "rich")
_EXTRAS = ("dask", "starlette", "uvicorn")


class CompiledCode(NamedTuple):
    """The folder of compiled code (None if no folder is writable), the kernels in it, how many exist, and the bytes."""

    folder: str | None
    compiled: tuple[str, ...]
    kernels: int
    size: int


def describe() -> dict[str, Any]:
    """Return what ``fastqueens info --json`` prints; memory is in bytes, or None if unknown."""
    cache = compiled_code()
    return {
        "fastqueens": fastqueens.__version__,
        "folder": str(Path(fastqueens.__file__).parent),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "libraries": {name: version for name in (*_LIBRARIES, *_EXTRAS) if (version := _version(name)) is not None},
        "cores": all_cores(),
        "available_memory": available_memory(),
        "cache": cache.folder,
        "kernels": cache.kernels,
        "compiled": list(cache.compiled),
        "cache_size": cache.size,
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def compiled_code() -> CompiledCode:
    """Find the compiled code of each kernel on disk."""
    folder, compiled, size, count = None, [], 0, 0
    for module in pkgutil.iter_modules(kernels.__path__):
        for name, value in vars(importlib.import_module(f"fastqueens.kernels.{module.name}")).items():
            kept = cached_code(value)
            if kept is None or value.py_func.__module__ != f"fastqueens.kernels.{module.name}":
                continue
            count += 1
            folder, files = kept
            if files:
                compiled.append(name)
                size += sum(file.stat().st_size for file in files if file.exists())
    return CompiledCode(None if folder is None else str(folder), tuple(compiled), count, size)
