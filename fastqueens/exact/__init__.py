"""Complete search: one solution, a proof that there is none, or the number or a list of all solutions.

``tree`` searches on one thread. ``complete_search`` searches subtrees on threads or other machines, and ``checkpoint``
keeps their results in a file. ``propagation`` places forced queens, ``symmetry`` uses the symmetries of boards, and
``solutions`` counts and lists solutions. This folder imports kernels, files and lower layers, but not the solver, which
imports this folder.
"""
