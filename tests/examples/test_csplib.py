"""``examples/csplib.py``: conversion of CSPLib instances and of facts of answer set programming to lines of JSON."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import fastqueens
from fastqueens.files.instances import json_line

EXAMPLE = Path(__file__).parents[2] / "examples" / "csplib.py"

#: From the description of problem 079: [4, 1] has the squares with c + r = 4; [5, 0] those with r - c = 5 - 9.
DIAGONALS = "n =  10\nnumdiags =  4\ndiags =  [[4, 1], [2, 1],\n          [14, 0], [5, 0]]\n"
#: The example of the ASP competition, which has blocked squares.
FACTS = "queen( 3 , 4 ).\n% block(1,4).\nblock(1,1).block(2 ,2)  .\n%* queen(1,1).\n *% block (4,3)."
FOUR = {"fixed": [[3, 2]], "blocked": [[0, 0], [1, 1], [2, 3]]}


@pytest.fixture
def convert(tmp_path):
    """Convert a file in a process; return the instance that fastqueens reads, or the error."""

    def convert(name, content, *options):
        (tmp_path / name).write_text(content, encoding="utf-8")
        command = [sys.executable, str(EXAMPLE), name, *options]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr
        assert json.loads(done.stdout)["name"] == name
        (tmp_path / "instances.jsonl").write_text(done.stdout)
        return fastqueens.read_instance(tmp_path / "instances.jsonl")

    return convert


def same(instance, n, **constraints):
    return json_line(instance) == json_line(fastqueens.make_instance(n, **constraints))


def test_excluded_diagonals(subtests, convert):
    for first in range(5):
        with subtests.test(first=first):
            expected = {"excluded_sums": [4, 2][:first], "excluded_differences": [5, -4][: max(0, first - 2)]}
            assert same(convert("ten.param", DIAGONALS, "--first", str(first)), 10, **expected)
            if first == 4:
                assert same(convert("ten.param", DIAGONALS), 10, **expected)


def test_completions_and_blocked_squares(subtests, convert):
    for content in [
        "letting n =  8\nletting init =  [[1, 3], [2, 0]]\nletting blocks = [[5, 1]]\n",
        "language ESSENCE' 1.0\n$ two queens\nletting n be 8\nletting blocks be [[5,1]]\n"
        "letting init be [[1,3],[2,0]; int(1..2)]",
        "\ufeffn=8 init=[ [1,3;int(1..2)] ,\n $ [4,4]\n [2,0;int(1..2)]\n;int(1..2)] blocks=[[5,1]] letting\n numsum=0",
    ]:
        with subtests.test(content=content):
            assert same(convert("eight.param", content), 8, fixed={1: 3, 2: 0}, blocked=[(0, 4)])


def test_diagonals_by_kind(convert):
    content = "letting n = 8\nletting numsum = 1\nletting sumdiags = [4]\nletting diffdiags = [-4, 7]"
    assert same(convert("eight.essence", content), 8, excluded_sums=[4], excluded_differences=[-4, 7])


def test_facts(subtests, convert):
    for size in ["num(1). num(2).\nnum(3). num(4).", "num(1..4).", "size( 4 ) .", "#const n = 4."]:
        with subtests.test(size=size):
            assert same(convert("four.lp", f"{FACTS} {size}"), 4, **FOUR)
            assert same(convert("four.asp", f"{size}\n{FACTS}"), 4, **FOUR)


def test_what_is_not_understood_is_refused(subtests, convert):
    for name, content, held in [
        ("a.param", "n = 8\nqueens(3)", "queens(3)"),
        ("a.param", "n = 8\nwalls = [[1, 2]]", "walls"),
        ("a.param", "init = [[1, 2]]", "'n'"),
        ("a.param", "n = 8\ninit = [[1, 2]", "delimiter"),
        ("a.param", "n = 8 n = 9", "n n"),
        ("a.param", "n = 8 diags = [[1, 1], [2, 7]]", "[2, 7]"),
        ("a.lp", "size(4). block(X,Y) :- num(X).", "block(X,Y)"),
        ("a.lp", "size(4). block(1,2,3).", "block(1,2,3)"),
        ("a.lp", "size(4). board(6).", "the file has [4, 6]"),
        ("a.lp", "block(1,2).", "the file has []"),
    ]:
        with subtests.test(name=name, content=content, held=held):
            assert held in convert(name, content)


def test_a_file_of_instances(convert, tmp_path):
    (tmp_path / "b.lp").write_text("size(5).")
    with pytest.raises(json.JSONDecodeError):
        convert("a.param", "n = 4", "b.lp", "-o", "two.jsonl")  # nothing is printed
    assert [instance.n for instance in fastqueens.read_instances(tmp_path / "two.jsonl")] == [4, 5]
