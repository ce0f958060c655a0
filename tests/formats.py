"""Every kind of file that is read: random content, and functions that write and read it."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from drawing import drawn

import fastqueens
from fastqueens.files.boards import read_board, read_boards, write_board
from fastqueens.files.instances import (
    json_line,
    read_fixed_queens,
    read_instance,
    read_instances,
    write_fixed_queens,
    write_instance,
)
from fastqueens.files.samples import write_samples
from fastqueens.files.traces import Header, read_moves, read_trace_and_header, write_trace


class Format(NamedTuple):
    """A kind of file: ``make`` returns random content for a seed, ``write`` writes it, and ``read`` returns it."""

    make: Callable[[int], Any]
    write: Callable[..., None]
    read: Callable[..., Any]


def _board(seed):
    return fastqueens.random_board((1, 4, 5, 8, 40)[seed % 5], seed=seed)


def _boards(seed):
    return fastqueens.sample(4 + seed % 5, 1 + seed % 3, seed=seed).boards


def _fixed(seed):
    return fastqueens.puzzle(9, seed % 5, seed=seed).fixed


def _instance(seed):
    return drawn(5 + seed % 20, squares=0.3, diagonals=seed % 3, fixed=seed % 4, seed=seed)


def _search(seed):
    result = fastqueens.solve(4 + seed % 9, seed=seed, start="random", method="local", trace="moves")
    return result.trace, result.restarts, result.moves


def _trace(seed):
    return (*_search(seed)[:2], Header())


def _write_trace(path, held):
    trace, restarts, header = held
    write_trace(path, trace, restarts, header._asdict())


def _write_moves(path, held):
    write_trace(path, held[0], held[1], moves=held[2])


def _write_instances(path, instances):
    path.write_bytes(b"".join(json_line(instance) for instance in instances))


FORMATS = {
    **dict.fromkeys(("board.npy", "board.txt", "board.csv", "board.json"), Format(_board, write_board, read_board)),
    "fixed.csv": Format(_fixed, write_fixed_queens, partial(read_fixed_queens, n=9)),
    "instance.json": Format(_instance, write_instance, read_instance),
    "instances.jsonl": Format(
        lambda seed: [_instance(seed + number) for number in range(1 + seed % 3)],
        _write_instances,
        lambda path: list(read_instances(path)),
    ),
    **dict.fromkeys(("trace.csv", "trace.npz"), Format(_trace, _write_trace, read_trace_and_header)),
    "moves.npz": Format(_search, _write_moves, read_moves),
    **dict.fromkeys(("samples.npz", "samples.txt"), Format(_boards, write_samples, read_boards)),
}
