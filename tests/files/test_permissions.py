"""A file that replaces another keeps its permissions, and never gives more access than the earlier one."""

import errno
import os
import stat
import struct

import pytest

from fastqueens.files import atomic
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


def refuse(*_):
    raise PermissionError(errno.EPERM, "Operation not permitted")


def test_a_new_file_has_its_permissions_from_the_beginning(tmp_path, umask):
    with atomic_write(tmp_path / "a.txt", "w"):
        assert mode_of(hidden_file(tmp_path)) == 0o666 & ~umask
    assert mode_of(tmp_path / "a.txt") == 0o666 & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o666, 0o604, 0o1755], ids=oct)
@pytest.mark.parametrize("way", ["wb", "w"])
def test_a_replaced_file_keeps_its_permissions(target, mode, way, umask, monkeypatch):
    target.chmod(mode)
    at_rename = []
    monkeypatch.setattr(os, "fsync", lambda _: at_rename.append(mode_of(hidden_file(target.parent))))
    with atomic_write(target, way):
        assert mode_of(hidden_file(target.parent)) == 0o600
    assert at_rename == [mode]
    assert mode_of(target) == mode


def test_permissions_that_change_meanwhile_are_kept(target):
    new = target.with_name("new.txt")
    for path, change in (
        (target, lambda: target.chmod(0o400)),
        (target, target.unlink),
        (new, lambda: new.touch(0o400)),
    ):
        with atomic_write(path):
            change()
        assert mode_of(path) == 0o400


@pytest.mark.parametrize(
    ("user", "group", "mode", "expected"),
    [
        (1, 0, 0o6640, 0o2640),
        (0, 1, 0o640, 0o600),
        (0, 1, 0o664, 0o644),
        (0, 1, 0o604, 0o600),
        (0, 1, 0o6755, 0o4755),
        (1, 1, 0o6644, 0o644),
    ],
    ids=lambda value: oct(value) if value > 1 else None,
)
def test_without_the_group_no_user_gets_more_access(target, user, group, mode, expected, monkeypatch):
    target.chmod(mode)
    fields = list(target.stat())
    fields[stat.ST_UID] += user
    fields[stat.ST_GID] += group
    monkeypatch.setattr(atomic, "_status", lambda _: os.stat_result(fields))
    monkeypatch.setattr(os, "fchown", refuse)
    with atomic_write(target):
        pass
    assert mode_of(target) == expected


@pytest.mark.parametrize("is_there", [True, False])
def test_permissions_that_cannot_be_set_are_narrower(target, is_there, monkeypatch):
    """The system refuses, or does not have these functions."""
    target.chmod(0o644)
    for name in ("fchmod", "fchown", "getxattr"):
        if is_there:
            monkeypatch.setattr(os, name, refuse, raising=False)
        else:
            monkeypatch.delattr(os, name, raising=False)
    with atomic_write(target, "w") as file:
        file.write("later")
    assert (mode_of(target), target.read_text()) == (0o600, "later")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_root_keeps_owner_and_group(target):
    os.chown(target, 12345, 12346)
    target.chmod(0o4640)
    with atomic_write(target):
        assert hidden_file(target.parent).stat().st_uid == 0
    status = target.stat()
    assert (status.st_uid, status.st_gid, mode_of(target)) == (12345, 12346, 0o4640)


def test_of_a_file_with_an_access_control_list_only_the_owner_keeps_access(target):
    """The list is not copied. Without it, the bits of the group would be those of its mask."""
    name, undefined = "system.posix_acl_access", 2**32 - 1
    # Tag, permissions, user: the group gets nothing and user 12345 may read; the permission bits are rw-r-----.
    entries = (1, 6, undefined), (2, 4, 12345), (4, 0, undefined), (16, 4, undefined), (32, 0, undefined)
    try:
        os.setxattr(target, name, struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries))
    except (AttributeError, OSError):
        pytest.skip("this file system has no access control lists")
    assert mode_of(target) == 0o640
    with atomic_write(target):
        pass
    assert name not in os.listxattr(target)
    assert mode_of(target) == 0o600
