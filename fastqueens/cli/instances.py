"""``fastqueens solve --instances``: answer many instances, each in a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import fastqueens
from fastqueens._jit.clock import clock
from fastqueens._run.arguments import check_seed, new_seed
from fastqueens._run.text import counted, duration
from fastqueens.batch import refuted, solve_instances
from fastqueens.cli import inputs
from fastqueens.cli.output import Output, file_label
from fastqueens.cli.process import NOT_SOLVED, SOLVED
from fastqueens.errors import InputError
from fastqueens.files.growing import Head, growing_answers, heads_of, line_of, seed_in
from fastqueens.files.instances import read_batch
from fastqueens.instance import Instance
from fastqueens.task import check_method

#: The options that an answer depends on besides the seed.
_SETTINGS = ("method", "start", "max_steps", "restarts", "max_nodes", "time_limit")
_DEFAULTS = ("auto", "windowed", None)


def solve_batch(
    out: Output, source: str, output: str | None, seed: int | None, scheduler: str | None, options: dict[str, Any]
) -> int:
    """Answer the instances of a file or folder, those that the output does not have yet."""
    out.has_data_on_stdout |= output in (None, "-")
    out.reading(source)
    entries = read_batch(source)
    for entry in entries:
        if isinstance(entry.instance, Instance):
            try:
                check_method(entry.instance, options["method"])
            except InputError as error:
                raise InputError(f"{entry.place}: {error}") from None
    if seed is None and output not in (None, "-"):
        seed = seed_in(output)
    seed = new_seed() if seed is None else check_seed(seed)
    settings = {"seed": seed, **{name: options[name] for name in _SETTINGS}}
    chosen = {name: settings[name] for name in _SETTINGS if settings[name] not in _DEFAULTS}
    heads = heads_of(entries, {"version": fastqueens.__version__, "seed": seed, "options": chosen})
    begun = clock.seconds()
    with _opened(out, output, heads) as (write, known), inputs.executor_of(out, scheduler) as executor:
        left = [
            (head, entry.instance) for head, entry in zip(heads, entries, strict=True) if head["number"] not in known
        ]
        answers = solve_instances(
            [instance for _, instance in left if isinstance(instance, Instance)],
            threads=options["threads"],
            executor=executor,
            **settings,
            progress=out.progress,
            stop=out.is_stopped,
        )
        found = Counter(known.values())
        for head, instance in left:
            answer = next(answers) if isinstance(instance, Instance) else refuted(instance)
            found[answer.in_words] += 1
            size = {"n": instance.n} if isinstance(instance, Instance) else {}
            write(line_of({**head, **size, **answer.as_dict()}))
    kinds = f"{found['solved']:,} solved, {found['no solution']:,} without a solution, {found['undecided']:,} undecided"
    before = f" ({len(known):,} of them before)" if known else ""
    out.say(
        f"{counted(len(entries), 'instance')}{before} in {duration(clock.seconds() - begun)}, seed {seed}: {kinds}."
    )
    out.wrote(output)
    return NOT_SOLVED if found["undecided"] else SOLVED


@contextmanager
def _opened(
    out: Output, output: str | None, heads: list[Head]
) -> Iterator[tuple[Callable[[bytes], None], dict[int, str]]]:
    """Yield a function that writes a line to the output, and the answers that it has already."""
    if output is None or output == "-":
        with out.data() as file:

            def write_line(line: bytes) -> None:
                file.write(line + b"\n")
                file.flush()

            yield write_line, {}
    else:
        how_to_continue = f"the same command continues {file_label(output)}"
        with growing_answers(output, heads) as (write, known):
            out.if_interrupted(f"; {how_to_continue}")
            try:
                yield write, known
            except InputError as error:  # the cluster is lost, for example
                raise InputError(f"{error}; {how_to_continue}") from error
