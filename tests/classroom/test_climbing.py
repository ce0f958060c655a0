"""The rules of the classroom: each step follows the rule, and a run is the same alone and in a batch."""

import itertools
import math
import pickle
import tracemalloc

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastqueens
from fastqueens.classroom import batches, climbing_kernel
from fastqueens.classroom.batches import run_many
from fastqueens.classroom.climbing import climb
from fastqueens.classroom.rules import Limits
from fastqueens.classroom.searches import HillClimbing, MinConflictsClimbing
from fastqueens.core import memory
from fastqueens.core.arguments import RULES
from fastqueens.jit import stream

pytestmark = pytest.mark.checked

boards = st.integers(1, 9).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


def moves_by_cost(board):
    """Return the cost after every move of one queen to another row of its column."""
    n = len(board)
    return {
        (column, row): len(naive.attacking_pairs([*board[:column], row, *board[column + 1 :]]))
        for column, row in itertools.product(range(n), range(n))
        if row != board[column]
    }


def best_moves(board):
    costs = moves_by_cost(board)
    least = min(costs.values(), default=None)
    return least, {move for move, cost in costs.items() if cost == least}


def check_looks(climbed, board):
    """Check moves, boards and costs against each other and against a recount, and return the looks."""
    looks = list(climbed.looks())
    assert len(looks) == climbed.steps + len(climbed.restarts) + 1
    assert looks[0].queens.tolist() == list(board)
    for look in looks:
        assert look.cost == len(naive.attacking_pairs(look.queens.tolist()))
    for before, after in itertools.pairwise(looks):
        if not after.is_start:
            column, row, cost = climbed.moves[after.step - 1].tolist()
            assert cost == after.cost
            changed = np.flatnonzero(before.queens != after.queens).tolist()
            assert changed == ([] if column < 0 else [column])
            assert column < 0 or after.queens[column] == row
    return looks


@given(boards, st.integers(0, 2**64 - 1))
def test_steepest_ascent_takes_a_best_move_while_one_is_better(board, seed):
    climbed = climb(board=board, seed=seed)
    looks = check_looks(climbed, board)
    for before, (column, row, cost) in zip(looks, climbed.moves.tolist(), strict=False):
        least, best = best_moves(before.queens.tolist())
        assert cost == least < before.cost
        assert (column, row) in best
    least, _ = best_moves(climbed.queens.tolist())
    assert climbed.cost == 0 or least is None or least >= climbed.cost
    assert climbed.solved == (climbed.cost == 0)


@given(boards, st.integers(0, 2**64 - 1), st.integers(0, 5))
def test_sideways_moves_are_best_moves_and_limited_in_a_row(board, seed, limit):
    climbed = climb(board=board, rule="sideways", limits=Limits(sideways=limit), seed=seed)
    looks = check_looks(climbed, board)
    in_a_row = 0
    for before, (column, row, cost) in zip(looks, climbed.moves.tolist(), strict=False):
        least, best = best_moves(before.queens.tolist())
        assert cost == least <= before.cost
        assert (column, row) in best
        in_a_row = in_a_row + 1 if cost == before.cost else 0
        assert in_a_row <= limit
    least, _ = best_moves(climbed.queens.tolist())
    if climbed.cost and least is not None and least <= climbed.cost:
        assert (least, in_a_row) == (climbed.cost, limit)


@pytest.mark.parametrize("rule", ["steepest", "sideways"])
def test_ties_are_broken_evenly(rule):
    board = [5, 3, 3, 7, 4, 0, 6, 1]
    least, best = best_moves(board)
    assert len(best) > 2
    batches = 4000
    seen = {}
    for seed in range(batches):
        move = tuple(climb(board=board, rule=rule, seed=seed).moves[0].tolist())
        seen[move] = seen.get(move, 0) + 1
    assert set(seen) == {(column, row, least) for column, row in best}
    expected = batches / len(best)
    assert all(abs(times - expected) < 5 * math.sqrt(expected) for times in seen.values())


def test_ties_between_sideways_moves_are_broken_evenly():
    """From a local minimum of cost 1, all moves that keep the cost are equally likely."""
    board = next(run.queens for run in (climb(8, seed=seed) for seed in range(1000)) if run.cost == 1)
    least, best = best_moves(board.tolist())
    assert least == 1
    batches = 4000
    seen = [tuple(climb(board=board, rule="sideways", seed=seed).moves[0, :2].tolist()) for seed in range(batches)]
    assert set(seen) == best
    expected = batches / len(best)
    assert all(abs(seen.count(move) - expected) < 5 * math.sqrt(expected) for move in best)


def annealed(board, seed, limits):
    """Simulated annealing with the words of the same stream, in plain Python."""
    n = len(board)
    key = np.uint64(stream.stream_key(np.uint64(seed), np.uint64(0), stream.SEARCH))
    words = (int(stream.word(key, np.uint64(i))) for i in itertools.count(1))
    moves, cost = [], len(naive.attacking_pairs(board))
    levels = math.floor(math.log(limits.temperature / 0.1) / -math.log(limits.cooling)) + 1
    for drawn in range(levels * n * n):
        if cost == 0:
            break
        temperature = limits.temperature * limits.cooling ** (drawn // (n * n))
        column = next(words) * n >> 64
        row = next(words) * (n - 1) >> 64
        row += row >= board[column]
        after = len(naive.attacking_pairs([*board[:column], row, *board[column + 1 :]]))
        if after > cost:
            likely = math.exp((cost - after) / temperature) if after - cost <= 64 * math.log(2) * temperature + 1 else 0
            if next(words) >= likely * 2**64:
                continue
        board = [*board[:column], row, *board[column + 1 :]]
        cost = after
        moves.append([column, row, cost])
    return moves


@given(boards.filter(lambda board: len(board) > 1), st.integers(0, 2**64 - 1), st.sampled_from([(1.0, 0.5), (4, 0.3)]))
def test_annealing_does_what_a_plain_one_does(board, seed, schedule):
    limits = Limits(temperature=schedule[0], cooling=schedule[1])
    climbed = climb(board=board, rule="annealing", limits=limits, seed=seed)
    check_looks(climbed, board)
    assert climbed.moves.tolist() == annealed(board, seed, limits)


@given(boards.filter(lambda board: len(board) not in (2, 3)), st.integers(0, 2**64 - 1))
def test_min_conflicts_is_the_search_of_solve(board, seed):
    climbed = climb(board=board, rule="min-conflicts", seed=seed)
    check_looks(climbed, board)
    solved = fastqueens.solve(board=board, seed=seed, trace=True)
    assert climbed.moves[:, climbing_kernel.COST].tolist() == solved.trace.pairs[1:].tolist()
    assert climbed.solved == solved.solved


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("restarts", [0, 3])
def test_a_run_is_the_same_alone_and_in_a_batch(rule, restarts, monkeypatch):
    limits = Limits(sideways=7, restarts=restarts)
    whole = run_many(7, rule, range(5, 45), limits)
    monkeypatch.setattr(batches, "LOOKS", 100)
    pieces = [run_many(7, rule, seeds, limits) for seeds in (range(5, 6), range(6, 31), range(31, 45))]
    for all_together, *parts in zip(whole, *pieces, strict=True):
        np.testing.assert_array_equal(all_together, np.concatenate(parts))
    for place, seed in enumerate(range(5, 45)):
        alone = climb(7, rule=rule, limits=limits, seed=seed)
        check_looks(alone, alone.starts[0])
        assert alone.starts[0].tolist() == fastqueens.solve(7, start="random", seed=seed).initial_queens.tolist()
        assert [outcome[place] for outcome in whole] == [
            alone.start_costs[0],
            alone.cost,
            alone.steps,
            len(alone.restarts),
        ]


@pytest.mark.parametrize("rule", RULES)
def test_restarts_until_solved(rule):
    climbed = climb(6, rule=rule, limits=Limits(restarts=None), seed=1)
    assert climbed.solved
    assert naive.attacking_pairs(climbed.queens.tolist()) == []
    assert len(climbed.starts) == len(climbed.start_costs) == len(climbed.restarts) + 1


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("has_board", [True, False])
@pytest.mark.parametrize(("n", "seed"), [(6, 0), (6, 7), (13, 2**64 - 1), (64, 3)])
def test_the_starts_are_the_boards_that_the_climbs_began_with(monkeypatch, rule, has_board, n, seed):
    begun = []

    def noting(begin):
        def begin_and_note(climber, number, board):
            cost = begin(climber, number, board)
            begun.append(climber.queens.tolist())
            return cost

        return begin_and_note

    for kind in (HillClimbing, MinConflictsClimbing):
        monkeypatch.setattr(kind, "begin", noting(kind.begin))
    board = np.full(n, n // 2, np.int32) if has_board else None
    limits = Limits(sideways=2, restarts=12, temperature=0.2, cooling=0.1)
    climbed = climb(n, board=board, rule=rule, limits=limits, seed=seed)
    if has_board:
        board[:] = 0
    assert [start.tolist() for start in climbed.starts] == begun
    assert [look.queens.tolist() for look in climbed.looks() if look.is_start] == begun
    assert [len(naive.attacking_pairs(start)) for start in begun] == list(climbed.start_costs)


def test_the_starts_are_a_sequence_that_nothing_changes():
    climbed = climb(board=[0] * 30, limits=Limits(restarts=9), seed=5)
    starts = climbed.starts
    boards = [start.tolist() for start in starts]
    assert len(starts) == len(boards) == 10
    assert [starts[-1].tolist(), starts[np.int64(3)].tolist()] == [boards[9], boards[3]]
    assert [start.tolist() for start in starts[::-3]] == boards[::-3]
    assert [start.tolist() for start in reversed(starts)] == boards[::-1]
    for index in (10, -11):
        with pytest.raises(IndexError):
            starts[index]
    starts[0][:] = 7
    starts[1][:] = 7
    assert [start.tolist() for start in pickle.loads(pickle.dumps(starts))] == boards
    with pytest.raises(AttributeError):
        starts.seed = 6
    assert repr(starts) == "<Starts n=30 seed=5, 10 boards>"


def test_restarts_need_no_memory_for_their_boards():
    """A board of 100 takes 400 bytes; a restart leaves only a few integers and its moves."""
    restarts = 500
    climb(100, limits=Limits(restarts=1), seed=2)
    tracemalloc.start()
    try:
        climbed = climb(100, limits=Limits(restarts=restarts), seed=2)
        held, peak = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        for look in itertools.islice(climbed.looks(), 5_000):
            assert look.cost > 0
        looked_at = tracemalloc.get_traced_memory()[1] - held
    finally:
        tracemalloc.stop()
    assert len(climbed.restarts) == restarts
    moves = climbed.moves.nbytes
    assert held - moves < 120 * restarts
    assert peak < 2.5 * moves + 120 * restarts + 150_000
    assert looked_at < 20_000


def test_moves_that_do_not_fit_are_refused_with_both_numbers(monkeypatch):
    looked = []

    def available_memory():
        looked.append(True)
        return 120_000_000

    monkeypatch.setattr(memory, "available_memory", available_memory)
    message = r"a climb of more than 3,\d{3},\d{3} moves needs 12\d MB of memory, and 120 MB are available"
    with pytest.raises(fastqueens.NotEnoughMemoryError, match=message):
        climb(50, rule="annealing", limits=Limits(temperature=10.0, cooling=0.999), seed=1)
    assert 1 <= len(looked) <= 3


@pytest.mark.parametrize("rule", ["annealing", "min-conflicts"])
def test_many_moves_are_all_kept(rule, monkeypatch):
    few = climb(20, rule=rule, seed=2)
    monkeypatch.setattr("fastqueens.classroom.searches._ROOM", 7)
    monkeypatch.setattr("fastqueens.classroom.searches._FIRST_ROOM", 2)
    np.testing.assert_array_equal(climb(20, rule=rule, seed=2).moves, few.moves)
    assert few.steps > 7


# The rules of Mahajan and the textbook at n = 8, as NOTES.md measured them.
@pytest.mark.parametrize(
    ("rule", "rate", "steps_solved", "steps_stuck"),
    [("steepest", 0.141, 4.1, 3.1), ("sideways", 0.944, 19.05, 61.7)],
)
def test_the_rules_succeed_as_often_as_measured(rule, rate, steps_solved, steps_stuck):
    outcomes = run_many(8, rule, range(100_000))
    solved = outcomes.solved
    assert solved.mean() == pytest.approx(rate, abs=0.004)
    assert outcomes.steps[solved].mean() == pytest.approx(steps_solved, rel=0.02)
    assert outcomes.steps[~solved].mean() == pytest.approx(steps_stuck, rel=0.02)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("rule", ["steepest", "sideways", "annealing"])
def test_the_smallest_boards(n, rule):
    climbed = climb(n, rule=rule, seed=0)
    assert climbed.solved == (n == 1)
    assert run_many(n, rule, range(20)).solved.all() == (n == 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rule": "sidewise"}, "there is no rule 'sidewise': did you mean 'sideways'"),
        ({"rule": "tabu"}, "there is no rule 'tabu': it is one of steepest, sideways, annealing, min-conflicts"),
        ({"limits": Limits(sideways=-1)}, "sideways_limit is -1"),
        ({"limits": Limits(restarts=1.5)}, "restarts is 1.5"),
        ({"limits": Limits(temperature=0.0)}, "temperature is 0.0: it goes from 0.1 to 10"),
        ({"limits": Limits(temperature=math.nan)}, "temperature is nan"),
        ({"limits": Limits(cooling=1.0)}, "cooling is 1.0: it goes from 0.01 to 0.999"),
        ({"seed": -1}, "seed is -1"),
        ({"n": 0}, "n is 0"),
        ({"n": 5, "board": [0, 1]}, "n is 5, and the board has 2 queens"),
        ({"n": None}, "n or a board is needed"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(fastqueens.InputError, match=message):
        climb(**{"n": 8, **arguments})


@pytest.mark.parametrize("rule", RULES)
def test_no_endless_climb_on_a_board_without_a_solution(rule):
    with pytest.raises(fastqueens.NoSolutionError):
        climb(3, rule=rule, limits=Limits(restarts=None))
    with pytest.raises(fastqueens.NoSolutionError):
        run_many(3, rule, range(1), Limits(restarts=None))


@pytest.mark.parametrize("rule", ["steepest", "annealing"])
def test_the_stop_callback_ends_a_climb(rule):
    with pytest.raises(fastqueens.Stopped):
        climb(8, rule=rule, stop=lambda: True)
    with pytest.raises(fastqueens.Stopped):
        run_many(8, rule, range(10**6), stop=lambda: True)


def test_a_wrong_board_is_not_called_solved(monkeypatch):
    """The check finds a mistake of the climb: here a kernel that claims to solve every board."""
    monkeypatch.setattr(climbing_kernel, "climb", lambda *_: (climbing_kernel.SOLVED, 0))
    monkeypatch.setattr(climbing_kernel, "set_up", lambda climber: climber.state.fill(0))
    with pytest.raises(RuntimeError, match="please report this"):
        climb(board=[0, 0, 0, 0])
