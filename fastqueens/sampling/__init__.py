"""The law of uniformly random solutions: samples, estimates of their number, their limit shape.

Here a board is one of many, and what counts is how likely it is; finding a single solution is in ``solving``. May
import ``core``, ``jit``, ``files``, ``check`` and ``solving``.
"""
