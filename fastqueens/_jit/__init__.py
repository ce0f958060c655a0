"""Compiling kernels, storing their machine code, loading and calling it. Knows nothing about queens.

``decorators`` makes kernels; ``instructions`` and ``group_instructions`` are processor instructions that kernels use
through ``kernels/bits.py``. Of the package, this folder imports only ``_run.progress``, to report compilation.
"""
