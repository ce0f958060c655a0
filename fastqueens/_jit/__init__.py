"""Compiling kernels into shared libraries, loading and calling them. Knows nothing about queens.

``decorators`` makes kernels, and ``library`` loads and calls them. Only to compile, ``cache`` imports ``objects`` and
``numba_back_end``, which import numba. ``instructions`` are processor instructions that kernels use through
``kernels/bits.py``. Of the package, this folder imports only ``_run``, and the program ``build`` also the kernels.
"""
