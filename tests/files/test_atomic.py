"""Files are written completely or not at all, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest
from errors import check_error

from fastqueens.core.errors import InputError
from fastqueens.files import atomic
from fastqueens.files.atomic import atomic_write, check_target, remove_unfinished, reserve
from fastqueens.files.text import open_to_read


def only_file(folder: Path) -> str:
    (path,) = folder.iterdir()
    return path.name


def test_the_target_changes_only_at_the_end(target: Path) -> None:
    with atomic_write(target) as file:
        file.write(b"later")
        file.flush()
        assert target.read_text() == "earlier"
        (hidden,) = set(target.parent.iterdir()) - {target}
        assert hidden.name.startswith(".board.txt.")
        assert hidden.name.endswith(".part")
    assert target.read_text() == "later"
    assert only_file(target.parent) == "board.txt"


def test_text_is_utf8_with_plain_line_ends(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "a.txt", "w") as file:
        file.write("ü\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\xc3\xbc\n"


@pytest.mark.parametrize("exception", [KeyboardInterrupt, RuntimeError, GeneratorExit, InputError])
def test_an_exception_leaves_the_earlier_file(target: Path, exception: type[BaseException]) -> None:
    def half_a_file() -> None:
        with atomic_write(target) as file:
            file.write(b"half")
            raise exception

    with pytest.raises(exception):
        half_a_file()
    assert target.read_text() == "earlier"
    assert only_file(target.parent) == "board.txt"


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the disk quota is exceeded"),
        (errno.EROFS, "the file system is read-only"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_disk_errors_are_said_in_words(target: Path, number: int, reason: str) -> None:
    with pytest.raises(InputError) as caught, atomic_write(target):
        raise OSError(number, os.strerror(number))
    assert str(caught.value) == f"{target}: {reason}; the earlier file is unchanged"
    assert target.read_text() == "earlier"
    new = target.with_name("new.txt")
    with check_error(InputError, "new.txt", reason), atomic_write(new):
        raise OSError(number, os.strerror(number))
    assert only_file(target.parent) == "board.txt"


def test_a_failing_fsync_or_rename_is_an_error(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with check_error(InputError, "board.txt", "full"), atomic_write(target) as file:
                file.write(b"later")
        assert target.read_text() == "earlier"
        assert only_file(target.parent) == "board.txt"


def test_an_error_of_another_file_passes_through(target: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_write(target):
        (target.parent / "other").read_bytes()


LIMITED = """
import resource, sys
from fastqueens.core.errors import InputError
from fastqueens.files.atomic import atomic_write, reserve
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
try:
    with atomic_write(sys.argv[1]) as file:
        if sys.argv[2] == "reserve":
            reserve(file.fileno(), 6000)
        else:
            for _ in range(100):
                file.write(bytes(100))
except InputError as error:
    print(error)
"""


@pytest.mark.parametrize("is_dangling", [False, True])
def test_links_stay_and_their_file_is_replaced(target: Path, is_dangling: bool) -> None:
    (folder := target.parent / "links").mkdir()
    (folder / "first").symlink_to(folder / "second")
    (folder / "second").symlink_to("../board.txt")
    target.chmod(0o640)
    if is_dangling:
        target.unlink()
    with atomic_write(folder / "first", "w") as file:
        file.write("later")
    assert all(link.is_symlink() for link in folder.iterdir())
    assert target.read_text() == "later"
    assert sorted(os.listdir(folder)) == ["first", "second"]
    assert is_dangling or stat.S_IMODE(target.stat().st_mode) == 0o640


def test_links_that_lead_to_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name, leads_to, message in (
        ("a", "folder", "this is a folder, not a file; nothing was written"),
        ("b", "missing/file", "missing does not exist; nothing was written"),
        ("c", "new/", "new does not exist; nothing was written"),
    ):
        (tmp_path / name).symlink_to(leads_to)
        for attempt in (check_target, atomic_write):
            with pytest.raises(InputError, match=message):
                attempt(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "c", "folder"]


def test_only_one_of_several_names_gets_the_new_content(target: Path) -> None:
    other = target.with_name("other.txt")
    other.hardlink_to(target)
    with atomic_write(target, "w") as file:
        file.write("later")
    assert (target.read_text(), other.read_text()) == ("later", "earlier")


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_link_in_place_of_the_hidden_file_is_not_followed(
    target: Path, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can guess the name of the hidden file; here somebody does."""
    victim = target.with_name("victim")
    victim.write_text("precious")
    planted = target.with_name(".board.txt.000000000000.part")
    monkeypatch.setattr(os, "urandom", bytes)
    if when == "before":
        planted.symlink_to("victim")
        for attempt in (lambda: check_target(target), lambda: atomic_write(target).__enter__()):
            with check_error(InputError, "board.txt", "exists"):
                attempt()
        assert planted.is_symlink(), "it is somebody else's file"
    else:
        with atomic_write(target) as file:
            file.write(b"later")
            planted.unlink()
            planted.symlink_to("victim")
    assert victim.read_text() == "precious"


def test_a_link_that_appears_meanwhile_is_replaced(target: Path) -> None:
    victim = target.with_name("victim")
    victim.write_text("precious")
    victim.chmod(0o666)
    target.chmod(0o600)
    with atomic_write(target, "w") as file:
        file.write("later")
        target.unlink()
        target.symlink_to("victim")
    assert victim.read_text() == "precious"
    assert not target.is_symlink()
    assert target.read_text() == "later"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root makes links of other users")
@pytest.mark.parametrize("is_dangling", [False, True])
@pytest.mark.parametrize("mode", [0o1777, 0o777, 0o770])
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(
    tmp_path: Path, mode: int, is_dangling: bool
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    victim = tmp_path / "victim"
    if not is_dangling:
        victim.write_text("precious")
    link = shared / "board.npy"
    link.symlink_to("../victim")
    os.lchown(link, 1234, 1234)
    mine = tmp_path / "mine"
    mine.symlink_to("shared/board.npy")
    for name in (link, mine):
        for attempt in (check_target, atomic_write):
            with check_error(InputError, "../victim"):
                attempt(name)
    assert os.listdir(shared) == ["board.npy"]
    assert victim.exists() != is_dangling
    for allow in (lambda: os.chown(shared, 1234, 1234), lambda: os.lchown(link, 0, 0), lambda: shared.chmod(0o755)):
        os.chown(shared, 0, 0)
        os.lchown(link, 1234, 1234)
        shared.chmod(mode)
        allow()
        with atomic_write(link, "w") as file:
            file.write("later")
        assert victim.read_text() == "later"


def test_a_file_that_takes_the_place_of_a_pipe_is_not_emptied(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    opened = atomic_write(pipe)
    pipe.unlink()
    pipe.write_text("precious")
    with check_error(InputError, "pipe"):
        opened.__enter__()
    assert pipe.read_text() == "precious"


def test_a_name_of_the_greatest_length(tmp_path: Path) -> None:
    path = tmp_path / ("ü" * 120 + "x" * 15)
    with atomic_write(path, "w") as file:
        file.write("8")
    assert path.read_text() == "8"


def test_a_device_and_a_pipe_are_written_directly(tmp_path: Path) -> None:
    with atomic_write("/dev/null") as file:
        file.write(b"away")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_target(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    with atomic_write(pipe) as file:
        file.write(b"8 queens")
    reader.join()
    assert received == [b"8 queens"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_closed_pipe_passes_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(BrokenPipeError), atomic_write(pipe) as file:  # noqa: PT012 (the reader has to leave in between)
        os.close(reader)
        file.write(b"8")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_device() -> None:
    with check_error(InputError, "/dev/full", "disk"), atomic_write("/dev/full") as file:
        file.write(b"8")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "is a folder"),
        ("missing/a.txt", "missing does not exist; nothing was written"),
        ("board.txt/a.txt", "is not a folder; nothing was written"),
        ("new/", "is a folder"),
        ("loop", "the link leads back to itself"),
        ("x" * 300, "the name is too long"),
        ("nul\0", "null"),
    ],
)
def test_invalid_targets(target: Path, name: str, message: str) -> None:
    (target.parent / "loop").symlink_to("loop")
    path = os.path.join(target.parent, name)
    for attempt in (check_target, atomic_write):
        with pytest.raises(InputError, match=message):
            attempt(path)
    with pytest.raises(InputError, match="empty"):
        check_target("")


def test_a_folder_without_write_permission(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: str, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr("builtins.open", refused)
    for name in ("board.txt", "new.txt"):
        with check_error(InputError, name, "permission"):
            check_target(target.with_name(name))


def test_checking_a_target_leaves_no_file(target: Path) -> None:
    check_target(target)
    check_target(target.with_name("new.txt"))
    assert target.read_text() == "earlier"
    assert only_file(target.parent) == "board.txt"


def test_the_hidden_files_of_all_threads_can_be_removed(target: Path) -> None:
    written, leave = threading.Event(), threading.Event()
    errors: list[InputError] = []

    def write() -> None:
        try:
            with atomic_write(target) as file:
                file.write(b"half")
                written.set()
                leave.wait()
        except InputError as error:
            errors.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    written.wait()
    remove_unfinished()
    assert only_file(target.parent) == "board.txt"
    leave.set()
    writer.join()
    assert len(errors) == 1
    assert target.read_text() == "earlier"
    assert not atomic._unfinished


def test_nothing_is_reserved_if_the_system_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    with atomic_write(tmp_path / "a") as file:
        reserve(file.fileno(), 0)
        monkeypatch.setattr(os, "posix_fallocate", unsupported, raising=False)
        reserve(file.fileno(), 100)
        monkeypatch.delattr(os, "posix_fallocate")
        reserve(file.fileno(), 100)
    assert (tmp_path / "a").stat().st_size == 0


def test_reading_errors_name_the_file(tmp_path: Path) -> None:
    for name, reason in [("none", "no such file"), ("", "this is a folder"), ("x" * 300, "too long"), ("\0", "null")]:
        with pytest.raises(InputError, match=reason), open_to_read(os.path.join(tmp_path, name)):
            pass
    (tmp_path / "a").write_text("8")
    with pytest.raises(InputError, match="a: Input"), open_to_read(tmp_path / "a"):
        raise OSError(errno.EIO, "Input/output error")
    with pytest.raises(ValueError, match="own"), open_to_read(tmp_path / "a"):
        raise ValueError("own")
