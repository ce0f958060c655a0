"""Complete search: a solution, the proof that there is none, and the number or a list of all solutions.

``tree`` is the search of one thread, ``complete_search`` divides it among several, and ``parts`` among workers
anywhere. ``symmetry`` lets counts visit fewer solutions. May import ``core``, ``jit``, ``files`` and ``check``.
"""
