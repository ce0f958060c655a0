"""Pictures in files, whole or not at all. Draws nothing, and imports matplotlib and Pillow only to write."""

from __future__ import annotations

import io
import math
import os
from typing import IO, TYPE_CHECKING, Any

from fastqueens.board import InputError
from fastqueens.machine import check_memory
from fastqueens.wholefile import FileName, checked_suffix, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL.Image import Image

PICTURE_FORMATS = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".webp")

#: Dots an inch of a figure where nothing else is asked for.
FIGURE_DPI = 150

_DRAWN_WITHOUT_PIXELS = (".pdf", ".svg")

#: Most pixels a side: what the formats can say, and what every matplotlib since 3.8 can draw.
_MOST_PIXELS = {".jpg": 65_500, ".jpeg": 65_500, ".webp": 16_383, ".png": 65_535}

#: A figure is drawn in four bytes a pixel, and copied for the file.
_BYTES_A_PIXEL = 8

# What Pillow's encoder takes for a WebP beside the picture: 1.2 GB for A1 at 300 dpi.
_WEBP_BYTES_A_PIXEL = 16

_FINE_JPEG = {"quality": 95, "subsampling": 0}

#: What is said to Pillow; a PDF of pixels holds them as JPEG. Neither dates nor names: the same picture is the same
#: file.
_IMAGE_HOW: dict[str, dict[str, Any]] = {
    ".png": {},
    ".pdf": {**_FINE_JPEG, "title": None, "creationDate": None, "modDate": None},
    ".jpg": _FINE_JPEG,
    ".jpeg": _FINE_JPEG,
    ".webp": {"lossless": True, "exact": True},
}

#: What is said to matplotlib.
_FIGURE_HOW: dict[str, dict[str, Any]] = {
    **{suffix: {"pil_kwargs": how} for suffix, how in _IMAGE_HOW.items()},
    ".pdf": {"metadata": {"CreationDate": None}},
    ".svg": {"metadata": {"Date": None}},
}


def check_picture_suffix(path: FileName) -> str:
    """Give the suffix in lower case, or :class:`InputError` where no picture can be written under this name.

    >>> check_picture_suffix("Curves.PNG")
    '.png'
    """
    return checked_suffix(path, PICTURE_FORMATS)


def save_picture(picture: Figure | Image, path: FileName, *, dpi: float | None = None) -> None:
    """Write a picture in the format of the suffix, whole or not at all.

    Parameters
    ----------
    picture : Figure or Image
        Of matplotlib or of Pillow. An image of pixels cannot become SVG; in a PDF it is the page.
    path : str or path
        Where to; an earlier file of that name is replaced when the new one is complete.
    dpi : float, optional
        Dots an inch: 150 for a figure, what the image itself says for an image (WebP cannot say it).

    Raises
    ------
    InputError
        For an unknown suffix, for a ``dpi`` that is no positive number, for more pixels than the format can hold, and
        where the file cannot be written.
    NotEnoughMemoryError
        Where the pixels of a figure would not fit.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from PIL import Image
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "grey.png")
    ...     save_picture(Image.new("L", (30, 20), 128), file, dpi=300)
    ...     with Image.open(file) as image:
    ...         image.size
    (30, 20)
    """
    from PIL.Image import Image

    suffix = check_picture_suffix(path)
    if dpi is not None and not (math.isfinite(dpi) and dpi > 0):
        raise InputError(f"dpi is {dpi:g}: a number above 0 is needed")
    if isinstance(picture, Image):
        if suffix == ".svg":
            raise InputError(f"{os.fspath(path)}: a picture made of pixels cannot be SVG; write .png or .pdf")
        _check_pixels(picture.size, suffix, path)
        if suffix == ".webp":
            width, height = picture.size
            check_memory(_WEBP_BYTES_A_PIXEL * width * height, f"a WebP of {width:,} x {height:,} pixels")
        with whole_file(path) as file:
            _write_image(picture, file, suffix, dpi)
    else:
        dpi = dpi or FIGURE_DPI
        if suffix not in _DRAWN_WITHOUT_PIXELS:
            width, height = (max(1, int(side * dpi)) for side in picture.get_size_inches())
            _check_pixels((width, height), suffix, path)
            check_memory(_BYTES_A_PIXEL * width * height, f"a picture of {width:,} x {height:,} pixels")
        with whole_file(path) as file:
            _write_figure(picture, file, suffix, dpi)


def png_bytes(figure: Figure, dpi: float) -> bytes:
    """Give a figure as PNG, for notebooks."""
    content = io.BytesIO()
    _write_figure(figure, content, ".png", dpi)
    return content.getvalue()


def _check_pixels(size: tuple[int, int], suffix: str, path: FileName) -> None:
    most = _MOST_PIXELS.get(suffix)
    if most is not None and max(size) > most:
        width, height = size
        raise InputError(
            f"{os.fspath(path)}: {width:,} x {height:,} pixels, and {suffix} holds at most {most:,} a side; "
            "a lower dpi, or .pdf, would do"
        )


def _write_figure(figure: Figure, file: IO[bytes], suffix: str, dpi: float) -> None:
    from fastqueens.pictures.style import house_style

    # Ticks and fonts are made while it is drawn.
    with house_style():
        figure.savefig(file, format=suffix[1:], dpi=dpi, **_FIGURE_HOW[suffix])


def _write_image(image: Image, file: IO[bytes], suffix: str, dpi: float | None) -> None:
    resolution = image.info.get("dpi") if dpi is None else (dpi, dpi)
    how = _IMAGE_HOW[suffix] if resolution is None else {**_IMAGE_HOW[suffix], "dpi": resolution}
    if suffix in (".pdf", ".jpg", ".jpeg"):
        image = _opaque(image)
    image.save(file, format="JPEG" if suffix == ".jpg" else suffix[1:].upper(), **how)


def _opaque(image: Image) -> Image:
    """Put an image on paper where it is transparent: JPEG cannot be."""
    import PIL.Image

    from fastqueens.pictures.style import PAPER

    if image.mode in ("1", "L", "RGB", "CMYK"):
        return image
    if not image.has_transparency_data:
        return image.convert("RGB")
    paper = PIL.Image.new("RGBA", image.size, PAPER)
    paper.alpha_composite(image.convert("RGBA"))
    return paper.convert("RGB")
