"""Boards in files: what was written can be read, and errors name the file, the place and the value."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lowered import lower
from numpy.typing import NDArray

from fastqueens import is_solution
from fastqueens.core.errors import InputError
from fastqueens.files import atomic, board_csv, board_json, board_line, board_npy, board_text
from fastqueens.files import text as numbers
from fastqueens.files.board_npy import can_be_mapped, mapped_board
from fastqueens.files.boards import (
    FORMATS,
    board_in_file,
    check_suffix,
    parse_board,
    read_board,
    write_board,
    write_board_text,
    write_checked_board,
)
from fastqueens.files.text import MOST_IN_LINE, check_range

boards = st.integers(1, 40).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def read_bytes(folder: Path, suffix: str, content: bytes, rows_from: int = 0) -> NDArray[Any]:
    path = folder / f"board{suffix}"
    path.write_bytes(content)
    return read_board(path, rows_from=rows_from)


def refusal(folder: Path, suffix: str, content: bytes, rows_from: int = 0) -> str:
    """Return the error message after the name of the file."""
    with pytest.raises(InputError) as caught:
        read_bytes(folder, suffix, content, rows_from)
    name = str(folder / f"board{suffix}")
    assert str(caught.value).startswith(f"{name}: ")
    return str(caught.value)[len(name) + 2 :]


def outcome(call: Callable[[], NDArray[Any]]) -> list[int] | str:
    """Return the board, or the error message."""
    try:
        return list(map(int, call()))
    except InputError as error:
        return str(error)


# Boards made in their file


@pytest.mark.parametrize("can_reserve", [True, False])
def test_a_mapped_board_is_the_same_file(tmp_path: Path, can_reserve: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not can_reserve:
        monkeypatch.setattr(atomic, "reserve", lambda *_: False)
        monkeypatch.setattr(atomic, "_BLOCK", 7)
    board = np.random.default_rng(1).permutation(1001).astype(np.int32)
    write_board(tmp_path / "one.npy", board)
    with mapped_board(tmp_path / "other.npy", 1001) as queens:
        assert type(queens) is np.ndarray
        (hidden,) = tmp_path.glob(".other.npy.*.part")
        assert hidden.stat().st_size == (tmp_path / "one.npy").stat().st_size
        queens[:] = board
        assert not (tmp_path / "other.npy").exists()
    assert not queens.flags.writeable
    assert np.array_equal(queens, board)
    assert (tmp_path / "one.npy").read_bytes() == (tmp_path / "other.npy").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["one.npy", "other.npy"]


def test_a_mapped_board_that_fails_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "board.npy"
    write_board(path, [1, 3, 0, 2])
    with pytest.raises(ZeroDivisionError), mapped_board(path, 1000) as queens:
        queens[:] = 5 // 0
    assert read_board(path).tolist() == [1, 3, 0, 2]
    assert os.listdir(tmp_path) == ["board.npy"]


def test_a_mapped_board_without_disk_or_address_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.npy"

    def fail(number: int) -> Callable[..., Any]:
        def failing(*_: Any) -> None:
            raise OSError(number, os.strerror(number))

        return failing

    for name, number, error, message in [
        ("atomic.reserve", errno.ENOSPC, InputError, "the disk is full; nothing was written"),
        ("board_npy.np.memmap", errno.EIO, InputError, "Input/output error; nothing was written"),
        ("board_npy.np.memmap", errno.ENOMEM, MemoryError, "mapping it needs 4 MB of address space"),
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(f"fastqueens.files.{name}", fail(number))
            with pytest.raises(error) as caught, mapped_board(path, 10**6):
                pytest.fail("no file can be mapped")
        assert str(caught.value).startswith(f"{path}: {message}")
        assert os.listdir(tmp_path) == []


def test_only_a_large_npy_file_holds_a_board_that_is_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, made_in_file=100)
    for name, n, rows_from in [("q.npy", 99, 0), ("q.npy", 100, 1), ("q.txt", 100, 0)]:
        with board_in_file(tmp_path / name, n, rows_from) as queens:
            assert queens is None
    assert os.listdir(tmp_path) == []
    with board_in_file(tmp_path / "q.npy", 100) as queens:
        assert queens is not None
        queens[:] = np.arange(100)
    assert np.array_equal(np.load(tmp_path / "q.npy"), np.arange(100))


def test_a_checked_board_is_not_validated_again(tmp_path: Path) -> None:
    for name in ("q.npy", "q.txt"):
        write_checked_board(tmp_path / name, np.array([1, 9], np.int32))
        with pytest.raises(InputError, match="9"):
            read_board(tmp_path / name)


def test_mapping_something_else_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npy")
    assert can_be_mapped(tmp_path / "new.npy")
    for name in ("board.txt", "pipe.npy"):
        assert not can_be_mapped(tmp_path / name)
        with pytest.raises(InputError, match="can be mapped"), mapped_board(tmp_path / name, 4):
            pytest.fail("it cannot be mapped")
    with pytest.raises(InputError, match="n is 0"), mapped_board(tmp_path / "new.npy", 0):
        pytest.fail("it is not a board")


# Every format


@in_one_folder
@given(board=boards, suffix=st.sampled_from(FORMATS), rows_from=st.sampled_from([0, 1]), piece=st.integers(1, 50))
def test_a_written_board_can_be_read(tmp_path: Path, board: list[int], suffix: str, rows_from: int, piece: int) -> None:
    path = tmp_path / f"board{suffix}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "PIECE", piece)
        patch.setattr(numbers, "BLOCK", 8 + piece)
        write_board(path, board, rows_from=rows_from)
        queens = read_board(path, rows_from=rows_from)
    assert queens.dtype == np.int32
    assert queens.tolist() == board


def test_content_of_the_files(tmp_path: Path) -> None:
    for suffix, content in [
        (".txt", "1\n3\n0\n2\n"),
        (".csv", "column,row\n0,1\n1,3\n2,0\n3,2\n"),
        (".json", '{"n": 4, "queens": [1, 3, 0, 2]}\n'),
    ]:
        write_board(tmp_path / f"a{suffix}", [1, 3, 0, 2])
        assert (tmp_path / f"a{suffix}").read_text() == content
    write_board(tmp_path / "a.csv", [1, 3, 0, 2], rows_from=1)
    assert (tmp_path / "a.csv").read_text() == "column,row\n0,2\n1,4\n2,1\n3,3\n"
    write_board(tmp_path / "a.npy", [1, 3, 0, 2], rows_from=1)
    saved = np.load(tmp_path / "a.npy")
    assert (saved.dtype, saved.tolist()) == (np.int32, [2, 4, 1, 3])


def test_npy_files_are_those_of_numpy(tmp_path: Path) -> None:
    queens = np.arange(1000, dtype=np.int32)
    np.save(tmp_path / "numpy.npy", queens)
    write_board(tmp_path / "ours.npy", queens)
    assert (tmp_path / "numpy.npy").read_bytes() == (tmp_path / "ours.npy").read_bytes()


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("rows_from", [0, 1])
def test_a_large_board_can_be_read_again(tmp_path: Path, suffix: str, rows_from: int) -> None:
    queens = np.random.default_rng(1).permutation(300_000).astype(np.int32)
    write_board(tmp_path / f"a{suffix}", queens, rows_from=rows_from)
    assert np.array_equal(read_board(tmp_path / f"a{suffix}", rows_from=rows_from), queens)


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    assert [check_suffix(f"a{suffix}") for suffix in FORMATS] == list(FORMATS)
    (tmp_path / "a.xls").write_text("0")
    for call in (check_suffix, read_board, lambda path: write_board(path, [0])):
        with pytest.raises(InputError, match=re.escape("suffix '.xls'; use .npy, .txt, .csv or .json")):
            call(tmp_path / "a.xls")
    with pytest.raises(InputError, match=r"did you mean \.json\?"):
        check_suffix("a.jsn")
    assert (tmp_path / "a.xls").read_text() == "0"


def test_a_name_without_suffix_is_read_as_text_only(tmp_path: Path) -> None:
    (tmp_path / "board").write_text("1\n3\n0\n2\n")
    assert read_board(tmp_path / "board").tolist() == [1, 3, 0, 2]
    with pytest.raises(InputError, match="the name has no suffix"):
        write_board(tmp_path / "board", [0])


@pytest.mark.parametrize("suffix", FORMATS)
def test_empty_missing_and_folder(tmp_path: Path, suffix: str) -> None:
    assert "is empty" in refusal(tmp_path, suffix, b"")
    with pytest.raises(InputError, match=f"none{suffix}: no such file$"):
        read_board(tmp_path / f"none{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(InputError, match=f"folder{suffix}: this is a folder"):
        read_board(tmp_path / f"folder{suffix}")
    with pytest.raises(InputError, match=f"folder{suffix}: this is a folder"):
        write_board(tmp_path / f"folder{suffix}", [0])


@in_one_folder
@given(content=st.binary(max_size=300), suffix=st.sampled_from(FORMATS))
def test_random_bytes_are_refused_with_a_message(tmp_path: Path, content: bytes, suffix: str) -> None:
    (tmp_path / f"a{suffix}").write_bytes(content)
    found = outcome(lambda: read_board(tmp_path / f"a{suffix}"))
    assert isinstance(found, list) or (f"a{suffix}: " in found and len(found) < 400)


def test_an_invalid_board_is_not_written(tmp_path: Path) -> None:
    for board in ([], [0, 2], [0.5], [[0]]):
        with pytest.raises(InputError):
            write_board(tmp_path / "a.txt", board)
    with pytest.raises(InputError, match="rows_from is 2"):
        write_board(tmp_path / "a.txt", [0], rows_from=2)
    with pytest.raises(InputError, match="rows_from is 2"):
        read_board(tmp_path / "a.txt", rows_from=2)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_failing_write_leaves_the_earlier_board(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"a{suffix}"
    write_board(path, [1, 3, 0, 2])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="the disk is full; the earlier file is unchanged"):
        write_board(path, [0])
    assert read_board(path).tolist() == [1, 3, 0, 2]


@pytest.mark.parametrize(
    ("suffix", "content", "place"),
    [
        (".txt", b"1\n2\n5\n4\n", "line 3 holds 5"),
        (".csv", b"column,row\n0,1\n1,2\n2,5\n3,4\n", "line 4 holds 5"),
        (".json", b"[1, 2, 5, 4]", "queens[2] holds 5"),
    ],
)
def test_errors_count_rows_as_the_file_does(tmp_path: Path, suffix: str, content: bytes, place: str) -> None:
    assert refusal(tmp_path, suffix, content, 1) == f"{place}; rows go from 1 to 4"
    assert refusal(tmp_path, suffix, content.replace(b"5", b"4"), 0).endswith("holds 4; rows go from 0 to 3")
    assert refusal(tmp_path, suffix, content.replace(b"5", b"0"), 1).endswith("holds 0; rows go from 1 to 4")
    assert read_bytes(tmp_path, suffix, content.replace(b"5", b"3"), 1).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("suffix", [".txt", ".csv", ""])
@pytest.mark.parametrize("content", [b"1 3 0 2", b"1,3,0,2\n", b"\xef\xbb\xbf 1, 3 ,0\t2 \r\n", b"01 3 0 2\n\n \n"])
def test_all_rows_may_be_in_one_line(tmp_path: Path, suffix: str, content: bytes) -> None:
    assert read_bytes(tmp_path, suffix, content).tolist() == [1, 3, 0, 2]


def test_one_line_of_two_numbers_is_a_board_only_as_text(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, ".txt", b"1,1\n").tolist() == [1, 1]
    assert read_bytes(tmp_path, ".csv", b"0,0\n").tolist() == [0]


@pytest.mark.gate
def test_the_longest_line_of_rows(tmp_path: Path) -> None:
    rows = b"0 " * (MOST_IN_LINE // 2)
    assert len(read_bytes(tmp_path, ".txt", rows)) == MOST_IN_LINE // 2
    assert "short lines of numbers are needed" in refusal(tmp_path, ".txt", rows + b"0")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1 3 0 4\n", "column 3 holds 4; rows go from 0 to 3"),
        (b"1 3 -1 2\n", "column 2 holds -1; rows go from 0 to 3"),
        (
            b"1 3 0 2\n1 3 0 2\n",
            "it has several lines with several numbers each, one board in each line; a single board is needed",
        ),
        (b"1 3 0 x\n", "line 1 holds '1 3 0 x'; a whole number is needed"),
    ],
)
def test_a_line_of_rows_that_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    assert refusal(tmp_path, ".txt", content) == message


# .txt


@pytest.mark.parametrize(
    "content",
    [
        b"1\n3\n0\n2",
        b"1\r\n3\r\n0\r\n2\r\n",
        b"1\n3\n0\n2\n\n \r\n\n",
        b"  1\n3  \n\t0\n2 \t\r\n",
        b"\xef\xbb\xbf1\n3\n0\n2\n",
        b"01\n003\n0\n0000000000000000000000000000002\n",
    ],
)
def test_text_that_is_accepted(tmp_path: Path, content: bytes) -> None:
    assert read_bytes(tmp_path, ".txt", content).tolist() == [1, 3, 0, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1\n3.0\n0\n2\n", "line 2 holds '3.0'; a whole number is needed"),
        (b"1\n3\nzero\n2\n", "line 3 holds 'zero'; a whole number is needed"),
        (b"1\n3\n1_0\n2\n", "line 3 holds '1_0'; a whole number is needed"),
        (b"1\n+3\n0\n2\n", "line 2 holds '+3'; a whole number is needed"),
        ("1\n\uff13\n0\n2\n".encode(), "line 2 holds '\uff13'; a whole number is needed"),
        (b"1\n3 0\n2\n", "line 2 holds '3 0'; a whole number is needed"),
        (b"1\n3,\n2\n", "line 2 holds '3,'; a whole number is needed"),
        (b"1\n-\n2\n", "line 2 holds '-'; a whole number is needed"),
        (b"1\n\n0\n2\n", "line 2 is blank; blank lines are allowed only at the end"),
        (b"\n1\n0\n", "line 1 is blank; blank lines are allowed only at the end"),
        (b"1\r3\r0\r2\r", "line 1 holds '1\\r3\\r0\\r2'; a whole number is needed"),
        (b"1\n3\n0\n4\n", "line 4 holds 4; rows go from 0 to 3"),
        (b"1\n-3\n0\n2\n", "line 2 holds -3; rows go from 0 to 3"),
        (b"1" + b"0" * 30 + b"\n", "line 1 holds a number of 19 digits or more; rows go from 0 to 0"),
        (b"0\n-1" + b"0" * 30 + b"\n", "line 2 holds a number of 19 digits or more; rows go from 0 to 1"),
        (b"0\n" + b"9" * 5000, "line 2 holds a number of 19 digits or more; rows go from 0 to 1"),
        (b"4294967296\n", "line 1 holds 4294967296; rows go from 0 to 0"),
        (b"x" * 1000, f"line 1 holds '{'x' * 39} ...; a whole number is needed"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "line 1 holds '\x89PNG'; a whole number is needed".replace("\x89", "\\x89")),
        (b"\xff\xfe1\0\n\0", "line 1 holds 'ÿþ1\\x00'; a whole number is needed"),
        (b" \n\n", "it is empty; a board has at least 1 queen"),
    ],
)
def test_text_that_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    assert refusal(tmp_path, ".txt", content) == message


def test_a_line_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "BLOCK", 100)
    monkeypatch.setattr(board_line, "BLOCK", 100)
    monkeypatch.setattr(numbers, "MOST_IN_LINE", 200)
    assert "line 2 has more than" in refusal(tmp_path, ".txt", b"0\n" + b"0" * 1000 + b"1\n")


def test_the_line_is_right_far_into_a_file(tmp_path: Path) -> None:
    lines = [b"%d\n" % row for row in range(300_000)]
    lines[290_000] = b"7.5\n"
    assert refusal(tmp_path, ".txt", b"".join(lines)) == "line 290001 holds '7.5'; a whole number is needed"
    lines[290_000] = b"300000\n"
    assert refusal(tmp_path, ".txt", b"".join(lines)) == "line 290001 holds 300000; rows go from 0 to 299999"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def give(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    give(b"2\n4\n1\n3\n")
    assert read_board("-", rows_from=1).tolist() == [1, 3, 0, 2]
    give(b"1\nx\n")
    with pytest.raises(InputError, match=r"^standard input: line 2 holds 'x'"):
        read_board("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        read_board("-")


def test_text_to_a_stream() -> None:
    text, data = io.StringIO(), io.BytesIO()
    write_board_text(text, [1, 3, 0, 2])
    write_board_text(data, [1, 3, 0, 2], rows_from=1)
    assert (text.getvalue(), data.getvalue()) == ("1\n3\n0\n2\n", b"2\n4\n1\n3\n")


def test_a_stream_that_fails() -> None:
    class Failing(io.StringIO):
        error = OSError(28, "No space left on device")

        def flush(self) -> None:
            raise self.error

    stream = Failing()
    with pytest.raises(InputError, match="output: No space left on device"):
        write_board_text(stream, [0])
    stream.error = BrokenPipeError()
    with pytest.raises(BrokenPipeError):
        write_board_text(stream, [0])


# The fast parsers and the strict ones

number_texts = st.one_of(
    st.integers(0, 9).map(str),
    st.integers(-3, 12).map(str),
    st.sampled_from(["", " ", "007", "1 2", " 3", "4\t", "1.5", "x", "-0", "+1", "1_0", "9" * 19, "9" * 25, "0" * 25]),
)
line_ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", "\r", "\n \n", ""])
csv_lines = st.one_of(
    st.tuples(number_texts, number_texts).map(",".join),
    number_texts,
    st.sampled_from(["column,row", "0,1,2", ",", "1,"]),
)


def texts(lines: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    random_lines = st.lists(st.tuples(lines, line_ends).map("".join), max_size=8).map("".join)
    return st.one_of(random_lines, st.text("01 ,\r\n", max_size=20))


def assert_both_agree(fast_parser: str, read: Callable[..., NDArray[Any]], text: str, block: int) -> None:
    def call() -> NDArray[Any]:
        return read(io.BytesIO(text.encode()), "a", 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "BLOCK", block)
        fast = outcome(call)
        patch.setattr(f"fastqueens.files.{fast_parser}", lambda *_: None)
        assert fast == outcome(call)


@settings(max_examples=12 * settings.default.max_examples, deadline=None)
@given(text=texts(number_texts), block=st.integers(30, 60))
def test_both_parsers_of_text_agree(text: str, block: int) -> None:
    assert_both_agree("text.parse_fast", board_text.read, text, block)


@settings(max_examples=12 * settings.default.max_examples, deadline=None)
@given(text=texts(csv_lines), block=st.integers(30, 60))
def test_both_parsers_of_csv_agree(text: str, block: int) -> None:
    assert_both_agree("text.parse_fast", board_csv.read, text, block)


json_items = st.tuples(
    st.sampled_from(["0", "0", "1", "00", "01", "1.", "null"]), st.sampled_from([", ", ", ", ",", "\n", "\r", " ", ""])
).map("".join)
json_texts = st.one_of(
    boards.map(json.dumps),
    boards.map(lambda board: json.dumps({"n": len(board), "queens": board})),
    st.tuples(
        st.sampled_from(["[", "[", "[ ", '{"n": 2, "queens": [', '{"n": 02, "queens": [', '{"queens": [']),
        st.lists(json_items, max_size=4).map("".join),
        st.sampled_from(["0]", "0]", "]", "0]}", "0]}\n", "0]\n", "]}}", "0] "]),
    ).map("".join),
)


@settings(max_examples=12 * settings.default.max_examples, deadline=None)
@given(text=json_texts, block=st.integers(1, 12))
def test_both_parsers_of_json_agree(text: str, block: int) -> None:
    assert_both_agree("board_json._rows_fast", board_json.read, text, block)


def test_a_comma_at_the_end_of_a_block_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "BLOCK", 1)
    assert board_json._rows_fast(b"[0, 0]") is not None
    assert board_json._rows_fast(b"[0, 0,]") is None


def test_the_fast_parsers_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(numbers, "_parse_strictly")
    monkeypatch.delattr(board_json, "_rows_strictly")
    for suffix in FORMATS:
        write_board(tmp_path / f"a{suffix}", np.arange(1000))
        assert read_board(tmp_path / f"a{suffix}").tolist() == list(range(1000))
    windows = (tmp_path / "a.csv").read_bytes().replace(b"\n", b"\r\n")
    assert len(read_bytes(tmp_path, ".csv", windows)) == 1000
    assert len(read_bytes(tmp_path, ".json", json.dumps([0] * 1000).encode())) == 1000


# .csv


@pytest.mark.parametrize(
    "content",
    [
        b"column,row\n0,1\n1,3\n2,0\n3,2\n",
        b"0,1\n1,3\n2,0\n3,2\n",
        b"column,row\r\n3,2\r\n0,1\r\n2,0\r\n1,3\r\n\r\n",
        b'\xef\xbb\xbf"column", "row"\n3, 2\n 0,1\n2,0 \n1,3',
    ],
)
def test_csv_that_is_accepted(tmp_path: Path, content: bytes) -> None:
    assert read_bytes(tmp_path, ".csv", content).tolist() == [1, 3, 0, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"column,row\n0,1\n1,0\n1,0\n", "line 4 holds column 1 again; column 2 is missing"),
        (b"0,1\n1,0\n3,0\n", "line 3 holds 3; columns in a file of 3 queens go from 0 to 2"),
        (b"0,1\n-1,0\n", "line 2 holds -1; columns in a file of 2 queens go from 0 to 1"),
        (b"column,row\n0,0\n1,2\n", "line 3 holds 2; rows go from 0 to 1"),
        (b"row,column\n0,0\n", "line 1 holds 'row'; a whole number is needed"),
        (b"0,0\ncolumn,row\n", "line 2 holds 'column'; a whole number is needed"),
        (b"0,0\n1\n", "line 2 holds '1'; 2 numbers are needed: column,row"),
        (b"0,0\n1,1,1\n", "line 2 holds '1,1,1'; 2 numbers are needed: column,row"),
        (b"0,0\n1,\n", "line 2 holds ''; a whole number is needed"),
        (b"0;0\n1;1\n", "line 1 holds '0;0'; 2 numbers are needed: column,row"),
        (b"column,row\n", "it is empty; a board has at least 1 queen"),
    ],
)
def test_csv_that_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    assert refusal(tmp_path, ".csv", content) == message


@in_one_folder
@given(board=boards, data=st.data())
def test_csv_lines_come_in_any_order(tmp_path: Path, board: list[int], data: st.DataObject) -> None:
    lines = data.draw(st.permutations([f"{column},{row}\n" for column, row in enumerate(board)]))
    assert read_bytes(tmp_path, ".csv", "".join(lines).encode()).tolist() == board


# .json


@pytest.mark.parametrize(
    "content",
    [
        b"[1, 3, 0, 2]",
        b"\xef\xbb\xbf[1,\n3,0,2]",
        b'{"queens": [1, 3, 0, 2], "n": 4, "by": {"n": 3, "seed": NaN}}',
        json.dumps({"n": 4, "queens": [1, 3, 0, 2]}, indent=2).encode(),
        b'{"queens": [1, 3, 0, 2]}',
    ],
)
def test_json_that_is_accepted(tmp_path: Path, content: bytes) -> None:
    assert read_bytes(tmp_path, ".json", content).tolist() == [1, 3, 0, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"n": 5, "queens": [1, 3, 0, 2]}', "n is 5, but queens holds 4 rows"),
        (b'{"n": true, "queens": [0]}', "n is True, but queens holds 1 row"),
        (b'{"n": 1.0, "queens": [0]}', "n is 1.0, but queens holds 1 row"),
        (b"[1, 3, true, 2]", "queens[2] holds True; a whole number is needed"),
        (b"[1, 3, 0.0, 2]", "queens[2] holds 0.0; a whole number is needed"),
        (b"[1, NaN]", "queens[1] holds nan; a whole number is needed"),
        (b'[1, "3"]', "queens[1] holds '3'; a whole number is needed"),
        (b"[[1, 3], 0]", "queens[0] holds [1, 3]; a whole number is needed"),
        (b'{"n": 4, "queens": "1302"}', "queens holds '1302'; a list of whole numbers is needed"),
        (b'{"n": 4, "rows": []}', 'a list of rows is needed, or an object with "queens"'),
        (b"7", 'a list of rows is needed, or an object with "queens"'),
        (b"[]", "it is empty; a board has at least 1 queen"),
        (b" \n", "it is empty"),
        (b"[0, 2]", "queens[1] holds 2; rows go from 0 to 1"),
        (b"[-1]", "queens[0] holds -1; rows go from 0 to 0"),
        (b"[1" + b"0" * 30 + b"]", "queens[0] holds a number of 19 digits or more; rows go from 0 to 0"),
        (b"[" + b"1" * 5000 + b"]", "queens[0] holds a number of 19 digits or more; rows go from 0 to 0"),
        (b"{" + b'"n": ' + b"1" * 5000 + b', "queens":[0]}', "a number in it has thousands of digits"),
        (b'{"queens": [0], "queens": [0]}', "an object has the key 'queens' twice"),
        (b"[1, 3,\n 0 2]", "line 2, character 4: this is not valid JSON (Expecting ',' delimiter)"),
        (b"[1\n0]", "line 2, character 1: this is not valid JSON (Expecting ',' delimiter)"),
        (b"[1, 00]", "line 1, character 6: this is not valid JSON (Expecting ',' delimiter)"),
        (b"[" * 100_000, "the brackets are nested too deeply; a flat list is needed"),
        (b"[\xff]", "byte 2 is not UTF-8; JSON is text"),
    ],
)
def test_json_that_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    assert refusal(tmp_path, ".json", content) == message


# .npy


def saved(array: Any, **options: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


@pytest.mark.parametrize("dtype", ["<i4", ">i4", "<i8", ">u8", "u1", "i2", "<u4"])
@pytest.mark.parametrize("rows_from", [0, 1])
def test_npy_of_any_integers(tmp_path: Path, dtype: str, rows_from: int) -> None:
    queens = read_bytes(tmp_path, ".npy", saved(np.array([1, 3, 0, 2], dtype) + np.array(rows_from, dtype)), rows_from)
    assert queens.dtype == np.dtype(np.int32)
    assert queens.tolist() == [1, 3, 0, 2]


BOARD = saved(np.array([1, 3, 0, 2], np.int32))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (saved(np.zeros((2, 2), int)), r"the array has shape \(2, 2\)"),
        (saved(np.array(3)), r"the array has shape \(\)"),
        (saved(np.array([1.0, 0.0])), "the array holds float64"),
        (saved(np.array([True])), "the array holds bool"),
        (saved(np.zeros(2, [("row", "i4")])), r"the array holds \[\('row', '<i4'\)\]"),
        (saved(np.array([1], object)), "it cannot be read as .npy .*object"),
        (saved(np.array(["1"])), "the array holds <U1"),
        (saved(np.zeros(0, np.int32)), "it is empty; a board has at least 1 queen"),
        (BOARD[:-1], "it cannot be read as .npy"),
        (BOARD[:50], "it cannot be read as .npy"),
        (BOARD[:7], "it cannot be read as .npy"),
        (BOARD[:3], "this is not an .npy file, it starts with b'.x93NU'"),
        (BOARD + b"1", "1 bytes follow the array"),
        (pickle.dumps([1, 3, 0, 2]), "this is not an .npy file"),
        (b"PK\x03\x04 and so on", "this is not an .npy file, it starts with b'PK"),
        (saved(np.array([1, 4, 0, 2])), "column 1 holds 4; rows go from 0 to 3"),
        (saved(np.array([1, -1, 0, 2])), "column 1 holds -1; rows go from 0 to 3"),
        (saved(np.array([0, 2**64 - 1], np.uint64)), "column 1 holds 18446744073709551615; rows go from 0 to 1"),
    ],
)
def test_npy_that_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    assert re.match(message, refusal(tmp_path, ".npy", content))


class Explosive:
    """Runs code when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return os.mkdir, ("exploded",)


def test_npy_is_never_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = saved(np.array([Explosive()], object), allow_pickle=True)
    assert "object" in refusal(tmp_path, ".npy", content)
    refusal(tmp_path, ".npy", pickle.dumps(Explosive()))
    assert not (tmp_path / "exploded").exists()


@in_one_folder
@given(position=st.integers(0, 127), byte=st.integers(0, 255))
def test_a_broken_npy_header_is_refused_with_a_message(tmp_path: Path, position: int, byte: int) -> None:
    content = BOARD[:position] + bytes([byte]) + BOARD[position + 1 :]
    found = outcome(lambda: read_bytes(tmp_path, ".npy", content))
    assert isinstance(found, list) or "board.npy: " in found


def test_a_large_npy_is_mapped_and_never_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, mapped_bytes=1000)
    write_board(tmp_path / "a.npy", np.arange(1000))
    queens = read_board(tmp_path / "a.npy")
    assert isinstance(queens, np.memmap)
    assert queens.mode == "r"
    assert not isinstance(read_board(tmp_path / "a.npy", rows_from=0).base, np.ndarray)
    np.save(tmp_path / "b.npy", np.arange(1000, dtype=np.int64))
    assert read_board(tmp_path / "b.npy").dtype == np.int32
    write_board(tmp_path / "a.npy", [0])
    assert not isinstance(read_board(tmp_path / "a.npy"), np.memmap)
    assert queens.tolist() == list(range(1000)), "the mapping still shows the earlier file"


@pytest.mark.parametrize("dtype", ["<i4", ">i4", "<i8", "|u1"])
@pytest.mark.parametrize("rows_from", [0, 1])
def test_a_large_npy_can_be_read_into_memory(
    tmp_path: Path, dtype: str, rows_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, mapped_bytes=100)
    rows = np.arange(200)[::-1]
    np.save(tmp_path / "a.npy", (rows + rows_from).astype(dtype))
    queens = read_board(tmp_path / "a.npy", rows_from=rows_from, mapped=False)
    with (tmp_path / "a.npy").open("r+b") as file:  # as numpy.save onto the file does
        file.truncate(0)
    assert queens.dtype == np.int32
    assert queens.tolist() == rows.tolist()
    write_board(tmp_path / "a.txt", rows)
    assert read_board(tmp_path / "a.txt", mapped=False).tolist() == rows.tolist()


def test_an_npy_that_is_shortened_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.npy"
    write_board(path, np.arange(10_000))

    def shorten(*_: object) -> None:
        os.truncate(path, 5000)

    monkeypatch.setattr(board_npy, "check_memory", shorten)
    with pytest.raises(InputError, match=r"a\.npy: it was shortened while it was read"):
        read_board(path, mapped=False)


@pytest.mark.parametrize("through", ["its name", "a link", "another name"])
@pytest.mark.parametrize("is_the_same", [False, True])
def test_writing_onto_the_file_that_a_board_is_mapped_from_keeps_the_board(
    tmp_path: Path, through: str, is_the_same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, mapped_bytes=1000)
    path, other = tmp_path / "board.npy", tmp_path / "other.npy"
    write_board(path, np.arange(10_000))
    if through == "a link":
        other.symlink_to("board.npy")
    elif through == "another name":
        other.hardlink_to(path)
    queens = read_board(path)
    assert isinstance(queens, np.memmap)
    write_board(path if through == "its name" else other, queens if is_the_same else queens[::-1][:5000] - 5000)
    assert queens.tolist() == list(range(10_000))
    written = range(10_000) if is_the_same else range(4999, -1, -1)
    assert np.load(path if through == "its name" else other).tolist() == list(written)
    assert np.load(path).tolist() == list(range(10_000) if through == "another name" else written)


@pytest.mark.parametrize("name", ["board.npy", "link.npy"])
def test_solve_writes_onto_the_file_that_it_starts_from(
    run: Callable[..., Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, mapped_bytes=1000, made_in_file=1000)
    write_board("board.npy", np.arange(2000))
    Path("link.npy").symlink_to("board.npy")
    queens = read_board("board.npy")
    for arguments in (["--file", name], ["2000"]):
        code, _, _ = run("solve", *arguments, "--seed", "1", "-q", "-o", name)
        assert code == 0
        assert is_solution(np.load("board.npy"))
        assert queens.tolist() == list(range(2000))
        assert Path("link.npy").is_symlink()


def test_npy_is_not_read_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.npy")
    keeps_it_open = os.open(tmp_path / "a.npy", os.O_RDWR)
    with pytest.raises(InputError, match="use a regular file"):
        read_board(tmp_path / "a.npy")
    os.close(keeps_it_open)


# One line


def test_a_board_in_one_line() -> None:
    for text in ("2 7 3 6 0 5 1 4", " 2,7,3,6,0,5,1,4 ", "2, 7 ,3  6\t0\n5 1 4"):
        assert parse_board(text).tolist() == [2, 7, 3, 6, 0, 5, 1, 4]
    assert parse_board("1", rows_from=1).tolist() == [0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "here: it is empty; a board has at least 1 queen"),
        ("1,,0", "here: column 1 holds ''; a whole number is needed"),
        ("1 0.5", "here: column 1 holds '0.5'; a whole number is needed"),
        ("1 2", "here: column 1 holds 2; rows go from 0 to 1"),
        ("0 \udc80", "here: column 1 holds '?'; a whole number is needed"),
    ],
)
def test_a_line_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_board(text, name="here")
    assert str(caught.value) == message


def test_ranges_are_checked_to_the_last_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "PIECE", 4)
    for wrong in range(11):
        rows = np.zeros(11, np.uint32)
        rows[wrong] = 2**32 - 1
        with pytest.raises(InputError, match=f"^{wrong} holds 4294967295; rows go from 0 to 3$"):
            check_range(rows, 0, 3, str, "rows")
