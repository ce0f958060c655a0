"""All kernels, and what is stored of their compiled code."""

from __future__ import annotations

import importlib
from typing import Any

from fastqueens.jit import decorators, store
from fastqueens.jit.decorators import Kernel

#: Files that import numba.
_COMPILER = ("compiler", "instructions", "group_instructions")


def describe_compiled_code() -> dict[str, Any]:
    """Find the compiled code of each kernel on disk.

    "back_end" is what runs the kernels, "reason" why numba does (None if the loader does), "cache" the folder (None if
    no folder is writable, or if numba stores its own code), "kernels" how many exist, "compiled" the bytes of each one
    that is stored, and "ignored" the folders and files that are not used, and why.
    """
    functions = {f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}": kernel.py_func for kernel in _kernels()}
    reason = decorators.reason_for_numba()
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
    names = [f"fastqueens.{path.parent.name}.{path.stem}" for path in store.sources() if path.stem not in _COMPILER]
    modules = [importlib.import_module(name) for name in names]
    values = [value for module in modules for value in vars(module).values() if isinstance(value, Kernel)]
    # A leading underscore: only other kernels call it.
    return [value for value in dict.fromkeys(values) if not value.__name__.startswith("_")]
