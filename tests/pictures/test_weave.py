"""The weave: threads cover exactly what they should of each pixel, and every queen is where her threads cross."""

import tracemalloc

import numpy as np
import pytest

import fastqueens
from fastqueens.pictures import weave
from fastqueens.pictures.palettes import PALETTES
from fastqueens.pictures.weave import BYTES_PER_QUEEN, Cloth, Place

FINE = 40


def shares_by_sampling(queens, side, width, height, left=0.0, top=0.0):
    """Return how far rising and falling threads cover each pixel: of FINE x FINE points, those on a thread."""
    n = len(queens)
    y, x = (np.arange(size * FINE) / FINE + 0.5 / FINE for size in (height, width))
    x, y = (x[None, :] - left) * n / side, (y[:, None] - top) * n / side
    half = weave.width_of(n) / 2
    found = []
    for along, lines in ((x + y, queens + np.arange(n) + 1), (x - y, np.arange(n) - queens)):
        covered = np.zeros(along.shape, bool)
        for line in lines:
            covered |= np.abs(along - line) < half
        found.append(covered.reshape(height, FINE, width, FINE).mean((1, 3)))
    return found


def shares_of(cloth):
    """Return the shares of each pixel that the lists of a cloth give."""
    rows, columns = np.arange(cloth.height)[:, None], np.arange(cloth.width)
    return cloth._rising[rows + columns], cloth._falling[cloth.height - 1 - rows + columns]


def test_threads_cover_exactly_their_share_of_each_pixel():
    for seed, n in enumerate((1, 4, 5, 8, 13, 30)):
        random = np.random.default_rng(seed)
        queens = fastqueens.solve(n, seed=seed).queens
        width, height = random.integers(5, 30, 2).tolist()
        side, left, top = random.uniform(5 * n, 9 * n), *random.uniform(-3, 8, 2)
        cloth = Cloth(queens, PALETTES["riso"], width, height, Place(left, top, side))
        all_sampled = shares_by_sampling(queens, side, width, height, left, top)
        for share, sampled in zip(shares_of(cloth), all_sampled, strict=True):
            assert np.abs(share - sampled).max() < 2 / FINE, n


def test_a_picture_of_any_size_is_equally_dark():
    queens = fastqueens.solve(100, seed=1, mix=5).queens
    for palette in (PALETTES["riso"], PALETTES["night"]):
        look = palette._replace(dot=palette.paper)
        cloths = [Cloth(queens, look, side, side, Place(0, 0, side)) for side in (400, 517, 900)]
        assert np.ptp([cloth.pixels().mean((0, 1)) for cloth in cloths], axis=0).max() < 1


def test_each_queen_is_where_her_two_threads_cross():
    queens = fastqueens.solve(12, seed=3).queens
    cloth = Cloth(queens, PALETTES["riso"], 600, 600, Place(0, 0, 600))
    middles = 50 * np.arange(12) + 25, 50 * queens + 25
    rising, falling = shares_of(cloth)
    assert rising[middles[1], middles[0]] == pytest.approx(1)
    assert falling[middles[1], middles[0]] == pytest.approx(1)
    assert cloth.discs(50 * 0.72)[middles[1], middles[0]].tolist() == [255] * 12
    share = 12 * np.pi / 4 * weave.dot_of(12) ** 2
    assert (cloth.discs(12 * 50 * weave.dot_of(12)) > 0).mean() == pytest.approx(share, rel=0.05)


def test_inks_print_over_each_other_on_paper_and_add_up_on_a_screen():
    queens = np.array([0])
    place = Place(0, 0, 100.0)
    colors = {}
    for name in ("riso", "night"):
        picture = Cloth(queens, PALETTES[name]._replace(dot=PALETTES[name].paper), 100, 100, place).pixels()
        colors[name] = {tuple(color) for color in picture.reshape(-1, 3).tolist()}
        assert picture.shape == (100, 100, 3)
    assert all(tuple(bytes.fromhex(PALETTES[name].paper[1:])) in colors[name] for name in colors)


def test_only_lines_of_several_queens_are_red():
    place, palette = Place(0, 0, 400.0), PALETTES["riso"]._replace(attack="#ff0000")
    red = np.array([255, 0, 0])
    solution = np.array([1, 3, 0, 2])
    assert not (Cloth(solution, palette, 400, 400, place).pixels() == red).all(2).any()
    same_row = Cloth(np.array([1, 3, 1, 2]), palette, 400, 400, place).pixels()
    assert (same_row[150, [110, 190, 310, 390]] == red).all()  # beside the rings
    diagonal = Cloth(np.array([0, 1, 3, 1]), palette, 400, 400, place).pixels()
    assert (diagonal[[10, 300], [10, 300]] == red).all()


def test_a_large_board_is_drawn_as_silk_of_which_the_gain_is_known():
    queens = fastqueens.solve(5000, seed=1, mix=5).queens
    for side, silky in ((19_999, True), (20_000, False), (20_001, False)):
        assert weave.is_silk(5000, side) == silky
    cloth = Cloth(queens, PALETTES["riso"], 500, 500, Place(0, 0, 500))
    assert cloth.gain > 1
    picture = cloth.pixels()
    assert picture.std() > 20


def test_the_density_of_threads_has_each_of_them():
    random = np.random.default_rng(1)
    for n, width, bins in ((1, 0.3, 3), (10, 0.6, 500), (400, 1.0, 90), (5000, 1.0, 28_000)):
        is_used = random.random(2 * n - 1) < 0.5
        edges, density = weave.binned(is_used, width, bins)
        points = (np.arange(40 * bins) + 0.5) * 2 * n / (40 * bins)
        line = np.clip(np.round(points - 1).astype(int), 0, 2 * n - 2)
        is_covered = is_used[line] & (np.abs(points - 1 - line) < width / 2)
        assert np.array_equal(edges, np.linspace(0, 2 * n, bins + 1))
        assert np.abs(density - is_covered.reshape(bins, 40).mean(1)).max() < 0.1, n


@pytest.mark.parametrize("is_solved", [True, False])
def test_a_weave_of_many_queens_takes_few_bytes_for_each(is_solved):
    n = 6_000_000
    queens = np.append(np.arange(1, n, 2, np.int32), np.arange(0, n, 2, np.int32))
    if not is_solved:
        np.random.default_rng(1).shuffle(queens)
    tracemalloc.start()
    try:
        pixels = Cloth(queens, PALETTES["riso"], 60, 60, Place(0, 0, 60)).pixels()
        assert tracemalloc.get_traced_memory()[1] < (BYTES_PER_QUEEN - 4) * n
    finally:
        tracemalloc.stop()
    reds = pixels[..., 0].astype(int) - pixels[..., 2]
    assert (reds.mean() > 60) == (not is_solved)


def test_a_lens_shows_a_part_of_a_board_exactly():
    """Far threads, of which a large board has millions, neither blur it nor cost memory."""
    n, width, columns = 3_000_000, 60, 12
    queens = np.append(np.arange(0, n, 2), np.arange(1, n, 2))
    left, top, square = n - 500, int(queens[n - 500]) - 4, width / columns
    lens = Cloth(queens, PALETTES["riso"], width, width, Place(-left * square, -top * square, n * square), dot=4.0)
    small = queens[left - 40 : left + columns + 40] - top
    _, falling = shares_of(lens)
    y, x = (np.arange(width * FINE) / FINE + 0.5 / FINE for _ in "yx")
    along = (x[None, :] - y[:, None]) / square
    covered = np.zeros(along.shape, bool)
    for line in np.arange(-40, columns + 40) - small:
        covered |= np.abs(along - line) < weave.width_of(columns) / 2
    sampled = covered.reshape(width, FINE, width, FINE).mean((1, 3))
    assert np.abs(falling - sampled).max() < 2 / FINE
    assert len(lens._rising) == 2 * width - 1
