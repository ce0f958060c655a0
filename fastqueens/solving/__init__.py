"""``solve()``: validate the task, allocate, place, search, check, and return a result.

Also many seeds at once, the number of solutions, and how time grows with n. Searches for teaching are in
``classroom``. May import ``core``, ``kernels`` and ``analysis``; the methods of a result that draw it import
``pictures`` when they run.
"""
