"""What a call of ``fastqueens solve`` asks for, checked before the work starts."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import click

from fastqueens.cli import boards
from fastqueens.cli.plot import check_picture_file

#: A plot of more runs over each other is unreadable.
_MOST_PLOTTED = 20


@dataclass(frozen=True)
class Request:
    """The values of all options of ``solve``."""

    n: int | None
    n_option: int | None
    file: str | None
    board: str | None
    queen: tuple[str, ...]
    queens_file: str | None
    rows_from: int
    start: str
    seed: int | None
    seeds: list[int] | None
    max_steps: int | None
    restarts: int | None
    max_nodes: int | None
    counting: bool
    output: str | None
    trace: str | None
    moves: bool
    plot: str | None
    poster: str | None
    threads: int | None
    force: bool
    as_json: bool
    quiet: bool
    origin: str


def check_request(request: Request) -> None:
    """Raise an error if options contradict each other or a file cannot be written."""
    boards.check_one_board(request.file, request.board)
    contradiction = next(_contradictions(request), None)
    if contradiction is not None:
        raise click.UsageError(contradiction)
    _check_files(request)


def _contradictions(request: Request) -> Iterator[str]:
    if request.n is not None and request.n_option is not None:
        yield "N and --n: give only one of them."
    if request.output == "-" and request.as_json:
        yield "-o - and --json both write to stdout: give one of them."
    if request.seeds is not None:
        yield from _contradictions_with_seeds(request, request.seeds)
    if request.moves and request.trace is None:
        yield "--moves stores moves in a trace: add --trace moves.npz."
    files = {"-o": request.output, "--trace": request.trace, "--plot": request.plot, "--poster": request.poster}
    paths = [(option, os.path.realpath(path)) for option, path in files.items() if path is not None]
    for (option, path), (other, other_path) in itertools.combinations(paths, 2):
        if path == other_path:
            yield f"{option} and {other} name the same file."
    if request.file == request.queens_file == "-":
        yield "--file and --queens-file cannot both read from stdin."
    if request.counting:
        yield from _contradictions_with_count(request)


def _contradictions_with_seeds(request: Request, seeds: list[int]) -> Iterator[str]:
    if request.seed is not None:
        yield "--seed and --seeds: give one of them."
    if request.output is not None:
        yield "--seeds and -o: there is one board for each seed, so none is written."
    if request.trace is not None:
        yield "--seeds and --trace: there is one trace for each seed, so none is written."
    if request.poster is not None:
        yield "--seeds and --poster: there is one board for each seed, so none is drawn."
    if request.plot is not None and len(seeds) > _MOST_PLOTTED:
        yield f"--plot draws at most {_MOST_PLOTTED} runs in one picture, and --seeds has {len(seeds):,}."


def _contradictions_with_count(request: Request) -> Iterator[str]:
    values = {
        "--file": request.file,
        "--board": request.board,
        "--seed": request.seed,
        "--seeds": request.seeds,
        "--max-steps": request.max_steps,
        "--restarts": request.restarts,
        "--max-nodes": request.max_nodes,
        "--plot": request.plot,
        "--poster": request.poster,
        "--trace": request.trace,
        "-o": request.output,
    }
    for option, value in values.items():
        if value is not None:
            yield f"--count and {option}: --count only counts solutions and searches for none."


def _check_files(request: Request) -> None:
    from fastqueens.files.atomic import check_target
    from fastqueens.files.boards import check_suffix
    from fastqueens.files.traces import check_keeps_moves, check_trace_suffix

    if request.output == "-":
        if sys.stdout is None:
            raise click.UsageError("-o -: stdout is closed.")
    elif request.output is not None:
        check_suffix(request.output)
        check_target(request.output)
    if request.trace is not None:
        check_trace_suffix(request.trace)
        if request.moves:
            check_keeps_moves(request.trace)
        check_target(request.trace)
    for picture in (request.plot, request.poster):
        if picture is not None:
            check_picture_file(picture)
