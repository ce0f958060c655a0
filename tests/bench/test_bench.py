"""The published figures: benchmarks on tiny boards, and the tables on the pages. Speed is not tested."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench import before, estimates, floor, machine, report, sampling, scaling
from bench.__main__ import main
from fastqueens import is_solution, limit_gamma


def change(monkeypatch, module, **values):
    """Give names of a module other values, such as tiny sizes for a benchmark."""
    for name, value in values.items():
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder for results, in a repository with one page."""
    folder = tmp_path / "results"
    change(monkeypatch, report, RESULTS=folder, ROOT=tmp_path)
    (tmp_path / "README.md").write_text("no tables")
    return folder


def test_the_tables_on_the_pages_show_the_stored_results():
    """Every table is on exactly one page, and shows the stored result."""
    text = "".join(page.read_text() for page in report.pages())
    for name in report.TABLES:
        assert text.count(f"<!-- bench: {name} -->") == 1, name
        assert report.replaced(text, name, "a new table") != text, name
        assert report.replaced(text, name, report.table(name)) == text, f"python -m bench report: {name}"


@pytest.mark.parametrize("page", ["README.md", "bench/README.md", "docs/a/page.md"])
def test_the_report_replaces_exactly_the_text_between_markers(results, page):
    readme = report.ROOT / page
    readme.parent.mkdir(parents=True, exist_ok=True)
    text = (
        "before\n<!-- bench: largest -->\n{}<!-- end -->\nbetween\n<!-- bench: rates -->\nkept\n<!-- end -->\nafter\n"
    )
    readme.write_text(text.format("old\nold\n"))
    row = dict.fromkeys([f"{part}_seconds" for part in (*scaling.Timings._fields, "process")], 1.5)
    report.store("largest", machine.describe(), "seed 1", [{**row, "n": 100, "steps": 7, "peak_bytes": 500}])
    for _ in range(2):
        assert report.update_pages() == ["largest"]
        assert readme.read_text() == text.format(report.table("largest") + "\n")


def test_every_result_has_its_machine_its_commit_and_its_seeds():
    results = {path.stem: json.loads(path.read_text()) for path in report.RESULTS.glob("*.json")}
    assert set(results) == set(report.TABLES) - set(report.SHOWS)
    for name, result in results.items():
        assert result["machine"]["processor"], name
        assert re.fullmatch("[0-9a-f]{7}", result["machine"]["commit"]), name
        assert "seed" in result["seeds"], name


# Measuring


def test_an_answer_of_another_program_is_checked_and_it_is_stopped(tmp_path):
    python = tmp_path / "python"
    for program, answer in {
        'echo \'{"seconds": 1, "version": "9", "queens": [1, 3, 0, 2]}\'': {"seconds": 1, "version": "9"},
        'echo \'{"seconds": 1, "version": "", "queens": [0, 1, 2, 3]}\'': {
            "skipped": "returned a board that is not a solution"
        },
        "exit 3": {"skipped": "not installed"},
        "echo what went wrong >&2; exit 1": {"skipped": "failed: what went wrong"},
        "exec sleep 60": {"skipped": "> 0.5 s"},
    }.items():
        python.write_text(f"#!/bin/sh\n{program}\n")
        python.chmod(0o755)
        assert floor.ask_cpsat(4, str(python), 0.5 if "sleep" in program else 60) == answer, program


@pytest.mark.gate
def test_the_floor_is_measured(monkeypatch):
    change(monkeypatch, floor, ask_cpsat=lambda n, python: {"skipped": "not installed"})
    rows = list(floor.measure([10, 100]))
    measured = {row["program"] for row in rows if row.get("median")}
    assert {"fastqueens.solve, the whole call", "fastqueens, a process", "shuffle, NumPy"} < measured
    assert {row["n"] for row in rows if row["program"] is None} == {10, 100}
    for row in rows:
        assert row["program"] is None or (row["median"] is None) == (row["skipped"] is not None)
    skipped = {row["program"]: row["skipped"] for row in rows if row.get("skipped")}
    assert skipped == {"Adaptive Search, C": "not compiled", "OR-Tools CP-SAT": "not installed"}
    assert "| OR-Tools CP-SAT |" in floor.table(rows)


def test_the_formula_is_a_solution():
    for n in floor.SIZES[:4]:
        assert is_solution(floor.even_odd(n)), n


# Estimates, samples and rates


def test_estimates_are_measured():
    (row,) = estimates.measure({100: 1})
    assert row["gamma"] == pytest.approx(1.90, abs=0.05)


def test_constants_are_fitted():
    """A fit to exact values gives their constants, and its errors are proportional to the errors of the values."""
    n = np.array([30, 100, 1000, 10**5, 10**6])
    log_counts = n * (np.log(n) - limit_gamma().gamma) + np.log(6.5) + np.log(n) / 2 - 0.2 / n
    rows = [{"n": at, "log_count": value, "standard_error": 1e-4} for at, value in zip(n, log_counts, strict=True)]
    constant, power, gamma = estimates.fit_constants(rows)
    assert constant.values == pytest.approx([np.log(6.5), -0.2], abs=1e-3)
    assert power.values[2] == pytest.approx(0.5, abs=1e-3)
    assert gamma.values[2] == pytest.approx(limit_gamma().gamma, abs=1e-9)
    assert [each.freedom for each in (constant, power, gamma)] == [3, 2, 2]
    assert estimates.fit([np.ones(4)], [1, 3, 3, 5], [1, 1, 1, 1]) == ([3.0], [0.5], 8.0, 3)
    wider = estimates.fit_constants([{**row, "standard_error": 3e-4} for row in rows])[0]
    assert wider.errors == pytest.approx([3 * error for error in constant.errors])


def test_samples_are_measured(monkeypatch):
    change(monkeypatch, sampling, SEEDS=range(1, 3))
    effective, uniform = sampling.measure_samples({8: 2000}, {6: 400})
    assert effective["thinning"] == 16
    assert 0.5 < effective["share"]["median"] <= 1
    assert 2 < effective["time"]["median"] < 16
    assert 0 < effective["seconds"]["median"] < 1e-2
    assert uniform["freedom"] == 3
    assert all(1e-6 < p <= 1 for p in uniform["p_values"])


@pytest.mark.gate
def test_mixing_is_measured(monkeypatch):
    change(monkeypatch, sampling, TIMED=(100,), _HOPS=1000, MIXED={100: 2}, DENSITY_N=1000)
    rows = list(sampling.measure_mixing())
    assert [row["runs"] for row in rows] == [5, 2, 2, 5, 5, 5]
    assert all(0 <= row["least"] <= row["median"] <= row["most"] for row in rows)
    text = sampling.goals_table([rows[0], {**rows[2], "median": 2.0}])
    assert " ns (" in text
    assert "| 1.5 % | **no** |" in text
    assert "| 10^2 | " in sampling.mixing_table(rows)


# The command


def test_a_benchmark_is_measured_stored_and_shown(results, monkeypatch):
    change(monkeypatch, scaling, SIZES=(10, 100, 1000))
    page = report.ROOT / "README.md"
    page.write_text("<!-- bench: scaling -->\n<!-- end -->\n")
    run = CliRunner().invoke(main, ["scaling", "--up-to", "100"])
    assert run.exit_code == 0, run.output
    stored = json.loads((results / "scaling.json").read_text())
    assert {row["n"] for row in stored["rows"]} == {10, 100}
    assert stored["seeds"] == scaling.SEEDS
    assert "\n| 100 | 1 | " in page.read_text()
    assert page.read_text().endswith(f"{scaling.SEEDS}.\n<!-- end -->\n")


@pytest.mark.gate
def test_the_work_tree_is_compared_with_a_folder(monkeypatch):
    change(monkeypatch, before, CASES=((1000, 1, 2),), MIXED=(1000,), SAMPLED={8: 1000}, _RUNS=1)
    (row,) = before.solving_rows(Path())
    assert row["solve"]["runs"] == 2
    assert row["solve"]["least"] <= row["solve"]["median"] <= row["solve"]["most"]
    mixed, sampled = before.sampling_rows(Path())
    assert min(mixed["now"], mixed["then"], sampled["now"], sampled["then"]) > 0
