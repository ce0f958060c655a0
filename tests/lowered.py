"""Lower thresholds, so that small boards take the paths of large ones."""

from fastqueens._run import thresholds
from fastqueens._run.thresholds import lowered as lowered

#: Thresholds with which a board of any size takes every path of large boards.
EVERYTHING = {
    "threads": 1,
    "groups": 1,
    "cuts": ((1 << 32, 8, 4),),
    "dealt": 64,
    "touched": 1,
    "left_over": 1000,
    "counters": 64,
    "made_in_file": 1,
    "mapped_bytes": 1,
    "checked_slice": 1000,
    "placement_slice": 500,
    "search_slice": 7,
    "tree_slice": 3,
    "mixing_slice": 100,
    "levels_slice": 100,
    "holes_far": 1,
    "validated_piece": 500,
}


def lower(patch, **changes):
    """Change thresholds until the patch ends."""
    patch.setattr(thresholds, "current", thresholds.current._replace(**changes))
