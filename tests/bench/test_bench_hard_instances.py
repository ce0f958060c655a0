"""The benchmarks of hard instances on tiny ones: what they draw, translate and compare, and one table."""

import gzip
import itertools

import numpy as np
import pytest
from errors import check_names

from bench import cpsat, csplib, generated, hard_tables, instances, translated
from bench.csplib import Answer
from bench.instances import Diagonal
from fastqueens import InputError, make_instance
from fastqueens.core.threads import Workers
from fastqueens.exact.complete_search import FOUND

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


@pytest.mark.parametrize("n", [5, 8, 13])
def test_diagonals_are_excluded_as_long_as_each_line_keeps_four_squares(n):
    for seed in range(3):
        diagonals = instances.excluded_diagonals(n, seed)
        assert len(set(diagonals)) == len(diagonals)
        assert min(open_in_lines(n, diagonals)) >= 4
        for diagonal in set(instances.all_diagonals(n)) - set(diagonals):  # no other could follow
            assert min(open_in_lines(n, [*diagonals, diagonal])) < 4


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


# Generated instances


def test_generated_instances_are_answered():
    rows = list(generated.measure(generated.plan([5, 6], count=4)))
    assert [(row["n"], row["seed"]) for row in rows] == [(n, seed) for n in (5, 6) for seed in range(4)]
    for row in rows:
        diagonals = instances.excluded_diagonals(row["n"], row["seed"])[: row["n"]]
        assert row["answer"] == ("solvable" if has_solution(row["n"], diagonals) else "unsolvable")
        assert row["seconds"] > 0
        assert row["limit"] == 60
    assert {row["answer"] for row in rows} == {"solvable", "unsolvable"}


def test_a_plan_can_be_changed_and_resumed():
    assert generated.plan([26, 30, 31]) == {26: (100, 60), 30: (10, 3600), 31: (20, 60)}
    assert generated.plan([26, 30], count=3, limit=5) == {26: (3, 5), 30: (3, 5)}
    machine = {"cores": 2, "date": "today"}
    rows = [{"n": n, "seed": 0, "limit": limit} for n, limit in ((22, 60), (30, 60), (30, 3600))]
    stored = {"machine": machine | {"date": "yesterday"}, "rows": rows}
    assert generated.kept(stored, machine, generated.plan([30]), resume=False) == rows[:1]
    assert generated.kept(stored, machine, generated.plan([30]), resume=True) == [rows[0], rows[2]]
    assert generated.kept(stored, {"cores": 3}, generated.plan([30]), resume=True) == []


# CP-SAT


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
    assert "| a kind | 9 | 1 | 1 | 5 | 1.0 s | 2.0 s |" in table


# The command
