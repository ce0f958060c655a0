"""``fastqueens solve`` with ``--count``, ``--unique`` or ``--all``: looks at all solutions by complete search."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

import fastqueens
from fastqueens.cli.session import NO_SOLUTION, NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import say, wrote
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.core.instance import Instance


def enumerate_solutions(session: Session, n: int, instance: Instance | None, request: SimpleNamespace) -> int:
    """Count the solutions, tell whether there is exactly one, or write all; return the exit code."""
    instance = instance or fastqueens.make_instance(n)
    if request.all_solutions is not None:
        return _write(session, instance, request)
    if request.unique:
        return _tell_unique(session, instance, request)
    return _count(session, instance, request)


def _count(session: Session, instance: Instance, request: SimpleNamespace) -> int:
    found = fastqueens.count_solutions(instance, limit=request.limit, threads=request.threads, **session.callbacks)
    session.display.clear()
    # There may be more, unless the limit is above their number.
    is_limit = found == request.limit
    verdict: dict[str, Any] = {"solutions": found} | ({"limit": request.limit} if request.limit is not None else {})
    sentence = f"{'At least ' if is_limit else ''}{counted(found, 'solution')} for {_named(instance)}."
    _report(instance, verdict, sentence, str(found), request)
    return SOLVED if found else NO_SOLUTION


def _tell_unique(session: Session, instance: Instance, request: SimpleNamespace) -> int:
    found = fastqueens.count_solutions(instance, limit=2, threads=request.threads, **session.callbacks)
    session.display.clear()
    how_many = ("no", "exactly one", "more than one")[found]
    verdict = {"unique": found == 1, "solvable": found > 0}
    _report(instance, verdict, f"There is {how_many} solution for {_named(instance)}.", how_many, request)
    return (NO_SOLUTION, SOLVED, NOT_SOLVED)[found]


def _write(session: Session, instance: Instance, request: SimpleNamespace) -> int:
    from fastqueens.files.samples import write_solution_lines, write_solutions

    solutions = fastqueens.all_solutions(instance, limit=request.limit, **session.callbacks)
    if request.all_solutions == "-":
        written = write_solution_lines(sys.stdout.buffer, solutions, rows_from=request.rows_from)
    else:
        written = write_solutions(request.all_solutions, solutions, rows_from=request.rows_from)
    session.display.clear()
    is_limit = written == request.limit
    rest = ", and there may be more" if is_limit else ""
    solutions_of = f"{counted(written, 'solution')} for {_named(instance)}{rest}"
    is_on_stdout = request.all_solutions == "-"
    sentence = f"Wrote {solutions_of}." if is_on_stdout else wrote(request.all_solutions, solutions_of)
    if request.as_json:
        click.echo(json.dumps({"n": instance.n, **instance.counts, "solutions": written}))
    elif not request.quiet:
        say(sentence, err=is_on_stdout)
    return SOLVED if written else NO_SOLUTION


def _report(
    instance: Instance, verdict: dict[str, Any], sentence: str, in_short: str, request: SimpleNamespace
) -> None:
    """Print the outcome as the options ask for it."""
    if request.as_json:
        click.echo(json.dumps({"n": instance.n, **instance.counts, **verdict}))
    else:
        say(in_short if request.quiet else sentence)


def _named(instance: Instance) -> str:
    return f"n = {instance.n}" + ("" if instance.is_free else f" with {instance.constraints}")
