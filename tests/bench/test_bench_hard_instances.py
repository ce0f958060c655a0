"""The benchmarks of hard instances, run on tiny instances: draws, comparisons and tables."""

import gzip
import hashlib
import itertools

import pytest

from bench import csplib, generated, instances
from bench.instances import Diagonal
from fastqueens import InputError

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


def test_diagonals_are_excluded_as_long_as_each_line_keeps_four_squares():
    for n, seed in itertools.product((5, 8, 13), range(2)):
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
        assert 0 < row["slowest"] < row["seconds"]
        assert row["nodes"] > 0
    assert rows[0]["published_nodes"] == sum(map(int, NODES[10, 2][1].split()))
    assert rows[0]["published_seconds"] == pytest.approx(12 * 0.002)


def test_a_planted_wrong_answer_does_not_agree(tmp_path):
    for right, wrong in (("10,2,4,1,", "10,2,4,0,"), ("10,2,5,0,", "10,2,5,1,")):
        assert LABELS.count(right) == 1
        first, second = csplib.measure(store_folder(tmp_path, LABELS.replace(right, wrong)))
        assert (first["instances"], first["agreements"]) == (12, 11)
        assert (second["instances"], second["agreements"]) == (20, 20)


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


# Generated instances


def test_generated_instances_are_answered():
    rows = list(generated.measure({5: (4, 60.0), 6: (4, 60.0)}))
    assert [(row["n"], row["seed"]) for row in rows] == [(n, seed) for n in (5, 6) for seed in range(4)]
    for row in rows:
        diagonals = instances.excluded_diagonals(row["n"], row["seed"])[: row["n"]]
        assert row["answer"] == ("solvable" if has_solution(row["n"], diagonals) else "unsolvable")
        assert row["seconds"] > 0
        assert row["limit"] == 60
    assert {row["answer"] for row in rows} == {"solvable", "unsolvable"}


def test_the_instances_of_fixed_seeds_stay_the_same():
    """Later versions are compared on these: n = 26, 28 and 30 have proofs that take long."""
    assert generated.PLAN[26][0] == 100
    drawn = "".join(f"{n}{instances.excluded_diagonals(n, seed)[:n]}" for n in (26, 28, 30) for seed in range(3))
    assert (
        hashlib.sha256(drawn.encode()).hexdigest() == "4ddf0e7e008e0e572e3bc1972717bbc9c6d539f7deee08e3cf4296a4a4cf1ee6"
    )
