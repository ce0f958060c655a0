"""The paths of large boards, forced on small boards of every awkward size, and large boards of random sizes.

Tests on round sizes would miss faults at other sizes. Plain NumPy checks each board, without the package.
"""

import secrets

import numpy as np
import plain
import pytest
from errors import check_error
from lowered import EVERYTHING, lower

import fastqueens
from fastqueens._run import thresholds
from fastqueens._run.arguments import STARTS

pytestmark = pytest.mark.checked

#: Words of 64 rows, dealings of 4096 columns, and the 32,768 rows that a page of a bitset holds.
SMALL = sorted({*range(4, 70), *(64 * k + more for k in range(1, 33) for more in (-1, 0, 1))})
LARGE = sorted(
    {
        *(unit + more for unit in (4096, 32_768) for more in range(-1, 64)),
        *(size + more for size in (8192, 12_288, 65_536) for more in (-1, 0, 1, 63)),
        70_000,
    }
)

#: Cuts of a board: as on large boards, few large tiles, and one tile with more columns than a thread lists at once.
CUTS = {
    "8 blocks": ((1 << 32, 8, 4),),
    "16 blocks": ((1 << 32, 16, 4),),
    "32 blocks": ((1 << 32, 32, 2),),
    "3 blocks": ((1 << 32, 3, 1),),
    "one tile": ((1 << 32, 1, 1),),
}


@pytest.fixture(autouse=True)
def everything_lowered(monkeypatch):
    lower(monkeypatch, **EVERYTHING)


@pytest.mark.parametrize("n", SMALL)
def test_every_small_size_takes_all_paths_of_large_boards(n):
    free = fastqueens.solve(n, seed=n, threads=1)
    plain.assert_solution(free.queens, n)
    fixed = plain.some_of(free.queens, 0.1, n)
    for threads, squares in ((2, None), (3, fixed)):
        out = np.full(n, n, np.int32)  # as if all columns were empty, even with fixed queens
        result = fastqueens.solve(n, seed=n, threads=threads, fixed=squares, out=out)
        assert result.queens is out
        plain.assert_solution(out, n, squares)
        if squares is None:
            np.testing.assert_array_equal(out, free.queens)


@pytest.mark.parametrize("n", [n if n % 4 < 2 else pytest.param(n, marks=pytest.mark.gate) for n in LARGE])
def test_every_boundary_takes_all_paths_of_large_boards(n):
    free = fastqueens.solve(n, seed=n, threads=2)
    plain.assert_solution(free.queens, n)
    fixed = plain.some_of(free.queens, 0.01, n)
    result = fastqueens.solve(n, seed=n + 1, threads=1 + n % 3, fixed=fixed)
    plain.assert_solution(result.queens, n, fixed)


@pytest.mark.parametrize("dealt", [64, 256, 4096])
@pytest.mark.parametrize("cut", CUTS)
def test_every_cut_works_on_awkward_sizes(monkeypatch, cut, dealt):
    lower(monkeypatch, cuts=CUTS[cut], dealt=dealt)
    for n in (4095, 4097, 12_345, 69_999):
        one, three = (fastqueens.solve(n, seed=3, threads=threads) for threads in (1, 3))
        plain.assert_solution(one.queens, n)
        np.testing.assert_array_equal(one.queens, three.queens)
        fixed = plain.some_of(one.queens, 0.3, n)
        plain.assert_solution(fastqueens.solve(n, seed=4, threads=3, fixed=fixed).queens, n, fixed)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("n", [1, 6, 63, 64, 65, 1000, 4097])
def test_every_start_works_with_unsigned_rows(monkeypatch, start, n):
    signed = fastqueens.solve(n, seed=5, start=start, threads=2)
    lower(monkeypatch, unsigned_rows=1)
    unsigned = fastqueens.solve(n, seed=5, start=start, threads=2)
    assert unsigned.queens.dtype == np.uint32
    np.testing.assert_array_equal(unsigned.queens, signed.queens)
    np.testing.assert_array_equal(unsigned.trace, signed.trace)
    plain.assert_solution(unsigned.queens, n)
    fixed = plain.some_of(unsigned.queens, 0.1, n)
    plain.assert_solution(fastqueens.solve(n, seed=6, start=start, fixed=fixed).queens, n, fixed)


@pytest.mark.parametrize("mix", [None, 3])
@pytest.mark.parametrize("n", [1, 4, 16, 17, 63, 64, 65, 100, 1000, 4095, 4096, 4097, 32_769, 69_999])
def test_a_board_made_in_its_file_is_the_solution_made_in_memory(tmp_path, n, mix):
    path = tmp_path / "q.npy"
    free, completed = (fastqueens.solve(n, seed=1, mix=mix, out=path, threads=threads).queens for threads in (1, 3))
    np.testing.assert_array_equal(np.load(path), fastqueens.solve(n, seed=1, mix=mix).queens)
    np.testing.assert_array_equal(free, completed)
    fixed = plain.some_of(free, 0.05, n)
    for squares in ({}, fixed):
        result = fastqueens.solve(n, seed=2, fixed=squares, mix=mix, out=path, threads=2)
        assert result.sweeps == (mix or 0)
        plain.assert_solution(np.load(path), n, squares)


@pytest.mark.parametrize("made_in_file", [1, 1 << 22])
def test_a_board_in_its_file_replaces_an_earlier_one_when_it_is_complete(monkeypatch, tmp_path, made_in_file):
    lower(monkeypatch, made_in_file=made_in_file)
    path = tmp_path / "q.npy"
    for n, board in ((500, None), (600, range(600))):
        result = fastqueens.solve(n, seed=3, out=path, board=board)
        np.testing.assert_array_equal(np.load(path), result.queens)
        plain.assert_solution(result.queens, n)
    earlier, stages = path.read_bytes(), []

    def fail(*_, **__):
        raise KeyboardInterrupt

    callbacks = {"progress": lambda stage, *_: stages.append(stage), "stop": lambda: "search" in stages}
    with pytest.raises(fastqueens.Stopped):
        fastqueens.solve(500, out=path, start="random", **callbacks)
    monkeypatch.setattr("fastqueens.solver.find_fault", fail)
    with pytest.raises(KeyboardInterrupt):
        fastqueens.solve(500, out=path)
    assert ([file.name for file in tmp_path.iterdir()], path.read_bytes()) == (["q.npy"], earlier)


def test_a_file_for_a_board_is_refused_before_the_search(monkeypatch, tmp_path):
    monkeypatch.setattr("fastqueens.local_search.new_attempt", lambda *_, **__: pytest.fail("it began"))
    for name in ("q.txt", "none/q.npy"):
        with check_error(fastqueens.InputError, name):
            fastqueens.solve(8, out=tmp_path / name)


@pytest.mark.gate
@pytest.mark.parametrize("number", range(5))
def test_a_large_board_of_a_random_size_is_a_solution(monkeypatch, number, tmp_path):
    """No threshold is lowered here. Every run has a different size; a failure prints it."""
    monkeypatch.setattr(thresholds, "current", thresholds.Thresholds())
    n = int(2 ** (22 + (4 * number + 4 * secrets.randbelow(10**6) / 10**6) / 5))
    seed = secrets.randbelow(10**9)
    print(f"n = {n}, seed = {seed}")
    fixed = dict(fastqueens.puzzle(n, 100 + secrets.randbelow(1000), seed=seed).tolist()) if number % 2 else {}
    out = tmp_path / "q.npy" if number % 3 else None  # also with fixed queens
    result = fastqueens.solve(n, seed=seed, fixed=fixed, out=out, trace=False)
    assert result.solved
    plain.assert_solution(result.queens, n, fixed)
