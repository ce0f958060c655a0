"""The command ``list``: all solutions, in a file or on stdout."""

from __future__ import annotations

import fastqueens
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import ConstraintOptions, Report, Size, Solutions, command, output
from fastqueens.cli.output import Figures
from fastqueens.cli.session import ExitCode, Session


class _Solutions(Solutions):
    time_limit: float | None = options.time_limit


class _Output(Report):
    path: str | None = output("Write the solutions to this .txt file. Default: a line per solution on stdout.")


@command("fastqueens list 8\nfastqueens list 8 --fundamental -o solutions.txt")
def list(session: Session, board: Size, constraints: ConstraintOptions, solutions: _Solutions, output: _Output) -> int:
    """List all solutions for N queens (default: 8), with at most 64 columns without a fixed queen.

    Each line has the rows of the queens, from the first column to the last. With at most 32 columns without a fixed
    queen, the solutions are in lexicographic order. The exit code is 3 if there is no solution.
    """
    from fastqueens.files.headers import header_of
    from fastqueens.files.samples import write_solution_lines, write_solutions

    path = None if output.path == "-" else output.path
    session.has_data_on_stdout |= path is None
    instance = inputs.instance_given(session, board.n, constraints)
    session.limit(solutions.time_limit)
    noun, is_fundamental = inputs.kind_of_solutions(solutions.fundamental)
    found = session.each(fastqueens.all_solutions(instance, **solutions.values, **session.callbacks))

    def figures(written: int) -> Figures:
        header = header_of(instance) | {"rows_from": session.rows_from}
        return {**header, **instance.counts, "solutions": written, **is_fundamental}

    if path is not None:
        written = write_solutions(path, found, rows_from=session.rows_from)
        if session.as_json:
            session.json(figures(written))
    elif session.as_json:
        written = session.json_list(found, figures)
    else:
        with session.data() as file:
            written = write_solution_lines(file, found, rows_from=session.rows_from)
    rest = "; there can be more" if written == solutions.limit else ""
    solutions_of = f"{counted(written, noun)} for {instance.in_words}{rest}"
    if path is None:
        session.say(f"Wrote {solutions_of}.")
    session.wrote(path, solutions_of)
    session.say_partial("some solutions can be missing")
    return ExitCode.SOLVED if written else ExitCode.NO_SOLUTION
