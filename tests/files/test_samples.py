"""Samples in files: the content of ``.npz`` and ``.txt``, written completely or not at all."""

import json
import os

import numpy as np
import pytest
from errors import check_error
from processes import limited_file_size

from fastqueens import InputError, sample
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


def test_npz_holds_boards_and_figures(subtests, written):
    for seed in [0, 2**64 - 1]:
        with subtests.test(seed=seed):
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


def test_rows_from(subtests, written):
    for dtype in [np.int32, np.uint32]:
        for rows_from in [0, 1]:
            with subtests.test(rows_from=rows_from, dtype=dtype):
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


def test_an_earlier_file_stays_if_the_samples_do_not_fit(subtests, target):
    for name in ("s.txt", "s.npz"):
        with subtests.test(name=name):
            path = target.with_name(name)
            path.write_text("earlier")
            with limited_file_size(1000), check_error(InputError, name, "larger than allowed"):
                write_samples(path, np.zeros((1000, 100), np.int32))
            assert path.read_text() == "earlier"
    assert sorted(os.listdir(target.parent)) == ["board.txt", "s.npz", "s.txt"]
