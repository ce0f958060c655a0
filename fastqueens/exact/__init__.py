"""Complete search: a solution, the proof that there is none, and the number or a list of all solutions.

``tree`` is the search of one thread, ``complete_search`` cuts it into parts that run anywhere, and ``solutions`` counts
and lists, with the symmetries of the board. May import ``core``, ``jit``, ``files`` and ``check``.
"""
