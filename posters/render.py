"""Render the posters of gallery.toml into rendered/, a small preview of each into previews/, some to be kept here.

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
_OF_THE_FILES = ("name", "preview", "kept")

#: What is kept in the repository holds so many greys: enough for smooth edges, in two thirds of the bytes.
_GREYS = 16


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
    pictures = {"rendered": image, "previews": preview(image, recipe["preview"])}
    if recipe.get("kept"):
        pictures["."] = in_few_colors(image)
    for folder, picture in pictures.items():
        (HERE / folder).mkdir(exist_ok=True)
        save_picture(picture, HERE / folder / f"{recipe['name']}.png")
    return image.size


def preview(image: Image.Image, width: int) -> Image.Image:
    """A small copy for a screen."""
    height = round(image.height * width / image.width)
    small = image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3)
    small.info.clear()  # it is for a screen, and says no resolution
    return in_few_colors(small)


def in_few_colors(image: Image.Image) -> Image.Image:
    """The same in at most 256 colours, or evenly spaced greys from black to white."""
    if image.mode != "L":
        return image.quantize(256, dither=Image.Dither.NONE)
    lightest = _GREYS - 1
    levels = image.point([round(grey * lightest / 255) for grey in range(256)])
    few = Image.frombytes("P", levels.size, levels.tobytes())
    few.putpalette([round(255 * level / lightest) for level in range(_GREYS) for _ in range(3)])
    few.info.update(image.info)
    return few


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"Error: {error}")
