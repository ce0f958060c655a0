"""The page that shows a board of up to 10 million queens in the browser: one file, with its assets.

The folder is not called ``explore``, because the public function has this name. It may import all folders except
``pictures``, ``sampling``, ``classroom`` and ``cli``.
"""
