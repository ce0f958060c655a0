"""Everything that numba compiles, and nothing else: arrays and integers in, integers out.

Kernels never validate, print, raise or allocate what grows with n; the drivers above them do.
"""
