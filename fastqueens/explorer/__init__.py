"""The page that shows a board of up to 10 million queens in the browser: one file, with its assets.

Not named ``explore``, like the function. May import all but ``pictures``, ``sampling``, ``classroom`` and ``cli``.
"""
