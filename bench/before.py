"""A comparison of the work tree's speed with an earlier commit: ``python -m bench.before 0db04a7``.

``--sampling`` compares mixing and samples. The program prints its results and stores nothing. Both versions run
alternately, in separate processes, so that other work on the machine slows both.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import click

from bench import machine
from bench.timing import power, ratio, run_python
from fastqueens._run.arguments import SWEEPS
from fastqueens.result import Timings

_HERE = Path(__file__).parents[1]

_IMPORT = """
import json, sys
sys.path.insert(0, {folder!r})
import fastqueens
"""

_SOLVE = """
fastqueens.solve({n}, seed=1000, threads={threads}, trace=False) if {n} <= 10**7 else None
result = fastqueens.solve({n}, seed={seed}, threads={threads}, trace=False)
assert result.solved
print(json.dumps([*result.timings]))
"""

_MIX = """
fastqueens.solve(1000, seed=1000, mix=1, threads=1, trace=False)
print(fastqueens.solve({n}, seed={seed}, mix={sweeps}, threads=1, trace=False).timings.mixing)
"""

# Seconds per effective sample, with the default options.
_SAMPLE = """
fastqueens.sample({n}, 64, seed=1000, threads=1)
found = fastqueens.sample({n}, {count}, seed={seed}, threads=1)
print(found.seconds / found.effective_sample_size)
"""

#: n, the number of threads, and the number of runs.
CASES = ((10**6, 1, 45), (10**7, 1, 9), (10**7, 2, 9), (10**8, 1, 5), (10**8, 2, 5))

#: The n of boards that are mixed on one thread.
MIXED = (10**5, 10**6, 10**7)

#: The n of boards that are sampled, and the number of samples.
SAMPLED = {8: 20_000, 20: 20_000, 50: 10_000, 200: 10_000, 1_000: 4_000}

_RUNS = 5


@click.command()
@click.argument("commit")
@click.option("--sampling", is_flag=True, help="Compare mixing and samples instead of solving.")
def main(commit: str, *, sampling: bool) -> None:
    """Compare the work tree with COMMIT: by default, the times of placement + search and of verification."""
    click.echo(machine.line(machine.describe()))
    with checked_out(commit) as folder:
        for row in sampling_rows(folder) if sampling else solving_rows(folder):
            click.echo(json.dumps(row | {"commit": commit}))


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check out a commit into a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit], cwd=_HERE, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        yield Path(folder)


def solving_rows(before: Path) -> Iterator[dict[str, Any]]:
    """Solve in both folders alternately, and yield the ratios after / before."""
    for n, threads, runs in CASES:
        now, then = (
            [Timings(*found) for found in taken] for taken in _in_turn(_SOLVE, before, runs, n=n, threads=threads)
        )
        yield {
            "n": n,
            "threads": threads,
            "runs": runs,
            "solve": ratio(
                [of.placement + of.search for of in now], [of.placement + of.search for of in then]
            )._asdict(),
            "verification": ratio([of.verification for of in now], [of.verification for of in then])._asdict(),
        }


def sampling_rows(before: Path) -> Iterator[dict[str, Any]]:
    """Mix and sample in both folders alternately, and yield the ratios after / before."""
    for n in MIXED:
        yield _compared(f"--mix, n = {power(n)}", *_in_turn(_MIX, before, _RUNS, n=n, sweeps=SWEEPS))
    for n, count in SAMPLED.items():
        yield _compared(f"effective sample, n = {n:,}", *_in_turn(_SAMPLE, before, _RUNS, n=n, count=count))


def _in_turn(program: str, before: Path, runs: int, **values: int) -> tuple[list[Any], list[Any]]:
    """Run a program in both folders alternately; return its outputs in the work tree and in the earlier commit."""
    taken: dict[Path, list[Any]] = {_HERE: [], before: []}
    for seed in range(runs + 1):
        for folder, found in taken.items():
            text = (_IMPORT + program).format(folder=str(folder), seed=seed, **values)
            found.append(json.loads(run_python("-P", "-c", text).output))
    return taken[_HERE][1:], taken[before][1:]  # the very first run compiles


def _compared(what: str, now: Sequence[float], then: Sequence[float]) -> dict[str, Any]:
    return {"what": what, "unit": "s", "now": median(now), "then": median(then), **ratio(now, then)._asdict()}


if __name__ == "__main__":
    sys.exit(main())
