"""Files of posters: vector graphics, what printers need, notebooks, memory, and the gallery."""

import io
import os
import re
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest
from errors import check_error, check_names
from PIL import Image

from fastqueens.errors import InputError, NotEnoughMemoryError
from fastqueens.pictures.figure import MOST_IN_NOTEBOOK
from fastqueens.pictures.palettes import PALETTES, STYLES
from fastqueens.pictures.posters import poster

REPOSITORY = Path(__file__).parents[2]


def test_a_vector_poster_is_on_paper_of_its_size_and_color(tmp_path):
    width, height = (side / 25.4 * 72 for side in (106, 206))
    for style, palette, n in (("weave", "riso", 12), ("plain", "moss", 12), ("weave", "night", 2000)):
        poster(n, seed=1, style=style, palette=palette, size="100x200mm", bleed=3).save(tmp_path / "p.svg")
        drawn = (tmp_path / "p.svg").read_text()
        assert f'width="{width:.6f}pt" height="{height:.6f}pt"' in drawn, style
        background = re.search(r'<g id="patch_1">\s*<path [^>]*style="fill: (#\w+)', drawn)
        assert background[1] == PALETTES[palette].paper, style
        assert ("<image" in drawn) == (n > 12), n


def test_a_poster_keeps_its_board_and_says_what_it_is():
    board = np.array([1, 3, 0, 2])
    made = poster(board, size="A6", title="Four\nqueens")
    board[:] = 0
    assert made.queens.tolist() == [1, 3, 0, 2]
    assert repr(made) == "<Poster of 4 queens, weave, 105 x 148 mm>"
    assert (made.title, poster([0]).title) == ("Four queens", "1 queen")
    assert made.image is made.image


def test_a_poster_that_does_not_fit_into_memory_is_refused(run, leave_memory):
    leave_memory(400_000_000)
    code, _, stderr = run("poster", "8", "--size", "A0", "-o", "p.png")
    assert code == 2
    check_names(stderr, "A0", "300 dpi", "9,933 x 14,043 pixels", "1,416 MB", "400 MB")
    assert os.listdir() == []
    with pytest.raises(NotEnoughMemoryError):
        poster([0]).save("p.png")
    with check_error(NotEnoughMemoryError, "7,016 x 7,016 pixels"):
        poster(range(2000)).save("p.pdf")
    assert run("poster", "8", "--size", "A0", "-o", "p.pdf")[0] == 0
    with check_error(InputError, "A0 at 2400 dpi", 65_535):
        poster([0], size="A0", dpi=2400)._repr_jpeg_()


def test_the_gallery_is_rendered_from_its_recipes(monkeypatch, tmp_path):
    folder = REPOSITORY / "posters"
    shutil.copy(folder / "render.py", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    import render

    recipes = tomllib.loads((folder / "gallery.toml").read_text())["poster"]
    readme = (folder / "README.md").read_text()
    assert len(recipes) == readme.count("<figure>") == 12
    assert all(f"<code>{render.command(recipe)}</code>" in readme for recipe in recipes)
    assert {recipe.get("style", "weave") for recipe in recipes} == set(STYLES)
    names = {f"{recipe['name']}{part}.jpg" for recipe in recipes for part in ("", "-detail")}
    assert names == {path.name for path in folder.glob("previews/*.jpg")}
    assert render.render({"name": "small", "n": 50, "seed": 1, "size": "A5", "dpi": 150}) == (874, 1240)
    for name, size in (("previews/small.jpg", (700, 993)), ("rendered/small.png", (874, 1240))):
        with Image.open(tmp_path / name) as image:
            assert image.size == size


def test_a_pdf_has_the_size_of_the_sheet_with_its_bleed(run):
    for style, bleed in (("weave", 0), ("plain", 3)):
        command = f"poster 12 --seed 1 --style {style} --size 100x200mm --bleed {bleed}mm -q -o p.pdf"
        assert run(*command.split()) == (0, "", "")
        (box,) = re.findall(rb"/(?:Media|Crop|Bleed|Trim|Art)Box\s*\[([^]]*)\]", Path("p.pdf").read_bytes())
        expected = [0, 0, 100 + 2 * bleed, 200 + 2 * bleed]
        assert [float(number) / 72 * 25.4 for number in box.split()] == pytest.approx(expected, abs=0.01)


def test_a_notebook_stores_a_preview_and_the_file_has_all_pixels(tmp_path):
    """The JPEG of a weave of many queens is too long in the size of other previews."""
    made = poster(9_000, seed=1, size="A2", dpi=100)
    image, (content, shown) = made.image, made._repr_jpeg_()
    with Image.open(io.BytesIO(content)) as preview:
        assert 500 < preview.width < image.width
        assert preview.width / preview.height == pytest.approx(image.width / image.height, rel=0.01)
    assert len(content) <= MOST_IN_NOTEBOOK
    assert shown == {"width": 707}
    made.save(tmp_path / "p.png")
    with Image.open(tmp_path / "p.png") as saved:
        assert saved.size == image.size == (1654, 2339)


def test_the_metadata_of_files_say_what_they_show(run):
    options = ["--size", "A6", "--seed", "1", "--dpi", "40", "-q"]
    for name in ("p.pdf", "p.svg", "p.png", "p.jpg", "p.webp"):
        assert run("poster", "12000", *options, "--title", "For\\nAnna", "-o", name)[0] == 0
    about = r"fastqueens, n = 12,000. Seed 1. 5 sweeps of mixing. Contrast of threads: \d(\.\d)? times."
    content = Path("p.pdf").read_bytes().decode("latin1")
    assert "/Title (For Anna)" in content
    assert "/Creator (fastqueens)" in content
    assert re.search(rf"/Subject \({about}\)", content)
    content = Path("p.svg").read_text()
    assert "<title>For Anna</title>" in content
    assert re.search(rf"<dc:description>{about}</dc:description>", content)
    assert re.search(r"<dc:creator>\s*<cc:Agent>\s*<dc:title>fastqueens</dc:title>", content)
    with Image.open("p.png") as image:
        assert (image.info["Title"], image.info["Software"]) == ("For Anna", "fastqueens")
        assert re.fullmatch(about, image.info["Description"])
    for name in ("p.jpg", "p.webp"):
        with Image.open(name) as image:
            assert re.fullmatch(f"For Anna. {about}", image.getexif()[0x010E])
            assert image.getexif()[0x0131] == "fastqueens"
