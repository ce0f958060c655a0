"""The command ``python -m bench WHAT ...``: measure, store the results and update the tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from bench import browser, csplib, estimates, floor, generated, machine, rates, report, sampling, scaling
from fastqueens._run.threads import all_cores
from fastqueens._run.typed_numbers import number

#: The benchmarks that ``all`` runs. The others need much memory or many minutes.
ALL = ("floor", "scaling", "rates", "mixing", "samples")

#: All benchmarks, in the order in which they run.
NAMES = (*ALL, "largest", "constant", "csplib", "generated", "page")


class _Benchmark(NamedTuple):
    seeds: str
    measure: Callable[[], Iterator[dict[str, Any]]]


@click.command()
@click.argument("what", nargs=-1, required=True, type=click.Choice([*NAMES, "report", "all"]))
@click.option("--up-to", default="1e9", show_default=True, type=number, help="For scaling and floor: the largest n.")
@click.option("--n", default="4e9", show_default=True, type=number, help="For largest: the number of queens.")
@click.option("--python", default=sys.executable, help="For floor: a Python that has OR-Tools. Default: this one.")
@click.option(
    "--adaptive-search",
    type=click.Path(path_type=Path),
    help="For floor: the compiled C program (see bench/floor.py).",
)
@click.option(
    "--instances",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="For csplib: the folder with instances.csv.gz and labels.csv.gz.",
)
def main(
    what: tuple[str, ...], up_to: int, n: int, python: str, adaptive_search: Path | None, instances: Path | None
) -> None:
    """Measure WHAT, store the results in bench/results, and update the tables on the pages.

    ``report`` measures nothing. It writes the tables again from the stored results.
    """
    if "csplib" in what and instances is None:
        raise click.UsageError("csplib needs --instances FOLDER")
    benchmarks = {
        "floor": _Benchmark(
            scaling.SEEDS,
            lambda: floor.measure([size for size in floor.SIZES if size <= up_to], python, adaptive_search),
        ),
        "scaling": _Benchmark(
            scaling.SEEDS,
            lambda: scaling.measure([size for size in scaling.SIZES if size <= up_to], sorted({1, all_cores()})),
        ),
        "rates": _Benchmark(rates.SEEDS, rates.measure),
        "mixing": _Benchmark(sampling.SEEDS_TEXT, sampling.measure_mixing),
        "samples": _Benchmark(sampling.SEEDS_TEXT, sampling.measure_samples),
        "largest": _Benchmark("seed 1", lambda: scaling.measure_largest(n)),
        "constant": _Benchmark("seed 1", estimates.measure),
        "csplib": _Benchmark("seed 0", lambda: csplib.measure(instances or Path())),
        "generated": _Benchmark(generated.SEEDS, generated.measure),
        "page": _Benchmark(browser.SEEDS, browser.measure),
    }
    for name, benchmark in benchmarks.items():
        if name in what or ("all" in what and name in ALL):
            _measure(name, benchmark)
    for name in report.update_pages():
        click.echo(f"updated the table {name}", err=True)


def _measure(name: str, benchmark: _Benchmark) -> None:
    click.echo(f"measuring {name}", err=True)
    measured_on = machine.describe()
    rows = []
    for row in benchmark.measure():
        click.echo(row, err=True)
        rows.append(row)
    report.store(name, measured_on, benchmark.seeds, rows)
    for shown in report.tables_of(name):
        click.echo(report.table(shown))


if __name__ == "__main__":
    main()
