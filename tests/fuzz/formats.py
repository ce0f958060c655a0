"""Every kind of file: a valid one as the library writes it, and what reads and writes it."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import fastqueens
from fastqueens.classroom.descent import read_starts
from fastqueens.core.board import Moves, Trace
from fastqueens.core.errors import InputError, NoSolutionError
from fastqueens.core.thresholds import lowered
from fastqueens.files.answers import growing_answers, heads_of, longest_line
from fastqueens.files.boards import read_board, read_boards, write_board
from fastqueens.files.growing import line_of, log
from fastqueens.files.instances import (
    Entry,
    read_fixed_queens,
    read_instance,
    read_instances,
    write_fixed_queens,
    write_instance,
)
from fastqueens.files.samples import write_samples
from fastqueens.files.traces import Header, read_moves, read_trace_and_header, write_trace

#: The n of files that do not state it.
_N = 9

#: Different valid files of each format.
_VALID = 60

#: Files of other programs, right and wrong.
_FOREIGN = [path.read_bytes() for path in sorted(Path(__file__).parents[1].glob("files/foreign/*"))]


class Format(NamedTuple):
    """A kind of file.

    draw : makes what a valid file holds
    read : returns what a file holds
    write : writes what ``draw`` made and what ``read`` returned
    suffix : what is added to the name of the file that ``write`` gets
    is_copied : whether ``write`` is a function of the library, to write again what was read
    """

    draw: Callable[[Random], Any]
    read: Callable[[Path], Any]
    write: Callable[[Path, Any], object]
    suffix: str = ""
    is_copied: bool = True


def _board(random: Random) -> list[int]:
    n = random.choice((1, 4, 5, 8, _N, 12, 12, 40))
    return random.choices(range(n), k=n)


def _boards(random: Random) -> Any:
    n = random.choice((1, 4, 5, 8))
    return np.array([random.choices(range(n), k=n) for _ in range(random.choice((1, 2, 5)))])


def _squares(random: Random, n: int = _N) -> Any:
    """Return squares of different columns, as a table of fixed queens has them."""
    columns = random.sample(range(n), random.randrange(min(n, 4) + 1))
    return np.array([(column, random.randrange(n)) for column in columns], np.int64).reshape(-1, 2)


def _instance(random: Random) -> fastqueens.Instance:
    n = random.choice((1, 4, 5, 8, _N, 30))
    while True:
        stated: dict[str, Any] = {
            "fixed": _squares(random, n),
            "blocked": _squares(random, n),
            "excluded_sums": random.choices(range(2 * n - 1), k=random.randrange(4)),
            "excluded_differences": random.choices(range(1 - n, n), k=random.randrange(4)),
        }
        try:
            return fastqueens.make_instance(n, **{name: stated[name] for name in stated if random.random() < 0.5})
        except NoSolutionError:
            continue


def _trace(random: Random) -> tuple[Any, ...]:
    n = random.choice((1, 4, 8))
    length = random.choice((1, 2, 5, 20))
    restarts = sorted(random.sample(range(1, length), random.randrange(min(length, 3))))
    counts = np.array([random.choices(range(30), k=length) for _ in range(2)])
    return Trace(*counts), restarts, random.choice((Header(), Header(n, random.randrange(99), "random")))


def _moves(random: Random) -> tuple[Any, ...]:
    trace, restarts, _ = _trace(random)
    n = random.choice((1, 4, 8))
    first = np.array([random.choices(range(n), k=n) for _ in range(len(restarts) + 1)], np.int32)
    boards, steps = iter(first.tolist()), []
    for entry in range(len(trace.pairs)):
        if entry == 0 or entry in restarts:
            board = next(boards)
        else:
            column, row = random.randrange(n), random.randrange(n)
            steps.append((column, board[column], row))
            board[column] = row
    return trace, restarts, Moves(first, np.array(steps, np.int64).reshape(-1, 3))


def _write_trace(path: Path, held: Any) -> None:
    write_trace(path, *held)


def _write_moves(path: Path, held: Any) -> None:
    trace, restarts, moves = held
    write_trace(path, trace, restarts, Header(), Moves(*moves))


def _write_lines(path: Path, instances: list[fastqueens.Instance]) -> None:
    """Write an instance as JSON into each line."""
    lines = []
    for instance in instances:
        write_instance(path.with_suffix(".json"), instance)
        lines.append(b" ".join(path.with_suffix(".json").read_bytes().split()))
    path.with_suffix(".json").unlink(missing_ok=True)
    path.write_bytes(b"\n".join(lines) + b"\n")


def _write_starts(path: Path, boards: Any) -> None:
    np.savetxt(path, boards + 1, fmt="%d")


#: A count, the batch of which there are answers, and its answers as they are written.
_COUNTED = {"n": 7, "blocked": [(2, 0)]}
_SMALL = {"tree_slice": 1, "first_rounds": 1}
_ENTRIES = [Entry("", b'{"n": %d}' % n, name, fastqueens.make_instance(n)) for n, name in ((8, None), (5, "é"), (9, 3))]
_HEADS = heads_of(_ENTRIES, {"version": fastqueens.__version__, "seed": 1, "options": {}})


@functools.cache
def _answers() -> tuple[bytes, ...]:
    found = fastqueens.solve_instances([entry.instance for entry in _ENTRIES], seed=1, threads=1)
    return tuple(line_of(head | answer.as_dict()) for head, answer in zip(_HEADS, found, strict=True))


@functools.cache
def _lines_of_count() -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory() as folder, lowered(**_SMALL):
        path = Path(folder, "count.jsonl")
        fastqueens.count_solutions(**_COUNTED, threads=1, checkpoint=path)
        return tuple(path.read_bytes().splitlines())


def _some_of(lines: Callable[[], tuple[bytes, ...]], random: Random) -> list[bytes]:
    """Return all lines or the first of them, sometimes in another order."""
    some = list(lines())[: random.choice((0, 1, 2, 3, 9, 999, 999))]
    if random.random() < 0.2:
        random.shuffle(some)
    return some


def _write_some(path: Path, lines: list[bytes]) -> None:
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def _continued(path: Path, work: Callable[[Path], None]) -> None:
    """Continue a copy of a file, which may change, in silence; damage is told in the log."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder, mock.patch.object(log, "disabled", new=True):
        copy = Path(folder, path.name)
        copy.write_bytes(path.read_bytes())
        try:
            work(copy)
        except InputError as error:
            assert copy.read_bytes() == path.read_bytes(), "it was refused and has changed"
            raise InputError(str(error).replace(str(copy), str(path))) from error


def _continue_count(path: Path) -> None:
    with lowered(**_SMALL):
        found = fastqueens.count_solutions(**_COUNTED, threads=1, checkpoint=path)
    assert found == 34, f"{found} solutions"
    assert set(path.read_bytes().splitlines()) == set(_lines_of_count())


def _continue_answers(path: Path) -> None:
    with growing_answers(path, _HEADS, longest_line(_ENTRIES)) as (write, known):
        for head, line in zip(_HEADS, _answers(), strict=True):
            if head["number"] not in known:
                write(line)
    assert sorted(path.read_bytes().splitlines()) == sorted(_answers())


FORMATS = {
    "checkpoint.jsonl": Format(
        partial(_some_of, _lines_of_count), partial(_continued, work=_continue_count), _write_some, is_copied=False
    ),
    "answers.jsonl": Format(
        partial(_some_of, _answers), partial(_continued, work=_continue_answers), _write_some, is_copied=False
    ),
    "board.npy": Format(_board, read_board, write_board),
    "board.txt": Format(_board, read_board, write_board),
    "board": Format(_board, partial(read_board, rows_from=1), partial(write_board, rows_from=1), ".txt"),
    "board.csv": Format(_board, read_board, write_board),
    "board.json": Format(_board, read_board, write_board),
    "fixed.csv": Format(_squares, partial(read_fixed_queens, n=_N), write_fixed_queens),
    "instance.json": Format(_instance, read_instance, write_instance),
    "instance.jsonl": Format(
        lambda random: [_instance(random) for _ in range(random.randrange(4))],
        lambda path: list(read_instances(path)),
        _write_lines,
    ),
    "instance": Format(_instance, read_instance, write_instance, ".json"),
    "trace.csv": Format(_trace, read_trace_and_header, _write_trace),
    "trace.npz": Format(_trace, read_trace_and_header, _write_trace),
    "moves.npz": Format(_moves, read_moves, _write_moves),
    "samples.npz": Format(_boards, read_boards, write_samples),
    "samples.txt": Format(_boards, read_boards, write_samples),
    "starts.txt": Format(_boards, read_starts, _write_starts, is_copied=False),
}
NAMES = tuple(FORMATS)


@functools.cache
def _valid(name: str, number: int) -> bytes:
    """Return one of the valid files of a format. Writing takes longer than all the rest, so there are only some."""
    form, random = FORMATS[name], Random(f"{name} {number}")
    if name == "instance":  # the format is recognised by the content
        return _valid(random.choice(("instance.json", "instance.jsonl", "board.txt", "fixed.csv")), number)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}{form.suffix}")
        form.write(path, form.draw(random))
        return path.read_bytes()


def valid_file(random: Random, name: str) -> bytes:
    """Return the content of a valid file of a format; for boards in text, often as another program wrote it."""
    if name == "samples.txt" and random.random() < 0.7:
        return random.choice(_FOREIGN)
    return _valid(name, random.randrange(_VALID))


def same(held: Any, other: Any) -> bool:
    """Tell whether two readers returned the same: arrays by value, everything else by its parts."""
    if isinstance(held, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(held, other))
    if isinstance(held, fastqueens.Instance):
        return same(_parts(held), _parts(other))
    if isinstance(held, (tuple, list)):
        return len(held) == len(other) and all(map(same, held, other))
    return bool(held == other)


def _parts(instance: fastqueens.Instance) -> tuple[Any, ...]:
    constraints = instance.blocked, instance.excluded_sums, instance.excluded_differences
    return instance.n, instance.fixed.squares, *constraints
