"""Compiled code and nothing else: functions on arrays and whole numbers, each with its cost in n.

Kernels neither validate nor allocate, and know no strings; their callers in ``analysis``, ``solving``, ``classroom``
and ``explorer`` do that. It imports no other folder of the package.
"""
