"""Rules of hill climbing, climbs and studies, costs of moves, puzzles, and checks of students' programs.

The solver itself is in ``solver``. May import everything but ``cli``, ``explorer``, ``pictures`` and ``sampling``.
"""
