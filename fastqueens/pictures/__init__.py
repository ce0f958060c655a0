"""Boards, curves, densities, posters and animations, as matplotlib figures and Pillow images.

Everything here returns a picture; only ``saving`` and ``animation`` write files. ``boards`` draws a board of any
size. ``squares`` says what is where on a small board; ``text``, the ``frames`` of animations and, for boards and
posters, the shapes of ``canvas`` show it. ``style`` holds the colours and the font of all. May import every folder but
``jit``, ``exact``, ``explorer`` and ``cli``.
"""
