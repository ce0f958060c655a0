"""Machine code of kernels: the kinds of their arguments, loading and calling, without numba.

A kernel's machine code comes with an entry function that gets one address, of an array of words: the place of the
result, the place of an error, the address of the kernel, and the words of the arguments. The word of an array is the
address of its array object, from which the entry function reads data, shape and strides. Tuples are flattened.

On Linux on x86-64, code is copied into memory that is first writable and then, before it runs, only executable. On
other systems, LLVM does the same.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import marshal
import mmap
import struct
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

#: The kinds of arguments, see :func:`describe`.
Kinds = tuple[Any, ...]

#: What runs a kernel: gets its words (see :func:`describe`) and its arguments.
Call = Callable[[list[Any], tuple[Any, ...]], Any]

#: The name of the entry function in its object file.
ENTRY_NAME = "fastqueens_entry"

# Flags of an array that its compiled type depends on (numpy/ndarraytypes.h).
_IN_C_ORDER, _IN_FORTRAN_ORDER, _WRITEABLE = 0x1, 0x2, 0x400
_FLAGS = _IN_C_ORDER | _IN_FORTRAN_ORDER | _WRITEABLE

_NUMBERS = {int: np.int64, bool: bool} | {np.dtype(letter).type: np.dtype(letter).type for letter in "bBhHiIlLqQ"}


class _Layouts(dict[int, int]):
    """The flags of an array that matter, by all of its flags: computed once, since each call of a kernel needs them."""

    def __missing__(self, number: int) -> int:
        flags = number & _FLAGS
        # An array can be in both orders; numba then takes it as in C order.
        self[number] = flags & ~_IN_FORTRAN_ORDER if flags & _IN_C_ORDER else flags
        return self[number]


_layouts = _Layouts()


class Function:
    """A Python function to be compiled; one that ``is_inlined`` is compiled into the functions that call it."""

    is_inlined = False

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function


class Instruction:
    """A processor instruction that kernels call; :mod:`.instructions` says what it compiles to."""

    def __init__(self, name: str) -> None:
        self.__name__ = name


def describe(values: Iterable[Any], kinds: list[Any], words: list[Any]) -> None:
    """Append what the compiled types of all values depend on, and the word of each array and number."""
    for value in values:
        kind = type(value)
        if kind is np.ndarray or isinstance(value, np.ndarray):
            kinds += (value.dtype, value.ndim, _layouts[value.flags.num])
            words.append(id(value))
        elif kind in _NUMBERS:
            kinds.append(_NUMBERS[kind])
            words.append(value)
        elif isinstance(value, tuple):
            kinds += (kind, len(value))
            describe(value, kinds, words)
        else:
            raise TypeError(f"kernels take arrays, integers and tuples of them, not {value!r}")


def format_of(kinds: Kinds) -> str:
    """Return the format in which the module ``struct`` packs the words: one letter for each array and number."""
    numbers = set(_NUMBERS.values())
    words = (kind for kind in kinds if isinstance(kind, np.dtype) or (isinstance(kind, type) and kind in numbers))
    return "".join("Q" if isinstance(kind, type) and issubclass(kind, np.unsignedinteger) else "q" for kind in words)


class CompiledFunction(NamedTuple):
    """A compiled function: code that runs wherever it is copied to once it is patched, or an object file for LLVM.

    start : where in the code the function begins; None for an object file
    patches : for each word that holds an address, its place and what is there: another place, or a C function
    """

    name: str
    code: bytes
    start: int | None = None
    patches: tuple[tuple[int, int | str], ...] = ()


class MachineCode(NamedTuple):
    """A compiled kernel and its entry function.

    result : format of the result for the module ``struct``; empty for None, two or more letters for a tuple
    """

    kernel: CompiledFunction
    entry: CompiledFunction
    result: str


def packed(code: MachineCode) -> bytes:
    """Return machine code as bytes."""
    return marshal.dumps((tuple(code.kernel), tuple(code.entry), code.result))


def unpacked(content: bytes) -> MachineCode:
    """Return the machine code that :func:`packed` turned into these bytes."""
    kernel, entry, result = marshal.loads(content)
    return MachineCode(CompiledFunction(*kernel), CompiledFunction(*entry), result)


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
        if call(block):
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
    if function.start is None:
        return _linked(function.name, function.code)
    library = _own_library()
    memory = mmap.mmap(-1, len(function.code), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(function.code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for at, target in function.patches:
        if isinstance(target, str):
            place = ctypes.cast(getattr(library, target), ctypes.c_void_p).value or 0
        else:
            place = address + target
        struct.pack_into("<Q", memory, at, place)
    protection = mmap.PROT_READ | mmap.PROT_EXEC
    if library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(len(function.code)), protection):
        raise OSError(ctypes.get_errno(), "memory cannot be made executable")
    _keep(memory)
    return address + function.start


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
    """Never free what owns machine code: a daemon thread can still run it when the interpreter ends."""
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
