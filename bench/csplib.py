"""Published instances of CSPLib problem 079, excluded diagonals: complete search compared with the published answers.

A folder has ``instances.csv.gz`` with the columns n, id and diagonals, for example ``10,1,s4 d14``: ``s`` is the sum
diagonal c + r, ``d`` the difference diagonal r - c + n - 1. ``labels.csv.gz`` has the columns n, id, excluded,
solvable, nodes and seconds: the answer for the first ``excluded`` diagonals of an instance, and what it took the
bit-manipulation solver of the authors.
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

#: Squares that are tried for one answer; a search that needs more does not agree.
MOST_NODES = 10**9


def measure(folder: Path) -> Iterator[dict[str, Any]]:
    """Answer all labelled instances of a folder on one thread; yield a row for each n.

    The seconds are those of stating each instance and of its search. Every board found is checked, outside of them; an
    answer does not agree if its board is not a solution.
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
    """Let complete search alone answer an instance, and return it with its status."""
    search = CompleteSearch([(instance, 1)], seed=0, threads=1)
    return search, search.advance(MOST_NODES, Callbacks())


def warm_up() -> Instance:
    """Return an instance whose search loads, or compiles, all code that hard instances need."""
    return instance_without(20, excluded_diagonals(20, 0)[:20])


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return a table with a line for every fourth n, and the sum of all."""
    lines = ["| n | instances | agreements | time | slowest | published time |", "|" + "---:|" * 6]
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
        raise InputError(f"diagonal {word!r}: it is s4, a sum diagonal, or d4, a difference diagonal")
    return Diagonal(True, int(number)) if kind == "s" else Diagonal(False, int(number) - (n - 1))
