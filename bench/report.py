"""Results as JSON under bench/results, and as tables in the README between their markers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
README = Path(__file__).parent.parent / "README.md"


def keep(name: str, machine: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """Write one result file."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"machine": machine, "rows": rows}, indent=1)
    (RESULTS / f"{name}.json").write_text(text + "\n")


def table(name: str) -> str:
    """The table of a kept result, in Markdown, with the machine under it."""
    kept = json.loads((RESULTS / f"{name}.json").read_text())
    return _TABLES[name](kept["rows"]) + "\n\n" + _machine_line(kept["machine"])


def update_readme() -> list[str]:
    """Put the tables of all kept results into the README; the names of those that were there."""
    text = README.read_text()
    done = []
    for name in _TABLES:
        before, marker, rest = text.partition(f"<!-- bench: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if end and (RESULTS / f"{name}.json").exists():
            text = before + marker + table(name) + "\n" + end + after
            done.append(name)
    README.write_text(text)
    return done


def _machine_line(machine: dict[str, Any]) -> str:
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB, {machine['system']}, Python "
        f"{machine['python']}, NumPy {machine['numpy']}, numba {machine['numba']}, {machine['date']}."
    )


def _promises(rows: list[dict[str, Any]]) -> str:
    lines = ["| what | at most | measured | range | runs |", "|---|---|---|---|---|"]
    for row in rows:
        measured, least, most = (f"{row[key]:.2f}" for key in ("median", "least", "most"))
        limit = f"{row['at_most']:g} {row['unit']}"
        lines.append(f"| {row['what']} | {limit} | **{measured}** | {least} to {most} | {row['runs']} |")
    return "\n".join(lines)


def _document001(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| n | document 001: placement, search | ours, its own start (uniform) | ours, windowed |",
        "|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [
            f"{_time(row[f'{which}_placement'])}, {_time(row[f'{which}_search'])}"
            for which in ("published", "uniform", "windowed")
        ]
        lines.append(f"| {row['n']:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _time(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"


_TABLES: dict[str, Callable[[list[dict[str, Any]]], str]] = {"promises": _promises, "document001": _document001}
