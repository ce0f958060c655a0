"""The dialog that saves pictures, the board and the film of a search."""

import sys
from base64 import b64decode, b64encode
from io import BytesIO
from subprocess import run

import numpy as np
import pytest
from PIL import Image

import fastqueens
from fastqueens.explorer.page import course_data

NAMES = {"picture": ".png", "print": "-a3.png", "shapes": ".svg", "text": ".txt", "array": ".npy"}


def saved(view, kind, folder):
    """Press a button of the dialog, and return the saved file."""
    with view.page.expect_download() as download:
        view.page.press(f"#save-{kind}", "Enter")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    view.until_text("save-status", f"Saved {file.name}.")
    return file


def opened(view):
    view.page.keyboard.press("s")
    return view


def test_a_board_is_taken_home_by_keyboard(show, tmp_path):
    queens = fastqueens.solve(1000, seed=1).queens
    view = opened(show(queens))
    assert view.page.evaluate("document.activeElement.textContent") == "Close"
    files = {kind: saved(view, kind, tmp_path) for kind in NAMES}
    assert [file.name for file in files.values()] == [f"1000-queens{suffix}" for suffix in NAMES.values()]
    for kind in ("text", "array"):
        checked = run([sys.executable, "-m", "fastqueens", "verify", "-v", files[kind]], capture_output=True, text=True)
        assert checked.returncode == 0, checked
        assert (fastqueens.read_board(files[kind]) == queens).all()
    assert np.load(files["array"]).dtype == np.int32
    with Image.open(files["picture"]) as picture, Image.open(files["print"]) as large:
        assert (picture.size, large.size) == ((2400, 2640), (3508, 3508))
    view.page.keyboard.press("Escape")
    view.until(lambda: view.page.evaluate("document.activeElement.id") == "picture")
    assert not view.page.evaluate("document.getElementById('save').open")


def test_a_large_board_is_written_as_text_part_by_part(show, tmp_path):
    queens = fastqueens.solve(2**18 + 7, seed=1).queens
    view = opened(show(queens))
    assert view.page.locator("#save-shapes").is_hidden()
    assert view.text("no-shapes").startswith("SVG is for up to 5,000 queens")
    assert (np.loadtxt(saved(view, "text", tmp_path), np.int32) == queens).all()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("n", "moved"), [(8, False), (8, True), (1000, False), (1000, True)])
def test_shapes_are_those_of_the_picture(n, moved, theme, show, tmp_path, browser):
    """Edges of shapes are smoothed layer by layer, so means of 16 x 16 pixels are compared."""
    queens, instance = fastqueens.solve(n, seed=1).queens.copy(), None
    if moved:
        queens[[1, 2]] = queens[[2, 1]]
        queens[5] = queens[3]
        instance = fastqueens.make_instance(n, {4: int(queens[4])}, blocked=[(0, n - 1)], excluded_sums=[2 * n - 3])
    view = opened(show(queens, instance, color_scheme=theme))
    shapes, picture = (saved(view, kind, tmp_path) for kind in ("shapes", "picture"))
    assert shapes.stat().st_size < 200_000
    page = browser.new_page(viewport={"width": 800, "height": 800}, device_scale_factor=3)
    page.goto(shapes.as_uri())
    drawn = np.array(Image.open(BytesIO(page.screenshot())).convert("RGB"), float)
    page.close()
    with Image.open(picture) as whole:
        expected = np.array(whole.convert("RGB").crop((0, 0, 2400, 2400)), float)
    parts = [pixels.reshape(150, 16, 150, 16, 3).mean((1, 3)) for pixels in (drawn, expected)]
    assert np.abs(parts[0] - parts[1]).max() < (6 if n == 8 else 25)
    assert np.abs(parts[0] - parts[1]).mean() < (0.2 if n == 8 else 4)


def test_the_name_has_the_seed_of_the_board_unless_hands_changed_it(show, tmp_path):
    view = show(fastqueens.solve(8, seed=1).queens)
    view.page.evaluate("explorer.source = { seed: 2n ** 64n - 1n }")
    opened(view)
    assert saved(view, "text", tmp_path).name == "8-queens-seed-18446744073709551615.txt"
    view.page.keyboard.press("Escape")
    view.choose(3)
    view.page.keyboard.press("ArrowDown")
    opened(view)
    changed = saved(view, "text", tmp_path)
    assert changed.name == "8-queens.txt"
    assert fastqueens.read_board(changed).tolist() == view.page.evaluate("Array.from(explorer.board.rows)")


@pytest.fixture
def search():
    found = fastqueens.solve(50, seed=3, start="random", trace="moves")
    return found.moves.first_boards[0], course_data(found.trace, found.restarts, found.moves)


FRAME = """(data) => new Promise((resolve) => {
    const film = document.createElement("video"), picture = document.createElement("canvas");
    film.onseeked = film.onended = () => {
        Object.assign(picture, { width: film.videoWidth, height: film.videoHeight });
        picture.getContext("2d").drawImage(film, 0, 0);
        resolve([film.currentTime, picture.toDataURL("image/png").split(",")[1]]);
    };
    film.onloadeddata = () => { film.playbackRate = 8; film.play(); };
    film.src = `data:video/webm;base64,${data}`;
})"""


def test_the_film_of_a_search_ends_with_its_last_board(search, show, tmp_path, browser):
    first, data = search
    view = opened(show(first, data=data, viewport={"width": 390, "height": 844}))
    assert view.page.evaluate("document.getElementById('save').scrollWidth <= innerWidth")
    assert view.text("film-seconds") == "12"
    view.page.click("#save-film")
    view.until(lambda: view.page.locator("#save-progress").get_attribute("value") is not None)
    view.page.click("#save-cancel")
    view.until_text("save-status", "Cancelled; nothing was saved.")
    film = saved(view, "film", tmp_path)
    assert film.name == "50-queens.webm"
    page = browser.new_page()
    seconds, last = page.evaluate(FRAME, b64encode(film.read_bytes()).decode())
    page.close()
    drawn = np.array(Image.open(BytesIO(b64decode(last))).convert("RGB")).astype(int)
    assert drawn.shape == (1368, 1080, 3)
    assert 11 < seconds < 30
    board = drawn[:1080]
    is_red = (board[..., 0] > 180) & (board[..., 1:] < 60).all(axis=2)
    assert is_red.sum() == 0  # solved


def test_without_a_recorder_there_is_no_film(search, look_at, tmp_path):
    from fastqueens.explorer.page import page_in_one_file

    first, data = search
    (tmp_path / "page.html").write_bytes(page_in_one_file(first, "", data))
    view = look_at((tmp_path / "page.html").as_uri())
    view.page.evaluate("delete window.MediaRecorder")
    assert opened(view).page.locator("#save-film").is_hidden()
