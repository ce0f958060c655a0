"""Random words by counter: any thread can compute any word of a stream at any time.

Word i of a stream is ``mix(key + i * odd constant)``: the generator wyrand by Wang Yi, with one 64 x 64 bit product per
word. Keys come from SplitMix64 (Steele, Lea, Flood 2014), which has published test vectors. The words are not safe for
cryptography. All arguments and results are uint64.
"""

import numpy as np

from fastqueens._jit.decorators import inlined
from fastqueens.kernels.bits import folded_product, high_product

# Purposes of streams. Each seed, attempt and purpose has an independent stream.
PLACEMENT = np.uint64(0)
UNUSED_ROWS = np.uint64(1)
SEARCH = np.uint64(2)
DEALING = np.uint64(3)
_PURPOSES = np.uint64(4)

# Purposes without attempts: chains that mix solutions, and replicas that estimate their number.
MIXING = np.uint64(1 << 62)
ESTIMATING = np.uint64(2 << 62)

_INCREMENT = np.uint64(0xA0761D6478BD642F)
_MASK = np.uint64(0xE7037ED1A0B428DB)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@inlined
def word(key, index):
    """Return word ``index`` of the stream ``key``: 64 random bits."""
    state = key + index * _INCREMENT
    return folded_product(state, state ^ _MASK)


@inlined
def below(random_word, bound):
    """Map a random word to a number from 0 to bound - 1; the odds differ by at most bound / 2**64."""
    return high_product(random_word, bound)


@inlined
def splitmix(state):
    """Return the first output of SplitMix64 seeded with ``state``."""
    mixed = state + _GOLDEN
    mixed = (mixed ^ (mixed >> _30)) * _FIRST_FACTOR
    mixed = (mixed ^ (mixed >> _27)) * _SECOND_FACTOR
    return mixed ^ (mixed >> _31)


@inlined
def stream_key(seed, attempt, purpose):
    """Return the key of a stream: for one purpose, and one attempt, chain or replica (below 2**60) of a run."""
    return splitmix(splitmix(seed) + attempt * _PURPOSES + purpose)
