"""The command ``prove``: complete search of one instance for a solution or the proof that there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fastqueens
from fastqueens._run.text import counted, duration
from fastqueens.cli import inputs, options
from fastqueens.cli.options import ConstraintOptions, Group, Report, Size, command, option, output
from fastqueens.cli.output import DRAWN_BELOW, Figures
from fastqueens.cli.session import ExitCode, Session

if TYPE_CHECKING:
    from fastqueens.answer import Answer


class _Search(Group):
    seed: int | None = option("--seed SEED", "Seed of the search. Default: random, or 0 with a checkpoint.")
    max_nodes: int | None = option("--max-nodes COUNT", "Stop after trying this many squares. Default: unlimited.")
    time_limit: float | None = option("--time-limit SECONDS", "Stop after this many seconds.")
    threads: int | None = options.threads
    scheduler: str | None = options.scheduler
    checkpoint: str | None = options.checkpoint


class _Output(Report):
    path: str | None = output("Write the solution to this file (.npy .txt .csv .json) or to stdout (-).")


@command("fastqueens prove 6 --queen 0,0\nfastqueens prove --instance hard.json --checkpoint hard.sqlite")
def prove(session: Session, board: Size, constraints: ConstraintOptions, search: _Search, output: _Output) -> int:
    """Find a solution for N queens (default: 8), or prove that there is none, by trying all possibilities.

    At most 64 columns can be without a fixed queen. The exit code is 0 if there is a solution, 3 if there is none, and
    1 if a limit ended the search before it had an answer.
    """
    session.hint = inputs.continued_by(search.checkpoint)
    instance = inputs.instance_given(session, board.n, constraints)
    session.limit(search.time_limit)
    with inputs.executor_of(session, search.scheduler) as executor, session.keeping():
        answer = fastqueens.prove(
            instance,
            seed=search.seed,
            max_nodes=search.max_nodes,
            time_limit=search.time_limit,
            threads=search.threads,
            executor=executor,
            checkpoint=search.checkpoint,
            **session.callbacks,
        )
        is_at_limit = search.max_nodes is not None and answer.nodes >= search.max_nodes
        session.is_partial = answer.solvable is None and (session.is_stopped() or not is_at_limit)
    session.has_data_on_stdout |= output.path == "-"
    if answer.queens is not None:
        inputs.write_board(session, output.path, answer.queens)
    if session.as_json:
        session.json(_figures(session, instance, answer, search))
    tried = f"{counted(answer.nodes, 'square')} tried (n = {instance.n:,}, seed {answer.seed})"
    if not session.is_partial:
        begin = f"Complete search for {duration(answer.seconds)}: {tried}."
        session.say(begin, *_verdict(session, instance, answer, output.path))
    if answer.queens is not None:
        session.wrote(output.path)
    session.say_partial(f"{tried}; it is unknown whether there is a solution")
    return {True: ExitCode.SOLVED, False: ExitCode.NO_SOLUTION, None: ExitCode.NOT_SOLVED}[answer.solvable]


def _figures(session: Session, instance: fastqueens.Instance, answer: Answer, search: _Search) -> Figures:
    from fastqueens.files.headers import header_of

    header = header_of(instance, answer.seed, {"max_nodes": search.max_nodes, "time_limit": search.time_limit})
    figures = {**header, **instance.counts, "solvable": answer.solvable, **answer.as_dict()}
    return figures if answer.queens is None else figures | session.in_json(answer.queens)


def _verdict(session: Session, instance: fastqueens.Instance, answer: Answer, path: str | None) -> list[str]:
    """Return the sentence that says whether there is a solution, and a drawing of a small solution."""
    if answer.queens is None and answer.reason:
        return [f"{answer.reason[:1].upper()}{answer.reason[1:]}."]
    if answer.queens is None and answer.solvable is False:
        no = session.painted("No solution", "attack")
        return [f"{no} exists for {instance.in_words}: all possibilities were tried."]
    if answer.queens is None:
        way = f"Try a higher value of --max-nodes to search longer{session.hint()}."
        return [f"It is unknown whether there is a solution. {way}"]
    respected = "" if instance.is_free else f", with {instance.constraints}"
    lines = [f"{session.painted('Solved', 'solved')} and verified: no queen attacks another{respected}."]
    if instance.n < DRAWN_BELOW and path != "-":
        lines.append(f"\n{session.drawing(answer.queens, instance, 'Write the board to a file with -o FILE.')}")
    return lines
