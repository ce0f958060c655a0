"""The glow around lights: a smooth image, without the rings that discs on top of each other leave."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from fastqueens.pictures.posters.sheet import Box

#: The glow is the sum of these normal curves: standard deviations in sizes of a light, and heights.
_CURVES = ((0.75, 0.45), (2.0, 0.16))

#: How far it reaches, in standard deviations of the wider curve.
_REACH = 3.5

#: Pixels per size of a light, and the most pixels per side.
_FINENESS = 5
_MOST_PIXELS = 2000


def glow_reach(size: float) -> float:
    """Return how far the glow of a light of a size reaches."""
    return _REACH * _CURVES[-1][0] * size


def glow_image(
    at: NDArray[np.float64], size: float, colors: NDArray[np.float64], box: Box, night: str
) -> NDArray[np.uint8]:
    """Return the glow of lights around (k, 2) centres with (k, 3) colours: (rows, columns, 3) bytes of the box.

    It is coarse, because a glow has no edges: at most five pixels per size of a light.
    """
    pixel = max(size / _FINENESS, max(box.width, box.height) / _MOST_PIXELS)
    rows, columns = (max(1, round(side / pixel)) for side in (box.height, box.width))
    across = (at[:, 0] - box.left) / box.width * columns - 0.5
    down = (box.top - at[:, 1]) / box.height * rows - 0.5
    # Around the image is space for what reaches beyond its edges: the transform continues at the opposite edge.
    space = int(np.ceil(glow_reach(size) / pixel)) + 2
    shape = rows + space, columns + space
    transfer = _transfer(shape, size / pixel)
    weight, *mixture = (
        np.fft.irfft2(np.fft.rfft2(_points(across, down, values, shape)) * transfer, shape)[:rows, :columns]
        for values in (np.ones(len(at)), *colors.T)
    )
    share = -np.expm1(-np.maximum(weight, 0.0))
    dark = np.array(to_rgb(night))
    image = np.empty((rows, columns, 3), np.uint8)
    for channel, light in enumerate(mixture):
        color = np.clip(light / np.maximum(weight, 1e-9), 0.0, 1.0)
        image[..., channel] = np.round(255 * (dark[channel] + share * (color - dark[channel])))
    return image


def _points(
    across: NDArray[np.float64], down: NDArray[np.float64], values: NDArray[np.float64], shape: tuple[int, int]
) -> NDArray[np.float64]:
    """Return an array with each value divided among the four pixels around its place."""
    found = np.zeros(shape[0] * shape[1])
    left, upper = np.floor(across).astype(np.int64), np.floor(down).astype(np.int64)
    for i, j in np.ndindex(2, 2):
        part = np.abs(1 - i - (down - upper)) * np.abs(1 - j - (across - left))
        pixel = (upper + i) % shape[0] * shape[1] + (left + j) % shape[1]
        found += np.bincount(pixel, values * part, len(found))
    return found.reshape(shape)


def _transfer(shape: tuple[int, int], size: float) -> NDArray[np.float64]:
    """Return the Fourier transform of the curves, for lights of this size in pixels."""
    squared = np.fft.fftfreq(shape[0])[:, np.newaxis] ** 2 + np.fft.rfftfreq(shape[1]) ** 2
    variances = [(2 * np.pi * (deviation * size) ** 2, height) for deviation, height in _CURVES]
    return sum(height * variance * np.exp(-np.pi * variance * squared) for variance, height in variances)  # type: ignore[return-value]
