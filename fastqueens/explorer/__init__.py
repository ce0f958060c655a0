"""The page that shows a board of up to 10 million queens in the browser: one file, with its assets.

Not named ``explore``, like the function :func:`fastqueens.explore`. May import all files and folders but ``pictures``,
``sampling``, ``classroom`` and ``cli``.
"""
