"""Commands for instances: ``puzzle``, ``solve --count``, ``--unique`` and ``--all``, and ``solve --instances``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

import fastqueens
from fastqueens._run.arguments import check_seed, new_seed
from fastqueens._run.text import counted, duration
from fastqueens.cli import ExitCode, inputs, options
from fastqueens.cli.options import Values, command, group, number, option, refuse
from fastqueens.cli.output import DRAWN_BELOW, Output, file_label
from fastqueens.errors import InputError, NoSolutionError

if TYPE_CHECKING:
    from fastqueens.files.instances import BatchEntry

#: The options, in addition to the seed, on which an answer to ``--instances`` depends.
_SETTINGS = ("method", "start", "max_steps", "restarts", "max_nodes", "time_limit")

#: The largest n for which ``puzzle`` counts the solutions.
_LARGEST_COUNTED = 12

_SQUARES_SUFFIX = ".csv"
_MANY_SUFFIX = ".jsonl"


@command(
    "fastqueens puzzle 8 --unique --minimal -o puzzle.png\nfastqueens puzzle 12 --unique --many 1000 -o puzzles.jsonl"
)
@group("Board", options.n, options.rows_from, options.origin)
@group(
    "Kind",
    number("--queens COUNT", "Number of fixed queens. Default: N / 4. With --unique: as many as the puzzle needs."),
    options.seed,
    option("--solvable", "Create a puzzle that has a solution. Without this option it might have none."),
    option("--unique", "Create a puzzle that has exactly one solution, for N up to 64."),
    option("--minimal", "With --unique: remove queens until none can be removed without adding a solution."),
    number("--many COUNT", "With --unique: write this many puzzles as lines of JSON (-o FILE.jsonl or stdout)."),
    options.time_limit_of_command,
)
@group(
    "Output",
    options.output(
        "Write the fixed queens (.csv) or the instance (.json .jsonl), or draw a picture (.png .pdf .svg).",
        multiple=True,
    ),
    options.quiet,
)
def puzzle(out: Output, board: Values, kind: Values, output: Values) -> None:
    """Create a completion puzzle: a board of N x N squares (default: 8 x 8) with some fixed queens.

    No fixed queen attacks another. The task is to place the remaining queens.
    """
    from fastqueens.files.atomic import atomic_write
    from fastqueens.files.headers import header_of
    from fastqueens.files.instances import INSTANCE_FORMATS, json_line
    from fastqueens.pictures.saving import PICTURE_FORMATS

    paths = output.path
    if not kind.unique:
        refuse("{} applies to unique puzzles; add --unique", "minimal", "many")
    if kind.minimal:
        refuse("--minimal and {} cannot be combined: the number of queens is determined by the puzzle", "queens")
    if kind.many is not None and (len(paths) > 1 or any(_suffix(path) != _MANY_SUFFIX for path in paths)):
        raise click.UsageError(f"--many writes lines of JSON into one file; use -o FILE{_MANY_SUFFIX}")
    for path in paths:
        inputs.check_output(path, (_SQUARES_SUFFIX, *INSTANCE_FORMATS, *PICTURE_FORMATS))
    n, seed = inputs.n_or_default(board.n), new_seed() if kind.seed is None else kind.seed
    out.limit(kind.time_limit)
    puzzles: Iterator[fastqueens.Puzzle] = iter(())
    if kind.unique:
        settings: dict[str, Any] = {"seed": seed, "minimal": kind.minimal, "queens": kind.queens}
        settings |= {"time_limit": kind.time_limit, **out.callbacks}
        puzzles = fastqueens.unique_puzzles(n, 1 if kind.many is None else kind.many, **settings)
    if kind.many is not None:
        made, options = 0, {"unique": True, "minimal": kind.minimal}
        header = header_of(n, seed, options if kind.queens is None else {**options, "queens": kind.queens})
        with atomic_write(paths[0]) if paths else out.data() as file:
            for made, puzzle in enumerate(out.each(puzzles), 1):
                notes = {"number": made, **header, "solution": puzzle.solution.tolist(), "nodes": puzzle.nodes}
                file.write(json_line(puzzle.instance, notes))
        out.has_data_on_stdout = not paths
        out.say(f"{counted(made, 'puzzle')} for n = {n}, seed {seed}.")
        for path in paths:
            out.wrote(path)
        out.say_partial(f"{made:,} of {counted(kind.many, 'puzzle')}")
        return
    unique = next(puzzles, None)
    if unique is not None:
        instance = unique.instance
        sentence = f" It has exactly 1 solution, proved in {counted(unique.nodes, 'node')}."
    else:
        queens = n // 4 if kind.queens is None else kind.queens
        how = {"time_limit": kind.time_limit, **out.callbacks}
        squares = fastqueens.puzzle(n, queens, seed=seed, solvable=kind.solvable, **how)
        instance, sentence = fastqueens.make_instance(n, squares), ""
        if n <= _LARGEST_COUNTED:
            found = fastqueens.count_solutions(instance, stop=out.is_stopped)
            sentence = f" It has {counted(found, 'solution') if found else 'no solution'}."
    for path in paths:
        out.writing(path)
        _write(out, path, instance)
    if n < DRAWN_BELOW and not out.quiet:
        out.say(f"\n{out.drawing(None, instance, 'Draw a picture with -o FILE.png.')}\n")
    out.say(f"{counted(len(instance.fixed), 'fixed queen')} for n = {n:,}, seed {seed}.{sentence}")
    for path in paths:
        out.wrote(path)


def _write(out: Output, path: str, instance: fastqueens.Instance) -> None:
    from fastqueens.files.instances import INSTANCE_FORMATS, write_fixed_queens

    suffix = _suffix(path)
    if suffix == _SQUARES_SUFFIX:
        write_fixed_queens(path, instance.fixed.squares, rows_from=out.rows_from)
    elif suffix in INSTANCE_FORMATS:
        fastqueens.write_instance(path, instance)
    else:
        from fastqueens.pictures.boards import instance_picture
        from fastqueens.pictures.saving import save_picture

        picture = instance_picture(instance, origin=out.origin, rows_from=out.rows_from)
        save_picture(picture, path, dpi=picture.dpi)


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def count(out: Output, instance: fastqueens.Instance, wanted: Values, **where: Any) -> int:
    """Count the solutions, or check whether there is exactly one, and report it as the options ask."""
    from fastqueens.files.headers import header_of

    limit, fundamental = 2 if wanted.unique else wanted.limit, wanted.fundamental
    where |= {"limit": limit, "fundamental": fundamental, **out.callbacks}
    found = out.finished(fastqueens.count_solutions, instance, **where)
    noun, is_fundamental = _kind(fundamental)
    exit_code = ExitCode.SOLVED if found else ExitCode.NO_SOLUTION
    if wanted.unique:
        verdict: dict[str, Any] = {"unique": found == 1, "solvable": found > 0}
        if out.is_partial:
            verdict = {"unique": None, "solvable": found > 0 or None}
        in_short = ("no", "exactly one", "more than one")[found]
        sentence = f"There is {in_short} solution"
        exit_code = ExitCode.NOT_SOLVED if found > 1 else exit_code
    else:
        verdict, in_short = {"solutions": found} | is_fundamental, str(found)
        if limit is not None and not out.is_partial:
            verdict["limit"] = limit
        # If the limit is reached, there can be more solutions.
        sentence = f"{'At least ' if found == limit else ''}{counted(found, noun)}"
    if out.as_json:
        out.json({**header_of(instance), **instance.counts, **verdict})
    elif not out.is_partial and out.quiet:
        out.result(in_short)
    elif not out.is_partial:
        out.say(f"{sentence} for {_named(instance)}.")
    out.say_partial("; ".join(out.notes) or f"{counted(found, noun)} so far")
    return exit_code


def write_all(out: Output, instance: fastqueens.Instance, wanted: Values, time_limit: float | None) -> int:
    """Write all solutions to a file or to stdout."""
    from fastqueens.files.headers import header_of
    from fastqueens.files.samples import write_solution_lines, write_solutions

    path, limit, fundamental = wanted.all, wanted.limit, wanted.fundamental
    noun, is_fundamental = _kind(fundamental)
    how = {"limit": limit, "fundamental": fundamental, "time_limit": time_limit, **out.callbacks}
    solutions = out.each(fastqueens.all_solutions(instance, **how))

    def figures(written: int) -> dict[str, Any]:
        header = header_of(instance) | {"rows_from": out.rows_from}
        return {**header, **instance.counts, "solutions": written, **is_fundamental}

    if path == "-" and out.as_json:
        written = out.json_list((queens + out.rows_from for queens in solutions), figures)
    elif path == "-":
        with out.data() as file:
            written = write_solution_lines(file, solutions, rows_from=out.rows_from)
    else:
        written = write_solutions(path, solutions, rows_from=out.rows_from)
        if out.as_json:
            out.json(figures(written))
    rest = "; there can be more" if written == limit else ""
    solutions_of = f"{counted(written, noun)} for {_named(instance)}{rest}"
    if path == "-":
        out.say(f"Wrote {solutions_of}.", err=True)
    out.wrote(path, solutions_of)
    out.say_partial("some solutions can be missing")
    return ExitCode.SOLVED if written else ExitCode.NO_SOLUTION


def _kind(fundamental: bool) -> tuple[str, dict[str, bool]]:
    """Return the noun for solutions in reports, and a mark for fundamental solutions in JSON."""
    return ("fundamental solution", {"fundamental": True}) if fundamental else ("solution", {})


def _named(instance: fastqueens.Instance) -> str:
    return f"n = {instance.n}" + ("" if instance.is_free else f" with {instance.constraints}")


def answer_instances(out: Output, runs: Values, search: Values, output: str | None) -> int:
    """Solve the instances of a file or folder whose answers are not yet in the output."""
    from fastqueens._run import clock
    from fastqueens.batch import refuted
    from fastqueens.files.growing import growing_answers, heads_of, line_of, seed_in
    from fastqueens.files.instances import read_batch
    from fastqueens.instance import Instance
    from fastqueens.task import checked_task

    out.has_data_on_stdout |= output in (None, "-")
    out.reading(runs.instances)
    entries = read_batch(runs.instances)
    seed = search.seed
    if seed is None and output not in (None, "-"):
        seed = seed_in(output)
    seed = new_seed() if seed is None else check_seed(seed)
    settings = {"seed": seed, **{name: getattr(search, name) for name in _SETTINGS}}
    checked_task(1, None, {}, **settings)
    options = [_options_of(entry, settings) for entry in entries]
    heads = heads_of(entries, {"version": fastqueens.__version__, "seed": seed}, options)
    begun = clock.seconds()
    with ExitStack() as stack:
        known: dict[int, str] = {}
        if output in (None, "-"):
            file = stack.enter_context(out.data())
        else:
            write, known = stack.enter_context(growing_answers(output, heads))
            opened = os.stat(output)
        executor = stack.enter_context(inputs.executor_of(out, runs.scheduler))
        left = [
            (head, entry.instance) for head, entry in zip(heads, entries, strict=True) if head["number"] not in known
        ]
        answers = fastqueens.solve_instances(
            [instance for _, instance in left if isinstance(instance, Instance)],
            threads=search.threads,
            executor=executor,
            **settings,
            progress=out.progress,
            stop=out.is_stopped,
        )
        found = Counter(known.values())

        def hint() -> str:
            after = f" after {found.total():,} of {counted(len(entries), 'instance')}"
            is_there = output not in (None, "-") and _is_same_file(output, opened)
            return after + (f"; the same command continues {file_label(output)}" if is_there else "")

        out.session.hint = hint
        try:
            for head, instance in left:
                answer = next(answers) if isinstance(instance, Instance) else refuted(instance)
                size = {"n": instance.n} if isinstance(instance, Instance) else {}
                line = line_of({**head, **size, **answer.as_dict()})
                if output in (None, "-"):
                    file.write(line + b"\n")
                    file.flush()
                else:
                    write(line)
                found[answer.in_words] += 1
        except InputError as error:  # for example, because the cluster is lost
            raise InputError(f"{error}{hint()}") from error
    kinds = f"{found['solved']:,} solved, {found['no solution']:,} without a solution, {found['undecided']:,} undecided"
    before = f" ({len(known):,} of them in an earlier run)" if known else ""
    out.say(
        f"{counted(len(entries), 'instance')}{before} in {duration(clock.seconds() - begun)}, seed {seed}: {kinds}."
    )
    out.wrote(output)
    return ExitCode.NOT_SOLVED if found["undecided"] else ExitCode.SOLVED


def _options_of(entry: BatchEntry, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the options that influence the answer to an instance; none if it has no solution without a search."""
    from fastqueens.files.headers import in_files
    from fastqueens.task import check_method, checked_task

    if isinstance(entry.instance, NoSolutionError):
        return {}
    try:
        check_method(entry.instance, settings["method"])
        return in_files(checked_task(entry.instance, None, {}, **settings, force=True).options)
    except NoSolutionError:
        return {}
    except InputError as error:
        raise InputError(f"{entry.place}: {error}") from None


def _is_same_file(path: str, status: os.stat_result) -> bool:
    """Return whether a path still leads to the file that had this status."""
    try:
        return os.path.samestat(os.stat(path), status)
    except OSError:
        return False
