"""Links, pictures, prints and frames of the page."""

import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from test_layout import RECTANGLES

import fastqueens
from fastqueens.explorer.page import page_in_one_file

EIGHT = fastqueens.solve(8, seed=1).queens


@pytest.fixture
def eight(tmp_path):
    (tmp_path / "8.html").write_bytes(page_in_one_file(EIGHT))
    return (tmp_path / "8.html").as_uri()


def test_a_copied_link_leads_back(eight, look_at):
    view = look_at(eight, permissions=["clipboard-read", "clipboard-write"])
    view.page.evaluate("explorer.choose(3)")
    view.until_text("chosen-title", "column 3")
    for key, end in (("c", "#queen=3"), ("+", None), ("c", ";queen=3")):
        view.page.keyboard.press(key)
        view.settle()
        if end:
            view.until_text("verdict", "The link to this view is copied.")
            assert view.page.evaluate("navigator.clipboard.readText()").endswith(end)
    there = look_at(view.page.evaluate("navigator.clipboard.readText()"))
    there.until_text("chosen-title", "column 3")
    assert there.zoom == pytest.approx(view.zoom, abs=0.01)


@pytest.mark.parametrize("whole", [True, False])
def test_a_saved_picture_shows_the_visible_part_of_the_board(whole, eight, look_at):
    view = look_at(eight, color_scheme="dark")
    if not whole:
        view.look_at(8, 4, 7)  # the right half, in the left half of the window
    scale = view.page.evaluate("explorer.view.scale")
    before = view.page.evaluate("document.querySelector('.board').width")
    with view.page.expect_download() as download:
        view.page.evaluate("document.getElementById('picture').click()")
    assert download.value.suggested_filename == "8-queens.png"
    view.until_text("verdict", "8-queens.png")
    with Image.open(download.value.path()) as picture:
        width, height = picture.size
    assert width == pytest.approx(3 * (8 * scale + 20 if whole else 640), abs=6)
    assert whole == (abs(width - height) < 6)
    assert view.page.evaluate("document.querySelector('.board').width") == before


def test_a_print_is_one_page_with_a_square_board(eight, look_at):
    view = look_at(eight, color_scheme="dark")
    view.until_text("verdict", "A solution")
    document = view.page.pdf(format="A4")
    assert len(re.findall(rb"/Type /Page\b", document)) == 1
    view.page.emulate_media(media="print")
    box = view.page.locator("#print canvas").bounding_box()
    assert box["width"] == pytest.approx(box["height"], rel=0.01)
    assert view.text("print") == f"8 queens - fastqueens. {view.text('verdict')}"
    seen = np.array(Image.open(BytesIO(view.page.screenshot())).convert("L"))
    assert seen[-1].min() > 250  # nothing dark below
    assert seen[round(box["y"]) + 2, round(box["x"]) + 2] > 250  # nor around the board
    assert view.page.locator("#panel").is_hidden()
    view.page.emulate_media(media="screen")
    view.settle()
    assert view.page.locator("#print").is_hidden()


def test_a_frame_shows_only_the_board(eight, look_at):
    view = look_at(eight + "?embed", viewport={"width": 400, "height": 400})
    found = view.page.evaluate(RECTANGLES)
    assert set(found) == {"zoom", "board"}
    assert found["board"][2] - found["board"][0] > 300
