"""Thresholds at which the program changes its method, in one place so that tests can lower them.

Code reads ``thresholds.current.groups`` at each call. A test can therefore replace :data:`current` by an object with
lower values, and run the code for large boards on a board of 100 queens. Answers are correct with any thresholds.
``groups``, ``cuts``, ``dealt``, ``holes_far``, ``uncut_squares`` and ``part_squares`` change the board that a seed
gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Thresholds(NamedTuple):
    """The thresholds, in queens unless another unit is named."""

    #: Boards of at least this n have uint32 rows, smaller ones int32.
    unsigned_rows: int = 2**31
    #: Boards of at least this n use several threads. Starting them takes about 0.2 ms.
    threads: int = 1 << 18
    #: Boards of at least this n are placed in groups of columns, in one tile or several. On smaller boards, the 16
    #: queens of a group in 512 rows would be visible as stripes.
    groups: int = 1 << 18
    #: ``(below, blocks, wide)``: boards of n < ``below`` are cut into at most ``blocks`` blocks of columns, each as
    #: wide as ``wide`` bands are high. The last entry has no upper bound.
    cuts: tuple[tuple[int, int, int], ...] = ((1 << 22, 1, 1), (1 << 24, 4, 2), (1 << 28, 8, 2), (1 << 32, 16, 2))
    #: Neighbouring columns that are dealt to the bands at a time, a power of two between 64 and 4096. It is at
    #: most 256 per band, with the number of bands rounded up to a power of two.
    dealt: int = 1024
    #: Arrays of at least this many bytes are touched before use: all threads together write to every page.
    touched: int = 1 << 19
    #: If a windowed placement leaves more columns empty than this, the search counts the queens on each line. Otherwise
    #: each step of the repair looks at all empty columns. A board without fixed queens has a few dozen of them, and a
    #: board with many fixed queens can have thousands.
    left_over: int = 1000
    #: Counters of 4 bytes each that all threads together use to count attacking pairs.
    counters: int = 1 << 26
    #: Boards of at least this n are created directly in their ``.npy`` file.
    made_in_file: int = 1 << 22
    #: ``.npy`` files of at least this many bytes are mapped into memory instead of read.
    mapped_bytes: int = 1 << 24
    #: Squares that complete search tries in its first turn, before the first turn of local search. This takes some
    #: tenths of a second.
    first_nodes: int = 1 << 21
    #: Columns that are checked or placed between two calls of the callbacks, which takes about 20 ms.
    checked_slice: int = 1 << 20
    placement_slice: int = 1 << 18
    #: Steps between two calls of the callbacks.
    search_slice: int = 1 << 14
    #: Squares that complete search tries between two calls of the callbacks, which takes a few milliseconds.
    tree_slice: int = 1 << 17
    #: Solutions of boards without constraints are counted with all eight symmetries from this n on. On smaller boards
    #: only the mirror image is used, because all eight need about 40 trees, which take 5 ms.
    eight_symmetries: int = 13
    #: Squares that complete search tries in one tree before the tree is cut into parts, which takes about 40 ms.
    uncut_squares: int = 1 << 21
    #: Squares that a part of a complete search tries before it gives work away, which takes about 1 ms. Later parts
    #: try more.
    part_squares: int = 1 << 16
    #: Hops of an estimate between two calls of the callbacks, which take about 20 ms.
    levels_slice: int = 1 << 18
    #: Chains on boards of at least this n load cache lines ahead, and use twelve holes for this purpose. This changes
    #: the board that a seed gives.
    holes_far: int = 1 << 18
    #: Complete searches with at least this many columns without a fixed queen store domains in several words. The value
    #: can be at most 65.
    wide_tree: int = 65
    #: Solutions are listed in lexicographic order if at most this many columns have no fixed queen. The value can be at
    #: most 64. Without constraints, finding the first ten solutions takes 0.5 s for n = 32 and 8 s for n = 34.
    ordered: int = 32
    #: Hops between two calls of the callbacks, which take 10 to 20 ms.
    mixing_slice: int = 1 << 18
    #: Rows that are validated at a time, which bounds the additional memory.
    validated_piece: int = 1 << 22


#: The thresholds in use.
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
