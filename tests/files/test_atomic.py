"""Files are written completely or not at all, whatever happens while they are written."""

import errno
import os
import random
import re
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from errors import check_error
from processes import REPOSITORY, default_signals
from systems import on_posix

from fastqueens.errors import InputError
from fastqueens.files import atomic
from fastqueens.files.atomic import atomic_write, check_target, remove_unfinished


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


@pytest.mark.parametrize("what_fails", ["the block", "fsync"])
@pytest.mark.parametrize(
    ("error", "kind", "reason"),
    [
        *((kind(), kind, "") for kind in (KeyboardInterrupt, InputError)),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "another file"), FileNotFoundError, ""),
        (OSError(errno.ENOSPC, "No space left on device"), InputError, "the disk is full"),
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


@pytest.mark.parametrize("through", ["board.txt", pytest.param("links/board.txt", marks=on_posix)])
def test_a_complete_file_that_cannot_be_renamed_is_kept(target, monkeypatch, through):
    def busy(*_):
        raise OSError(errno.EBUSY, "Device or resource busy", "hidden", None, "target")

    monkeypatch.setattr(os, "replace", busy)
    monkeypatch.chdir(target.parent)
    if os.sep in through:
        os.mkdir("links")
        os.symlink(target, through)
    with check_error(InputError, "board.txt", "mounted or in use") as caught:
        replace(through)
    remove_unfinished()
    kept = str(caught.value).rpartition(" is kept in ")[2]
    (hidden,) = target.parent.glob(".*.part")
    assert hidden.samefile(kept)
    assert (hidden.read_text(), target.read_text()) == ("later", "earlier")
    assert os.path.isabs(kept) == (os.sep in through)


@pytest.fixture
def another_user():
    """Become another user for the test, and return a file of root in a folder that this user can reach."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can become another user")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "board.txt")
        path.write_text("earlier")
        path.parent.chmod(0o755)
        os.seteuid(23451)
        yield path
        os.seteuid(0)


def test_another_user_cannot_replace_a_file_in_a_folder_that_is_closed(another_user):
    for name in ("board.txt", "new.txt"):
        with check_error(InputError, name, "permission"):
            check_target(another_user.with_name(name))
    assert_only_the_earlier_file_is_there(another_user)


@on_posix
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


def test_a_link_that_appears_meanwhile_is_replaced(target):
    (target.parent / "victim").write_text("precious")
    with atomic_write(target, "w") as file:
        file.write("later")
        target.unlink()
        target.symlink_to("victim")
    assert (target.is_symlink(), target.read_text()) == (False, "later")
    assert (target.parent / "victim").read_text() == "precious"


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@on_posix
def test_a_device_and_a_pipe_are_written_directly(pipe):
    replace("/dev/null")
    check_target(pipe)
    with ThreadPoolExecutor() as pool:
        received = pool.submit(pipe.read_bytes)
        replace(pipe, "8 queens")
        assert received.result() == b"8 queens"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@on_posix
def test_a_closed_pipe_passes_through(pipe):
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(BrokenPipeError), atomic_write(pipe) as file:  # noqa: PT012 (the reader has to leave in between)
        os.close(reader)
        file.write(b"8")


INVALID = [
    ("", None, "folder"),
    ("missing/a.txt", None, "missing does not exist"),
    ("board.txt/a.txt", None, "nothing was written"),
    ("new/", None, "folder"),
    ("loop", "loop", "symbolic links"),
    ("x" * 300, None, "too long"),
    ("nul\0", None, "null"),
    ("link", "..", "this is a folder"),
    ("other-link", "missing/file", "missing does not exist"),
]


@on_posix
def test_invalid_targets(subtests, target):
    for name, leads_to, named in INVALID:
        with subtests.test(name=name, leads_to=leads_to, named=named):
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


def test_checking_a_target_leaves_no_file(target):
    for name in ("board.txt", "new.txt"):
        check_target(target.with_name(name))
    assert_only_the_earlier_file_is_there(target)


def unlink_as_windows_does(path, unlink=os.unlink):
    used = set()
    for descriptor in range(3, 1000):
        with suppress(OSError):
            used.add(os.fstat(descriptor).st_ino)
    if os.stat(path).st_ino in used:
        raise PermissionError(errno.EACCES, "another process is using this file")
    unlink(path)


@pytest.mark.parametrize("removes_open_files", [pytest.param(True, marks=on_posix), False])
def test_the_hidden_files_of_all_threads_can_be_removed(target, monkeypatch, removes_open_files):
    monkeypatch.setattr(atomic, "_REMOVES_OPEN_FILES", removes_open_files)
    if not removes_open_files:
        monkeypatch.setattr(os, "unlink", unlink_as_windows_does)
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


# Permissions: a new file has those that the umask allows, and a file that replaces another keeps its own


@pytest.fixture(params=[0o022, 0o077], ids=oct)
def umask(request):
    earlier = os.umask(request.param)
    yield request.param
    os.umask(earlier)


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@on_posix
@pytest.mark.parametrize("mode", [None, 0o600, 0o444, 0o755])
def test_permissions(target, mode, umask):
    if mode is None:
        target.unlink()
    else:
        target.chmod(mode)
    with atomic_write(target):
        (hidden,) = target.parent.glob(".*.part")
        assert mode_of(hidden) == (0o666 & ~umask if mode is None else 0o600), "the earlier file may be private"
    assert mode_of(target) == (0o666 & ~umask if mode is None else mode)


@on_posix
def test_a_system_that_sets_no_permissions(target, monkeypatch):
    target.chmod(0o644)
    monkeypatch.delattr(os, "fchmod")
    replace(target)
    assert (mode_of(target), target.read_text()) == (0o600, "later")


# Real processes


#: Functions for the processes below: a content has a length of its own, and one letter.
BEGIN = """
import os, sys, time
from fastqueens.errors import InputError
from fastqueens.files.atomic import atomic_write

def content(letter):
    return letter.encode() * (3_000_000 + ord(letter))

def write(path, letter):
    with atomic_write(path) as file:
        for first in range(0, len(content(letter)), 1 << 16):
            file.write(content(letter)[first : first + (1 << 16)])
"""


def content(letter):
    return letter.encode() * (3_000_000 + ord(letter))


def started(folder, script, **options):
    """Start a process whose locale knows only ASCII."""
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment = {**os.environ, **locale, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-c", BEGIN + script]
    with default_signals():
        return subprocess.Popen(command, cwd=folder, env=environment, text=True, **options)


@on_posix
def test_a_kill_leaves_a_complete_file(tmp_path):
    """The process is killed 5 times, usually while it writes."""
    target, draw = tmp_path / "q", random.Random(1)
    for _ in range(5):
        target.write_bytes(content("a"))
        writer = started(tmp_path, "print(flush=True)\nwhile True: write('q', 'b')", stdout=subprocess.PIPE)
        with writer, writer.stdout:
            writer.stdout.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                writer.wait(draw.uniform(0, 0.02))
            writer.kill()
        assert writer.returncode == -signal.SIGKILL
        assert target.read_bytes() in (content("a"), content("b"))
    assert all(name == "q" or re.fullmatch(r"\.q\..*\.part", name) for name in os.listdir(tmp_path))


@on_posix
@pytest.mark.parametrize("limit", [0, 3_000_000 + ord("b") - 1, 3_000_000 + ord("b")])
def test_a_file_that_may_not_grow_leaves_the_earlier_one(target, limit):
    script = f"""
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
try:
    write("board.txt", "b")
except InputError as error:
    print(error)
"""
    with started(target.parent, script, stdout=subprocess.PIPE) as writer:
        said = writer.communicate()[0]
    is_full = limit < len(content("b"))
    assert writer.returncode == 0
    assert said == ("board.txt: the file is larger than allowed; the earlier file is unchanged\n" if is_full else "")
    assert target.read_bytes() == (b"earlier" if is_full else content("b"))
    assert os.listdir(target.parent) == ["board.txt"]


@on_posix
def test_two_writers_never_mix(tmp_path):
    """A reader always finds the complete file of one of them."""
    target = tmp_path / "q"
    target.write_bytes(content("a"))
    writers = [started(tmp_path, f"for _ in range(8): write('q', '{letter}')") for letter in "bc"]
    found = set()
    while any(writer.poll() is None for writer in writers):
        read = target.read_bytes()
        assert read in map(content, "abc")
        found.add(read[:1])
    assert [writer.wait() for writer in writers] == [0, 0]
    assert found >= {b"b", b"c"}
    assert os.listdir(tmp_path) == ["q"]


@pytest.mark.parametrize("mode", ["w", "a"])
def test_the_name_of_stdout_is_written_where_stdout_goes(tmp_path, mode):
    """Opening it by its name would replace the log, or overwrite its beginning."""
    script = """
print("before", flush=True)
with atomic_write("/dev/stdout", "w") as file:
    print("\\u00fc", file=file)
print("after")
"""
    (tmp_path / "log").write_text("earlier\n")
    with (tmp_path / "log").open(mode) as log, started(tmp_path, script, stdout=log) as writer:
        assert writer.wait() == 0
    assert (tmp_path / "log").read_text(encoding="utf-8") == "earlier\n" * (mode == "a") + "before\n\u00fc\nafter\n"


@on_posix
def test_ctrl_c_removes_the_hidden_file(target):
    script = """
with atomic_write("board.txt") as file:
    file.write(b"half")
    print(flush=True)
    time.sleep(60)
"""
    with started(target.parent, script, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        writer.stdout.readline()
        writer.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in writer.communicate()[1]
    assert_only_the_earlier_file_is_there(target)
