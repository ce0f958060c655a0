"""The chain of random solutions: its speed, the density after mixing, and samples compared with all solutions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import chdtrc

import fastqueens
from bench.floor import even_odd
from bench.timing import Spread, power, spread
from fastqueens._run.arguments import SWEEPS
from fastqueens._run.progress import Callbacks
from fastqueens.board import Queens
from fastqueens.chain import SolutionChain, mix
from fastqueens.instance import make_instance

Rows = Sequence[dict[str, Any]]

#: The n of boards on which hops are timed, and the number of hops per run.
TIMED = (10**4, 10**6)
_HOPS = 2_000_000

#: The n of boards that are mixed with the default of ``--mix`` and the number of seeds; the goals in seconds.
MIXED = {10**6: 5, 10**7: 5, 10**8: 1}
_MIXING_SECONDS = {10**8: 90.0}

#: The goal for queens that mixing leaves in their rows, in percent.
UNMOVED = 1.5

#: The goal for chi-square per cell against the limit shape, on a grid of 32 x 32 cells at this n.
_CELLS = 32
DENSITY_N = 10**6
DENSITY = 1.1

#: The n of samples whose effective size is measured, and the number of samples per seed.
EFFECTIVE = {8: 20_000, 20: 20_000, 200: 10_000, 1_000: 4_000, 10_000: 1_000}

#: The n of samples that are compared with all solutions, and the number of samples per seed, with three times the usual
#: thinning.
UNIFORM = {6: 20_000, 8: 100_000, 10: 100_000, 12: 284_000}
_THINNING = 48

SEEDS = range(1, 6)
SEEDS_TEXT = f"seeds {SEEDS[0]} to {SEEDS[-1]}"


def measure_mixing() -> Iterator[dict[str, Any]]:
    """Measure hops, mixing, and the density after mixing two kinds of boards."""
    for n in TIMED:
        yield _row(f"one hop, n = {power(n)}", "ns", None, spread(_nanoseconds(n)))
    for n, seeds in MIXED.items():
        taken, unmoved = zip(*(_mixed(n, seed) for seed in range(1, seeds + 1)), strict=True)
        yield _row(f"`--mix`, n = {power(n)}", "s", _MIXING_SECONDS.get(n), spread(taken))
        yield _row(f"queens still in their old row, n = {power(n)}", "%", UNMOVED, spread(unmoved))
    for name, start, sweeps in (
        ("from the solver", _placement, SWEEPS),
        ("from the formula", _even_odd, SWEEPS),
        ("from the formula", _even_odd, SWEEPS + 3),
    ):
        values = [_chi_square_per_cell(start(DENSITY_N, seed), sweeps, seed) for seed in SEEDS]
        yield _row(f"chi-square per cell after {sweeps} sweeps, {name}", "", DENSITY, spread(values))


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
    """Return the nanoseconds per hop in several runs, after a warm-up."""
    chain = SolutionChain(_placement(n, 1), make_instance(n), 1, 0)
    taken = []
    for _ in range(len(SEEDS) + 1):
        before, begun = chain.hops, time.perf_counter()
        chain.hop(before + _HOPS, Callbacks())
        taken.append((time.perf_counter() - begun) / (chain.hops - before) * 1e9)
    return taken[1:]


def _mixed(n: int, seed: int) -> tuple[float, float]:
    """Return the seconds that mixing takes, and the percentage of queens that are still in their old rows."""
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
    """Return the autocorrelation time, effective share and time of samples with the usual thinning, on one thread."""
    drawn = [fastqueens.sample(n, count, seed=seed, threads=1) for seed in (0, *SEEDS)][1:]
    times = np.array([samples.autocorrelation_time or np.nan for samples in drawn])
    sizes = np.array([samples.effective_sample_size or np.nan for samples in drawn])
    seconds = np.array([samples.seconds for samples in drawn])
    series = {"time": times, "share": sizes / count, "seconds": seconds / sizes}
    figures = {name: spread(values.tolist())._asdict() for name, values in series.items()}
    return {"n": n, "count": count, "thinning": drawn[0].thinning, **figures}


def _against_all_solutions(n: int, count: int) -> dict[str, Any]:
    """Compare the counts of each solution among the samples of several seeds with equal counts, by chi-square tests."""
    powers = n ** np.arange(n, dtype=np.int64)
    numbers = np.sort(np.array([board @ powers for board in fastqueens.all_solutions(n)]))
    squares = []
    for seed in SEEDS:
        boards = fastqueens.sample(n, count, seed=seed, thinning=_THINNING).boards
        counts = np.bincount(np.searchsorted(numbers, boards @ powers), minlength=len(numbers))
        squares.append(float(((counts - count / len(numbers)) ** 2).sum()) * len(numbers) / count)
    freedom = len(numbers) - 1
    p_values = [float(chdtrc(freedom, value)) for value in squares]
    return {"n": n, "count": count, "freedom": freedom, "chi_squares": squares, "p_values": p_values}


def mixing_table(rows: Rows) -> str:
    """Return the times of mixing, and the share of queens that it leaves in their rows."""
    lines = ["| queens | time of `--mix` | queens still in their old row |", "|---:|---:|---:|"]
    taken, unmoved = ([row for row in rows if row["what"].startswith(what)] for what in ("`--mix`", "queens still"))
    for time_row, share_row in zip(taken, unmoved, strict=True):
        n = time_row["what"].rpartition(" = ")[2]
        lines.append(f"| {n} | {_with_unit(time_row['median'], 's')} | {_with_unit(share_row['median'], '%')} |")
    return "\n".join(lines)


def goals_table(rows: Rows) -> str:
    """Return all figures of mixing with their goals, and whether the medians meet them."""
    lines = ["| measurement | median (range, runs) | goal, at most | met |", "|---|---:|---:|---|"]
    for row in rows:
        unit, most = row["unit"], row["at_most"]
        runs = f" ({row['least']:.2f}–{row['most']:.2f}, {row['runs']})" if row["runs"] > 1 else ""
        goal = "" if most is None else f"{most:g} {unit}".rstrip()
        met = "" if most is None else "yes" if row["median"] <= most else "**no**"
        lines.append(f"| {row['what']} | {_with_unit(row['median'], unit)}{runs} | {goal} | {met} |")
    return "\n".join(lines)


def _with_unit(value: float, unit: str) -> str:
    return f"{value:.2f} {unit}".rstrip()


def samples_table(rows: Rows) -> str:
    """Return a table of effective sizes, and a table of the comparison with all solutions."""
    effective = [row for row in rows if row["kind"] == "effective"]
    uniform = [row for row in rows if row["kind"] == "uniform"]
    lines = [
        "| n | autocorrelation time | effective share | time per effective sample, µs |",
        "|---:|---:|---:|---:|",
    ]
    for row in effective:
        cells = [
            f"{of['median'] * unit:.{digits}f} ({of['least'] * unit:.{digits}f}–{of['most'] * unit:.{digits}f})"
            for name, unit, digits in (("time", 1, 1), ("share", 1, 2), ("seconds", 1e6, 1))
            for of in [row[name]]
        ]
        lines.append(" | ".join([f"| {row['n']:,}", *cells]) + " |")
    lines += ["", "The chi-square tests against all solutions gave these p-values, one for each seed:", ""]
    lines += ["| n | samples per seed | degrees of freedom | p-values |", "|---:|---:|---:|---|"]
    for row in uniform:
        p_values = ", ".join(f"{value:.3f}" for value in row["p_values"])
        lines.append(f"| {row['n']} | {row['count']:,} | {row['freedom']:,} | {p_values} |")
    together = [value for row in uniform for value in row["p_values"]]
    combined = chdtrc(2 * len(together), -2 * np.log(together).sum())
    return "\n".join(lines) + f"\n\nFisher's method combines the {len(together)} p-values into p = {combined:.3f}."
