"""The page that shows a board of any size in the browser, and the local server behind it.

Not named ``explore``, since the function :func:`fastqueens.explore` is. May import ``core``, ``files``,
``check`` and ``solving``.
"""
