"""Statistics of boards: counts compared with plain Python, expectations with plain sums, errors with known laws."""

import csv
import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st
from lowered import limit_memory, lowered

import fastqueens
from fastqueens import InputError, NotEnoughMemoryError, Stopped, limit_density, statistics
from fastqueens.densities import bin_board
from fastqueens.sampling import board_statistics
from fastqueens.sampling.board_statistics import images, symmetric
from fastqueens.sampling.limit_shape import expected_occupancy, expected_pairs, expected_queens, limit_shape

pytestmark = pytest.mark.checked

SYMMETRIES = [
    lambda a: a, np.transpose, np.flipud, np.fliplr, np.rot90, lambda a: np.rot90(a, 2), lambda a: np.rot90(a, 3),
    lambda a: np.transpose(np.rot90(a, 2)),
]  # fmt: skip


def slow_counts(boards, k, reach):
    """Return queens in cells, occupied diagonals by length, and pairs, counted one by one."""
    n = len(boards[0])
    squares, occupied = np.zeros((k, k), int), np.zeros((2, k), int)
    pairs = np.zeros((2 * reach + 1, 2 * reach + 1), int)
    for queens in boards:
        queens = [int(row) for row in queens]
        for column, row in enumerate(queens):
            squares[row * k // n, column * k // n] += 1
            for other, its_row in enumerate(queens):
                right, down = other - column, its_row - row
                if other != column and abs(right) <= reach and abs(down) <= reach:
                    pairs[down + reach, right + reach] += 1
        for kind, sign in enumerate((1, -1)):
            for diagonal in {row + sign * column for column, row in enumerate(queens)}:
                length = sum(0 <= diagonal - sign * column < n for column in range(n))
                occupied[kind, (length - 1) * k // n] += 1
    return squares, occupied, pairs


def lines_of(n, k):
    lengths = np.concatenate([np.arange(1, n), np.arange(n, 0, -1)])
    return np.bincount((lengths - 1) * k // n, minlength=k)


@st.composite
def board_lists(draw):
    n = draw(st.integers(1, 20))
    boards = draw(st.lists(st.lists(st.integers(0, n - 1), min_size=n, max_size=n), min_size=1, max_size=4))
    return boards, draw(st.integers(1, n)), draw(st.integers(0, n - 1))


@given(board_lists(), st.booleans())
def test_counts_equal_the_slow_ones_on_any_boards(drawn, symmetrised):
    boards, k, reach = drawn
    n, count = len(boards[0]), len(boards)
    found = statistics(boards, k, reach=reach, symmetrised=symmetrised)
    squares, occupied, pairs = slow_counts(boards, k, reach)
    widths = np.diff([-(-i * n // k) for i in range(k + 1)])
    share = np.outer(widths, widths) / n
    assert np.array_equal(found.queens, squares)
    assert (found.n, found.count, found.k, found.reach) == (n, count, k, reach)
    expected = expected_queens(n, k)
    of_pairs = expected_pairs(n, reach)
    if symmetrised:
        squares, share, expected, pairs = (
            np.mean([image(values) for image in SYMMETRIES], axis=0) for values in (squares, share, expected, pairs)
        )
        occupied = np.stack([occupied.mean(axis=0)] * 2)
    assert found.density == pytest.approx(squares / (count * share))
    assert found.density_limit == pytest.approx(expected / share)
    assert found.occupancy == pytest.approx(occupied / (count * lines_of(n, k)))
    assert found.pairs == pytest.approx(pairs / (count * of_pairs))


@pytest.mark.parametrize(("n", "k", "reach"), [(64, 64, 63), (65, 1, 1), (127, 32, 8), (300, 299, 64)])
def test_counts_around_words(n, k, reach):
    """The bits of diagonals end at multiples of 64."""
    boards = [fastqueens.solve(n, seed=seed, max_steps=0, start="random").queens for seed in (1, 2)]
    found = statistics(boards, k, reach=reach)
    squares, occupied, pairs = slow_counts(boards, k, reach)
    assert np.array_equal(found.queens, squares)
    assert found.occupancy == pytest.approx(occupied / (2 * lines_of(n, k)))
    assert found.pairs == pytest.approx(pairs / (2 * expected_pairs(n, reach)))


@pytest.mark.parametrize("kind", ["array", "list of arrays", "lists", "samples", "mapped"])
def test_boards_come_in_many_forms(kind, tmp_path):
    boards = np.array(list(fastqueens.all_solutions(7)), np.int64)
    np.save(tmp_path / "boards.npy", boards)
    passed = {
        "array": boards, "list of arrays": list(boards), "lists": boards.tolist(),
        "samples": SimpleNamespace(boards=boards), "mapped": np.load(tmp_path / "boards.npy", mmap_mode="r"),
    }[kind]  # fmt: skip
    assert np.array_equal(statistics(passed).queens, slow_counts(boards, 7, 0)[0])
    assert np.array_equal(statistics(passed[3]).queens if kind != "samples" else slow_counts(boards[3:4], 7, 0)[0],
                          slow_counts(boards[3:4], 7, 0)[0])  # fmt: skip


@pytest.fixture
def slices_of(monkeypatch):
    """Let statistics count this number of queens between two reports."""
    return lambda size: monkeypatch.setattr(board_statistics, "_SLICE", size)


@pytest.mark.parametrize("size", [1001, 3000, 8999])
def test_slices_change_nothing_and_are_reported(slices_of, tmp_path, size):
    queens = fastqueens.solve(3000, seed=1).queens
    np.save(tmp_path / "one.npy", queens)
    np.save(tmp_path / "several.npy", [queens, queens[::-1], 2999 - queens])
    for name, total in (("one", 3000), ("several", 9000)):
        boards = np.load(tmp_path / f"{name}.npy", mmap_mode="r")
        slices_of(10**9)
        whole, reports = statistics(boards), []
        slices_of(size)
        found = statistics(boards, progress=lambda *report, to=reports: to.append(report))
        with check_error(Stopped, "statistics"):
            statistics(boards, stop=lambda: True)
        for values in ("queens", "occupancy", "pairs"):
            assert np.array_equal(getattr(found, values), getattr(whole, values))
        assert {(stage, of) for stage, _, of in reports} == {("statistics", total)}
        done = [now for _, now, _ in reports]
        assert done == sorted(set(done))
        assert done[-1] == total
        assert name == "several" or done == [*range(size, 3000, size), 3000]


def test_diagonals_with_several_queens_count_once_across_slices(slices_of):
    boards = [[3] * 50, list(range(50)), [row % 5 for row in range(50)]]
    occupied = slow_counts(boards, 10, 0)[1]
    for size in (1, 7, 49, 50, 51):
        slices_of(size)
        assert statistics(boards, 10).occupancy == pytest.approx(occupied / (3 * lines_of(50, 10))), size


# The limit shape


@pytest.mark.parametrize(("n", "k"), [(7, 7), (10, 4), (33, 32), (1000, 7)])
def test_expected_queens_are_integrals_over_the_true_cells(n, k):
    edges = np.array([-(-i * n // k) for i in range(k + 1)]) / n
    points = (np.arange(40) + 0.5) / 40
    at = (edges[:-1, None] + np.diff(edges)[:, None] * points).ravel()
    density = limit_shape().density(at[:, None], at).reshape(k, 40, k, 40).mean(axis=(1, 3))
    areas = np.outer(np.diff(edges), np.diff(edges))
    assert expected_queens(n, k) == pytest.approx(density * areas * n, rel=2e-4)
    assert expected_queens(n, k).sum() == pytest.approx(n, rel=1e-6)
    assert expected_queens(n, k).sum(axis=0) == pytest.approx(np.diff(edges) * n, rel=1e-4)


@pytest.mark.parametrize(("n", "k"), [(5000, 1), (5000, 10), (5000, 4096), (50, 7)])
def test_expected_occupancy_is_the_mean_over_the_diagonals(n, k):
    lengths = np.concatenate([np.arange(1, n), np.arange(n, 0, -1)])
    cells = (lengths - 1) * k // n
    occupied = np.bincount(cells, 1 - limit_shape().free(lengths / n)) / np.bincount(cells)
    assert expected_occupancy(n, k) == pytest.approx(occupied, abs=0.05 / n)


@pytest.mark.parametrize("n", [1, 2, 9, 512, 513])
def test_expected_pairs_are_sums_of_products(n):
    reach = min(n - 1, 3)
    density = limit_density(n)
    expected = np.array([
        [(density[:n - down, :n - right] * density[down:, right:]).sum() / n**2 for right in range(reach + 1)]
        for down in range(reach + 1)
    ])  # fmt: skip
    assert expected_pairs(n, reach)[reach:, reach:] == pytest.approx(expected, rel=1e-12 if n <= 512 else 1e-5)
    assert expected_pairs(n, reach) == pytest.approx(symmetric(expected_pairs(n, reach)), rel=1e-12)


def test_independent_queens_have_pair_correlation_and_chi_square_around_one():
    """Rows are drawn from the limit shape in each column, so only the sums of columns are fixed."""
    n, count = 64, 4000
    odds = limit_density(n) / n
    drawn = np.random.default_rng(1)
    columns = [drawn.choice(n, count, p=odds[:, column] / odds[:, column].sum()) for column in range(n)]
    boards = np.stack(columns, axis=1)
    found = statistics(boards, 16, reach=3)
    off_column = np.arange(-3, 4) != 0
    assert (found.pairs[:, ~off_column] == 0).all()
    deviations = (found.pairs - 1)[:, off_column] / found.pairs_error[:, off_column]
    assert 0.5 < np.mean(deviations**2) < 1.7
    assert found.chi_square == pytest.approx(16 * 15, abs=5 * np.sqrt(2 * 240))
    assert 0.8 < np.mean(((found.density - found.density_limit) / found.density_error) ** 2) < 1.25
    halves = statistics(boards, 16, symmetrised=True)
    assert halves.cells == 36
    assert halves.chi_square == pytest.approx(36, abs=5 * np.sqrt(72))
    assert 0.5 < np.mean(((halves.density - halves.density_limit) / halves.density_error) ** 2) < 1.7


def test_residuals_give_the_chi_square():
    queens = fastqueens.solve(1000, seed=3).queens
    found = statistics(queens, 9)
    expected = expected_queens(1000, 9)
    assert found.residuals == pytest.approx((found.queens - expected) / np.sqrt(expected))
    assert found.chi_square == pytest.approx(((found.queens - expected) ** 2 / expected).sum())
    assert found.chi_square_per_cell == pytest.approx(found.chi_square / 81)
    mirrored = statistics(queens, 9, symmetrised=True)
    classes = {}
    ids = np.arange(81).reshape(9, 9)
    for at in range(81):
        place = min(int(image(ids).ravel()[at]) for image in SYMMETRIES)
        of_class = classes.setdefault(place, [0.0, 0.0])
        of_class[0] += found.queens.ravel()[at]
        of_class[1] += expected.ravel()[at]
    assert mirrored.cells == len(classes) == 15
    assert mirrored.chi_square == pytest.approx(sum((seen - due) ** 2 / due for seen, due in classes.values()))


def test_cells_and_degrees_of_freedom():
    """The fixed sums leave as many numbers free as a linear system says."""
    for k, symmetrised in itertools.product(range(1, 9), (False, True)):
        found = statistics(range(8), k, symmetrised=symmetrised)
        ids = np.arange(k * k).reshape(k, k)
        classes = np.min([image(ids) for image in SYMMETRIES], axis=0) if symmetrised else ids
        kinds = np.unique(classes)
        sums = [(line[:, None] == kinds).sum(axis=0) for grid in (classes, classes.T) for line in grid]
        assert found.cells == len(kinds)
        assert found.degrees_of_freedom == len(kinds) - np.linalg.matrix_rank(np.array(sums))


@given(st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_symmetric_is_the_mean_over_all_images(size, seed):
    values = np.random.default_rng(seed).random((size, size))
    assert symmetric(values) == pytest.approx(np.mean([image(values) for image in SYMMETRIES], axis=0))
    ids = np.arange(size * size).reshape(size, size)
    different = [[len({int(image(ids)[i, j]) for image in SYMMETRIES}) for j in range(size)] for i in range(size)]
    assert images(size).tolist() == different


# Errors


def test_errors_come_from_the_boards_if_there_are_enough():
    drawn = np.random.default_rng(4)
    boards = np.stack([drawn.permutation(12) for _ in range(64)])
    found = statistics(boards, 4)
    counts = np.stack([bin_board(board, 4).squares for board in boards])
    assert found.density_error == pytest.approx(counts.std(axis=0, ddof=1) / 8 / (12 / 16))
    for count in (1, 29):
        few = statistics(boards[:count], 4)
        assert few.density_error == pytest.approx(np.sqrt(expected_queens(12, 4) / count) / (12 / 16))
        assert few.pairs_error == pytest.approx(1 / np.sqrt(count * expected_pairs(12, 8)))
        share = expected_occupancy(12, 4)
        assert few.occupancy_error[1] == pytest.approx(np.sqrt(share * (1 - share) / (count * lines_of(12, 4))))
    # The mean over a few cells differs between boards by less than independent queens would.
    assert statistics(boards[:30], 1).density_error.item() == 0
    assert statistics(boards[:29], 1).density_error.item() > 0.05


def test_symmetrised_errors_of_few_boards_count_independent_places():
    found, plain = statistics(range(12), 4, reach=2, symmetrised=True), statistics(range(12), 4, reach=2)
    assert plain.density_error / found.density_error == pytest.approx(np.sqrt(images(4)))
    assert plain.occupancy_error / found.occupancy_error == pytest.approx(np.full((2, 4), np.sqrt(2)))
    expected = np.sqrt([[2, 4, 2, 4, 2], [4, 2, 2, 2, 4], [2, 2, 1, 2, 2], [4, 2, 2, 2, 4], [2, 4, 2, 4, 2]])
    assert plain.pairs_error / found.pairs_error == pytest.approx(expected)


# The result


def test_the_figures_are_means_of_cells():
    for k, symmetrised in itertools.product((1, 2, 3, 4, 5), (False, True)):
        check_figures_of_cells(k, symmetrised)


def check_figures_of_cells(k, symmetrised):
    found = statistics(fastqueens.solve(60, seed=1).queens, k, symmetrised=symmetrised)
    last, middle = k - 1, {(k - 1) // 2, k // 2}
    horizontal = {(edge, at) for edge in (0, last) for at in middle}
    cells = {
        "corner": {(0, 0), (0, last), (last, 0), (last, last)},
        "edge_middle": horizontal | {(at, edge) for edge, at in horizontal},
        "centre": {(i, j) for i in middle for j in middle},
    }
    for name, places in cells.items():
        measured = getattr(found, name)
        at = tuple(np.array(sorted(places)).T)
        assert measured.value == pytest.approx(found.density[at].mean())
        assert measured.limit == pytest.approx(found.density_limit[at].mean())
        error = np.sqrt(expected_queens(60, k)[at].sum()) / (60 / k**2) / len(places)
        assert measured.error == pytest.approx(error)
    assert found.longest_diagonals.value == pytest.approx(found.occupancy[:, -1].mean())
    expected = found.occupancy_error[0, -1] / (1 if symmetrised else np.sqrt(2))
    assert found.longest_diagonals.error == pytest.approx(expected)


def test_every_number_is_written(tmp_path):
    found = statistics(fastqueens.solve(30, seed=1).queens, 5, reach=2)
    found.write(tmp_path / "s.npz")
    with np.load(tmp_path / "s.npz") as content:
        assert set(content) == set(vars(found))
        assert all(np.array_equal(content[name], value) for name, value in vars(found).items())
    found.write(tmp_path / "s.csv")
    header, *lines = csv.reader((tmp_path / "s.csv").read_text().splitlines())
    assert header == ["statistic", "i", "j", "value", "error", "limit"]
    names = ("n", "count", "chi_square", "cells", "degrees_of_freedom")
    expected = [(name, "", "", getattr(found, name), "", "") for name in names]
    for i, j in np.ndindex(5, 5):
        expected.append(("density", i, j, found.density[i, j], found.density_error[i, j], found.density_limit[i, j]))
    for kind, name in enumerate(("sum_diagonals", "difference_diagonals")):
        for i in range(5):
            figures = found.occupancy[kind, i], found.occupancy_error[kind, i], found.occupancy_limit[i]
            expected.append((name, i, "", *figures))
    for i, j in np.ndindex(5, 5):
        expected.append(("pairs", i - 2, j - 2, found.pairs[i, j], found.pairs_error[i, j], ""))
    assert lines == [list(map(str, line)) for line in expected]
    with check_error(InputError, "s.json", "'.json'", ".npz", ".csv"):
        found.write(tmp_path / "s.json")


def test_wrong_input_is_named():
    for boards, options, message in [
        (range(10), {"k": 0}, "k must be between 1 and 10 on a board of 10, not 0"),
        (range(5000), {"k": 4097}, "k must be between 1 and 4,096 on a board of 5,000, not 4,097"),
        (range(10), {"reach": 10}, "reach must be between 0 and 9 on a board of 10, not 10"),
        (range(100), {"reach": 65}, "reach must be between 0 and 64 on a board of 100, not 65"),
        ([[0, 1], [0, 2]], {}, "board 1: column 1 has row 2; rows go from 0 to 1"),
        (np.array([[0, 1], [-1, 0]]), {}, "board 1: column 0 has row -1; rows go from 0 to 1"),
        ([[0, 1], [0]], {}, "board 1 has 1 queen, and board 0 has 2: boards of the same n are needed"),
        ([], {}, "boards: the board is empty; it must have at least 1 queen"),
        ([[0, 1], 3], {}, r"board 1: a board is a list of rows, such as \[1, 3, 0, 2\], not 3"),
        (7, {}, r"boards: a board is a list of rows, such as \[1, 3, 0, 2\], not 7"),
        (np.zeros((0, 4), int), {}, r"boards must be one board or several of the same n, .* \(0, 4\)"),
        (np.zeros((2, 2)), {}, "boards: rows are integers, these are float64"),
        (SimpleNamespace(boards=np.array([[0, 9]])), {}, "board 0: column 1 has row 9"),
    ]:
        with pytest.raises(InputError, match=message):
            statistics(boards, **options)


def test_a_wrong_row_is_named_in_any_piece():
    boards = np.tile(np.arange(10), (7, 1))
    boards[5, 3] = 10
    for size in (1, 10, 19, 20, 50, 60, 70, 71):
        with lowered(validated_piece=size), pytest.raises(InputError, match="board 5: column 3 has row 10"):
            statistics(boards)


def test_the_smallest_boards():
    one = statistics([0])
    assert (one.k, one.reach, one.density.tolist(), one.pairs.tolist()) == (1, 0, [[1.0]], [[0.0]])
    assert one.occupancy.tolist() == [[1.0], [1.0]]
    assert (one.chi_square, one.degrees_of_freedom) == (pytest.approx(0, abs=1e-12), 0)
    assert repr(statistics([[0, 1], [1, 0]])).startswith("<Statistics n=2 2 boards, k=2, chi-square per cell ")


def test_too_little_memory_is_noticed_before_counting(monkeypatch):
    limit_memory(monkeypatch, 10**8)
    with pytest.raises(NotEnoughMemoryError, match="statistics in 1,000 x 1,000 cells needs 128 MB"):
        statistics(range(1000), 1000)
