"""All compiled code, and nothing else: kernels, and the functions that are inlined into them.

A kernel takes arrays and integers, writes in place and returns integers. It validates nothing: its driver, a module of
the same name elsewhere in the package, does. A reader who trusts the kernels can skip this folder. It imports only
itself, ``_jit`` and NumPy.
"""
