"""A comparison of complete search with the published answers to CSPLib problem 079, excluded diagonals.

The folder has two files. ``instances.csv.gz`` has the columns n, id and diagonals, for example ``10,1,s4 d14``. Here,
``s4`` is the sum diagonal c + r = 4, and ``d14`` the difference diagonal r - c + n - 1 = 14. ``labels.csv.gz`` has the
columns n, id, excluded, solvable, nodes and seconds. A line is the answer for the first ``excluded`` diagonals of an
instance, with the nodes and the seconds that the authors' bit-manipulation solver needed.
"""

from __future__ import annotations

import csv
import gzip
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.instances import Diagonal, excluded_diagonals, instance_without
from bench.timing import duration
from fastqueens import InputError, is_solution
from fastqueens._run.progress import Callbacks
from fastqueens.exact.complete_search import EXHAUSTED, FOUND, CompleteSearch
from fastqueens.instance import Instance

#: The most nodes of one search. An answer that needs more counts as a disagreement.
MOST_NODES = 10**9


def measure(folder: Path) -> Iterator[dict[str, Any]]:
    """Answer all labelled instances of a folder on one thread; yield a row for each n.

    The seconds include building each instance and searching it. Every board found is also checked, outside the measured
    time. An answer counts as a disagreement if its board is not a solution.
    """
    diagonals = read_instances(folder)
    _search(warm_up())
    for n, labels in groupby(_rows(folder / "labels.csv.gz"), key=lambda label: int(label["n"])):
        yield _compared(n, diagonals, labels)


def _compared(
    n: int, diagonals: dict[tuple[int, int], list[Diagonal]], labels: Iterator[dict[str, str]]
) -> dict[str, Any]:
    row: dict[str, Any] = {"n": n, "instances": 0, "agreements": 0}
    row |= {"seconds": 0.0, "slowest": 0.0, "nodes": 0, "published_seconds": 0.0, "published_nodes": 0}
    for label in labels:
        begun = time.perf_counter()
        instance = instance_without(n, diagonals[n, int(label["id"])][: int(label["excluded"])])
        search, status = _search(instance)
        seconds = time.perf_counter() - begun
        is_right = status == (FOUND if label["solvable"] == "1" else EXHAUSTED)
        if is_right and status == FOUND:
            is_right = is_solution(search.queens, instance=instance, threads=1)
        row["instances"] += 1
        row["agreements"] += is_right
        row["seconds"] += seconds
        row["slowest"] = max(row["slowest"], seconds)
        row["nodes"] += search.nodes
        row["published_seconds"] += float(label["seconds"])
        row["published_nodes"] += int(label["nodes"])
    return row


def _search(instance: Instance) -> tuple[CompleteSearch, int]:
    """Run complete search on an instance; return the search and its status."""
    search = CompleteSearch([(instance, 1)], seed=0, threads=1)
    return search, search.advance(MOST_NODES, Callbacks())


def warm_up() -> Instance:
    """Return an instance whose search loads or compiles all code that hard instances need."""
    return instance_without(20, excluded_diagonals(20, 0)[:20])


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return a table with a line for every fourth n, and the totals over all n."""
    lines = ["| n | instances | agreements | total time | slowest | published total time |", "|" + "---:|" * 6]
    total = {key: sum(row[key] for row in rows) for key in rows[0]}
    for row in [*rows[::4], {**total, "n": "all", "slowest": max(row["slowest"] for row in rows)}]:
        cells = [str(row["n"]), f"{row['instances']:,}", f"{row['agreements']:,}"]
        cells += [duration(row[key]) for key in ("seconds", "slowest", "published_seconds")]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def read_instances(folder: Path) -> dict[tuple[int, int], list[Diagonal]]:
    """Return the diagonals of each instance, by n and id."""
    return {
        (int(row["n"]), int(row["id"])): [_diagonal(word, int(row["n"])) for word in row["diagonals"].split()]
        for row in _rows(folder / "instances.csv.gz")
    }


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with gzip.open(file, "rt", newline="") as text:
        yield from csv.DictReader(text)


def _diagonal(word: str, n: int) -> Diagonal:
    kind, number = word[:1], word[1:]
    if kind not in ("s", "d") or not number.isdigit():
        raise InputError(f"{word!r} is not a diagonal; write s4 for a sum diagonal or d4 for a difference diagonal")
    return Diagonal(True, int(number)) if kind == "s" else Diagonal(False, int(number) - (n - 1))
