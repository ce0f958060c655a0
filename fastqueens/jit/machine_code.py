"""The machine code of kernels: what it is compiled for, its loading, and calls of it, without numba.

Functions are plain objects, so that a process that only loads machine code does not import numba. What a compiled type
depends on is described here, and the words that a kernel receives: each array is one word, the address of its array
object, and each number is one word. Tuples are flattened.

A kernel's machine code comes with an entry function that gets one address, that of an array of words: the place of the
result, that of an error, the address of the kernel, and the words of the arguments. It reads the address, shape and
strides of an array from the array object itself.

On Linux on x86-64, code is copied into memory that is first writable and then, before it runs, only executable. On
other systems, LLVM does the same.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import mmap
import struct
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

#: What runs a kernel: gets its words (see :func:`outline`) and its arguments.
Call = Callable[[list[Any], tuple[Any, ...]], Any]

#: The name of the entry function in its object file.
ENTRY_NAME = "fastqueens_entry"

#: What a call returns, and its entry function, if an array has other dimensions or flags than the kernel was made for.
MISFIT = object()
STATUS_MISFIT = -9


#: Flags of an array that its compiled type depends on (numpy/ndarraytypes.h).
IN_C_ORDER, IN_FORTRAN_ORDER, WRITEABLE = 0x1, 0x2, 0x400
FLAGS = IN_C_ORDER | IN_FORTRAN_ORDER | WRITEABLE

_NUMBERS = frozenset((int, bool, *(np.dtype(letter).type for letter in "bBhHiIlLqQ")))


class Function:
    """A Python function to be compiled; one that ``is_inlined`` becomes a part of the functions that call it."""

    is_inlined = False

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function


class Instruction:
    """A processor instruction that kernels and parts call; :mod:`.instructions` says what it compiles to."""

    def __init__(self, name: str) -> None:
        self.__name__ = name


def outline(values: Iterable[Any], kinds: list[Any], words: list[Any]) -> None:
    """Append the words of all values and, for each, a part of its kind that is quick to read: dtype or class."""
    for value in values:
        kind = type(value)
        if kind in _NUMBERS:
            kinds.append(kind)
            words.append(value)
        elif isinstance(value, np.ndarray):
            kinds.append(value.dtype)
            words.append(id(value))
        elif isinstance(value, tuple):
            kinds += (kind, len(value))
            outline(value, kinds, words)
        else:
            raise TypeError(f"kernels take arrays, integers and tuples of them, not {value!r}")


def describe(values: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the kind of each value: dtype, dimensions and flags of an array, the class of a number.

    The kind of a tuple is its class and its length; those of its items follow.
    """
    kinds: list[tuple[Any, ...]] = []
    for value in values:
        if isinstance(value, np.ndarray):
            kinds.append((value.dtype, value.ndim, value.flags.num & FLAGS))
        elif isinstance(value, tuple):
            kinds += [(type(value), len(value)), *describe(value)]
        else:
            if not -(2**63) <= value < 2**64 or (type(value) is int and value >= 2**63):
                raise OverflowError(f"kernels take integers of 64 bits, not {value}")
            kinds.append((type(value),))
    return kinds


def spelled(kinds: Iterable[tuple[Any, ...]]) -> str:
    """Return the kinds as text, the same in every process."""
    return " ".join(map(_spell, kinds))


def format_of(kinds: Iterable[tuple[Any, ...]]) -> str:
    """Return the format in which the module ``struct`` packs the words: one letter for each array and number."""
    words = (kind for kind in kinds if len(kind) != 2)
    return "".join("Q" if len(kind) == 1 and issubclass(kind[0], np.unsignedinteger) else "q" for kind in words)


def _spell(kind: tuple[Any, ...]) -> str:
    match kind:
        case np.dtype() as dtype, dimensions, flags:
            order = "C" if flags & IN_C_ORDER else "F" if flags & IN_FORTRAN_ORDER else "A"
            return f"{dtype.str}:{dimensions}{order}{flags & WRITEABLE:x}"
        case class_, length:
            return f"{class_.__module__}.{class_.__qualname__}({length})"
        case (class_,):
            return "int64" if class_ is int else class_.__name__
    raise TypeError(kind)


class Image(NamedTuple):
    """Code, where in it the function begins, and the patches.

    patches : for each word that holds an address, its place and what is there: another place, or a C function
    """

    code: bytes
    start: int
    patches: tuple[tuple[int, int | str], ...]


class CompiledFunction(NamedTuple):
    """A compiled function: an image that can be run after its patches, or its name and an object file for LLVM."""

    name: str
    code: Image | bytes


class MachineCode(NamedTuple):
    """A compiled kernel and its entry function.

    result : format of the result for the module ``struct``; empty for None, two or more letters for a tuple
    """

    kernel: CompiledFunction
    entry: CompiledFunction
    result: str


def packed(code: MachineCode) -> bytes:
    """Return machine code as bytes: a line of text, and the code of both functions."""
    fields, parts = [code.result or "-"], []
    for name, function in (code.kernel, code.entry):
        start, patches, content = -1, "-", function
        if isinstance(function, Image):
            content, start = function.code, function.start
            patches = ",".join(f"{at}={target}" for at, target in function.patches) or "-"
        fields += [name, str(len(content)), str(start), patches]
        parts.append(content)
    return b"".join([" ".join(fields).encode(), b"\n", *parts])


def unpacked(content: bytes) -> MachineCode:
    """Return the machine code of which :func:`packed` has made these bytes."""
    header, _, rest = content.partition(b"\n")
    result, *fields = header.decode().split(" ")
    functions = []
    for name, size, start, patches in (fields[:4], fields[4:]):
        code, rest = rest[: int(size)], rest[int(size) :]
        if int(start) < 0:
            functions.append(CompiledFunction(name, code))
            continue
        pairs = (patch.split("=") for patch in patches.split(",") if patch != "-")
        split = tuple((int(at), int(target) if target.isdecimal() else target) for at, target in pairs)
        functions.append(CompiledFunction(name, Image(code, int(start), split)))
    return MachineCode(*functions, result.strip("-"))


def loaded(code: MachineCode, argument_format: str) -> Call:
    """Return a function that calls the machine code."""
    kernel, entry = _address(code.kernel), _address(code.entry)
    call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(entry)
    before = result_words(code.result) + 1
    words_class = ctypes.c_int64 * (before + 1 + len(argument_format))
    pack = struct.Struct(f"q{argument_format}").pack_into
    unpack = struct.Struct(code.result).unpack_from
    is_one = len(code.result) == 1

    def run(words: list[Any], arguments: tuple[Any, ...]) -> Any:
        block = words_class()
        pack(block, 8 * before, kernel, *words)
        status = call(block)
        if status == STATUS_MISFIT:
            return MISFIT
        if status:
            raise _error(block[before - 1])
        results = unpack(block)
        return results[0] if is_one else results or None

    return run


def result_words(result: str) -> int:
    """Return how many words a result takes up; numba writes to one even for None."""
    return max(1, -(-struct.calcsize(result) // 8))


def _error(address: int) -> Exception:
    """Return the exception that a kernel raised; numba leaves the address and the size of a pickled description."""
    import pickle

    data, size = struct.unpack("qi", ctypes.string_at(address, 12))
    kind, message, *_ = pickle.loads(ctypes.string_at(data, size))
    return kind(*(message or ()))


def _address(function: CompiledFunction) -> int:
    """Load a function and return its address."""
    if isinstance(function.code, Image):
        return _copied(*function.code)
    return _linked(function.name, function.code)


def _copied(code: bytes, start: int, patches: tuple[tuple[int, int | str], ...]) -> int:
    """Copy an image into memory, patch it and make it executable."""
    library = _own_library()
    memory = mmap.mmap(-1, len(code), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for at, target in patches:
        if isinstance(target, str):
            function = ctypes.cast(getattr(library, target), ctypes.c_void_p).value or 0
            struct.pack_into("<Q", memory, at, function)
        else:
            struct.pack_into("<Q", memory, at, address + target)
    protection = mmap.PROT_READ | mmap.PROT_EXEC
    if library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(len(code)), protection):
        raise OSError(ctypes.get_errno(), "memory cannot be made executable")
    _keep(memory)
    return address + start


@functools.cache
def _own_library() -> ctypes.CDLL:
    """Return the functions that this process has loaded."""
    return ctypes.CDLL(None, use_errno=True)


def _linked(name: str, object_file: bytes) -> int:
    """Let LLVM load a function."""
    from llvmlite import binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(object_file))
    engine.finalize_object()
    _keep(engine)
    return engine.get_function_address(name)


def _keep(owner: Any) -> None:
    """Never free what owns machine code: a daemon thread may still run it when the interpreter ends."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(owner))


def processor() -> str:
    """Return what machine code depends on: the model and the features of the processor."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
        lines = dict(line.partition(":")[::2] for line in itertools.takewhile(str.strip, file))
        facts = {name.strip(): value.strip() for name, value in lines.items()}
        if "flags" in facts:
            return " ".join(facts.get(name, "") for name in ("vendor_id", "cpu family", "model", "stepping", "flags"))
    from llvmlite import binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
