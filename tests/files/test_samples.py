"""Samples in files: the content of ``.npz`` and ``.txt``, written completely or not at all."""

import json
import os
from unittest.mock import Mock

import numpy as np
import pytest

from fastqueens import sample
from fastqueens.files import samples
from fastqueens.files.samples import write_samples

BOARDS = np.array([[1, 3, 0, 2], [2, 0, 3, 1], [1, 3, 0, 2]], np.int32)

FIGURES = {
    "version", "n", "options", "count", "fixed_queens", "blocked_squares", "excluded_diagonals", "seed", "chains",
    "burn_in", "thinning", "hops", "acceptance", "stuck_chains", "correlation", "autocorrelation_time",
    "effective_sample_size", "seconds",
}  # fmt: skip


@pytest.fixture
def written(tmp_path):
    """Write samples, and return the arrays of the .npz file, or the text."""

    def write(name, *arguments, **options):
        write_samples(tmp_path / name, *arguments, **options)
        if name.endswith(".txt"):
            return (tmp_path / name).read_text()
        with np.load(tmp_path / name, allow_pickle=False) as file:
            return dict(file)

    return write


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_npz_holds_boards_and_figures(written, seed):
    drawn = sample(8, 1000, seed=seed)
    found = written("s.npz", drawn.boards, drawn.as_dict())
    assert set(found) == FIGURES | {"boards", "rows_from"}
    assert found["boards"].dtype == np.int32
    assert np.array_equal(found["boards"], drawn.boards)
    for name, value in drawn.as_dict().items():
        assert found[name].shape == ()
        assert (json.loads if name == "options" else lambda text: text)(found[name].item()) == value
        kind = (
            "U"
            if name in ("version", "options", "correlation")
            else "f"
            if isinstance(value, float)
            else "iu"[value >= 2**63]
        )
        assert found[name].dtype.kind == kind


def test_unknown_figures_are_left_out(written):
    figures = dict.fromkeys(FIGURES, 1) | {"autocorrelation_time": None}
    assert set(written("s.npz", BOARDS, figures)) == {"boards", "rows_from", *FIGURES} - {"autocorrelation_time"}
    assert set(written("s.npz", BOARDS)) == {"boards", "rows_from"}


@pytest.mark.parametrize("rows_from", [0, 1])
@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_rows_from(written, rows_from, dtype):
    boards = BOARDS.astype(dtype)
    found = written("s.NPZ", boards, rows_from=rows_from)["boards"]
    assert found.dtype == dtype
    assert np.array_equal(found, BOARDS + rows_from)
    lines = {0: "1 3 0 2\n2 0 3 1\n1 3 0 2\n", 1: "2 4 1 3\n3 1 4 2\n2 4 1 3\n"}
    assert written("s.txt", boards, rows_from=rows_from) == lines[rows_from]
    assert np.array_equal(boards, BOARDS), "the boards of the caller are as before"
    largest = np.full((2, 1), 2**32 - 1 - rows_from, np.uint32)
    assert written("s.npz", largest, rows_from=rows_from)["boards"].tolist() == [[2**32 - 1]] * 2
    assert written("s.txt", largest, rows_from=rows_from) == "4294967295\n" * 2


@pytest.mark.parametrize("name", ["s.txt", "s.npz"])
def test_an_earlier_file_stays_until_the_end(target, monkeypatch, name):
    for module, function in ((np, "savez"), (samples, "lines_of_numbers")):
        monkeypatch.setattr(module, function, Mock(side_effect=KeyboardInterrupt))
    path = target.rename(target.with_name(name))
    with pytest.raises(KeyboardInterrupt):
        write_samples(path, BOARDS)
    assert (os.listdir(path.parent), path.read_text()) == ([name], "earlier")
