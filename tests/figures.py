"""Searches in figures and in their pixels."""

import io
from itertools import combinations

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from PIL import Image
from scipy import ndimage

from fastqueens.pictures.roles import LIGHT


def pixels(figure, dpi=None):
    """Return the pixels of a figure, (rows, columns, 3) bytes."""
    figure, file = figure.figure, io.BytesIO()
    figure.savefig(file, format="png", dpi=dpi or figure.dpi, pil_kwargs={"compress_level": 0})
    return np.array(Image.open(file).convert("RGB"))


def on_board(figure, image):
    """Return the part of the image with the squares, and the side of a square in pixels."""
    height, width, _ = image.shape
    x, y, w, h = figure.axes[0].get_position().bounds
    exact = x * width, (1 - y - h) * height, (x + w) * width, (1 - y) * height
    left, top, right, bottom = edges = [round(edge) for edge in exact]
    assert np.allclose(edges, exact)  # squares of fractional pixels shimmer
    side, rest = divmod(right - left, round(figure.axes[0].get_xlim()[1]))
    assert rest == 0
    return image[top:bottom, left:right], side


def shapes(is_there, least):
    """Return the middles (x, y) of the connected shapes with at least ``least`` pixels."""
    labels, _ = ndimage.label(is_there, np.ones((3, 3)))
    sizes = np.bincount(labels.ravel())[1:]
    boxes = [box for size, box in zip(sizes, ndimage.find_objects(labels), strict=True) if size >= least]
    return [((x.start + x.stop) / 2, (y.start + y.stop) / 2) for y, x in boxes]


def queens_in(board, n):
    """Return the row of the queen in each column of a board's pixels; None for a column without a resting queen."""
    dark = near(board, LIGHT.ink, 60)
    side = len(dark) // n
    dark[[0, 1, -2, -1]] = dark[:, [0, 1, -2, -1]] = False  # the frame
    rows = [None] * n
    for x, y in shapes(dark, side * side / 10):
        assert rows[int(x) // side] is None
        rows[int(x) // side] = int(y) // side
    return rows


def near(image, colour, tolerance=40):
    """Return which pixels have about this colour."""
    return np.abs(np.asarray(image).astype(int) - 255 * np.array(to_rgb(colour))).max(axis=-1) < tolerance


def texts_in_view(figure):
    """Return all text of a figure except the labels of ticks beyond the ends of an axis."""
    figure = figure.figure
    ticks = [
        (tick, axis) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for tick in axis.get_major_ticks()
    ]
    beyond = {
        label
        for tick, axis in ticks
        for label in (tick.label1, tick.label2)
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
    }
    beyond |= {text for axes in figure.axes if not axes.axison for text in axes.xaxis.findobj(Text)}
    beyond |= {text for axes in figure.axes if not axes.axison for text in axes.yaxis.findobj(Text)}
    return [text for text in figure.findobj(Text) if text.get_visible() and text not in beyond]


def assert_texts_apart(figure):
    """Check that no text of a figure overlaps another or leaves the picture."""
    figure = figure.figure
    with mpl.rc_context(getattr(figure, "settings", {})):
        figure.draw_without_rendering()
    # Without the lines from annotations to their points.
    boxes = [Text.get_window_extent(text) for text in texts_in_view(figure) if text.get_text()]
    # Boxes are as high as lines of type, letters are not.
    boxes = [box.padded(0, -0.12 * box.height) for box in boxes]
    assert all(figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1 for box in boxes)
    assert all(figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1 for box in boxes)
    assert not [(one, other) for one, other in combinations(boxes, 2) if one.overlaps(other)]
