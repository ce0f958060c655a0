"""Boards, curves, densities, posters and animations, as matplotlib figures and Pillow images.

Functions return a picture, and only ``saving`` and ``animation`` write files. ``drawing`` holds the public functions
that solve a board before they draw it. The methods of results import the other files when they draw, and no file here
imports those results. This folder may import all others except ``_jit``, ``exact``, ``explorer`` and ``cli``.
"""
