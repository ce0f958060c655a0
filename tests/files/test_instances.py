"""Instances in files: what was written can be read, and errors name the file, the place and the value."""

from __future__ import annotations

import io
import json
import re
import sys
from random import Random

import numpy as np
import pytest
from drawing import drawn
from errors import check_error
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fastqueens import make_instance
from fastqueens.core import memory
from fastqueens.core.errors import InputError, NoSolutionError, NotEnoughMemoryError
from fastqueens.files import text as numbers
from fastqueens.files.instance_lines import read_facts
from fastqueens.files.instance_lists import Request, json_line
from fastqueens.files.instances import INSTANCE_FORMATS, read_instance, read_instances, write_instance

ALL = ("fixed", "blocked", "excluded_sums", "excluded_differences")
HOLDS = dict.fromkeys(INSTANCE_FORMATS, ALL) | {".lp": ALL[:2], ".asp": ALL[:2], ".csv": ALL[:1]}

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15)


def parts(instance):
    """Return everything that an instance states, as lists."""
    return {
        "n": instance.n,
        "fixed": instance.fixed.squares.tolist(),
        "blocked": instance.blocked.tolist(),
        "excluded_sums": instance.excluded_sums.tolist(),
        "excluded_differences": instance.excluded_differences.tolist(),
    }


def read(folder, content, suffix=".json", **arguments):
    path = folder / f"instance{suffix}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_instance(path, **arguments)


@st.composite
def instances(draw, kinds=ALL):
    """Draw an instance with some constraints of these kinds, all of which a solution respects."""
    n = draw(st.sampled_from([1, *range(4, 31)]))
    few = st.integers(0, min(n, 6))
    every = parts(drawn(n, draw(st.floats(0, 2)), draw(few), draw(few), draw(st.integers(0, 99))))
    return make_instance(n, **{kind: every[kind] for kind in kinds})


# Every format


@pytest.mark.parametrize("suffix", INSTANCE_FORMATS)
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
@in_one_folder
@given(st.data())
def test_a_written_instance_can_be_read(tmp_path, suffix, is_known, line_end, data):
    """By its suffix, and by its content where the suffix says nothing."""
    instance = data.draw(instances(HOLDS[suffix]))
    path = tmp_path / f"instance{suffix}"
    write_instance(path, instance)
    content = path.read_bytes().replace(b"\n", line_end)
    given_n = {"n": instance.n} if suffix == ".csv" or data.draw(st.booleans()) else {}
    again = read(tmp_path, content, suffix if is_known else ".data", **given_n)
    assert parts(again) == parts(instance)


@pytest.mark.parametrize("suffix", [".json", ".lp", ".param"])
def test_long_lists_are_written_and_read_in_pieces(tmp_path, suffix, monkeypatch):
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


@pytest.mark.parametrize("suffix", [".json", ".param"])
def test_parsing_states_the_memory_it_needs(tmp_path, suffix, monkeypatch):
    """Lists in memory are much larger than their text."""
    content = {".json": '{"n": 8, "fixed": []}', ".param": "n = 8 init = []"}[suffix] + " " * 4_000_000
    monkeypatch.setattr(memory, "available_memory", lambda: 121_000_000)
    read(tmp_path, content, suffix)
    with check_error(NotEnoughMemoryError, f"instance{suffix}", "121 MB"):
        read(tmp_path, content + " " * 40_000, suffix)


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".json", '{"fixed": []}'),
        (".jsonl", '{"fixed": []}'),
        (".param", "diags = []"),
        (".lp", "block(1,1)."),
        (".csv", ""),
        (".csv", "column,row\n"),
    ],
)
def test_the_caller_may_give_the_size(tmp_path, suffix, content):
    """A file may state it as well, but not another one."""
    instance = read(tmp_path, content, suffix, n=4)
    assert (instance.n, len(instance.fixed.columns)) == (4, 0)
    write_instance(tmp_path / f"instance{suffix}", make_instance(8, {1: 3}))
    assert read_instance(tmp_path / f"instance{suffix}", n=8).n == 8
    if suffix != ".csv":
        with check_error(InputError, "n is 8", 9):
            read_instance(tmp_path / f"instance{suffix}", n=9)


@pytest.mark.parametrize(
    ("suffix", "named"),
    [
        (".lp", ["excluded sums", ".json", ".param"]),
        (".asp", ["excluded sums", ".json", ".param"]),
        (".csv", ["blocked", ".json", ".param"]),
        (".jsn", ["'.jsn'", ".json"]),
    ],
)
def test_a_format_that_cannot_hold_a_constraint_is_refused(tmp_path, suffix, named):
    path = tmp_path / f"instance{suffix}"
    with check_error(InputError, path, suffix, *named):
        write_instance(path, make_instance(8, blocked=[(1, 1)], excluded_sums=[3]))
    assert not path.exists()


@pytest.mark.parametrize(
    ("suffix", "content", "arguments", "named"),
    [
        *((suffix, "", {"n": 8, "first": 0}, ["diags", "first part"]) for suffix in (".json", ".param", ".lp", ".csv")),
        (".json", '{"n": 8}', {"rows_from": 2}, ["rows_from is 2"]),
        (".json", '{"n": 8}', {"n": 0}, ["n is 0"]),
        (".json", '{"n": 8}', {"first": -1}, ["first is -1"]),
    ],
)
def test_wrong_arguments(tmp_path, suffix, content, arguments, named):
    with check_error(InputError, *named):
        read(tmp_path, content, suffix, **arguments)


def test_standard_input_is_recognised_by_its_content(monkeypatch):
    for content in (b'{"n": 8, "fixed": [[1, 3]]}', b"letting n = 8\nletting init = [[1, 3]]", b"size(8). queen(4,2)."):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert parts(read_instance("-"))["fixed"] == [[1, 3]]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"n": 8}\n{"n": 9}\n')))
    with check_error(InputError, "standard input", "several instances"):
        read_instance("-")


# JSON


STATED = {"fixed": [[1, 3]], "blocked": [[0, 7], [7, 0]], "excluded_sums": [0, 14], "excluded_differences": [-7, 7]}


@pytest.mark.parametrize(
    ("suffix", "holds", "content"),
    [
        (".json", (), '{"n": 8, "fixed": []}\n'),
        (".json", ALL, json.dumps({"n": 8, **STATED}) + "\n"),
        (
            ".param",
            ALL,
            "letting n = 8\nletting init = [[1, 3]]\nletting blocks = [[8, 1], [1, 8]]\nletting numsum = 2\n"
            "letting sumdiags = [0, 14]\nletting numdiff = 2\nletting diffdiags = [-7, 7]\n",
        ),
        (".lp", ALL[:2], "size(8).\nqueen(4,2).\nblock(8,1).\nblock(1,8).\n"),
        (".csv", ALL[:1], "column,row\n1,3\n"),
    ],
)
def test_content_of_the_files(tmp_path, suffix, holds, content):
    path, instance = tmp_path / f"eight{suffix}", make_instance(8, **{kind: STATED[kind] for kind in holds})
    write_instance(path, instance)
    assert path.read_text() == content
    assert parts(read_instance(path, n=8)) == parts(instance)


def test_each_line_is_an_instance(tmp_path):
    path = tmp_path / "many.jsonl"
    noted = json_line(make_instance(5, {0: 0}), {"solution": [0, 2, 4, 1, 3], "nodes": 4})
    path.write_bytes(b'{"n": 4}\n\r\n' + noted)
    assert noted == b'{"n": 5, "fixed": [[0, 0]], "solution": [0, 2, 4, 1, 3], "nodes": 4}\n'
    assert [parts(instance)["fixed"] for instance in read_instances(path)] == [[], [[0, 0]]]
    with check_error(InputError, "many.jsonl", "several instances"):
        read_instance(path)

    # A wrong line is named when it is reached.
    path.write_text('{"n": 4}\n\n{"n": 4, "fixed": [[4, 0]]}\n')
    found = read_instances(path)
    assert next(found).n == 4
    with check_error(InputError, "many.jsonl", "line 3", "fixed[0]", 4, 0, 3):
        next(found)


# Parameter files of CSPLib

TEN = """n =  10
numdiags =  4
diags =  [[4, 1], [2, 1],
          [14, 0], [5, 0]]
"""


def test_excluded_diagonals_as_csplib_numbers_them(tmp_path):
    """From the description in CSPLib: [4, 1] has the squares with c + r = 4; [5, 0] those with r - c = 5 - 9."""
    instance = read(tmp_path, TEN, ".param")
    assert parts(instance)["excluded_sums"] == [2, 4]
    assert parts(instance)["excluded_differences"] == [-4, 5]


@pytest.mark.parametrize("first", range(5))
def test_the_first_part_of_a_list_is_an_instance(tmp_path, first):
    instance = read(tmp_path, TEN, ".param", first=first)
    assert parts(instance)["excluded_sums"] == sorted([4, 2][:first])
    assert parts(instance)["excluded_differences"] == sorted([5, -4][: max(0, first - 2)])
    with check_error(InputError, "first is 5", 0, 4):
        read(tmp_path, TEN, ".param", first=5)


@pytest.mark.parametrize(
    "content",
    [
        "letting n =  8\nletting init =  [[1, 3], [2, 0]]\n",
        "language ESSENCE' 1.0\n$ two queens\nletting n be 8\nletting init be [[1,3],[2,0]; int(1..2)]",
        "letting init = [ [1,3;int(1..2)] ,\n $ [4,4]\n [2,0;int(1..2)]\n;int(1..2)]   letting\n n=8",
        "\ufeffn=8 init=[[1,3],[2,0]]",
    ],
)
def test_completions_as_csplib_writes_them(tmp_path, content):
    assert parts(read(tmp_path, content, ".param")) == parts(make_instance(8, {1: 3, 2: 0}))
    assert parts(read(tmp_path, content, ".data")) == parts(make_instance(8, {1: 3, 2: 0}))


# Facts


SIZES = (
    *("num(1). num(2).\nnum(3). num(4).", "num(1..4).", "num(3..4). num(1..2).", "num(2).num(1).num(4).num(3)."),
    *("board(4).", "size( 4 ) .", "n(4).", "#const n = 4.", "#const size=4.", "size(4). num(1..4)."),
)


@pytest.mark.parametrize("size", SIZES)
def test_facts_state_the_row_first_from_one(tmp_path, size):
    """The blocked squares are the example of the ASP competition."""
    expected = make_instance(4, {3: 2}, blocked=[(0, 0), (1, 1), (2, 3)])
    squares = "queen( 3 , 4 ).\n% block(1,4).\nblock(1,1).block(2 ,2)  .\n%* queen(1,1).\n *% block (4,3)."
    for content in (f"{size}\n{squares}", f"{squares} {size}\r\n"):
        for suffix in (".lp", ".data"):
            assert parts(read(tmp_path, content, suffix)) == parts(expected)


# Against a slow parser


_COMMENT = re.compile(rb"%\*.*?\*%|%(?!\*)[^\n]*", re.DOTALL)
_FACT = re.compile(
    rb"\s*(?:(block|queen)\s*\(N,N\)|num\s*\(N(?:\.\.N)?\)|(?:size|board|n)\s*\(N\)|#\s*const\s+(?:n|size)\s*=N)\s*\."
    .replace(b"N", rb"\s*(-?[0-9]{1,30})\s*")
)  # fmt: skip


def slow_facts(data):
    """Read facts one by one; None if they are refused. Slow and obvious."""
    text, at = _COMMENT.sub(b" ", data), 0
    squares, sizes, spans = {b"block": [], b"queen": []}, set(), []
    while text[at:].strip():
        if not (fact := _FACT.match(text, at)):
            return None
        predicate, row, column, first, last, *stated = fact.groups()
        if predicate:
            squares[predicate].append((int(column) - 1, int(row) - 1))
        elif first:
            spans.append((int(first), int(last or first)))
        else:
            sizes.update(int(size) for size in stated if size)
        at = fact.end()
    reached = 0
    for low, high in sorted(spans):
        if not 1 <= low <= reached + 1:
            return None
        reached = max(reached, high)
    sizes |= {reached} if spans else set()
    if len(sizes) != 1:
        return None
    try:
        return make_instance(sizes.pop(), squares[b"queen"], blocked=squares[b"block"])
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
def test_facts_are_read_as_by_a_slow_parser(part):
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


# Fixed queens


@pytest.mark.parametrize("rows_from", [0, 1])
def test_lines_of_fixed_queens(tmp_path, rows_from):
    content = f"column,row\n6,{2 + rows_from}\n1,{3 + rows_from}\n"
    for suffix in (".csv", ".txt"):
        instance = read(tmp_path, content, suffix, n=8, rows_from=rows_from)
        assert parts(instance)["fixed"] == [[1, 3], [6, 2]]
    with check_error(InputError, f"line 1 holds {8 + rows_from}", f"{rows_from} to {7 + rows_from}"):
        read(tmp_path, f"1,{8 + rows_from}", ".csv", n=8, rows_from=rows_from)
