"""Compiling kernels, storing their machine code, loading and calling it. Knows nothing about queens.

``decorators`` makes kernels. ``bits``, ``stream`` and ``instructions`` are parts of which many kernels consist: bits of
words, random words by counter, and processor instructions. May import ``core``, to say that it compiles.
"""
