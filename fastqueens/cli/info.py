"""The command ``info``: versions, cores, memory and the origin of the compiled code."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import fastqueens
from fastqueens.cli import options
from fastqueens.cli.options import Group, command
from fastqueens.cli.output import Figures
from fastqueens.cli.session import Session
from fastqueens.errors import printable

_LIBRARIES = ("numpy", "numba", "matplotlib", "pillow", "psutil", "click", "rich", "dask")


class _Output(Group):
    as_json: bool = options.as_json


@command("fastqueens info\nfastqueens info --json")
def info(session: Session, output: _Output) -> None:
    """Show versions, cores, memory and the origin of the compiled code.

    Please include the output in bug reports.
    """
    import platform
    from importlib import metadata

    from fastqueens._jit.origin import origin
    from fastqueens._run.memory import available_memory
    from fastqueens._run.threads import all_cores, checked_threads
    from fastqueens.kernels import all_kernels

    session.progress("looking")
    libraries: dict[str, str] = {}
    for name in _LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            libraries[name] = metadata.version(name)
    found: Figures = {
        "fastqueens": fastqueens.__version__,
        "folder": str(Path(__file__).parents[1]),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "libraries": libraries,
        "cores": all_cores(),
        "threads": checked_threads(None),
        "available_memory": available_memory(),
        "kernels": dict(zip(("origin", "detail"), origin(all_kernels), strict=True)),
    }
    if session.as_json:
        session.json(found)
        return
    memory, is_limited = found["available_memory"], found["threads"] != found["cores"]
    lines = {
        "fastqueens": f"{found['fastqueens']}, in {found['folder']}",
        "Python": f"{found['python']}, {found['system']}",
        "libraries": ", ".join(f"{name} {version}" for name, version in libraries.items()),
        "cores": str(found["cores"]) + is_limited * f" (FASTQUEENS_THREADS is {found['threads']})",
        "memory": "unknown" if memory is None else f"{memory / 2**30:.1f} GiB available",
        "kernels": found["kernels"]["origin"],
        "": found["kernels"]["detail"],
    }
    session.say(*(f"{heading:12}{printable(line)}" for heading, line in lines.items()))
