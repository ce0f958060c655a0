"""Files that grow: digests, the removal of lines, short writes, locks, and systems without locks."""

import errno
import fcntl
import os
import random
import re
import threading

import pytest
from errors import check_error

from fastqueens import InputError
from fastqueens.files import growing
from fastqueens.files.growing import GrowingFile, line_of, values_of

KEY = b"0123456789abcdef"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lines.jsonl"


def appended(path, *lines, **options):
    with GrowingFile(path, 1 << 20) as file:
        for line in lines:
            file.append(line, **options)


def test_any_change_of_a_line_changes_its_digest():
    values = {"number": 3, "name": "é\ud800", "queens": [1, 3, 0, 2], "seconds": 0.5, "seed": 2**64 - 1}
    line = line_of(values, KEY)
    assert values_of(line, KEY) == values
    assert values_of(line) is values_of(line, KEY[::-1]) is values_of(b"", KEY) is values_of(line[1:], KEY) is None
    for at in range(len(line)):
        for bit in range(8):
            assert values_of(line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :], KEY) is None
        assert values_of(line[:at] + line[at + 1 :], KEY) is None
        assert values_of(line[:at] + b"0" + line[at:], KEY) is None


@pytest.mark.parametrize("seed", range(10))
def test_only_rejected_lines_are_removed(path, monkeypatch, seed):
    """Pieces of a few bytes, and lines of any length, including empty lines and lines that are too long."""
    draw = random.Random(seed)
    monkeypatch.setattr(growing, "_BLOCK", draw.choice((1, 2, 7, 64, 1000)))
    lines = [bytes(draw.choices(b"abc", k=draw.choice((0, 1, 5, 40, 41, 300)))) + b"\n" for _ in range(30)]
    kept = {at for at in range(30) if draw.random() < draw.choice((0.1, 0.5, 0.9))}
    torn = draw.choice((b"", b"abc"))
    path.write_bytes(b"".join(lines) + torn)
    longest = draw.choice((1000, 42))
    with GrowingFile(path, longest) as file, file.locked():
        # The pieces of a line that is too long are lines of their own.
        pieces = [piece for _, piece in file.lines()]
        assert b"".join(pieces) == b"".join(lines) + torn
        assert max(map(len, pieces)) <= longest
        seen = []

        def is_kept(number, line):
            seen.append((number, line))
            return number in kept

        file.read(is_kept)
        expected = b"".join(piece for at, piece in enumerate(pieces, 1) if at in kept and piece.endswith(b"\n"))
        assert seen == [(at, piece[:-1]) for at, piece in enumerate(pieces, 1) if piece.endswith(b"\n")]
        file.remove_rejected()
        assert file.size == len(expected)
    assert path.read_bytes() == expected
    appended(path, b"new")
    assert path.read_bytes() == expected + b"new\n"


def test_a_process_that_is_killed_while_it_removes_lines_damages_at_most_one(path, monkeypatch):
    monkeypatch.setattr(growing, "_BLOCK", 10)
    lines = [b"%d" % number * 7 + b"\n" for number in range(30)]
    for stop in range(1, 25):
        path.write_bytes(b"".join(lines))
        left = iter(range(stop))

        def write(descriptor, data, left=left):
            if next(left, None) is None:
                raise KeyboardInterrupt
            os.write(descriptor, data)

        with monkeypatch.context() as patch, GrowingFile(path, 1000) as file:
            patch.setattr(growing, "_write", write)
            file.read(lambda number, line: number not in (2, 3, 9))
            with pytest.raises(KeyboardInterrupt):
                file.remove_rejected()
        wanted = [line for number, line in enumerate(lines, 1) if number not in (2, 3, 9)]
        assert len(set(wanted) - set(path.read_bytes().splitlines(keepends=True))) <= 1


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_a_short_write_is_continued(path, monkeypatch, most):
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:most]))
    appended(path, b"first", b"second")
    assert path.read_bytes() == b"first\nsecond\n"


def test_a_line_that_cannot_be_written_leaves_the_file_as_it_was(path, monkeypatch):
    appended(path, b"first")
    write, left = os.write, [4, 3]

    def short(descriptor, data):
        if not left:
            raise OSError(errno.ENOSPC, "full")
        return write(descriptor, data[: left.pop()])

    with monkeypatch.context() as patch, check_error(InputError, path.name, "the disk is full"):
        patch.setattr(os, "write", short)
        appended(path, b"a long second line")
    assert path.read_bytes() == b"first\n"


def test_a_torn_line_spoils_no_other(path):
    path.write_bytes(b"first\nsec")
    appended(path, b"third", b"fourth")
    assert path.read_bytes() == b"first\nsec\nthird\nfourth\n"


def test_a_lock_is_waited_for_and_then_an_error(path, monkeypatch):
    appended(path, b"first")
    with path.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        release = threading.Timer(0.1, fcntl.flock, (other, fcntl.LOCK_UN))
        release.start()
        appended(path, b"second")
        release.join()
        fcntl.flock(other, fcntl.LOCK_EX)
        monkeypatch.setattr(growing, "_PATIENCE", 0.05)
        with check_error(InputError, path.name, "another process", "0.05 s"):
            appended(path, b"third")
    appended(path, b"third")
    assert path.read_bytes() == b"first\nsecond\nthird\n"


def test_the_lock_is_free_between_lines(path):
    with GrowingFile(path, 1000) as file, path.open() as other:
        file.append(b"first")
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize("is_there", [True, False])
def test_lines_are_added_without_locks(path, monkeypatch, is_there):
    """Windows has no locks, and some file systems refuse them."""

    def refuse(*_):
        raise OSError(errno.ENOTSUP, "no locks")

    if is_there:
        monkeypatch.setattr(fcntl, "flock", refuse)
    else:
        monkeypatch.setattr(growing, "fcntl", None)
    appended(path, b"first", b"second")
    with GrowingFile(path, 1000) as file, file.locked():
        file.read(lambda number, line: number == 2)
        file.remove_rejected()
    assert path.read_bytes() == b"second\n"


def test_a_process_that_wants_to_be_alone_notices_another(path):
    with GrowingFile(path, 1000) as one, GrowingFile(path, 1000) as other:
        one.append(b"first", is_alone=True)
        one.append(b"second", is_alone=True)
        with check_error(InputError, path.name, "another process"):
            other.append(b"third", is_alone=True)
        other.append(b"fourth")
        with check_error(InputError, path.name, "another process"):
            one.append(b"fifth", is_alone=True)
    assert path.read_bytes() == b"first\nsecond\nfourth\n"


@pytest.mark.parametrize("replace", [os.unlink, lambda path: os.rename(path, f"{path}.old"), lambda path: new(path)])
def test_a_file_that_is_no_longer_there(path, replace):
    with GrowingFile(path, 1000) as file:
        file.append(b"first")
        file.read(lambda number, line: False)
        replace(path)
        for change in (lambda: file.append(b"second"), file.remove_rejected):
            with check_error(InputError, path.name, re.compile("moved, removed or replaced|no such file")):
                change()


def new(path):
    os.unlink(path)
    path.write_bytes(b"new\n")
