"""Random damage of files: each file is refused with a message, or its content can be written and read again."""

import io
import os
import zipfile
from random import Random

import numpy as np
import pytest
from damages import damaged
from formats import FORMATS
from hypothesis import given
from hypothesis import strategies as st

from fastqueens import InputError, Instance, NoSolutionError
from fastqueens.errors import NotEnoughMemoryError
from fastqueens.files.boards import read_board
from fastqueens.files.traces import read_trace

#: Characters of a message without the name of the file.
_LONGEST = 500


def damaged_file(random, content):
    """Damage content; a file inside an archive often keeps a right checksum, so that its reader gets it."""
    if not content.startswith(b"PK") or random.random() < 0.3:
        return damaged(random, content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice(list(members))
    members[name] = damaged(random, members[name])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return file.getvalue()


def plain(held):
    """Return content as lists and tuples, which can be compared."""
    if isinstance(held, np.ndarray):
        return held.tolist()
    if isinstance(held, Instance):
        constraints = held.blocked, held.excluded_sums, held.excluded_differences
        return held.n, plain((held.fixed.squares, *constraints))
    return [plain(part) for part in held] if isinstance(held, tuple | list) else held


def outcome(form, path):
    """Return the content of a file, or None and the message if it is refused."""
    try:
        return form.read(path), None
    except (InputError, NoSolutionError, NotEnoughMemoryError) as error:
        return None, str(error)


@pytest.mark.parametrize("name", FORMATS)
@given(seed=st.integers(0, 2**32))
def test_a_damaged_file_is_refused_or_read_as_it_can_be_written(tmp_path_factory, name, seed):
    folder, random = tmp_path_factory.mktemp("files"), Random(seed)
    form, path, copy = FORMATS[name], folder / name, folder / f"copy-{name}"
    form.write(path, form.make(seed % 1000))
    whole = path.read_bytes()
    for _ in range(8):
        content = damaged_file(random, whole)
        path.write_bytes(content)
        held, message = outcome(form, path)
        if message is None:
            form.write(copy, held)
            assert plain(form.read(copy)) == plain(held), content
            copy.unlink()
        else:
            assert message.startswith((f"{path}: ", f"{path} ")), content
            assert len(message) < len(str(path)) + _LONGEST, content
        assert os.listdir(folder) == [name], content
        assert path.read_bytes() == content


# Files that readers once warned of


def test_a_header_of_python_2_is_read_without_a_warning(tmp_path):
    header = b"{'descr': '>i4', 'fortran_order': False, 'shape': (1L,)}"
    (tmp_path / "board.npy").write_bytes(b"\x93NUMPY\x01\0" + bytes([len(header), 0]) + header + bytes(4))
    assert read_board(tmp_path / "board.npy").tolist() == [0]


def test_an_empty_array_of_another_dtype_is_cast_without_a_warning(tmp_path):
    np.savez(tmp_path / "t.npz", restarts=np.empty(0, complex), pairs=[0], conflicting_queens=[0])
    assert read_trace(tmp_path / "t.npz")[1] == ()
