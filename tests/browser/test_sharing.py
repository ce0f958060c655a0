"""Links, pictures, prints and frames of the page."""

import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from test_layout import RECTANGLES

import fastqueens
from fastqueens.explorer.page import page_in_one_file
from fastqueens.pictures.roles import named_theme

EIGHT = fastqueens.solve(8, seed=1).queens


@pytest.fixture
def eight(tmp_path):
    (tmp_path / "8.html").write_bytes(page_in_one_file(EIGHT))
    return (tmp_path / "8.html").as_uri()


def test_a_copied_link_leads_back(eight, look_at):
    view = look_at(eight, permissions=["clipboard-read", "clipboard-write"])
    view.choose(3)
    for key, end in (("c", "#queen=3"), ("+", None), ("c", "&queen=3")):
        view.page.keyboard.press(key)
        view.settle()
        if end:
            view.until_text("message", "Copied the link to this view.")
            assert view.page.evaluate("navigator.clipboard.readText()").endswith(end)
    there = look_at(view.page.evaluate("navigator.clipboard.readText()"))
    there.until_text("message", "Queen in column 3,")
    assert there.zoom == pytest.approx(view.zoom, abs=0.01)


def test_a_board_moved_by_hand_is_in_the_link(eight, look_at):
    view = look_at(eight)
    view.until_text("verdict", "A solution")
    view.choose(3)
    view.page.keyboard.press("ArrowDown")
    rows = EIGHT.tolist()
    rows[3] += 1
    view.until(lambda: view.page.url.endswith(f"rows={','.join(map(str, rows))}"))
    pairs = f"{fastqueens.attacking_pairs(rows)} attacking pairs"
    there = look_at(view.page.url)
    there.until_text("verdict", pairs)
    assert there.page.evaluate("Array.from(explorer.board.rows)") == rows
    there.page.keyboard.press("Escape")
    assert there.text("message") == "From the link."
    there.page.click("#reset")
    there.until_text("verdict", "A solution")
    assert there.page.evaluate("Array.from(explorer.board.rows)") == EIGHT.tolist()
    there.until(lambda: "rows" not in there.page.url)
    # As someone types it.
    there.page.evaluate("location.hash = '#rows=0, 1,2,3,4,5,6,7'")
    there.until_text("verdict", "28 attacking pairs")
    there.page.evaluate("location.hash = ''")
    there.until_text("verdict", "A solution")


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("4,2", "The link has 2 rows, and this board has 8 columns."),
        ("0,1,2,3,4,5,6,8", "Column 7 has row 8 in the link; rows go from 0 to 7."),
        ("0,1,x,3,4,5,6,7", "Column 2 has row x in the link; rows go from 0 to 7."),
        ("0,1,,3,4,5,6,7", "Column 2 has row nothing in the link; rows go from 0 to 7."),
        ("", "The link has 0 rows, and this board has 8 columns."),
    ],
)
def test_wrong_rows_in_a_link_are_named(rows, problem, eight, look_at):
    view = look_at(f"{eight}#rows={rows}")
    view.until_text("verdict", "A solution")
    assert view.text("message") == f"{problem} The page shows its own board."
    assert view.page.evaluate("Array.from(explorer.board.rows)") == EIGHT.tolist()


def test_rows_of_large_boards_are_not_in_links(show):
    view = show(fastqueens.solve(31, seed=1).queens, address="#rows=1")
    view.until_text("verdict", "A solution")
    assert view.text("message") == "A link can hold the rows of at most 30 queens. The page shows its own board."


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_saved_picture_shows_the_whole_board_and_its_title(theme, eight, look_at):
    view = look_at(eight, color_scheme=theme)
    view.until_text("verdict", "A solution")
    view.look_at(8, 4, 7)  # also if the window shows only a part
    width = "document.querySelector('.board').width"
    before = view.page.evaluate(width)
    view.page.click("#picture")
    with view.page.expect_download() as download:
        view.page.click("#save-picture")
    assert download.value.suggested_filename == "8-queens.png"
    view.until_text("save-status", "Saved 8-queens.png")
    with Image.open(download.value.path()) as picture:
        assert picture.size == (2400, 2640)
        drawn = np.array(picture.convert("RGB")).astype(int)
    assert view.page.evaluate(width) == before
    look = named_theme(theme)
    paper, ink = (tuple(bytes.fromhex(colour[1:])) for colour in (look.paper, look.ink))
    below = drawn[2400:]
    assert (below[-10:] == paper).all()
    assert [(np.abs(half - ink).max(axis=2) < 10).any() for half in np.split(below, 2, axis=1)] == [True, True]
    # The foot of each queen is on its square.
    for column, row in enumerate(EIGHT.tolist()):
        assert np.abs(drawn[300 * row + 225, 300 * column + 150] - ink).max() < 10


def test_a_print_is_one_page_with_a_square_board(eight, look_at):
    view = look_at(eight, color_scheme="dark")
    view.until_text("verdict", "A solution")
    document = view.page.pdf(format="A4")
    assert len(re.findall(rb"/Type /Page\b", document)) == 1
    view.page.emulate_media(media="print")
    box = view.page.locator("#print canvas").bounding_box()
    assert box["height"] == pytest.approx(1.1 * box["width"], rel=0.01)
    seen = np.array(Image.open(BytesIO(view.page.screenshot())).convert("L"))
    assert seen[-1].min() > 250  # nothing dark below
    assert seen[:, round(box["x"]) - 4].min() > 250  # nor beside the board
    assert view.page.locator("#panel").is_hidden()
    view.page.emulate_media(media="screen")
    view.settle()
    assert view.page.locator("#print").is_hidden()


def test_a_frame_shows_only_the_board_and_leads_to_the_page(eight, look_at):
    view = look_at(eight + "?embed", viewport={"width": 400, "height": 400})
    found = view.page.evaluate(RECTANGLES)
    assert set(found) == {"tools", "board"}
    assert found["board"][2] - found["board"][0] > 300
    assert view.page.locator("#tools button:visible").count() == 3
    assert view.page.get_attribute("#whole-page", "href") == eight
    assert view.page.locator("#whole-page").is_visible()
    assert look_at(eight).page.locator("#whole-page").is_hidden()
