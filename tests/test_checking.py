"""The final check: every path of it reports a board with one spoiled entry, and no such board is called solved."""

import itertools

import numpy as np
import pytest
from errors import check_error, check_names
from lowered import lower

import fastqueens
from fastqueens import InputError, local_search, solver
from fastqueens._run.progress import Callbacks
from fastqueens._run.threads import Workers
from fastqueens.checking import find_fault
from fastqueens.cli import app
from fastqueens.cli.session import Session
from fastqueens.instance import NO_FIXED_QUEENS, fixed_queens, make_instance
from fastqueens.kernels import checking as verification_kernel
from fastqueens.kernels import min_conflicts as min_conflicts_kernel
from fastqueens.kernels import repair as repair_kernel
from fastqueens.kernels import tiles as tiles_kernel
from fastqueens.kernels import windows as windows_kernel

pytestmark = pytest.mark.checked

N = 1001  # odd, so that two threads take different numbers of columns
COLUMNS = (0, N // 2 + 1, N - 1)

#: The paths of the check: thresholds and number of threads.
PATHS = {
    "one thread": ({"threads": 1}, 1),
    "two threads": ({"threads": 1, "checked_slice": 100}, 2),
    "one kind each": ({"threads": 1, "checked_slice": 100}, 5),
}
#: Rows that are on no board.
OFF_BOARD = {np.int32: (-1, -(2**31), 2**31 - 1), np.uint32: (2**31, 2**32 - 1)}
LINES = ("row", "sum diagonal", "difference diagonal")


@pytest.fixture(scope="module")
def solution():
    return fastqueens.solve(N, seed=1).queens


@pytest.fixture(params=PATHS)
def threads(request, monkeypatch):
    """Set the thresholds for one path of the check, and return its number of threads."""
    thresholds, threads = PATHS[request.param]
    lower(monkeypatch, **thresholds)
    return threads


@pytest.fixture(params=["array", "mapped file"])
def made(request, tmp_path):
    """Put a board into memory, or into a mapped file."""

    def made(queens):
        if request.param == "array":
            return queens.copy()
        np.save(tmp_path / "q.npy", queens)
        return np.load(tmp_path / "q.npy", mmap_mode="r+")

    return made


def on_one_line(queens, column, line):
    """Return a board with attacks on lines of this kind only.

    The queen of a column goes to the row of another. For a diagonal, these two exchange rows, because one that moves
    alone would attack another on its new row.
    """
    columns = np.arange(len(queens))
    for other in columns[columns != column]:
        spoiled = queens.copy()
        spoiled[[column, other]] = queens[[other, other if line == "row" else column]]
        rows = spoiled.astype(np.int64)
        lines = dict(zip(LINES, (rows, rows + columns, rows - columns), strict=True))
        if [name for name in LINES if len(np.unique(lines[name])) < len(rows)] == [line]:
            return spoiled
    raise AssertionError("there is no such board")


def fault_of(queens, threads, n=N, fixed=NO_FIXED_QUEENS, is_solved=True):
    with Workers(threads) as workers:
        return find_fault(queens, make_instance(n, fixed), workers, Callbacks(), is_solved=is_solved)


# The check itself.


def test_a_solution_has_no_fault_unless_it_has_another_length(solution, threads, made):
    for dtype in OFF_BOARD:
        assert fault_of(made(solution.astype(dtype)), threads) is None
    for n in (N - 1, N + 1):
        check_names(fault_of(solution, threads, n=n), f"({N},)", f"({n},)")


def test_a_spoiled_entry_is_a_fault(solution, threads, made):
    for dtype, column in itertools.product(OFF_BOARD, COLUMNS):
        check_spoiled_entries(solution.astype(dtype), column, threads, made)


def check_spoiled_entries(queens_of_solution, column, threads, made):
    for spoiled, fault in spoilings(queens_of_solution, column):
        queens = made(spoiled)
        check_names(fault_of(queens, threads), fault)
        if fault == ATTACK:
            assert fault_of(queens, threads, is_solved=False) is None
        else:
            check_names(fault_of(queens, threads, is_solved=False), fault, 0, N - 1)


def test_a_moved_fixed_queen_is_a_fault(solution, threads, made):
    for column in COLUMNS:
        other = (int(solution[column]) + 1) % N
        fault = fault_of(made(solution), threads, fixed=fixed_queens({column: other}, N))
        check_names(fault, "fixed queen", f"column {column}", f"row {solution[column]}", f"row {other}")


# The public functions.


ATTACK = "two queens attack each other"


def spoilings(queens, column):
    """Generate boards with one spoiled entry, each with its fault."""
    n = len(queens)
    for row in (n, n + 1, *OFF_BOARD[queens.dtype.type]):
        spoiled = queens.copy()
        spoiled[column] = row
        yield spoiled, f"column {column} has row {row}"
    for line in LINES:
        yield on_one_line(queens, column, line), ATTACK


@pytest.mark.parametrize(("dtype", "start"), [(np.int32, "windowed"), (np.uint32, "uniform"), (np.int32, "random")])
def test_solve_does_not_return_a_spoiled_board(monkeypatch, threads, solution, tmp_path, dtype, start):
    """On a free board, with some fixed queens, and with few empty columns."""
    if dtype == np.uint32:
        lower(monkeypatch, unsigned_rows=1)
    answer = solution.astype(dtype)
    mapped = np.lib.format.open_memmap(tmp_path / "q.npy", "w+", dtype, (N,))
    for column, share in zip(COLUMNS, (0.97, 0, 0.05), strict=True):
        chosen = np.flatnonzero(np.random.default_rng(1).random(N) < share)
        for (spoiled, fault), out in zip(spoilings(answer, column), itertools.cycle((None, mapped)), strict=False):
            fixed = {c: int(solution[c]) for c in chosen.tolist() if c != column and spoiled[c] == answer[c]}
            with monkeypatch.context() as patch:
                spoil_the_search(patch, spoiled)
                with check_error(RuntimeError, fault):
                    fastqueens.solve(N, seed=1, fixed=fixed, threads=threads, out=out, method="local", start=start)


def spoil_the_search(patch, spoiled):
    """Let every search end with this board and report it as solved."""
    search_from = local_search.search_from

    def spoiling(task, search, *others):
        found = search_from(task, search, *others)
        search.attempt.queens[:] = spoiled
        return found

    patch.setattr(local_search, "search_from", spoiling)


def test_solve_does_not_return_a_board_without_a_fixed_queen(monkeypatch, threads, solution):
    other = fastqueens.solve(N, seed=2).queens
    column = int(np.flatnonzero(other != solution)[-1])
    spoil_the_search(monkeypatch, other)
    with check_error(RuntimeError, f"column {column}", f"row {other[column]}"):
        fastqueens.solve(N, seed=1, fixed={column: int(solution[column])}, threads=threads)


def test_is_solution_reports_a_spoiled_board(threads, solution):
    for column in COLUMNS:
        check_is_solution(solution, column, threads)


def check_is_solution(solution, column, threads):
    for spoiled, fault in spoilings(solution, column):
        for board in (spoiled, spoiled.astype(np.int64)):
            if fault.startswith("column"):
                with check_error(InputError, f"column {column}", f"row {spoiled[column]}"):
                    fastqueens.is_solution(board, threads=threads)
            else:
                assert not fastqueens.is_solution(board, threads=threads)


# A search with a fault.


def test_a_spoiled_board_is_an_internal_error_of_every_function_and_not_written(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(solver, "find_fault", lambda *_, **__: "a made-up fault")
    for arguments in ({"method": "local"}, {"fixed": {0: 3}, "method": "complete"}):
        with check_error(RuntimeError, "a made-up fault"):
            fastqueens.solve(8, seed=1, **arguments)
    for threads in (1, 2):
        answers = fastqueens.solve_instances([3, 8, 8], seed=1, threads=threads)
        assert next(answers).solvable is False
        with check_error(RuntimeError, "a made-up fault"):
            next(answers)
    monkeypatch.chdir(tmp_path)
    for output in (["-o", "q.npy"], ["-o", "q.txt"], ["--json"]):
        lower(monkeypatch, made_in_file=1000 if output[-1] == "q.npy" else 10**9)
        assert app.run(["solve", "1000", "--seed", "1", *output], Session()) == 70, output
        said = capsys.readouterr()
        assert said.out == "", output
        check_names(said.err, "a made-up fault")
        assert list(tmp_path.iterdir()) == [], output


def test_the_check_shares_no_kernel_with_the_search():
    own = {name for name, value in vars(verification_kernel).items() if getattr(value, "py_func", None)}
    own = {name for name in own if vars(verification_kernel)[name].py_func.__module__ == verification_kernel.__name__}
    assert own
    for module in (windows_kernel, repair_kernel, min_conflicts_kernel, tiles_kernel):
        assert not own & set(vars(module))
