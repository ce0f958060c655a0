"""The benchmarks of hard instances on tiny ones: what they draw, translate, compare, store and write into tables."""

import gzip
import io
import itertools
import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from doubles import MACHINE
from errors import check_names

from bench import answer_by_cpsat, cpsat, csplib, generated, hard_tables, instances, report, translated
from bench.__main__ import main
from bench.csplib import Answer
from bench.instances import Diagonal
from bench.solve_by import NOT_INSTALLED
from fastqueens import InputError, Stopped, make_instance
from fastqueens.core.threads import Workers
from fastqueens.exact.complete_search import FOUND, MOST_EMPTY

#: From CSPLib problem 079 (I. P. Gent, C. Jefferson, P. Nightingale, csplib.org/Problems/prob079), licence CC BY 4.0.
PUBLISHED = {
    (10, 2): "d16 d11 s1 d14 d8 s2 d18 s17 s11 s13 s15 d0 s4 s9 d5",
    (13, 7): "s10 d7 d20 d23 d18 s4 s12 s20 s1 s2 s17 s3 d1 s11 s21 s14 s18 d22 d24 d0 d2 d4",
}
#: For each of these, how many of its first diagonals leave a solution, and the nodes of a search with one, two, ... of
#: them; a search takes two milliseconds here.
NODES = {
    (10, 2): (4, "103 118 118 515 1076 659 425 425 344 314 309 309"),
    (13, 7): (10, "94 935 804 804 5051 2828 8155 7774 7618 5831 8887 3743 3743 1178 1172 452 438 438 438 438"),
}
LABELS = "n,id,excluded,solvable,nodes,seconds\n" + "".join(
    f"{n},{number},{excluded},{int(excluded <= solvable)},{nodes},0.002\n"
    for (n, number), (solvable, searches) in NODES.items()
    for excluded, nodes in enumerate(searches.split(), 1)
)


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder for results, without pages."""
    folder = tmp_path / "results"
    monkeypatch.setattr(report, "RESULTS", folder)
    monkeypatch.setattr(report, "PICTURES", folder)
    monkeypatch.setattr(report, "ROOT", tmp_path)
    (tmp_path / "README.md").write_text("no tables")
    return folder


@pytest.fixture
def workers():
    with Workers(1) as workers:
        yield workers


def store_folder(folder, labels=LABELS):
    lines = [f"{n},{number},{diagonals}" for (n, number), diagonals in PUBLISHED.items()]
    for name, text in (("instances", "\n".join(["n,id,diagonals", *lines])), ("labels", labels)):
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def open_in_lines(n, diagonals):
    """Return how many squares each column and each row keeps: slow, but obvious."""

    def is_open(c, r):
        return all(number != (c + r if is_sum else r - c) for is_sum, number in diagonals)

    board = [[is_open(c, r) for r in range(n)] for c in range(n)]
    return [sum(column) for column in board] + [sum(row) for row in zip(*board, strict=True)]


def has_solution(n, diagonals):
    """Try all permutations."""
    sums = {number for is_sum, number in diagonals if is_sum}
    differences = {number for is_sum, number in diagonals if not is_sum}
    for queens in itertools.permutations(range(n)):
        on_sums = {c + r for c, r in enumerate(queens)}
        on_differences = {r - c for c, r in enumerate(queens)}
        if len(on_sums) == len(on_differences) == n and not on_sums & sums and not on_differences & differences:
            return True
    return False


# The recipe


def check_recipe(n, diagonals):
    assert len(set(diagonals)) == len(diagonals)
    assert min(open_in_lines(n, diagonals)) >= 4
    for diagonal in set(instances.all_diagonals(n)) - set(diagonals):  # no other could follow
        assert min(open_in_lines(n, [*diagonals, diagonal])) < 4


@pytest.mark.parametrize("n", [5, 8, 13])
def test_diagonals_are_excluded_as_long_as_each_line_keeps_four_squares(n):
    for seed in range(3):
        check_recipe(n, instances.excluded_diagonals(n, seed))


def test_the_published_instances_follow_the_same_recipe(tmp_path):
    for (n, _), diagonals in csplib.read_instances(store_folder(tmp_path)).items():
        check_recipe(n, diagonals)


@pytest.mark.parametrize(("least", "expected"), [(3, 3), (4, 4), (5, 5)])
def test_the_least_number_of_open_squares_is_reached_and_kept(least, expected, monkeypatch):
    monkeypatch.setattr(instances, "LEAST_OPEN", least)
    assert min(open_in_lines(9, instances.excluded_diagonals(9, 1))) == expected


def test_instances_depend_only_on_n_and_seed():
    drawn = instances.excluded_diagonals
    assert drawn(12, 3) == drawn(12, 3)
    assert drawn(12, 3) != drawn(12, 4)
    assert drawn(12, 3)[:5] != drawn(13, 3)[:5]
    diagonals, side, fixed = translation(5, 1)
    assert np.array_equal(fixed, translation(5, 1)[2])
    assert not np.array_equal(fixed, instances.translated(5, diagonals, side, 2))
    assert np.array_equal(instances.random_blocks(16, 1).blocked, instances.random_blocks(16, 1).blocked)


def test_from_n_10_on_there_are_n_diagonals_of_both_kinds():
    for n in (10, 20, 30):
        for seed in range(10):
            first = instances.excluded_diagonals(n, seed)[:n]
            assert len(first) == n
            instance = instances.instance_without(n, first)
            assert 0 < len(instance.excluded_sums) < n
            assert len(instance.excluded_sums) + len(instance.excluded_differences) == n


def test_open_squares_are_those_on_no_excluded_diagonal():
    is_open = instances.open_squares(3, [Diagonal(True, 1), Diagonal(False, 2)])
    assert is_open.tolist() == [[True, False, False], [False, True, True], [True, True, True]]


# Published instances


def test_published_answers_agree(tmp_path):
    rows = list(csplib.measure(store_folder(tmp_path)))
    assert [row["n"] for row in rows] == [10, 13]
    for row, count in zip(rows, (12, 20), strict=True):
        assert row["instances"] == row["agreements"] == count
        assert row["contradictions"] == row["undecided"] == 0
        assert 0 < row["slowest"] < row["seconds"]
        assert row["nodes"] > 0
    assert rows[0]["published_nodes"] == sum(map(int, NODES[10, 2][1].split()))
    assert rows[0]["published_seconds"] == pytest.approx(12 * 0.002)


@pytest.mark.parametrize(("right", "wrong"), [("10,2,4,1,", "10,2,4,0,"), ("10,2,5,0,", "10,2,5,1,")])
def test_a_planted_wrong_answer_is_a_contradiction(tmp_path, right, wrong):
    assert LABELS.count(right) == 1
    first, second = csplib.measure(store_folder(tmp_path, LABELS.replace(right, wrong)))
    assert (first["agreements"], first["contradictions"]) == (11, 1)
    assert (second["agreements"], second["contradictions"]) == (20, 0)


def test_a_wrong_board_is_a_contradiction(tmp_path, monkeypatch):
    class Wrong:
        nodes = 1

        def __init__(self, instance, workers, *, seed):
            self.queens = np.zeros(instance.n, np.int32)

        def advance(self, *_):
            return FOUND

    monkeypatch.setattr(csplib, "CompleteSearch", Wrong)
    rows = list(csplib.measure(store_folder(tmp_path)))
    assert [row["contradictions"] for row in rows] == [12, 20]


def test_an_answer_without_enough_nodes_is_undecided(tmp_path):
    rows = list(csplib.measure(store_folder(tmp_path), most_nodes=0))
    assert [(row["undecided"], row["agreements"], row["contradictions"]) for row in rows] == [(12, 0, 0), (20, 0, 0)]


def test_published_numbers_of_diagonals_are_translated():
    assert [csplib._diagonal(word, 10) for word in ("s4", "d0", "d9", "d18")] == [
        Diagonal(True, 4),
        Diagonal(False, -9),
        Diagonal(False, 0),
        Diagonal(False, 9),
    ]
    for word in ("x4", "s", "s-1", "4", ""):
        with pytest.raises(InputError, match="sum diagonal"):
            csplib._diagonal(word, 10)


# Translations


def translation(n, seed, side=None):
    diagonals = instances.excluded_diagonals(n, seed)[:n]
    side = instances.SIDE_OF_TRANSLATION * n if side is None else side
    return diagonals, side, instances.translated(n, diagonals, side, seed)


@pytest.mark.parametrize("n", [4, 5, 8, 14])
def test_translations_are_right(n, workers):
    for seed in range(4):
        diagonals, side, fixed = translation(n, seed)
        assert instances.fault_of_translation(n, diagonals, side, fixed) is None
        small = csplib.answer(instances.instance_without(n, diagonals), workers)
        large = csplib.answer(make_instance(side, fixed), workers)
        assert (small.is_solvable, small.is_wrong) == (large.is_solvable, large.is_wrong)


def test_a_translation_has_a_solution_if_and_only_if_the_small_board_has_one(workers):
    found = set()
    for seed in range(12):
        diagonals = instances.excluded_diagonals(6, seed)[: 1 + seed % 4]
        side = instances.SIDE_OF_TRANSLATION * 6
        fixed = instances.translated(6, diagonals, side, seed)
        solvable = has_solution(6, diagonals)
        assert csplib.answer(make_instance(side, fixed), workers).is_solvable == solvable
        found.add(solvable)
    assert found == {True, False}


def test_a_translation_without_excluded_diagonals_leaves_all_squares_open():
    side = 1001
    assert instances.fault_of_translation(4, [], side, instances.translated(4, [], side, 0)) is None


@pytest.mark.parametrize("side", [19, 20, 21])
def test_a_side_without_room_is_refused(side):
    with pytest.raises(InputError, match=f"side is {side}"):
        translation(5, 1, side)


@pytest.mark.parametrize(
    ("line", "one", "other"),
    [("column", (0, 0), (0, 5)), ("row", (0, 5), (3, 5)), ("sum", (0, 3), (1, 2)), ("difference", (0, 0), (1, 1))],
)
def test_attacks_between_fixed_queens_are_found(line, one, other):
    check_names(instances.fault_of_translation(5, [], 100, np.array([one, other])), line)


def test_faults_of_translations_are_found():
    diagonals, side, fixed = translation(5, 1)
    fault = instances.fault_of_translation
    check_names(fault(5, diagonals, side, fixed[1:]), "columns")
    check_names(fault(1, [], 3, np.array([(0, 0), (1, 2)])), "columns")
    check_names(fault(1, [], 3, np.array([(0, 0), (2, 1)])), "rows")
    assert "left open" in fault(5, diagonals[1:], side, fixed)
    other = next(diagonal for diagonal in instances.all_diagonals(5) if diagonal not in diagonals)
    assert "left open" in fault(5, [*diagonals, other], side, fixed)


def test_translated_instances_are_measured():
    (row,) = translated.measure(8, 3)
    assert (row["n"], row["side"], row["instances"], row["contradictions"]) == (8, 2088, 3, 0)
    assert row["seconds"]["runs"] == row["alone"]["runs"] == 3
    assert "| 2,088 | 8 | 3 |" in hard_tables.translated_table([row])


def test_a_contradiction_of_a_translation_is_noticed(monkeypatch):
    monkeypatch.setattr(translated, "answer", lambda *_: Answer(None, 1.0, 1, False))
    (row,) = translated.measure(5, 2)
    assert row["contradictions"] == 2


# Random completions and blocked squares


@pytest.mark.parametrize("n", [10, 16])
def test_random_completions_and_blocked_squares(n):
    for seed in range(20):
        assert n // 4 <= len(instances.random_completion(n, seed).fixed) <= n // 2
        left = n * n - len(instances.random_blocks(n, seed).blocked)
        assert 4 * n <= left <= 6 * n + 1


# Generated instances


def test_generated_instances_are_answered():
    rows = list(generated.measure([5, 6], 4, 60))
    assert [(row["n"], row["seed"]) for row in rows] == [(n, seed) for n in (5, 6) for seed in range(4)]
    for row in rows:
        diagonals = instances.excluded_diagonals(row["n"], row["seed"])[: row["n"]]
        assert row["answer"] == ("solvable" if has_solution(row["n"], diagonals) else "unsolvable")
        assert row["seconds"] > 0
        assert row["limit"] == 60
    assert {row["answer"] for row in rows} == {"solvable", "unsolvable"}


def test_n_diagonals_are_excluded_in_generated_instances(monkeypatch):
    asked = []
    monkeypatch.setattr(generated, "solve_within", lambda instance, limit: asked.append((instance, limit)) or {})
    rows = list(generated.measure([10, 12], 2, 60, done={(12, 0)}))
    assert [(row["n"], row["seed"]) for row in rows] == [(10, 0), (10, 1), (12, 1)]
    assert [(instance.n, instance.counts["excluded_diagonals"], limit) for instance, limit in asked[1:]] == [
        (10, 10, 60),
        (10, 10, 60),
        (12, 12, 60),
    ]


def test_the_limit_leaves_an_instance_undecided(monkeypatch):
    def solve(_, *, stop, progress, **__):
        progress("complete search", 7, 9)
        progress("verification", 1, 1)
        while not stop():
            pass
        raise Stopped("stopped")

    monkeypatch.setattr("fastqueens.solve", solve)
    row = generated.solve_within(make_instance(8), 0.01)
    assert (row["answer"], row["nodes"]) == ("undecided", 7)
    assert row["seconds"] > 0.01


def test_stored_rows_are_kept_unless_they_are_measured_again():
    rows = [{"n": 20, "limit": 60}, {"n": 22, "limit": 60}, {"n": 22, "limit": 600}]
    stored = {"machine": MACHINE, "rows": rows}
    later = {**MACHINE, "date": "2026-02-02"}
    assert generated.kept(None, later, [22], None) == []
    assert generated.kept(stored, later, [22], None) == rows[:1]
    assert generated.kept(stored, later, [22], 60) == rows[:2]
    assert generated.kept(stored, later, [24], None) == rows
    assert generated.kept(stored, {**later, "cores": 4}, [24], None) == []


# CP-SAT


class Model:
    """What bench/answer_by_cpsat.py uses of CP-SAT: a variable is its values on all boards, which are filtered."""

    def __init__(self):
        self.parameters, self.is_valid, self.boards = SimpleNamespace(), True, None

    def new_int_var(self, least, most, name):
        if self.boards is None:
            self.boards = np.array(list(itertools.product(range(least, most + 1), repeat=most + 1)))
        return self.boards[:, int(name.removeprefix("q"))]

    def add(self, test):
        self.is_valid = self.is_valid & test

    def add_all_different(self, values):
        self.add((np.diff(np.sort(np.stack(values), axis=0), axis=0) != 0).all(axis=0))

    def solve(self, model):
        self.place = np.flatnonzero(model.is_valid)[:1]
        return LIBRARY.OPTIMAL if len(self.place) else LIBRARY.INFEASIBLE

    def value(self, variable):
        return int(variable[self.place[0]])


LIBRARY = SimpleNamespace(CpModel=Model, CpSolver=Model, OPTIMAL=4, FEASIBLE=2, INFEASIBLE=3)


@pytest.mark.parametrize(
    ("constraints", "queens"),
    [
        ({}, [1, 3, 0, 2]),
        ({"fixed": [(0, 2)]}, [2, 0, 3, 1]),
        ({"blocked": [(0, 1)]}, [2, 0, 3, 1]),
        ({"excluded_sums": [1]}, None),
        ({"excluded_differences": [2]}, None),
        ({"fixed": [(0, 2)], "blocked": [(3, 1)]}, None),
        ({"excluded_differences": [0, 3]}, [1, 3, 0, 2]),
        ({"excluded_sums": [0, 3]}, [1, 3, 0, 2]),
    ],
)
def test_instances_are_stated_for_cp_sat(constraints, queens):
    answer = answer_by_cpsat._answer(LIBRARY, cpsat._as_dict(make_instance(4, **constraints)))
    assert (answer["solvable"], answer["queens"]) == (queens is not None, queens)


def test_cp_sat_reads_instances_and_prints_answers(monkeypatch, capsys):
    monkeypatch.setattr(answer_by_cpsat.importlib, "import_module", lambda name: LIBRARY)
    monkeypatch.setattr(answer_by_cpsat.importlib.metadata, "version", lambda name: "9")
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps([cpsat._as_dict(make_instance(4))])))
    assert answer_by_cpsat.main() == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["version"] == "9"
    assert [answer["queens"] for answer in printed["answers"]] == [[1, 3, 0, 2]]


def test_a_missing_cp_sat_has_its_own_exit_code_and_is_named(monkeypatch, capsys):
    def fail(name):
        raise ImportError(name)

    monkeypatch.setattr(answer_by_cpsat.importlib, "import_module", fail)
    assert answer_by_cpsat.main() == NOT_INSTALLED
    assert capsys.readouterr().out == ""
    exits = iter([NOT_INSTALLED, 1])
    monkeypatch.setattr(
        cpsat.subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=next(exits), stderr="why", stdout="")
    )
    rows = list(cpsat.measure(count=3))
    assert hard_tables.cpsat_table(rows) == "OR-Tools CP-SAT: not installed."
    with pytest.raises(RuntimeError, match="why"):
        cpsat.ask([make_instance(4)])


def test_answers_are_compared():
    board = make_instance(4)
    right, wrong = [1, 3, 0, 2], [0, 1, 2, 3]
    cases = {
        "solvable": (Answer(True, 1.0, 1, False), (True, right)),
        "unsolvable": (Answer(False, 1.0, 1, False), (False, None)),
        "undecided": (Answer(None, 1.0, 1, False), (True, right)),
    }
    contradictions = [
        (Answer(True, 1.0, 1, True), (True, right)),
        (Answer(True, 1.0, 1, False), (True, wrong)),
        (Answer(True, 1.0, 1, False), (False, None)),
        (Answer(False, 1.0, 1, False), (True, right)),
        (Answer(True, 1.0, 1, True), (None, None)),
    ]
    pairs = [*cases.values(), (Answer(False, 1.0, 1, False), (None, None)), *contradictions]
    theirs = [{"solvable": solvable, "queens": queens, "seconds": 2.0} for _, (solvable, queens) in pairs]
    row = cpsat.compared([board] * len(pairs), [own for own, _ in pairs], {"answers": theirs, "version": "9"})
    assert {key: row[key] for key in ("instances", *cases)} == {
        "instances": 9, "solvable": 1, "unsolvable": 1, "undecided": 2,
    }  # fmt: skip
    assert row["contradictions"] == len(contradictions)
    table = hard_tables.cpsat_table([{"kind": "a kind", "skipped": None, **row}])
    assert "| a kind | 9 | 1 | 1 | 2 | 5 | 1.0 s | 2.0 s |" in table


def test_each_kind_of_instance_is_compared_with_cp_sat(monkeypatch):
    def ask(instances_of_kind, python):
        with Workers(1) as workers:
            answers = [csplib.answer(instance, workers) for instance in instances_of_kind]
        return {
            "version": "9",
            "answers": [{"solvable": own.is_solvable, "queens": None, "seconds": 1.0} for own in answers],
        }

    monkeypatch.setattr(cpsat, "is_solution", lambda *_, **__: True)
    monkeypatch.setattr(cpsat, "ask", ask)
    rows = list(cpsat.measure(count=42))
    assert [row["kind"] for row in rows] == list(cpsat.KINDS)
    for row in rows:
        assert row["instances"] == 14
        assert row["solvable"] + row["unsolvable"] == 14
        assert min(row["solvable"], row["unsolvable"]) > 0


# Tables


def generated_row(n, seed, answer, seconds, limit=60):
    nodes = int(seconds * 10)
    return {"n": n, "seed": seed, "limit": limit, "threads": 2, "answer": answer, "seconds": seconds, "nodes": nodes}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["solvable"], "1 | 1 | 1 | 1.0 s | 1.0 s | 10 | 10"),
        (["solvable", "unsolvable"], "2 | 2 | 1 | 1.5 s | 2.0 s | 15 | 20"),
        (["unsolvable", "solvable", "undecided"], "3 | 2 | 1 | 2.0 s | more than 60 s | 20 | 30"),
        (["undecided", "solvable", "solvable"], "3 | 2 | 2 | 3.0 s | more than 60 s | 20 | 30"),
        (["solvable", "undecided"], "2 | 1 | 1 | more than 60 s | more than 60 s | 15 | 20"),
    ],
)
def test_the_table_of_generated_instances(answers, expected):
    rows = [generated_row(22, seed, answer, 1.0 + seed) for seed, answer in enumerate(answers)]
    assert hard_tables.generated_table(rows).splitlines()[2:] == [f"| 22 | 60 s | 2 | {expected} |"]


def test_the_table_of_published_instances_has_a_sum():
    row = {"n": 10, "instances": 3, "agreements": 2, "contradictions": 1, "undecided": 0, "seconds": 1.5}
    row |= {"slowest": 0.5, "nodes": 1000, "published_seconds": 10.0, "published_nodes": 5000}
    last = hard_tables.published_table([row, {**row, "n": 11, "slowest": 0.75}]).splitlines()[-1]
    assert last == "| all | 6 | 4 | 2 | 0 | 3.0 s | 750 ms | 2,000 | 20.0 s | 10,000 |"


def test_the_goals_are_compared_with_what_is_stored(results):
    results.mkdir()
    published = {"n": 10, "instances": 3, "agreements": 2, "seconds": 1.5, "slowest": 1.0, "published_seconds": 10.0}
    parts = {
        "csplib": [published],
        "generated": [generated_row(24, 0, "undecided", 60.5), generated_row(24, 1, "solvable", 1.0)],
    }
    for name, rows in parts.items():
        report.store(name, {**MACHINE, "processor": name}, rows)
    text = report.table("hard_instances")
    lines = text.splitlines()
    assert lines[2].endswith("| all agree; 60 s in all | 2 of 3 agree; **1.5 s** in all (published solver: 10.0 s) |")
    assert lines[4].endswith(
        "| 100 of 100 decided; median 0.3 s; 60 s each at most "
        "| **1 of 2** decided; median more than 60 s, slowest more than 60 s; threads: 2 |"
    )
    assert [line.endswith("| not measured |") for line in lines[2:10]] == [False, True, False, *[True] * 5]
    assert [name in text for name in ("csplib, 2 cores", "generated, 2 cores")] == [True, True]
    report.store("cpsat", MACHINE, [{"skipped": "not installed"}])
    assert "| not installed |" in report.table("hard_instances")
    report.store("cpsat", MACHINE, [{"skipped": None, "instances": 3, "unsolvable": 2, "contradictions": 0}] * 2)
    assert "| 6 instances, 4 of them unsolvable, **0 contradictions** |" in report.table("hard_instances")
    report.store("translated", MACHINE, [{"instances": 30, "seconds": {"median": 0.0017}}])
    assert "| 30 instances, median **1.7 ms** |" in report.table("hard_instances")


# The command


def bench(*arguments):
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def test_without_a_folder_the_published_instances_are_left_out(results, monkeypatch):
    monkeypatch.setattr("bench.__main__.CSPLIB", ("generated",))
    outcome = bench("csplib", "--sizes", "5", "--count", "1")
    assert outcome.exit_code == 0
    check_names(outcome.stderr, "--instances FOLDER")
    assert sorted(path.name for path in results.iterdir()) == ["generated.json"]


def test_a_run_that_is_interrupted_goes_on_where_it_stopped(results, monkeypatch):
    measure = generated.measure

    def interrupted(*arguments):
        yield from itertools.islice(measure(*arguments), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(generated, "measure", interrupted)
    assert bench("generated", "--sizes", "5", "--count", "4").exit_code != 0
    first = report.stored("generated")["rows"]
    assert [row["seed"] for row in first] == [0, 1]
    monkeypatch.setattr(generated, "measure", measure)
    assert bench("generated", "--sizes", "6,5", "--count", "4", "--resume").exit_code == 0
    rows = report.stored("generated")["rows"]
    assert [(row["n"], row["seed"]) for row in rows] == [(n, seed) for n in (5, 6) for seed in range(4)]
    assert rows[:2] == first
    assert bench("generated", "--sizes", "5", "--count", "1").exit_code == 0
    assert [(row["n"], row["seed"]) for row in report.stored("generated")["rows"]] == [
        (5, 0),
        *((6, seed) for seed in range(4)),
    ]


@pytest.mark.parametrize("sizes", ["3", f"4,{MOST_EMPTY + 1}", "x", "", "22,", "1e1", "-5"])
def test_sizes_that_cannot_be_measured_are_refused(results, sizes):
    outcome = bench("generated", f"--sizes={sizes}")
    assert outcome.exit_code == 2
    check_names(outcome.stderr, 4, MOST_EMPTY)


@pytest.mark.parametrize("arguments", [("--count", "0"), ("--limit", "0"), ("--instances", "no-such-folder")])
def test_other_invalid_options_are_refused(results, arguments):
    assert bench("generated", *arguments).exit_code == 2


def test_the_folder_is_answered_and_stored(results, tmp_path, monkeypatch):
    monkeypatch.setattr("bench.__main__.CSPLIB", ())
    assert bench("csplib", "--instances", str(store_folder(tmp_path))).exit_code == 0
    assert [row["agreements"] for row in report.stored("csplib")["rows"]] == [12, 20]
