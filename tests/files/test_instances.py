"""Instances in files: reading returns what was written, and errors name the place and show a valid file."""

import json
import re

import numpy as np
import pytest
from drawing import drawn
from errors import check_error
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lowered import limit_memory

from fastqueens import make_instance, puzzle
from fastqueens.errors import InputError, NotEnoughMemoryError
from fastqueens.files.instances import (
    INSTANCE_FORMATS,
    json_line,
    parse_square,
    read_fixed_queens,
    read_instance,
    read_instances,
    write_fixed_queens,
    write_instance,
)

ALL = ("fixed", "blocked", "excluded_sums", "excluded_differences")

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15)


def parts(instance):
    """Return n and the constraints of an instance as lists."""
    lists = {kind: getattr(instance, kind).tolist() for kind in ALL[1:]}
    return {"n": instance.n, "fixed": instance.fixed.squares.tolist(), **lists}


def read(folder, content, name="instance.json"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_instance(path)


@st.composite
def instances(draw):
    """Draw an instance with some constraints, all of which a solution respects."""
    n = draw(st.sampled_from([1, *range(4, 31)]))
    few = st.integers(0, min(n, 6))
    every = parts(drawn(n, draw(st.floats(0, 2)), draw(few), draw(few), draw(st.integers(0, 99))))
    return make_instance(n, **{kind: every[kind] for kind in draw(st.sets(st.sampled_from(ALL)))})


@pytest.mark.parametrize("suffix", INSTANCE_FORMATS)
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b""])
@in_one_folder
@given(instance=instances(), is_known=st.booleans())
def test_a_written_instance_can_be_read(tmp_path, suffix, line_end, instance, is_known):
    path = tmp_path / f"instance{suffix}"
    write_instance(path, instance)
    content = path.read_bytes()
    assert content == json_line(instance)
    again = read(tmp_path, content.replace(b"\n", line_end), path.name if is_known else "instance.data")
    assert parts(again) == parts(instance)


def test_content_of_a_file(subtests, tmp_path):
    for kinds in [(), ALL, ALL[1:3]]:
        with subtests.test(kinds=kinds):
            stated = {
                "fixed": [[1, 3]],
                "blocked": [[0, 7], [7, 0]],
                "excluded_sums": [0, 14],
                "excluded_differences": [-7, 7],
            }
            stated = {kind: stated[kind] for kind in kinds}
            write_instance(tmp_path / "eight.json", make_instance(8, **stated))
            assert (tmp_path / "eight.json").read_text() == json.dumps({"n": 8, "fixed": [], **stated}) + "\n"
            assert parts(read(tmp_path, json.dumps(stated | {"n": 8}))) == parts(make_instance(8, **stated))


def test_encodings_of_windows(subtests, tmp_path):
    for encoding in ["utf-8-sig", "utf-16"]:
        with subtests.test(encoding=encoding):
            (tmp_path / "two").write_bytes('{"n": 4}\r\n{"n": 5}\r\n'.encode(encoding))
            assert [instance.n for instance in read_instances(tmp_path / "two")] == [4, 5]
            assert read(tmp_path, '{"n": 4}'.encode(encoding)).n == 4


def test_other_suffixes_are_not_written(tmp_path):
    for name in ("a.jsn", "a.param", "a.lp", "a.csv", "a"):
        with check_error(InputError, name, ".json"):
            write_instance(tmp_path / name, make_instance(8))
    assert not list(tmp_path.iterdir())


def test_parsing_states_the_memory_it_needs(tmp_path, monkeypatch):
    """Lists in memory are much larger than their text."""
    content = '{"n": 8, "fixed": []}' + " " * 4_000_000
    limit_memory(monkeypatch, 121_000_000)
    read(tmp_path, content)
    with check_error(NotEnoughMemoryError, "instance.json", "121 MB"):
        read(tmp_path, content + " " * 40_000)


def test_each_line_is_an_instance(tmp_path, stdin):
    noted = json_line(make_instance(5, {0: 0}), {"solution": [0, 2, 4, 1, 3], "nodes": 4})
    assert noted == b'{"n": 5, "fixed": [[0, 0]], "solution": [0, 2, 4, 1, 3], "nodes": 4}\n'
    content = b'{"n": 4}\n\r\n' + noted
    stdin(content)
    for source in (tmp_path / "many.jsonl", tmp_path / "many.data", "-"):
        if source != "-":
            source.write_bytes(content)
        assert [parts(instance)["fixed"] for instance in read_instances(source)] == [[], [[0, 0]]]
    with check_error(InputError, "many.jsonl", "several instances"):
        read_instance(tmp_path / "many.jsonl")


def test_a_wrong_line_is_named_when_it_is_reached(tmp_path):
    path = tmp_path / "many.jsonl"
    path.write_text('{"n": 4}\n\n{"n": 4, "fixed": [[4, 0]]}\n')
    found = read_instances(path)
    assert next(found).n == 4
    with check_error(InputError, "many.jsonl", "line 3", "column 4, row 0", 0, 3):
        next(found)


# Files that are not instances say how to write one


OTHER_FILES = [
    ("letting n = 8", "begins with 'letting n = 8'"),
    ("column,row\n1,3\n", "begins with 'column,row"),
    ("1,3\n2,0\n", "begins with '1,3"),
    ("1 3 0 2\n2 0 3 1\n", "begins with '1 3 0 2"),  # two boards are not one list
    ("1\n2\n" + "9" * 5000, "begins with '1"),
    ("hello", "begins with 'hello'"),
    ("Q.......\n....Q...\n" + "........\n" * 6, "begins with 'Q..."),
    ('{"n":8,"queens":[0,4,null,null,null,null,null,null]}', "unknown key 'queens'"),
    ("", "is empty"),
    (b"\x93NUMPY\x01", "begins with"),
    ("[[1, 3]]", "begins with '[[1, 3]]'"),
    ('{"n": 8, "walls": []}', "unknown key 'walls'"),
]


def test_other_files_are_refused_with_the_form(subtests, tmp_path):
    for content, named in OTHER_FILES:
        named = re.compile(re.escape(named)), re.compile("fixed")
        with subtests.test(content=content), check_error(InputError, "instance.txt", *named):
            read(tmp_path, content, "instance.txt")


def test_many_squares(tmp_path):
    instance = make_instance(1000, {3: 4}, blocked=np.random.default_rng(1).integers(10, 1000, (5000, 2)))
    write_instance(tmp_path / "many.json", instance)
    assert parts(read_instance(tmp_path / "many.json")) == parts(instance)


# Fixed queens as a table, and as squares on the command line


def test_written_queens_are_read_back(subtests, tmp_path):
    for rows_from in [0, 1]:
        with subtests.test(rows_from=rows_from):
            squares = puzzle(1000, 100, seed=1).fixed
            file = tmp_path / "fixed.csv"
            write_fixed_queens(file, squares, rows_from=rows_from)
            assert read_fixed_queens(file, 1000, rows_from=rows_from).tolist() == squares.tolist()
            column, row = squares[0].tolist()
            assert file.read_text().startswith(f"column,row\n{column},{row + rows_from}\n")
            write_fixed_queens(file, squares[:0])
            assert file.read_text() == "column,row\n"
            assert read_fixed_queens(file, 8).shape == (0, 2)


QUEENS = [
    "column,row\n1,2\n3,7",
    '"Row", "Column"\r\n2,1\r\n7,3\r\n',
    "# two queens\nrow;column\n\n2 ; 1 # the left one\n7;3\n\n",
    "COLUMN\tROW\n1\t2\n3  7\n",
    "column,row\r1,2\r3,7\r",
]


def test_the_header_says_which_is_the_column(subtests, tmp_path):
    for encoding in ["utf-8", "utf-8-sig", "utf-16"]:
        for content in QUEENS:
            with subtests.test(content=content, encoding=encoding):
                file = tmp_path / "fixed.csv"
                file.write_bytes(content.encode(encoding))
                assert read_fixed_queens(file, 8).tolist() == [[1, 2], [3, 7]]


WRONG_LINES = [
    ("column,row\n1,2\n8,0\n", ["line 3 holds 8", "columns", 0, 7]),
    ("column,row\n1,2\n\n0,-1\n", ["line 4 holds -1", "rows", 0, 7]),
    ("column,row\n1,two\n", ["line 2", "'two'"]),
    ("column,row\n1,2,3\n", ["line 2 holds 3 numbers", "column", "row"]),
    # Without a header, each line could be read in both orders.
    ("1,2\n", ["'1,2'", "column,row"]),
    ("x,y\n1,2\n", ["'x,y'", "column,row"]),
    ("column,column\n1,2\n", ["'column,column'", "column,row"]),
    ("", ["empty", "column,row"]),
    (" \n# nothing\n", ["'#'", "column,row"]),
]


def test_a_wrong_line_is_named(subtests, tmp_path):
    for text, named in WRONG_LINES:
        with subtests.test(text=text, named=named):
            file = tmp_path / "fixed.txt"
            file.write_text(text)
            with check_error(InputError, re.compile("fixed.txt"), *named):
                read_fixed_queens(file, 8)


def test_a_square_is_a_column_and_a_row():
    assert parse_square(" 3 , 17 ") == (3, 17)
    assert parse_square("3,17", rows_from=1) == (3, 16)
    for text in ("3", "3;17", "b4", "3,", "3,17,2", "1e3,2"):
        with check_error(InputError, "3,17"):
            parse_square(text)
