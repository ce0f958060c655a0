"""Sizes at which the program works differently, in one place so that tests can lower them.

Code reads ``thresholds.current.groups`` at each call, so a test can replace :data:`current` by an object with lower
values and run the path of large boards on a board of 100 queens. No threshold changes whether an answer is right.
``groups``, ``cuts``, ``dealt``, ``holes_far``, ``uncut_squares`` and ``part_squares`` change which board a seed gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Thresholds(NamedTuple):
    """Sizes in queens if not stated otherwise."""

    #: Boards of at least this n have uint32 rows, smaller ones int32.
    unsigned_rows: int = 2**31
    #: Boards of at least this n use several threads. Starting them takes about 0.2 ms.
    threads: int = 1 << 18
    #: Boards of at least this n are placed in groups of columns, in one tile or several. On smaller boards, the queens
    #: of a group, 16 in 512 rows, would be visible as stripes.
    groups: int = 1 << 18
    #: ``(below, blocks, wide)``: boards of n < ``below`` are cut into at most ``blocks`` blocks of columns, each as
    #: wide as ``wide`` bands are high. The last entry has no upper bound.
    cuts: tuple[tuple[int, int, int], ...] = ((1 << 22, 1, 1), (1 << 24, 4, 2), (1 << 28, 8, 2), (1 << 32, 16, 2))
    #: Neighbouring columns that are dealt to the bands at a time, a power of two from 64 to 4096. At most 256 for each
    #: band, if there is a power of two of them.
    dealt: int = 1024
    #: All threads write to every page of an array of at least this many bytes before it is used.
    touched: int = 1 << 19
    #: If a windowed placement leaves more columns than this, the search counts the queens on each line. A step of the
    #: repair looks at all columns left over: some dozen without fixed queens, thousands with many.
    left_over: int = 1000
    #: Counters, of 4 bytes each, that all threads together use to count attacking pairs.
    counters: int = 1 << 26
    #: Boards of at least this n are made directly in their ``.npy`` file.
    made_in_file: int = 1 << 22
    #: ``.npy`` files of at least this many bytes are mapped, not read.
    mapped_bytes: int = 1 << 24
    #: Squares that complete search tries in its first turn, before local search has one: some tenths of a second.
    first_nodes: int = 1 << 21
    #: Columns checked or placed between two calls of the callbacks: about 20 ms.
    checked_slice: int = 1 << 20
    placement_slice: int = 1 << 18
    #: Steps between two calls of the callbacks.
    search_slice: int = 1 << 14
    #: Squares that complete search tries between two calls of the callbacks: some milliseconds.
    tree_slice: int = 1 << 17
    #: Free boards of at least this n are counted with all eight symmetries, smaller ones with the mirror alone: about
    #: 40 trees take 5 ms.
    eight_symmetries: int = 13
    #: Squares that complete search tries in one tree, before it is cut into parts: about 40 ms.
    uncut_squares: int = 1 << 21
    #: Squares that a part of a complete search tries before it gives work away: about 1 ms. Later parts try more.
    part_squares: int = 1 << 16
    #: Hops of an estimate between two calls of the callbacks: about 20 ms.
    levels_slice: int = 1 << 18
    #: Chains on boards of at least this n load cache lines ahead, and have twelve holes for this. On larger boards,
    #: this changes which board a seed gives.
    holes_far: int = 1 << 18
    #: Complete searches with at least this many columns without a fixed queen have domains of several words; at most
    #: 65.
    wide_tree: int = 65
    #: Solutions are listed in lexicographic order if at most this many columns have no fixed queen, at most 64. The
    #: search for the first ten of a free board takes 0.5 s for n = 32 and 8 s for n = 34.
    ordered: int = 32
    #: Hops between two calls of the callbacks: 10 to 20 ms.
    mixing_slice: int = 1 << 18
    #: Rows validated at once, which bounds the extra memory.
    validated_piece: int = 1 << 22


#: The thresholds in force.
current = Thresholds()


@contextmanager
def lowered(**changes: Any) -> Iterator[None]:
    """Change thresholds inside the ``with`` block."""
    global current
    usual = current
    current = current._replace(**changes)
    try:
        yield
    finally:
        current = usual
