"""The packages that fastqueens needs: what to say if some of them are not installed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib.util import find_spec

#: Modules, and the packages in which an index has them.
PACKAGES = {
    "PIL": "Pillow",
    "click": "click",
    "matplotlib": "matplotlib",
    "numba": "numba",
    "numpy": "numpy",
    "psutil": "psutil",
    "rich": "rich",
}


def explain_missing(error: BaseException) -> str | None:
    """Return which packages are missing and the command that installs them, or None if the error has another reason.

    >>> print(explain_missing(ModuleNotFoundError("No module named 'fastqueens.x'", name="fastqueens.x")))
    None
    """
    if not isinstance(error, ModuleNotFoundError) or (error.name or "").partition(".")[0] not in PACKAGES:
        return None
    missing = [package for module, package in sorted(PACKAGES.items()) if find_spec(module) is None]
    command = [sys.executable, "-m", "pip", "install", *missing]
    typed = subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)
    return f"this Python lacks {', '.join(missing)}; to install what is missing, type:\n{typed}"
