"""Samples in files: what ``.npz`` and ``.txt`` hold, and that they are written completely or not at all."""

import numpy as np
import pytest

from fastqueens import InputError, sample
from fastqueens.files import samples
from fastqueens.files import samples as files
from fastqueens.files.samples import write_samples

BOARDS = np.array([[1, 3, 0, 2], [2, 0, 3, 1], [1, 3, 0, 2]], np.int32)

FIGURES = {
    "n", "count", "fixed_queens", "blocked_squares", "excluded_diagonals", "seed", "chains", "burn_in", "thinning",
    "hops", "acceptance", "stuck_chains", "correlation", "autocorrelation_time", "effective_sample_size", "seconds",
}  # fmt: skip


def load(path):
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


@pytest.mark.parametrize("seed", [0, 7, 2**63, 2**64 - 1])
def test_npz_holds_boards_and_figures(tmp_path, seed):
    drawn = sample(8, 300, seed=seed)
    write_samples(tmp_path / "s.npz", drawn.boards, drawn.as_dict())
    found = load(tmp_path / "s.npz")
    assert set(found) == FIGURES | {"boards", "rows_from"}
    assert found["boards"].dtype == np.int32
    assert np.array_equal(found["boards"], drawn.boards)
    for name, value in drawn.as_dict().items():
        assert found[name].shape == ()
        assert found[name].item() == value
        kind = "U" if name == "correlation" else "f" if isinstance(value, float) else "iu"[value >= 2**63]
        assert found[name].dtype.kind == kind


def test_unknown_figures_are_left_out(tmp_path):
    drawn = sample(8, 1, seed=1)
    assert drawn.autocorrelation_time is None
    write_samples(tmp_path / "s.npz", drawn.boards, drawn.as_dict())
    missing = {"autocorrelation_time", "effective_sample_size"}
    assert set(load(tmp_path / "s.npz")) == {"boards", "rows_from", *FIGURES} - missing
    write_samples(tmp_path / "s.npz", BOARDS)
    assert set(load(tmp_path / "s.npz")) == {"boards", "rows_from"}


@pytest.mark.parametrize("rows_from", [0, 1])
@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_rows_from(tmp_path, rows_from, dtype):
    boards = BOARDS.astype(dtype)
    write_samples(tmp_path / "s.NPZ", boards, rows_from=rows_from)
    found = load(tmp_path / "s.NPZ")["boards"]
    assert found.dtype == dtype
    assert np.array_equal(found, BOARDS + rows_from)
    write_samples(tmp_path / "s.txt", boards, {"n": 4}, rows_from=rows_from)
    lines = {0: "1 3 0 2\n2 0 3 1\n1 3 0 2\n", 1: "2 4 1 3\n3 1 4 2\n2 4 1 3\n"}
    assert (tmp_path / "s.txt").read_text() == lines[rows_from]
    assert np.array_equal(boards, BOARDS), "the boards of the caller are as before"


@pytest.mark.parametrize("rows_from", [0, 1])
def test_the_largest_rows(tmp_path, rows_from):
    boards = np.full((2, 1), 2**32 - 1 - rows_from, np.uint32)
    write_samples(tmp_path / "s.npz", boards, rows_from=rows_from)
    assert load(tmp_path / "s.npz")["boards"].tolist() == [[2**32 - 1]] * 2
    write_samples(tmp_path / "s.txt", boards, rows_from=rows_from)
    assert (tmp_path / "s.txt").read_text() == "4294967295\n" * 2


@pytest.mark.parametrize("name", ["s.txt", "s.npz"])
def test_an_earlier_file_stays_until_the_end(tmp_path, monkeypatch, name):
    (tmp_path / name).write_text("earlier")

    def half(file, **_arrays):
        file.write(b"half")
        raise KeyboardInterrupt

    pieces = iter([b"half"])
    monkeypatch.setattr(np, "savez", half)
    monkeypatch.setattr(samples, "_PIECE", 4)
    monkeypatch.setattr(samples, "lines_of_numbers", lambda *_: next(pieces))
    with pytest.raises((KeyboardInterrupt, StopIteration)):
        write_samples(tmp_path / name, BOARDS)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "earlier"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("s.npy", r"s\.npy: unknown suffix '\.npy'; use \.npz or \.txt"),
        ("s", "s: the name has no suffix, which decides the format; use .npz or .txt"),
        ("nowhere/s.npz", "nowhere"),
        ("nowhere/s.txt", "nowhere"),
    ],
)
def test_wrong_names(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        write_samples(name, BOARDS)
    assert list(tmp_path.iterdir()) == []
    assert files.SAMPLE_FORMATS == (".npz", ".txt")
