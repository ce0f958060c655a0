"""``python -m bench WHAT ...``: measure, store the results, and update the tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

from bench import classroom, document001, fixed_queens, growth, largest, machine, peers, promises, report, tiles
from fastqueens.cli.options import whole_number

#: What ``all`` measures, in this order. It leaves out "largest", which needs much memory.
ALL = ("promises", "document001", "tiles", "scaling", "classroom", "fixed_queens", "completions", "peers")


@click.command()
@click.argument("what", nargs=-1, required=True, type=click.Choice([*ALL, "largest", "report", "all"]))
@click.option("--up-to", default="1e9", show_default=True, type=whole_number, help="The largest n of scaling.")
@click.option("--n", default="4e9", show_default=True, type=whole_number, help="The n of largest.")
@click.option("--python", default=sys.executable, help="The interpreter with the peers. This one by default.")
def main(what: tuple[str, ...], up_to: int, n: int, python: str) -> None:
    """Measure WHAT, store the results under bench/results, and update the tables in README and docs.

    ``report`` measures nothing; it draws the pictures again from the stored results.
    """
    measures: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
        "promises": promises.measure,
        "document001": document001.measure,
        "tiles": tiles.measure,
        "scaling": lambda: growth.measure(up_to),
        "classroom": classroom.measure,
        "fixed_queens": fixed_queens.measure,
        "completions": fixed_queens.compare,
        "peers": lambda: peers.measure(python),
        "largest": lambda: largest.measure(n),
    }
    for name, measure in measures.items():
        if name in what or ("all" in what and name in ALL):
            _measure(name, measure)
    if "report" in what:
        report.draw_pictures()
    for name in report.update_pages():
        click.echo(f"the table {name} is up to date", err=True)


def _measure(name: str, measure: Callable[[], Iterator[dict[str, Any]]]) -> None:
    click.echo(f"measuring {name}", err=True)
    rows = []
    for row in measure():
        click.echo(row, err=True)
        rows.append(row)
    report.store(name, machine.describe(), rows)
    click.echo(report.table(name))


if __name__ == "__main__":
    main()
