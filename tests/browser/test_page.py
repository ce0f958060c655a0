"""The page of ``fastqueens explore`` in a real browser."""

import re
from itertools import pairwise

import numpy as np
import pytest
from pages import Finger, View

import fastqueens
from fastqueens.explorer.page import _block, page_in_one_file
from fastqueens.explorer.showing import Frame, Shown

SIZES = [8, 1000, 1_000_000]


@pytest.fixture(scope="module")
def boards():
    return {n: fastqueens.solve(n, seed=1).queens for n in SIZES}


@pytest.fixture(scope="module")
def addresses(boards, tmp_path_factory):
    """The address of the page of each board, by its size."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for n, queens in boards.items():
        file = folder / f"{n}.html"
        file.write_bytes(page_in_one_file(queens, "board.npy"))
        found[n] = file.as_uri()
    return found


@pytest.fixture(params=[8, 1_000_000])
def board(request, boards, addresses):
    """A board and the address of its page."""
    return boards[request.param], addresses[request.param]


def test_a_visitor_sees_a_board_and_finds_queens(board, look_at):
    queens, address = board
    n = len(queens)
    view = look_at(address)
    assert view.text("title") == f"{n:,} queens"
    assert view.page.title() == f"board.npy: {n:,} queens - fastqueens"
    view.until_text("verdict", "A solution")
    assert view.page.get_attribute("#verdict", "class") == "solved"
    (left, top), (right, bottom) = view.place(-0.5, -0.5), view.place(n - 0.5, n - 0.5)
    assert view.page.locator("#panel").bounding_box()["width"] < left < right < 1280
    assert 0 < top < bottom < 800

    column = n * 2 // 3
    row = int(queens[column])
    if n > 1000:
        view.find(f"{column:,}")
    else:
        view.page.evaluate("(column) => explorer.jumpTo(column)", column)
    view.until_text("message", f"Queen in column {column:,}, row {row:,} attacks no other queen.")
    view.settle()
    view.page.keyboard.press("Escape")
    assert "column" not in view.text("message")
    view.look_at(column, row, 5)
    x, y = view.place(column, row)
    view.page.mouse.click(x, y)
    view.until_text("message", f"Queen in column {column:,}, row {row:,}")
    assert view.page.evaluate("explorer.painter.chosen.column") == column


def test_small_boards_are_in_the_page_for_screen_readers(addresses, boards, look_at):
    view = look_at(addresses[8])
    view.until_text("queens", f"Rows of the queens, by column: {', '.join(map(str, boards[8]))}.")
    assert view.page.get_attribute("#map", "aria-describedby") == "queens"
    assert look_at(addresses[1000]).text("queens") == ""


def test_a_queen_is_found_by_its_column_as_typed_on_the_command_line(boards, addresses, look_at):
    view = look_at(addresses[1_000_000])
    spellings = ["100000", "100,000", "100_000", "100 000", "1e5", "1E+5", "1.0e5", " 100000 "]
    assert [view.page.evaluate("wholeNumber", typed) for typed in spellings] == [100_000] * len(spellings)
    view.find("1e5")
    view.until_text("message", f"Queen in column 100,000, row {boards[1_000_000][100_000]:,} attacks no other queen.")
    view.settle()
    assert 8 <= visible_queens(view) <= 20
    x, y = view.place(100_000, int(boards[1_000_000][100_000]))
    free = view.page.evaluate("explorer.viewport.freePart()")
    assert (x, y) == pytest.approx(((free["left"] + free["right"]) / 2, (free["top"] + free["bottom"]) / 2), abs=2)
    for typed, message in (
        ("3,17", "Type a column as a whole number, for example 1000, 1,000 or 1e3."),
        ("", "Type a column as a whole number"),
        ("-1", "-1: columns go from 0 to 999,999."),
        ("1e999", "1e999: columns go from 0 to 999,999."),
    ):
        view.find(typed)
        view.until_text("message", message)
    for n in (8, 1000):
        assert look_at(addresses[n]).page.locator("#find").is_hidden()


def test_the_counts_of_densities_equal_numpys_histogram(boards, addresses, look_at):
    queens = boards[1_000_000]
    view = look_at(addresses[1_000_000])
    level = 12
    assert view.page.evaluate("explorer.painter.density._level") == level
    side = -(-len(queens) >> level)
    edges = np.arange(side + 1) * (1 << level) - 0.5
    expected = np.histogram2d(queens, np.arange(len(queens)), bins=(edges, edges))[0].astype(int)
    counts = view.page.evaluate("Array.from(explorer.painter.density._counts)")
    assert np.array_equal(np.array(counts).reshape(side, side), expected)


def test_the_colours_of_densities_are_even_shares(boards, addresses, look_at):
    """The last cells are mostly beyond the board, and their counts are divided by the rest."""
    n, level = 1_000_000, 12
    view = look_at(addresses[n])
    drawn, ramp = view.page.evaluate(
        """() => {
          const { look, density } = explorer.painter;
          density._draw(look.ramp);
          const { width, height } = density._picture;
          const image = density._picture.getContext("2d").getImageData(0, 0, width, height);
          return [Array.from(new Uint32Array(image.data.buffer)), Array.from(look.ramp)];
        }"""
    )
    side = -(-n >> level)
    edges = np.minimum(np.arange(side + 1) << level, n) - 0.5
    counts = np.histogram2d(boards[n], np.arange(n), bins=(edges, edges))[0]
    shares = counts / np.outer(np.diff(edges), np.diff(edges)) * n
    expected = np.array(ramp)[np.floor(255 * np.clip(shares / 2, 0, 1) + 0.5).astype(int)]
    assert (np.array(drawn).reshape(side, side) == expected).mean() > 0.999


def test_wheel_and_drag_keep_the_square_under_the_pointer(addresses, look_at):
    view = look_at(addresses[1_000_000])
    view.page.mouse.move(700, 300)
    before = view.page.evaluate("explorer.view")
    for _ in range(8):
        view.page.mouse.wheel(0, -200)
        view.page.wait_for_timeout(30)
    view.settle()
    # A busy machine takes several turns of the wheel for one.
    while (after := view.page.evaluate("explorer.view"))["scale"] <= 8 * before["scale"]:
        view.page.mouse.wheel(0, -200)
        view.settle()
    # Each step of the zoom rounds, and a busy machine takes more steps, whose errors grow with the zoom.
    for edge, at in (("left", 700), ("top", 300)):
        places = [view_then[edge] + at / view_then["scale"] for view_then in (before, after)]
        assert (places[1] - places[0]) * before["scale"] == pytest.approx(0, abs=4)
    view.page.mouse.down()
    view.page.mouse.move(600, 350, steps=5)
    view.page.mouse.up()
    view.settle()
    moved = view.page.evaluate("explorer.view")
    # The map keeps gliding for a moment.
    assert (after["left"] - moved["left"]) * after["scale"] == pytest.approx(-100, abs=60)


def test_the_address_leads_back_to_the_view(addresses, look_at):
    view = look_at(addresses[1_000_000])
    view.page.evaluate("explorer.jumpTo(123456)")
    view.until_text("message", "column 123,456")
    view.settle()
    view.page.keyboard.press("Tab")
    view.until(lambda: "queen=123456" in view.page.url)
    view.page.wait_for_timeout(300)
    here = view.page.evaluate("explorer.view")
    again = look_at(view.page.url)
    there = again.page.evaluate("explorer.view")
    assert there["scale"] == pytest.approx(here["scale"], rel=0.001)
    for edge in ("left", "top"):
        assert (there[edge] - here[edge]) * here["scale"] == pytest.approx(0, abs=1)
    again.until_text("message", "column 123,456")
    again.page.evaluate("location.hash = '#at=8,8,2.5'")
    again.settle()
    assert again.place(7.5, 7.5) == pytest.approx((640, 400), abs=1)
    assert again.zoom == pytest.approx(2.5)


def test_a_click_on_tiny_squares_zooms_in_there(addresses, look_at):
    view = look_at(addresses[1_000_000])
    before = view.page.evaluate("explorer.view")
    view.page.mouse.click(700, 300)
    view.settle()
    after = view.page.evaluate("explorer.view")
    assert after["scale"] == pytest.approx(4 * before["scale"], rel=0.01)
    # Each step of the zoom rounds, and a busy machine takes more steps.
    for edge, at in (("left", 700), ("top", 300)):
        assert (before[edge] + at / before["scale"] - after[edge]) * after["scale"] == pytest.approx(at, abs=8)
    assert not is_chosen(view)
    view.look_at(500, 500, 6)
    view.page.mouse.click(*view.place(505, 505))
    view.settle()
    assert view.zoom == 6


def is_chosen(view):
    return view.page.evaluate("explorer.painter.chosen !== null")


def test_a_click_lifts_the_threads_of_a_queen_and_a_click_beside_queens_lets_them_go(boards, addresses, look_at):
    view = look_at(addresses[1000])
    queens = boards[1000]
    far = (abs(np.subtract.outer(np.arange(1000), np.arange(1000))) + abs(np.subtract.outer(queens, queens))).astype(
        float
    )
    np.fill_diagonal(far, np.inf)
    column = int(far.min(axis=0).argmax())
    view.page.mouse.click(*(at + 3 for at in view.place(column, int(queens[column]))))
    view.until_text("message", f"Queen in column {column}, row {queens[column]} attacks no other queen.")
    view.settle()
    zoom = view.zoom
    x, y = empty_place(view, queens)
    view.page.mouse.click(x, y)
    view.settle()
    assert (is_chosen(view), view.zoom) == (False, zoom)
    view.page.mouse.click(x, y)
    view.settle()
    assert view.zoom == pytest.approx(zoom + 2, abs=0.01)


def empty_place(view, queens):
    """A place of the window that is far from all queens."""
    places = np.array([view.place(column, row) for column, row in enumerate(queens.tolist())])
    rng = np.random.default_rng(1)
    return next(
        place
        for place in rng.integers((500, 100), (1000, 700), (1000, 2)).tolist()
        if np.hypot(*(places - place).T).min() > 16
    )


def test_the_small_map_shows_the_window_and_leads_anywhere(addresses, look_at):
    view = look_at(addresses[1_000_000])
    assert view.page.locator("#where").is_hidden()
    view.look_at(900_000, 100_000, 4)
    view.page.mouse.move(600, 300)

    def frame():
        return view.page.evaluate(
            """() => {
              const map = document.getElementById("small-map"), { data } = map.getContext("2d")
                .getImageData(0, 0, map.width, map.height);
              const ink = partsOf(explorer.painter.look.ink);
              const isInk = (at) => ink.every((part, i) => data[4 * at + i] === part);
              const found = [...Array(map.width * map.height).keys()].filter(isInk);
              return [found[0] % map.width / map.width, Math.floor(found[0] / map.width) / map.height];
            }"""
        )

    assert frame() == pytest.approx([0.9, 0.1], abs=0.05)
    view.page.click("#small-map", position={"x": 20, "y": 70})
    view.settle()
    assert frame() == pytest.approx([20 / 112, 70 / 112], abs=0.05)
    view.back()
    assert frame() == pytest.approx([0.9, 0.1], abs=0.05)
    smaller = look_at(addresses[1000])
    smaller.look_at(500, 500, 4)
    assert smaller.page.locator("#where").is_hidden()


def test_numbers_on_the_edge_stand_at_their_columns(addresses, look_at):
    view = look_at(addresses[8])
    for left, scale, n in ((0, 90, 8), (123456.7, 16, 10**6), (0, 7e-7, 10**9)):
        ticks = view.page.evaluate(
            "(place) => ticksOf(document.createElement('canvas').getContext('2d'), ...place)", [left, 1000, scale, n]
        )
        columns = [int(text.replace(",", "")) for text, _ in ticks]
        assert len(columns) > 2
        assert 0 <= min(columns) <= max(columns) < n
        assert [left + at / scale for _, at in ticks] == pytest.approx([column + 0.5 for column in columns])
        gaps = [after - before for (_, before), (_, after) in pairwise(ticks)]
        assert min(gaps) > 8 * len(ticks[-1][0]) / 1.6
        assert n > 8 or columns == [*range(8)]


def test_panel_and_tools_cover_no_numbers(addresses, look_at):
    for n in (8, 1000):
        view = look_at(addresses[n])
        for levels in (0.4, 0.8, 2):
            view.page.evaluate("(levels) => explorer.viewport.zoomBy(levels)", levels)
            view.settle()
            covered, others = view.page.evaluate(
                """() => {
                  const found = [[], []], { prototype } = CanvasRenderingContext2D, { fillText } = prototype;
                  prototype.fillText = function (text, x, y) {
                    const at = this.getTransform().transformPoint({ x, y });
                    const isUnder = ({ left, right, top, bottom }) => (
                      at.x > left && at.x < right && at.y > top && at.y < bottom);
                    found[explorer.viewport.covers().some(isUnder) ? 0 : 1].push(text);
                  };
                  explorer.painter.paint(explorer.view);
                  prototype.fillText = fillText;
                  return found;
                }"""
            )
            assert covered == []
            assert len(others) > 3


def test_a_zoom_is_animated_unless_less_motion_is_preferred(boards, addresses, look_at):
    widths = """([x, y]) => new Promise((done) => {
        const seen = [], end = performance.now() + 1000;
        const look = () => {
          seen.push(explorer.view.scale);
          if (performance.now() < end) requestAnimationFrame(look);
          else done(new Set(seen).size);
        };
        look();
        const map = document.getElementById("map"), at = { clientX: x, clientY: y, bubbles: true, detail: 1 };
        for (const kind of ["mousedown", "mouseup", "click"]) map.dispatchEvent(new MouseEvent(kind, at));
      })"""
    view = look_at(addresses[1000])
    place = empty_place(view, boards[1000])
    assert view.page.evaluate(widths, place) > 4
    assert look_at(addresses[1000], reduced_motion="reduce").page.evaluate(widths, place) == 2


def test_a_random_queen_is_shown_with_its_neighbours(addresses, look_at):
    view = look_at(addresses[1_000_000])
    view.page.click("#random")
    view.until_text("message", "Queen in column")
    view.settle()
    assert 3 <= visible_queens(view) <= 40
    smaller = look_at(addresses[8])
    smaller.page.keyboard.press("r")
    assert not is_chosen(smaller)


def visible_queens(view):
    return view.page.evaluate(
        "() => { const free = explorer.viewport.freePart();"
        " return explorer.painter.dots.filter((dot) => {"
        "   const { left, top, scale } = explorer.view, [x, y] = [(dot[0] - left) * scale, (dot[1] - top) * scale];"
        "   return x > free.left && x < free.right && y > free.top && y < free.bottom; }).length; }"
    )


def test_back_leads_to_every_jump_however_quickly_they_follow(boards, addresses, look_at):
    """If the next jump interrupted a flight, back leads to the end of that flight, not to its middle."""
    view = look_at(addresses[1_000_000])
    whole = view.zoom
    view.page.wait_for_timeout(300)
    begun = view.page.evaluate("history.length")
    for column in (77, 500_000, 999_000):
        view.page.evaluate("(column) => explorer.jumpTo(column)", column)
        assert view.page.url.endswith(f"queen={column}")
        view.page.wait_for_timeout(400)
    view.page.click("#zoom-all")
    assert view.page.evaluate("history.length") == begun + 4
    for column in (999_000, 500_000, 77):
        view.page.go_back()
        view.until_text("message", f"column {column:,},")
        view.settle()
        assert view.zoom > whole + 5
        x, y = view.place(column, int(boards[1_000_000][column]))
        assert 0 < x < 1280
        assert 0 < y < 800
        view.page.wait_for_timeout(300)
    view.page.go_back()
    view.settle()
    assert view.zoom == pytest.approx(whole, abs=0.01)
    assert not is_chosen(view)


def test_the_enter_key_asks_for_a_window_with_queens(boards, addresses, look_at):
    queens = boards[1_000_000]
    view = look_at(addresses[1_000_000])
    press = view.page.keyboard.press
    press("Enter")
    view.until_text("message", "Zoom in to see single queens.")
    row = next(row for row in range(500_000) if np.abs(queens[:25] - row).min() > 25)
    view.look_at(0, row, 7)
    press("Enter")
    view.until_text("message", "Zoom out to see a queen.")


@pytest.mark.parametrize("address", ["#x", "#at=1e999,0,0", "#at=1,1,1&queen=99999999999"])
def test_a_wrong_address_shows_the_board(address, addresses, look_at):
    view = look_at(addresses[1000] + address)
    assert view.text("title") == "1,000 queens"


def test_arrow_keys_add_up_however_fast_they_are_pressed(addresses, look_at):
    view = look_at(addresses[1000])
    view.page.focus("#map")
    before = view.page.evaluate("explorer.view")
    view.page.evaluate("""for (const key of ["ArrowRight", "ArrowDown", "ArrowRight"])
        document.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }))""")
    view.settle()
    after = view.page.evaluate("explorer.view")
    assert after["left"] - before["left"] == pytest.approx(2 * 0.15 * 1280 / before["scale"], rel=0.02)
    assert after["top"] - before["top"] == pytest.approx(0.15 * 800 / before["scale"], rel=0.02)


def test_keys_alone_are_enough(boards, addresses, look_at):
    view = look_at(addresses[1000])
    press = view.page.keyboard.press
    press("Tab")
    assert view.page.evaluate("document.activeElement.id") == "map"
    assert view.page.evaluate("getComputedStyle(document.getElementById('crosshair')).display") == "block"
    begun = view.zoom
    for _ in range(3):
        press("+")
    view.settle()
    assert view.zoom == pytest.approx(begun + 3, abs=0.02)
    press("Enter")
    view.until_text("message", "Queen in column")
    column = int(re.search(r"column ([\d,]+)", view.text("message"))[1].replace(",", ""))
    assert f"row {boards[1000][column]} " in view.text("message")
    press("Escape")
    assert not is_chosen(view)
    press("?")
    assert view.page.locator("#help-text").is_visible()
    press("Escape")
    assert view.page.locator("#help-text").is_hidden()
    for theme in ("dark", "light"):
        press("t")
        assert theme_of(view) == theme
    press("0")
    view.settle()
    assert view.zoom == pytest.approx(begun, abs=0.01)


def test_keys_work_after_a_click_on_any_button(addresses, look_at):
    view = look_at(addresses[1000])
    for name in ("zoom-in", "zoom-out"):
        view.page.click(f"#{name}")
        assert view.page.evaluate("document.activeElement.id") == name
        view.settle()
        before = view.page.evaluate("explorer.view.left")
        view.page.keyboard.press("ArrowRight")
        view.until(lambda: view.page.evaluate("explorer.view.left") > before)  # noqa: B023
    view.page.keyboard.press("Space")
    view.settle()
    assert view.zoom < look_at(addresses[1000]).zoom


def test_a_field_takes_keys_until_it_is_left(addresses, look_at):
    view = look_at(addresses[1_000_000])
    press, focused = view.page.keyboard.press, "document.activeElement.id"
    view.page.focus("#map")
    press("g")
    assert view.page.evaluate(focused) == "column"
    view.page.keyboard.type("0t,")
    assert view.page.input_value("#column") == "0t,"
    assert theme_of(view) == "light"
    press("Enter")
    view.until_text("message", "Type a column")
    assert view.page.evaluate(focused) == "column"
    press("Escape")
    assert view.page.evaluate(focused) == "map"
    press("t")
    assert theme_of(view) == "dark"
    view.find(17)
    view.until_text("message", "column 17,")
    view.until(lambda: view.page.evaluate(focused) == "map")
    press("Escape")
    assert not is_chosen(view)


def test_events_before_the_first_frame_are_no_errors(addresses, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    view = View(context.new_page())
    view.page.add_init_script("window.requestAnimationFrame = () => 1")
    view.page.goto(addresses[1_000_000] + "#at=500000,500000,5&queen=77")
    view.until(lambda: view.page.evaluate("Boolean(window.explorer)"))
    view.page.mouse.move(800, 400)
    view.page.mouse.click(800, 400)
    for key in ("Enter", "t", "r", "Escape", "ArrowLeft", "+", "0"):
        view.page.keyboard.press(key)
    view.page.go_back()
    view.page.wait_for_timeout(200)
    context.close()
    assert view.errors == []


def test_tab_reaches_everything(addresses, look_at):
    view = look_at(addresses[8])
    view.choose(3)
    reached = []
    for _ in range(40):
        view.page.keyboard.press("Tab")
        found = view.page.evaluate(
            "[document.activeElement.id || document.activeElement.textContent,"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        if view.page.evaluate("document.activeElement === document.body") or found[0] in (name for name, _ in reached):
            break
        reached.append(found)
    names = [name for name, _ in reached]
    wanted = view.page.evaluate(
        "[...document.querySelectorAll('button:enabled, input, select')].filter((found) => found.offsetParent)"
        ".map((found) => found.id || found.textContent)"
    )
    assert {"map", *wanted} <= set(names)
    assert {outline for _, outline in reached} == {"solid"}


def test_touch_alone_is_enough(boards, addresses, look_at):
    view = look_at(
        addresses[1000],
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    finger = Finger(view)
    begun = view.zoom
    x, y = view.place(500, 500)
    finger.send("touchStart", (x - 5, y - 5), (x + 5, y + 5))
    for step in range(1, 11):
        finger.send("touchMove", (x - 5 - 9 * step, y - 5 - 9 * step), (x + 5 + 9 * step, y + 5 + 9 * step))
        view.page.wait_for_timeout(16)
    finger.up()
    view.settle()
    assert view.zoom > begun + 2.5
    before = view.page.evaluate("explorer.view")
    finger.send("touchStart", (200, 400))
    for step in range(1, 6):
        finger.send("touchMove", (200 - 12 * step, 400))
        view.page.wait_for_timeout(16)
    finger.up()
    view.settle()
    assert view.page.evaluate("explorer.view.left") > before["left"]
    seen = [
        column
        for column, row in enumerate(boards[1000].tolist())
        for x, y in [view.place(column, row)]
        if 40 < x < 350 and 80 < y < 700
    ]
    column = seen[0]
    row = int(boards[1000][column])
    view.page.touchscreen.tap(*view.place(column, row))
    view.until_text("message", f"Queen in column {column}, row {row} attacks no other queen.")
    sheet = view.page.locator("#panel").bounding_box()
    assert sheet["height"] < 120
    assert view.place(column, row)[1] > sheet["y"] + sheet["height"]
    for button in view.page.locator("#panel button:visible, #tools button:visible").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44, button
    view.page.tap("#zoom-in")
    view.settle()


@pytest.mark.parametrize("kind", ["solved", "random", "sums", "differences"])
@pytest.mark.parametrize("n", [31, 20_000, 20_001, 300_000])
def test_a_board_is_checked_as_numpy_does(n, kind, show):
    """Above 20,000, one bit for each line serves; the four corners have the first and last line of each kind."""
    columns, rng = np.arange(n, dtype=np.int32), np.random.default_rng(n)
    queens = {
        "solved": fastqueens.solve(n, seed=1).queens,
        "random": rng.integers(0, n, n, np.int32),
        "sums": columns[::-1].copy(),
        "differences": columns,
    }[kind]
    view = show(queens)
    pairs = fastqueens.attacking_pairs(queens)
    view.until_text("verdict", f"{pairs:,} attacking pair" if pairs else "A solution")
    for at in (0, n // 2, n - 1):
        lines = (queens, columns + queens, queens - columns)
        expected = any((line == line[at]).sum() > 1 for line in lines)
        assert view.page.evaluate("(at) => explorer.board.linesOf(at).attackers.length > 0", at) == expected


@pytest.mark.parametrize("decoder", ["Uint8Array.fromBase64", "atob"])
def test_numbers_of_any_size_are_unpacked(decoder, show):
    """The rows of a page take three bytes, but the numbers of a search can take four or eight."""
    data = {"pairs": np.array([2**24, 2**32 - 1, 5]), "restarts": np.array([2**24 - 1]), "starts": np.array([2**40, 7])}
    view = show(np.array([1, 3, 0, 2], np.int32))
    if decoder == "atob":  # as in a browser from before 2025
        view.page.evaluate("delete Uint8Array.fromBase64")
    for name, array in data.items():
        found = view.page.evaluate(
            "async ([name, html]) => { document.body.insertAdjacentHTML('beforeend', html);"
            " return Array.from(await unpacked(name)); }",
            [name, _block(name, array)],
        )
        assert found == array.tolist()


def test_the_verdict_counts_attacking_pairs(show):
    queens = np.array([0, 0, 1, 2, 4, 7, 9, 6, 8, 5], np.int32)
    view = show(queens)
    view.until_text("verdict", f"{fastqueens.attacking_pairs(queens)} attacking pairs")
    assert view.page.get_attribute("#verdict", "class") == "wrong"
    view.choose(0)
    assert view.text("message") == "Queen in column 0, row 0 attacks 3 other queens."
    assert view.page.evaluate("explorer.painter.chosen.attackers") == [
        [column, row] for column, row in enumerate(queens.tolist()) if column and row in (0, column)
    ]


def test_the_system_chooses_light_or_dark(addresses, look_at):
    for scheme in ("light", "dark"):
        view = look_at(addresses[8], color_scheme=scheme)
        assert theme_of(view) == scheme
        other = "dark" if scheme == "light" else "light"
        view.page.emulate_media(color_scheme=other)
        view.until(lambda view=view, other=other: theme_of(view) == other)


def theme_of(view):
    return view.page.evaluate("document.documentElement.dataset.theme")


def test_the_help_begins_at_its_top(addresses, look_at):
    view = look_at(addresses[8], viewport={"width": 640, "height": 360})
    view.page.keyboard.press("?")
    assert view.page.locator("#help-text").evaluate("(help) => help.scrollTop") == 0
    view.page.locator("#help-text").evaluate("(help) => help.scrollTo(0, 9999)")
    view.page.click("#help-text button", timeout=5000)
    assert view.page.locator("#help-text").is_hidden()


@pytest.mark.parametrize("window", [(320, 256, 4), (844, 390, 2)])
def test_nothing_is_out_of_reach_in_a_small_window(window, addresses, look_at):
    """320 x 256 is a window of 1280 x 1024 at 400 %."""
    width, height, ratio = window
    view = look_at(addresses[1000], viewport={"width": width, "height": height}, device_scale_factor=ratio)
    view.page.evaluate("explorer.jumpTo(500)")
    view.until_text("message", "column 500")
    view.settle()
    assert view.page.evaluate("document.documentElement.scrollWidth") <= width
    assert view.page.locator("#panel").evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
    for button in view.page.locator("#panel button:visible, #panel input:visible, #tools button:visible").all():
        assert view.is_inside(button)
        assert view.is_on_top(button)


# In a frame


@pytest.fixture
def in_frame(browser):
    """Put a frame into a page; return the frame and the list of errors."""
    pages, errors = [], []

    def in_frame(queens):
        pages.append(page := browser.new_page())
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.route("https://notebook.example/", lambda route: route.fulfill(body="", content_type="text/html"))
        page.goto("https://notebook.example/")
        frame = Frame(Shown(queens), len(queens))
        page.evaluate("(html) => { document.body.innerHTML = html; }", frame._repr_html_())
        return page.frames[1], errors

    yield in_frame
    for page in pages:
        page.close()


@pytest.mark.parametrize("n", [8, 1_000_000])
def test_a_notebook_shows_the_page_in_a_frame(boards, in_frame, n):
    frame, errors = in_frame(boards[n])
    frame.locator("#verdict", has_text="A solution").wait_for()
    frame.evaluate("explorer.choose(5)")
    frame.locator("#message", has_text="Queen in column 5").wait_for()
    frame.click("#zoom-in")
    frame.page.wait_for_timeout(500)  # until the view is in the address, if there is one
    assert errors == []
    assert "#" not in frame.evaluate("location.href")
