"""``solve()``: validate, allocate, place, search, check, and return a result; also for many seeds or instances at once.

Not named ``solve``, since the function :func:`fastqueens.solve` is. Searches for teaching are in ``classroom``. May
import ``core``, ``jit``, ``files``, ``check`` and ``exact``; the methods of a result that draw it import ``pictures``
when they run.
"""
