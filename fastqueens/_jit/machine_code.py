"""Machine code of kernels: the kinds of their arguments, loading and calling, without numba.

A kernel's machine code begins with an entry function that gets one address, of an array of words: the place of the
result, the place of an error, and the words of the arguments. The word of an array is the address of its array object,
from which the entry function reads data and shape. Tuples are flattened.

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

from fastqueens._jit.types import Kinds

#: What runs a kernel: gets its words (see :func:`describe`) and its arguments.
Call = Callable[[list[Any], tuple[Any, ...]], Any]

#: The name of the entry function in its object file, and what it returns if an array is not in C order.
ENTRY_NAME, NOT_IN_C_ORDER = "fastqueens_entry", 1000

_NUMBERS = {int: np.int64, bool: bool} | {np.dtype(letter).type: np.dtype(letter).type for letter in "bBhHiIlLqQ"}


def describe(values: Iterable[Any], kinds: list[Any], words: list[Any]) -> None:
    """Append the kinds of all values (see :mod:`.types`), and the word of each array and number."""
    for value in values:
        kind = type(value)
        if kind is np.ndarray or isinstance(value, np.ndarray):
            kinds += (value.dtype, value.ndim)
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


class MachineCode(NamedTuple):
    """A compiled kernel with its entry function.

    code : machine code that runs wherever it is copied to once it is patched; or object files, which LLVM loads
    start : where in the code the entry function begins; None for object files
    patches : for each word that holds an address, its place and its target: another place, or a C function
    result : format of the result for the module ``struct``; empty for None, two or more letters for a tuple
    """

    code: bytes | tuple[bytes, ...]
    start: int | None
    patches: tuple[tuple[int, int | str], ...]
    result: str


def packed(code: MachineCode) -> bytes:
    """Return machine code as bytes."""
    return marshal.dumps(tuple(code), 4)  # every version of Python reads format 4


def loaded(content: bytes, argument_format: str) -> Call:
    """Return a function that calls the machine code that :func:`packed` turned into these bytes."""
    code = MachineCode(*marshal.loads(content))
    call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(_address(code))
    before = result_words(code.result) + 1
    words_class = ctypes.c_int64 * (before + len(argument_format))
    pack = struct.Struct(argument_format).pack_into
    unpack = struct.Struct(code.result).unpack_from
    is_one = len(code.result) == 1

    def run(words: list[Any], arguments: tuple[Any, ...]) -> Any:
        block = words_class()
        pack(block, 8 * before, *words)
        status = call(block)
        if status:
            raise TypeError("an array is not in C order") if status == NOT_IN_C_ORDER else _error(block[before - 1])
        results = unpack(block)
        return results[0] if is_one else results or None

    return run


def result_words(result: str) -> int:
    """Return the number of words of a result. Numba writes one word even for None."""
    return max(1, -(-struct.calcsize(result) // 8))


def _error(address: int) -> Exception:
    """Return the exception that a kernel raised; numba leaves the address and the size of a pickled description."""
    import pickle

    data, size = struct.unpack("qi", ctypes.string_at(address, 12))
    kind, message, *_ = pickle.loads(ctypes.string_at(data, size))
    return kind(*(message or ()))


def _address(code: MachineCode) -> int:
    """Load machine code and return the address of the entry function."""
    if code.start is None:
        return _linked(code.code)
    library = _own_library()
    memory = mmap.mmap(-1, len(code.code), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(code.code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for at, target in code.patches:
        if isinstance(target, str):
            place = ctypes.cast(getattr(library, target), ctypes.c_void_p).value or 0
        else:
            place = address + target
        struct.pack_into("<Q", memory, at, place)
    protection = mmap.PROT_READ | mmap.PROT_EXEC
    if library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(len(code.code)), protection):
        raise OSError(ctypes.get_errno(), "memory cannot be made executable")
    _keep(memory)
    return address + code.start


@functools.cache
def _own_library() -> ctypes.CDLL:
    """Return the functions that this process has loaded."""
    return ctypes.CDLL(None, use_errno=True)


def _linked(object_files: Iterable[bytes]) -> int:
    """Let LLVM load object files."""
    from llvmlite import binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    for object_file in object_files:
        engine.add_object_file(llvm.ObjectFileRef.from_data(object_file))
    engine.finalize_object()
    _keep(engine)
    return engine.get_function_address(ENTRY_NAME)


def _keep(owner: Any) -> None:
    """Keep the owner of machine code forever: a daemon thread can still run the code when the interpreter ends."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(owner))


@functools.cache
def _facts() -> dict[str, str]:
    """Return the facts that Linux reports about the first processor; an empty dict on other systems."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
        lines = (line.partition(":")[::2] for line in itertools.takewhile(str.strip, file))
        return {name.strip(): value.strip() for name, value in lines}
    return {}


def processor_flags() -> frozenset[str]:
    """Return the instruction sets of the processor, as Linux spells them."""
    return frozenset(_facts().get("flags", "").split())


def processor() -> str:
    """Return the model and the features of the processor, on which machine code depends."""
    if "flags" in _facts():
        return " ".join(_facts().get(name, "") for name in ("vendor_id", "cpu family", "model", "stepping", "flags"))
    from llvmlite import binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
