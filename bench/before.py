"""The speed of the work tree compared with that of a commit: ``python -m bench.before 0db04a7``.

The two run in turn as separate processes, so that other work on the machine slows both.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from bench import machine, report
from bench.timing import ratio, run_python
from fastqueens.solving.result import Timings

_HERE = Path(__file__).parents[1]

_PROGRAM = """
import json, sys
sys.path.insert(0, {folder!r})
import fastqueens
fastqueens.solve({n}, seed=1000, threads={threads}, trace=False) if {n} <= 10**7 else None
result = fastqueens.solve({n}, seed={seed}, threads={threads}, trace=False)
assert result.solved
print(json.dumps([*result.timings]))
"""

#: n, the number of threads, and the number of runs.
CASES = ((10**6, 1, 45), (10**7, 1, 9), (10**7, 2, 9), (10**8, 1, 5), (10**8, 2, 5))


@click.command()
@click.argument("commit")
@click.option("--keep/--no-keep", default=True, show_default=True, help="Store the table in bench/results.")
def main(commit: str, *, keep: bool) -> None:
    """Compare the times of the work tree, for placement + search and for verification, with those of COMMIT."""
    rows = []
    with checked_out(commit) as folder:
        for n, threads, runs in CASES:
            rows.append(row_of(n, threads, runs, folder) | {"commit": commit})
            click.echo(json.dumps(rows[-1]))
    if keep:
        report.store("before", machine.describe(), rows)


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check a commit out into a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit], cwd=_HERE, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        yield Path(folder)


def row_of(n: int, threads: int, runs: int, before: Path) -> dict[str, Any]:
    """Solve in both folders in turn, and return the ratios after / before."""
    taken: dict[Path, list[Timings]] = {_HERE: [], before: []}
    for seed in range(runs + 1):
        for folder, timings in taken.items():
            program = _PROGRAM.format(folder=str(folder), n=n, seed=seed, threads=threads)
            found = Timings(*json.loads(run_python("-P", "-c", program).output))
            if seed > 0:  # the very first run compiles
                timings.append(found)
    solving = {folder: [one.placement + one.search for one in timings] for folder, timings in taken.items()}
    checking = {folder: [one.verification for one in timings] for folder, timings in taken.items()}
    return {
        "n": n,
        "threads": threads,
        "runs": runs,
        "solve": ratio(solving[_HERE], solving[before])._asdict(),
        "verification": ratio(checking[_HERE], checking[before])._asdict(),
    }


if __name__ == "__main__":
    sys.exit(main())
