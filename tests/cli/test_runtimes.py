"""``fastqueens runtimes``: the table, its medians and files; finished results are kept."""

import csv
import json
import os
import re
from statistics import median

from errors import check_names
from processes import process, without_compiling

import fastqueens
from fastqueens import runtimes
from fastqueens.errors import NotEnoughMemoryError


def lines_of(text):
    """Return the lines of the table as lists of cells."""
    return [line.split() for line in text.splitlines() if re.match(r"[\d,]+ +\d+\.\d{6} ", line)]


def test_the_table_of_the_term_project_and_its_graphs(tmp_path):
    done = process(
        "runtimes", "10,100,1e3,1e5", "--plot", "times.png", "--start", "uniform", "--seeds", "1", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    lines = lines_of(done.stdout)
    assert [line[0] for line in lines] == ["10", "100", "1,000", "100,000"]
    assert all(line[-3:] == ["1", "of", "1"] for line in lines)
    check_names(done.stdout, "uniform start", "seed 1", "generation", "search", "steps", "initial", "Neither includes")
    check_names(without_compiling(done.stderr), "Wrote times.png")
    assert (tmp_path / "times.png").read_bytes().startswith(b"\x89PNG")


def test_medians_of_seeds_that_can_be_repeated(run):
    code, text, _ = run("runtimes", "1e3,8,12..13,8", "--start", "random", "--seeds", "4,7..9", "-o", "t.csv")
    assert code == 0
    assert [line[0] for line in lines_of(text)] == ["1,000", "8", "12", "13"]
    for n, line in zip((1000, 8, 12, 13), lines_of(text), strict=True):
        results = [fastqueens.solve(n, start="random", seed=seed) for seed in (4, 7, 8, 9)]
        medians = [median(getattr(result, name) for result in results) for name in ("steps", "initial_pairs")]
        assert line[3:] == [*(f"{value:,.1f}".removesuffix(".0") for value in medians), "4", "of", "4"]
    check_names(text, "random start", "seeds 4, 7, 8, 9")
    with open("t.csv") as file:
        written = list(csv.DictReader(file))
    assert [(row["start"], row["seeds"], row["n"]) for row in written][1] == ("random", "4,7..9", "8")
    printed = json.loads(run("runtimes", "8", "--start", "random", "--seeds", "4,7..9", "--json")[1])
    assert (printed["options"]["start"], printed["seeds"]) == ("random", [4, 7, 8, 9])
    (row,) = printed["rows"]
    assert {*row, *printed["options"], "version", "seeds"} == set(written[0])
    for name in ("board_generation_seconds", "search_seconds"):
        assert row[f"{name}_least"] <= row[name] <= row[f"{name}_most"]


def test_finished_sizes_are_kept_if_a_size_needs_too_much_memory(run, monkeypatch):
    solve = runtimes.solve

    def limited(n, **settings):
        if n > 10:
            raise NotEnoughMemoryError(f"solving n = {n} needs too much")
        return solve(n, **settings)

    monkeypatch.setattr(runtimes, "solve", limited)
    code, text, error = run("runtimes", "8,10,12", "--seeds", "1", "-o", "t.csv")
    assert (code, [line[0] for line in lines_of(text)], os.listdir()) == (2, ["8", "10"], ["t.csv"])
    check_names(error, "n = 12")
    assert run("runtimes", "12", "--seeds", "1")[:2] == (2, "")
