"""Complete search: a solution, the proof that there is none, and the number or a list of all solutions.

``tree`` is the search of one thread, ``complete_search`` cuts it into subtrees that run anywhere, ``checkpoint`` is the
file in which a search continues, ``propagation`` places forced queens, ``symmetry`` knows the symmetries of the board,
and ``solutions`` counts and lists. May import ``core``, ``jit``, ``files`` and ``check``.
"""
