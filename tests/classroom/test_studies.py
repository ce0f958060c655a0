"""Studies: statistics compared with plain Python, equal figures with any threads and batches, and the command."""

import csv
import itertools
import json
import os
import statistics
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from doubles import LastFirst
from errors import check_error, check_names
from hypothesis import given
from hypothesis import strategies as st
from processes import timeless

import fastqueens
from fastqueens import InputError, Limits, study
from fastqueens.classroom import studies as module
from fastqueens.classroom.algorithms import ALGORITHMS, USUAL_ALGORITHMS
from fastqueens.classroom.runs import moments, run_batch, run_many, wilson_interval
from fastqueens.classroom.studies import time_text
from fastqueens.cli.climb import climb as climb_command
from fastqueens.cli.study import study as study_command


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(run):
    return partial(run, "study")


# The figures


def plain_figures(n, algorithm, runs, seed):
    """Return the figures of a row by the standard library, from all runs."""
    made = run_many(n, algorithm, range(seed, seed + runs))
    solved, failed = made.steps[made.solved].tolist(), made.steps[~made.solved].tolist()
    figures = {"n": n, "algorithm": algorithm, "runs": runs, "solved": len(solved), "success_rate": len(solved) / runs}
    figures["restarts"] = made.restarts.sum()
    samples = {"solved_steps": solved, "failed_steps": failed, "cost": made.pairs, "evaluations": made.evaluations}
    for name, sample in samples.items():
        figures[f"{name}_mean"] = statistics.mean(map(float, sample)) if len(sample) else None
        figures[f"{name}_sd"] = statistics.stdev(map(float, sample)) if len(sample) > 1 else None
    for name, column in (("initial_cost", "initial_pairs"), ("restarts", "restarts"), ("backtracks", "backtracks")):
        figures[f"{name}_mean"] = float(getattr(made, column).mean())
    for kind, steps in (("solved", solved), ("failed", failed)):
        figures[f"{kind}_histogram"] = [[value, steps.count(value)] for value in sorted(set(steps))]
    return figures


def test_the_figures_are_those_of_the_runs_one_by_one():
    for algorithm, (n, runs) in itertools.product(ALGORITHMS, ((1, 1), (5, 2), (8, 40))):
        (row,) = study(n, algorithm, runs, seed=7).rows
        for name, value in plain_figures(n, algorithm, runs, 7).items():
            expected = pytest.approx(value) if isinstance(value, float) else value
            assert row.as_dict()[name] == expected, (algorithm, n, name)


@given(st.dictionaries(st.integers(0, 10**12), st.integers(1, 5), min_size=1, max_size=8))
def test_mean_and_standard_deviation_of_counted_values(counted):
    values = [value for value, count in counted.items() for _ in range(count)]
    deviation = pytest.approx(statistics.stdev(values)) if len(values) > 1 else None
    assert moments(counted) == (pytest.approx(statistics.mean(values)), deviation)


def test_the_interval_is_that_of_scipy():
    from scipy.stats import binomtest  # takes a second

    for solved, runs in ((0, 1), (3, 7), (14, 100), (100, 100), (1, 10**6), (999_999, 10**6)):
        expected = binomtest(solved, runs).proportion_ci(0.95, method="wilson")
        assert wilson_interval(solved, runs) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_all_algorithms_begin_on_the_same_boards():
    assert len({row["initial_cost_mean"] for row in study(8, USUAL_ALGORITHMS, 2000, seed=1).to_rows()}) == 1


def test_the_limits_reach_the_runs():
    none, some = (study(8, ["restart"], 500, seed=1, limits=Limits(restarts=limit)).rows[0] for limit in (0, 2))
    assert none.tally == study(8, ["steepest"], 500, seed=1).rows[0].tally
    assert 0 < some.tally.restarts <= 1000
    assert 0.14 < some.figures()["success_rate"] < 1
    few, many = (study(8, "sideways", 500, seed=1, limits=Limits(sideways=limit)).rows[0] for limit in (0, 100))
    assert few.tally == none.tally
    assert many.figures()["success_rate"] > 0.9


# The same with any batches and threads


def test_the_study_does_not_depend_on_threads_and_batches(monkeypatch):
    expected = study([4, 8], USUAL_ALGORITHMS, 300, seed=11, threads=1)
    for seconds in (0, 0.0005, 1e9):
        monkeypatch.setattr(module, "_SECONDS_PER_BATCH", seconds)
        for threads in (1, 3):
            assert study([4, 8], USUAL_ALGORITHMS, 300, seed=11, threads=threads) == expected, (seconds, threads)


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_rises_to_the_number_of_runs(threads):
    calls = []
    study([5, 8], ["steepest", "sideways"], 2000, seed=1, threads=threads, progress=lambda *now: calls.append(now))
    assert {stage for stage, _, _ in calls} == {"runs"}
    assert [done for _, done, _ in calls] == sorted(done for _, done, _ in calls)
    assert (calls[0], calls[-1]) == (("runs", 0, 8000), ("runs", 8000, 8000))


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stopped_study_keeps_the_runs_before_the_first_unfinished_one(threads):
    algorithms, done = ["steepest", "restart", "sideways"], []
    for last in (0, 500, 1799):
        stop = {"progress": lambda stage, runs, total: done.append(runs), "stop": lambda last=last: done[-1] > last}
        with pytest.raises(fastqueens.Stopped) as stopped:
            study([8, 5], algorithms, 300, seed=1, keep_runs=True, threads=threads, **stop)
        part = stopped.value.partial
        assert (part.runs, part.seed, part.is_partial) == (300, 1, True)
        assert threads > 1 or sum(row.tally.runs for row in part.rows) > last
        for row in part.rows:
            assert row == study(row.n, row.algorithm, row.tally.runs, seed=1).rows[0]
            assert sum(len(runs.pairs) for runs in row.kept.values()) == row.tally.runs
        lacking = [row.tally.runs < 300 for row in part.rows]
        assert [row.get("partial", False) for row in part.as_dict()["rows"]] == lacking
        assert repr(part).count("Incomplete") == sum(lacking)
        assert part.plot().axes


def test_runs_after_an_unfinished_one_are_dropped(monkeypatch):
    """Otherwise a study that is stopped would lack long runs."""

    def second_batch_waits(*batch, stop):
        while batch[-2] == 17 and not stop():
            threading.Event().wait(0.001)
        return run_batch(*batch[:-1], 5 if batch[-2] == 17 else batch[-1], stop=stop)

    expected, done = study(8, "steepest", 21, seed=1), []
    monkeypatch.setattr(module, "run_batch", second_batch_waits)
    stop = {"progress": lambda stage, runs, total: done.append(runs), "stop": lambda: done[-1] == 284}
    with pytest.raises(fastqueens.Stopped) as stopped:
        study(8, "steepest", 300, seed=1, threads=2, **stop)
    assert stopped.value.partial.rows == expected.rows


@pytest.mark.parametrize("timed", [False, True])
def test_a_stopped_batch_keeps_its_finished_runs(timed):
    polls = iter(range(10**6))
    with pytest.raises(fastqueens.Stopped) as stopped:
        run_many(100, "steepest", range(1000), timed=timed, stop=lambda: next(polls) == 5)
    part = stopped.value.partial
    assert 5 < len(part.pairs) < 1000
    whole = run_many(100, "steepest", range(len(part.pairs)))
    for name in set(part._fields) - {"seconds"}:
        assert getattr(part, name).tolist() == getattr(whole, name).tolist(), name
    assert (part.seconds > 0).all()
    assert timed == (len(set(part.seconds.tolist())) > 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_it_stops_in_the_middle_of_a_run_without_end(threads):
    wanted = threading.Event()
    timer = threading.Timer(0.3, wanted.set)
    timer.start()
    with pytest.raises(fastqueens.Stopped):
        study(60, "restart", 10, seed=1, threads=threads, stop=wanted.is_set)
    timer.join()


# Executors: anything with submit()


def test_an_executor_makes_the_same_study_in_any_order():
    expected = study([4, 8], ["steepest", "restart"], 3000, seed=2)
    with ThreadPoolExecutor(3) as pool:
        assert study([4, 8], ["steepest", "restart"], 3000, seed=2, executor=pool) == expected
    expected = study([4, 8], ["steepest", "restart"], 16, seed=2)
    assert study([4, 8], ["steepest", "restart"], 16, seed=2, executor=LastFirst(4), threads=2) == expected


# Bad input


def test_bad_values_are_named():
    for changed, named in [
        ({"n": 0}, ["n", 0, 1]),
        ({"n": []}, ["n is empty"]),
        ({"n": [8, 1.5]}, ["n", "1.5"]),
        ({"algorithms": "steepst"}, ["'steepst'", "steepest"]),
        ({"algorithms": ["restart", "up"]}, ["'up'", *ALGORITHMS]),
        ({"algorithms": []}, ["algorithms is empty", *ALGORITHMS]),
        ({"runs": 0}, ["runs", 0, 1]),
        ({"limits": Limits(restarts=-1)}, ["restarts", -1]),
    ]:
        with check_error(InputError, *named):
            study(**{"n": 8, "algorithms": "steepest", "runs": 10, **changed})


def test_endless_runs_are_refused_before_the_first_begins():
    for algorithm in ("restart", "restart-sideways"):
        begun = []
        with check_error(fastqueens.NoSolutionError, "n = 3"):
            study([8, 3], algorithm, 10, progress=lambda *now: begun.append(now))  # noqa: B023
        assert not begun
        assert study([2, 3], algorithm, 10, limits=Limits(restarts=2)).rows[1].figures()["solved"] == 0


# The command


def test_the_algorithms_of_the_command_are_those_of_the_library():
    (algorithms,) = (option for option in study_command.params if option.name == "algorithms")
    assert algorithms.default.split(",") == USUAL_ALGORITHMS
    *others, last = ALGORITHMS
    assert f"{', '.join(others)} and {last}." in " ".join(climb_command.help.split())


def test_json_and_files_hold_the_whole_study(run):
    arguments = ("--n", "4,8", "--algorithms", "steepest,restart", "--runs", "500", "--seed", "3")
    expected = study([4, 8], ["steepest", "restart"], 500, seed=3)
    exit_code, stdout, _ = run(*arguments, "--json", "-o", "study.json")
    assert (exit_code, timeless(json.loads(stdout))) == (0, timeless(expected.as_dict()))
    with open("study.json") as file:
        assert timeless(json.load(file)) == timeless(expected.as_dict())
    assert expected.as_dict()["seed"] == 3
    assert expected.as_dict()["version"] == fastqueens.__version__

    assert run(*arguments, "-q", "-o", "study.csv") == (0, "", "")
    assert "steepest" in run(*arguments, "-q")[1], "the table is the only result"
    with open("study.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    for line, row in zip(lines, expected.rows, strict=True):
        assert float(line.pop("seconds_mean")) > 0
        settings = {"seed": 3, "restart_limit": "unlimited" if row.algorithm == "restart" else 0}
        for name, value in {**row.figures(), **settings}.items():
            assert name == "seconds_mean" or line[name] == ("" if value is None else str(value))
    assert sorted(os.listdir()) == ["study.csv", "study.json"]


@given(st.floats(1e-9, 999), st.sampled_from([0.95, 9.95, 999.5]), st.sampled_from([1e-6, 1e-3]))
def test_a_time_has_at_most_six_characters_and_is_rounded_by_at_most_half_its_last_digit(seconds, edge, unit):
    sizes = {"µs": 1e-6, "ms": 1e-3, "s": 1}
    for time in (seconds, *(edge * unit * factor for factor in (0.9999, 1, 1.0001))):
        text = time_text(time)
        value, name = text.split()
        assert len(text) <= 6
        last = 0.1 if "." in value else 1
        assert abs(float(value.replace(",", "")) * sizes[name] - time) <= 0.501 * last * sizes[name]


def test_the_table_names_the_runs_and_the_seeds(run):
    """Another test draws it in terminals of all widths."""
    arguments = ("4..9,50", "--algorithms", "steepest,min-conflicts", "--runs", "200", "--seed", "1")
    exit_code, stdout, _ = run(*arguments)
    assert exit_code == 0
    check_names(stdout, "200 runs", "seeds 1 to 200", "2,800 runs")


def test_the_table_holds_the_figures(run):
    _, stdout, _ = run("--n", "8", "--algorithms", "restart,steepest", "--runs", "2000", "--seed", "1")
    (line,) = (line for line in stdout.splitlines() if line.startswith("steepest"))
    figures = study(8, "steepest", 2000, seed=1).rows[0].figures()
    rate = f"{100 * figures['success_rate']:.2f}"
    low, high = (f"{100 * figures[f'success_{name}']:.1f}" for name in ("low", "high"))
    solved = f"{figures['solved_steps_mean']:.2f} ± {figures['solved_steps_sd']:.2f}"
    failed, looked, cost = (figures[f"{name}_mean"] for name in ("failed_steps", "evaluations", "cost"))
    expected = f"steepest {rate} {low}-{high} {solved} {failed:.2f} {looked:.0f} {cost:.2f} "
    assert " ".join(line.split()).startswith(expected)


def test_a_study_prints_as_a_table_in_80_columns_and_as_html():
    several = study([8, 20], ["steepest", "restart", "forward-checking"], 100, seed=1)
    text, html = repr(several), several._repr_html_()
    assert max(map(len, text.splitlines())) <= 80
    check_names(text, "n = 8", "n = 20", "forward-checking", "evaluations", "100 runs")
    check_names(html, "<table>", ">forward-checking</td>", "n = 20")
    assert html.count("<tr>") == 1 + 2 + 6


def test_the_runs_file_has_a_line_for_each_run(run):
    arguments = ("5..6", "--algorithms", "steepest,beam", "--runs", "30", "--seed", "4", "-q")
    assert run(*arguments, "--runs-file", "runs.csv")[0] == 0
    with open("runs.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 120
    made = run_many(6, "beam", range(4, 34))
    mine = [line for line in lines if (line["n"], line["algorithm"]) == ("6", "beam")]
    assert [int(line["seed"]) for line in mine] == list(range(4, 34))
    assert [int(line["evaluations"]) for line in mine] == made.evaluations.tolist()
    seconds = [float(line["seconds"]) for line in mine]
    assert min(seconds) > 0


def test_runs_that_are_kept_are_timed_one_by_one():
    kept, others = (study(6, "beam", 30, seed=4, keep_runs=keeps).rows[0] for keeps in (True, False))
    seconds = [time for runs in kept.kept.values() for time in runs.seconds.tolist()]
    assert kept.figures()["seconds_sd"] == pytest.approx(statistics.stdev(seconds))
    assert others.figures()["seconds_sd"] is None


def test_a_study_takes_n_as_an_argument_and_draws(run):
    assert run("8", "--algorithms", "steepest", "--runs", "20", "--plot", "s.png", "--what", "success")[0] == 0
    assert os.path.getsize("s.png") > 1000
    assert run("8", "--n", "9")[0] == 2
    code, _, err = run("8", "--algorithms", "steepest,beam", "--mutation", "0.5")
    assert (code, "--mutation has no effect on steepest, beam" in err) == (2, True)
