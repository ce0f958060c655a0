"""``python -m bench WHAT ...``: measure, keep, and report."""

from __future__ import annotations

import click

from bench import document001, machine, promises, report

MEASURES = {"promises": promises.measure, "document001": document001.measure}


@click.command()
@click.argument("what", nargs=-1, required=True, type=click.Choice([*MEASURES, "report", "all"]))
def main(what: tuple[str, ...]) -> None:
    """Measure WHAT, keep it under bench/results, and bring the README's tables up to date."""
    for name, measure in MEASURES.items():
        if name in what or "all" in what:
            click.echo(f"measuring {name}", err=True)
            report.keep(name, machine.describe(), list(measure()))
            click.echo(report.table(name))
    for name in report.update_readme():
        click.echo(f"the README's table {name} is up to date", err=True)


if __name__ == "__main__":
    main()
