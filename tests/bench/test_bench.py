"""The benchmarks on tiny boards: their results are well formed. Speed is not tested."""

import json
from contextlib import nullcontext

import numpy as np
import pytest
from click.testing import CliRunner
from doubles import MACHINE
from errors import check_error

from bench import (
    before,
    counting,
    document001,
    estimates,
    fixed_queens,
    largest,
    machine,
    peers,
    picture,
    plain_min_conflicts,
    report,
    sampling,
    scaling,
    solve_by,
    tiles,
)
from bench.timing import in_turn, ratio, run_python
from fastqueens import InputError, NotEnoughMemoryError, is_solution
from fastqueens.exact.complete_search import EXHAUSTED, FOUND

PARTS = {"allocation", "placement", "search", "verification", "shuffle"}


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder for results, with its own README."""
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    monkeypatch.setattr(report, "PICTURES", tmp_path)
    monkeypatch.setattr(report, "ROOT", tmp_path)
    (tmp_path / "README.md").write_text("no tables")
    return tmp_path


def check_scaling(rows, sizes, threads):
    assert [(row["n"], row["threads"]) for row in rows] == [(n, count) for n in sizes for count in threads]
    for row in rows:
        assert set(row) == PARTS | {"n", "threads", "runs"}
        assert row["runs"] == 5
        for part in PARTS:
            assert 0 <= row[part]["least"] <= row[part]["median"] <= row[part]["most"]


def test_each_size_is_measured_on_each_number_of_threads():
    check_scaling(list(scaling.measure([10, 100], [1, 2])), [10, 100], [1, 2])


def test_the_shuffle_is_left_out_if_it_would_take_too_long(monkeypatch):
    monkeypatch.setattr(scaling, "SHUFFLE_BELOW", 100)
    rows = list(scaling.measure([10, 100], [1]))
    assert [row["shuffle"] is None for row in rows] == [False, True]
    assert "left out" in report._scaling(rows)


def test_large_sizes_get_fewer_runs():
    assert [scaling.runs_for(n) for n in (10, 10**7, 10**8, 10**9, 4 * 10**9)] == [5, 5, 3, 1, 1]


@pytest.mark.parametrize(
    ("up_to", "expected"), [(1000, [1000]), (1001, [1000, 1001]), (9999, [1000, 9999]), (10**5, [1000, 10**4, 10**5])]
)
def test_sizes(up_to, expected):
    assert scaling.sizes(up_to) == expected


def test_sizes_that_cannot_be_measured_are_refused_before_measuring(monkeypatch):
    with pytest.raises(InputError):
        scaling.sizes(999)
    monkeypatch.setattr("fastqueens.core.memory.available_memory", lambda: 10**9)
    with pytest.raises(NotEnoughMemoryError):
        next(scaling.measure([10, 10**9], [1]))


def test_the_first_round_is_not_counted():
    values = iter(range(100))
    assert in_turn({"a": lambda: next(values), "b": lambda: next(values)}, 2) == {"a": [2, 4], "b": [3, 5]}


def test_a_ratio_is_computed_pair_by_pair():
    assert ratio([2.0, 9.0, 4.0], [1.0, 3.0, 1.0]) == (3.0, 2.0, 4.0, 3)


def test_the_error_of_a_failed_process_is_shown():
    with pytest.raises(RuntimeError, match="what went wrong"):
        run_python("-c", "raise SystemExit('what went wrong')")


def test_tiles_rows():
    taken = scaling.take(1000, [1, 2], 3)
    rows = [*tiles.compared_with_shuffle(taken, {1: 0.5, 2: 0.35}), *tiles.on_two_threads(taken)]
    assert [row["at_most"] for row in rows] == [0.5, 0.35, tiles.PLACEMENT_ON_TWO, tiles.VERIFICATION_TO_SOLVE]
    assert all(0 < row["least"] <= row["median"] <= row["most"] and row["runs"] == 3 for row in rows)
    assert [row["allocation_apart"] is not None for row in rows] == [True, True, False, False]
    assert report._tiles(rows).count("\n") == 5


def test_a_solve_as_a_process():
    *in_memory, into_file = tiles.as_process(2000)
    assert [row["unit"] for row in in_memory] == ["s", "bytes a queen"]
    assert in_memory[0]["median"] > 0
    assert into_file["at_most"] is None


def test_the_largest_run(results):
    rows = list(largest.measure(5000))
    report.store("largest", MACHINE, rows)
    assert rows[0]["peak_bytes"] > 0
    assert report.table("largest").startswith("**n = 5,000**")


@pytest.mark.parametrize("n", [1, *range(8, 51)])
def test_plain_min_conflicts_solves(n):
    assert is_solution(plain_min_conflicts.solve(n, seed=n))


def test_peers_that_are_not_installed_are_skipped_and_named(monkeypatch):
    monkeypatch.setattr(peers, "PEERS", {"missing": None, "plain min-conflicts": None})
    monkeypatch.setattr(peers, "ask", ask_missing(peers.ask))
    rows = list(peers.measure(sizes=[8, 12]))
    assert [(row["peer"], row["n"]) for row in rows] == [
        ("missing", 8),
        ("plain min-conflicts", 8),
        ("plain min-conflicts", 12),
    ]
    assert rows[0]["skipped"] == "not installed"
    assert all(row["seconds"] > 0 and row["ours"] > 0 for row in rows[1:])
    assert "| missing |  |  |  | not installed |" in report._peers(rows)


def ask_missing(ask):
    return lambda peer, *rest: {"skipped": "not installed"} if peer == "missing" else ask(peer, *rest)


def test_a_missing_library_has_its_own_exit_code(monkeypatch, capsys):
    monkeypatch.setitem(solve_by.PEERS, "missing", ("a_missing_library", "", None))
    assert solve_by.main("missing", 8) == solve_by.NOT_INSTALLED
    assert capsys.readouterr().out == ""


def test_a_peer_that_takes_too_long_is_stopped():
    assert peers.ask("plain min-conflicts", 10**6, limit=0.5) == {"skipped": "no answer within 0.5 s"}


@pytest.mark.gate
def test_scaling_makes_json_a_table_and_a_picture(results):
    rows = list(scaling.measure(scaling.sizes(10_000), [1, 2]))
    report.store("scaling", MACHINE, rows)
    assert json.loads((results / "scaling.json").read_text()) == {"machine": MACHINE, "rows": rows}
    assert report.table("scaling").count("\n|") == 1 + len(rows)
    assert (results / "scaling.png").stat().st_size > 1000
    assert [axes.get_yscale() for axes in picture.draw(rows).axes] == ["log", "linear"]


@pytest.mark.parametrize("page", ["README.md", "docs/a/page.md"])
def test_the_report_replaces_exactly_the_text_between_markers(results, page):
    readme = results / page
    readme.parent.mkdir(parents=True, exist_ok=True)
    text = (
        "before\n<!-- bench: largest -->\n{}<!-- end -->\nbetween\n<!-- bench: tiles -->\nkept\n<!-- end -->\nafter\n"
    )
    readme.write_text(text.format("old\nold\n"))
    row = dict.fromkeys([f"{part}_seconds" for part in (*scaling.Timings._fields, "process")], 1.5)
    report.store("largest", MACHINE, [{**row, "n": 100, "seed": 1, "steps": 7, "peak_bytes": 500}])
    for _ in range(2):
        assert report.update_pages() == ["largest"]
        assert readme.read_text() == text.format(report.table("largest") + "\n")


def test_the_highlights_show_the_scaling_on_all_threads(results):
    def row(n, threads, placement, shuffle):
        medians = {"placement": placement, "search": 1.0, "verification": 3.0, "shuffle": shuffle}
        figures = {part: None if value is None else {"median": value} for part, value in medians.items()}
        return {"n": n, "threads": threads, **figures}

    rows = [row(1000, 1, 50.0, 20.0), row(1000, 2, 39.0, 20.0), row(10**9, 1, 30.0, None), row(10**9, 2, 19.0, None)]
    (results / "scaling.json").write_text(json.dumps({"machine": MACHINE, "rows": rows}))
    assert report.table("highlights").splitlines()[2:4] == [
        "| 1,000 | **40 µs** | 3 µs | 20 µs | 246 ms |",
        "| 1,000,000,000 | **20.0 s** | 3.0 s |  |  |",
    ]


def test_the_processes_are_those_of_the_promises(results):
    rows = [
        {"what": "a", "unit": "x", "median": 1.341, "command": "solve 8", "seconds": 0.1684},
        {"what": "b", "unit": "MB", "median": 40.0},
        {"what": "c", "unit": "s", "median": 3.0, "command": "solve 8, the first run ever", "seconds": 3.1684},
    ]
    (results / "promises.json").write_text(json.dumps({"machine": MACHINE, "rows": rows}))
    assert report.table("processes").splitlines()[2:4] == [
        "| `fastqueens solve 8` | **0.17 s** | 1.34 x |",
        "| `fastqueens solve 8`, the first run ever | **3.17 s** |  |",
    ]


def test_text_without_markers_is_unchanged():
    for text in ("nothing", "<!-- bench: tiles -->\nno end", "<!-- bench: other -->\n<!-- end -->"):
        assert report.replaced(text, "tiles", "new") == text


def test_every_table_has_one_place_in_the_pages():
    text = "".join(page.read_text() for page in report.pages())
    assert [text.count(f"<!-- bench: {name} -->") for name in report.tables()] == [1] * len(report.tables())
    assert all(report.replaced(text, name, "a new table") != text for name in report.tables())


def test_completions_are_counted_and_the_searches_agree():
    rows = list(fixed_queens.compare(60))
    assert sum(row["all"] for row in rows) == 60
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


def test_the_machine_is_described():
    assert set(machine.describe()) == {*MACHINE, "fastqueens"}


def test_published_figures_are_in_the_table():
    assert document001.PUBLISHED[1000] == (0.02396, 0.2224)


def test_counting_and_puzzles_are_measured(monkeypatch):
    monkeypatch.setattr(counting, "SOLUTIONS", {8: 92})
    monkeypatch.setattr(counting, "PUZZLES", {8: 5.0})
    monkeypatch.setattr(counting, "_PUZZLES_A_RUN", 3)
    rows = list(counting.measure())
    assert [row["at_most"] for row in rows] == [None, 5.0, 5.0]
    assert all(row["median"] > 0 for row in rows)
    monkeypatch.setattr(counting, "SOLUTIONS", {8: 93})
    with check_error(RuntimeError, 92, 93):
        next(counting.measure())


@pytest.mark.gate
def test_estimates_are_compared_with_exact_numbers(results):
    rows = list(estimates.measure([8, 12], 0.05, 5))
    assert [(row["kind"], row["n"]) for row in rows] == [
        (kind, n) for kind in ("exact", "calibration") for n in (8, 12)
    ]
    assert rows[0]["exact"] == 92
    assert rows[0]["threads"] == 2
    assert 0 < rows[2]["within_one"] <= rows[2]["within_three"] <= 1
    report.store("estimates", MACHINE, rows)
    table = report.table("estimates")
    assert table.count("| n |") == 2
    assert table.count("\n| ") == len(rows) + 1
    assert "| 8 | 92 | 9" in table


def test_gamma_follows_the_other_estimates(results):
    rows = list(estimates.measure_gamma({100: (0.05, 1e-5)}))
    assert rows[0]["gamma"] == pytest.approx(1.90, abs=0.05)
    report.store("gamma", MACHINE, rows)
    assert "| 100 | **1.9" in report.table("gamma")
    assert report.table("estimates") == report.table("gamma"), "nothing else is measured"
    report.store("estimates", MACHINE, [])
    assert report.table("estimates").endswith(report.table("gamma"))


@pytest.mark.gate
def test_mixing_is_measured(monkeypatch, results):
    monkeypatch.setattr(sampling, "_HOPS", 1000)
    monkeypatch.setattr(sampling, "SEEDS", range(1, 3))
    rows = list(sampling.measure_mixing([100], {1000: 2}, 1000))
    assert [row["unit"] for row in rows] == ["ns", "s", "%", "s", "", "", ""]
    assert all(0 <= row["least"] <= row["median"] <= row["most"] and row["runs"] == 2 for row in rows)
    assert 0 < rows[2]["median"] < 3
    report.store("mixing", MACHINE, rows)
    assert report.table("mixing").count("\n| ") == len(rows)


def test_samples_are_measured(monkeypatch, results):
    monkeypatch.setattr(sampling, "SEEDS", range(1, 3))
    effective, uniform = sampling.measure_samples({8: 2000}, {6: 400})
    assert effective["thinning"] == 16
    assert 0.5 < effective["share"]["median"] <= 1
    assert 2 < effective["time"]["median"] < 16
    assert 0 < effective["time_seconds"]["median"] < effective["seconds"]["median"] < 1e-2
    assert uniform["freedom"] == 3
    assert all(1e-6 < p <= 1 for p in uniform["p_values"])
    report.store("samples", MACHINE, [effective, uniform])
    lines = report.table("samples").splitlines()
    assert lines[2].startswith("| 8 | 2,000 | 16 | **")
    assert lines[6].startswith("| 6 | 400 | 3 | ")
    assert lines[8].startswith("The 2 together, by Fisher's method: p = **")


@pytest.mark.gate
def test_mixing_and_samples_are_compared_with_a_commit(monkeypatch, results):
    for name, value in {"MIXED": {20_000: 0.12}, "SAMPLED": {8: (2000, 0.2)}, "_RUNS": 1}.items():
        monkeypatch.setattr(before, name, value)
    then = results / "then"
    then.symlink_to(before._HERE)  # the work tree, with more sweeps: a commit would have to be compiled
    monkeypatch.setattr(before, "checked_out", lambda _: nullcontext(then))
    done = CliRunner().invoke(before.main, ["4d66433", "--sampling", "--sweeps", "100"], catch_exceptions=False)
    assert done.exit_code == 0
    mixed, sampled, correlated = map(json.loads, done.output.splitlines())
    assert mixed["now"] < mixed["then"] / 2
    assert mixed["median"] == pytest.approx(mixed["now"] / mixed["then"])
    assert [row["at_most"] for row in (mixed, sampled, correlated)] == [0.12, 0.2, None]
    assert 0 < correlated["now"] < sampled["now"] < 1e-2
    (results / "mixing.json").write_text(json.dumps({"machine": MACHINE, "rows": []}))
    lines = report.table("mixing").splitlines()
    assert lines[5] == "| what | at commit 4d66433 | now | now / then, at most | measured | range | runs |"
    names = ["| `--mix`, n = 20,000", "| effective sample, n = 8", "| autocorrelation time, n = 8"]
    assert [line.split(" | ")[0] for line in lines[7:10]] == names


def test_constraints_are_compared_with_a_free_board(monkeypatch):
    for name, value in {"N": 1000, "RUNS": 2, "LIMITS": {10: 1.5}, "BLOCKED": 1000, "EXCLUDED": 10}.items():
        monkeypatch.setattr(fixed_queens, name, value)
    rows = list(fixed_queens.measure())
    assert [row["at_most"] for row in rows] == [1.5, 1.5]
    assert "1,000 blocked squares and 10 excluded diagonals" in rows[1]["what"]
