"""Thresholds on which the board of a seed depends, passed down from a task or a chain.

Tests pass lower ones, and run the code for large boards on a board of 100 queens. Answers are correct with any
thresholds. Numbers that change no board are constants of the module that uses them; ``tests/lowered.py`` lowers them.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Thresholds(NamedTuple):
    """The thresholds, in queens unless another unit is named."""

    #: Boards of at least this n are placed in groups of columns, in one tile or several. On smaller boards, the 16
    #: queens of a group in 512 rows would be visible as stripes.
    groups: int = 1 << 18
    #: ``(below, blocks, wide)``: boards of n < ``below`` are cut into at most ``blocks`` blocks of columns, each as
    #: wide as ``wide`` bands are high. The last entry has no upper bound.
    cuts: tuple[tuple[int, int, int], ...] = ((1 << 22, 1, 1), (1 << 24, 4, 2), (1 << 28, 8, 2), (1 << 32, 16, 2))
    #: Neighbouring columns that are dealt to the bands at a time, a power of two between 64 and 4096. It is at
    #: most 256 per band, with the number of bands rounded up to a power of two.
    dealt: int = 1024
    #: If a windowed placement leaves more columns empty than this, the search counts the queens on each line. Otherwise
    #: each step of the repair looks at all empty columns. A board without fixed queens has a few dozen of them, and a
    #: board with many fixed queens can have thousands.
    left_over: int = 1000
    #: Squares that complete search tries in its first turn, before the first turn of local search. This takes some
    #: tenths of a second.
    first_nodes: int = 1 << 21
    #: Chains on boards of at least this n load cache lines ahead, and use twelve holes for this purpose.
    holes_far: int = 1 << 18


#: The thresholds of all public functions.
USUAL: Final = Thresholds()
