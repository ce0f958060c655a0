"""The algorithms of the classroom in plain NumPy, slow and obvious, without the package: many runs at once, exact odds.

``boards[c]`` holds the rows of the queens of column c, on any number of boards. An algorithm makes every board that it
evaluates, and attacking pairs are counted pair by pair. ``limits`` has the attributes of fastqueens.Limits, and
``numbers`` is a NumPy generator. The figures of runs are an array with three rows: final costs, steps, evaluations.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

#: The cost of a board with a queen off the board; a board that does not exist has all its queens there.
NO_BOARD = 100

#: Runs of several boards at a time: all boards of a generation should fit into the cache of the processor.
_AT_ONCE = 500


def costs(boards):
    """Return the attacking pairs of each board."""
    n, pairs = len(boards), np.zeros(boards.shape[1:], np.int8)
    for a, b in itertools.combinations(range(n), 2):
        apart = abs(boards[a] - boards[b])
        pairs += (apart == 0) | (apart == b - a)
    pairs[(boards.min(axis=0) < 0) | (boards.max(axis=0) >= n)] = NO_BOARD
    return pairs


def random_boards(n, moves, numbers, *shape):
    if moves == "swap":
        return numbers.random((n, *shape)).argsort(axis=0).astype(np.int8)
    return numbers.integers(n, size=(n, *shape), dtype=np.int8)


def successors(boards, moves):
    """Return the boards after all moves, numbered by the second axis; some steps lead off the board."""
    n = len(boards)
    other_rows = [[(boards[a] + by) % n for by in range(1, n)] for a in range(n)]
    couples = list(itertools.combinations(range(n), 2))
    made = {
        "column": [{a: rows} for a in range(n) for rows in other_rows[a]],
        "step": [{a: boards[a] + by} for a in range(n) for by in (-1, 1)],
        "swap": [{a: boards[b], b: boards[a]} for a, b in couples],
        "two": [{a: rows, b: others} for a, b in couples for rows in other_rows[a] for others in other_rows[b]],
    }[moves]
    return np.stack([np.stack([move.get(c, boards[c]) for c in range(n)]) for move in made], axis=1)


def random_move(boards, moves, numbers):
    """Return each board after one of its moves."""
    n, shape, after = len(boards), boards.shape[1:], boards.copy()
    a = numbers.integers(n, size=(1, *shape))
    b = (a + numbers.integers(1, n, size=(1, *shape))) % n
    at_a, at_b = np.take_along_axis(boards, a, axis=0), np.take_along_axis(boards, b, axis=0)
    if moves == "swap":
        np.put_along_axis(after, a, at_b, axis=0)
        np.put_along_axis(after, b, at_a, axis=0)
    elif moves == "step":
        np.put_along_axis(after, a, at_a + numbers.choice([-1, 1], size=(1, *shape)), axis=0)
        is_off = costs(after) == NO_BOARD
        if is_off.any():
            after[:, is_off] = random_move(boards[:, is_off], moves, numbers)
    else:
        for column, row in [(a, at_a), (b, at_b)][: 2 if moves == "two" else 1]:
            np.put_along_axis(after, column, (row + numbers.integers(1, n, size=(1, *shape))) % n, axis=0)
    return after


# Algorithms that climb with one board


class Way(NamedTuple):
    """How an algorithm climbs.

    key : a number for each move, from the costs after all moves and the present cost; one of the least is chosen.
        Without a key, the algorithm draws a move
    chance : the probability of a move, by the rise of the cost and the temperature; 0 means that a search with a key
        is stuck
    patience : moves or draws in a row that may fail to lower the cost
    heats, each : temperatures, and the number of moves drawn at each of them
    """

    key: Callable | None
    chance: Callable
    patience: float = 0
    heats: tuple = (1.0,)
    each: float = math.inf


def least(after, now):
    return after


def any_lower(after, now):
    return after >= now


def falls(rise, heat):
    return rise < 0


def falls_or_stays(rise, heat):
    return rise <= 0


def boltzmann(rise, heat):
    return np.exp(-np.maximum(rise, 0) / heat)


def temperatures(limits):
    """Return the temperatures of annealing that are not too low."""
    start, factor = limits.temperature, limits.cooling
    heats = {
        "geometric": (start * factor**k for k in itertools.count()),
        "linear": (start - k * (1 - factor) * start for k in itertools.count()),
        "logarithmic": (start / (1 + math.log(1 + k)) for k in range(1000)),
    }[limits.schedule]
    coldest = 0.1 if start >= 0.1 else start / 10
    return tuple(itertools.takewhile(lambda heat: heat >= coldest, heats))


def way_of(algorithm, n, moves, limits):
    """Return how an algorithm climbs; one with restarts climbs as another one."""
    many = {"column": n * (n - 1), "step": 2 * n, "swap": math.comb(n, 2), "two": math.comb(n, 2) * (n - 1) ** 2}[moves]
    enough = math.ceil(math.log(100) * many)
    return {
        "steepest": Way(least, falls),
        "sideways": Way(least, falls_or_stays, limits.sideways),
        "stochastic": Way(any_lower, falls),
        "first-choice": Way(None, falls, (limits.tries or enough) - 1),
        "annealing": Way(
            None, boltzmann, math.inf, temperatures(limits), 1 if limits.cool_after == "proposal" else n * n
        ),
        "random-walk": Way(None, boltzmann, math.inf, (math.inf,), limits.tries or 10 * n * n),
    }[algorithm.replace("restart-", "").replace("restart", "steepest")]


def climb(way, n, moves, numbers, runs):
    """Climb from random boards until each is solved or stuck."""
    boards = random_boards(n, moves, numbers, runs)
    cost = costs(boards)
    steps, waited, evaluations = np.zeros(runs, int), np.zeros(runs, int), np.ones(runs, int)
    active = np.flatnonzero(cost)
    while len(active):
        here, now, drawn = boards[:, active], cost[active], evaluations[active] - 1
        if way.key is None:
            after, looked = random_move(here, moves, numbers), 1
        else:
            several = successors(here, moves)
            keys = way.key(costs(several), now) + numbers.random(several.shape[1:])
            after = several[:, keys.argmin(axis=0), np.arange(len(active))]
            looked = (costs(several) < NO_BOARD).sum(axis=0)
        rise = costs(after) - now
        may_wait = waited[active] < way.patience
        heat = np.array(way.heats)[(drawn // way.each).astype(int)]
        is_made = ((rise < 0) | may_wait) & (numbers.random(len(active)) < way.chance(rise, heat))
        boards[:, active[is_made]] = after[:, is_made]
        cost[active[is_made]] = (now + rise)[is_made]
        steps[active] += is_made
        evaluations[active] += looked
        waited[active] = np.where(rise < 0, 0, waited[active] + 1)
        is_stuck = ~is_made & (~may_wait | (way.key is not None)) | (drawn + 1 >= len(way.heats) * way.each)
        active = active[~is_stuck & (cost[active] > 0)]
    return np.stack([cost, steps, evaluations])


def restarting(make, runs, restarts=math.inf):
    """Make runs, and repeat those that are not solved; the steps and evaluations of all of them count."""
    figures = make(runs)
    made = 0
    while made < restarts and len(left := np.flatnonzero(figures[0])):
        again = make(len(left))
        figures[0, left] = np.minimum(figures[0, left], again[0])
        figures[1:, left] += again[1:]
        made += 1
    return figures


def look_at(n, moves, numbers, runs):
    """Evaluate a random board in each run."""
    cost = costs(random_boards(n, moves, numbers, runs))
    return np.stack([cost, 0 * cost, 0 * cost + 1]).astype(int)


# Algorithms that keep several boards


def evolve(breed, size, patience, n, moves, numbers, runs):
    """Begin with random boards; end with a solution, or after too many generations without a lower cost."""
    boards = random_boards(n, moves, numbers, size, runs)
    cost = costs(boards)
    lowest = cost.min(axis=0)
    final, steps, waited, evaluations = lowest.copy(), np.zeros(runs, int), np.zeros(runs, int), np.full(runs, size)
    active = np.flatnonzero(lowest)
    boards, cost = boards[:, :, active], cost[:, active]
    while len(active):
        boards, cost, looked = breed(boards, cost, moves, numbers)
        final[active] = cost.min(axis=0)
        steps[active] += 1
        evaluations[active] += looked
        waited[active] = np.where(final[active] < lowest[active], 0, waited[active] + 1)
        lowest[active] = np.minimum(lowest[active], final[active])
        goes_on = (final[active] > 0) & (waited[active] <= patience)
        boards, cost, active = boards[:, :, goes_on], cost[:, goes_on], active[goes_on]
    return np.stack([final, steps, evaluations])


def successors_of_all(boards, moves):
    """Return all successors of several boards in each run, and their costs."""
    n, _, runs = boards.shape
    several = successors(boards, moves).reshape(n, -1, runs)
    return several, costs(several)


def keep_best(boards, _, moves, numbers):
    """Return the best of the different successors with their costs, and the number of evaluated boards."""
    several, cost = successors_of_all(boards, moves)
    codes = sum(several[column].astype(int) << 8 * column for column in range(len(boards)))
    order = codes.argsort(axis=0)
    in_order = np.take_along_axis(codes, order, axis=0)
    is_again = np.zeros(cost.shape, bool)
    np.put_along_axis(is_again, order[1:], in_order[1:] == in_order[:-1], axis=0)
    keys = np.where(is_again, NO_BOARD, cost) + numbers.random(cost.shape)
    best = keys.argsort(axis=0)[: boards.shape[1]]
    kept = np.take_along_axis(several, best[None], axis=1)
    kept[:, np.take_along_axis(keys, best, axis=0) >= NO_BOARD] = NO_BOARD
    return kept, costs(kept), (cost < NO_BOARD).sum(axis=0)


def draw(several, cost, size, heat, numbers):
    """Draw boards of each run in proportion to exp(-cost / heat)."""
    weights = np.exp((cost.min(axis=0) - cost) / heat) * (cost < NO_BOARD)
    sums = weights.cumsum(axis=0)
    drawn = (sums[:, None] <= numbers.random((size, sums.shape[1])) * sums[-1]).sum(axis=0)
    return np.take_along_axis(several, drawn[None], axis=1)


def keep_drawn(boards, _, moves, numbers, heat):
    several, cost = successors_of_all(boards, moves)
    kept = draw(several, cost, boards.shape[1], heat, numbers)
    return kept, costs(kept), (cost < NO_BOARD).sum(axis=0)


def keep_children(boards, cost, moves, numbers, heat, mutation):
    n, size, runs = boards.shape
    one, other = (draw(boards, cost, size, heat, numbers) for _ in range(2))
    children = np.where(np.arange(n)[:, None, None] < numbers.integers(1, n, size=(size, runs)), one, other)
    mutates = numbers.random((size, runs)) < mutation
    kept = np.where(mutates, random_move(children, moves, numbers), children)
    return kept, costs(kept), size


# All algorithms


def make_runs(algorithm, n, moves, limits, numbers, runs):
    """Return the figures of runs of any algorithm but min-conflicts and systematic searches."""
    if algorithm == "random-sampling":
        make = partial(restarting, partial(look_at, n, moves, numbers), restarts=(limits.tries or 10 * n * n) - 1)
    elif algorithm in ("beam", "stochastic-beam", "genetic"):
        heat = limits.temperature
        breed, size, patience = {
            "beam": (keep_best, limits.beam, limits.sideways),
            "stochastic-beam": (partial(keep_drawn, heat=heat), limits.beam, limits.sideways),
            "genetic": (
                partial(keep_children, heat=heat, mutation=limits.mutation),
                limits.population,
                limits.tries or 500,
            ),
        }[algorithm]
        pieces = [min(_AT_ONCE, runs - first) for first in range(0, runs, _AT_ONCE)]
        made = [evolve(breed, size, patience, n, moves, numbers, piece) for piece in pieces]
        return np.concatenate(made, axis=1)
    else:
        make = partial(climb, way_of(algorithm, n, moves, limits), n, moves, numbers)
        if algorithm.startswith("restart"):
            make = partial(restarting, make)
    return make(runs)


def chances(algorithm, n, limits):
    """Return the exact success rate and the mean final cost, steps and evaluations of an algorithm that climbs.

    They follow from the Markov chain of all boards, together with the number of evaluations in a row without a lower
    cost.
    """
    way = way_of(algorithm, n, "column", limits)
    boards = np.indices((n,) * n, np.int8).reshape(n, -1)
    cost, several = costs(boards), successors(boards, "column")
    rise, target = costs(several) - cost, np.ravel_multi_index(several.astype(int), (n,) * n)
    keys = np.zeros(rise.shape) if way.key is None else way.key(costs(several), cost)
    chosen = (keys == keys.min(axis=0)) / (keys == keys.min(axis=0)).sum(axis=0)
    here = np.broadcast_to(np.arange(n**n), target.shape)

    def follow(share, probability):
        """Return the probabilities of the boards after moves."""
        return csr_array((probability.ravel(), (target.ravel(), here.ravel())), shape=(n**n, n**n)) @ share

    can_wait_forever = way.patience == math.inf
    share = np.zeros((n**n, 1 if can_wait_forever else way.patience + 1))
    share[:, 0] = 1 / n**n
    solved, final, steps, evaluations = 0.0, 0.0, 0.0, 1.0
    drawn = 0
    while drawn < len(way.heats) * way.each and share[cost > 0].sum() > 1e-12:
        solved += share[cost == 0].sum()
        share[cost == 0] = 0
        is_made = chosen * way.chance(rise, way.heats[int(drawn // way.each)])
        waiting = share if can_wait_forever else share[:, :-1]
        lowered = follow(share.sum(axis=1), is_made * (rise < 0))[:, None]
        others = follow(waiting, is_made * (rise >= 0))
        refused = waiting * (1 - is_made.sum(axis=0))[:, None]
        steps += lowered.sum() + others.sum()
        evaluations += share.sum() * (1 if way.key is None else len(several[0]))
        if can_wait_forever:
            share = lowered + others + refused
        else:
            final += cost @ (share[:, -1] * (1 - (is_made * (rise < 0)).sum(axis=0)))
            final += 0 if way.key is None else cost @ refused.sum(axis=1)
            share = np.hstack([lowered, others + (refused if way.key is None else 0)])
        drawn += 1
    return solved + share[cost == 0].sum(), final + cost @ share.sum(axis=1), steps, evaluations
