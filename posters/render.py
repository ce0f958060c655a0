"""Render the posters of gallery.toml into rendered/, and a small preview of each into previews/.

``python posters/render.py [NAME ...]`` from the root of the repository; all of them where no name is given.
"""

from __future__ import annotations

import sys
import time
import tomllib
from pathlib import Path
from typing import Any

from PIL import Image

from fastqueens import InputError, solve
from fastqueens.pictures.posters import poster
from fastqueens.pictures.saving import save_picture

HERE = Path(__file__).parent

_OF_THE_BOARD = ("n", "seed", "start")
_OF_THE_FILES = ("name", "preview")


def main(names: list[str]) -> None:
    """Render the recipes of these names, or all."""
    recipes = {recipe["name"]: recipe for recipe in tomllib.loads((HERE / "gallery.toml").read_text())["poster"]}
    for name in names or recipes:
        if name not in recipes:
            raise InputError(f"no poster is called {name!r}, there are {', '.join(recipes)}")
        begun = time.perf_counter()
        width, height = render(recipes[name])
        print(f"{name}: {width} x {height} pixels in {time.perf_counter() - begun:.1f} s")


def render(recipe: dict[str, Any]) -> tuple[int, int]:
    """Solve and draw one recipe; gives the pixels of the poster."""
    board = {key: recipe[key] for key in _OF_THE_BOARD if key in recipe}
    look = {key: value for key, value in recipe.items() if key not in (*_OF_THE_BOARD, *_OF_THE_FILES)}
    result = solve(**board, trace=recipe["style"] == "infographic")
    image = poster(result.queens, seed=result.seed, steps=result.steps, trace=result.trace, **look)
    assert isinstance(image, Image.Image)
    for folder, picture in (("rendered", image), ("previews", preview(image, recipe["preview"]))):
        (HERE / folder).mkdir(exist_ok=True)
        save_picture(picture, HERE / folder / f"{recipe['name']}.png")
    return image.size


def preview(image: Image.Image, width: int) -> Image.Image:
    """A small copy for a screen, in few colours where few are enough."""
    height = round(image.height * width / image.width)
    small = image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3)
    if small.mode == "L":
        return small.quantize(16).convert("P")
    return small.quantize(256, dither=Image.Dither.NONE)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"Error: {error}")
