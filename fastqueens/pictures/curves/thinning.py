"""Thinning of long traces: a line keeps the entries that show."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def thinned(places: NDArray[Any], values: NDArray[Any], attempts: NDArray[Any], columns: int) -> NDArray[np.int64]:
    """Return the entries that a line needs: the first, last, least and greatest of each column of pixels.

    This is M4 of Jugel, Jerzak, Hackenbroich and Markl (2014). O(entries).

    Parameters
    ----------
    places : (entries,) array
        Where each entry stands on the axis, ascending.
    values, attempts : (entries,) integer arrays
        Entries of different attempts never share a column.
    columns : int
        Columns of pixels between the first and the last place.

    Returns
    -------
    (chosen,) int64 array
        Ascending indices, including the first and the last entry; all indices if thinning saves nothing.

    Examples
    --------
    >>> values = np.array([9, 8, 7, 8, 30, 6, 5, 4])
    >>> thinned(np.arange(8), values, np.ones(8, int), 1)
    array([0, 4, 7])
    """
    if len(places) <= 4 * columns:
        return np.arange(len(places))
    share = (places - places[0]) / max(places[-1] - places[0], 1)
    column = np.minimum((share * columns).astype(np.int64), columns - 1)
    is_first = np.ones(len(places), bool)
    is_first[1:] = (column[1:] != column[:-1]) | (attempts[1:] != attempts[:-1])
    firsts = np.flatnonzero(is_first)
    lengths = np.diff(np.append(firsts, len(places)))
    chosen = [firsts, firsts + lengths - 1]
    for extreme in (np.minimum, np.maximum):
        at = np.flatnonzero(values == np.repeat(extreme.reduceat(values, firsts), lengths))
        # The first entry of each column that has the extreme value.
        chosen.append(at[np.searchsorted(at, firsts)])
    return np.unique(np.concatenate(chosen))
