"""Boards, curves, densities, posters and animations, as matplotlib figures and Pillow images.

Everything here returns a picture; only ``saving`` and ``animation`` write files. ``boards`` draws a board of any
size. ``squares`` says what is where on a small board; ``text``, the ``frames`` of animations and, for boards and
posters, the shapes of ``figure`` show it. ``lettering`` breaks text into lines, and ``style`` holds the colours and the
fonts of all. May import every folder but ``jit``, ``exact``, ``explorer`` and ``cli``.
"""
