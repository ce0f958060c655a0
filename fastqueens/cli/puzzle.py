"""The command ``puzzle``: instances with some fixed queens, in files and pictures."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

import fastqueens
from fastqueens._run.arguments import new_seed
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import Group, Size, command, option, output, refuse
from fastqueens.cli.output import DRAWN_BELOW
from fastqueens.cli.session import Session

#: The largest n for which ``puzzle`` counts the solutions.
_LARGEST_COUNTED = 12

_SQUARES_SUFFIX = ".csv"
_MANY_SUFFIX = ".jsonl"


class _Kind(Group):
    queens: int | None = option("--queens COUNT", "Fixed queens. Default: N / 4; with --unique: as many as needed.")
    seed: int | None = options.seed
    solvable: bool = option("--solvable", "Create a puzzle that has a solution, instead of maybe none.")
    unique: bool = option("--unique", "Create a puzzle that has exactly one solution, for N up to 64.")
    minimal: bool = option("--minimal", "With --unique: remove queens as long as that adds no solution.")
    many: int | None = option("--many COUNT", "With --unique: write this many puzzles (-o FILE.jsonl or stdout).")
    time_limit: float | None = options.time_limit


class _Output(Group):
    path: tuple[str, ...] = output(
        "Write the fixed queens (.csv) or the instance (.json .jsonl), or draw a picture (.png .pdf .svg .jpg .webp)."
    )
    quiet: bool = options.quiet


@command(
    "fastqueens puzzle 8 --unique --minimal -o puzzle.png\nfastqueens puzzle 12 --unique --many 1000 -o puzzles.jsonl"
)
def puzzle(session: Session, board: Size, kind: _Kind, output: _Output) -> None:
    """Create a completion puzzle: a board of N x N squares (default: 8 x 8) with some fixed queens.

    No fixed queen attacks another. The task is to place the remaining queens.
    """
    from fastqueens.files.atomic import atomic_write
    from fastqueens.files.headers import header_of
    from fastqueens.files.instances import json_line

    paths = output.path
    if not kind.unique:
        refuse("{} applies to unique puzzles; add --unique", "minimal", "many")
    if kind.minimal:
        refuse("--minimal and {} cannot be combined: the number of queens is determined by the puzzle", "queens")
    if kind.many is not None and (len(paths) > 1 or any(_suffix(path) != _MANY_SUFFIX for path in paths)):
        raise click.UsageError(f"--many writes lines of JSON into one file; use -o FILE{_MANY_SUFFIX}")
    n, seed = inputs.n_or_default(board.n), new_seed() if kind.seed is None else kind.seed
    session.limit(kind.time_limit)
    puzzles: Iterator[fastqueens.Puzzle] = iter(())
    if kind.unique:
        puzzles = fastqueens.unique_puzzles(
            n,
            1 if kind.many is None else kind.many,
            seed=seed,
            minimal=kind.minimal,
            queens=kind.queens,
            time_limit=kind.time_limit,
            **session.callbacks,
        )
    if kind.many is not None:
        made, options = 0, {"unique": True, "minimal": kind.minimal}
        header = header_of(n, seed, options if kind.queens is None else {**options, "queens": kind.queens})
        with atomic_write(paths[0]) if paths else session.data() as file:
            for made, puzzle in enumerate(session.each(puzzles), 1):
                solution = [] if puzzle.solution is None else puzzle.solution.tolist()
                notes = {"number": made, **header, "solution": solution, "nodes": puzzle.nodes}
                file.write(json_line(puzzle.instance, notes))
        session.has_data_on_stdout = not paths
        session.say(f"{counted(made, 'puzzle')} for n = {n}, seed {seed}.")
        for path in paths:
            session.wrote(path)
        session.say_partial(f"{made:,} of {counted(kind.many, 'puzzle')}")
        return
    drawn = next(puzzles, None)
    if drawn is None:
        queens = n // 4 if kind.queens is None else kind.queens
        drawn = fastqueens.puzzle(
            n, queens, seed=seed, solvable=kind.solvable, time_limit=kind.time_limit, **session.callbacks
        )
    instance, sentence = drawn.instance, ""
    if drawn.nodes is not None:
        sentence = f" It has exactly 1 solution, proved in {counted(drawn.nodes, 'node')}."
    elif n <= _LARGEST_COUNTED:
        found = fastqueens.count_solutions(instance, stop=session.is_stopped)
        sentence = f" It has {counted(found, 'solution') if found else 'no solution'}."
    for path in paths:
        _write(session, path, instance)
    if n < DRAWN_BELOW and not session.quiet:
        session.say(f"\n{session.drawing(None, instance, 'Draw a picture with -o FILE.png.')}\n")
    session.say(f"{counted(len(instance.fixed), 'fixed queen')} for n = {n:,}, seed {seed}.{sentence}")
    for path in paths:
        session.wrote(path)


def _write(session: Session, path: str, instance: fastqueens.Instance) -> None:
    from fastqueens.files.instances import INSTANCE_FORMATS, write_fixed_queens

    suffix = _suffix(path)
    session.writing(path)
    if suffix == _SQUARES_SUFFIX:
        write_fixed_queens(path, instance.fixed.squares, rows_from=session.rows_from)
    elif suffix in INSTANCE_FORMATS:
        fastqueens.write_instance(path, instance)
    else:
        from fastqueens.pictures.boards import instance_picture

        instance_picture(instance, **session.numbering).save(path)


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()
