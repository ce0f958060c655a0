"""Files for random command lines: good files of every kind that a command reads, of several sizes, and bad files."""

import contextlib
import io
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from drawing import drawn

import fastqueens
from fastqueens.cli import app
from fastqueens.cli.session import Session
from fastqueens.files.instances import json_line, write_fixed_queens, write_instance
from fastqueens.files.samples import write_samples
from fastqueens.pictures.ascii import draw_board

#: The sizes of most boards and instances.
SIZES = (1, 4, 5, 6, 8, 12, 30)

_BAD = {
    "empty.txt": b"",
    "words.txt": "Das ist kein Brett, sondern Text.\n".encode("utf-16"),
    "pairs.txt": b"0 1\n1 3\n2 0\n3 2\n",
    "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(60),
    "array.npy": b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (4,), }" + b" " * 60,
    "archive.npz": b"PK\x03\x04" + bytes(40),
    "nested.json": b"[" * 2000 + b"]" * 2000,
    "object.json": b'{"n": 8, "queens": [1, 2], "fixed": {"a": null}}',
    "line.jsonl": b'{"n": 8}\n{"n": 1e400}\n',
}


@cache
def pool() -> dict[str, bytes]:
    """Return all files by name. Names begin with the kind; files of one size end with it, as in board-8.txt."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for n in SIZES:
            _boards(root, n)
            _instances(root, n)
            _traces(root, n)
        return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*.*"))} | _BAD


def _boards(root, n):
    solution, other = fastqueens.solve(n, seed=n).queens, fastqueens.random_board(n, seed=n)
    for suffix in (".npy", ".txt", ".csv", ".json"):
        fastqueens.write_board(root / f"board-{n}{suffix}", solution)
        fastqueens.write_board(root / f"board-other-{n}{suffix}", other)
    (root / f"board-drawn-{n}.txt").write_text(draw_board(other))
    np.savetxt(root / f"board-matrix-{n}.csv", np.equal.outer(np.arange(n), solution), "%d", ",")
    samples = fastqueens.sample(n, 3, seed=n)
    write_samples(root / f"board-samples-{n}.npz", samples.boards, samples.as_dict())
    write_samples(root / f"board-samples-{n}.txt", samples.boards, rows_from=1)
    lines = [" ".join(str(row + 1) for row in queens) for queens in (solution.tolist(), other.tolist())]
    (root / f"starts-{n}.txt").write_text("\n".join(lines))


def _instances(root, n):
    instances = [drawn(n, squares=0.5, fixed=n // 4, diagonals=n // 6, seed=seed) for seed in range(3)]
    instances.append(fastqueens.make_instance(n, blocked=[(0, row) for row in range(n)][:9]))
    for name, instance in zip(("", "-other", "-third", "-blocked"), instances, strict=True):
        write_instance(root / f"instance{name}-{n}.json", instance)
        (root / f"batch-{n}").mkdir(exist_ok=True)
        write_instance(root / f"batch-{n}" / f"one{name}.json", instance)
    (root / f"batch-{n}.jsonl").write_bytes(b"".join(map(json_line, instances)))
    write_fixed_queens(root / f"queens-{n}.csv", instances[0].fixed.squares)
    _command("batch", root / f"batch-{n}.jsonl", "--seed", 1, "-o", root / f"answers-{n}.jsonl")
    if n <= 12:
        _command("count", n, "--checkpoint", root / f"checkpoint-{n}.sqlite")


def _traces(root, n):
    for name in (f"trace-{n}.csv", f"trace-moves-{n}.npz"):
        _command("solve", n, "--seed", n, "--start", "random", "--trace", root / name)
    _command("climb", min(n, 8), "--algorithm", "restart", "--seed", n, "-o", root / f"trace-climb-{n}.npz")


def _command(*arguments):
    with contextlib.redirect_stdout(io.StringIO()):
        assert app.run([str(argument) for argument in arguments], Session()) == 0, arguments
