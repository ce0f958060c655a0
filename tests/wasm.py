"""Kernels compiled to WebAssembly: node runs them for the drivers in Python.

Each call sends the memory of its arrays to node (tests/wasm.mjs), and receives it again.
"""

import ctypes
import json
import struct
import subprocess
import threading
from pathlib import Path

import numpy as np

import fastqueens
from fastqueens._jit import library

MODULE = Path(fastqueens.__file__).parent / "explorer" / "assets" / "kernels.wasm"


class Node:
    """A process of node with the kernels of a module. One thread at a time can call them."""

    def __init__(self, module=MODULE):
        command = ["node", Path(__file__).with_suffix(".mjs"), module]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.Lock()
        #: The names of the kernels that were called.
        self.called = set()
        facts = json.loads(self._process.stdout.readline())
        self._free, self.imports, self.letters = facts["free"], facts["imports"], facts["letters"]

    def close(self):
        self._process.communicate()

    def ready(self, kernel, kinds):
        """Return what calls a kernel; the module must have it."""
        name = library.symbol(kernel, kinds)
        self.called.add(name.rpartition(".")[0])
        letters = self.letters[name + library.RESULT]

        def call(_words, arguments):
            with self._lock:  # also while arrays are copied: other threads change the same ones
                words = self._call(name, [*flat(arguments)])
            results = struct.unpack_from(letters.replace("?", "?7x"), struct.pack(f"{len(words)}Q", *words))
            return results[0] if len(letters) == 1 else results or None

        return call

    def _call(self, name, values):
        """Call a kernel with arrays and numbers, and return the words of its results."""
        regions = merged([(value.ctypes.data, value.nbytes) for value in values if isinstance(value, np.ndarray)])
        count = library.RESULTS + sum(1 + np.ndim(value) for value in values)
        starts, end = [], self._free + 8 * count
        for _, size in regions:
            starts.append(end + -end % 64)
            end = starts[-1] + size
        words = [0] * library.RESULTS
        for value in values:
            words += words_of(value, regions, starts)
        data = bytearray(end - self._free)
        struct.pack_into(f"{count}Q", data, 0, *words)
        for start, (address, size) in zip(starts, regions, strict=True):
            data[start - self._free : start - self._free + size] = ctypes.string_at(address, size)
        status, data = self._run(name, data)
        assert status == 0, f"{name} returns {status}"
        for start, (address, size) in zip(starts, regions, strict=True):
            changed = data[start - self._free : start - self._free + size]
            if changed != ctypes.string_at(address, size):  # an array that stays the same can be read-only
                ctypes.memmove(address, changed, size)
        return struct.unpack_from(f"{count}Q", data)

    def _run(self, name, data):
        self._process.stdin.write(struct.pack("II", len(name), len(data)) + name.encode())
        self._process.stdin.write(data)
        self._process.stdin.flush()
        (status,) = struct.unpack("i", self._process.stdout.read(4))
        return status, self._process.stdout.read(len(data))


def flat(values):
    """Yield the arrays and numbers of nested tuples."""
    for value in values:
        if isinstance(value, tuple):
            yield from flat(value)
        else:
            yield value


def words_of(value, regions, starts):
    """Return the words of a number or an array; the regions of memory are moved to these starts."""
    if not isinstance(value, np.ndarray):
        return [int(value) % 2**64]
    address = value.ctypes.data
    for start, (old, size) in zip(starts, regions, strict=True):
        if old <= address < old + size:
            return [start + address - old, *value.shape]
    return [0, *value.shape]  # an empty array


def merged(regions):
    """Return regions (address, size) of memory without those that are empty, and with those joined that overlap."""
    found = []
    for address, size in sorted(regions):
        if found and address < sum(found[-1]):
            found[-1] = (found[-1][0], max(sum(found[-1]), address + size) - found[-1][0])
        elif size:
            found.append((address, size))
    return found
