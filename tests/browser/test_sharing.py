"""Links, pictures, prints and frames of the page, and what it does if its server stops."""

import re
from io import BytesIO

import numpy as np
import pytest
import servers
from pages import View, serving
from PIL import Image
from test_layout import RECTANGLES

import fastqueens
from fastqueens.explorer import server
from fastqueens.explorer.answers import Tiles
from fastqueens.explorer.page import page_in_one_file
from fastqueens.explorer.pyramid import build_pyramid

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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_print_is_one_page_with_a_square_board(scheme, eight, look_at):
    view = look_at(eight, color_scheme=scheme)
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


@pytest.mark.parametrize("source", ["file", "server"])
def test_a_frame_shows_only_the_board(source, eight, look_at):
    with serving(EIGHT) as address:
        view = look_at((eight if source == "file" else address) + "?embed", viewport={"width": 400, "height": 400})
        found = view.page.evaluate(RECTANGLES)
        assert set(found) == {"zoom", "board"}
        assert found["board"][2] - found["board"][0] > 300


def test_a_server_that_stops_and_comes_back(browser):
    queens = fastqueens.solve(100_000, seed=1).queens
    context = browser.new_context()
    with serving(queens) as address:
        view = View(context.new_page()).open(address)
        view.until_text("verdict", "A solution")
    view.page.evaluate("(explorer.choose(3), explorer._lookAt(50_000, 50_000, 5, false))")
    sentence = "The server does not answer; the page tries to reach it again by itself."
    view.until_text("verdict", sentence)
    view.page.keyboard.press("+")  # moving ends other messages
    view.page.wait_for_timeout(500)
    assert view.text("verdict") == view.text("peek") == sentence
    view.until_text("legend-text", "Some queens are missing.")
    asked = len(view.requests)
    view.page.wait_for_timeout(3500)
    assert 1 <= len(view.requests) - asked <= 3
    tiles = Tiles(queens, build_pyramid(queens))
    tiles.mark_conflicts()
    with servers.serving(server.application(tiles), port=int(address.split(":")[-1].strip("/"))):
        view.until_text("verdict", "A solution")
        view.settle()
        assert view.text("legend-text") != "Some queens are missing."
    context.close()


def test_a_busy_server_is_asked_again(look_at):
    with serving(EIGHT) as address:
        view = look_at(address)
        view.until_text("verdict", "A solution")
        answers = [503, 200]
        view.page.route(
            "**/queen?column=3",
            lambda route: route.continue_() if answers.pop(0) == 200 else route.fulfill(status=503, body="busy"),
        )
        view.page.evaluate("explorer.choose(3)")
        view.until_text("chosen-title", "column 3")
        assert answers == []
        view.errors.clear()  # the browser reports the refusal
