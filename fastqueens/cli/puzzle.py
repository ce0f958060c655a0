"""The command ``puzzle``: instances with some fixed queens, in files and pictures."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

import click
from click import Choice

import fastqueens
from fastqueens._run.arguments import new_seed
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import OUTPUT, Group, Size, command, option, output, refuse
from fastqueens.cli.output import DRAWN_BELOW, Figures
from fastqueens.cli.session import Session
from fastqueens.pictures.paper import PAPERS, paper

#: The largest n for which ``puzzle`` counts the solutions.
_LARGEST_COUNTED = 12

_SQUARES_SUFFIX = ".csv"
_LINES_SUFFIX, _SHEETS_SUFFIX = ".jsonl", ".pdf"


class _Kind(Group):
    queens: int | None = option("--queens COUNT", "Fixed queens. Default: N / 4; with --unique: as many as needed.")
    seed: int | None = options.seed
    solvable: bool = option("--solvable", "Create a puzzle that has a solution, instead of maybe none.")
    unique: bool = option("--unique", "Create a puzzle that has exactly one solution, for N up to 64.")
    many: int | None = option(
        "--many COUNT", "Write this many --unique puzzles: lines (-o FILE.jsonl or stdout), or sheets (-o FILE.pdf)."
    )
    time_limit: float | None = options.time_limit


class _Sheets(Group):
    per_page: str = option("--per-page COUNT", "Puzzles on a page: 1 (default) or 4.", Choice(("1", "4")), default="1")
    answers: str | None = option("--answers FILE", "Write the answers in this .pdf file.", OUTPUT)
    size: str = option("--size SIZE", "A4, letter, or another size as in poster.", default="A4", complete=PAPERS)


class _Output(Group):
    path: tuple[str, ...] = output(
        "Write the fixed queens (.csv) or the instance (.json .jsonl), or draw a picture (.png .pdf .svg .jpg .webp)."
    )
    quiet: bool = options.quiet


@command(
    "fastqueens puzzle 8 --unique -o puzzle.png\nfastqueens puzzle 8 --many 20 -o sheets.pdf --answers answers.pdf"
)
def puzzle(session: Session, board: Size, kind: _Kind, sheets: _Sheets, output: _Output) -> None:
    """Create a completion puzzle: a board of N x N squares (default: 8 x 8) with some fixed queens.

    No fixed queen attacks another. The task is to place the remaining queens. Every fixed queen of a puzzle with
    exactly one solution is necessary, unless --queens is given.
    """
    from fastqueens.files.headers import header_of

    paths = output.path
    has_sheets = kind.many is not None and len(paths) == 1 and _suffix(paths[0]) == _SHEETS_SUFFIX
    if not has_sheets:
        refuse("{} applies to sheets; add --many COUNT -o FILE.pdf", "per_page", "answers", "size")
    has_lines = kind.many is not None and not has_sheets
    if has_lines and (len(paths) > 1 or any(_suffix(path) != _LINES_SUFFIX for path in paths)):
        raise click.UsageError(f"--many writes one file; use -o FILE{_LINES_SUFFIX} or -o FILE{_SHEETS_SUFFIX}")
    paper(sheets.size)  # before the work
    n, seed = inputs.n_or_default(board.n), new_seed() if kind.seed is None else kind.seed
    session.limit(kind.time_limit)
    puzzles: Iterator[fastqueens.Puzzle] = iter(())
    if kind.unique or kind.many is not None:
        puzzles = fastqueens.unique_puzzles(
            n,
            1 if kind.many is None else kind.many,
            seed=seed,
            queens=kind.queens,
            time_limit=kind.time_limit,
            **session.callbacks,
        )
    if kind.many is not None:
        if has_sheets:
            made = _write_sheets(session, puzzles, sheets, paths[0])
        else:
            options = {"unique": True} if kind.queens is None else {"unique": True, "queens": kind.queens}
            made = _write_lines(session, puzzles, header_of(n, seed, options), paths)
        session.say(f"{counted(made, 'puzzle')} for n = {n}, seed {seed}.")
        for path in filter(None, [*paths, sheets.answers]):
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


def _write_lines(
    session: Session, puzzles: Iterator[fastqueens.Puzzle], header: Figures, paths: tuple[str, ...]
) -> int:
    """Write puzzles as lines of JSON, and return their number."""
    from fastqueens.files.atomic import atomic_write
    from fastqueens.files.instances import json_line

    made = 0
    with atomic_write(paths[0]) if paths else session.data() as file:
        for made, puzzle in enumerate(session.each(puzzles), 1):
            solution = [] if puzzle.solution is None else puzzle.solution.tolist()
            notes = {"number": made, **header, "solution": solution, "nodes": puzzle.nodes}
            file.write(json_line(puzzle.instance, notes))
    session.has_data_on_stdout = not paths
    return made


def _write_sheets(session: Session, puzzles: Iterator[fastqueens.Puzzle], sheets: _Sheets, path: str) -> int:
    """Write pages with puzzles, and pages with their answers; return the number of puzzles."""
    from fastqueens.classroom.puzzles import write_sheets

    made = list(session.each(puzzles))
    for file, is_answer in ((path, False), (sheets.answers, True)):
        if file is not None:
            session.writing(file)
            write = partial(write_sheets, per_page=int(sheets.per_page), size=sheets.size, rows_from=session.rows_from)
            write(file, made, answers=is_answer)
    return len(made)


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
