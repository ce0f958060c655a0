"""Our times compared with those of Bursey et al. (2019): their generator with min-conflicts, n = 10 to 1,000,000.

docs/classroom.md names the source.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

import fastqueens

RUNS = 5

# n: seconds for board generation, and for the search (its section 5).
PUBLISHED = {
    10: (0.0, 0.00199),
    100: (0.00199, 0.02892),
    1000: (0.02396, 0.2224),
    10_000: (0.58743, 2.69502),
    100_000: (40.54628, 31.48562),
    300_000: (693.06785, 58.69569),
    1_000_000: (5985.30265, 230.9969),
}


def measure() -> Iterator[dict[str, Any]]:
    """Yield median seconds of placement and search for each published n, on one thread: windowed and uniform start."""
    for n, (generation, search) in PUBLISHED.items():
        row: dict[str, Any] = {"n": n, "published_placement": generation, "published_search": search}
        for start in ("windowed", "uniform"):
            results = [fastqueens.solve(n, seed=seed, start=start, threads=1) for seed in range(RUNS + 1)][1:]
            row[f"{start}_placement"] = statistics.median(result.timings.placement for result in results)
            row[f"{start}_search"] = statistics.median(result.timings.search for result in results)
            row[f"{start}_steps"] = int(statistics.median(result.steps for result in results))
        yield row
