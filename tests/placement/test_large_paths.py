"""The paths of large boards, forced on small boards of every awkward size, and large boards of random sizes.

Tests on round sizes would miss faults at other sizes. Plain NumPy checks each board, without the package.
"""

import random
import secrets

import numpy as np
import plain
import pytest
from errors import check_error
from lowered import EVERYTHING, LOW, lower, lowered, solve

import fastqueens
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


def some_and_random(sizes, every):
    """Return each ``every``-th size from a random one on, and as many random sizes: others in each run."""
    some = sizes[secrets.randbelow(every) :: every]
    drawn = {*some, *random.SystemRandom().sample(range(sizes[0], sizes[-1] + 1), len(some))}
    print(f"n = {drawn}")
    return drawn


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.gate)])
def test_every_small_size_takes_all_paths_of_large_boards(every):
    for n in {*range(4, 18), 63, 64, 65, *some_and_random(SMALL, every)}:
        free = solve(n, seed=n, threads=1)
        plain.assert_solution(free.queens, n)
        fixed = plain.some_of(free.queens, 0.1, n)
        for threads, squares in ((2, None), (3, fixed)):
            out = np.full(n, n, np.int32)  # as if all columns were empty, even with fixed queens
            result = solve(n, seed=n, threads=threads, fixed=squares, out=out)
            assert result.queens is out
            plain.assert_solution(out, n, squares)
            if squares is None:
                np.testing.assert_array_equal(out, free.queens, f"n = {n}")


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.gate)])
def test_every_boundary_takes_all_paths_of_large_boards(every):
    for n in {4095, 4096, 4097, 32_767, 32_768, 32_769, 65_537, *some_and_random(LARGE, every)}:
        free = solve(n, seed=n, threads=2)
        plain.assert_solution(free.queens, n)
        fixed = plain.some_of(free.queens, 0.01, n)
        result = solve(n, seed=n + 1, threads=1 + n % 3, fixed=fixed)
        plain.assert_solution(result.queens, n, fixed)


def test_every_cut_works_on_awkward_sizes():
    """Each cut is combined with each number of columns that are dealt at a time."""
    sizes = (12_345, 4095, 4097, 30_001)
    for number, (cut, dealt) in enumerate((cut, dealt) for dealt in (64, 256, 4096) for cut in CUTS):
        n = 69_999 if (cut, dealt) in (("3 blocks", 4096), ("one tile", 64)) else sizes[number % 4]
        thresholds = LOW._replace(cuts=CUTS[cut], dealt=dealt)
        one, three = (solve(n, seed=3, threads=threads, thresholds=thresholds) for threads in (1, 3))
        plain.assert_solution(one.queens, n)
        np.testing.assert_array_equal(one.queens, three.queens, f"{cut}, {dealt} dealt, n = {n}")
        fixed = plain.some_of(one.queens, 0.3, n)
        plain.assert_solution(solve(n, seed=4, threads=3, fixed=fixed, thresholds=thresholds).queens, n, fixed)


def test_every_start_works_with_unsigned_rows():
    for n, start in ((n, start) for n in (1, 6, 63, 64, 65, 1000, 4097) for start in STARTS):
        signed = solve(n, seed=5, start=start, threads=2)
        with lowered(unsigned_rows=1):
            unsigned = solve(n, seed=5, start=start, threads=2)
            assert unsigned.queens.dtype == np.uint32
            np.testing.assert_array_equal(unsigned.queens, signed.queens, f"{start}, n = {n}")
            np.testing.assert_array_equal(unsigned.trace, signed.trace)
            plain.assert_solution(unsigned.queens, n)
            fixed = plain.some_of(unsigned.queens, 0.1, n)
            plain.assert_solution(solve(n, seed=6, start=start, fixed=fixed).queens, n, fixed)


def test_a_board_made_in_its_file_is_the_solution_made_in_memory(tmp_path):
    path = tmp_path / "q.npy"
    for n in (1, 4, 16, 17, 63, 64, 65, 100, 1000, 4096, 4097, 32_769):
        mix = 3 if n in (17, 65, 4097) else None
        free, other = (solve(n, seed=1, mix=mix, out=path, threads=threads).queens for threads in (1, 3))
        np.testing.assert_array_equal(np.load(path), solve(n, seed=1, mix=mix).queens, f"n = {n}")
        np.testing.assert_array_equal(free, other, f"n = {n}")
        fixed = plain.some_of(free, 0.05, n)
        result = solve(n, seed=2, fixed=fixed, mix=mix, out=path, threads=2)
        assert result.sweeps == (mix or 0)
        plain.assert_solution(np.load(path), n, fixed)


def test_a_board_in_its_file_replaces_an_earlier_one_when_it_is_complete(tmp_path):
    """A search that is stopped, and a check that is interrupted, leave the earlier board, and no other file."""
    path = tmp_path / "q.npy"
    for made_in_file in (1, 1 << 22):
        with lowered(made_in_file=made_in_file):
            for n, board in ((500, None), (600, range(600))):
                result = solve(n, seed=3, out=path, board=board)
                np.testing.assert_array_equal(np.load(path), result.queens)
                plain.assert_solution(result.queens, n)
            earlier = path.read_bytes()
            for last in ("search", "verification"):
                stages = []

                def interrupt(stage, *_, stages=stages, last=last):
                    stages.append(stage)
                    if stage == last == "verification":
                        raise KeyboardInterrupt

                stop = (lambda stages=stages: "search" in stages) if last == "search" else None
                with pytest.raises(fastqueens.Stopped if stop else KeyboardInterrupt):
                    solve(500, out=path, start="random", progress=interrupt, stop=stop)
                assert stages[-1] == last
                assert ([file.name for file in tmp_path.iterdir()], path.read_bytes()) == (["q.npy"], earlier)


def test_a_file_for_a_board_is_refused_before_the_search(tmp_path):
    for name in ("q.txt", "none/q.npy"):
        with check_error(fastqueens.InputError, name):
            solve(8, out=tmp_path / name, progress=lambda *_: pytest.fail("it began"))


@pytest.mark.gate
@pytest.mark.parametrize("number", range(5))
def test_a_large_board_of_a_random_size_is_a_solution(monkeypatch, number, tmp_path):
    """No threshold is lowered here. Every run has a different size; a failure prints it."""
    monkeypatch.undo()
    n = int(2 ** (22 + (4 * number + 4 * secrets.randbelow(10**6) / 10**6) / 5))
    seed = secrets.randbelow(10**9)
    print(f"n = {n}, seed = {seed}")
    fixed = dict(fastqueens.puzzle(n, 100 + secrets.randbelow(1000), seed=seed).fixed.tolist()) if number % 2 else {}
    out = tmp_path / "q.npy" if number % 3 else None  # also with fixed queens
    result = fastqueens.solve(n, seed=seed, fixed=fixed, out=out, trace=False)
    assert result.solved
    plain.assert_solution(result.queens, n, fixed)
