"""``fastqueens puzzle``: makes a board with some fixed queens; the others are left to place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import click

import fastqueens
from fastqueens._run.arguments import new_seed
from fastqueens._run.text import counted
from fastqueens.cli import inputs
from fastqueens.cli.output import Output, in_bold, with_legend
from fastqueens.files.atomic import atomic_write
from fastqueens.files.instances import INSTANCE_FORMATS, json_line, write_fixed_queens
from fastqueens.pictures.saving import PICTURE_FORMATS, save_picture

#: Up to this n the solutions are counted too.
_LARGEST_COUNTED = 12

_SQUARES_SUFFIX = ".csv"
_MANY_SUFFIX = ".jsonl"


def puzzle(
    out: Output,
    *,
    n: int | None,
    queens: int | None,
    seed: int | None,
    solvable: bool,
    unique: bool,
    minimal: bool,
    many: int | None,
    output: tuple[str, ...],
    time_limit: float | None,
    rows_from: int,
    origin: str,
) -> None:
    """Make a completion puzzle."""
    if many is not None and (len(output) > 1 or any(_suffix(path) != _MANY_SUFFIX for path in output)):
        raise click.UsageError(f"--many writes lines of JSON into one file; use -o FILE{_MANY_SUFFIX}.")
    if len({os.path.realpath(path) for path in output}) < len(output):
        raise click.UsageError("-o: the same file is given twice.")
    for path in output:
        inputs.check_output(path, (_SQUARES_SUFFIX, *INSTANCE_FORMATS, *PICTURE_FORMATS))
    n, seed = inputs.n_or_default(n), new_seed() if seed is None else seed
    out.limit(time_limit)
    if unique:
        settings: dict[str, Any] = {"seed": seed, "minimal": minimal, "queens": queens, **out.callbacks}
        made = fastqueens.unique_puzzles(n, 1 if many is None else many, **settings)
        if many is not None:
            made = out.each(made)
            written = _write_many(out, made, output[0] if output else None, f"for n = {n}, seed {seed}")
            out.say_partial(f"{written:,} of {counted(many, 'puzzle')}")
            return
        first = next(made)
        instance, notes = first.instance, _notes(first)
        sentence = f" It has exactly 1 solution, proved in {counted(first.nodes, 'node')}."
    else:
        fixed = n // 4 if queens is None else queens
        squares = fastqueens.puzzle(n, fixed, seed=seed, solvable=solvable, **out.callbacks)
        instance, notes, sentence = fastqueens.make_instance(n, squares), {}, _solutions(out, n, squares)
    for path in output:
        out.writing(path)
        _write(path, instance, notes, rows_from, origin)
    if n < inputs.DRAWN_BELOW and not out.quiet:
        from fastqueens.pictures.text import draw_instance

        reason = out.no_room(2 * n - 1, "With -o FILE.png, a picture is drawn.")
        out.say(f"\n{reason or with_legend(in_bold(draw_instance(instance, origin)))}\n")
    out.say(f"{counted(len(instance.fixed), 'fixed queen')} for n = {n:,}, seed {seed}.{sentence}")
    for path in output:
        out.wrote(path)


def _write_many(out: Output, puzzles: Iterator[fastqueens.Puzzle], path: str | None, of_what: str) -> int:
    """Write puzzles with one solution as lines of JSON, and a summary unless stdout has them; return their number."""
    made: list[tuple[int, int]] = []

    def lines() -> Iterator[bytes]:
        for puzzle in puzzles:
            made.append((len(puzzle.instance.fixed), puzzle.nodes))
            yield json_line(puzzle.instance, _notes(puzzle))

    if path is None:
        for piece in lines():
            out.result(piece)
        return len(made)
    with atomic_write(path) as file:
        file.writelines(lines())
    text = f"{counted(len(made), 'puzzle')} {of_what}"
    if made:
        queens, nodes = zip(*made, strict=True)
        text += f": {_span(queens, 'fixed queen')}, {_span(nodes, 'node')}"
    out.say(f"{text}.")
    out.wrote(path)
    return len(made)


def _notes(puzzle: fastqueens.Puzzle) -> dict[str, Any]:
    """Return what a line of JSON says about a puzzle in addition to its instance."""
    return {"solution": puzzle.solution.tolist(), "nodes": puzzle.nodes}


def _span(numbers: Sequence[int], noun: str) -> str:
    least, most = min(numbers), max(numbers)
    return counted(most, noun) if least == most else f"{least:,} to {counted(most, noun)}"


def _write(path: str, instance: fastqueens.Instance, notes: dict[str, Any], rows_from: int, origin: str) -> None:
    suffix = _suffix(path)
    if suffix == _SQUARES_SUFFIX:
        write_fixed_queens(path, instance.fixed.squares, rows_from=rows_from)
    elif suffix == _MANY_SUFFIX:
        with atomic_write(path) as file:
            file.write(json_line(instance, notes))
    elif suffix in INSTANCE_FORMATS:
        fastqueens.write_instance(path, instance)
    else:
        from fastqueens.pictures.boards import instance_picture

        picture = instance_picture(instance, origin=origin, rows_from=rows_from)
        save_picture(picture, path, dpi=picture.dpi)


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _solutions(out: Output, n: int, squares: Any) -> str:
    """Return how many solutions a small puzzle has, as a sentence."""
    if n > _LARGEST_COUNTED:
        return ""
    found = fastqueens.count_solutions(n, fixed=squares, stop=out.is_stopped)
    return f" It has {counted(found, 'solution') if found else 'no solution'}."
