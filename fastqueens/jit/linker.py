"""Turns an object file for Linux on x86-64 into an image: code that runs wherever it is copied to, once it is patched.

The file format is ELF (man 5 elf). Only what kernels need is supported: instructions and constants that refer to each
other, and the functions of the C library that LLVM calls to clear or copy arrays.
"""

from __future__ import annotations

import struct
from collections import namedtuple
from collections.abc import Iterator

from fastqueens.jit.machine_code import Image

#: Functions of the C library that a kernel may call.
C_FUNCTIONS = ("memset", "memcpy", "memmove")

_X86_64 = 62
_WRITEABLE, _IN_MEMORY = 1, 2
_SYMBOLS, _RELOCATIONS, _NO_CONTENT, _UNWINDING = 2, 4, 8, 0x70000001
_ADDRESS, _DISTANCE, _DISTANCE_OF_CALL = 1, 2, 4


_Section = namedtuple("_Section", "name kind flags address start size link info alignment entry_size")
_Symbol = namedtuple("_Symbol", "name section value")


def image_of(object_file: bytes, name: str) -> Image | None:
    """Return the image of an object file with one function of this name; None if this module cannot make it."""
    if object_file[:6] != b"\x7fELF\2\1" or struct.unpack_from("<H", object_file, 18)[0] != _X86_64:
        return None
    sections = _sections(object_file)
    code, places = bytearray(), {}
    for index, section in enumerate(sections):
        if section.flags & _IN_MEMORY and section.size and not _is_about_unwinding(object_file, sections, section):
            if section.flags & _WRITEABLE or section.kind == _NO_CONTENT:
                return None
            code += bytes(-len(code) % section.alignment)
            places[index] = len(code)
            code += object_file[section.start : section.start + section.size]
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
                    return None
                patches.append((at, symbol.name))
    starts = [places[symbol.section] + symbol.value for symbol in symbols if symbol.name == name]
    return Image(bytes(code), starts[0], tuple(patches))


def _sections(object_file: bytes) -> list[_Section]:
    (table,) = struct.unpack_from("<Q", object_file, 40)
    size, count = struct.unpack_from("<2H", object_file, 58)
    return [_Section(*struct.unpack_from("<2I4Q2I2Q", object_file, table + size * index)) for index in range(count)]


def _content(object_file: bytes, section: _Section) -> bytes:
    return object_file[section.start : section.start + section.size]


def _text(object_file: bytes, section: _Section, at: int) -> str:
    content = _content(object_file, section)
    return content[at : content.index(b"\0", at)].decode()


def _symbols(object_file: bytes, sections: list[_Section]) -> Iterator[_Symbol]:
    for section in sections:
        if section.kind == _SYMBOLS:
            for name, _, _, index, value, _ in struct.iter_unpack("<I2BH2Q", _content(object_file, section)):
                yield _Symbol(_text(object_file, sections[section.link], name), index, value)


def _is_about_unwinding(object_file: bytes, sections: list[_Section], section: _Section) -> bool:
    """Tell whether a section describes stack frames, which only exceptions of C++ need."""
    (names,) = struct.unpack_from("<H", object_file, 62)
    return section.kind == _UNWINDING or _text(object_file, sections[names], section.name) == ".eh_frame"
