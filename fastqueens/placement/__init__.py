"""First boards: their arrays, the rules that place their queens, and the tiles of large boards.

The search from a first board is in ``local_search``. May import ``kernels``, ``_run``, ``board`` and ``instance``.
"""
