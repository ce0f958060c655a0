"""Complete search: a solution, the proof that there is none, and the number or a list of all solutions.

``tree`` is the search of one thread and ``complete_search`` the search of subtrees anywhere, continued from a
``checkpoint``. ``propagation`` places forced queens, ``symmetry`` divides boards by their symmetries, ``solutions``
counts and lists. Imports kernels, files and lower layers, but not the solver, which imports this folder.
"""
