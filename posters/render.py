"""Render the posters of gallery.toml into rendered/, and a small preview of each into previews/.

Run ``python posters/render.py [NAME ...]`` in the root of the repository; without a name it renders all of them.
"""

from __future__ import annotations

import sys
import time
import tomllib
from pathlib import Path
from typing import Any

from PIL import Image

from fastqueens import InputError, poster, solve
from fastqueens.pictures.saving import save_picture

HERE = Path(__file__).parent

_BOARD_KEYS = ("n", "seed", "start", "mix")
_FILE_KEYS = ("name", "preview")


def main(names: list[str]) -> None:
    """Render the recipes with these names, or all."""
    recipes = {recipe["name"]: recipe for recipe in tomllib.loads((HERE / "gallery.toml").read_text())["poster"]}
    for name in names or recipes:
        if name not in recipes:
            raise InputError(f"no poster is called {name!r}; the posters are {', '.join(recipes)}")
        begun = time.perf_counter()
        width, height = render(recipes[name])
        print(f"{name}: {width} x {height} pixels in {time.perf_counter() - begun:.1f} s")


def render(recipe: dict[str, Any]) -> tuple[int, int]:
    """Solve and draw one recipe; return the poster's width and height in pixels."""
    board = {key: recipe[key] for key in _BOARD_KEYS if key in recipe}
    look = {key: value for key, value in recipe.items() if key not in (*_BOARD_KEYS, *_FILE_KEYS)}
    image = poster(solve(**board, trace=False), **look)
    assert isinstance(image, Image.Image)
    for folder, picture in {"rendered": image, "previews": preview(image, recipe["preview"])}.items():
        (HERE / folder).mkdir(exist_ok=True)
        save_picture(picture, HERE / folder / f"{recipe['name']}.png")
    return image.size


def preview(image: Image.Image, width: int) -> Image.Image:
    """Return a small copy for a screen, in 256 colours or in greys."""
    height = round(image.height * width / image.width)
    small = image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3)
    small.info.clear()  # on a screen its resolution means nothing
    return small if small.mode == "L" else small.quantize(256, dither=Image.Dither.NONE)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"Error: {error}")
