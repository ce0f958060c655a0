"""Object files of kernels for any processor, and their linking into shared libraries.

Numba compiles a kernel to LLVM's code and shows it (``inspect_llvm``). Here it gets an entry, as :mod:`.library`
describes, and LLVM's code generator makes an object file.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numba
from llvmlite import binding as llvm
from numba import types

from fastqueens._jit import library, numba_back_end
from fastqueens._jit.functions import Function
from fastqueens._jit.types import Kinds

# Three undocumented options of numba. Compiled code is called from other compiled code, so Python need not be able to
# call it: half the time of compiling. Without reference counts, kernels take half the time.
_OPTIONS = {"nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_dispatchers = numba_back_end.Dispatchers(_OPTIONS, _OPTIONS | {"forceinline": True})

#: What numba's functions return instead of 0 for None.
_STATUS_NONE = -2


class NotCompiledError(Exception):
    """A kernel cannot be compiled or linked here."""


class Target(NamedTuple):
    """A processor and a system for which code is made, as LLVM names them."""

    triple: str
    cpu: str = ""
    features: str = ""


def here() -> Target:
    """Return this processor and system."""
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


# Object files


def object_file(kernel: Function, kinds: Kinds, target: Target) -> bytes:
    """Compile a kernel for arguments of these kinds, with an entry as :mod:`.library` describes it.

    Numba optimises for this processor, or for the one that NUMBA_CPU_NAME names when the process starts.
    """
    typed = tuple(numba.typeof(argument) for argument in numba_back_end.example(kinds))
    dispatcher = _dispatchers.of(kernel)
    with _without_collector(), _dispatchers.in_use():
        dispatcher.compile(typed)
    result = _letters(next(one.return_type for one in dispatcher.nopython_signatures if one.args == typed))
    if len(result) > library.RESULTS:
        raise NotCompiledError(f"kernels return at most {library.RESULTS} numbers, not {len(result)}")
    machine = _machine(target)
    text = _for_target(dispatcher.inspect_llvm(typed), target.triple, str(machine.target_data))
    native = next(one for one in llvm.parse_assembly(text).functions if _is_exported(one))
    name = library.symbol(kernel, kinds)
    module = llvm.parse_assembly(text + _entry(name, native, typed, result))
    for one in itertools.chain(module.functions, module.global_variables):
        if one.name in (name, name + library.RESULT):
            if "windows" in target.triple:  # elsewhere, libraries export all names that are not internal
                one.storage_class = llvm.StorageClass.dllexport
        elif not one.is_declaration:
            one.linkage = llvm.Linkage.internal  # two kernels can contain the same function
    return bytes(machine.emit_object(module))


def assembled(code: str, target: Target) -> bytes:
    """Return the object file of LLVM's code without triple and data layout."""
    machine = _machine(target)
    return bytes(machine.emit_object(llvm.parse_assembly(_for_target(code, target.triple, str(machine.target_data)))))


@functools.cache
def _machine(target: Target) -> Any:
    """Return LLVM's code generator for a target."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=3,
        reloc="static" if target.triple.startswith("wasm") else "pic",
        codemodel="small",
    )


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Switch the garbage collector off: it takes a tenth of the time of compiling, and finds hardly anything."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _for_target(text: str, triple: str, layout: str) -> str:
    """Return LLVM's code with another triple and data layout, and without the names of numba's processor."""
    text = re.sub(r"^(target (triple|datalayout)|source_filename) = .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    return f'target triple = "{triple}"\ntarget datalayout = "{layout}"\n{text}'


def _is_exported(function: Any) -> bool:
    return not function.is_declaration and function.linkage == llvm.Linkage.external


def _letters(result: types.Type) -> str:
    """Return the numbers of a result as letters of the module ``struct``."""
    if isinstance(result, types.NoneType):
        return ""
    if isinstance(result, types.BaseTuple) and len(result) > 1:
        return "".join(_letters(item) for item in result)
    letters = {types.int64: "q", types.uint64: "Q", types.boolean: "?"}
    if types.unliteral(result) not in letters:
        raise NotCompiledError(f"kernels return None, or one or several 64-bit integers and truth values, not {result}")
    return letters[types.unliteral(result)]


class _Code:
    """LLVM's code of a function, line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, instruction: str) -> str:
        """Append an instruction, and return the name of its value."""
        self.lines.append(f"%v{len(self.lines)} = {instruction}")
        return f"%v{len(self.lines) - 1}"

    def word(self, number: int) -> str:
        """Return the address of a word."""
        return self.add(f"getelementptr i64, ptr %words, i32 {number}")


def _entry(name: str, native: Any, kinds: Sequence[types.Type], result: str) -> str:
    """Return LLVM's code of the function that reads the words, calls a kernel, and writes the words of its result.

    Numba's functions take an address for the result, another for an error, and flat arguments: one for each number, and
    for each array two owners (none), the number of items, the bytes of an item, the address of the data, lengths and
    strides.
    """
    code = _Code()
    items = ["i8" if letter == "?" else "i64" for letter in result]
    returned = f"{{ {', '.join(items or ['i64'])} }}"
    values = [code.add(f"alloca {returned}"), code.add("alloca ptr")]
    numbers = itertools.count(library.RESULTS)

    def argument() -> str:
        return code.add(f"load i64, ptr {code.word(next(numbers))}")

    for kind in _flattened(kinds):
        first = argument()
        if not isinstance(kind, types.Array):
            values.append(first)
            continue
        lengths = [argument() for _ in range(kind.ndim)]
        size, count, strides = kind.dtype.bitwidth // 8, "1", list[str]()
        for length in reversed(lengths):
            strides.insert(0, code.add(f"mul i64 {count}, {size}"))
            count = code.add(f"mul i64 {count}, {length}")
        values += ["0", "0", count, str(size), first, *lengths, *strides]
    arguments = []
    for number, (value, parameter) in enumerate(zip(values, native.arguments, strict=True)):
        needed = str(parameter.type)
        if number > 1 and needed != "i64":
            value = code.add(f"{'inttoptr' if needed == 'ptr' else 'trunc'} i64 {value} to {needed}")
        arguments.append(f"{needed} {value}")
    status = code.add(f'call i32 @"{native.name}"({", ".join(arguments)})')
    for number, item in enumerate(items):
        found = code.add(f"load {item}, ptr {code.add(f'getelementptr {returned}, ptr %v0, i32 0, i32 {number}')}")
        if item != "i64":
            found = code.add(f"zext {item} {found} to i64")
        code.lines.append(f"store i64 {found}, ptr {code.word(number)}")
    is_none = code.add(f"icmp eq i32 {status}, {_STATUS_NONE}")
    code.lines.append(f"ret i32 {code.add(f'select i1 {is_none}, i32 0, i32 {status}')}")
    body = "\n".join(code.lines)
    text = f'@"{name}{library.RESULT}" = constant [{len(result) + 1} x i8] c"{result}\\00"'
    return f'\n{text}\ndefine i32 @"{name}"(ptr %words) {{\n{body}\n}}\n'


def _flattened(kinds: Iterable[types.Type]) -> Iterator[types.Type]:
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            yield from _flattened(kind)
        else:
            yield kind


# Linking


#: The flavor of lld and its options, by a part of the triple. What it writes depends on no time and on no folder.
_LLD = {
    "linux": "gnu -shared",
    "windows": "link /dll /noentry /nodefaultlib /brepro",
    # With a signature that consists of hashes only (ad hoc): Macs with ARM load no library without one.
    "macosx11.0": "darwin -dylib -arch arm64 -platform_version macos 11.0 11.0 -install_name @rpath/kernels.dylib",
    # A stack that overflows then leaves the memory, which stops the program. Arrays are placed behind __heap_base.
    "wasm32": "wasm --no-entry --export-dynamic --gc-sections --strip-all -O2 --stack-first --export=__heap_base",
}


@functools.cache
def linker(triple: str | None = None) -> tuple[str, ...]:
    """Return the command that links for a target, by default for this system; an empty tuple if there is none."""
    command: tuple[str, ...]
    if triple is not None:
        command = ("lld", "-flavor", *next(options for part, options in _LLD.items() if part in triple).split())
    else:
        # On macOS without developer tools, cc is a stub that opens a dialog.
        if sys.platform == "darwin" and subprocess.run(["xcode-select", "-p"], capture_output=True).returncode:
            return ()
        of_system = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-Wl,--build-id=none"]
        command = (*shlex.split(os.environ.get("CC") or "cc"), "-shared", "-nostdlib", *of_system)
    return command if shutil.which(command[0]) else ()


def link(files: Sequence[Path], path: Path, triple: str | None = None) -> None:
    """Link object files for a target, by default for this system, into a shared library."""
    output = [f"/out:{path}"] if "windows" in (triple or "") else ["-o", str(path)]
    command = [*linker(triple), *output, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        reason = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise NotCompiledError(f"{command[0]} cannot link: {reason}")
