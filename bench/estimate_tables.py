"""The tables of estimates of the number of solutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fastqueens.sampling.estimate_result import with_error

Rows = Sequence[dict[str, Any]]


def estimates_table(rows: Rows) -> str:
    """Return a table for each kind of rows that were measured."""
    kinds = ((kind, [row for row in rows if row["kind"] == kind]) for kind in _TABLES)
    return "\n\n".join(_TABLES[kind](of_kind) for kind, of_kind in kinds if of_kind)


def _exact(rows: Rows) -> str:
    lines = [
        "| n | exact | estimate | error, at most 0.15 % | deviation in errors | replicas | s |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['n']} | {row['exact']:,} | {row['decimal']} | **{row['standard_error']:.2%}**"
        f"{_missed(row['standard_error'], 0.0015)} | {row['deviation']:+.1f} | {row['replicas']:,} | "
        f"{row['seconds']:.1f} |"
        for row in rows
    ]
    return "\n".join(lines)


def _calibration(rows: Rows) -> str:
    lines = [
        "| n | within 1 error | within 3 errors | mean deviation | error of ln Q(n) |",
        "|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['n']} | **{row['within_one']:.1%}** | "
        f"{row['within_three']:.1%} | {row['mean']:+.2f} | {row['standard_error']:.4f} |"
        for row in rows
    ]
    return "\n".join(lines)


def gamma_table(rows: Rows) -> str:
    """Return the table of gamma."""
    lines = [
        "| n | gamma | error at most | ln Q(n) | replicas | threads | s |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['n']:,} | **{with_error(row['gamma'], row['gamma_error'])}**"
        f"{_missed(row['gamma_error'], row['at_most'])} | {row['at_most']:.0e} | "
        f"{with_error(row['log_count'], row['standard_error'])} | {row['replicas']:,} | {row['threads']} | "
        f"{row['seconds']:.0f} |"
        for row in rows
    ]
    return "\n".join(lines)


def _missed(error: float, at_most: float) -> str:
    return ", missed" if error > at_most else ""


_TABLES: dict[str, Callable[[Rows], str]] = {"exact": _exact, "calibration": _calibration}
