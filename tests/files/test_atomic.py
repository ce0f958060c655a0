"""Files are written completely or not at all, whatever happens while they are written."""

import errno
import os
import re
import stat
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from errors import check_error

from fastqueens.core.errors import InputError
from fastqueens.files import atomic
from fastqueens.files.atomic import atomic_write, check_target, remove_unfinished, reserve
from fastqueens.files.text import open_to_read


def replace(path, text="later"):
    with atomic_write(path, "w") as file:
        file.write(text)


def assert_only_the_earlier_file_is_there(target):
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    assert target.read_text() == "earlier"


def test_the_target_changes_only_at_the_end(target):
    with atomic_write(target) as file:
        file.write(b"later")
        file.flush()
        assert target.read_text() == "earlier"
        (hidden,) = set(target.parent.iterdir()) - {target}
        assert re.fullmatch(r"\.board\.txt\..*\.part", hidden.name)
    assert target.read_text() == "later"
    assert os.listdir(target.parent) == ["board.txt"]


def test_text_is_utf8_with_plain_line_ends_also_in_a_file_with_the_longest_name(tmp_path):
    path = tmp_path / ("ü" * 120 + "x" * 15)
    replace(path, "ü\n")
    assert path.read_bytes() == b"\xc3\xbc\n"


@pytest.mark.parametrize("what_fails", ["the block", "fsync", "replace"])
@pytest.mark.parametrize(
    ("error", "kind", "reason"),
    [
        *((kind(), kind, "") for kind in (KeyboardInterrupt, RuntimeError, GeneratorExit, InputError)),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "another file"), FileNotFoundError, ""),
        (OSError(errno.ENOSPC, "No space left on device"), InputError, "the disk is full"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), InputError, "the disk quota is exceeded"),
        (OSError(errno.EROFS, "Read-only file system"), InputError, "the file system is read-only"),
        (OSError(errno.EIO, "Input/output error"), InputError, "Input/output error"),
    ],
)
def test_an_error_leaves_the_earlier_file(target, monkeypatch, what_fails, error, kind, reason):
    def fail(*_):
        raise error

    if what_fails != "the block":
        monkeypatch.setattr(os, what_fails, fail)
    for path, rest in ((target, "unchanged"), (target.with_name("new.txt"), "nothing was written")):
        with check_error(kind, *([path.name, reason, rest] if reason else [])), atomic_write(path) as file:
            file.write(b"later")
            if what_fails == "the block":
                fail()
        assert_only_the_earlier_file_is_there(target)


@pytest.mark.parametrize("is_dangling", [False, True])
def test_links_stay_and_their_file_is_replaced(target, is_dangling):
    (folder := target.parent / "links").mkdir()
    (folder / "first").symlink_to(folder / "second")
    (folder / "second").symlink_to("../board.txt")
    target.chmod(0o640)
    if is_dangling:
        target.unlink()
    replace(folder / "first")
    assert sorted(path.name for path in folder.iterdir() if path.is_symlink()) == ["first", "second"]
    assert len(os.listdir(folder)) == 2
    assert target.read_text() == "later"
    assert is_dangling or stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.fixture
def victim(target):
    """Return a file that must not change."""
    path = target.with_name("victim")
    path.write_text("precious")
    path.chmod(0o666)
    yield path
    assert path.read_text() == "precious"


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_link_in_place_of_the_hidden_file_is_not_followed(target, victim, when, monkeypatch):
    """Nobody can guess the name of the hidden file; here somebody does."""
    planted = target.with_name(".board.txt.000000000000.part")
    monkeypatch.setattr(os, "urandom", bytes)
    if when == "before":
        planted.symlink_to("victim")
        for attempt in (check_target, replace):
            with check_error(InputError, "board.txt", "exists"):
                attempt(target)
        assert planted.is_symlink(), "it is somebody else's file"
    else:
        with atomic_write(target) as file:
            file.write(b"later")
            planted.unlink()
            planted.symlink_to("victim")


def test_a_link_that_appears_meanwhile_is_replaced(target, victim):
    target.chmod(0o600)
    with atomic_write(target, "w") as file:
        file.write("later")
        target.unlink()
        target.symlink_to("victim")
    assert (target.is_symlink(), target.read_text()) == (False, "later")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root makes links of other users")
@pytest.mark.parametrize("is_dangling", [False, True])
@pytest.mark.parametrize("mode", [0o1777, 0o777, 0o770])
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(tmp_path, mode, is_dangling):
    shared, victim, mine = (tmp_path / name for name in ("shared", "victim", "mine"))
    shared.mkdir()
    if not is_dangling:
        victim.write_text("precious")
    link = shared / "board.npy"
    link.symlink_to("../victim")
    mine.symlink_to("shared/board.npy")

    def share():
        os.chown(shared, 0, 0)
        os.lchown(link, 1234, 1234)
        shared.chmod(mode)

    share()
    for name in (link, mine):
        for attempt in (check_target, atomic_write):
            with check_error(InputError, "../victim"):
                attempt(name)
    assert os.listdir(shared) == ["board.npy"]
    assert victim.exists() != is_dangling
    for allow in (lambda: os.chown(shared, 1234, 1234), lambda: os.lchown(link, 0, 0), lambda: shared.chmod(0o755)):
        share()
        allow()
        replace(link)
        assert victim.read_text() == "later"


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_device_and_a_pipe_are_written_directly(pipe):
    replace("/dev/null")
    check_target(pipe)
    with ThreadPoolExecutor() as pool:
        received = pool.submit(pipe.read_bytes)
        replace(pipe, "8 queens")
        assert received.result() == b"8 queens"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_file_that_takes_the_place_of_a_pipe_is_not_emptied(pipe):
    opened = atomic_write(pipe)
    pipe.unlink()
    pipe.write_text("precious")
    with check_error(InputError, "pipe"):
        opened.__enter__()
    assert pipe.read_text() == "precious"


def test_a_closed_pipe_passes_through(pipe):
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(BrokenPipeError), atomic_write(pipe) as file:  # noqa: PT012 (the reader has to leave in between)
        os.close(reader)
        file.write(b"8")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_device():
    with check_error(InputError, "/dev/full", "disk"):
        replace("/dev/full")


@pytest.mark.parametrize(
    ("name", "leads_to", "named"),
    [
        ("", None, "folder"),
        ("missing/a.txt", None, "missing does not exist"),
        ("board.txt/a.txt", None, "nothing was written"),
        ("new/", None, "folder"),
        ("loop", "loop", "back to itself"),
        ("x" * 300, None, "too long"),
        ("nul\0", None, "null"),
        ("link", "..", "this is a folder"),
        ("link", "missing/file", "missing does not exist"),
        ("link", "new/", "new does not exist"),
    ],
)
def test_invalid_targets(target, name, leads_to, named):
    path = os.path.join(target.parent, name)
    if leads_to:
        os.symlink(leads_to, path)
    before = sorted(os.listdir(target.parent))
    for attempt in (check_target, atomic_write):
        with check_error(InputError, re.compile(named)):
            attempt(path)
    with check_error(InputError, "empty"):
        check_target("")
    assert sorted(os.listdir(target.parent)) == before


def test_a_folder_without_write_permission(target, monkeypatch):
    def refused(path, *_, **__):
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr("builtins.open", refused)
    for name in ("board.txt", "new.txt"):
        with check_error(InputError, name, "permission"):
            check_target(target.with_name(name))


def test_checking_a_target_leaves_no_file(target):
    for name in ("board.txt", "new.txt"):
        check_target(target.with_name(name))
    assert_only_the_earlier_file_is_there(target)


def test_the_hidden_files_of_all_threads_can_be_removed(target):
    written, leave = threading.Event(), threading.Event()

    def write():
        with atomic_write(target) as file:
            file.write(b"half")
            written.set()
            leave.wait()

    with ThreadPoolExecutor() as pool:
        writer = pool.submit(write)
        written.wait()
        remove_unfinished()
        left = os.listdir(target.parent)
        leave.set()
        assert (left, type(writer.exception())) == ([target.name], InputError)
    assert_only_the_earlier_file_is_there(target)
    assert not atomic._unfinished


def test_nothing_is_reserved_if_the_system_cannot(tmp_path, monkeypatch):
    def unsupported(*_):
        raise OSError(errno.EOPNOTSUPP, "not supported")

    with atomic_write(tmp_path / "a") as file:
        assert not reserve(file.fileno(), 0)
        monkeypatch.setattr(os, "posix_fallocate", unsupported, raising=False)
        assert not reserve(file.fileno(), 100)
        monkeypatch.delattr(os, "posix_fallocate")
        assert not reserve(file.fileno(), 100)
    assert (tmp_path / "a").stat().st_size == 0


@pytest.mark.parametrize(
    ("name", "error", "kind", "named"),
    [
        ("none", None, InputError, "no such file"),
        ("", None, InputError, "this is a folder"),
        ("x" * 300, None, InputError, "too long"),
        ("\0", None, InputError, "null"),
        ("board.txt", OSError(errno.EIO, "Input/output error"), InputError, "board.txt: Input"),
        ("board.txt", ValueError("own"), ValueError, "own"),
    ],
)
def test_reading_errors_name_the_file(target, name, error, kind, named):
    with check_error(kind, re.compile(named)), open_to_read(os.path.join(target.parent, name)):
        raise error or AssertionError("it was opened")
