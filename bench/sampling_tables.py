"""The tables of samples, and of mixing and sampling compared with an earlier commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from scipy.stats import combine_pvalues

Rows = Sequence[dict[str, Any]]


def samples_table(rows: Rows) -> str:
    """Return a table for each kind of rows that were measured."""
    kinds = ((kind, [row for row in rows if row.get("kind") == kind]) for kind in _TABLES)
    return "\n\n".join(_TABLES[kind](of_kind) for kind, of_kind in kinds if of_kind)


def _effective(rows: Rows) -> str:
    lines = [
        "| n | samples | autocorrelation time, visits | effective share, at least 0.5 | µs an effective sample |",
        "|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [
            f"**{of['median'] * unit:.{digits}f}** ({of['least'] * unit:.{digits}f}–{of['most'] * unit:.{digits}f})"
            for name, unit, digits in (("time", 1, 1), ("share", 1, 2), ("seconds", 1e6, 1))
            for of in [row[name]]
        ]
        lines.append(" | ".join([f"| {row['n']:,}", f"{row['count']:,}", *cells]) + " |")
    return "\n".join(lines) + "\n\nOn one thread."


def _uniform(rows: Rows) -> str:
    lines = ["| n | samples a seed | degrees of freedom | p of five seeds |", "|---:|---:|---:|---|"]
    for row in rows:
        p_values = ", ".join(f"**{value:.3f}**" for value in row["p_values"])
        lines.append(f"| {row['n']} | {row['count']:,} | {row['freedom']:,} | {p_values} |")
    together = [value for row in rows for value in row["p_values"]]
    combined = combine_pvalues(together).pvalue
    return "\n".join(lines) + f"\n\nThe {len(together)} together, by Fisher's method: p = **{combined:.3f}**."


_TABLES: dict[str, Callable[[Rows], str]] = {"effective": _effective, "uniform": _uniform}
