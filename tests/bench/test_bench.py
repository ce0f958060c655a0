"""The published figures: what benchmarks on tiny boards measure, and the tables on the pages. Speed is not tested."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from lowered import lowered

import fastqueens
from bench import (
    counting,
    estimate_tables,
    estimates,
    fixed_queens,
    floor,
    machine,
    parts,
    plain_min_conflicts,
    report,
    sampling,
    scaling,
    stale,
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


@pytest.mark.parametrize("program", ["plain min-conflicts, NumPy", "plain min-conflicts, numba"])
def test_other_programs_are_asked_and_stopped_if_they_take_too_long(program):
    assert floor.ask(program, 20)["seconds"] > 0
    assert floor.ask(program, 10**6, limit=0.5) == {"skipped": "> 0.5 s"}


def test_an_answer_of_another_program_is_checked(monkeypatch):
    wrong = 'print(\'{"seconds": 1, "version": "", "queens": [0, 1, 2, 3]}\')'
    run = floor._run
    monkeypatch.setattr(floor, "_run", lambda command, limit: run([command[0], "-c", wrong], limit))
    assert floor.ask("simpleai min_conflicts", 4) == {"skipped": "returned a board that is no solution"}


def test_the_floor_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(floor, "ask", lambda program, n, python: {"skipped": "not installed"})
    rows = list(floor.measure([10, 100], adaptive_search=tmp_path))  # a folder without its program
    measured = {row["program"] for row in rows if row.get("median")}
    assert {"fastqueens.solve, the whole call", "fastqueens, a process", "shuffle, NumPy"} < measured
    assert {row["n"] for row in rows if row["program"] is None} == {10, 100}
    for row in rows:
        assert row["program"] is None or (row["median"] is None) == (row["skipped"] is not None)
    skipped = {row["program"]: row["skipped"] for row in rows if row.get("skipped")}
    assert skipped.pop("Adaptive Search, C") == "not compiled"
    assert set(skipped.values()) == {"not installed"}
    assert "| OR-Tools CP-SAT |" in floor.table(rows)


def test_placement_is_compared_with_the_time_that_its_bytes_need():
    memory = {"program": None, "threads": 1, "n": 10**8, "bandwidth": 48e9, "placement": 0.4}
    assert floor.table([memory]).splitlines()[-1] == "| 10^8 | 1 | 48.0 | 1.0 | 4.0 | **4.0** |"


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
    assert "commit abc1234 with uncommitted changes" in line
    assert "virtual machine, AVX2" in line
    assert "Not recorded" not in line
    older = {key: value for key, value in known.items() if key not in ("commit", "model", "virtual", "simd")}
    assert machine.line(older).endswith(" Not recorded: commit, model, virtual, SIMD.")
    stored = machine.line(older | {"stored_with": "abc1234"})
    assert stored.endswith("stored with commit abc1234. Not recorded: model, virtual, SIMD.")


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a file of code that a result depends on; it returns what is stale."""
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    monkeypatch.setattr(stale, "ROOT", tmp_path)
    monkeypatch.setattr(stale, "MEASURED", {"tiles": ("code.py",)})
    stale._differs.cache_clear()
    (tmp_path / "code.py").write_text('"""Words."""\nx = 1\n')
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["init", "--quiet"], ["add", "code.py"], [*who, "commit", "--quiet", "-m", "Begin"]):
        assert machine.git(*command) is not None

    def found(commit):
        text = json.dumps({"machine": {"date": "today", "commit": commit}, "rows": []})
        (tmp_path / "tiles.json").write_text(text)
        stale._differs.cache_clear()
        return list(stale.stale(tmp_path))

    return tmp_path, machine.git("rev-parse", "HEAD"), found


def test_a_result_is_stale_if_its_code_has_changed(repository):
    folder, commit, found = repository
    assert found(commit) == []
    (folder / "code.py").write_text('"""Other words."""\n# why\n\nx = 1\n')
    assert found(commit) == []
    (folder / "code.py").write_text('"""Words."""\nx = 2\n')
    assert found(commit) == [("tiles", commit, "today", ["code.py"])]
    assert str(found(commit)[0]) == f"tiles: today, commit {commit}; since then changed: code.py"


@pytest.mark.parametrize("commit", [None, "0000000"])
def test_a_result_without_a_known_commit_is_listed(repository, commit):
    (one,) = repository[2](commit)
    assert one.changed is None
    assert "cannot be compared" in str(one)


def test_each_result_names_code_that_exists():
    assert {path.stem for path in report.RESULTS.glob("*.json")} <= set(stale.MEASURED)
    for paths in stale.MEASURED.values():
        for path in paths:
            if not path.startswith("fastqueens/"):  # the package may be installed elsewhere
                assert (report.ROOT / path).exists(), path
            else:
                assert Path(fastqueens.__file__).parents[1].joinpath(path).exists(), path


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
    assert parts.table(rows).count("\n") == 1 + 2


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
