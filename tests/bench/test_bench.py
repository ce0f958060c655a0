"""The published figures: what benchmarks on tiny boards measure, and the tables on the pages. Speed is not tested."""

import numpy as np
import pytest
from errors import check_error
from lowered import lowered

from bench import (
    counting,
    estimate_tables,
    estimates,
    fixed_queens,
    machine,
    parts,
    peers,
    plain_min_conflicts,
    report,
    sampling,
    scaling,
)
from bench.timing import in_turn, ratio, run_python
from fastqueens import is_solution, limit_gamma
from fastqueens.core.threads import all_cores
from fastqueens.exact.complete_search import EXHAUSTED, FOUND

# Tables


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder for results and pictures, in a repository with one page."""
    folder = tmp_path / "results"
    monkeypatch.setattr(report, "RESULTS", folder)
    monkeypatch.setattr(report, "PICTURES", folder)
    monkeypatch.setattr(report, "ROOT", tmp_path)
    (tmp_path / "README.md").write_text("no tables")
    return folder


def test_the_tables_on_the_pages_are_those_of_the_stored_results():
    """No figure on a page is written by hand, and every table has one place."""
    text = "".join(page.read_text() for page in report.pages())
    for name in report.tables():
        assert text.count(f"<!-- bench: {name} -->") == 1, name
        assert report.replaced(text, name, "a new table") != text, name
        assert report.replaced(text, name, report.table(name)) == text, f"python -m bench report: {name}"


@pytest.mark.parametrize("page", ["README.md", "docs/a/page.md"])
def test_the_report_replaces_exactly_the_text_between_markers(results, page):
    readme = report.ROOT / page
    readme.parent.mkdir(parents=True, exist_ok=True)
    text = (
        "before\n<!-- bench: largest -->\n{}<!-- end -->\nbetween\n<!-- bench: tiles -->\nkept\n<!-- end -->\nafter\n"
    )
    readme.write_text(text.format("old\nold\n"))
    row = dict.fromkeys([f"{part}_seconds" for part in (*scaling.Timings._fields, "process")], 1.5)
    report.store("largest", machine.describe(), [{**row, "n": 100, "seed": 1, "steps": 7, "peak_bytes": 500}])
    for _ in range(2):
        assert report.update_pages() == ["largest"]
        assert readme.read_text() == text.format(report.table("largest") + "\n")


def test_text_without_markers_is_unchanged():
    for text in ("nothing", "<!-- bench: tiles -->\nno end", "<!-- bench: other -->\n<!-- end -->"):
        assert report.replaced(text, "tiles", "new") == text


# Measuring


def test_the_first_round_is_not_counted():
    values = iter(range(100))
    assert in_turn({"a": lambda: next(values), "b": lambda: next(values)}, 2) == {"a": [2, 4], "b": [3, 5]}


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


@pytest.mark.parametrize("n", [1, *range(8, 51)])
def test_plain_min_conflicts_solves(n):
    assert is_solution(plain_min_conflicts.solve(n, seed=n))


def test_a_peer_that_takes_too_long_is_stopped():
    assert peers.ask("plain min-conflicts", 10**6, limit=0.5) == {"skipped": "no answer within 0.5 s"}


def test_completions_are_counted_and_the_searches_agree():
    rows = list(fixed_queens.compare(30))
    assert sum(row["all"] for row in rows) == 30
    for row in rows:
        assert row["contradictions"] == 0
        assert row["found"] + row["excluded"] + row["unanswered"] + row["not asked"] == row["all"]
        assert row["solved"] + row["missed"] + row["excluded"] + row["unanswered"] >= row["all"] - row["not asked"]


@pytest.mark.parametrize("status", [EXHAUSTED, FOUND])
def test_a_contradiction_is_noticed(monkeypatch, status):
    class Wrong:
        def __init__(self, instance, workers):
            self.queens = np.zeros(instance.n, np.int32)

        def advance(self, *_):
            return status

    monkeypatch.setattr(fixed_queens, "CompleteSearch", Wrong)
    assert sum(row["contradictions"] for row in fixed_queens.compare(30)) > 0


def test_a_wrong_count_is_noticed(monkeypatch):
    monkeypatch.setattr(counting, "SOLUTIONS", {8: 93})
    with check_error(RuntimeError, 92, 93):
        next(counting.measure())


def test_tasks_of_a_search_are_measured(monkeypatch):
    monkeypatch.setattr(parts, "COUNTS", (10,))
    monkeypatch.setattr(parts, "PROOFS", ((14, 11),))
    monkeypatch.setattr(parts, "PROCESSES", (2,))
    with lowered(tree_slice=1, first_rounds=1):
        rows = list(parts.measure())
    assert [row["workers"] for row in rows] == [2, 10, 100, 1000] * 2
    for row in rows:
        assert row["tasks"] > 10
        assert 0 < row["longest"] < row["work"]
        workers = row["workers"] if row["simulated"] else min(2, all_cores())
        assert row["efficiency"] == pytest.approx(row["work"] / row["seconds"] / workers)
    assert parts.table(rows).count("\n") == 1 + len(rows)


def test_workers_are_simulated(monkeypatch):
    """The third task follows from the first, and is known when the second has ended, too."""
    monkeypatch.setattr(parts, "_HANDED_OUT", 0)
    tasks = [parts.TimedTask(2, 0), parts.TimedTask(1, 1), parts.TimedTask(4, 0)]
    assert [parts.simulated(tasks, workers) for workers in (1, 2, 3)] == [7, 6, 6]


def test_gamma_is_measured():
    (row,) = estimates.measure_gamma({100: (0.05, 1e-5)})
    assert row["gamma"] == pytest.approx(1.90, abs=0.05)


def test_constants_are_fitted():
    """Exact values give back the constants that they were made from; errors are proportional to those of the values."""
    n = np.array([30, 100, 1000, 10**5, 10**6])
    log_counts = n * (np.log(n) - limit_gamma().gamma) + np.log(6.5) + np.log(n) / 2 - 0.2 / n
    rows = [{"n": at, "log_count": value, "standard_error": 1e-4} for at, value in zip(n, log_counts, strict=True)]
    constant, power, gamma = estimate_tables.fit_constants(rows)
    assert constant.values == pytest.approx([np.log(6.5), -0.2], abs=1e-3)
    assert power.values[2] == pytest.approx(0.5, abs=1e-3)
    assert gamma.values[2] == pytest.approx(limit_gamma().gamma, abs=1e-9)
    assert [each.freedom for each in (constant, power, gamma)] == [3, 2, 2]
    assert estimate_tables.fit([np.ones(4)], [1, 3, 3, 5], [1, 1, 1, 1]) == ([3.0], [0.5], 8.0, 3)
    wider = estimate_tables.fit_constants([{**row, "standard_error": 3e-4} for row in rows])[0]
    assert wider.errors == pytest.approx([3 * error for error in constant.errors])


def test_samples_are_measured(monkeypatch):
    monkeypatch.setattr(sampling, "SEEDS", range(1, 3))
    effective, uniform = sampling.measure_samples({8: 2000}, {6: 400})
    assert effective["thinning"] == 16
    assert 0.5 < effective["share"]["median"] <= 1
    assert 2 < effective["time"]["median"] < 16
    assert 0 < effective["time_seconds"]["median"] < effective["seconds"]["median"] < 1e-2
    assert uniform["freedom"] == 3
    assert all(1e-6 < p <= 1 for p in uniform["p_values"])
