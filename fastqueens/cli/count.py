"""The command ``count``: the number of solutions, or whether there is exactly one."""

from __future__ import annotations

import fastqueens
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import ConstraintOptions, Report, Size, Solutions, TimedWork, command, exclusive, option
from fastqueens.cli.output import Figures
from fastqueens.cli.session import ExitCode, Session


class _Solutions(Solutions):
    unique: bool = option("--unique", "Report whether there is exactly one solution.")


class _Work(TimedWork):
    checkpoint: str | None = options.checkpoint


@command("fastqueens count 8\nfastqueens count 8 --queen 0,3 --block 4,4 --unique")
def count(
    session: Session, board: Size, constraints: ConstraintOptions, solutions: _Solutions, work: _Work, output: Report
) -> int:
    """Count the solutions for N queens (default: 8), with at most 64 columns without a fixed queen.

    --quiet prints only the number. The exit code is 3 if there is no solution. With --unique, it is 1 if there is more
    than one.
    """
    from fastqueens.files.headers import header_of

    exclusive("unique", "limit")
    instance = inputs.instance_given(session, board.n, constraints)
    session.limit(work.time_limit)
    session.hint = inputs.continued_by(work.checkpoint)
    limit, fundamental = 2 if solutions.unique else solutions.limit, solutions.fundamental
    with inputs.executor_of(session, work.scheduler) as executor:
        found = session.finished_part(
            fastqueens.count_solutions,
            instance,
            limit=limit,
            fundamental=fundamental,
            time_limit=work.time_limit,
            threads=work.threads,
            executor=executor,
            checkpoint=work.checkpoint,
            **session.callbacks,
        )
    noun, is_fundamental = inputs.kind_of_solutions(fundamental)
    exit_code = ExitCode.SOLVED if found else ExitCode.NO_SOLUTION
    if solutions.unique:
        verdict: Figures = {"unique": found == 1, "solvable": found > 0}
        if session.is_partial:
            verdict = {"unique": None, "solvable": found > 0 or None}
        in_short = ("no", "exactly one", "more than one")[found]
        sentence = f"There is {in_short} {noun}"
        exit_code = ExitCode.NOT_SOLVED if found > 1 else exit_code
    else:
        verdict, in_short = {"solutions": found}, str(found)
        if limit is not None and not session.is_partial:
            verdict["limit"] = limit
        # If the limit is reached, there can be more solutions.
        sentence = f"{'At least ' if found == limit else ''}{counted(found, noun)}"
    if session.as_json:
        session.json({**header_of(instance), **instance.counts, **verdict, **is_fundamental})
    elif not session.is_partial and session.quiet:
        session.result(in_short)
    elif not session.is_partial:
        session.say(f"{sentence} for {instance.in_words}.")
    session.say_partial(f"{counted(found, noun)} so far")
    return exit_code
