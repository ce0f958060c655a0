"""Compile all kernels for each level of the instruction set, for the wheel that carries them.

``python .ci/prebuild.py`` writes the files into the package in the current folder, with the numba that is installed.
Numba reads its settings once, so each level has a process of its own.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys

sys.path.insert(0, os.getcwd())


def compile_for(level: str) -> None:
    """Compile all kernels in this process, and write the file of a level."""
    from fastqueens._jit import prebuilt
    from fastqueens._jit.decorators import compiled_ahead
    from fastqueens.kernels import all_kernels

    logging.basicConfig(level=logging.INFO, handlers=[logging.NullHandler()])  # instead of a message for users
    codes = compiled_ahead(all_kernels())
    for name, code in codes.items():
        if os.fsencode(sys.prefix) in code:  # in the description of an exception
            raise SystemExit(f"{sys.prefix} is in the code of {name}: two builds would differ")
    size = prebuilt.write(level, codes).stat().st_size
    print(f"{level}: {len(codes)} functions, {size / 1000:.0f} kB", flush=True)


def main() -> None:
    """Compile for all levels at the same time."""
    from fastqueens._jit.prebuilt import LEVELS

    environment = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "FASTQUEENS_"))}
    started = []
    for level in LEVELS:
        # Numba would cut vectors of 512 bits in two: 3 to 5 % slower, with n = 10**6.
        settings = {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "-prefer-256-bit"}
        started.append(subprocess.Popen([sys.executable, __file__, level], env={**environment, **settings}))
    statuses = [process.wait() for process in started]
    if any(statuses):
        raise SystemExit("the kernels cannot be compiled")


if __name__ == "__main__":
    compile_for(sys.argv[1]) if sys.argv[1:] else main()
