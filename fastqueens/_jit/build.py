"""``python -m fastqueens._jit.build`` compiles, on all cores, all kernels that no library has, into the user's cache.

``python -m fastqueens._jit.build TARGET FILE ...`` compiles all kernels for a release, and links a library per target.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
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

_HERE = Path(__file__).parent

#: Without this, LLVM cuts vectors of 512 bits in two for level v4: 3 to 8 % slower, with n = 10**6.
_WIDE = "-prefer-256-bit"

#: All versions of lld from 14 to 22 make the same file of them.
_WASM = "+bulk-memory,+sign-ext,+simd128,-mutable-globals"

#: The targets of released libraries, and for each the processor for which numba optimises. A library is named
#: ``kernels-LEVEL-STAMP``, with a level of :func:`.library.levels_here`; its target is named system and level.
TARGETS = {
    **{f"linux-{level}": (Target("x86_64-unknown-linux-gnu", level, _WIDE), level) for level in library.LEVELS},
    "linux-aarch64": (Target("aarch64-unknown-linux-gnu", "generic"), "x86-64-v2"),
    **{f"windows-{level}": (Target("x86_64-pc-windows-msvc", level), level) for level in library.WINDOWS_LEVELS},
    "macos-aarch64": (Target("arm64-apple-macosx11.0", "apple-m1"), "x86-64-v2"),
    "wasm32": (Target("wasm32-unknown-unknown", "", _WASM), "x86-64-v2"),
}

#: What is linked with the kernels, by the system of a target: functions that they call, or a list of those in the
#: system's library.
_ADDED = {"windows": "memset.ll", "macos": "libSystem.tbd", "wasm32": "product.ll"}


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


def build_libraries(paths: Mapping[str, Path]) -> None:
    """Compile all kernels for targets, and link a library for each; numba optimises for the processor that is set."""
    pairs = [(kernel, kinds) for kernel in all_kernels() for kinds in declared(kernel.py_func)]
    with tempfile.TemporaryDirectory(prefix="fastqueens-") as folder:
        for number, (kernel, kinds) in enumerate(pairs):
            for name in paths:  # numba compiles once, which takes much longer than LLVM for a target
                content = object_file(kernel, kinds, _possible(TARGETS[name][0], kernel))
                Path(folder, f"{name}-{number:03}.o").write_bytes(content)
        for name, path in paths.items():
            files, linked = sorted(Path(folder).glob(f"{name}-*.o")), Path(folder, "linked")
            link([*files, *_added(name, Path(folder))], linked, TARGETS[name][0].triple)
            path.write_bytes(linked.read_bytes() + (custom_section() if name == "wasm32" else b""))
            print(f"{path.name} for {name}: {len(pairs)} functions, {path.stat().st_size / 1000:.0f} kB", flush=True)


def _added(name: str, folder: Path) -> Iterator[Path]:
    """Yield the file that is linked with the kernels for a target, if there is one."""
    for path in (_HERE / file for system, file in _ADDED.items() if name.startswith(system)):
        if path.suffix == ".ll":
            compiled = folder / "added.o"
            compiled.write_bytes(assembled(path.read_text(), TARGETS[name][0]))
            yield compiled
        else:
            yield path


def _possible(target: Target, kernel: Function) -> Target:
    """Return a target for which LLVM can compile a kernel: it fails at the long vectors of tree.search with SIMD."""
    is_tree = kernel.py_func.__module__ == "fastqueens.kernels.tree"
    return target._replace(features=target.features.replace("+simd128,", "")) if is_tree else target


def custom_section() -> bytes:
    """Return the end of a module for WebAssembly: its section ``kernels`` is a hash of their sources."""
    files = sorted(_HERE.parent.glob("kernels/*.py"))
    content = b"\x07kernels%08x" % zlib.crc32(b"\0".join(path.read_bytes() for path in files))
    return bytes([0, len(content)]) + content


def main() -> None:
    """Compile all kernels into the user's cache, or for targets into files (arguments: a target and a file in turn)."""
    paths = {name: Path(path) for name, path in zip(sys.argv[1::2], sys.argv[2::2], strict=True)}
    processors = sorted({TARGETS[name][1] for name in paths})
    if not paths:
        compile_all()
    elif not all(linker(TARGETS[name][0].triple) for name in paths):
        raise SystemExit("lld is needed to link kernels for a release: apt-get install lld")
    elif processors == [numba.config.CPU_NAME]:
        build_libraries(paths)
    else:  # numba reads its settings once, when it is imported
        processes = [_for_processor(processor, paths) for processor in processors]
        codes = [process.wait() for process in processes]
        raise SystemExit(1 if any(codes) else 0)


def _for_processor(processor: str, paths: Mapping[str, Path]) -> subprocess.Popen[bytes]:
    """Start a process that builds the libraries for which numba optimises for this processor."""
    settings = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": _WIDE}
    arguments = [str(one) for pair in paths.items() if TARGETS[pair[0]][1] == processor for one in pair]
    return subprocess.Popen([sys.executable, "-m", "fastqueens._jit.build", *arguments], env=os.environ | settings)


if __name__ == "__main__":
    main()
