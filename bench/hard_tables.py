"""The tables of hard instances: published, generated and translated ones, and the answers of CP-SAT."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

Rows = Sequence[dict[str, Any]]


def published_table(rows: Rows) -> str:
    """Return the table of the published instances: a line for every fourth n, and the sum of all."""
    lines = ["| n | instances | agreements | time | slowest | published time |", "|" + "---:|" * 6]
    for row in [*rows[::4], {**_sum(rows), "n": "all"}]:
        cells = [str(row["n"]), f"{row['instances']:,}", f"{row['agreements']:,}"]
        cells += [duration(row[key]) for key in ("seconds", "slowest", "published_seconds")]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def generated_table(rows: Rows) -> str:
    """Return the table of the generated instances, with a line for each n."""
    lines = [
        "| n | limit | instances | decided | solvable | median | slowest | nodes, median |",
        "|" + "---:|" * 8,
    ]
    for n, of_size in groupby(sorted(rows, key=lambda row: row["n"]), key=lambda row: row["n"]):
        listed = list(of_size)
        cells = [
            str(n),
            _all_of(f"{row['limit']:g} s" for row in listed),
            str(len(listed)),
            str(len(_decided(listed))),
            str(sum(row["answer"] == "solvable" for row in listed)),
            _median(listed),
            _slowest(listed),
            f"{statistics.median(row['nodes'] for row in listed):,.0f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def translated_table(rows: Rows) -> str:
    """Return the table of the translated instances."""
    lines = [
        "| n | columns left | instances | solvable | contradictions | median | slowest | search alone, median |",
        "|" + "---:|" * 8,
    ]
    for row in rows:
        cells = [f"{row['side']:,}", str(row["n"])]
        cells += [str(row[key]) for key in ("instances", "solvable", "contradictions")]
        cells += [duration(row["seconds"]["median"]), duration(row["seconds"]["most"])]
        lines.append("| " + " | ".join([*cells, duration(row["alone"]["median"])]) + " |")
    return "\n".join(lines)


def cpsat_table(rows: Rows) -> str:
    """Return the table of the answers compared with those of CP-SAT."""
    if any(row["skipped"] for row in rows):
        return f"OR-Tools CP-SAT: {rows[0]['skipped']}."
    keys = ("instances", "solvable", "unsolvable", "contradictions")
    names = [f"{name}, median" for name in ("complete search", f"CP-SAT {rows[0]['version']}")]
    lines = ["| instances | " + " | ".join(("number", *keys[1:], *names)) + " |", "|---|" + "---:|" * 6]
    for row in rows:
        cells = [row["kind"], *(str(row[key]) for key in keys)]
        cells += [duration(row[key]["median"]) for key in ("seconds", "cpsat_seconds")]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def findings(parts: Mapping[str, Rows]) -> str:
    """Return what the stored results say, as a list for the page of results, without goals."""
    largest = max(row["n"] for row in parts["generated"])
    of_largest = [row for row in parts["generated"] if row["n"] == largest]
    return "\n".join(
        (
            f"- Published answers, n = 10 to 18: {_published(parts['csplib'])}.",
            f"- Random instances of {largest} excluded diagonals, n = {largest}: {_generated(of_largest)}.",
            f"- Compared with OR-Tools CP-SAT, three kinds of constraints, n = 10 to 16: {_cpsat(parts['cpsat'])}.",
        )
    )


def _published(rows: Rows) -> str:
    total = _sum(rows)
    return (
        f"{total['agreements']:,} of {total['instances']:,} agree; **{duration(total['seconds'])}** in all "
        f"(published solver: {duration(total['published_seconds'])})"
    )


def _generated(rows: Rows) -> str:
    threads = _all_of(str(row["threads"]) for row in rows)
    return (
        f"**{len(_decided(rows))} of {len(rows)}** decided; median {_median(rows)}, slowest {_slowest(rows)}; "
        f"threads: {threads}"
    )


def _cpsat(rows: Rows) -> str:
    if any(row["skipped"] for row in rows):
        return str(rows[0]["skipped"])
    total = {key: sum(row[key] for row in rows) for key in ("instances", "unsolvable", "contradictions")}
    return (
        f"{total['instances']} instances, {total['unsolvable']} of them unsolvable, "
        f"**{total['contradictions']} contradictions**"
    )


def _sum(rows: Rows) -> dict[str, Any]:
    total = {key: sum(row[key] for row in rows) for key in rows[0] if key not in ("n", "slowest")}
    return {**total, "slowest": max(row["slowest"] for row in rows)}


def _decided(rows: Rows) -> list[dict[str, Any]]:
    return [row for row in rows if row["answer"] != "undecided"]


def _median(rows: Rows) -> str:
    """Write the median of all seconds; an undecided instance takes longer than any other."""
    seconds = sorted(row["seconds"] if row["answer"] != "undecided" else float("inf") for row in rows)
    median = statistics.median_low(seconds) if len(seconds) % 2 else sum(seconds[len(seconds) // 2 - 1 :][:2]) / 2
    return _slowest(rows) if median == float("inf") else duration(median)


def _slowest(rows: Rows) -> str:
    if len(_decided(rows)) < len(rows):
        return f"more than {max(row['limit'] for row in rows):g} s"
    return duration(max(row["seconds"] for row in rows))


def _all_of(texts: Iterator[str]) -> str:
    return ", ".join(sorted(set(texts)))


def duration(seconds: float) -> str:
    """Write seconds with a unit and three digits.

    >>> [duration(seconds) for seconds in (2091.6, 1.25, 0.0203, 0.00044)]
    ['2,091.6 s', '1.2 s', '20.3 ms', '440 µs']
    """
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"
