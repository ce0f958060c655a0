"""Atomic writing of pictures to files. matplotlib and Pillow are imported only for writing."""

from __future__ import annotations

import io
import math
import os
import threading
import warnings
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any

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

#: One thread at a time draws, because the settings of matplotlib are global. A fork waits for the end of a drawing:
#: otherwise, the new process would keep the lock and the settings of a thread that it does not have.
drawing_lock = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=drawing_lock.acquire, after_in_parent=drawing_lock.release, after_in_child=drawing_lock.release
    )

#: The creator of all pictures.
_CREATOR = "fastqueens"

#: The tags of EXIF for a description and for the program.
_DESCRIPTION, _SOFTWARE = 0x010E, 0x0131

#: matplotlib joins the blocks of an image in a PDF one by one, which takes minutes if Pillow writes its usual 64 kB.
_BLOCK = 1 << 24

_FINE_JPEG = {"quality": 95, "subsampling": 0}

#: Options for Pillow.
_IMAGE_OPTIONS: dict[str, dict[str, Any]] = {
    ".png": {},
    ".jpg": _FINE_JPEG,
    ".jpeg": _FINE_JPEG,
    ".webp": {"lossless": True, "exact": True},
}


def check_picture_suffix(path: FileName) -> str:
    """Return the suffix in lower case; raise :class:`InputError` if it is not the suffix of a picture format.

    >>> check_picture_suffix("Curves.PNG")
    '.png'
    """
    return checked_suffix(path, PICTURE_FORMATS)


def save_picture(
    picture: Figure | Image, path: FileName, *, dpi: float | None = None, title: str = "", about: str = ""
) -> None:
    """Write a figure or an image atomically, in the format of the suffix, without dates.

    The metadata of the file have a ``title`` and facts ``about`` the picture. By default, ``dpi`` is 150 for a figure,
    and the stored resolution for an image.

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
        if suffix not in _MOST_PIXELS:
            formats = ", ".join(_MOST_PIXELS)
            raise InputError(f"{os.fspath(path)}: {suffix} holds shapes, and this picture is pixels; write {formats}")
        check_dpi(dpi)
        (width, height), pixel_bytes = picture.size, _WEBP_BYTES_PER_PIXEL if suffix == ".webp" else 0
        check_pixels(path, width, height)
    else:
        width, height = check_figure(path, dpi, picture.get_size_inches())
        pixel_bytes = _BYTES_PER_PIXEL if suffix in _MOST_PIXELS else 0
    check_memory(pixel_bytes * width * height, f"a {suffix} picture of {width:,} x {height:,} pixels")
    with atomic_write(path) as file:
        if isinstance(picture, Image):
            _write_image(picture, file, suffix, dpi, title, about)
        else:
            _write_figure(picture, file, suffix, dpi, title, about)


def save_pages(pages: Iterable[Figure], path: FileName, title: str) -> None:
    """Write figures as the pages of a PDF, atomically and without dates."""
    from matplotlib.backends.backend_pdf import PdfPages

    checked_suffix(path, [".pdf"])
    with atomic_write(path) as file:
        metadata = {"CreationDate": None, "Title": title, "Creator": _CREATOR, "Author": _CREATOR}
        with PdfPages(file, metadata=metadata) as written:
            for page in pages:
                with drawing_lock:
                    written.savefig(page)


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


def _write_image(image: Image, file: IO[bytes], suffix: str, dpi: float | None, title: str, about: str) -> None:
    resolution = image.info.get("dpi") if dpi is None else (dpi, dpi)
    options = _IMAGE_OPTIONS[suffix] | _raster_metadata(suffix, title, about)
    options |= {} if resolution is None else {"dpi": resolution}
    image.save(file, format="JPEG" if suffix == ".jpg" else suffix[1:].upper(), **options)


def _write_figure(figure: Figure, file: IO[bytes], suffix: str, dpi: float | None, title: str, about: str) -> None:
    options: dict[str, Any] = {}
    named = {"Title": title or None, "Creator": _CREATOR}
    if suffix == ".pdf":
        options["metadata"] = {**named, "CreationDate": None, "Author": _CREATOR, "Subject": about or None}
    elif suffix == ".svg":
        options["metadata"] = {name: text for name, text in (*named.items(), ("Description", about)) if text}
        options["metadata"]["Date"] = None
    else:
        options["pil_kwargs"] = _IMAGE_OPTIONS[suffix] | _raster_metadata(suffix, title, about)
    file.write(figure_bytes(figure, suffix, dpi or FIGURE_DPI, **options))


def _raster_metadata(suffix: str, title: str, about: str) -> dict[str, Any]:
    """Return options for Pillow that store a title, facts and the program: text in PNG, and EXIF in other formats."""
    from PIL.Image import Exif
    from PIL.PngImagePlugin import PngInfo

    if suffix == ".png":
        texts = PngInfo()
        for name, text in (("Title", title), ("Description", about), ("Software", _CREATOR)):
            if text:
                texts.add_itxt(name, text)
        return {"pnginfo": texts}
    exif = Exif()
    exif[_DESCRIPTION], exif[_SOFTWARE] = ". ".join(filter(None, (title, about))), _CREATOR
    return {"exif": exif}


def figure_bytes(figure: Figure, suffix: str, dpi: float, **options: Any) -> bytes:
    """Return the content of a file. An error of matplotlib while it writes would hide the reason."""
    from PIL import ImageFile

    content, block = io.BytesIO(), ImageFile.MAXBLOCK
    # A label that is the name of a file can have characters that the fonts lack, which are drawn as boxes.
    with drawing_lock, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        try:
            ImageFile.MAXBLOCK = _BLOCK if suffix == ".pdf" else block
            figure.savefig(content, format=suffix[1:], dpi=dpi, **options)
        finally:
            ImageFile.MAXBLOCK = block
    return content.getvalue()
