"""``python -m bench WHAT ...``: measure, store the results, and update the tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from bench import (
    classroom,
    counting,
    cpsat,
    csplib,
    estimates,
    fixed_queens,
    floor,
    generated,
    largest,
    machine,
    parts,
    promises,
    report,
    sampling,
    scaling,
    stale,
    tiles,
    translated,
)
from fastqueens.cli.values import whole_number
from fastqueens.core.threads import all_cores
from fastqueens.exact.complete_search import MOST_EMPTY

#: What ``all`` measures, in this order. It leaves out "largest", which needs much memory, "gamma", "constant" and
#: "parts", which take many minutes, and hard instances.
ALL = (
    "promises", "floor", "tiles", "scaling", "classroom", "rates", "fixed_queens", "completions", "counting",
    "mixing", "samples", "estimates",
)  # fmt: skip

#: What is measured alone, besides.
ALONE = ("parts", "sampling", "gamma", "constant")

#: The parts of "sampling".
SAMPLING = ("mixing", "samples")

#: The parts of "csplib", which can also be measured alone.
CSPLIB = ("generated", "translated")


def _sizes(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[int, ...]:
    """Read the n of generated instances."""
    if text is None:
        return tuple(generated.PLAN)
    words = text.split(",")
    if not all(word.isdecimal() and 4 <= int(word) <= MOST_EMPTY for word in words):
        raise click.BadParameter(f"{text!r} is no list of numbers from 4 to {MOST_EMPTY}, as in 22,24")
    return tuple(sorted({int(word) for word in words}))


@click.command()
@click.argument(
    "what",
    nargs=-1,
    required=True,
    type=click.Choice([*ALL, *ALONE, "largest", "csplib", *CSPLIB, "cpsat", "report", "stale", "all"]),
)
@click.option(
    "--up-to", default="1e9", show_default=True, type=whole_number, help="The largest n of scaling and floor."
)
@click.option("--n", default="4e9", show_default=True, type=whole_number, help="The n of largest.")
@click.option(
    "--python", default=sys.executable, help="The interpreter with other programs, such as CP-SAT. This one by default."
)
@click.option(
    "--adaptive-search",
    type=click.Path(path_type=Path),
    help="The copy of the C program of floor: git clone https://github.com/didoudiaz/AdaptiveSearch",
)
@click.option(
    "--instances",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of csplib with instances.csv.gz and labels.csv.gz.",
)
@click.option("--sizes", help="The n of generated, for example 22,24. Default: 20,22,24,26,28,30.", callback=_sizes)
@click.option(
    "--count",
    type=click.IntRange(1),
    help="Instances of each n of generated. Default: 100 up to n = 26, 20 of n = 28, 10 of n = 30.",
)
@click.option(
    "--limit",
    type=click.FloatRange(0, min_open=True),
    help="Seconds for each instance of generated. Default: 60, and 3600 for n = 30.",
)
@click.option("--resume", is_flag=True, help="Go on with generated: measure only what is not stored with this limit.")
def main(
    what: tuple[str, ...],
    up_to: int,
    n: int,
    python: str,
    adaptive_search: Path | None,
    instances: Path | None,
    sizes: tuple[int, ...],
    count: int | None,
    limit: float | None,
    resume: bool,
) -> None:
    """Measure WHAT, store the results under bench/results, and update the tables in README and docs.

    ``stale`` only lists the stored results that are older than the code that they measure. ``report`` measures
    nothing; it draws the picture again from the stored results. ``csplib`` answers the instances
    of a folder, and includes ``generated`` and ``translated``; ``sampling`` is ``mixing`` and ``samples``.
    """
    if "stale" in what:
        for result in stale.stale(report.RESULTS):
            click.echo(result)
    if set(what) == {"stale"}:
        return
    measures: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
        "promises": promises.measure,
        "floor": lambda: floor.measure([size for size in floor.SIZES if size <= up_to], python, adaptive_search),
        "tiles": tiles.measure,
        "scaling": lambda: scaling.measure(scaling.sizes(up_to), sorted({1, all_cores()})),
        "classroom": classroom.measure,
        "rates": classroom.measure_rates,
        "fixed_queens": fixed_queens.measure,
        "completions": fixed_queens.compare,
        "counting": counting.measure,
        "parts": parts.measure,
        "mixing": sampling.measure_mixing,
        "samples": sampling.measure_samples,
        "estimates": estimates.measure,
        "gamma": estimates.measure_gamma,
        "constant": estimates.measure_constant,
        "largest": lambda: largest.measure(n),
        "translated": translated.measure,
        "cpsat": lambda: cpsat.measure(python),
    }
    if "sampling" in what:
        what = (*what, *SAMPLING)
    if "csplib" in what:
        what = (*what, *CSPLIB)
        if instances is None:
            click.echo("csplib: no published instances are answered without --instances FOLDER", err=True)
        else:
            _measure("csplib", lambda: csplib.measure(instances))
    for name, measure in measures.items():
        if name in what or ("all" in what and name in ALL):
            _measure(name, measure)
    if "generated" in what:
        _measure_generated(generated.plan(sizes, count, limit), resume)
    if "report" in what:
        report.draw_pictures()
    for name in report.update_pages():
        click.echo(f"the table {name} is up to date", err=True)


def _measure(name: str, measure: Callable[[], Iterator[dict[str, Any]]]) -> None:
    click.echo(f"measuring {name}", err=True)
    measured_on = machine.describe()
    rows = []
    for row in measure():
        click.echo(row, err=True)
        rows.append(row)
    report.store(name, measured_on, rows)
    click.echo(report.table(name))


def _measure_generated(plan: generated.Plan, resume: bool) -> None:
    """Measure generated instances, and store each row at once: the run may be interrupted."""
    click.echo("measuring generated", err=True)
    measured_on = machine.describe()
    rows = generated.kept(report.stored("generated"), measured_on, plan, resume=resume)
    done = {(row["n"], row["seed"]) for row in rows}
    for row in generated.measure(plan, done):
        click.echo(row, err=True)
        rows = sorted([*rows, row], key=lambda row: (row["n"], row["seed"]))
        report.store("generated", measured_on, rows)
    if rows:
        click.echo(report.table("generated"))


if __name__ == "__main__":
    main()
