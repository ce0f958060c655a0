"""Hill climbers, costs of moves, studies of many runs, and puzzles, for courses and their students.

The solver itself is in ``solving``. May import ``core``, ``jit``, ``files``, ``check``, ``exact`` and ``solving``.
"""
