"""``fastqueens puzzle``: makes a board with some fixed queens; the others are left to place."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label, in_bold, legend, say, wrote
from fastqueens.core.arguments import new_seed
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fastqueens.classroom.puzzles import Puzzle
    from fastqueens.core.instance import Instance

#: Boards below this n are drawn.
_DRAWN_BELOW = 33

#: Up to this n the solutions are counted too.
_LARGEST_COUNTED = 12

_SQUARE_SUFFIXES = (".csv", ".txt")
_INSTANCE_SUFFIXES = (".json", ".jsonl", ".param", ".lp")
_MANY_SUFFIX = ".jsonl"


@click.command(
    cls=boards.CommandOfN,
    short_help="Make a completion puzzle: some queens are fixed.",
    epilog="\b\nExamples:\n  fastqueens puzzle 8 --queens 2 --solvable --seed 1\n"
    "  fastqueens puzzle 20 -o fixed.csv -o puzzle.pdf\n  fastqueens solve 20 --queens-file fixed.csv\n"
    "  fastqueens puzzle 8 --unique --minimal -o puzzle.png\n"
    "  fastqueens puzzle 12 --unique --many 1000 -o puzzles.jsonl",
)
@click.argument("n", type=options.whole_number)
@options.number(
    "--queens", metavar="K", help="Number of fixed queens. Default: a quarter of N; with --unique, as it comes out."
)
@options.number("--seed", metavar="SEED", help="Seed; the same seed repeats the puzzle. Default: a random seed.")
@click.option(
    "--solvable", is_flag=True, help="Take the fixed queens from a solution. Otherwise the puzzle may have no solution."
)
@click.option("--unique", is_flag=True, help="Make puzzles with exactly one solution, for N up to 64.")
@click.option(
    "--minimal", is_flag=True, help="With --unique: without any of the fixed queens there is a second solution."
)
@options.number(
    "--many",
    metavar="COUNT",
    help="With --unique: make so many puzzles and write them as lines of JSON, into -o FILE.jsonl or to stdout.",
)
@click.option(
    "-o",
    "--output",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="Write the fixed queens as lines COLUMN,ROW (.csv .txt) or as an instance (.json .jsonl .param .lp, from 0 or "
    "as the format counts), or draw them (.png .pdf .svg .jpg .webp). May be repeated.",
)
@options.rows_from
@options.origin
@options.quiet
@click.pass_obj
def puzzle(session: Session, /, **parameters: Any) -> None:
    """Make a completion puzzle: an N x N board with K queens, none of which attacks another.

    The task is to place the other N - K queens.
    """
    request = SimpleNamespace(**parameters)
    _check_options(request)
    _check_files(request.output)
    request.seed = new_seed() if request.seed is None else request.seed
    if request.many is not None:
        _make_many(session, request)
        return
    with progress_and_notes(session.display, quiet=request.quiet):
        instance, notes, sentence = _unique(session, request) if request.unique else _any(session, request)
        for path in request.output:
            session.display.report(f"writing {file_label(path)}")
            _write(path, instance, notes, request)
    if request.quiet:
        return
    n, squares = instance.n, instance.fixed.squares
    if n < _DRAWN_BELOW:
        from fastqueens.pictures.text import draw_instance

        drawing = in_bold(draw_instance(instance, request.origin))
        click.echo(f"\n{drawing}{legend(drawing)}\n")
    say(f"{counted(len(squares), 'fixed queen')} for n = {n:,}, seed {request.seed}.{sentence}")
    for path in request.output:
        say(wrote(path))


def _any(session: Session, request: SimpleNamespace) -> tuple[Instance, dict[str, Any], str]:
    """Make a puzzle that may have any number of solutions; return it with no notes, and a sentence about it."""
    import fastqueens

    n = request.n
    queens = n // 4 if request.queens is None else request.queens
    squares = fastqueens.puzzle(n, queens, seed=request.seed, solvable=request.solvable, **session.callbacks)
    session.check_stop()
    return fastqueens.make_instance(n, squares), {}, _solutions(session, n, squares)


def _unique(session: Session, request: SimpleNamespace) -> tuple[Instance, dict[str, Any], str]:
    """Make a puzzle with one solution; return it with the notes of its line of JSON, and a sentence about it."""
    puzzle = next(_puzzles(session, request, 1))
    return puzzle.instance, _notes(puzzle), f" It has exactly 1 solution, proved in {counted(puzzle.nodes, 'node')}."


def _make_many(session: Session, request: SimpleNamespace) -> None:
    """Write puzzles with one solution as lines of JSON, and print a summary unless stdout has the lines."""
    from fastqueens.files.atomic import atomic_write
    from fastqueens.files.instance_json import line

    made: list[tuple[int, int, int]] = []

    def lines() -> Iterator[bytes]:
        for puzzle in _puzzles(session, request, request.many):
            made.append((len(puzzle.instance.fixed), puzzle.nodes, puzzle.undecided))
            yield line(puzzle.instance, _notes(puzzle))

    with progress_and_notes(session.display, quiet=request.quiet):
        if not request.output:
            for piece in lines():
                click.echo(piece, nl=False)
            return
        with atomic_write(request.output[0]) as file:
            file.writelines(lines())
    if not request.quiet:
        say(_summary(made, request))
        say(wrote(request.output[0]))


def _puzzles(session: Session, request: SimpleNamespace, many: int) -> Iterator[Puzzle]:
    import fastqueens

    return fastqueens.unique_puzzles(
        request.n, many, seed=request.seed, minimal=request.minimal, queens=request.queens, **session.callbacks
    )


def _notes(puzzle: Puzzle) -> dict[str, Any]:
    """Return what a line of JSON says about a puzzle besides its instance."""
    undecided = {"undecided": puzzle.undecided} if puzzle.undecided else {}
    return {"solution": puzzle.solution.tolist(), "nodes": puzzle.nodes, **undecided}


def _summary(made: list[tuple[int, int, int]], request: SimpleNamespace) -> str:
    """Return a sentence about the puzzles, each given by its fixed queens, nodes, and undecided queens."""
    text = f"{counted(len(made), 'puzzle')} for n = {request.n}, seed {request.seed}"
    if not made:
        return f"{text}."
    queens, nodes, undecided = zip(*made, strict=True)
    kept = (
        f" {counted(sum(undecided), 'queen')} stayed fixed because the search took too long." if any(undecided) else ""
    )
    return f"{text}: {_span(queens, 'fixed queen')}, {_span(nodes, 'node')}.{kept}"


def _span(numbers: Sequence[int], noun: str) -> str:
    least, most = min(numbers), max(numbers)
    return counted(most, noun) if least == most else f"{least:,} to {counted(most, noun)}"


def _check_options(request: SimpleNamespace) -> None:
    """Raise an error for options that do not go together."""
    if request.minimal and not request.unique:
        raise click.UsageError("--minimal needs --unique.")
    if request.many is not None and not request.unique:
        raise click.UsageError("--many needs --unique.")
    if request.minimal and request.queens is not None:
        raise click.UsageError("--minimal and --queens exclude each other: the number of queens comes out.")
    if request.many is None:
        return
    if len(request.output) > 1 or any(os.path.splitext(path)[1].lower() != _MANY_SUFFIX for path in request.output):
        raise click.UsageError(f"--many writes lines of JSON into one file; use -o FILE{_MANY_SUFFIX}.")
    if not request.output and sys.stdout is None:
        raise click.UsageError(f"--many: stdout is closed; use -o FILE{_MANY_SUFFIX}.")


def _check_files(paths: tuple[str, ...]) -> None:
    """Raise an error if one of the files cannot be written."""
    from fastqueens.pictures.saving import PICTURE_FORMATS

    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise click.UsageError("-o: the same file is given twice.")
    for path in paths:
        options.check_output(path, (*_SQUARE_SUFFIXES, *_INSTANCE_SUFFIXES, *PICTURE_FORMATS))


def _write(path: str, instance: Instance, notes: dict[str, Any], request: SimpleNamespace) -> None:
    suffix = os.path.splitext(path)[1].lower()
    squares = instance.fixed.squares
    if suffix in _SQUARE_SUFFIXES:
        from fastqueens.files.fixed_queens import write_fixed_queens

        write_fixed_queens(path, squares, rows_from=request.rows_from)
        return
    if suffix == _MANY_SUFFIX:
        from fastqueens.files.atomic import atomic_write
        from fastqueens.files.instance_json import line

        with atomic_write(path) as file:
            file.write(line(instance, notes))
        return
    if suffix in _INSTANCE_SUFFIXES:
        from fastqueens.files.instances import write_instance

        write_instance(path, instance)
        return
    from fastqueens.pictures.boards import instance_picture
    from fastqueens.pictures.saving import save_picture

    picture = instance_picture(instance, origin=request.origin, rows_from=request.rows_from)
    save_picture(picture, path, dpi=picture.dpi)


def _solutions(session: Session, n: int, squares: NDArray[np.int64]) -> str:
    """Return how many solutions a small puzzle has, as a sentence."""
    import fastqueens

    if n > _LARGEST_COUNTED:
        return ""
    found = fastqueens.count_solutions(n, fixed=squares, stop=session.stop.is_set)
    return f" It has {counted(found, 'solution') if found else 'no solution'}."
