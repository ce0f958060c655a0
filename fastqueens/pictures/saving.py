"""Atomic writing of pictures to files. matplotlib and Pillow are imported only for writing."""

from __future__ import annotations

import base64
import io
import math
import os
import re
import threading
import warnings
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from fastqueens._run.memory import check_memory
from fastqueens.errors import InputError
from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName, checked_suffix

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL.Image import Image

PICTURE_FORMATS = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".webp")

#: The default resolution of figures, in dots per inch.
FIGURE_DPI = 150

#: The lowest resolution. FreeType cannot draw type of less than a pixel.
_LEAST_DPI = 10

#: The most pixels per side that a format can hold and matplotlib 3.8 and later can draw. Other formats hold shapes.
_MOST_PIXELS = {".jpg": 65_500, ".jpeg": 65_500, ".webp": 16_383, ".png": 65_535}

#: A figure is drawn with four bytes per pixel, and copied for the file.
_BYTES_PER_PIXEL = 8

# What Pillow's WebP encoder allocates in addition to the picture: 1.2 GB for A1 at 300 dpi.
_WEBP_BYTES_PER_PIXEL = 16

#: Shapes with this opacity, whose name begins with this, are printed over each other: the ``info`` of their picture has
#: a "blend" mode, which matplotlib cannot write itself.
BLENDED_OPACITY, BLENDED_NAME = 0.987654, "blended-"

#: One thread at a time draws, because the settings of matplotlib are global. A fork waits for the end of a drawing:
#: otherwise, the new process would keep the lock and the settings of a thread that it does not have.
drawing_lock = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=drawing_lock.acquire, after_in_parent=drawing_lock.release, after_in_child=drawing_lock.release
    )

#: The author of posters in PDF.
_AUTHOR = "fastqueens"

_PHOTO_QUALITY = 85

_FINE_JPEG = {"quality": 95, "subsampling": 0}

#: Options for Pillow. A PDF holds pixels as JPEG. Without dates, the same picture gives the same file.
_IMAGE_OPTIONS: dict[str, dict[str, Any]] = {
    ".png": {},
    ".pdf": {**_FINE_JPEG, "title": None, "creationDate": None, "modDate": None},
    ".jpg": _FINE_JPEG,
    ".jpeg": _FINE_JPEG,
    ".webp": {"lossless": True, "exact": True},
}


class Photo(NamedTuple):
    """An image that replaces, as JPEG, the image of another width and height in the file of a figure."""

    image: Image
    replaced: tuple[int, ...]

    def content(self) -> bytes:
        """Return the JPEG."""
        file = io.BytesIO()
        self.image.save(file, "JPEG", quality=_PHOTO_QUALITY)
        return file.getvalue()


def check_picture_suffix(path: FileName) -> str:
    """Return the suffix in lower case; raise :class:`InputError` if it is not the suffix of a picture format.

    >>> check_picture_suffix("Curves.PNG")
    '.png'
    """
    return checked_suffix(path, PICTURE_FORMATS)


def is_picture_path(target: Any) -> bool:
    """Return whether this is a path with the suffix of a picture format."""
    return isinstance(target, str | os.PathLike) and os.path.splitext(target)[1].lower() in PICTURE_FORMATS


def save_picture(picture: Figure | Image, path: FileName, *, dpi: float | None = None) -> None:
    """Write a figure or an image atomically, in the format of the suffix, without dates.

    In a PDF, an image fills the page. The ``info`` of a picture can have a "title" for a PDF; the millimetres at each
    edge that are cut off ("cut"), and those without bleed ("marks"), for the TrimBox and BleedBox; a "blend" mode of
    shapes; and a "photo" that replaces an image. By default, ``dpi`` is 150 for a figure, and the stored resolution for
    an image.

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
    if isinstance(picture, Image):
        if suffix == ".svg":
            raise InputError(f"{os.fspath(path)}: a picture made of pixels cannot be SVG; write .png or .pdf")
        check_dpi(dpi)
        (width, height), pixel_bytes = picture.size, _WEBP_BYTES_PER_PIXEL if suffix == ".webp" else 0
        check_pixels(path, width, height)
    else:
        width, height = check_figure(path, dpi, picture.get_size_inches())
        pixel_bytes = _BYTES_PER_PIXEL if suffix in _MOST_PIXELS else 0
    check_memory(pixel_bytes * width * height, f"a {suffix} picture of {width:,} x {height:,} pixels")
    with atomic_write(path) as file:
        write_picture(picture, file, suffix, dpi)


def check_dpi(dpi: float | None) -> None:
    """Raise :class:`InputError` if a resolution is too low; None stands for the default."""
    if dpi is not None and not (math.isfinite(dpi) and dpi >= _LEAST_DPI):
        raise InputError(f"dpi must be at least {_LEAST_DPI}, not {dpi:g}")


def check_figure(path: FileName, dpi: float | None, inches: Iterable[float]) -> tuple[int, int]:
    """Return the pixels of a figure of this size; raise :class:`InputError` if its file cannot hold them."""
    check_dpi(dpi)
    width, height = (max(1, int(side * (dpi or FIGURE_DPI))) for side in inches)
    check_pixels(path, width, height)
    return width, height


def check_pixels(path: FileName, width: int, height: int) -> None:
    """Raise :class:`InputError` if a file in the format of a suffix cannot hold so many pixels."""
    suffix = check_picture_suffix(path)
    most = _MOST_PIXELS.get(suffix)
    if most is not None and max(width, height) > most:
        raise InputError(
            f"{os.fspath(path)}: {width:,} x {height:,} pixels, and {suffix} holds at most {most:,} per side; "
            "use a lower dpi, or write a .pdf"
        )


def write_picture(picture: Figure | Image, file: IO[bytes], suffix: str, dpi: float | None) -> None:
    """Write a figure or an image to a binary file; see :func:`save_picture`."""
    from PIL.Image import Image

    info = getattr(picture, "info", {})
    if "pixels" in info and suffix in _MOST_PIXELS:
        picture = info["pixels"](round(dpi or FIGURE_DPI))
    is_sheet = suffix == ".pdf" and "title" in info
    content = io.BytesIO() if is_sheet else file
    if isinstance(picture, Image):
        _write_image(picture, content, suffix, dpi, info if suffix == ".pdf" else {})
    else:
        _write_figure(picture, content, suffix, dpi or FIGURE_DPI, info)
    if is_sheet:
        from fastqueens.pictures.printing import write_sheet

        write_sheet(content, file, info, BLENDED_OPACITY)


def _write_image(image: Image, file: IO[bytes], suffix: str, dpi: float | None, info: dict[Any, Any]) -> None:
    resolution = image.info.get("dpi") if dpi is None else (dpi, dpi)
    options = _IMAGE_OPTIONS[suffix] | ({} if resolution is None else {"dpi": resolution})
    if "title" in info:
        options |= {"title": info["title"], "author": _AUTHOR}
    image.save(file, format="JPEG" if suffix == ".jpg" else suffix[1:].upper(), **options)


def _write_figure(figure: Figure, file: IO[bytes], suffix: str, dpi: float, info: dict[Any, Any]) -> None:
    options: dict[str, Any] = {"pil_kwargs": _IMAGE_OPTIONS[suffix]} if suffix in _MOST_PIXELS else {}
    if suffix == ".pdf":
        named = {"Title": info["title"], "Author": _AUTHOR} if "title" in info else {}
        options["metadata"] = {"CreationDate": None, **named}
    elif suffix == ".svg":
        options["metadata"] = {"Date": None}
    content = figure_bytes(figure, suffix, dpi, **options)
    if suffix == ".svg" and "blend" in info:
        # Opacity ends: blended shapes cover each other fully.
        style = f'<g id="{BLENDED_NAME}\\1" style="mix-blend-mode: {info["blend"]}"'.encode()
        content = re.sub(rf'<g id="{BLENDED_NAME}(\w+)"'.encode(), style, content)
        content = content.replace(f"opacity: {BLENDED_OPACITY}".encode(), b"opacity: 1")
    if suffix == ".svg" and "photo" in info:
        content = re.sub(rb"<image [^>]*>", lambda found: _with_photo(found[0], info["photo"]), content)
    file.write(content)


def figure_bytes(figure: Figure, suffix: str, dpi: float, **options: Any) -> bytes:
    """Return the content of a file. An error of matplotlib while it writes would hide the reason."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    content = io.BytesIO()
    # matplotlib reads the settings of ticks and fonts only now. A label that is the name of a file can have characters
    # that the fonts lack, which are drawn as boxes.
    with drawing_lock, mpl.rc_context(getattr(figure, "settings", {})), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        Figure.savefig(figure, content, format=suffix[1:], dpi=dpi, **options)
    return content.getvalue()


def _with_photo(tag: bytes, photo: Photo) -> bytes:
    """Return the tag of an image in SVG, with the photo if it has the size of the image that this replaces."""
    width, height = photo.replaced
    if not all(f'{name}="{side}"'.encode() in tag for name, side in (("width", width), ("height", height))):
        return tag
    data = b'preserveAspectRatio="none" xlink:href="data:image/jpeg;base64,' + base64.b64encode(photo.content()) + b'"'
    return re.sub(rb'xlink:href="[^"]*"', lambda _: data, re.sub(rb' style="[^"]*"', b"", tag))
