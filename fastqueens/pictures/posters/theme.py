"""The colours of a poster."""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.colors import Colormap


class Theme(NamedTuple):
    """The colours of a style; ``more_is`` says how cells with more queens look, ``mode`` is the mode of the image."""

    paper: str
    board: str
    dark_square: str
    ink: str
    faint: str
    density: Colormap
    more_is: str = "darker"
    mode: str = "RGB"
