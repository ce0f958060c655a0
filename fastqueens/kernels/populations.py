"""Algorithms that keep several boards: local beam search, stochastic beam search, and a genetic algorithm.

All follow Russell and Norvig; the genetic algorithm has weights exp(-cost / T) instead of a fitness.
A generation lies in one half of ``boards``; the next one is made in the other.
"""

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import int64, uint64
from fastqueens.kernels.climbing import (
    ALIVE,
    EVALUATIONS,
    HALF,
    MADE,
    STATUS,
    STUCK,
    Climber,
    copy,
    evaluations_left,
    finish_step,
    goes_on,
    is_cut,
    key_of,
    place,
    recount,
)
from fastqueens.kernels.moves import COLUMN, NONE, change, indices, lines_cost, move, random_move
from fastqueens.kernels.plateau import BEST_PAIRS, DRAWS, PAIRS, STEPS_SINCE_BEST, next_below
from fastqueens.kernels.stream import splitmix, word

_TIE_BITS = np.uint64(40)
_WEIGHT_SHIFT = np.uint64(24)
_WHOLE_WEIGHT = np.uint64(1 << 40)

# What successors are made for.
_COUNTED = 0
_DRAWN = 1
_KEPT = 2


@inlined
def _fill(climber, cursor):
    """Make the first generation: the first board, and random ones while the limit of evaluations allows.

    The best one is then in ``queens``.
    """
    state, queens, n = climber.state, climber.queens, len(climber.queens)
    size = min(len(climber.keys), 1 + evaluations_left(climber, cursor))
    copy(climber.boards[0], queens)
    climber.keys[0] = np.uint64(state[PAIRS])
    for k in range(1, size):
        place(queens, climber.moves, key_of(climber), state[DRAWS] + 1)
        state[DRAWS] += n
        recount(climber)
        copy(climber.boards[k], queens)
        climber.keys[k] = np.uint64(state[PAIRS])
    best = _index_of_least(climber.keys, size)
    state[EVALUATIONS] += size - 1
    state[ALIVE] = size
    state[BEST_PAIRS] = np.int64(climber.keys[best])
    copy(queens, climber.boards[best])
    recount(climber)


@inlined
def _index_of_least(keys, size):
    """Return the first index of the least of the first ``size`` keys."""
    least = 0
    for k in range(1, size):
        if keys[k] < keys[least]:
            least = k
    return least


@inlined
def _end_generation(climber, trace, patience):
    """Continue with the other half; the algorithm is stuck if ``patience`` generations in a row had no lower cost."""
    state = climber.state
    if state[ALIVE] == 0:
        state[STATUS] = STUCK
        return
    state[HALF] = len(climber.keys) - state[HALF]
    copy(climber.queens, climber.boards[state[HALF] + _index_of_least(climber.keys, state[ALIVE])])
    recount(climber)
    finish_step(climber, trace, 0, 0, 0)
    if state[STEPS_SINCE_BEST] > patience:
        state[STATUS] = STUCK


@inlined
def _find_best(climber):
    """Put the best board of the present generation back into ``queens``, in which its successors were made."""
    state, queens = climber.state, climber.queens
    best, least = 0, len(climber.counts)
    for k in range(state[ALIVE]):
        copy(queens, climber.boards[state[HALF] + k])
        recount(climber)
        if state[PAIRS] < least:
            best, least = k, state[PAIRS]
    copy(queens, climber.boards[state[HALF] + best])
    recount(climber)


@inlined
def _make_picked(climber, k, picked):
    """Make a board of the next generation: a parent after a move."""
    state, size = climber.state, len(climber.keys)
    child = climber.boards[size - state[HALF] + k]
    copy(child, climber.boards[state[HALF] + picked[0]])
    child[picked[1]] = picked[2]
    if picked[3] != NONE:
        child[picked[3]] = picked[4]


@kernel
def beam(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Keep the best of all successors; see goes_on for the arguments. O(k moves) per step, at most k times as much.

    Each board has a key: its cost, followed by bits that depend only on the board and the step. Equal boards have equal
    keys, of which one is kept, and ties are broken at random.
    """
    state = climber.state
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        if state[MADE] == 0 and state[ALIVE] == 0:
            _fill(climber, cursor)
            continue
        looked, kept = _successors(climber, _KEPT, 0)
        if is_cut(climber, cursor, looked):
            _find_best(climber)
            continue
        state[ALIVE] = kept
        _end_generation(climber, trace, climber.sideways_limit)


@inlined
def _square_print(column, row, n):
    return splitmix(np.uint64(column * n + row))


@inlined
def _print_of(queens):
    """Return a hash of the board: the sum of the hashes of its squares."""
    total = np.uint64(0)
    for column in range(len(queens)):
        total += _square_print(column, np.int64(queens[column]), len(queens))
    return total


@inlined
def _offer(climber, found, key, parent, a, row, b, other_row):
    """Insert a successor among the best ones, in ascending order of keys, unless it is there; return their number."""
    keys, picks = climber.keys, climber.picks
    at = found
    while at > 0 and keys[at - 1] >= key:
        at -= 1
    if at == len(keys) or (at < found and keys[at] == key):
        return found
    last = min(found, len(keys) - 1)
    for k in range(last, at, -1):
        keys[k] = keys[k - 1]
        copy(picks[k], picks[k - 1])
    keys[at] = key
    _pick(picks[at], parent, a, row, b, other_row)
    return last + 1


@inlined
def _pick(pick, parent, a, row, b, other_row):
    pick[0], pick[1], pick[2], pick[3], pick[4] = parent, a, row, b, other_row


@inlined
def _weight(climber, cost, least):
    """Return 2**40 exp((least - cost) / temperature)."""
    rise = cost - least
    if rise == 0:
        return _WHOLE_WEIGHT
    if rise > climber.odds.shape[1]:
        return np.uint64(0)
    return climber.odds[0, rise - 1] >> _WEIGHT_SHIFT


@kernel
def stochastic_beam(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Draw the next boards from all successors, by their weights; see goes_on for the arguments. O(k moves) per step.

    The successors are made twice: first to count how many have each cost, and then to find those that were drawn.
    """
    state, size = climber.state, len(climber.keys)
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        if state[MADE] == 0 and state[ALIVE] == 0:
            _fill(climber, cursor)
            continue
        climber.counts[:] = 0
        looked, _ = _successors(climber, _COUNTED, 0)
        if is_cut(climber, cursor, looked):
            _find_best(climber)
            continue
        least, total = -1, np.uint64(0)
        for cost in range(len(climber.counts)):
            if climber.counts[cost] > 0:
                least = cost if least < 0 else least
                total += np.uint64(climber.counts[cost]) * _weight(climber, cost, least)
        if least < 0:
            state[STATUS] = STUCK
            continue
        for k in range(size):
            climber.keys[k] = next_below(state, key_of(climber), total)
        _sort(climber.keys)
        _, state[ALIVE] = _successors(climber, _DRAWN, least)
        _end_generation(climber, trace, climber.sideways_limit)


@inlined
def _sort(keys):
    """Sort in place; O(k^2)."""
    for last in range(1, len(keys)):
        key, at = keys[last], last
        while at > 0 and keys[at - 1] > key:
            keys[at] = keys[at - 1]
            at -= 1
        keys[at] = key


@inlined
def _successors(climber, purpose, least):
    """Count the successors of each cost, or find those at sums of weights, or the best.

    Returns the number of successors, and the number of those found.
    """
    if climber.moves == COLUMN:
        return _successors_of_kind(climber, COLUMN, purpose, least)
    return _successors_of_kind(climber, climber.moves, purpose, least)


@inlined
def _successors_of_kind(climber, kind, purpose, least):
    queens, state, n = climber.queens, climber.state, len(climber.queens)
    keys, size = climber.keys, len(climber.keys)
    looked, found, total, salt = 0, 0, np.uint64(0), splitmix(key_of(climber) + np.uint64(state[MADE]))
    for parent in range(state[ALIVE]):
        copy(queens, climber.boards[state[HALF] + parent])
        recount(climber)
        print_of_board = _print_of(queens)
        for a in range(n):
            own = lines_cost(climber, a, np.int64(queens[a])) - 3
            first, last = indices(kind, n, a)
            for i in range(first, last):
                row, b, other_row = move(kind, queens, a, i)
                if row < 0 or row >= n:
                    continue
                cost = state[PAIRS] + change(climber, a, row, b, other_row, own)
                if purpose == _DRAWN:
                    total += _weight(climber, cost, least)
                    while found < size and keys[found] < total:
                        _pick(climber.picks[found], parent, a, row, b, other_row)
                        keys[found] = np.uint64(cost)
                        found += 1
                    continue
                looked += 1
                if purpose == _COUNTED:
                    climber.counts[cost] += 1
                elif found < size or np.uint64(cost) <= keys[size - 1] >> _TIE_BITS:
                    changed = print_of_board + _square_print(a, row, n) - _square_print(a, np.int64(queens[a]), n)
                    if b != NONE:
                        changed += _square_print(b, other_row, n) - _square_print(b, np.int64(queens[b]), n)
                    key = (np.uint64(cost) << _TIE_BITS) | (splitmix(changed ^ salt) >> _WEIGHT_SHIFT)
                    found = _offer(climber, found, key, parent, a, row, b, other_row)
    for k in range(found):
        _make_picked(climber, k, climber.picks[k])
    return looked, found


@kernel
def genetic(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Make children of pairs of boards drawn by their weights; see goes_on for the arguments. O(k (k + n)) per step."""
    queens, state, n = climber.queens, climber.state, len(climber.queens)
    size = len(climber.keys)
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        if state[MADE] == 0 and state[ALIVE] == 0:
            _fill(climber, cursor)
            continue
        if is_cut(climber, cursor, size):
            continue
        key, total = key_of(climber), np.uint64(0)
        least = state[PAIRS]
        for k in range(size):
            total += _weight(climber, np.int64(climber.keys[k]), least)
        for k in range(size):
            for which in range(2):
                climber.picks[k, which] = _drawn_parent(climber, next_below(state, key, total), least)
        for k in range(size):
            crossing = 1 + np.int64(next_below(state, key, np.uint64(max(1, n - 1))))
            for column in range(n):
                parent = climber.picks[k, 0] if column < crossing else climber.picks[k, 1]
                queens[column] = climber.boards[state[HALF] + parent, column]
            state[DRAWS] += 1
            if word(key, np.uint64(state[DRAWS])) < climber.mutation:
                a, row, b, other_row = random_move(climber.moves, queens, state, key)
                queens[a] = row
                if b != NONE:
                    queens[b] = other_row
            recount(climber)
            copy(climber.boards[size - state[HALF] + k], queens)
            climber.keys[k] = np.uint64(state[PAIRS])
        _end_generation(climber, trace, climber.tries)


@inlined
def _drawn_parent(climber, drawn, least):
    """Return the board at a sum of weights."""
    k, total = -1, np.uint64(0)
    while drawn >= total:
        k += 1
        total += _weight(climber, np.int64(climber.keys[k]), least)
    return k
