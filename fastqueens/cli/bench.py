"""``fastqueens bench``: how fast this machine solves each n, compared with NumPy's shuffle of the same length."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from statistics import median
from typing import Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import say, table_text, wrote

#: The largest n that is measured as a process, and how many runs the median is taken of.
_LARGEST_PROCESS = 10**6
_PROCESSES = 5

_PARTS = ("allocation", "placement", "search", "verification", "shuffle")


def _thread_counts(text: str) -> list[int]:
    """Parse numbers of threads written as 1,2,8."""
    return [options.whole_number(piece) for piece in options.pieces(text)]


@click.command(
    short_help="Measure how fast this machine solves boards.",
    epilog="\b\nExample:\n  fastqueens bench --up-to 1e8 --threads 1,2",
)
@options.number("--up-to", metavar="N", default="1e7", show_default=True, help="Measure n = 10, 100, ... up to N.")
@click.option(
    "--threads",
    metavar="LIST",
    type=_thread_counts,
    help="Numbers of threads to compare, for example 1,2. Default: 1, and all cores for boards that use them, from "
    "262,144 queens on.",
)
@click.option("-o", "--output", type=click.Path(), metavar="FILE", help="Write the measurements: .json.")
@options.as_json
@options.quiet
@click.pass_obj
def bench(
    session: Session, up_to: int, threads: list[int] | None, output: str | None, as_json: bool, quiet: bool
) -> None:
    """Measure how fast this machine solves boards of 10, 100, ... queens.

    The table shows times in ns per queen. Each is the median of 5 runs, or of 3 runs for n of at least 1e8. From 1e9 on
    there is only 1 run. Below 1e9, NumPy's shuffle of n int32 numbers is measured too, for comparison. The last line
    says how long the command takes as a whole, with the start of Python and all imports.
    """
    if output is not None:
        options.check_output(output, (".json",))
    with progress_and_notes(session.display, quiet=quiet):
        from fastqueens import __version__
        from fastqueens.core.threads import all_cores
        from fastqueens.solving.scaling import measure, sizes

        rows = list(measure(sizes(up_to), threads, **session.callbacks))
        n = min(up_to, _LARGEST_PROCESS)
        solving = ("-m", "fastqueens", "solve", str(n), "-q")
        taken = [(_process_seconds(*solving), _process_seconds("-c", "import numpy, click")) for _ in range(_PROCESSES)]
        process, floor = (median(times) for times in zip(*taken, strict=True))
        results = {"fastqueens": __version__, "cores": all_cores(), "unit": "ns a queen", "rows": rows}
        results["process"] = {"n": n, "seconds": process, "python_with_numpy_and_click": floor}
        if output is not None:
            _write(output, results)
    if as_json:
        click.echo(json.dumps(results))
    if not quiet:
        click.echo(_table(rows), nl=False, err=as_json)
        say(
            f"As a process: fastqueens solve {n} takes {process:.2f} s, Python with NumPy and click {floor:.2f} s.",
            err=as_json,
        )
        if output is not None:
            say(wrote(output), err=as_json)


def _write(path: str, results: dict[str, Any]) -> None:
    from fastqueens.files.atomic import atomic_write

    with atomic_write(path, "w") as file:
        file.write(json.dumps(results) + "\n")


def _process_seconds(*arguments: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - begun


def _table(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        figures = ["left out" if row[part] is None else f"{row[part]['median']:,.2f}" for part in _PARTS]
        lines.append([f"{row['n']:,}", str(row["threads"]), *figures])
    look = {"title": "ns per queen, medians", "title_justify": "left", "collapse_padding": True, "pad_edge": False}
    return table_text(("n", "threads", *_PARTS), lines, **look)
