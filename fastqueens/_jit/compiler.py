"""Compilation with numba. It is imported only if a kernel must be compiled, or if numba itself runs the kernels."""

from __future__ import annotations

import contextlib
import functools
import gc
import struct
from collections import namedtuple
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import types
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

from fastqueens._jit import group_instructions, instructions, machine_code, store
from fastqueens._jit.machine_code import CompiledFunction, Function, Instruction

_OPTIONS = {"_nrt": False} | ({"boundscheck": True} if store.IS_CHECKED else {})

_INSTRUCTIONS = {**vars(instructions), **vars(group_instructions)}


def check_enabled() -> None:
    """Raise ImportError if compilation is switched off: then numba lacks functions that kernels need."""
    if numba.config.DISABLE_JIT:
        raise ImportError(
            "NUMBA_DISABLE_JIT is set, and nothing runs without compiled code; unset NUMBA_DISABLE_JIT",
            name="NUMBA_DISABLE_JIT",
        )


@functools.cache
def numba_function(function: Function | Instruction) -> Any:
    """Return numba's object for a function, to be called from other compiled code."""
    if isinstance(function, Instruction):
        return _INSTRUCTIONS[function.__name__]
    how = {"forceinline": True} if function.is_inlined else {"nogil": True}
    # Compiled code is called from other compiled code, so Python need not be able to call it: half the time.
    return numba.njit(**how, **_OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function.py_func)


def python_function(function: Function, arguments: Sequence[Any]) -> Any:
    """Return numba's object for a kernel, compiled for arguments of these types, to be called from Python.

    Numba stores and loads the code. If a stored file is damaged, or nothing can be stored, the code is not stored.
    """
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    before, folder = numba.config.CACHE_DIR, _folder_of_numba()
    if folder is not None:
        try:
            numba.config.CACHE_DIR = str(folder)
            with contextlib.suppress(Exception):
                dispatcher = numba.njit(nogil=True, cache=True, **_OPTIONS)(function.py_func)
                dispatcher.compile(kinds)
                return dispatcher
        finally:
            numba.config.CACHE_DIR = before
    dispatcher = numba.njit(nogil=True, **_OPTIONS)(function.py_func)
    dispatcher.compile(kinds)
    return dispatcher


def has_stored(function: Function) -> bool:
    """Return whether numba has stored code of a kernel in an earlier process."""
    folder = _folder_of_numba()
    return folder is not None and any(folder.rglob(f"*.{function.__name__}-*.nbi"))


def _folder_of_numba() -> Path | None:
    """Return where numba stores the code of these sources; it does not notice all edits (numba issue 1833)."""
    folder = store.folder()
    return folder and folder / f"numba-{store.stamp()}{'-checked' if store.IS_CHECKED else ''}"


@typeof_impl.register(Function)
@typeof_impl.register(Instruction)
def _type_of(value: Function | Instruction, context: Any) -> Any:
    """Tell numba what our objects are where a function mentions them."""
    return cpu_target.typing_context.resolve_value_type(numba_function(value))


def compiled_kernel(kernel: Function, arguments: Sequence[Any]) -> machine_code.MachineCode:
    """Compile a kernel for arguments of these types."""
    dispatcher = numba_function(kernel)
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    was_enabled = gc.isenabled()
    gc.disable()  # the collector takes a tenth of the time of compiling, and finds hardly anything
    try:
        dispatcher.compile(kinds)
    finally:
        if was_enabled:
            gc.enable()
    compiled = dispatcher.overloads[kinds]
    result = compiled.signature.return_type
    native = dispatcher.targetctx.call_conv.get_function_type(result, kinds)
    form = _format(result)
    # The object file that numba would store itself, without what it adds for its own loader.
    kernel_code = linked(compiled.fndesc.llvm_func_name, compiled.library._get_compiled_object())
    entry_code = linked(machine_code.ENTRY_NAME, _entry(native, kinds, machine_code.result_words(form)))
    return machine_code.MachineCode(kernel_code, entry_code, form)


def _format(result: types.Type) -> str:
    """Return the format of a result for the module ``struct``."""
    if isinstance(result, types.NoneType):
        return ""
    if isinstance(result, types.BaseTuple):
        if len(result) < 2 or any(isinstance(item, types.BaseTuple) for item in result):
            raise TypeError(f"kernels return None, an integer, or a tuple of at least two integers, not {result}")
        return "".join(map(_format, result))
    if isinstance(result, types.Boolean):
        return "?"
    result = types.unliteral(result)
    letters = {types.int64: "q", types.uint64: "Q", types.int32: "i", types.uint32: "I"}
    return letters[result]


_I32, _I64 = ir.IntType(32), ir.IntType(64)
#: Where an array object has the addresses of data, shape and strides (numpy/ndarraytypes.h).
_DATA, _SHAPE, _STRIDES = 16, 32, 40
#: What numba's functions return instead of 0 for None.
_STATUS_NONE = -2


def _entry(native: ir.FunctionType, kinds: Sequence[types.Type], results: int) -> bytes:
    """Return an object file with the function that :mod:`.machine_code` calls.

    Numba's functions take a place for the result, one for an error, and flat arguments: five for each array and two
    more for each of its dimensions, one for each number.
    """
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(_I32, [_I64.as_pointer()]), machine_code.ENTRY_NAME)
    builder = ir.IRBuilder(function.append_basic_block())

    def place(index: int) -> Any:
        return builder.gep(function.args[0], [ir.Constant(_I64, index)])

    flat: list[Any] = []
    for index, kind in enumerate(_flattened(kinds)):
        word = builder.load(place(results + 2 + index))
        flat += _array_words(builder, word, kind) if isinstance(kind, types.Array) else [word]
    address = builder.inttoptr(builder.load(place(results + 1)), native.as_pointer())
    values = [builder.ptrtoint(function.args[0], _I64), builder.ptrtoint(place(results), _I64), *flat]
    status = builder.call(address, [_cast(builder, *pair) for pair in zip(values, native.args, strict=True)])
    is_none = builder.icmp_signed("==", status, ir.Constant(_I32, _STATUS_NONE))
    builder.ret(builder.select(is_none, ir.Constant(_I32, 0), status))

    machine = llvm.Target.from_default_triple().create_target_machine(opt=2, reloc="pic")
    return machine.emit_object(llvm.parse_assembly(str(module)))


def _flattened(kinds: Sequence[types.Type]) -> Iterator[types.Type]:
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            yield from _flattened(tuple(kind))
        else:
            yield kind


def _read(builder: ir.IRBuilder, address: Any, offset: int) -> Any:
    place = builder.add(address, ir.Constant(_I64, offset))
    return builder.load(builder.inttoptr(place, _I64.as_pointer()))


def _array_words(builder: ir.IRBuilder, array: Any, kind: types.Array) -> list[Any]:
    """Read from an array object what numba wants: two owners (none), items, bytes of an item, data, shape, strides."""
    data, shape, strides = (_read(builder, array, offset) for offset in (_DATA, _SHAPE, _STRIDES))
    lengths = [_read(builder, shape, 8 * axis) for axis in range(kind.ndim)]
    steps = [_read(builder, strides, 8 * axis) for axis in range(kind.ndim)]
    items = ir.Constant(_I64, 1)
    for length in lengths:
        items = builder.mul(items, length)
    none, size = ir.Constant(_I64, 0), ir.Constant(_I64, kind.dtype.bitwidth // 8)
    return [none, none, items, size, data, *lengths, *steps]


def _cast(builder: ir.IRBuilder, word: Any, kind: Any) -> Any:
    if isinstance(kind, ir.PointerType):
        return builder.inttoptr(word, kind)
    return word if kind == _I64 else builder.trunc(word, kind)


# Linking object files for Linux on x86-64 (man 5 elf), so that loading them does not need LLVM

#: Functions of the C library that a kernel can call.
C_FUNCTIONS = ("memset", "memcpy", "memmove")

_X86_64 = 62
_WRITEABLE, _IN_MEMORY = 1, 2
# Sections about unwinding describe stack frames, which only exceptions of C++ need.
_SYMBOLS, _RELOCATIONS, _NO_CONTENT, _UNWINDING = 2, 4, 8, 0x70000001
_ADDRESS, _DISTANCE, _DISTANCE_OF_CALL = 1, 2, 4


_Section = namedtuple("_Section", "name kind flags address start size link info alignment entry_size")
_Symbol = namedtuple("_Symbol", "name section value")


def linked(name: str, object_file: bytes) -> CompiledFunction:
    """Return the function of this name in an object file, linked if its format is ELF for x86-64.

    Code can be linked if it consists of instructions and constants that refer to each other, and calls only functions
    of the C library that clear or copy arrays. LLVM links all other object files when they are loaded.
    """
    unlinked = CompiledFunction(name, object_file)
    if object_file[:6] != b"\x7fELF\2\1" or struct.unpack_from("<H", object_file, 18)[0] != _X86_64:
        return unlinked
    sections = _sections(object_file)
    code, places = bytearray(), {}
    for index, section in enumerate(sections):
        if section.flags & _IN_MEMORY and section.size and section.kind != _UNWINDING:
            if section.flags & _WRITEABLE or section.kind == _NO_CONTENT:
                return unlinked
            code += bytes(-len(code) % section.alignment)
            places[index] = len(code)
            code += _content(object_file, section)
    symbols = list(_symbols(object_file, sections))
    patches: list[tuple[int, int | str]] = []
    for section in sections:
        if section.kind == _RELOCATIONS and section.info in places:
            for offset, info, addend in struct.iter_unpack("<QQq", _content(object_file, section)):
                symbol, kind, at = symbols[info >> 32], info & 0xFFFFFFFF, places[section.info] + offset
                if symbol.section in places:
                    target = places[symbol.section] + symbol.value + addend
                    if kind == _ADDRESS:
                        patches.append((at, target))
                        continue
                    if kind in (_DISTANCE, _DISTANCE_OF_CALL):
                        struct.pack_into("<i", code, at, target - at)
                        continue
                if kind != _ADDRESS or symbol.name not in C_FUNCTIONS or addend:
                    return unlinked
                patches.append((at, symbol.name))
    starts = [places[symbol.section] + symbol.value for symbol in symbols if symbol.name == name]
    return CompiledFunction(name, bytes(code), starts[0], tuple(patches))


def _sections(object_file: bytes) -> list[_Section]:
    (table,) = struct.unpack_from("<Q", object_file, 40)
    size, count = struct.unpack_from("<2H", object_file, 58)
    return [_Section(*struct.unpack_from("<2I4Q2I2Q", object_file, table + size * index)) for index in range(count)]


def _content(object_file: bytes, section: _Section) -> bytes:
    return object_file[section.start : section.start + section.size]


def _symbols(object_file: bytes, sections: list[_Section]) -> Iterator[_Symbol]:
    for section in sections:
        if section.kind == _SYMBOLS:
            names = _content(object_file, sections[section.link])
            for name, _, _, index, value, _ in struct.iter_unpack("<I2BH2Q", _content(object_file, section)):
                yield _Symbol(names[name : names.index(b"\0", name)].decode(), index, value)
