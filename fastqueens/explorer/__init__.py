"""The page that shows a board of up to 10 million queens in the browser: one file, with its assets.

Not named ``explore``, since the function :func:`fastqueens.explore` is. May import ``core``, ``files``,
``check`` and ``solving``.
"""
