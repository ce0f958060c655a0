"""Put one picture of each kind side by side: ``python docs/sheet.py`` writes docs/pictures/sheet.png.

They should look like the work of one hand, also as thumbnails, in grey and for colour-blind readers.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

import fastqueens
from fastqueens.pictures.figure import Picture
from fastqueens.pictures.roles import LIGHT

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures"
CELL, GAP, COLUMNS = 320, 16, 6


def main() -> None:
    """Draw the sheet."""
    images = [thumbnail(image) for image in pictures()]
    rows = -(-len(images) // COLUMNS)
    size = (COLUMNS * (CELL + GAP) + GAP, rows * (CELL + GAP) + GAP)
    sheet = Image.new("RGB", size, LIGHT.grid)
    for at, image in enumerate(images):
        row, column = divmod(at, COLUMNS)
        left, top = GAP + column * (CELL + GAP), GAP + row * (CELL + GAP)
        sheet.paste(image, (left + (CELL - image.width) // 2, top + (CELL - image.height) // 2))
    sheet.quantize(128).save(PICTURES / "sheet.png", optimize=True)


def thumbnail(image: Image.Image) -> Image.Image:
    """Return an image that fits into a cell."""
    small = image.convert("RGB")
    small.thumbnail((CELL, CELL), Image.Resampling.LANCZOS)
    return small


def pictures() -> Iterator[Image.Image]:
    """Yield a picture of each kind, light and dark."""
    solved, run = fastqueens.solve(1000, seed=1, mix=5), fastqueens.solve(1000, seed=1, start="random")
    attacked = fastqueens.random_board(8, seed=3)
    instance = fastqueens.make_instance(8, fixed={1: 3}, blocked=[(3, 2), (6, 1)], excluded_sums=[9])
    study = fastqueens.study([8, 16, 32], ["steepest", "sideways", "annealing"], 200, seed=1)
    film = fastqueens.animate(200, seed=24, size=(640, 640), seconds=4)
    chess = fastqueens.animate(8, seed=3, size=(640, 640), seconds=4)
    yield as_image(fastqueens.picture(attacked))
    yield as_image(fastqueens.picture(8, seed=1, theme="dark"))
    yield as_image(fastqueens.picture(solved))
    yield as_image(fastqueens.picture(solved, theme="dark"))
    yield film.frames[len(film.frames) // 3]
    yield chess.frames[2]
    for options in (
        {"queens": 1000, "seed": 1},
        {"queens": 1000, "seed": 2, "palette": "night"},
        {"queens": 1_000_000, "seed": 1},
        {"queens": 8, "all": True},
        {"queens": 12, "seed": 5, "style": "plain"},
    ):
        yield fastqueens.poster(**options, size="A3", dpi=50).image
    yield Image.open(DOCS / "explore.jpg")
    yield as_image(run.plot())
    yield as_image(study.plot())
    yield as_image(study.plot(what="success", theme="dark"))
    yield as_image(fastqueens.statistics(fastqueens.sample(100, 200, seed=1).boards).plot())
    yield as_image(fastqueens.picture(fastqueens.solve(200_000, seed=1, mix=5), style="density"))
    yield as_image(fastqueens.picture(fastqueens.solve(instance, seed=1), instance=instance))
    yield as_image(fastqueens.puzzle(8, 3, seed=4).picture())
    yield Image.open(DOCS / "pictures" / "times.png")
    yield Image.open(DOCS / "pictures" / "line-counters-dark.png")
    yield Image.open(DOCS / "pictures" / "tiles.png")
    yield Image.open(DOCS / "pictures" / "card.png")
    yield as_image(fastqueens.picture(30, seed=1))


def as_image(drawn: Picture) -> Image.Image:
    """Return the pixels of a picture."""
    file = io.BytesIO()
    drawn.figure.savefig(file, format="png", dpi=100)
    return Image.open(file)


if __name__ == "__main__":
    main()
