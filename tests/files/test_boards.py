"""Boards in files: reading returns the boards that were written. test_refused_files.py tests wrong files."""

import errno
import json
import os

import numpy as np
import pytest
from errors import check_error
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lowered import lower, small_pieces
from systems import on_posix

from fastqueens.errors import InputError
from fastqueens.files.boards import (
    _REPLACES_MAPPED_FILES,
    FORMATS,
    board_in_file,
    parse_boards,
    read_board,
    write_board,
)
from fastqueens.files.numbers import check_range

boards = st.integers(1, 40).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def read_bytes(folder, suffix, content, rows_from=0):
    path = folder / f"board{suffix}"
    path.write_bytes(content)
    return read_board(path, rows_from=rows_from)


def outcome(call):
    """Return the board, or the error message."""
    try:
        return list(map(int, call()))
    except InputError as error:
        return str(error)


# Boards made in their file


@pytest.fixture
def made_in_file(monkeypatch):
    if not _REPLACES_MAPPED_FILES:
        pytest.skip("boards are not mapped on this system")
    lower(monkeypatch, made_in_file=1000, mapped_bytes=1000)


@pytest.mark.usefixtures("made_in_file")
@pytest.mark.parametrize("can_reserve", [True, False])
def test_a_mapped_board_is_the_same_file(tmp_path, can_reserve, monkeypatch):
    if not can_reserve:
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    n = 300_001  # more than a block of bytes
    board = np.random.default_rng(1).permutation(n).astype(np.int32)
    write_board(tmp_path / "one.npy", board)
    with board_in_file(tmp_path / "other.npy", n) as queens:
        assert type(queens) is np.ndarray
        (hidden,) = tmp_path.glob(".other.npy.*.part")
        assert hidden.stat().st_size == (tmp_path / "one.npy").stat().st_size
        queens[:] = board
        assert not (tmp_path / "other.npy").exists()
    assert not queens.flags.writeable
    assert np.array_equal(queens, board)
    assert (tmp_path / "one.npy").read_bytes() == (tmp_path / "other.npy").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["one.npy", "other.npy"]


FAULTS = [
    (None, ZeroDivisionError(), ZeroDivisionError, []),
    ("os.posix_fallocate", OSError(errno.ENOSPC, ""), InputError, ["board.npy", "disk", "unchanged"]),
    ("numpy.memmap", OSError(errno.EIO, "Input/output error"), InputError, ["board.npy: Input/output error"]),
    ("numpy.memmap", OSError(errno.ENOMEM, ""), MemoryError, ["board.npy", "4 MB", "address space"]),
]


@pytest.mark.usefixtures("made_in_file")
def test_a_mapped_board_that_fails_leaves_the_earlier_file(subtests, tmp_path, monkeypatch):
    for fails, error, kind, named in FAULTS:
        with subtests.test(fails=fails, error=error, kind=kind):

            def fail(*_):
                raise error  # noqa: B023

            path = tmp_path / "board.npy"
            write_board(path, [1, 3, 0, 2])
            with monkeypatch.context() as patch, check_error(kind, *named):
                if fails:
                    patch.setattr(fails, fail, raising=False)
                with board_in_file(path, 10**6) as queens:
                    queens[:] = 5
                    fail()
            assert read_board(path).tolist() == [1, 3, 0, 2]
            assert os.listdir(tmp_path) == ["board.npy"]


@pytest.mark.usefixtures("made_in_file")
def test_only_a_large_npy_file_holds_a_board_that_is_being_made(tmp_path):
    os.mkfifo(tmp_path / "pipe.npy")
    for name, n in [("q.npy", 999), ("q.txt", 1000), ("pipe.npy", 1000)]:
        with board_in_file(tmp_path / name, n) as queens:
            assert queens is None
    assert os.listdir(tmp_path) == ["pipe.npy"]
    with board_in_file(tmp_path / "q.npy", 1000) as queens:
        queens[:] = np.arange(1000)
    assert np.array_equal(np.load(tmp_path / "q.npy"), np.arange(1000))


# Every format


@in_one_folder
@given(board=boards, suffix=st.sampled_from(FORMATS), rows_from=st.sampled_from([0, 1]), piece=st.integers(1, 50))
def test_a_written_board_can_be_read(tmp_path, board, suffix, rows_from, piece):
    path = tmp_path / f"board{suffix}"
    with small_pieces(piece, 8 + piece):
        write_board(path, board, rows_from=rows_from)
        queens = read_board(path, rows_from=rows_from)
    assert queens.dtype == np.int32
    assert queens.tolist() == board


CONTENTS = [
    (".txt", "1\n3\n0\n2\n", "2\n4\n1\n3\n"),
    (".csv", "column,row\n0,1\n1,3\n2,0\n3,2\n", "column,row\n0,2\n1,4\n2,1\n3,3\n"),
    (".json", '{"n": 4, "queens": [1, 3, 0, 2]}\n', '{"n": 4, "queens": [2, 4, 1, 3]}\n'),
]


def test_content_of_the_files(subtests, tmp_path):
    for suffix, content, from_one in CONTENTS:
        with subtests.test(suffix=suffix, content=content, from_one=from_one):
            for rows_from, expected in enumerate((content, from_one)):
                write_board(tmp_path / f"a{suffix}", [1, 3, 0, 2], rows_from=rows_from)
                assert (tmp_path / f"a{suffix}").read_text() == expected
                np.save(tmp_path / "numpy.npy", np.array([1, 3, 0, 2], np.int32) + rows_from)
                write_board(tmp_path / "a.npy", [1, 3, 0, 2], rows_from=rows_from)
                assert (tmp_path / "numpy.npy").read_bytes() == (tmp_path / "a.npy").read_bytes()


REFUSED = [
    ("a.xls", [0], {}, ["'.xls'", ".npy, .txt, .csv or .json"]),
    ("a.jsn", [0], {}, ["'.jsn'", "mean .json"]),
    ("a", [0], {}, ["add a suffix", ".npy"]),
    ("a.pdf", [0], {}, ["unknown suffix '.pdf'", ".npy", "fastqueens show -o", "a.pdf"]),
    ("folder.npy", [0], {}, ["folder.npy", "a folder"]),
    *(("a.txt", board, {}, []) for board in ([], [0, 2], [0.5], [[0]])),
    ("a.txt", [0], {"rows_from": 2}, ["rows_from", "0 or 1", "not 2"]),
]


def test_what_cannot_be_written_is_refused(subtests, tmp_path):
    (tmp_path / "folder.npy").mkdir()
    for name, board, options, named in REFUSED:
        with subtests.test(name=name, board=board, options=options):
            with check_error(InputError, *named):
                write_board(tmp_path / name, board, **options)
            assert os.listdir(tmp_path) == ["folder.npy"]
            if options or name.startswith("folder"):
                with check_error(InputError, *named):
                    read_board(tmp_path / name, **options)


LINES = [b"1 3 0 2", b"1,3,0,2\n", b"\xef\xbb\xbf 1, 3, 0,\t2 \r\n", b"01 3 0 2\n\n \n"]

ACCEPTED = {
    ".txt": [
        *(*LINES, b"1\r\n3\r\n0\r\n2\r\n", b"1\n3\n0\n2\n\n \r\n\n", b"  1\n3  \n\t0\n2 \t\r\n"),
        *(b"\xef\xbb\xbf1\n3\n0\n2\n", b"01\n003\n0\n0000000000000000000000000000002\n", b"+1\n3.0\n0e0\n2\n"),
    ],
    ".csv": [b'\xef\xbb\xbf"column", "row"\n3, 2\n 0,1\n2,0 \n1,3', b"row\tcolumn\n2\t3\n1\t0\n0\t2\n3\t1\n"],
    ".json": [
        b"\xef\xbb\xbf[1,\n3,0,2]",
        b'{"queens": [1, 3, 0, 2], "n": 4, "by": {"n": 3, "seed": NaN}}',
        json.dumps({"n": 4, "queens": [1, 3, 0, 2]}, indent=2).encode(),
    ],
}


def test_files_that_are_accepted(subtests, tmp_path):
    for suffix, content in [(suffix, text) for suffix, texts in ACCEPTED.items() for text in texts]:
        with subtests.test(suffix=suffix, content=content):
            assert read_bytes(tmp_path, suffix, content).tolist() == [1, 3, 0, 2]


# .txt and .csv


def test_standard_input(stdin):
    def read(content, **options):
        stdin(content)
        return read_board("-", **options)

    assert read(b"2\n4\n1\n3\n", rows_from=1).tolist() == [1, 3, 0, 2]
    with check_error(InputError, "standard input", "line 2", "'x'"):
        read(b"1\nx\n")
    with check_error(InputError, "standard input", "2 boards"):
        read(b"1 3 0 2\n2 0 3 1\n")
    with check_error(InputError, "standard input", "closed"):
        read(None)


# .npy


def test_npy_of_any_integers(subtests, tmp_path, monkeypatch):
    for mapped in [True, False]:
        for rows_from in [0, 1]:
            for dtype in ["<i4", ">i4", ">u8", "u1"]:
                with subtests.test(dtype=dtype, rows_from=rows_from, mapped=mapped):
                    lower(monkeypatch, mapped_bytes=100)
                    path, rows = tmp_path / "a.npy", np.arange(120)[::-1]
                    np.save(path, (rows + rows_from).astype(dtype))
                    queens = read_board(path, rows_from=rows_from, mapped=mapped)
                    may_be_mapped = mapped and _REPLACES_MAPPED_FILES
                    assert isinstance(queens, np.memmap) == (may_be_mapped and rows_from == 0 and dtype == "<i4")
                    if not mapped:
                        os.truncate(path, 0)  # as numpy.save onto the file does
                    assert queens.dtype == np.dtype(np.int32)
                    assert queens.tolist() == rows.tolist()


@on_posix
def test_an_npy_that_is_shortened_while_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "a.npy"
    write_board(path, np.arange(10_000))
    monkeypatch.setattr("fastqueens.files.boards.check_memory", lambda *_: os.truncate(path, 5000))
    with check_error(InputError, "a.npy", "became shorter"):
        read_board(path, mapped=False)


@pytest.mark.usefixtures("made_in_file")
@pytest.mark.parametrize("through", ["its name", "a link", "another name"])
@pytest.mark.parametrize("is_the_same", [False, True])
def test_writing_onto_the_file_that_a_board_is_mapped_from_keeps_the_board(tmp_path, through, is_the_same):
    path, other = tmp_path / "board.npy", tmp_path / "other.npy"
    write_board(path, np.arange(10_000))
    if through == "a link":
        other.symlink_to("board.npy")
    elif through == "another name":
        other.hardlink_to(path)
    queens = read_board(path)
    assert isinstance(queens, np.memmap)
    target = path if through == "its name" else other
    write_board(target, queens if is_the_same else queens[::-1][:5000] - 5000)
    assert queens.tolist() == list(range(10_000))
    written = range(10_000) if is_the_same else range(4999, -1, -1)
    assert np.load(target).tolist() == list(written)
    assert np.load(path).tolist() == list(range(10_000) if through == "another name" else written)


@on_posix
def test_npy_is_not_read_from_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "a.npy")
    keeps_it_open = os.open(tmp_path / "a.npy", os.O_RDWR)
    with check_error(InputError, "a.npy", "pipe"):
        read_board(tmp_path / "a.npy")
    os.close(keeps_it_open)


# One line


def test_a_board_in_one_line():
    for text in ("2 7 3 6 0 5 1 4", " 2,7,3,6,0,5,1,4 ", "2;  7 ;3;6;\t0;5;1;4"):
        assert parse_boards(text, 0).queens.tolist() == [2, 7, 3, 6, 0, 5, 1, 4]
    assert parse_boards("1", 1).queens.tolist() == [0]


def test_ranges_are_checked_to_the_last_piece():
    for wrong in range(11):
        rows = np.zeros(11, np.uint32)
        rows[wrong] = 2**32 - 1
        with small_pieces(4), check_error(InputError, wrong, 4294967295, 0, 3):
            check_range(rows, 0, 3, str, "rows")
