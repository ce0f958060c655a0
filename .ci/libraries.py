"""Inspects the libraries of kernels in wheels, for any system: ``python .ci/libraries.py WHEEL...``, with lief.

Fails unless all export the same kernels, and need nothing of the system but what fills memory. A library for macOS must
also be made for the version in the name of its wheel, and be signed ad hoc.
"""

from __future__ import annotations

import re
import struct
import sys
import zipfile
from hashlib import sha256

import lief

#: The functions that libraries can need, by their format.
_NEEDED = {
    lief.ELF.Binary: {"memset"},
    lief.PE.Binary: set[str](),
    lief.MachO.Binary: {"_bzero", "_memset", "dyld_stub_binder"},
}


def _names(binary: lief.Binary) -> tuple[set[str], set[str]]:
    """Return the names that a library exports, and those that it needs."""
    if isinstance(binary, lief.ELF.Binary):
        symbols = [symbol for symbol in binary.dynamic_symbols if symbol.name]
        return {one.name for one in symbols if one.shndx}, {one.name for one in symbols if not one.shndx}
    if isinstance(binary, lief.PE.Binary):
        imported = {entry.name for library in binary.imports for entry in library.entries}
        return {entry.name for entry in binary.get_export().entries}, imported
    exported = {function.name.removeprefix("_") for function in binary.exported_functions}
    return exported, {symbol.name for symbol in binary.imported_symbols}


def _check_signature(content: bytes, start: int) -> None:
    """Fail unless the signature at a place has no certificate, and the digests of all pages before it."""
    directory = start + struct.unpack_from(">I", content, start + 16)[0]
    magic, _, _, flags, digests, _, _, count, end = struct.unpack_from(">9I", content, directory)
    size, kind, _, page = struct.unpack_from("4B", content, directory + 36)
    assert (magic, flags & 2, size, kind, end) == (0xFADE0C02, 2, 32, 2, start)  # 2: ad hoc; 32 and 2: SHA-256
    for number in range(count):
        found = content[directory + digests + size * number :][:size]
        assert found == sha256(content[number << page : min((number + 1) << page, end)]).digest()


def main(wheels: list[str]) -> None:
    """Do what the module says."""
    kernels = set[str]()
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            libraries = {name: archive.read(name) for name in archive.namelist() if "/_jit/libraries/" in name}
        assert libraries, f"{wheel} has no libraries"
        for name, content in libraries.items():
            binary = lief.parse(content)
            exported, needed = _names(binary)
            kernels = kernels or exported
            assert exported == kernels, f"{name}: {exported ^ kernels}"
            assert needed <= _NEEDED[type(binary)], f"{name} needs {needed}"
            facts = f"{len(exported) // 2} kernels, needs {', '.join(sorted(needed)) or 'nothing'}"
            if isinstance(binary, lief.MachO.Binary):
                version = tuple(binary.build_version.minos[:2])
                assert re.search(r"macosx_(\d+)_(\d+)_", wheel).groups() == (*map(str, version),)
                _check_signature(content, binary.code_signature.data_offset)
                facts += f", macOS {version[0]}.{version[1]}, signed ad hoc"
            print(f"{name.rpartition('/')[2]}: {facts}")


if __name__ == "__main__":
    main(sys.argv[1:])
