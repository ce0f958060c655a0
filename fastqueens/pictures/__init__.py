"""Boards, curves, densities, posters and animations, as matplotlib figures and Pillow images.

Everything here returns a picture; only ``saving`` and ``animation`` write files. ``showing`` picks the kind of picture
for a board, ``style`` holds the colours and the font of all. May import every folder but ``kernels``, ``explore`` and
``cli``.
"""
