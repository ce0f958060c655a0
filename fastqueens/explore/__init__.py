"""The page that shows a board of any size in the browser, and the local server behind it.

May import ``core``, ``kernels``, ``files`` and ``analysis``.
"""
