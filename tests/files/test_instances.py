"""Instances in files: what was written can be read, and errors name the file, the place and the value."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import naive
import numpy as np
import pytest
from errors import check_error, check_names
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fastqueens import Instance, make_instance
from fastqueens.core import memory
from fastqueens.core.errors import InputError, NoSolutionError, NotEnoughMemoryError
from fastqueens.files import text as numbers
from fastqueens.files.instance_lines import read_facts
from fastqueens.files.instance_lists import Request, json_line
from fastqueens.files.instances import INSTANCE_FORMATS, read_instance, read_instances, write_instance

ALL = ("fixed", "blocked", "excluded_sums", "excluded_differences")
HOLDS = dict.fromkeys(INSTANCE_FORMATS, ALL) | {".lp": ALL[:2], ".asp": ALL[:2], ".csv": ALL[:1]}

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15)


def parts(instance: Instance) -> dict[str, Any]:
    """Return everything that an instance states, as lists."""
    return {
        "n": instance.n,
        "fixed": instance.fixed.squares.tolist(),
        "blocked": instance.blocked.tolist(),
        "excluded_sums": instance.excluded_sums.tolist(),
        "excluded_differences": instance.excluded_differences.tolist(),
    }


def read(folder: Path, content: str | bytes, suffix: str = ".json", **arguments: Any) -> Instance:
    path = folder / f"instance{suffix}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_instance(path, **arguments)


def refusal(folder: Path, content: str | bytes, suffix: str, **arguments: Any) -> str:
    """Return the error message after the name of the file."""
    with pytest.raises(InputError) as caught:
        read(folder, content, suffix, **arguments)
    name = str(folder / f"instance{suffix}")
    assert str(caught.value).startswith(f"{name}: ")
    return str(caught.value)[len(name) + 2 :]


@st.composite
def instances(draw: st.DrawFn, kinds: tuple[str, ...] = ALL) -> Instance:
    """Draw an instance with some constraints of these kinds, all of which its fixed queens respect."""
    n = draw(st.integers(1, 30))
    fixed: list[tuple[int, int]] = []
    for column in draw(st.lists(st.integers(0, n - 1), unique=True, max_size=6)):
        row = draw(st.integers(0, n - 1))
        board = {**dict(fixed), column: row}
        if not naive.attacking_pairs([board.get(c, 10**6 * (c + 2) ** 2) for c in range(n)]):
            fixed.append((column, row))
    line = st.integers(0, n - 1)
    blocked = draw(st.lists(st.tuples(line, line).filter(lambda square: square not in fixed), max_size=20))
    sums = draw(st.lists(st.integers(0, 2 * n - 2).filter(lambda d: d not in {c + r for c, r in fixed}), max_size=5))
    differences = draw(
        st.lists(st.integers(1 - n, n - 1).filter(lambda d: d not in {r - c for c, r in fixed}), max_size=5)
    )
    drawn = dict(zip(ALL, (fixed, blocked, sums, differences), strict=True))
    return make_instance(n, **{kind: drawn[kind] for kind in kinds})


# Every format


@pytest.mark.parametrize("suffix", INSTANCE_FORMATS)
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
@in_one_folder
@given(st.data())
def test_a_written_instance_can_be_read(
    tmp_path: Path, suffix: str, is_known: bool, line_end: bytes, data: st.DataObject
) -> None:
    """By its suffix, and by its content where the suffix says nothing."""
    instance = data.draw(instances(HOLDS[suffix]))
    path = tmp_path / f"instance{suffix}"
    write_instance(path, instance)
    content = path.read_bytes().replace(b"\n", line_end)
    given_n = {"n": instance.n} if suffix == ".csv" or data.draw(st.booleans()) else {}
    again = read(tmp_path, content, suffix if is_known else ".data", **given_n)
    assert parts(again) == parts(instance)


@pytest.mark.parametrize("suffix", [".json", ".lp", ".param"])
def test_long_lists_are_written_and_read_in_pieces(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(1)
    instance = make_instance(1000, {3: 4}, blocked=generator.integers(10, 1000, (5000, 2)))
    whole = tmp_path / f"whole{suffix}"
    write_instance(whole, instance)
    monkeypatch.setattr(numbers, "PIECE", 7)
    monkeypatch.setattr(numbers, "BLOCK", 100)
    path = tmp_path / f"pieces{suffix}"
    write_instance(path, instance)
    assert path.read_bytes() == whole.read_bytes()
    assert parts(read_instance(path)) == parts(instance)


@pytest.mark.parametrize(
    ("suffix", "part"),
    [(".lp", "excluded sums"), (".asp", "excluded sums"), (".csv", "blocked")],
)
def test_a_format_that_cannot_hold_a_constraint_is_refused(tmp_path: Path, suffix: str, part: str) -> None:
    path = tmp_path / f"instance{suffix}"
    with check_error(InputError, path, suffix, part, ".json", ".param"):
        write_instance(path, make_instance(8, blocked=[(1, 1)], excluded_sums=[3]))
    assert not path.exists()


def test_other_suffixes_are_not_written(tmp_path: Path) -> None:
    with check_error(InputError, "'.jsn'", ".json"):
        write_instance(tmp_path / "instance.jsn", make_instance(8))


@pytest.mark.parametrize("suffix", INSTANCE_FORMATS)
def test_size_of_file_and_caller_must_agree(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"instance{suffix}"
    write_instance(path, make_instance(8, {1: 3}))
    assert read_instance(path, n=8).n == 8
    if suffix != ".csv":
        with check_error(InputError, "n is 8", 9):
            read_instance(path, n=9)


@pytest.mark.parametrize(
    ("suffix", "content", "hint"),
    [
        (".json", '{"fixed": []}', 'add it to the file, as in "n": 8, or give n'),
        (".jsonl", '{"fixed": []}', 'add it to the file, as in "n": 8, or give n'),
        (".param", "diags = []", "add it to the file, as in n = 8, or give n"),
        (".lp", "block(1,1).", "add it to the file, as in size(8)., or give n"),
        (".csv", "1,3\n", "the size of the board is missing; give n"),
    ],
)
def test_without_a_size_the_caller_must_give_it(tmp_path: Path, suffix: str, content: str, hint: str) -> None:
    assert refusal(tmp_path, content, suffix).endswith(hint)
    assert read(tmp_path, content, suffix, n=4).n == 4


@pytest.mark.parametrize(
    ("suffix", "content", "message"),
    [
        (".json", '{"n": 8, "fixed": [[0, 0], [1, 1]]}', "the fixed queens in column 0, row 0 and in column 1, row 1"),
        (".jsonl", '\n{"n": 8, "fixed": [[0, 0], [1, 1]]}', "line 2: no solution exists: the fixed queens"),
        (".lp", "size(8). queen(1,2). block(1,2).", "in column 1, row 0 is on a blocked square; here columns and rows"),
        (".param", "n = 8\ninit = [[1, 3]]\ndiags = [[4, 1]]", "in column 1, row 3 is on the excluded sum diagonal 4"),
    ],
)
def test_constraints_that_contradict_each_other(tmp_path: Path, suffix: str, content: str, message: str) -> None:
    with pytest.raises(NoSolutionError, match=message):
        read(tmp_path, content, suffix)


@pytest.mark.parametrize("suffix", [".json", ".param", ".lp", ".csv"])
def test_a_column_with_two_fixed_queens_is_wrong(tmp_path: Path, suffix: str) -> None:
    content = {
        ".json": '{"n": 8, "fixed": [[1, 2], [1, 3]]}',
        ".param": "n = 8\ninit = [[1, 2], [1, 3]]",
        ".lp": "size(8). queen(3,2). queen(4,2).",
        ".csv": "1,2\n1,3\n",
    }[suffix]
    check_names(refusal(tmp_path, content, suffix, n=8), "column 1", "row 3", "row 2")


@pytest.mark.parametrize("suffix", [".json", ".param", ".lp", ".csv"])
def test_only_diags_have_a_first_part(tmp_path: Path, suffix: str) -> None:
    content = {".json": '{"n": 8}', ".param": "n = 8", ".lp": "size(8).", ".csv": ""}[suffix]
    check_names(refusal(tmp_path, content, suffix, first=0), "diags", "first part")


@pytest.mark.parametrize("suffix", [".json", ".param"])
def test_parsing_states_the_memory_it_needs(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists in memory are much larger than their text."""
    content = {".json": '{"n": 8, "fixed": []}', ".param": "n = 8 init = []"}[suffix] + " " * 4_000_000
    monkeypatch.setattr(memory, "available_memory", lambda: 121_000_000)
    read(tmp_path, content, suffix)
    with check_error(NotEnoughMemoryError, f"instance{suffix}", "121 MB"):
        read(tmp_path, content + " " * 40_000, suffix)


@pytest.mark.parametrize("suffix", INSTANCE_FORMATS)
@in_one_folder
@given(st.binary(max_size=60) | st.text('{}[]",:n0123fixedblok().\n ', max_size=60).map(str.encode))
def test_random_bytes_are_refused_with_a_message(tmp_path: Path, suffix: str, content: bytes) -> None:
    for ending in (suffix, ".data"):
        path = tmp_path / f"instance{ending}"
        path.write_bytes(content)
        try:
            read_instance(path, n=8)
        except (InputError, NoSolutionError) as error:
            message = str(error)
        else:
            message = str(path)
        assert message.startswith(str(path))


def test_standard_input_is_recognised_by_its_content(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b'{"n": 8, "fixed": [[1, 3]]}', b"letting n = 8\nletting init = [[1, 3]]", b"size(8). queen(4,2)."):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert parts(read_instance("-"))["fixed"] == [[1, 3]]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"n": 8}\n{"n": 9}\n')))
    with check_error(InputError, "standard input", "several instances"):
        read_instance("-")


@pytest.mark.parametrize("content", ["hello", "1 3\n", "?", "[1"])
def test_content_that_is_no_instance(tmp_path: Path, content: str) -> None:
    with check_error(InputError, "instance.data", re.compile("begins with|line 1")):
        read(tmp_path, content, ".data", n=8)


def test_missing_files_and_wrong_arguments(tmp_path: Path) -> None:
    with check_error(InputError, "none.json"):
        read_instance(tmp_path / "none.json")
    for arguments, message in (
        ({"rows_from": 2}, "rows_from is 2"),
        ({"n": 0}, "n is 0"),
        ({"first": -1}, "first is -1"),
    ):
        with pytest.raises(InputError, match=message):
            read(tmp_path, '{"n": 8}', **arguments)


# JSON


def test_content_of_json_files(tmp_path: Path) -> None:
    path = tmp_path / "eight.json"
    write_instance(path, make_instance(8))
    assert path.read_text() == '{"n": 8, "fixed": []}\n'
    stated = {
        "n": 8,
        "fixed": [[1, 3]],
        "blocked": [[0, 7], [7, 0]],
        "excluded_sums": [2],
        "excluded_differences": [-7],
    }
    write_instance(path, read(tmp_path, json.dumps(stated)))
    assert json.loads(path.read_text()) == stated
    assert path.read_text().count("\n") == 1


@pytest.mark.parametrize(
    ("suffix", "content", "message"),
    [
        (".json", "", "it is empty; an object is needed"),
        (".json", "[]", "it holds []; an object is needed"),
        (".json", '{"n": 8 "fixed"}', "line 1, character 9: this is not valid JSON"),
        (".json", '{"n": 8, "n": 8}', "an object has the key 'n' twice"),
        (".json", '{"n": 8, "queens": []}', "the key 'queens' is unknown; the keys are n, fixed, blocked,"),
        (".json", '{"n": "8"}', "n holds '8'; a whole number is needed"),
        (".json", '{"n": 0}', "n is 0"),
        (".json", '{"n": 8, "fixed": {"1": 3}}', "fixed holds {'1': 3}; a list of pairs [column, row] is needed"),
        (
            ".json",
            '{"n": 8, "blocked": [[1, 3.5]]}',
            "blocked[0] holds [1, 3.5]; a pair [column, row] of whole numbers",
        ),
        (".json", '{"n": 8, "fixed": [[7, 8]]}', "fixed[0] holds 8; rows go from 0 to 7"),
        (
            ".json",
            '{"n": 8, "fixed": [[7, 1' + "0" * 20 + "]]}",
            "fixed[0] holds a number of 19 digits or more; rows go from",
        ),
        (".json", '{"n": 8, "excluded_sums": [14, 15]}', "excluded_sums[1] holds 15; diagonals go from 0 to 14"),
        (".json", '{"n": 8, "excluded_differences": [7, 8]}', "[1] holds 8; diagonals go from -7 to 7"),
        (".json", '{"n": 8, "excluded_sums": 3}', "excluded_sums holds 3; a list of whole numbers is needed"),
        (".param", "", "the size of the board is missing"),
        (".param", "n = 8\nqueens = 3", "line 2: the name 'queens' is unknown; known are n, init, blocks, diags,"),
        (".param", "foo n = 3", "line 1 holds 'foo'; NAME = VALUE is needed"),
        (".param", "n = 8\nn = 8", "line 2 states n again"),
        (".param", "n = eight", "n holds 'eight'; a number or a list is needed (line 1"),
        (".param", "n = 8.0", "n holds 8.0; a whole number is needed"),
        (".param", "n = 8\n\ninit = [[1, 2],\n[3 4]]", "a number or a list is needed (line 4"),
        (".param", "n = 8\ninit = " + "[" * 100000, "init: the brackets are nested too deeply"),
        (".param", "n = 8\ninit = 3", "init holds 3; a list of pairs [column, row] is needed"),
        (".param", "n = 8\ninit = [[1, 2], [3, 8]]", "init[1] holds 8; rows go from 0 to 7"),
        (".param", "n = " + "a" * 10**6, "n holds 'aaaa"),
        (".param", "n = 8\nblocks = [[9, 1]]", "blocks[0] holds 9; rows go from 1 to 8"),
        (".param", "n = 8\ndiags = [[15, 0]]", "diags[0] holds 15; diagonals go from 0 to 14"),
        (".param", "n = 8\nnumdiags = 2\ndiags = [[3, 1]]", "numdiags is 2, but diags holds 1 diagonal"),
        (".param", "n = 8\nnumsum = x\nsumdiags = []", "numsum holds 'x'"),
        (".param", "n = 8\ndiffdiags = [-8]", "diffdiags[0] holds -8; diagonals go from -7 to 7"),
        (".param", b"n = 8\ninit = [[\xff]]", "init: it cannot be read"),
        (".param", "n = " + "9" * 5000, "n: it cannot be read"),
        (".lp", "size(4).\nblock(1,5).", "line 2: block(i,j) holds 5; columns go from 1 to 4"),
        (".lp", "size(4).\nblock(1,1).\n\nblock(0,1).", "line 4: block(i,j) holds 0; rows go from 1 to 4"),
        (
            ".lp",
            "size(4).\n% block(1,1).\nqueen(1,1).\nqueen(-1,1).",
            "line 4: queen(i,j) holds -1; rows go from 1 to 4",
        ),
        *(
            (".lp", f"size(4).\nblock(1,{row}).", "line 2: block(i,j) holds a number of 19 digits or more")
            for row in (2**63, 2**64 + 1, 10**25)
        ),
        (".lp", "size(4).\nblock(1,1)", "line 2, character 1 holds 'block(1,1)'; block(i,j)., queen(i,j)."),
        (".lp", "size(4).\n\nfoo(1,2). block(1,1).", "line 3, character 1 holds 'foo(1,2). block(1,1).'"),
        (".lp", "size(4).\nblock(X,Y) :- num(X), num(Y).", "line 2, character 1 holds 'block(X,Y) :- num(X), num(Y).'"),
        (".lp", "size(4). board(5).", "the size of the board is stated as 4 and 5; one size is needed"),
        (".lp", "num(1). num(3).", "num(3) is stated without num(2); num(1) to num(N) are needed"),
        (".lp", "size(0).", "n is 0"),
        (".lp", "block1(,2).", "line 1, character 1 holds 'block1(,2).'"),
        (".lp", "size(4).\n 1block(,2).", "line 2, character 2 holds '1block(,2).'"),
        (".lp", "block(1%* *%2,3).", "line 1, character 1 holds 'block(1     2,3).'"),
        (".lp", "size(4). %* a\nblock(1,1).", "line 1, character 10: the comment that begins with %* has no end *%"),
        (".lp", b"".join(b"size(%d)." % i for i in range(1, 999)).decode(), "is stated as 1 and 2; one size is needed"),
        (".json", '{"n": 8,\n "blocked": [[1, 3],\n   [8, 0]]}', "line 3: blocked[1] holds 8; columns go from 0 to 7"),
        (".json", '{"n": 8,\r\n "fixed": [\r\n[0, 3],\r\n [1]]}', "line 4: fixed[1] holds [1]"),
        (".json", '{"n": 8, "excluded_sums": [1,\n\n 15]}', "line 3: excluded_sums[1] holds 15"),
        (".json", '{"n": 8, "excluded_differences": [1, 2.5]}', "line 1: excluded_differences[1] holds 2.5"),
        (".param", "n = 8\n$ squares\nletting init = [[1, 2],\n[3, 9]]", "line 4: init[1] holds 9"),
        (".param", "n = 8\nletting blocks be [\n[1, 2],\n[3, 4],\n[0, 1]]", "line 5: blocks[2] holds 0"),
        (".param", "n = 8\ndiags = [[1, 1],\n [2, 7]]", "line 3: diags[1] holds 7; kinds"),
        (".param", "n = 8\nletting sumdiags = [1, 2,\n 33; int(1..3)]", "line 3: sumdiags[2] holds 33"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, suffix: str, content: str | bytes, message: str) -> None:
    assert message in refusal(tmp_path, content, suffix)


def test_the_last_values_are_accepted(tmp_path: Path) -> None:
    edges = '{"n": 8, "blocked": [[7, 7], [0, 0]], "excluded_sums": [0, 14], "excluded_differences": [-7, 7]}'
    assert parts(read(tmp_path, edges))["excluded_sums"] == [0, 14]
    assert parts(read(tmp_path, '{"n": 1, "fixed": [[0, 0]]}'))["fixed"] == [[0, 0]]


def test_each_line_is_an_instance(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    noted = json_line(make_instance(5, {0: 0}), {"solution": [0, 2, 4, 1, 3], "nodes": 4})
    path.write_bytes(b'{"n": 4}\n\r\n' + noted)
    assert noted == b'{"n": 5, "fixed": [[0, 0]], "solution": [0, 2, 4, 1, 3], "nodes": 4}\n'
    assert [parts(instance)["fixed"] for instance in read_instances(path)] == [[], [[0, 0]]]
    with check_error(InputError, "many.jsonl", "several instances"):
        read_instance(path)


def test_a_wrong_line_is_named_when_it_is_reached(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text('{"n": 4}\n\n{"n": 4, "fixed": [[4, 0]]}\n')
    found = read_instances(path)
    assert next(found).n == 4
    with check_error(InputError, "many.jsonl", "line 3", "fixed[0]", 4, 0, 3):
        next(found)
    check_names(refusal(tmp_path, '\n{"n": 4', ".jsonl"), "line 2", "character 8")
    check_names(refusal(tmp_path, '\n{"n": 4, "n": 4}', ".jsonl"), "line 2", "'n'")


# Parameter files of CSPLib

TEN = """n =  10
numdiags =  4
diags =  [[4, 1], [2, 1],
          [14, 0], [5, 0]]
"""


def test_excluded_diagonals_as_csplib_numbers_them(tmp_path: Path) -> None:
    """From the description in CSPLib: [4, 1] has the squares with c + r = 4; [5, 0] those with r - c = 5 - 9."""
    instance = read(tmp_path, TEN, ".param")
    assert parts(instance)["excluded_sums"] == [2, 4]
    assert parts(instance)["excluded_differences"] == [-4, 5]


@pytest.mark.parametrize("first", range(5))
def test_the_first_part_of_a_list_is_an_instance(tmp_path: Path, first: int) -> None:
    instance = read(tmp_path, TEN, ".param", first=first)
    assert parts(instance)["excluded_sums"] == sorted([4, 2][:first])
    assert parts(instance)["excluded_differences"] == sorted([5, -4][: max(0, first - 2)])
    check_names(refusal(tmp_path, TEN, ".param", first=5), "first is 5", 0, 4)


@pytest.mark.parametrize(
    "content",
    [
        "letting n =  8\nletting init =  [[1, 3], [2, 0]]\n",
        "language ESSENCE' 1.0\n$ two queens\nletting n be 8\nletting init be [[1,3],[2,0]; int(1..2)]",
        "letting init = [ [1,3;int(1..2)] ,\n $ [4,4]\n [2,0;int(1..2)]\n;int(1..2)]   letting\n n=8",
        "\ufeffn=8 init=[[1,3],[2,0]]",
    ],
)
def test_completions_as_csplib_writes_them(tmp_path: Path, content: str) -> None:
    assert parts(read(tmp_path, content, ".param")) == parts(make_instance(8, {1: 3, 2: 0}))
    assert parts(read(tmp_path, content, ".data")) == parts(make_instance(8, {1: 3, 2: 0}))


def test_blocked_squares_count_from_one_and_state_the_row_first(tmp_path: Path) -> None:
    assert parts(read(tmp_path, "letting n = 8\nletting blocks = [[1, 2], [8, 8]]", ".param"))["blocked"] == [
        [1, 0],
        [7, 7],
    ]


def test_content_of_parameter_files(tmp_path: Path) -> None:
    path = tmp_path / "eight.param"
    write_instance(path, make_instance(8, {1: 3}, blocked=[(2, 0)], excluded_differences=[-1]))
    assert path.read_text() == (
        "letting n = 8\nletting init = [[1, 3]]\nletting blocks = [[1, 3]]\nletting numsum = 0\nletting sumdiags = []\n"
        "letting numdiff = 1\nletting diffdiags = [-1]\n"
    )


# Facts


@pytest.mark.parametrize(
    "size",
    [
        "num(1). num(2).\nnum(3). num(4).",
        "num(1..4).",
        "num(3..4). num(1..2).",
        "num(2).num(1).num(4).num(3).",
        "board(4).",
        "size( 4 ) .",
        "n(4).",
        "#const n = 4.",
        "#const size=4.",
        "size(4). num(1..4).",
    ],
)
@pytest.mark.parametrize(
    "squares",
    [
        "block(1,1). block(2,2). block(4,3). queen(3,4).",
        "queen( 3 , 4 ).\n% block(1,4).\nblock(1,1).\nblock(2 ,2)  .\n%* queen(1,1).\n *% block (4,3).",
        "block(4,3).block(2,2).block(1,1).queen(3,4).",
    ],
)
def test_facts_state_the_row_first_from_one(tmp_path: Path, size: str, squares: str) -> None:
    """The blocked squares are the example of the ASP competition."""
    expected = make_instance(4, {3: 2}, blocked=[(0, 0), (1, 1), (2, 3)])
    for content in (f"{size}\n{squares}", f"{squares} {size}\r\n"):
        assert parts(read(tmp_path, content, ".lp")) == parts(expected)
        assert parts(read(tmp_path, content, ".data")) == parts(expected)


def test_content_of_fact_files(tmp_path: Path) -> None:
    path = tmp_path / "eight.lp"
    write_instance(path, make_instance(8, {1: 3}, blocked=[(2, 0)]))
    assert path.read_text() == "size(8).\nqueen(4,2).\nblock(1,3).\n"


def test_no_depth_of_brackets_is_an_internal_error(tmp_path: Path) -> None:
    """The file can be parsed once, but its entries not again from deeper in the stack."""
    for depth in range(900, 1000):
        deep = "[" * depth + "]" * depth
        refusal(tmp_path, f'{{"n": 8, "fixed": [[1, 2], [{deep}, 1], 5]}}', ".json")


# Against a slow parser


_TOKEN = re.compile(rb"[a-z]+|-?[0-9]+|[.][.]|[^ \t\n\r\f\v]")


def slow_facts(data: bytes) -> Instance | None:
    """Read facts word by word; None if they are refused. Slow and obvious."""
    text, position = b"", 0
    while position < len(data):
        if data.startswith(b"%*", position):
            end = data.find(b"*%", position + 2)
            if end < 0:
                return None
            text, position = text + b" ", end + 2
        elif data.startswith(b"%", position):
            position = (data + b"\n").index(b"\n", position)
        else:
            text, position = text + data[position : position + 1], position + 1
    squares: dict[bytes, list[tuple[int, int]]] = {b"block": [], b"queen": []}
    sizes, spans = set(), []
    words = _TOKEN.findall(text)
    while words:
        shape = [b"1" if re.fullmatch(rb"-?[0-9]{1,30}", word) else word for word in words[:8]]
        if shape[0] in squares and shape[1:7] == [b"(", b"1", b",", b"1", b")", b"."]:
            squares[words[0]].append((int(words[4]), int(words[2])))
            used = 7
        elif shape[:7] == [b"num", b"(", b"1", b"..", b"1", b")", b"."]:
            spans.append((int(words[2]), int(words[4])))
            used = 7
        elif shape[:5] == [b"num", b"(", b"1", b")", b"."]:
            spans.append((int(words[2]), int(words[2])))
            used = 5
        elif shape[0] in (b"size", b"board", b"n") and shape[1:5] == [b"(", b"1", b")", b"."]:
            sizes.add(int(words[2]))
            used = 5
        elif shape[:6] in ([b"#", b"const", word, b"=", b"1", b"."] for word in (b"n", b"size")):
            sizes.add(int(words[4]))
            used = 6
        else:
            return None
        words = words[used:]
    reached = 0
    for low, high in sorted(spans):
        if not 1 <= low <= reached + 1:
            return None
        reached = max(reached, high)
    sizes |= {reached} if spans else set()
    if len(sizes) != 1:
        return None
    try:
        columns_and_rows = {key: [(c - 1, r - 1) for c, r in listed] for key, listed in squares.items()}
        return make_instance(sizes.pop(), columns_and_rows[b"queen"], blocked=columns_and_rows[b"block"])
    except (InputError, NoSolutionError):
        return None


def odd_facts(random: Random) -> bytes:
    """Return facts with a few changes of the kind that a careless parser does not notice."""
    facts = [random.choice((b"size(9).", b"num(1..9).", b"#const n = 9.", b"num(1).num(2).num(3).", b"board( 5 ) ."))]
    for _ in range(random.randrange(5)):
        predicate = random.choice((b"block", b"block", b"queen"))
        facts.append(b"%s(%d,%d)." % (predicate, random.randint(1, 5), random.randint(1, 5)))
    text = random.choice((b"", b" ", b"\n", b"%* x *%", b" % x\n")).join(facts)
    for _ in range(random.randrange(3)):
        first = random.randint(0, len(text))
        last = first + random.randrange(3)
        text = random.choice(
            (
                text[:first] + text[last:],
                text[:first] + random.choice(_ODD_PIECES) + text[first:],
                text[:first] + random.choice(_ODD_PIECES) + text[last:],
                text[:first] + text[last : last + 1] + text[first:last] + text[last + 1 :],
            )
        )
    return text


_ODD_PIECES = (
    *(b"(", b")", b",", b".", b"..", b" ", b"\n", b"%", b"%*", b"*%", b"*", b"-", b"#", b"=", b"1", b"12", b"9" * 31),
    *(b"block", b"queen", b"num", b"n", b"const ", b"block(1,", b",2).", b"1block(,2).", b"\0", b"\xff", b"\x0b"),
)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.gate) for part in range(1, 10))])
def test_facts_are_read_as_by_a_slow_parser(part: int) -> None:
    """10,000 files: both refuse, or both return the same instance."""
    random = Random(part)
    accepted = 0
    for _ in range(10_000):
        data = odd_facts(random)
        try:
            (found,) = read_facts(data, "facts.lp", Request())
        except (InputError, NoSolutionError):
            found = None
        expected = slow_facts(data)
        assert (found is None) == (expected is None), data
        if found is not None and expected is not None:
            assert parts(found) == parts(expected), data
            accepted += 1
    assert 2000 < accepted < 8000


def test_a_comment_without_an_end_is_refused_in_a_file_of_any_name(tmp_path: Path) -> None:
    check_names(refusal(tmp_path, "%* size(4).", ".data"), "line 1", "%*")


# Fixed queens


@pytest.mark.parametrize("rows_from", [0, 1])
def test_lines_of_fixed_queens(tmp_path: Path, rows_from: int) -> None:
    content = f"column,row\n6,{2 + rows_from}\n1,{3 + rows_from}\n"
    for suffix in (".csv", ".txt"):
        instance = read(tmp_path, content, suffix, n=8, rows_from=rows_from)
        assert parts(instance)["fixed"] == [[1, 3], [6, 2]]
    message = refusal(tmp_path, f"1,{8 + rows_from}", ".csv", n=8, rows_from=rows_from)
    assert message == f"line 1 holds {8 + rows_from}; rows go from {rows_from} to {7 + rows_from}"


def test_an_empty_table_is_a_free_board(tmp_path: Path) -> None:
    for content in ("", "column,row\n"):
        assert read(tmp_path, content, ".csv", n=8).is_free
