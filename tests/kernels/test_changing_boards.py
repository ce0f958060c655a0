"""Boards that change after they were validated, as in a mapped file: no index leaves its array, nothing crashes.

With ``FASTQUEENS_CHECKED=1``, an index outside an array raises IndexError, even if it only reads.
"""

import contextlib
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from lowered import lowered

import fastqueens
from fastqueens import board as boards
from fastqueens import chain as holes
from fastqueens.checking import cut, line_kinds
from fastqueens.densities import bin_board, cell_multiplier
from fastqueens.kernels import all_kernels
from fastqueens.kernels import checking as verification_kernel
from fastqueens.kernels import densities as densities_kernel
from fastqueens.kernels import holes as holes_kernel

U64 = np.uint64
SIZES = [1, 2, 63, 64, 65, 127, 128, 129, 500, 1000]

# Entries before and after each array that a kernel gets.
MARGIN = 4096


class Guards:
    """Arrays with entries full of ones around them: these change if a kernel writes there, and spoil what it reads."""

    def __init__(self):
        self._wholes = []

    def array(self, shape, dtype=np.uint64):
        """Return an array of zeros with margins."""
        size = int(np.prod(shape))
        whole = np.full(size + 2 * MARGIN, np.array(-1).astype(dtype))
        self._wholes.append(whole)
        inner = whole[MARGIN : MARGIN + size].reshape(shape)
        inner[...] = 0
        return inner

    def are_whole(self):
        """Return whether all margins are unchanged."""
        return all(
            (edge == np.array(-1).astype(edge.dtype)).all()
            for whole in self._wholes
            for edge in (whole[:MARGIN], whole[-MARGIN:])
        )


def words(lines):
    return -(-int(lines) // 64)


def spans(n):
    """All lines of each kind, and thirds of them."""
    return [span for kind in line_kinds(n) for span in (kind, *cut(kind, 64 * -(-int(kind.lines) // 3 // 64)))]


# One function for each kernel that takes the user's board.


def claim_lines(queens, guards):
    for span in spans(len(queens)):
        found = verification_kernel.claim_lines(queens, guards.array(words(span.lines) + 1), span, 0, len(queens))
        assert 0 <= found <= len(queens)


def is_solution(queens, guards):
    verification_kernel.is_solution(queens, guards.array(words(2 * len(queens)) + 1))


def claim_all_lines(queens, guards):
    n = len(queens)
    lengths = [words(n), 2 * words(n), 2 * words(n)]
    for kinds in [(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]:
        bitsets = [guards.array(wanted * length) for wanted, length in zip(kinds, lengths, strict=True)]
        is_free = verification_kernel.claim_all_lines(queens, *bitsets, 0, n)
        assert not is_free or ((queens >= 0) & (queens < n)).all()


def claim_twice(queens, guards):
    for span in spans(len(queens)):
        claimed, twice = guards.array(words(span.lines) + 1), guards.array(words(span.lines))
        verification_kernel.claim_twice(queens, claimed, twice, span, 0, len(queens))


def count_conflicting(queens, guards):
    n = len(queens)
    bitsets = [guards.array(words(kind.lines)) for kind in line_kinds(n)]
    assert verification_kernel.count_conflicting(queens, *bitsets, 0, n) == 0  # no line is marked


def count_lines(queens, guards):
    for span in spans(len(queens)):
        counters = guards.array(int(span.lines), np.uint32)
        pairs = verification_kernel.count_lines(queens, counters, span, 0, len(queens))
        assert pairs == sum(count * (count - 1) // 2 for count in counters.tolist())


def bin_queens(queens, guards):
    n = len(queens)
    for cells in {1, -(-n // 7), n}:
        arrays = [guards.array(shape, np.int64) for shape in ((cells, cells), cells, cells)]
        densities_kernel.bin_queens(queens, *arrays, *cell_multiplier(cells, n), 0, n)
        assert [array.sum() for array in arrays] == [n, n, n]


def count_boards(queens, guards):
    n = len(queens)
    k, reach = -(-n // 7), min(3, n - 1)
    table = queens.reshape(1, n).repeat(3, axis=0)
    counts = densities_kernel.Counts(
        guards.array((k, k), np.int64),
        guards.array((2, k), np.int64),
        guards.array((reach + 1, 2 * reach + 1), np.int64),
        guards.array((2, words(2 * n - 1))),
        *cell_multiplier(k, n),
    )
    densities_kernel.count_boards(table, counts, 0, 3, 0, n)
    assert counts.squares.sum() == 3 * n


WITH_A_BOARD = {
    **{f"checking.{function.__name__}": function for function in (
        claim_lines, is_solution, claim_all_lines, claim_twice, count_conflicting, count_lines,
    )},
    "densities.bin_queens": bin_queens,
    "densities.count_boards": count_boards,
}  # fmt: skip

#: The reasons why no other kernel sees a board that somebody else can change.
WITHOUT_A_BOARD = {
    "checking.have_common_lines": "bitsets only",
    "climbing descent": "a copy, validated after it was made (as_queens)",
    "populations algorithms systematic": ("boards that it draws, or copies (as_queens)"),
    # The array ``out`` of solve() is lent to the search: its docstring forbids to change it meanwhile.
    "min_conflicts windows repair tiles": "the search's own (new_attempt)",
    "holes sampling": "boards that the chain itself made",
    "propagation tree": "an instance, whose arrays are validated copies",
}


def test_every_kernel_is_known_to_take_a_users_board_or_not():
    without = " ".join(WITHOUT_A_BOARD).split()
    kernels = [f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}" for kernel in all_kernels()]
    unknown = {name for name in kernels if name not in without and name.split(".")[0] not in without}
    assert unknown == WITH_A_BOARD.keys()


def near(rng, n, dtype):
    """Rows a little off the board."""
    return rng.integers(-70, n + 70, n).astype(dtype)


def random_words(rng, n, dtype):
    return rng.integers(0, 256, n * np.dtype(dtype).itemsize, np.uint8).view(dtype)


def mapped(queens):
    """Return the board as :func:`read_board` maps it: read-only."""
    queens.flags.writeable = False
    return queens


@pytest.mark.parametrize("name", WITH_A_BOARD)
def test_kernels_stay_within_their_arrays_whatever_the_rows_are(name):
    rng = np.random.default_rng(1)
    for n, rows, dtype in itertools.product(SIZES, (near, random_words), (np.int32, np.uint32, np.int64)):
        for _ in range(3):
            guards = Guards()
            WITH_A_BOARD[name](mapped(rows(rng, n, dtype)), guards)
            assert guards.are_whole(), (n, rows.__name__, dtype)


@pytest.mark.parametrize("rows", [near, random_words])
def test_mixing_stays_within_its_arrays_if_its_file_changes(rows):
    """Mixing does not support this, but it does not crash."""
    for n, dtype, is_far in itertools.product((64, 129, 1000), (np.int32, np.uint32), (False, True)):
        check_mixing(n, rows, dtype, is_far)


def check_mixing(n, rows, dtype, is_far):
    """Walk on a board whose rows change all the time, and check the margins of all arrays."""
    rng = np.random.default_rng(n)
    guards = Guards()
    queens = np.array(fastqueens.solve(n, seed=1).queens, dtype)
    whole = holes.board_with_holes(queens, fastqueens.make_instance(n), holes.MOST_HOLES)
    board = holes_kernel.HoledBoard(*(guards.array(array.shape, array.dtype) for array in whole))
    for array, original in zip(board, whole, strict=True):
        array[:] = original
    state, odds = guards.array(holes_kernel.STATE_LENGTH), holes.many_holes(n, 2**61)[: min(n, holes.MOST_HOLES) + 1]
    odds[-1, 1] = 0
    state[holes_kernel.LEFT], state[holes_kernel.FAR] = 2**63, is_far
    holes_kernel.mark_diagonals(board, 0, n)
    for turn in range(30):
        holes_kernel.walk(board, odds, state, 20)
        board.queens[:] = rows(rng, n, dtype)
        if turn == 20:
            holes_kernel.mark_diagonals(board, 0, n)
    assert guards.are_whole(), (n, dtype, is_far)
    assert state[holes_kernel.HOPS] > 0


# Functions that copy the user's board.


@pytest.fixture
def changes_when_validated(monkeypatch):
    """Return a board whose rows leave the board as soon as they are validated."""
    board = np.array(fastqueens.random_board(50, seed=1))
    validate = boards._check_rows

    def validate_and_change(queens, n, name):
        validate(queens, n, name)
        board[::7] = n + 3

    monkeypatch.setattr(boards, "_check_rows", validate_and_change)
    return board


COPYING = {
    "solve": lambda board: fastqueens.solve(board=board, seed=1, max_steps=3).queens,
    "descend": lambda board: fastqueens.descend(board).states,
    "steepest_move": lambda board: fastqueens.steepest_move(board, seed=1),
    "climb": lambda board: fastqueens.climb(board=board, seed=1).queens,
    "min-conflicts": lambda board: fastqueens.climb(board=board, algorithm="min-conflicts", seed=1).queens,
}


def test_a_board_that_changes_before_it_is_copied_is_refused_or_as_it_was(changes_when_validated):
    original = fastqueens.random_board(50, seed=1)
    for name, call in COPYING.items():
        changes_when_validated[:] = original
        with contextlib.suppress(fastqueens.InputError):
            queens = call(changes_when_validated)
            assert ((queens >= 0) & (queens < 50)).all(), name
        assert changes_when_validated.max() == 53, name


# Between two looks at the board.


ANSWERS = {
    "is_solution": fastqueens.is_solution,
    "first_attack": fastqueens.first_attack,
    "attacking_pairs": fastqueens.attacking_pairs,
    "conflicting_queens": fastqueens.conflicting_queens,
    "statistics": fastqueens.statistics,
}


def test_a_board_that_changes_while_a_question_is_answered_does_no_harm():
    rng = np.random.default_rng(1)
    solution = fastqueens.solve(1000, seed=1).queens
    for ask in ANSWERS.values():
        queens = np.array(solution)

        def change(*_, queens=queens):
            queens[:] = near(rng, 1000, np.int32) if rng.random() < 0.5 else random_words(rng, 1000, np.int32)

        with lowered(checked_slice=100, threads=1):
            ask(queens, progress=change)
        assert not np.array_equal(queens, solution)


def test_a_board_that_another_thread_changes_all_the_time_does_no_harm():
    """At times, the queens of the first columns share a diagonal, and some of the last ones are off the board."""
    queens = np.array(fastqueens.solve(1 << 20, seed=1).queens)
    first, last, rng, is_over = queens[:256].copy(), queens[-2000:].copy(), np.random.default_rng(1), threading.Event()

    def change():
        while not is_over.is_set():
            queens[-2000:] = random_words(rng, 2000, np.int32) if rng.random() < 0.3 else last
            for _ in range(1000):
                queens[:256] = range(256)
                queens[:256] = first

    with ThreadPoolExecutor() as pool:
        changing = pool.submit(change)
        try:
            for ask in [*ANSWERS.values(), bin_board]:
                with contextlib.suppress(fastqueens.InputError):  # it was off the board when it was validated
                    ask(queens)
        finally:
            is_over.set()
        changing.result()
