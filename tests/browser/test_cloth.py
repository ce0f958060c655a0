"""Drawing on the page: threads and dots as in posters, squares, the chosen queen, and densities without seams."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from pages import picture, pixels

import fastqueens
from fastqueens.pictures.chessboard import Chessboard
from fastqueens.pictures.figure import house_style
from fastqueens.pictures.palettes import palette_in
from fastqueens.pictures.roles import DARK, LIGHT
from fastqueens.pictures.weave import LEAST_DOT, Cloth, Place, dot_of, strength_of, usual_pairs, width_of

ROLES = {"light": LIGHT, "dark": DARK}
PALETTE = {name: palette_in(look) for name, look in ROLES.items()}


def bytes_of(colour):
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])


def place_of(view, n, ratio):
    left, top, scale = view.page.evaluate("[explorer.view.left, explorer.view.top, explorer.view.scale]")
    return Place(-left * scale * ratio, -top * scale * ratio, n * scale * ratio)


def inside(shape, place, queens, radius):
    """The pixels that are on the board, and further from each queen than some pixels."""
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5
    edge, square = 2, place.side / len(queens)
    found = (x > place.left + edge) & (x < place.left + place.side - edge)
    found &= (y > place.top + edge) & (y < place.top + place.side - edge)
    for column, row in enumerate(queens.tolist() if radius else []):
        at = place.left + (column + 0.5) * square, place.top + (row + 0.5) * square
        near = np.s_[
            max(0, int(at[1] - radius)) : int(at[1] + radius) + 2, max(0, int(at[0] - radius)) : int(at[0] + radius) + 2
        ]
        found[near] &= np.hypot(x[near] - at[0], y[near] - at[1]) > radius
    return found


def expected(view, queens, palette, ratio, strength=1.0):
    """Threads as on a poster, and the pixels to compare, away from queens."""
    place = place_of(view, len(queens), ratio)
    drawn = picture(view)
    height, width = drawn.shape[:2]
    threads = Cloth(queens, palette, width, height, place, strength).pixels().astype(int)
    dot = dot_of(len(queens)) * place.side
    clear = inside(drawn.shape, place, queens, 0.8 * dot + 3 if dot >= LEAST_DOT else 0)
    assert clear.sum() > 0.2 * place.side**2
    return drawn, threads, clear


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("n", "ratio"), [(100, 1), (1000, 2), (5000, 1), (20_000, 1), (1_000_000, 1)])
def test_threads_are_those_of_posters(theme, n, ratio, show):
    queens = fastqueens.solve(n, seed=1).queens
    view = show(queens, color_scheme=theme, device_scale_factor=ratio)
    view.until_text("verdict", "A solution")
    drawn, threads, clear = expected(view, queens, PALETTE[theme], ratio)
    assert np.abs(drawn - threads)[clear].max() <= 4


@pytest.mark.parametrize(
    ("n", "moved", "theme"), [(100, 100, "light"), (100, 6, "dark"), (400, 400, "light"), (400, 20, "light")]
)
def test_lines_of_several_queens_are_red_on_pale_threads(n, moved, theme, show):
    """This includes boards with so many of them that threads are as pale as they can be."""
    queens, rng = fastqueens.solve(n, seed=1).queens.copy(), np.random.default_rng(2)
    columns = rng.choice(n, moved, replace=False)
    queens[columns] = queens[rng.permutation(columns)]
    queens[10] = queens[20]
    view = show(queens.astype(np.int32), color_scheme=theme)
    view.until_text("verdict", f"{fastqueens.attacking_pairs(queens)} attacking pairs")
    strength = strength_of(fastqueens.attacking_pairs(queens), usual_pairs(n))
    drawn, threads, clear = expected(view, queens, PALETTE[theme], 1, strength)
    difference = np.abs(drawn - threads).max(axis=2)[clear]
    # Where red lines cross, one covers the other in another order.
    assert np.mean(difference > 4) < 0.01


def test_a_single_red_line_is_never_lost(show):
    queens = fastqueens.solve(5000, seed=1).queens.copy()
    queens[[100, 101]] = queens[[101, 100]]
    pairs = fastqueens.attacking_pairs(queens)
    assert 0 < pairs < 10
    view = show(queens)
    view.until_text("verdict", f"{pairs} attacking pair")
    column, _ = fastqueens.first_attack(queens)
    for zoom in (None, 3, 5):  # the whole board, with threads, and without them
        if zoom is not None:
            view.look_at(column + 0.5, queens[column] + 0.5, zoom)
        drawn = picture(view).astype(int)
        assert (np.abs(drawn - bytes_of(LIGHT.attack)).max(axis=2) < 40).sum() > 500


def test_the_threads_of_the_chosen_queen_are_full_and_others_pale(show):
    queens = fastqueens.solve(100, seed=1).queens
    view = show(queens)
    view.until_text("verdict", "A solution")
    view.choose(40)
    drawn, threads, clear = expected(view, queens, PALETTE["light"], 1, 0.2)
    place, (y, x) = place_of(view, 100, 1), np.mgrid[: drawn.shape[0], : drawn.shape[1]] + 0.5
    square, reach = place.side / 100, width_of(100) * place.side / 100 / 2
    column, row = (x - place.left) / square - 40.5, (y - place.top) / square - queens[40] - 0.5
    away = {"row": abs(row), "rising": abs(column + row), "falling": abs(row - column)}
    others = clear & np.all([distance * square > 2 * reach + 2 for distance in away.values()], axis=0)
    assert np.abs(drawn - threads)[others].max() <= 4
    full = np.array(Cloth(queens, PALETTE["light"], drawn.shape[1], drawn.shape[0], place).pixels(), int)
    for name, other in (("rising", "falling"), ("falling", "rising")):
        own = clear & (away[name] * square < 0.5 * reach) & (away[other] * square > 4 * reach) & (away["row"] > 1)
        ink = bytes_of(getattr(PALETTE["light"], name))
        assert own.sum() > 100
        # Nothing is darker than the ink of the thread, unless a pale one of the other ink crosses it.
        assert np.abs(np.percentile(drawn[own], 75, axis=0) - ink).max() < 20
        assert full[own].mean() < drawn[own].mean() + 1


def strength_at(view, scale):
    view.look_at(view.page.evaluate("explorer.board.n / 2"), 5, np.log2(scale))
    return view.page.evaluate("explorer.painter._strength")


def test_threads_fade_from_near_except_on_small_boards(show):
    for n, strengths in ((1000, (1, 0.5, 0)), (300, (1, 0.5, 0)), (30, (0.42, 0.42, 0.42))):
        view = show(fastqueens.solve(n, seed=1).queens)
        view.until_text("verdict", "A solution")
        found = tuple(strength_at(view, scale) for scale in (8, 14, 20))
        assert found == pytest.approx(strengths)
        assert strength_at(view, 90) == pytest.approx(strengths[-1])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_small_board_is_that_of_a_picture(theme, show):
    queens = np.array([3, 6, 4, 4, 7, 0, 4, 2], np.int32)
    view = show(queens, color_scheme=theme)
    view.until_text("verdict", "6 attacking pairs")
    place = place_of(view, 8, 1)
    with house_style(theme):
        figure = Figure(figsize=(place.side / 100,) * 2, dpi=100)
        board = Chessboard(figure.add_axes((0, 0, 1, 1)), 8)
        board.draw_threads(np.arange(8), queens)
        board.draw_attacks(queens)
        board.draw_queens(np.arange(8), queens)
        FigureCanvasAgg(figure).draw()
    pictured = np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)
    left, top, side = round(place.left), round(place.top), pictured.shape[0]
    drawn = picture(view)[top : top + side, left : left + side].astype(int)
    # Edges of shapes can be half a pixel away.
    assert np.mean(np.abs(drawn - pictured).max(axis=2) <= 4) > 0.95


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_squares_appear_with_their_size(theme, show):
    board, square = bytes_of(ROLES[theme].paper), bytes_of(ROLES[theme].square)
    queens = fastqueens.solve(25_000, seed=1).queens
    view = show(queens, color_scheme=theme)
    view.until_text("verdict", "A solution")
    for scale, contrast in ((24, 0.5), (40, 1), (64, 1)):
        view.look_at(12_000, 12_000, np.log2(scale))
        free = [
            place for place in [(12_000, 12_000), (12_001, 12_001), (12_002, 12_004)] if queens[place[0]] != place[1]
        ]
        for column, row in free[:1]:
            found = pixels(view, [view.place(column, row), view.place(column, row + 1)])
            ends = board, board + contrast * (square - board)
            assert np.abs(np.array(found) - ends).max() <= 2


@pytest.mark.parametrize("scale", [4, 10, 20])
def test_queens_are_dots_and_on_large_squares_crowns(scale, show):
    """The middle of a dot has its colour; a crown leaves its upper corners free."""
    queens = fastqueens.solve(1000, seed=1).queens
    view = show(queens)
    view.until_text("verdict", "A solution")
    view.look_at(500.5, queens[500] + 0.5, np.log2(scale))
    size = view.page.evaluate("explorer.painter.queenSize()")
    assert size == pytest.approx(max(0.72 * scale, min(8, 0.15 * scale * 1000**0.5)) if scale < 16 else 0.92 * scale)
    x, y = view.place(500, int(queens[500]))
    ((middle,), (corner,)) = (
        pixels(view, [place]) for place in ((x, y + 0.1 * size), (x - 0.2 * size, y - 0.2 * size))
    )
    dot = {4: (255, 255, 255), 10: (255, 255, 255), 20: (0x16, 0x18, 0x1D)}[scale]
    assert np.abs(np.subtract(middle, dot)).max() < 12
    assert (np.abs(np.subtract(corner, dot)).max() < 60) == (scale < 16)


def test_the_density_is_a_switch(show):
    view = show(fastqueens.solve(30_000, seed=1).queens)
    view.until_text("verdict", "A solution")
    threads = picture(view)
    for is_density in (True, False):
        view.page.keyboard.press("d")
        view.settle()
        assert view.page.locator("#legend").is_visible() == is_density
        assert view.is_pressed("density") == is_density
        view.until(lambda: ("density=1" in view.page.url) == is_density)  # noqa: B023
        assert (picture(view) == threads).all() == (not is_density)
    assert show(fastqueens.solve(1000, seed=1).queens).page.locator("#density").is_hidden()


@pytest.mark.parametrize("ratio", [1, 2])
def test_dots_are_round_at_any_size(ratio, show):
    """A corner of the square around a small dot shows less of its colour than the middle of an edge."""
    queens = fastqueens.solve(1000, seed=1).queens
    view = show(queens, device_scale_factor=ratio, color_scheme="dark")
    view.until_text("verdict", "A solution")
    found = view.page.evaluate(
        """(ratio) => {
          const disc = explorer.painter._queens._discOf(3.8 * ratio, explorer.painter.look.dot, 0, 0);
          const { data } = disc.getContext("2d").getImageData(0, 0, disc.width, disc.height);
          return Array.from({ length: disc.width * disc.height }, (_, at) => data[4 * at + 3]);
        }""",
        ratio,
    )
    opacity = np.array(found).reshape([round(len(found) ** 0.5)] * 2) / 255
    assert opacity.sum() == pytest.approx(np.pi * (1.9 * ratio) ** 2, rel=0.05)
    assert opacity[0, 0] < 0.5 < opacity[0, len(opacity) // 2 - 1]
