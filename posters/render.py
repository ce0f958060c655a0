"""Render the posters of gallery.toml into rendered/, and a small copy and a detail of each into previews/.

Run ``python posters/render.py [NAME ...]`` in the root of the repository; without a name it renders all of them.
"""

from __future__ import annotations

import shlex
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

from PIL import Image

from fastqueens import InputError, poster, solve

HERE = Path(__file__).parent

_BOARD_KEYS = ("n", "seed", "mix")

#: The width of previews in pixels, and of details on paper in millimetres.
_WIDTH, _DETAIL = 700, 60


def main(names: list[str]) -> None:
    """Render the recipes with these names, or all."""
    recipes = {recipe["name"]: recipe for recipe in tomllib.loads((HERE / "gallery.toml").read_text())["poster"]}
    for name in names or recipes:
        if name not in recipes:
            raise InputError(f"no poster is called {name!r}; the posters are {', '.join(recipes)}")
        begun = time.perf_counter()
        width, height = render(recipes[name])
        print(f"{name}: {width} x {height} pixels in {time.perf_counter() - begun:.1f} s: {command(recipes[name])}")


def render(recipe: dict[str, Any]) -> tuple[int, int]:
    """Solve and draw one recipe; return the poster's width and height in pixels."""
    board = {key: recipe[key] for key in _BOARD_KEYS if key in recipe}
    look = {key: value for key, value in recipe.items() if key not in (*_BOARD_KEYS, "name", "detail")}
    subject = recipe["n"] if recipe.get("all") else solve(**board, trace=False)
    made, name = poster(subject, **look), recipe["name"]
    for folder in ("rendered", "previews"):
        (HERE / folder).mkdir(exist_ok=True)
    made.save(HERE / f"rendered/{name}.png")
    for place, picture in (
        (f"{name}.jpg", preview(made.image)),
        (f"{name}-detail.jpg", detail(made.image, *recipe.get("detail", (0.5, 0.5)))),
    ):
        picture.save(HERE / "previews" / place, quality=80, optimize=True, progressive=True)
    return made.image.size


def preview(image: Image.Image) -> Image.Image:
    """Return a small copy for a screen."""
    height = round(image.height * _WIDTH / image.width)
    return _on_screen(image.resize((_WIDTH, height), Image.Resampling.LANCZOS, reducing_gap=3))


def command(recipe: dict[str, Any]) -> str:
    """Return the command of a recipe."""
    words = ["--all" if recipe.get("all") else "", str(recipe["n"])]
    words += [f"--{key} {quoted(recipe[key])}" for key in recipe if key not in ("name", "n", "all", "detail")]
    return " ".join(["fastqueens poster", *filter(None, words), f"-o {recipe['name']}.pdf"])


def quoted(value: Any) -> str:
    """Return the value of an option as a shell reads it."""
    return shlex.quote(str(value).replace("\n", "\\n"))


def detail(image: Image.Image, across: float, down: float) -> Image.Image:
    """Return 60 x 60 mm around a place on the board, pixel by pixel."""
    side, half = min(image.size), round(_DETAIL / 25.4 * image.info["dpi"][0] / 2)
    x, y = round(image.width - side * (1 - across)), round(side * down)
    return _on_screen(image.crop((x - half, y - half, x + half, y + half)))


def _on_screen(image: Image.Image) -> Image.Image:
    image.info.clear()  # on a screen its resolution means nothing
    return image


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"Error: {error}")
