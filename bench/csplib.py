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
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from bench.instances import Diagonal, excluded_diagonals, instance_without
from fastqueens import InputError, is_solution
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.exact.complete_search import FOUND, UNDER_WAY, CompleteSearch

#: Squares that are tried for one answer before it counts as undecided.
MOST_NODES = 10**9


class Answer(NamedTuple):
    """Whether an instance has a solution, or None if the search did not decide it."""

    is_solvable: bool | None
    seconds: float
    nodes: int
    is_wrong: bool


class Label(NamedTuple):
    """One published answer."""

    n: int
    number: int
    excluded: int
    is_solvable: bool
    nodes: int
    seconds: float


def measure(folder: Path, most_nodes: int = MOST_NODES) -> Iterator[dict[str, Any]]:
    """Answer all labelled instances of a folder on one thread; yield a row for each n.

    The seconds are those of stating each instance and of its search. Every board found is checked, outside of them.
    """
    diagonals = read_instances(folder)
    with Workers(1) as workers:
        answer(warm_up(), workers)
        for n, labels in groupby(read_labels(folder), key=lambda label: label.n):
            yield _compared(n, diagonals, labels, workers, most_nodes)


def _compared(
    n: int,
    diagonals: dict[tuple[int, int], list[Diagonal]],
    labels: Iterator[Label],
    workers: Workers,
    most_nodes: int,
) -> dict[str, Any]:
    row: dict[str, Any] = {"n": n, "instances": 0, "agreements": 0, "contradictions": 0, "undecided": 0}
    sums = {"seconds": 0.0, "slowest": 0.0, "nodes": 0, "published_seconds": 0.0, "published_nodes": 0}
    for label in labels:
        begun = time.perf_counter()
        instance = instance_without(n, diagonals[n, label.number][: label.excluded])
        stating = time.perf_counter() - begun
        ours = answer(instance, workers, most_nodes)
        seconds = stating + ours.seconds
        row["instances"] += 1
        if ours.is_solvable is None:
            row["undecided"] += 1
        else:
            row["contradictions" if ours.is_wrong or ours.is_solvable != label.is_solvable else "agreements"] += 1
        sums["seconds"] += seconds
        sums["slowest"] = max(sums["slowest"], seconds)
        sums["nodes"] += ours.nodes
        sums["published_seconds"] += label.seconds
        sums["published_nodes"] += label.nodes
    return row | sums


def answer(instance: Instance, workers: Workers, most_nodes: int = MOST_NODES) -> Answer:
    """Let complete search alone answer an instance; a board that is no solution makes the answer wrong."""
    begun = time.perf_counter()
    search = CompleteSearch(instance, workers, seed=0)
    status = search.advance(most_nodes, Callbacks())
    seconds = time.perf_counter() - begun
    is_wrong = status == FOUND and not is_solution(search.queens, instance=instance, threads=1)
    return Answer(None if status == UNDER_WAY else status == FOUND, seconds, search.nodes, is_wrong)


def warm_up() -> Instance:
    """Return an instance whose search loads, or compiles, all code that hard instances need."""
    return instance_without(20, excluded_diagonals(20, 0)[:20])


def read_instances(folder: Path) -> dict[tuple[int, int], list[Diagonal]]:
    """Return the diagonals of each instance, by n and id."""
    return {
        (int(row["n"]), int(row["id"])): [_diagonal(word, int(row["n"])) for word in row["diagonals"].split()]
        for row in _rows(folder / "instances.csv.gz")
    }


def read_labels(folder: Path) -> Iterator[Label]:
    """Yield the published answers in the order of the file."""
    for row in _rows(folder / "labels.csv.gz"):
        yield Label(
            n=int(row["n"]),
            number=int(row["id"]),
            excluded=int(row["excluded"]),
            is_solvable=row["solvable"] == "1",
            nodes=int(row["nodes"]),
            seconds=float(row["seconds"]),
        )


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with gzip.open(file, "rt", newline="") as text:
        yield from csv.DictReader(text)


def _diagonal(word: str, n: int) -> Diagonal:
    kind, number = word[:1], word[1:]
    if kind not in ("s", "d") or not number.isdigit():
        raise InputError(f"diagonal {word!r}: it is s4, a sum diagonal, or d4, a difference diagonal")
    return Diagonal(True, int(number)) if kind == "s" else Diagonal(False, int(number) - (n - 1))
