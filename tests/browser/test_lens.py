"""The lens: it enlarges the place under the pointer as the lenses of posters do."""

import base64
import math
from io import BytesIO

import numpy as np
import pytest
from pages import Finger
from PIL import Image
from test_cloth import PALETTE, bytes_of

import fastqueens
from fastqueens.pictures.lenses import LENSES_FROM, powers_of
from fastqueens.pictures.roles import LIGHT
from fastqueens.pictures.weave import RING, Cloth, Place, dot_of


@pytest.fixture(scope="module")
def boards():
    return {n: fastqueens.solve(n, seed=1).queens for n in (LENSES_FROM, 10**6)}


def shown(view):
    """Return the pixels of the lens, and the place of the board in it."""
    found = view.page.evaluate("""() => {
        const { _large: large, _lens: lens } = explorer.lens, { left, top, scale } = large.view;
        const data = lens.querySelector("canvas").toDataURL().split(",")[1];
        return { data, left, top, scale, n: explorer.board.n, isOn: getComputedStyle(lens).visibility === "visible" };
    }""")
    assert found["isOn"]
    pixels = np.array(Image.open(BytesIO(base64.b64decode(found["data"]))).convert("RGB")).astype(int)
    scale = found["scale"]
    return pixels, Place(-found["left"] * scale, -found["top"] * scale, found["n"] * scale)


def magnify(view, power, place):
    """Move the mouse to a place, given as shares of the board, and take a power of the lens."""
    view.until_text("verdict", "A solution")
    n = view.page.evaluate("explorer.board.n")
    view.page.mouse.move(*view.place(place[0] * n, place[1] * n))
    for _ in range(power):
        view.page.keyboard.press("l")
    view.page.wait_for_timeout(100)
    return shown(view)


@pytest.mark.parametrize(
    ("n", "power", "theme"),
    [
        (LENSES_FROM, 1, "light"),
        (LENSES_FROM, 2, "light"),
        (LENSES_FROM, 3, "dark"),
        (10**6, 1, "dark"),
        (10**6, 3, "light"),
    ],
)
def test_a_lens_shows_threads_and_queens_as_posters_do(n, power, theme, boards, show):
    queens = boards[n]
    view = show(queens, color_scheme=theme)
    pixels, place = magnify(view, power, (0.3, 0.6))
    width, square, palette = len(pixels), place.side / n, PALETTE[theme]
    dot = max(0.72 * square, 8) if square >= 4 else None
    cloth = Cloth(queens, palette, width, width, place, dot=dot)
    expected, y, x = cloth.pixels().astype(int), *np.ogrid[:width, :width]
    is_inside = np.hypot(x - width / 2, y - width / 2) < width / 2 - 2
    is_thread = cloth.discs(20 if dot else 3 + RING * dot_of(n) * place.side) == 0
    assert np.abs(pixels - expected)[is_inside & is_thread].max() <= 4
    times = powers_of(n)[power - 1]
    assert view.text("message") == f"Lens: × {times:,}."
    assert square == pytest.approx(times * view.page.evaluate("explorer.view.scale"))
    assert width / square >= 15 or power < 3
    # The largest powers have the queen next to the place in their middle.
    middle = (width / 2 - place.left) / square, (width / 2 - place.top) / square
    at = np.hypot(np.arange(n) - 0.3 * n, queens - 0.6 * n)
    column = int(np.argmin(at)) if power > 1 else 0.3 * n
    assert middle[0] == pytest.approx(column + 0.5, abs=1 + (power == 1) * n / 700)
    if power == 3:
        assert np.mean(np.abs(pixels - expected).max(axis=2)[is_inside] <= 4) > 0.99


def test_a_lens_over_the_corner_shows_paper_outside_the_board(boards, show):
    view = show(boards[LENSES_FROM])
    pixels, place = magnify(view, 1, (1, 1))
    end = place.left + place.side
    assert 100 < end < 140
    assert (pixels[:, math.ceil(end) + 2 :] == bytes_of(LIGHT.paper)).all()
    assert pixels[: int(end) - 2, : int(end) - 2].mean() < 200


def test_a_lens_over_a_density_shows_queens(boards, show):
    queens = boards[10**6]
    view = show(queens, address="#density=1")
    pixels, place = magnify(view, 1, (0.3, 0.6))
    square = place.side / len(queens)
    dots = np.flatnonzero(np.abs(pixels - bytes_of(LIGHT.ink)).max(axis=2).ravel() < 40)
    y, x = np.divmod(dots, len(pixels))
    columns = np.rint((x + 0.5 - place.left) / square - 0.5).astype(int)
    rows = (y + 0.5 - place.top) / square - 0.5
    near = [np.abs(queens[c - 200 : c + 200] - row).min() * square for c, row in zip(columns, rows, strict=True)]
    assert len(dots) > 100
    assert max(near) < 3


def test_the_powers_are_those_of_posters(boards, show):
    view, sizes = show(boards[LENSES_FROM]), [20_000, 99_999, 150_000, 10**6, 3_210_987, 10**7]
    assert view.page.evaluate("(sizes) => sizes.map(powersOf)", sizes) == [powers_of(n) for n in sizes]
    assert view.page.evaluate("LENSES_FROM") == LENSES_FROM


def test_the_lens_by_keyboard(boards, show):
    queens = boards[LENSES_FROM]
    view = show(queens)
    view.until_text("verdict", "A solution")
    view.page.focus("#map")
    for times in powers_of(LENSES_FROM):
        view.page.keyboard.press("l")
        view.until_text("message", f"Lens: × {times:,}.")
        assert view.is_pressed("magnify")
    for _ in range(2):
        view.page.keyboard.press("ArrowRight")
        view.settle()
    pixels, place = shown(view)
    box = view.page.locator("#lens canvas").bounding_box()
    assert (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) == (640, 400)
    # The lens enlarges what is in the middle of the window, and Enter chooses the queen in it.
    column = round((len(pixels) / 2 - place.left) / place.side * LENSES_FROM - 0.5)
    assert np.abs(np.subtract(view.place(column, queens[column]), (640, 400))).max() <= 8
    view.page.keyboard.press("Enter")
    view.until_text("message", f"Queen in column {column:,}, row {queens[column]:,}")
    view.page.keyboard.press("l")
    view.until_text("message", "The lens is off.")
    assert not view.is_pressed("magnify")
    view.look_at(1000, 1000, 5)
    view.page.keyboard.press("l")
    view.until_text("message", "Zoom out to use the lens.")
    assert not view.is_pressed("magnify")


def test_a_finger_moves_the_lens_above_it_and_not_the_board(boards, show):
    view = show(boards[LENSES_FROM], viewport={"width": 390, "height": 844}, has_touch=True)
    view.until_text("verdict", "A solution")
    view.page.tap("#magnify")
    before, finger = view.page.evaluate("explorer.view"), Finger(view)
    middle = (195.0, 422.0)
    assert view.page.locator("#lens").bounding_box()["x"] + 88 == middle[0]
    finger.down(200, 420)
    for x in range(200, 300, 10):
        finger.move(x, 500)
    view.page.wait_for_timeout(100)
    box = view.page.locator("#lens canvas").bounding_box()
    assert box["y"] + box["height"] < 480
    pixels, place = shown(view)
    enlarged = (len(pixels) / 2 - place.left) / place.side, (len(pixels) / 2 - place.top) / place.side
    scale = before["scale"]
    assert enlarged[0] * LENSES_FROM == pytest.approx(before["left"] + 290 / scale, abs=2 / scale)
    assert enlarged[1] * LENSES_FROM == pytest.approx(before["top"] + 500 / scale, abs=2 / scale)
    finger.up()
    view.page.wait_for_timeout(100)
    box = view.page.locator("#lens canvas").bounding_box()
    assert box["y"] + box["height"] / 2 == pytest.approx(500, abs=1)
    assert view.page.evaluate("explorer.view") == before


def test_small_boards_have_no_lens(show):
    view = show(fastqueens.solve(1000, seed=1).queens)
    assert view.page.locator("#magnify").is_hidden()
    view.page.keyboard.press("l")
    assert view.page.locator("#lens").is_hidden()
