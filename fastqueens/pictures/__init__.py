"""Boards, curves, densities, posters and animations, as matplotlib figures and Pillow images.

Everything here returns a picture; only ``saving`` and ``animation`` write files. ``drawing`` has what solves or reads a
board first; the methods of results import the other files when they draw, and no file here imports those results back.
May import every folder but ``_jit``, ``exact``, ``explorer`` and ``cli``.
"""
