"""Search algorithms of AI courses: climbs, studies, costs of moves, puzzles, and checks of students' programs.

The solver itself is in ``solver``. This folder may import all others except ``cli``, ``explorer`` and ``sampling``.
Only ``animations`` imports drawing code outside of methods.
"""
