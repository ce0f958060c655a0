"""Compilation with numba. It is imported only if a kernel must be compiled, or if numba itself runs the kernels."""

from __future__ import annotations

import gc
import struct
from collections import namedtuple
from collections.abc import Iterator, Sequence
from typing import Any

import numba
from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import types

from fastqueens._jit import machine_code, numba_back_end
from fastqueens._jit.functions import Function
from fastqueens._jit.types import Kinds, example

# Compiled code is called from other compiled code, so Python need not be able to call it: half the time.
_OPTIONS = numba_back_end.DOCUMENTED | {"_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
dispatchers = numba_back_end.Dispatchers(_OPTIONS, _OPTIONS | {"forceinline": True})


def compiled_kernel(kernel: Function, kinds: Kinds) -> machine_code.MachineCode:
    """Compile a kernel for arguments of these kinds."""
    dispatcher = dispatchers.of(kernel)
    typed = tuple(numba.typeof(argument) for argument in example(kinds))
    was_enabled = gc.isenabled()
    gc.disable()  # the collector takes a tenth of the time of compiling, and finds hardly anything
    try:
        with dispatchers.in_use():
            dispatcher.compile(typed)
    finally:
        if was_enabled:
            gc.enable()
    compiled = dispatcher.overloads[typed]
    result = compiled.signature.return_type
    native = dispatcher.targetctx.call_conv.get_function_type(result, typed)
    form = _format(result)
    name = compiled.fndesc.llvm_func_name
    # The object file that numba would store itself, without what it adds for its own loader.
    return linked([_entry(name, native, typed, form), compiled.library._get_compiled_object()], form)


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
#: Where an array object has the addresses of data and shape, and its flags (numpy/ndarraytypes.h).
_DATA, _SHAPE, _FLAGS, _IN_C_ORDER = 16, 32, 64, 1
#: What numba's functions return instead of 0 for None.
_STATUS_NONE = -2


def _entry(name: str, native: ir.FunctionType, kinds: Sequence[types.Type], result: str) -> bytes:
    """Return an object file with the function that :mod:`.machine_code` calls, which calls a kernel of this name.

    Numba's functions take an address for the result, another for an error, and flat arguments: one for each number, and
    for each array five, plus two for each of its dimensions.
    """
    module = ir.Module()
    kernel = ir.Function(module, native, name)
    function = ir.Function(module, ir.FunctionType(_I32, [_I64]), machine_code.ENTRY_NAME)
    builder = ir.IRBuilder(function.append_basic_block())
    (block,) = function.args
    before = machine_code.result_words(result)
    values = [block, builder.add(block, _number(8 * before))]
    flags = _number(_IN_C_ORDER)
    for index, kind in enumerate(_flattened(kinds), before + 1):
        word = _read(builder, block, 8 * index)
        if isinstance(kind, types.Array):
            flags = builder.and_(flags, _read(builder, word, _FLAGS))
            values += _array_words(builder, word, kind)
        else:
            values.append(word)
    with builder.if_then(builder.icmp_unsigned("==", flags, _number(0)), likely=False):
        builder.ret(ir.Constant(_I32, machine_code.NOT_IN_C_ORDER))
    status = builder.call(kernel, [_cast(builder, *pair) for pair in zip(values, native.args, strict=True)])
    is_none = builder.icmp_signed("==", status, ir.Constant(_I32, _STATUS_NONE))
    builder.ret(builder.select(is_none, ir.Constant(_I32, 0), status))

    machine = llvm.Target.from_default_triple().create_target_machine(opt=2, reloc="pic", codemodel="small")
    return machine.emit_object(llvm.parse_assembly(str(module)))


def _flattened(kinds: Sequence[types.Type]) -> Iterator[types.Type]:
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            yield from _flattened(tuple(kind))
        else:
            yield kind


def _number(value: int) -> ir.Constant:
    return ir.Constant(_I64, value)


def _read(builder: ir.IRBuilder, address: Any, offset: int) -> Any:
    """Return the word at an address."""
    place = builder.inttoptr(builder.add(address, _number(offset)), _I64.as_pointer())
    return builder.load(place, typ=_I64)


def _array_words(builder: ir.IRBuilder, array: Any, kind: types.Array) -> list[Any]:
    """Read an array object as numba's words: two owners (none), items, bytes of an item, data, shape, strides."""
    data, shape = _read(builder, array, _DATA), _read(builder, array, _SHAPE)
    lengths = [_read(builder, shape, 8 * axis) for axis in range(kind.ndim)]
    size, items, steps = _number(kind.dtype.bitwidth // 8), _number(1), []
    for length in reversed(lengths):
        steps.insert(0, builder.mul(items, size))
        items = builder.mul(items, length)
    return [_number(0), _number(0), items, size, data, *lengths, *steps]


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


def linked(object_files: Sequence[bytes], result: str) -> machine_code.MachineCode:
    """Return the code in object files, the entry function first, linked if their format is ELF for x86-64.

    Code can be linked if it consists of instructions and constants that refer to each other, and calls only functions
    of the C library that clear or copy arrays. LLVM links all other object files when they are loaded.
    """
    unlinked = machine_code.MachineCode(tuple(object_files), None, (), result)
    code, defined, patches = bytearray(), dict[str, int](), list[tuple[int, int | str]]()
    uses = list[tuple[int, int, int | str, int]]()  # place, kind, symbol and offset of an address
    for object_file in object_files:
        if object_file[:6] != b"\x7fELF\2\1" or struct.unpack_from("<H", object_file, 18)[0] != _X86_64:
            return unlinked
        sections, places = _sections(object_file), dict[int, int]()
        for index, section in enumerate(sections):
            if section.flags & _IN_MEMORY and section.size and section.kind != _UNWINDING:
                if section.flags & _WRITEABLE or section.kind == _NO_CONTENT:
                    return unlinked
                code += bytes(-len(code) % section.alignment)
                places[index] = len(code)
                code += _content(object_file, section)
        symbols = list(_symbols(object_file, sections))
        here = {one: places[one.section] + one.value for one in symbols if one.section in places}
        defined |= {one.name: place for one, place in here.items()}
        for section in sections:
            if section.kind == _RELOCATIONS and section.info in places:
                for offset, info, addend in struct.iter_unpack("<QQq", _content(object_file, section)):
                    symbol = symbols[info >> 32]
                    target = here.get(symbol, symbol.name)
                    uses.append((places[section.info] + offset, info & 0xFFFFFFFF, target, addend))
    for at, kind, target, addend in uses:
        place = defined.get(target, target) if isinstance(target, str) else target
        if isinstance(place, int) and kind in (_DISTANCE, _DISTANCE_OF_CALL):
            struct.pack_into("<i", code, at, place + addend - at)
        elif isinstance(place, int) and kind == _ADDRESS:
            patches.append((at, place + addend))
        elif place in C_FUNCTIONS and kind == _ADDRESS and not addend:
            patches.append((at, place))
        else:
            return unlinked
    return machine_code.MachineCode(bytes(code), defined[machine_code.ENTRY_NAME], tuple(patches), result)


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
