"""Search algorithms of AI courses: rules, climbs, studies, costs of moves, puzzles, and checks of students' programs.

The solver itself is in ``solver``. This folder may import all others except ``cli``, ``explorer``, ``pictures`` and
``sampling``.
"""
