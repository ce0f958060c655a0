"""A new file has the permissions that the umask allows; a file that replaces another keeps its permission bits."""

import errno
import os
import stat

import pytest

from fastqueens.files.atomic import atomic_write


@pytest.fixture(params=[0o022, 0o077], ids=oct)
def umask(request):
    earlier = os.umask(request.param)
    yield request.param
    os.umask(earlier)


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def hidden_file(folder):
    (path,) = folder.glob(".*.part")
    return path


def test_a_new_file_has_its_permissions_from_the_beginning(tmp_path, umask):
    with atomic_write(tmp_path / "a.txt", "w"):
        assert mode_of(hidden_file(tmp_path)) == 0o666 & ~umask
    assert mode_of(tmp_path / "a.txt") == 0o666 & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o666, 0o604, 0o755], ids=oct)
@pytest.mark.parametrize("way", ["wb", "w"])
def test_a_replaced_file_keeps_its_permissions(target, mode, way, umask):
    target.chmod(mode)
    with atomic_write(target, way):
        assert mode_of(hidden_file(target.parent)) == 0o600, "the earlier file may be private"
    assert mode_of(target) == mode


def test_permissions_that_change_meanwhile_are_kept(target):
    with atomic_write(target):
        target.chmod(0o400)
    assert mode_of(target) == 0o400


@pytest.mark.parametrize("is_there", [True, False])
def test_a_system_that_sets_no_permissions(target, is_there, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    target.chmod(0o644)
    if is_there:
        monkeypatch.setattr(os, "fchmod", refuse)
    else:
        monkeypatch.delattr(os, "fchmod")
    with atomic_write(target, "w") as file:
        file.write("later")
    assert (mode_of(target), target.read_text()) == (0o600, "later")
