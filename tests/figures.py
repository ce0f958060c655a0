"""What tests look for in figures and in their pixels."""

import io

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from PIL import Image


def pixels(figure, dpi=None):
    """Return the pixels of a figure, (rows, columns, 3) bytes."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=dpi or figure.dpi)
    return np.array(Image.open(file).convert("RGB"))


def near(image, colour, tolerance=40):
    """Return which pixels have about this colour."""
    return np.abs(np.asarray(image).astype(int) - 255 * np.array(to_rgb(colour))).max(axis=-1) < tolerance


def texts_in_view(figure):
    """Return all text of a figure except the labels of ticks beyond the ends of an axis."""
    ticks = [
        (tick, axis) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for tick in axis.get_major_ticks()
    ]
    beyond = {
        label
        for tick, axis in ticks
        for label in (tick.label1, tick.label2)
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
    }
    return [text for text in figure.findobj(Text) if text.get_visible() and text not in beyond]
