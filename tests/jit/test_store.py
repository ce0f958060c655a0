"""Where compiled code is stored: for this user only, and never read from where somebody else can write."""

import errno
import json
import os
import stat
import sys
from pathlib import Path

import pytest

from fastqueens.jit import decorators, store
from fastqueens.solving import repair_kernel, windows_kernel

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")

PAYLOAD = b"compiled code"
USER = 12345
ANOTHER = 54321


def forget():
    """Forget which folders there are, as a new process does."""
    store._folders.cache_clear()
    store._is_writeable.cache_clear()


class Place:
    """A package with one kernel, and a home for its user."""

    def __init__(self, folder):
        self.home = folder / "home"
        self.package = folder / "package"
        for path in (self.home, self.package):
            path.mkdir()
        source = self.package / "small.py"
        source.write_text("def twice(number):\n    return 2 * number\n")
        names = {}
        exec(compile(source.read_text(), str(source), "exec"), names)
        self.kernel = names["twice"]

    @property
    def entry(self):
        return store.Entry(self.kernel, "int64")

    def write(self):
        """Store compiled code as a new process does; return its file."""
        forget()
        self.entry.write(PAYLOAD)
        (file,) = store.files_of(self.kernel)
        return file

    def read(self):
        forget()
        return self.entry.read()

    def ignored(self):
        forget()
        return store.ignored([self.kernel])


@pytest.fixture
def place(tmp_path, monkeypatch):
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(store, "_hash_of_kernels", store.stamp)  # an edit during the run would let nothing be stored
    yield Place(tmp_path)
    forget()


@pytest.fixture(params=[0o000, 0o002, 0o022, 0o077], ids="umask {:03o}".format)
def umask(request):
    earlier = os.umask(request.param)
    yield request.param
    os.umask(earlier)


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_folders_and_files_are_for_this_user_only(place, umask):
    file = place.write()
    assert file.is_relative_to(place.home / ".cache" / "fastqueens")
    assert list(place.package.iterdir()) == [place.package / "small.py"], "pip would not remove more"
    assert (mode_of(file.parent), mode_of(file)) == (0o700, 0o600)
    assert place.read() == PAYLOAD
    assert place.ignored() == {}


@pytest.mark.parametrize("name", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"])
def test_so_are_the_folders_above_that_are_created(place, monkeypatch, umask, name):
    top = place.home if name == "HOME" else place.home / "a" / "b"
    monkeypatch.setenv(name, str(top))
    assert place.write().is_relative_to(top)
    assert {(path.is_dir(), mode_of(path)) for path in place.home.rglob("*")} == {(True, 0o700), (False, 0o600)}
    assert place.read() == PAYLOAD


@pytest.mark.parametrize(
    ("platform", "variable", "below_home"),
    [("linux", "HOME", ".cache"), ("darwin", "HOME", "Library/Caches"), ("win32", "LOCALAPPDATA", ".")],
)
def test_the_cache_is_where_the_platform_keeps_caches(place, monkeypatch, platform, variable, below_home):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(place.home))
    assert place.write().parents[1] == place.home / below_home / "fastqueens"


def test_two_copies_of_a_package_have_folders_of_their_own(place, tmp_path):
    file = place.write()
    (tmp_path / "other").mkdir()
    other = Place(tmp_path / "other")
    other.entry.write(b"other code")
    assert (place.read(), other.entry.read()) == (PAYLOAD, b"other code")
    assert {path.parent.parent for path in place.home.rglob("*.kernel")} == {file.parent.parent}
    assert len(list(place.home.rglob("*.kernel"))) == 2


def check_ignored(place, path, reason):
    """Check that what is stored is not read because of a file or its folder; a file is stored anew."""
    assert place.read() is None
    assert place.ignored() == {path: reason}
    if path.is_dir():
        assert store.folder_of(place.kernel) is None
        place.entry.write(PAYLOAD)
        assert place.read() is None
    else:
        assert place.write().is_relative_to(path.parent)
        assert place.read() == PAYLOAD


@pytest.mark.parametrize("others", [0o070, 0o007, 0o020, 0o002, 0o077, 0o1077])
@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_others_may_write_to_is_ignored(place, others, what):
    file = place.write()
    path = file if what == "file" else file.parent
    path.chmod(0o700 | others)
    check_ignored(place, path, "other users may write to it")
    assert what == "folder" or mode_of(file) == 0o600
    file.parent.chmod(0o755)
    assert place.read() == PAYLOAD


@pytest.mark.parametrize("mode", [0o755, 0o500])
def test_what_others_may_only_read_is_used(place, mode):
    file = place.write()
    file.chmod(0o444)
    file.parent.chmod(mode)
    assert place.read() == PAYLOAD


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="everything belongs to root, who is trusted")
def test_what_belongs_to_somebody_else_is_ignored(place, monkeypatch):
    file = place.write()
    reader = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: reader)
    assert place.read() is None
    assert place.ignored() == {file.parent: "it belongs to another user"}


needs_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")


@needs_root
@pytest.mark.parametrize("reader", [0, USER])
@pytest.mark.parametrize("owner", [0, USER, ANOTHER])
@pytest.mark.parametrize("what", ["file", "folder"])
def test_only_this_user_and_root_are_trusted(place, monkeypatch, reader, owner, what):
    file = place.write()
    path = file if what == "file" else file.parent
    os.chown(path, owner, -1)
    monkeypatch.setattr(os, "geteuid", lambda: reader)
    if owner in (0, reader):
        assert place.read() == PAYLOAD
        assert place.ignored() == {}
    else:
        check_ignored(place, path, "it belongs to another user")


def test_a_cache_that_cannot_be_written_is_still_read(place, monkeypatch):
    """As in a container whose files are read-only."""
    place.write()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert place.read() == PAYLOAD
    place.entry.write(b"other code")
    assert place.read() == PAYLOAD


@needs_root
def test_a_folder_in_a_shared_one_counts_only_if_it_is_this_users(place, monkeypatch, tmp_path):
    """As /tmp is: everybody may create the folder first, and nobody may remove that of another user."""
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(shared))
    file = place.write()
    assert file.is_relative_to(shared)
    assert place.read() == PAYLOAD
    os.chown(file.parent, ANOTHER, -1)
    assert place.read() is None
    assert place.ignored() == {file.parent: "it belongs to another user"}
    assert place.write().is_relative_to(place.home)


# Files and settings that are not what they should be


def test_a_link_is_not_followed_but_replaced(place, tmp_path):
    file = place.write()
    elsewhere = tmp_path / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    assert place.read() is None
    assert set(place.ignored()) == {file}
    place.write()
    assert not file.is_symlink()
    assert place.read() == PAYLOAD


def make_huge(file):
    file.touch(0o600)
    os.truncate(file, 1 << 40)


@pytest.mark.parametrize("make", [lambda file: os.mkfifo(file, 0o600), make_huge], ids=["pipe", "huge file"])
def test_other_things_than_files_are_replaced(place, make):
    """Opening a named pipe would wait for a writer for ever."""
    file = place.write()
    file.unlink()
    make(file)
    before = len(os.listdir("/dev/fd"))
    check_ignored(place, file, "it is not a file of compiled code")
    assert len(os.listdir("/dev/fd")) == before


def test_a_folder_in_the_place_of_a_file_stays(place):
    file = place.write()
    file.unlink()
    file.mkdir(0o700)
    before = len(os.listdir("/dev/fd"))
    assert place.read() is None
    assert place.ignored() == {file: "it is not a file of compiled code"}
    with pytest.raises(OSError) as caught:
        place.entry.write(PAYLOAD)
    assert caught.value.errno == errno.EISDIR
    assert os.listdir(file.parent) == [file.name], "nothing half-written is left"
    assert len(os.listdir("/dev/fd")) == before


def test_a_named_pipe_with_settings_of_numba_does_not_hang(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo(".numba_config.yaml")
    assert store._settings_file() == ""


def test_a_cache_folder_that_is_a_file(place, monkeypatch):
    (place.home / "file").write_text("no folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(place.home / "file"))
    assert place.write().is_relative_to(place.home / ".cache")
    assert place.read() == PAYLOAD


def test_a_relative_cache_folder_stays_where_it_is(place, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "relative")
    file = place.write()
    assert file.is_relative_to(tmp_path / "relative")
    monkeypatch.chdir(place.home)
    assert place.entry.read() == PAYLOAD


def test_a_relative_folder_of_the_user_is_ignored(place, monkeypatch):
    monkeypatch.chdir(place.package)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert place.write().is_relative_to(place.home / ".cache" / "fastqueens")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "relative")
    forget()
    assert store.folder_of(place.kernel) is None


# The command


def test_info_says_what_is_ignored(place, run, monkeypatch, tmp_path):
    """In one line; the folder is the same for all kernels."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(decorators, "reason_for_numba", lambda: None)
    forget()
    for kernel in (repair_kernel.repair, windows_kernel.place_in_one_piece):
        store.Entry(kernel.py_func, "int64").write(PAYLOAD)

    def info():
        forget()
        return json.loads(run("info", "--json")[1])

    def line():
        forget()
        (line,) = (line for line in run("info")[1].splitlines() if line.startswith("ignored "))
        return line

    found = info()
    assert found["ignored"] == {}
    assert set(found["compiled"]) == {"repair_kernel.repair", "windows_kernel.place_in_one_piece"}
    files = sorted((tmp_path / "cache").rglob("*.kernel"))
    for file in files:
        file.chmod(0o666)
    found = info()
    assert (found["compiled"], found["ignored"]) == ({}, {str(file): "other users may write to it" for file in files})
    assert line().endswith(".kernel: other users may write to it; and 1 more")
    Path(found["cache"]).chmod(0o777)
    assert line() == f"ignored     {found['cache']}: other users may write to it"
