"""The published figures: what benchmarks on tiny boards measure, and the tables on the pages. Speed is not tested."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench import before, estimates, floor, machine, rates, report, sampling, scaling
from bench.__main__ import main
from bench.timing import ratio, run_python
from fastqueens import is_solution, limit_gamma

# Tables


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder for results, in a repository with one page."""
    folder = tmp_path / "results"
    monkeypatch.setattr(report, "RESULTS", folder)
    monkeypatch.setattr(report, "ROOT", tmp_path)
    (tmp_path / "README.md").write_text("no tables")
    return folder


def test_the_tables_on_the_pages_are_those_of_the_stored_results():
    """No figure on a page is written by hand, and every table has one place."""
    text = "".join(page.read_text() for page in report.pages())
    for name in report.TABLES:
        assert text.count(f"<!-- bench: {name} -->") == 1, name
        assert report.replaced(text, name, "a new table") != text, name
        assert report.replaced(text, name, report.table(name)) == text, f"python -m bench report: {name}"


@pytest.mark.parametrize("page", ["README.md", "docs/a/page.md"])
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
    assert set(results) == set(report.TABLES) - {"highlights"}
    for name, result in results.items():
        assert result["machine"]["processor"], name
        assert re.fullmatch("[0-9a-f]{7}", result["machine"]["commit"]), name
        assert "seed" in result["seeds"], name


def test_text_without_markers_is_unchanged():
    for text in ("nothing", "<!-- bench: rates -->\nno end", "<!-- bench: other -->\n<!-- end -->"):
        assert report.replaced(text, "rates", "new") == text


# Measuring


def test_a_ratio_is_computed_pair_by_pair():
    assert ratio([2.0, 9.0, 4.0], [1.0, 3.0, 1.0]) == (3.0, 2.0, 4.0, 3)


def test_the_error_of_a_failed_process_is_shown():
    with pytest.raises(RuntimeError, match="what went wrong"):
        run_python("-c", "raise SystemExit('what went wrong')")


def test_each_size_is_measured_on_each_number_of_threads(monkeypatch):
    monkeypatch.setattr(scaling, "SHUFFLE_BELOW", 100)
    rows = list(scaling.measure([10, 100], [1, 2]))
    assert [(row["n"], row["threads"], row["runs"]) for row in rows] == [(n, k, 5) for n in (10, 100) for k in (1, 2)]
    assert [row["shuffle"] is None for row in rows] == [False, False, True, True]
    for row in rows:
        for part in ("allocation", "placement", "search", "verification"):
            assert 0 <= row[part]["least"] <= row[part]["median"] <= row[part]["most"]


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ('print(\'{"seconds": 1, "version": "9", "queens": [1, 3, 0, 2]}\')', {"seconds": 1, "version": "9"}),
        (
            'print(\'{"seconds": 1, "version": "", "queens": [0, 1, 2, 3]}\')',
            {"skipped": "returned a board that is not a solution"},
        ),
        ("raise SystemExit(3)", {"skipped": "not installed"}),
        ("raise SystemExit('what went wrong')", {"skipped": "failed: what went wrong"}),
        ("import time; time.sleep(60)", {"skipped": "> 0.5 s"}),
    ],
)
def test_an_answer_of_another_program_is_checked_and_it_is_stopped(monkeypatch, program, answer):
    run = floor._run
    limit = 0.5 if "sleep" in program else 60
    monkeypatch.setattr(floor, "_run", lambda command, limit: run([command[0], "-c", program], limit))
    assert floor.ask_cpsat(4, limit=limit) == answer


def test_a_compiled_program_is_asked(tmp_path):
    program = tmp_path / "queens"
    program.write_text("#!/bin/sh\necho 3 words before\necho 1 3 0 2\n")
    program.chmod(0o755)
    assert floor.ask_adaptive_search(program, 4, seed=1)["seconds"] > 0
    for missing in (None, tmp_path / "other"):
        assert floor.ask_adaptive_search(missing, 4, seed=1) == {"skipped": "not compiled"}


def test_the_floor_is_measured(monkeypatch):
    monkeypatch.setattr(floor, "ask_cpsat", lambda n, python: {"skipped": "not installed"})
    rows = list(floor.measure([10, 100]))
    measured = {row["program"] for row in rows if row.get("median")}
    assert {"fastqueens.solve, the whole call", "fastqueens, a process", "shuffle, NumPy"} < measured
    assert {row["n"] for row in rows if row["program"] is None} == {10, 100}
    for row in rows:
        assert row["program"] is None or (row["median"] is None) == (row["skipped"] is not None)
    skipped = {row["program"]: row["skipped"] for row in rows if row.get("skipped")}
    assert skipped == {"Adaptive Search, C": "not compiled", "OR-Tools CP-SAT": "not installed"}
    assert "| OR-Tools CP-SAT |" in floor.table(rows)


def test_the_highlights_are_the_call_its_parts_and_its_memory_traffic():
    row = {"program": "fastqueens.solve, the whole call", "threads": 1, "skipped": None}
    calls = [
        {**row, "n": 10**8, "median": 3.0, "least": 2.0, "most": 5.0, "runs": 3},
        {**row, "n": 10**9, "median": 40.0, "least": 40.0, "most": 40.0, "runs": 1},
    ]
    times = {"allocation": 0.25, "placement": 2.0, "search": 0.5, "verification": 0.125}
    memory = [{"program": None, "threads": 1, "n": n, "bandwidth": 48e9, **times} for n in (10**8, 10**9)]
    lines = floor.highlights([*calls, *memory]).splitlines()
    assert "| **call, 1 thread** | 3.0 s | 40.0 s |" in lines
    assert "| placement and search, 1 thread | 2.5 s | 2.5 s |" in lines
    assert "| placement / copying as many bytes, 1 thread | 20.0 | 2.0 |" in lines
    assert lines[-1].startswith("Medians of at least 3 warm runs.")
    assert lines[-1].endswith("the slowest run took at most 2.50 times as long as the fastest.")


def test_all_of_an_array_is_copied():
    source, to = np.arange(11, dtype=np.int32), np.zeros(11, np.int32)
    with ThreadPoolExecutor(3) as pool:
        floor.copy(to, source, pool, 3)
    assert to.tolist() == source.tolist()


@pytest.mark.parametrize("n", floor.SIZES[:5])
def test_the_formula_is_a_solution(n):
    assert is_solution(floor.even_odd(n))


# Where results come from


def test_a_result_names_its_commit_and_machine():
    known = machine.describe()
    assert known["model"]
    line = machine.line(known | {"commit": "abc1234", "uncommitted": True, "virtual": True, "simd": "AVX2"})
    assert line.endswith("commit abc1234 with uncommitted changes")
    assert "virtual machine, AVX2" in line
    line = machine.line(known | {"commit": None, "uncommitted": None, "virtual": None, "simd": None})
    assert line.endswith(f"{known['memory_gib']} GiB, {known['date']}, commit unknown")
    assert "virtual" not in line


# Estimates, samples and rates


def test_estimates_are_measured():
    (row,) = estimates.measure({100: 0.05})
    assert row["gamma"] == pytest.approx(1.90, abs=0.05)


def test_constants_are_fitted():
    """Exact values give back the constants that they were made from; errors are proportional to those of the values."""
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
    monkeypatch.setattr(sampling, "SEEDS", range(1, 3))
    effective, uniform = sampling.measure_samples({8: 2000}, {6: 400})
    assert effective["thinning"] == 16
    assert 0.5 < effective["share"]["median"] <= 1
    assert 2 < effective["time"]["median"] < 16
    assert 0 < effective["seconds"]["median"] < 1e-2
    assert uniform["freedom"] == 3
    assert all(1e-6 < p <= 1 for p in uniform["p_values"])


def test_mixing_is_measured(monkeypatch):
    for name, value in (("TIMED", (100,)), ("_HOPS", 1000), ("MIXED", {100: 2}), ("DENSITY_N", 1000)):
        monkeypatch.setattr(sampling, name, value)
    rows = list(sampling.measure_mixing())
    assert [row["runs"] for row in rows] == [5, 2, 2, 5, 5, 5]
    assert all(0 <= row["least"] <= row["median"] <= row["most"] for row in rows)
    text = sampling.mixing_table([rows[0], {**rows[2], "median": 2.0}])
    assert " ns (" in text
    assert "| 1.5 % | **2.00**, missed (" in text


def test_rates_are_measured():
    rows = list(rates.measure(rates.SIZES[:2], 10))
    assert {row["n"] for row in rows} == set(rates.SIZES[:2])
    assert all(row["runs"] == 10 for row in rows)


# The command


def test_a_benchmark_is_measured_stored_and_shown(results, monkeypatch):
    monkeypatch.setattr(scaling, "SIZES", (10, 100, 1000))
    page = report.ROOT / "README.md"
    page.write_text("<!-- bench: scaling -->\n<!-- end -->\n")
    run = CliRunner().invoke(main, ["scaling", "--up-to", "100"])
    assert run.exit_code == 0, run.output
    stored = json.loads((results / "scaling.json").read_text())
    assert {row["n"] for row in stored["rows"]} == {10, 100}
    assert stored["seeds"] == scaling.SEEDS
    assert "\n| 100 | 1 | " in page.read_text()
    assert page.read_text().endswith(f"{scaling.SEEDS}.\n<!-- end -->\n")


def test_published_instances_need_their_folder():
    assert "--instances FOLDER" in CliRunner().invoke(main, ["csplib"]).output


def test_the_work_tree_is_compared_with_a_folder(monkeypatch):
    monkeypatch.setattr(before, "CASES", ((1000, 1, 2),))
    monkeypatch.setattr(before, "MIXED", (1000,))
    monkeypatch.setattr(before, "SAMPLED", {8: 1000})
    monkeypatch.setattr(before, "_RUNS", 1)
    (row,) = before.solving_rows(Path())
    assert row["solve"]["runs"] == 2
    assert row["solve"]["least"] <= row["solve"]["median"] <= row["solve"]["most"]
    mixed, sampled = before.sampling_rows(Path())
    assert min(mixed["now"], mixed["then"], sampled["now"], sampled["then"]) > 0
