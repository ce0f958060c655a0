"""Kernels whose arrays lie between guards: a write beyond an array is noticed. Bounds checks notice reads too."""

import ctypes
import threading

import numpy as np
from kernel_calls import usual_call
from wasm import flat, merged, words_of

#: Bytes before and after the memory of the arrays of a call, and their value.
SIZE, MARK = 4096, 0xA5

_lock = threading.Lock()


def guarded(kernel, kinds):
    """Return what calls a kernel with copies of its arrays, and copies them back."""
    run = usual_call(kernel, kinds)

    def call(_words, arguments):
        values = [*flat(arguments)]
        regions = merged([(value.ctypes.data, value.nbytes) for value in values if isinstance(value, np.ndarray)])
        with _lock:  # other threads change the same arrays
            blocks = [between_guards(address, size) for address, size in regions]
            starts = [block.ctypes.data + SIZE for block in blocks]
            words = [word for value in values for word in words_of(value, regions, starts)]
            result = run(words, arguments)
            for block, (address, size) in zip(blocks, regions, strict=True):
                guards = np.concatenate([block[:SIZE], block[SIZE + size :]])
                assert (guards == MARK).all(), f"{kernel.__name__} writes beyond an array"
                changed = block[SIZE : SIZE + size].tobytes()
                if changed != ctypes.string_at(address, size):  # an array that stays the same can be read-only
                    ctypes.memmove(address, changed, size)
        return result

    return call


def between_guards(address, size):
    """Return a copy of memory with guards around it."""
    block = np.full(size + 2 * SIZE, MARK, np.uint8)
    block[SIZE : SIZE + size] = np.frombuffer(ctypes.string_at(address, size), np.uint8)
    return block
