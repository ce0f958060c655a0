"""Boards, curves, densities, posters and animations, as matplotlib figures and Pillow images.

Everything here returns a picture; only ``saving`` and ``animation`` write files. ``boards`` draws a board of any
size. ``squares`` says what is where on a small board; ``text`` and, for boards, posters and animations, the shapes of
``figure`` show it. ``style`` holds the colours and the fonts of all, and measures text. May import every folder but
``jit``, ``exact``, ``explorer`` and ``cli``.
"""
