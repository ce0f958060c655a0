"""The tables of estimates of the number of solutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fastqueens.sampling.estimated_count import with_error

Rows = Sequence[dict[str, Any]]


def estimates_table(rows: Rows) -> str:
    """Return a table for each kind of rows that were measured."""
    kinds = ((kind, [row for row in rows if row["kind"] == kind]) for kind in _TABLES)
    return "\n\n".join(_TABLES[kind](of_kind) for kind, of_kind in kinds if of_kind)


def _exact(rows: Rows) -> str:
    lines = [
        "| n | exact | estimate | error of ln Q(n) | deviation in errors | replicas | s |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['n']} | {row['exact']:,} | {row['decimal']} | {row['standard_error']:.4f} | "
        f"{row['deviation']:+.1f} | {row['replicas']:,} | {row['seconds']:.1f} |"
        for row in rows
    ]
    return "\n".join(lines)


def _calibration(rows: Rows) -> str:
    lines = [
        "| n | seeds | replicas | within 1 error | within 3 errors | mean deviation | error of ln Q(n) |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['n']} | {row['seeds']} | {row['replicas']} | **{row['within_one']:.1%}** | "
        f"{row['within_three']:.1%} | {row['mean']:+.2f} | {row['standard_error']:.4f} |"
        for row in rows
    ]
    return "\n".join(lines)


def _gamma(rows: Rows) -> str:
    lines = ["| n | gamma | ln Q(n) | replicas | threads | s |", "|---:|---:|---:|---:|---:|---:|"]
    lines += [
        f"| {row['n']:,} | **{with_error(row['gamma'], row['gamma_error'])}** | "
        f"{with_error(row['log_count'], row['standard_error'])} | {row['replicas']:,} | {row['threads']} | "
        f"{row['seconds']:.0f} |"
        for row in rows
    ]
    return "\n".join(lines)


def _speed(rows: Rows) -> str:
    lines = ["| n | ns a proposal, one thread | range |", "|---:|---:|---|"]
    lines += [f"| {row['n']:,} | **{row['median']:.1f}** | {row['least']:.1f} to {row['most']:.1f} |" for row in rows]
    return "\n".join(lines)


_TABLES: dict[str, Callable[[Rows], str]] = {
    "exact": _exact,
    "calibration": _calibration,
    "gamma": _gamma,
    "speed": _speed,
}
