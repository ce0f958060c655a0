"""The cache of compiled kernels: for one user, version and processor, never stale, and not needed."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path

import pytest
from processes import REPOSITORY, process, small_disk

from fastqueens._jit import cache, library
from fastqueens._jit.declarations import declared
from fastqueens._run import progress
from fastqueens.kernels import windows

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler links libraries here")

#: Calls a kernel, as in a clone.
PROGRAM = """
import json, os, sys
from pathlib import Path
import numpy as np
from fastqueens._jit import library
library.FOLDER = Path("no libraries came with the package")
from fastqueens.kernels import windows
exec(os.environ.get("BEFORE", ""))
queens = np.empty(20, np.int32)
windows.place_random(queens, np.uint64(1), np.uint64(0), 0, int(os.environ.get("LAST", 20)))
print(json.dumps([queens.tolist(), "numba" in sys.modules]))
"""


Ran = namedtuple("Ran", "rows has_numba messages")


def run(folder, *, package=REPOSITORY, prefix=(), **settings):
    """Run the program with this cache; return the rows, whether numba was imported, and what is on stderr."""
    foreign = ("NUMBA_", "XDG_", "PYTHON", "FASTQUEENS_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    # No .pyc files: Python's own cache misses a second edit within the same second.
    environment |= {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(folder)}
    command = [*prefix, sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment | settings, cwd=package, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Ran(*json.loads(done.stdout), done.stderr)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """What a process does whose cache is empty, and the folder that it leaves."""
    folder = tmp_path_factory.mktemp("first") / "cache"
    return run(folder), folder


@pytest.fixture
def warm(first, tmp_path):
    """The rows, and a copy of the folder."""
    ran, folder = first
    return ran.rows, shutil.copytree(folder, tmp_path / "cache")


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_first_process_stores_a_library_for_this_user_only(first):
    ran, folder = first
    assert ran.has_numba
    [kernels], [file] = folder.iterdir(), files(folder)
    assert kernels.name.startswith(f"kernels-{os.getuid()}-{library.stamp()}-")
    assert kernels.name == library.cache_folder().name
    assert stat.S_IMODE(kernels.stat().st_mode) == 0o700
    assert file.name == f"windows.place_random.1iQQqq{library.SUFFIX}"


def test_later_processes_load_it_whatever_the_settings_of_numba_are(warm):
    rows, folder = warm
    for settings in ({}, {"NUMBA_NUM_THREADS": "1", "NUMBA_THREADING_LAYER": "omp"}, {"NUMBA_OPT": "1", "CC": "false"}):
        assert run(folder, **settings) == (rows, False, "")
    assert len(files(folder)) == 1


def test_two_processes_build_the_same_library(first, tmp_path):
    run(tmp_path, PYTHONHASHSEED="1", HOME=str(tmp_path))
    assert files(tmp_path)[0].read_bytes() == files(first[1])[0].read_bytes()


def test_after_an_edit_kernels_are_compiled_again_and_old_ones_are_removed(warm, tmp_path):
    """Numba's own cache would run the old code (numba issue 1833)."""
    rows, folder = warm
    shutil.copytree(REPOSITORY / "fastqueens", tmp_path / "fastqueens", ignore=shutil.ignore_patterns("__pycache__"))
    assert run(folder, package=tmp_path) == (rows, False, "")
    [old], edited = folder.iterdir(), tmp_path / "fastqueens" / "kernels" / "stream.py"
    recent = shutil.copytree(old, folder / f"kernels-{os.getuid()}-01234567-89abcdef")
    other_user = shutil.copytree(old, folder / "kernels-99999-01234567-89abcdef")
    text, times = edited.read_text(), edited.stat()
    assert "0xA0761D6478BD642F" in text
    edited.write_text(text.replace("0xA0761D6478BD642F", "0xA0761D6478BD6421"))
    os.utime(edited, ns=(times.st_atime_ns, times.st_mtime_ns))
    for one in (old, other_user):
        os.utime(one, (time.time() - 100_000,) * 2)
    after = run(folder, package=tmp_path)
    assert (after.rows != rows, after.has_numba) == (True, True)
    assert (old.exists(), recent.exists(), other_user.exists()) == (False, True, True)
    assert run(folder, package=tmp_path) == (after.rows, False, "")


def test_a_kernel_that_is_edited_while_the_process_runs_is_not_stored(tmp_path):
    """Its name would be that of the old sources."""
    shutil.copytree(REPOSITORY / "fastqueens", tmp_path / "fastqueens", ignore=shutil.ignore_patterns("__pycache__"))
    edit = "library.stamp(); Path(windows.__file__).open('a').write('# edited\\n')"
    run(tmp_path / "cache", package=tmp_path, BEFORE=edit)
    assert files(tmp_path / "cache") == []


# Whom to trust

CHANGES = {
    "a group can write to the folder": lambda folder, file: folder.chmod(0o770),
    "all can write to the folder": lambda folder, file: folder.chmod(0o777),
    "all can write to the file": lambda folder, file: file.chmod(0o666),
    "the folder is a link": lambda folder, file: folder.rename(f"{folder}-") and folder.symlink_to(f"{folder}-"),
    "the file is a link": lambda folder, file: file.rename(f"{file}-") and file.symlink_to(f"{file}-"),
    "the folder is another user's": lambda folder, file: os.chown(folder, 23451, -1),
    "the file is another user's": lambda folder, file: os.chown(file, 23451, -1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_library_that_others_could_have_written_is_not_loaded(warm, monkeypatch, change):
    if "another user" in change and os.getuid() != 0:
        pytest.skip("only root can give files away")
    [folder] = warm[1].iterdir()
    [file] = folder.iterdir()
    [kinds] = declared(windows.place_random.py_func)
    monkeypatch.setattr(library, "cache_folder", lambda: folder)
    assert library.cached(windows.place_random, kinds)
    CHANGES[change](folder, file)
    assert library.cached(windows.place_random, kinds) is None
    assert (cache.own_folder() is None) == ("folder" in change), "nothing is stored there"


@pytest.mark.gate
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become other users")
def test_users_with_one_cache_have_folders_of_their_own(request):
    folder, found = Path(tempfile.mkdtemp()), {}  # the folders of pytest are for root only
    request.addfinalizer(lambda: shutil.rmtree(folder))
    folder.chmod(0o777)
    for user in ("23451", "23452", "23451", "23452"):
        # The users may read all files: the package and Python can be in a folder of root.
        may_read = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *may_read]
        ran = run(folder, prefix=become, HOME="/")
        assert ran.has_numba == (user not in found)
        assert found.setdefault(user, ran.rows) == ran.rows
    assert {path.stat().st_uid for path in [*folder.iterdir(), *files(folder)]} == {23451, 23452}


# Without a C compiler, a disk or a folder


NO_CC = "there is no C compiler"
REASONS = {"PATH=/none": NO_CC, "CC=/none/cc -m64": NO_CC, "CC=false": "false cannot link: exit code 1"}


@pytest.mark.parametrize(
    "setting", ["PATH=/none", *(pytest.param(name, marks=pytest.mark.gate) for name in [*REASONS][1:])]
)
def test_numba_runs_the_kernels_and_says_why(first, tmp_path, setting):
    settings = dict([setting.split("=")])
    ran = run(tmp_path, **settings)
    assert (ran.rows, ran.has_numba) == (first[0].rows, True)
    reason = "Numba runs the kernels, so every process starts about a second later: " + REASONS[setting]
    assert ran.messages == f"{reason}.\n"
    assert stat.S_IMODE(next(tmp_path.iterdir()).stat().st_mode) == 0o700
    before = files(tmp_path)
    again = run(tmp_path, **settings)
    assert (again.rows, again.messages, files(tmp_path)) == (ran.rows, "", before)


@pytest.mark.gate
def test_a_full_disk_and_one_that_can_only_be_read(warm, tmp_path):
    rows, folder = warm
    with small_disk(tmp_path / "full", "8k") as disk:
        assert run(disk).rows == rows
        assert files(disk) == []
    with small_disk(tmp_path / "image", "1m") as disk:
        shutil.copytree(folder, disk / "cache")
        (disk / "empty").mkdir()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        assert run(disk / "cache") == (rows, False, ""), "as in a container whose files are read-only"
        assert run(disk / "empty") == (rows, True, "")


def test_the_cache_is_where_the_platform_keeps_caches(tmp_path, monkeypatch):
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for platform, variable, below in (
        ("linux", "HOME", ".cache/fastqueens"),
        ("darwin", "HOME", "Library/Caches/fastqueens"),
        ("win32", "LOCALAPPDATA", "fastqueens"),
        ("linux", "XDG_CACHE_HOME", "fastqueens"),
        ("linux", "NUMBA_CACHE_DIR", "."),
    ):
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setenv(variable, str(tmp_path / "here"))
        assert library.cache_root() == tmp_path / "here" / below, platform


@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "HOME"])
def test_without_a_folder_nothing_is_stored_and_a_message_names_it(tmp_path, monkeypatch, caplog, variable):
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("no folder")
    monkeypatch.setenv(variable, str(tmp_path / "file") if variable == "NUMBA_CACHE_DIR" else "relative")
    monkeypatch.setattr(library, "cache_folder", library.cache_folder.__wrapped__)
    assert cache.own_folder() is None
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    caplog.set_level("INFO", "fastqueens")
    cache._announce.__wrapped__()
    assert caplog.messages == [progress.COMPILING_ALWAYS.format(library.cache_folder())]


# Settings


@pytest.mark.gate
def test_settings_choose_numba_and_bounds_checks(first, tmp_path):
    assert run(tmp_path, FASTQUEENS_BACK_END="numba")[:2] == (first[0].rows, True)
    assert run(tmp_path, FASTQUEENS_CHECKED="1")[:2] == (first[0].rows, True)
    with pytest.raises(AssertionError, match="IndexError: index is out of bounds"):
        run(tmp_path, FASTQUEENS_CHECKED="1", LAST="21")


def test_another_name_of_a_back_end_is_refused():
    done = process("solve", "8", env={"FASTQUEENS_BACK_END": "nimba"})
    message = "Error: the environment variable FASTQUEENS_BACK_END must be library or numba, not 'nimba'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_disabled_compilation_is_one_line(tmp_path):
    settings = {"NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    hide = "from fastqueens._jit import library; library.FOLDER /= 'none'"
    disabled = "NUMBA_DISABLE_JIT is set, and nothing runs without compiled code; unset NUMBA_DISABLE_JIT"
    done = process("solve", "8", before=hide, env=settings)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"Error: {disabled}\n")
    done = process("info", before=hide, env=settings)
    assert (done.returncode, disabled in done.stdout, done.stderr) == (0, True, "")
