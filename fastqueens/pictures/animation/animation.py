"""A finished animation, which a notebook plays and a file stores."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import IO, Any

from PIL import Image

from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName, checked_suffix

ANIMATION_FORMATS = (".gif", ".webp")


@dataclass(frozen=True, eq=False)
class Animation:
    """Frames and how long each is shown; a notebook plays it.

    Attributes
    ----------
    frames : tuple of PIL.Image.Image
        All of one size, in mode "P", with the same palette.
    durations : tuple of int
        Milliseconds for each frame, in whole hundredths of a second.
    stride : int
        How many steps there are from one frame to the next: 1 if none is left out.
    """

    frames: tuple[Image.Image, ...]
    durations: tuple[int, ...]
    stride: int = 1

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.frames[0].size

    @property
    def seconds(self) -> float:
        """How long it plays before it starts again."""
        return sum(self.durations) / 1000

    def _repr_html_(self) -> str:
        file = io.BytesIO()
        _write(self, file, ".gif")
        data = base64.b64encode(file.getvalue()).decode("ascii")
        width, height = self.size
        return f'<img src="data:image/gif;base64,{data}" width="{width}" height="{height}" alt="A climb, step by step">'


def write_animation(path: FileName, animation: Animation) -> None:
    """Write a GIF or a WebP that plays in a loop. The write is atomic.

    Parameters
    ----------
    path : str or path
        Its suffix selects the format, .gif or .webp.
    animation : Animation
        The result of :func:`animate_climb`.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> frame = Image.new("P", (20, 10))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "still.gif")
    ...     write_animation(file, Animation((frame,), (100,)))
    ...     file.read_bytes()[:6]
    b'GIF89a'
    """
    suffix = check_animation_suffix(path)
    with atomic_write(path) as file:
        _write(animation, file, suffix)


def check_animation_suffix(path: FileName) -> str:
    """Return the suffix in lower case; raise :class:`InputError` if it is not the suffix of an animation format.

    >>> check_animation_suffix("climb.GIF")
    '.gif'
    """
    return checked_suffix(path, ANIMATION_FORMATS)


def _write(animation: Animation, file: IO[bytes], suffix: str) -> None:
    first, *others = animation.frames
    durations = list(animation.durations)
    options: dict[str, Any] = {"save_all": True, "append_images": others, "duration": durations, "loop": 0}
    if suffix == ".gif":
        # Optimized: only the differences between frames are stored, which halves the size.
        first.save(file, "GIF", optimize=True, **options)
    else:
        # Flat colours compress best without loss; more effort saves little and takes minutes.
        first.save(file, "WEBP", lossless=True, quality=20, method=1, **options)
