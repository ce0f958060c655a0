"""``python -m fastqueens._jit.build`` compiles, on all cores, all kernels that no library has, into the user's cache.

``python -m fastqueens._jit.build TARGET FILE`` compiles all kernels for a release, and links them into a library.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import signal
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from pathlib import Path

import numba

from fastqueens._jit import library
from fastqueens._jit.cache import RUN_BY_NUMBA
from fastqueens._jit.declarations import declared, is_ready, prepare
from fastqueens._jit.functions import Function
from fastqueens._jit.objects import Target, assembled, link, linker, object_file
from fastqueens._run.progress import Display
from fastqueens._run.text import counted
from fastqueens._run.threads import all_cores
from fastqueens.kernels import all_kernels

#: Without this, LLVM cuts vectors of 512 bits in two for level v4: 3 to 8 % slower, with n = 10**6.
_WIDE = "-prefer-256-bit"

#: All versions of lld from 14 to 22 make the same file of them.
_WASM = "+bulk-memory,+sign-ext,+simd128,-mutable-globals"

#: The targets of released libraries, and for each the processor for which numba optimises.
TARGETS = {
    **{level: (Target("x86_64-unknown-linux-gnu", level, _WIDE), level) for level in library.LEVELS},
    "aarch64": (Target("aarch64-unknown-linux-gnu", "generic"), "x86-64-v2"),
    "wasm32": (Target("wasm32-unknown-unknown", "", _WASM), "x86-64-v2"),
}


def compile_all() -> None:
    """Compile, on all cores, the kernels that no library has, and store them in the user's cache."""
    missing = [number for number, kernel in enumerate(all_kernels()) if not is_ready(kernel)]
    if missing:
        if not linker():
            print(RUN_BY_NUMBA.format("there is no C compiler"))
        print(f"Compiling {counted(len(missing), 'kernel')} takes up to a minute; Ctrl-C is safe.", flush=True)
        try:
            _compile(missing)
        except KeyboardInterrupt:
            print("Interrupted. A command will compile the other kernels when it needs them.", file=sys.stderr)
            raise SystemExit(130) from None
    print(f"All {len(all_kernels())} kernels are ready.")


def _compile(numbers: Sequence[int]) -> None:
    """Compile kernels in other processes. Ctrl-C ends them."""
    cores = min(all_cores(), len(numbers), 60)  # Windows waits for 61 processes at most
    context = get_context("fork" if sys.platform == "linux" else None)  # a forked process need not import numba
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="fastqueens-"))
        display = stack.enter_context(contextlib.closing(Display()))
        pool = stack.enter_context(ProcessPoolExecutor(cores, context, initializer=_begin, initargs=(folder,)))
        futures = [pool.submit(_prepare, number) for number in numbers]
        display.open()  # after the fork, since it starts a thread
        display.report("compiling", 0, len(futures))
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                display.report("compiling", done, len(futures))
        except KeyboardInterrupt:
            for process in active_children():
                process.terminate()
            raise


def _begin(folder: str) -> None:
    """Let this process leave Ctrl-C to the main process, which may end it: another has to remove its files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
    logging.getLogger("fastqueens").setLevel(logging.ERROR)  # each process would warn


def _prepare(number: int) -> None:
    prepare(all_kernels()[number])


def build_library(name: str, path: Path) -> None:
    """Compile all kernels for a target, and link them into a library; numba optimises for the processor that is set."""
    target, _ = TARGETS[name]
    pairs = [(kernel, kinds) for kernel in all_kernels() for kinds in declared(kernel.py_func)]
    objects: Iterable[bytes] = (object_file(kernel, kinds, _possible(target, kernel)) for kernel, kinds in pairs)
    if name == "wasm32":
        objects = itertools.chain(objects, [assembled(Path(__file__).with_name("product.ll").read_text(), target)])
    with tempfile.TemporaryDirectory(prefix="fastqueens-") as folder:
        files, linked = [], Path(folder, "linked")
        for number, content in enumerate(objects):
            files.append(Path(folder, f"{number:03}.o"))
            files[-1].write_bytes(content)
        link(files, linked, target.triple)
        path.write_bytes(linked.read_bytes() + (custom_section() if name == "wasm32" else b""))
    print(f"{path.name}: {len(pairs)} functions, {path.stat().st_size / 1000:.0f} kB", flush=True)


def _possible(target: Target, kernel: Function) -> Target:
    """Return a target for which LLVM can compile a kernel: it fails at the long vectors of tree.search with SIMD."""
    is_tree = kernel.py_func.__module__ == "fastqueens.kernels.tree"
    return target._replace(features=target.features.replace("+simd128,", "")) if is_tree else target


def custom_section() -> bytes:
    """Return the end of a module for WebAssembly: its section ``kernels`` is a hash of their sources."""
    files = sorted(Path(__file__).parents[1].glob("kernels/*.py"))
    content = b"\x07kernels%08x" % zlib.crc32(b"\0".join(path.read_bytes() for path in files))
    return bytes([0, len(content)]) + content


def main() -> None:
    """Compile all kernels into the user's cache, or for a target (first argument) into a file (second argument)."""
    match sys.argv[1:]:
        case []:
            compile_all()
        case [name, path] if TARGETS[name][1] == numba.config.CPU_NAME:
            build_library(name, Path(path))
        case [name, path]:  # numba reads its settings once, when it is imported
            settings = {"NUMBA_CPU_NAME": TARGETS[name][1], "NUMBA_CPU_FEATURES": _WIDE}
            command = [sys.executable, "-m", "fastqueens._jit.build", name, path]
            raise SystemExit(subprocess.run(command, env=os.environ | settings).returncode)


if __name__ == "__main__":
    main()
