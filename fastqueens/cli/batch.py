"""The command ``batch``: many instances, one answer per line, continued after an interruption."""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

import fastqueens
from fastqueens._run.arguments import check_seed, new_seed
from fastqueens._run.text import counted, duration
from fastqueens.cli import inputs, options
from fastqueens.cli.options import INPUT, Group, Work, argument, command, option, output
from fastqueens.cli.output import Figures, file_label
from fastqueens.cli.session import ExitCode, Session
from fastqueens.errors import InputError

if TYPE_CHECKING:
    from fastqueens.files.answers import Head
    from fastqueens.files.instances import BatchEntry


class _Search(Group):
    file: str = argument("FILE", INPUT)
    method: str = options.method
    start: str | None = options.start
    seed: int | None = option("--seed SEED", "Seed for each instance. Default: the seed in the -o FILE, or random.")
    max_steps: int | None = options.max_steps
    restarts: int | None = option(
        "--restarts COUNT", "Restarts of local search. Default: unlimited; 20 with constraints."
    )
    max_nodes: int | None = option(
        "--max-nodes COUNT",
        "Squares that complete search tries. Default: 100 million; unlimited with --method complete.",
    )
    time_limit: float | None = option("--time-limit SECONDS", "Stop each search after this many seconds.")


class _Output(Group):
    path: str | None = output("Write the answers to this file, or continue it. Default: stdout.")
    quiet: bool = options.quiet


@command("fastqueens batch puzzles.jsonl -o answers.jsonl\nfastqueens batch folder --method complete --time-limit 10")
def batch(session: Session, search: _Search, work: Work, output: _Output) -> int:
    """Solve all instances in FILE (- for stdin), which has an instance in JSON per line, or in the files of a folder.

    An instance is, for example, {"n": 20, "fixed": [[0, 3]], "blocked": [[5, 5]]}, with squares as [column, row] from
    0. Each answer is a line of JSON: a solution, as the rows of the queens from column 0 on, that there is none, or
    that this is undecided. If -o FILE has answers, the command continues after them. The exit code is 1 if an instance
    is undecided.
    """
    from fastqueens._run import clock
    from fastqueens.batch import stated_options
    from fastqueens.files.answers import heads_of, seed_in
    from fastqueens.files.instances import read_batch
    from fastqueens.task import Task

    path = None if output.path == "-" else output.path
    session.has_data_on_stdout = path is None
    session.reading(search.file)
    entries = read_batch(search.file)
    seed = seed_in(path) if search.seed is None and path is not None else search.seed
    seed = new_seed() if seed is None else check_seed(seed)
    settings: Figures = {**search.values, "seed": seed}
    del settings["file"]
    Task(1, **settings)  # checks the settings
    chosen = [stated_options(entry, settings) for entry in entries]
    heads = heads_of(entries, {"version": fastqueens.__version__, "seed": seed}, chosen)
    begun = clock.seconds()
    found, known = _answer(session, path, list(zip(heads, entries, strict=True)), settings, work)
    kinds = f"{found['solved']:,} solved, {found['no solution']:,} without a solution, {found['undecided']:,} undecided"
    before = f" ({known:,} of them in an earlier run)" if known else ""
    taken = duration(clock.seconds() - begun)
    session.say(f"{counted(len(entries), 'instance')}{before} in {taken}, seed {seed}: {kinds}.")
    session.wrote(path)
    return ExitCode.NOT_SOLVED if found["undecided"] else ExitCode.SOLVED


def _answer(
    session: Session, path: str | None, tasks: list[tuple[Head, BatchEntry]], settings: Figures, work: Work
) -> tuple[Counter[str], int]:
    """Write the answers that the file does not have yet.

    Returns the number of answers of each kind in the file, and the number of answers that it had before.
    """
    from fastqueens.answer import refuted
    from fastqueens.files.answers import appended_answers, leads_to
    from fastqueens.instance import Instance

    with ExitStack() as stack:
        known: dict[int, str] = {}
        executor = stack.enter_context(inputs.executor_of(session, work.scheduler))
        if path is None:
            stream = stack.enter_context(session.data())
        else:
            append, known = stack.enter_context(appended_answers(path, [head for head, _ in tasks]))
            opened = os.stat(path)
        left = [(head, entry.instance) for head, entry in tasks if head["number"] not in known]
        instances = [instance for _, instance in left if isinstance(instance, Instance)]
        answers = fastqueens.solve_instances(
            instances, **settings, threads=work.threads, executor=executor, **session.callbacks
        )
        found = Counter(known.values())

        def hint() -> str:
            after = f" after {found.total():,} of {counted(len(tasks), 'instance')}"
            is_there = path is not None and leads_to(path, opened)
            return after + (f"; the same command continues {file_label(path)}" if is_there else "")

        session.hint = hint
        try:
            for head, instance in left:
                answer = next(answers) if isinstance(instance, Instance) else refuted(instance)
                size = {"n": instance.n} if isinstance(instance, Instance) else {}
                line = json.dumps({**head, **size, **answer.as_dict()}).encode()
                if path is None:
                    stream.write(line + b"\n")
                    stream.flush()
                else:
                    append(line)
                found[answer.in_words] += 1
        except InputError as error:  # for example, because the cluster is lost
            raise InputError(f"{error}{hint()}") from error
    return found, len(known)
