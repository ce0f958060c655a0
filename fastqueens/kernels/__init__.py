"""Questions about a finished board: is it a solution, who attacks whom, how are the queens spread.

Nothing here makes or changes a board, or shares code with what does. May import ``core`` and ``jit``.
"""
