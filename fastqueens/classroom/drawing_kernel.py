"""Rules that draw a move and accept it or not: first-choice, annealing, a random walk; and random boards alone.

Annealing follows Kirkpatrick, Gelatt and Vecchi (1983).
"""

from __future__ import annotations

import numpy as np

from fastqueens.classroom.climbing_kernel import EVALUATIONS, MADE, STATUS, STUCK, WAITED, goes_on, key_of, make_move
from fastqueens.classroom.moves_kernel import change, lines_cost, random_move
from fastqueens.jit.decorators import kernel, part
from fastqueens.jit.stream import word
from fastqueens.solving.search_kernel import DRAWS


@part
def _draw(climber):
    """Draw a move; return it with its change of the cost. O(1)."""
    a, row, b, other_row = random_move(climber.moves, climber.queens, climber.state, key_of(climber))
    climber.state[EVALUATIONS] += 1
    own = lines_cost(climber, a, np.int64(climber.queens[a])) - 3
    return a, row, b, other_row, change(climber, a, row, b, other_row, own)


@kernel
def first_choice(climber, claimed, trace, seeds, outcomes, cursor):
    """Make the first drawn move that lowers the cost; see goes_on for the arguments. O(1) a move drawn."""
    state = climber.state
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        if state[WAITED] == climber.tries:
            state[STATUS] = STUCK
            continue
        a, row, b, other_row, added = _draw(climber)
        state[WAITED] += 1
        if added < 0:
            state[WAITED] = 0
            make_move(climber, trace, a, row, b, other_row, added)


@kernel
def annealing(climber, claimed, trace, seeds, outcomes, cursor):
    """Make a drawn move if a word is below its odds; see goes_on for the arguments. O(1) a move drawn."""
    state, odds = climber.state, climber.odds
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        level = (state[EVALUATIONS] - 1) // climber.level_length
        if level == len(odds):
            state[STATUS] = STUCK
            continue
        a, row, b, other_row, added = _draw(climber)
        if added > 0:
            state[DRAWS] += 1
            random = word(key_of(climber), np.uint64(state[DRAWS]))
            if added > odds.shape[1] or random >= odds[level, added - 1]:
                continue
        make_move(climber, trace, a, row, b, other_row, added)


@kernel
def random_walk(climber, claimed, trace, seeds, outcomes, cursor):
    """Make every drawn move; see goes_on for the arguments. O(1) a step."""
    state = climber.state
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        if state[MADE] == climber.tries:
            state[STATUS] = STUCK
            continue
        a, row, b, other_row, added = _draw(climber)
        make_move(climber, trace, a, row, b, other_row, added)


@kernel
def random_sampling(climber, claimed, trace, seeds, outcomes, cursor):
    """Make no move, so that the next random board follows; see goes_on for the arguments. O(n) a board."""
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        climber.state[STATUS] = STUCK
