"""The chain of random solutions: its speed, the density that it leads to, and its samples against all solutions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.stats import chi2, combine_pvalues

import fastqueens
from bench.floor import even_odd
from bench.timing import Spread, power, spread
from fastqueens._run.arguments import SWEEPS
from fastqueens._run.progress import Callbacks
from fastqueens.board import Queens
from fastqueens.chain import SolutionChain, mix
from fastqueens.instance import make_instance

Rows = Sequence[dict[str, Any]]

#: Boards on which hops are timed, and hops in a run.
TIMED = (10**4, 10**6)
_HOPS = 2_000_000

#: Boards that are mixed with the default of ``--mix``, and seeds; seconds, where they are limited.
MIXED = {10**6: 5, 10**7: 5, 10**8: 1}
_MIXING_SECONDS = {10**8: 90.0}

#: Percent of the queens that may be where they were.
UNMOVED = 1.5

#: The largest chi-square for each cell of this grid, at this n, against the limit shape.
_CELLS = 32
DENSITY_N = 10**6
DENSITY = 1.1

#: Boards whose samples have their effective size measured, and samples of a seed.
EFFECTIVE = {8: 20_000, 20: 20_000, 200: 10_000, 1_000: 4_000, 10_000: 1_000}

#: Boards whose samples are compared with all solutions, and samples of a seed, at three times the usual thinning.
UNIFORM = {6: 20_000, 8: 100_000, 10: 100_000, 12: 284_000}
_THINNING = 48

SEEDS = range(1, 6)
SEEDS_TEXT = f"seeds {SEEDS[0]} to {SEEDS[-1]}"


def measure_mixing() -> Iterator[dict[str, Any]]:
    """Measure hops, mixing, and the density after it from two kinds of boards."""
    for n in TIMED:
        yield _row(f"a hop, n = {power(n)}, one thread", "ns", None, spread(_nanoseconds(n)))
    for n, seeds in MIXED.items():
        taken, unmoved = zip(*(_mixed(n, seed) for seed in range(1, seeds + 1)), strict=True)
        yield _row(f"`--mix`, n = {power(n)}", "s", _MIXING_SECONDS.get(n), spread(taken))
        yield _row(f"queens that stayed, n = {power(n)}", "%", UNMOVED, spread(unmoved))
    for name, start, sweeps in (
        ("the placement", _placement, SWEEPS),
        ("the even-odd board", _even_odd, SWEEPS),
        ("the even-odd board", _even_odd, SWEEPS + 3),
    ):
        values = [_chi_square_per_cell(start(DENSITY_N, seed), sweeps, seed) for seed in SEEDS]
        yield _row(f"chi-square per cell, {sweeps} sweeps from {name}", "", DENSITY, spread(values))


def measure_samples(
    effective: Mapping[int, int] = EFFECTIVE, uniform: Mapping[int, int] = UNIFORM
) -> Iterator[dict[str, Any]]:
    """Measure the effective size of samples, and compare samples of small boards with all solutions."""
    for n, count in effective.items():
        yield {"kind": "effective", **_effective(n, count)}
    for n, count in uniform.items():
        yield {"kind": "uniform", **_against_all_solutions(n, count)}


def _row(what: str, unit: str, limit: float | None, measured: Spread) -> dict[str, Any]:
    return {"what": what, "unit": unit, "at_most": limit, **measured._asdict()}


def _nanoseconds(n: int) -> list[float]:
    """Return the nanoseconds of a hop in several runs, after a warm-up."""
    chain = SolutionChain(_placement(n, 1), make_instance(n), 1, 0)
    taken = []
    for _ in range(len(SEEDS) + 1):
        before, begun = chain.hops, time.perf_counter()
        chain.hop(before + _HOPS, Callbacks())
        taken.append((time.perf_counter() - begun) / (chain.hops - before) * 1e9)
    return taken[1:]


def _mixed(n: int, seed: int) -> tuple[float, float]:
    """Return the seconds that mixing takes, and how many percent of the queens are where they were."""
    queens = _placement(n, seed)
    before, begun = queens.copy(), time.perf_counter()
    mix(queens, make_instance(n), SWEEPS, seed, Callbacks())
    return time.perf_counter() - begun, 100 * float(np.mean(queens == before))


def _placement(n: int, seed: int) -> Queens:
    return fastqueens.solve(n, seed=seed, trace=False).queens


def _even_odd(n: int, _seed: int) -> Queens:
    return even_odd(n)


def _chi_square_per_cell(queens: Queens, sweeps: int, seed: int) -> float:
    mix(queens, make_instance(len(queens)), sweeps, seed, Callbacks())
    if not fastqueens.is_solution(queens):
        raise RuntimeError(f"seed {seed}: the mixed board is not a solution")
    return fastqueens.statistics(queens, _CELLS).chi_square_per_cell


def _effective(n: int, count: int) -> dict[str, Any]:
    """Return figures of samples with the usual thinning, on one thread."""
    drawn = [fastqueens.sample(n, count, seed=seed, threads=1) for seed in (0, *SEEDS)][1:]
    times = np.array([samples.autocorrelation_time or np.nan for samples in drawn])
    sizes = np.array([samples.effective_sample_size or np.nan for samples in drawn])
    seconds = np.array([samples.seconds for samples in drawn])
    series = {"time": times, "share": sizes / count, "seconds": seconds / sizes}
    figures = {name: spread(values.tolist())._asdict() for name, values in series.items()}
    return {"n": n, "count": count, "thinning": drawn[0].thinning, **figures}


def _against_all_solutions(n: int, count: int) -> dict[str, Any]:
    """Return how often samples of several seeds hit each solution, as p-values of a chi-square test."""
    powers = n ** np.arange(n, dtype=np.int64)
    numbers = np.sort(np.array([board @ powers for board in fastqueens.all_solutions(n)]))
    squares = []
    for seed in SEEDS:
        boards = fastqueens.sample(n, count, seed=seed, thinning=_THINNING).boards
        counts = np.bincount(np.searchsorted(numbers, boards @ powers), minlength=len(numbers))
        squares.append(float(((counts - count / len(numbers)) ** 2).sum()) * len(numbers) / count)
    freedom = len(numbers) - 1
    p_values = [float(chi2.sf(value, freedom)) for value in squares]
    return {"n": n, "count": count, "freedom": freedom, "chi_squares": squares, "p_values": p_values}


def mixing_table(rows: Rows) -> str:
    """Return the figures of mixing and their limits; a missed limit says so."""
    lines = ["| what | at most | measured (range, runs) |", "|---|---:|---:|"]
    for row in rows:
        unit, has_limit = row["unit"], row["at_most"] is not None
        limit = f"{row['at_most']:g} {unit}".rstrip() if has_limit else ""
        after = ", missed" if has_limit and row["median"] > row["at_most"] else "" if has_limit else f" {unit}"
        runs = f" ({row['least']:.2f}–{row['most']:.2f}, {row['runs']})" if row["runs"] > 1 else ""
        lines.append(f"| {row['what']} | {limit} | **{row['median']:.2f}**{after}{runs} |")
    return "\n".join(lines)


def samples_table(rows: Rows) -> str:
    """Return a table of effective sizes, and a table of the comparison with all solutions."""
    effective = [row for row in rows if row["kind"] == "effective"]
    uniform = [row for row in rows if row["kind"] == "uniform"]
    lines = [
        "| n | samples | autocorrelation time, visits | effective share, at least 0.5 | µs per effective sample |",
        "|---:|---:|---:|---:|---:|",
    ]
    for row in effective:
        cells = [
            f"**{of['median'] * unit:.{digits}f}** ({of['least'] * unit:.{digits}f}–{of['most'] * unit:.{digits}f})"
            for name, unit, digits in (("time", 1, 1), ("share", 1, 2), ("seconds", 1e6, 1))
            for of in [row[name]]
        ]
        lines.append(" | ".join([f"| {row['n']:,}", f"{row['count']:,}", *cells]) + " |")
    lines += ["", "On one thread.", ""]
    lines += ["| n | samples per seed | degrees of freedom | p of five seeds |", "|---:|---:|---:|---|"]
    for row in uniform:
        p_values = ", ".join(f"**{value:.3f}**" for value in row["p_values"])
        lines.append(f"| {row['n']} | {row['count']:,} | {row['freedom']:,} | {p_values} |")
    together = [value for row in uniform for value in row["p_values"]]
    combined = combine_pvalues(together).pvalue
    return "\n".join(lines) + f"\n\nThe {len(together)} together, by Fisher's method: p = **{combined:.3f}**."
