"""Boards, curves, densities, posters and animations, as matplotlib figures and Pillow images.

Functions return a picture, and only ``saving`` and ``animation`` write files. ``drawing`` and ``posters`` hold the
public functions that solve a board before they draw it, with ``given``; all others take boards, arrays and small
records. This folder may import all lower layers except ``_jit`` and ``exact``, but neither ``classroom`` nor
``sampling``.
"""
