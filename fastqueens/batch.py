"""Batches: many instances, solved on all cores or on an executor, with their answers in order.

Each instance is solved on one thread, exactly as :func:`fastqueens.solve` solves it alone. A job is a run of
neighbouring instances.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, SupportsIndex

from fastqueens._run import clock, executors
from fastqueens._run.arguments import checked_or_new_seed, entries_of
from fastqueens._run.executors import Executor, calls_at_a_time
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.threads import Workers
from fastqueens.answer import Answer, refuted
from fastqueens.errors import InputError, NoSolutionError, Stopped, TimeLimitReached
from fastqueens.files.headers import in_files
from fastqueens.files.instances import BatchEntry
from fastqueens.instance import Instance, as_instance
from fastqueens.recorder import Recorder
from fastqueens.solver import run_task
from fastqueens.task import Task, check_method

# The intended duration of a job. It should be long compared with the overhead, which is larger on an executor, but all
# answers of a job arrive together. The next instances can be far harder, so the number of instances is limited.
_SECONDS_PER_RUN = 0.02
_SECONDS_PER_RUN_AWAY = 0.2
_LONGEST_RUN = 64


@shows_progress
def solve_instances(
    instances: Iterable[Instance | SupportsIndex],
    *,
    method: str = "auto",
    seed: SupportsIndex | None = None,
    start: str | None = None,
    max_steps: SupportsIndex | None = None,
    restarts: SupportsIndex | None = None,
    max_nodes: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    executor: Executor | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Iterator[Answer]:
    """Solve many instances, and yield their answers in order.

    Parameters
    ----------
    instances : iterable of Instance or int
        The instances. All of them are read and checked before the first one is solved. An int n stands for a board
        without constraints.
    method, start, max_steps, restarts
        As in :func:`fastqueens.solve`, for each instance.
    max_nodes : int, optional
        The most squares that complete search tries for each instance. By default, 100 million, or no limit if the
        method is "complete". The method "local" refuses it.
    seed : int, optional
        The seed of every instance: ``solve(instance, seed=seed)`` with the same options finds the same answer. By
        default, a seed is drawn and logged (logger "fastqueens", level INFO). Pass a seed to repeat a run.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers. Each instance is solved on
        one thread.
    executor : executor, optional
        Where to solve the instances: a pool of ``concurrent.futures`` or the ``Client`` of a Dask cluster. Its
        processes need the same version of fastqueens. It is not closed.
    time_limit : float, optional
        Seconds for each instance, after which its answer is "undecided". Compiling does not count. By default, there is
        no limit.
    progress, stop : optional
        The display of progress, and a function that ends the call; see docs/library.md. Jobs that an executor has
        started are not interrupted.

    Yields
    ------
    Answer
        One answer per instance. "No solution" is an answer, not an exception.

    Raises
    ------
    InputError
        If an argument is invalid, or the workers of an executor have another version of fastqueens. Invalid arguments
        are reported before the first answer is requested. The message numbers the instances from 1.
    NotEnoughMemoryError
        If an instance needs more memory than is available.
    Stopped
        If ``stop`` returned True, after the answers so far.

    See Also
    --------
    solve : Solve a single instance.
    read_instances : Read the instances of a file.
    make_instance : Make an instance from constraints.

    Notes
    -----
    Answers, boards, nodes and attempts do not depend on the threads or the executor. Up to 64 answers to small
    neighbouring instances arrive together. Threads gain little on small instances, because Python prepares and checks
    one instance at a time. For thousands of small instances, use a ``ProcessPoolExecutor`` or a cluster.

    Examples
    --------
    >>> from fastqueens import make_instance
    >>> instances = [make_instance(8, {1: 3}), make_instance(8, excluded_sums=[5, 7, 9], excluded_differences=[0])]
    >>> [answer.solvable for answer in solve_instances(instances, seed=1)]
    [True, False]
    """
    settings: dict[str, Any] = {"method": method, "start": start, "max_steps": max_steps, "restarts": restarts}
    settings |= {"max_nodes": max_nodes, "time_limit": time_limit, "seed": checked_or_new_seed(seed)}
    settings["time_limit"] = Task(1, **settings).time_limit
    calls_at_a_time(threads, executor)  # checks the number
    checked = []
    for number, given in enumerate(entries_of(instances, "instances", "a list of instances"), 1):
        try:
            checked.append(as_instance(given))
            check_method(checked[-1], method)
        except InputError as error:
            raise InputError(f"instance {number}: {error}") from None
    return _answers(checked, settings, threads, executor, Callbacks(progress, stop))


def _answers(
    instances: list[Instance],
    settings: dict[str, Any],
    threads: SupportsIndex | None,
    executor: Executor | None,
    callbacks: Callbacks,
) -> Iterator[Answer]:
    """Yield the answers in order, while threads or the executor work ahead."""
    wanted_seconds = _SECONDS_PER_RUN if executor is None else _SECONDS_PER_RUN_AWAY
    size, done, first = 1, 0, 0
    ended: dict[int, list[Answer]] = {}

    def jobs() -> Iterator[executors.Job]:
        begin = 0
        while begin < len(instances):
            run = instances[begin : begin + size]
            yield executors.Job(begin, answer_run, (run, settings))
            begin += len(run)

    def poll() -> None:
        callbacks.poll("instances", done, len(instances))

    with closing(executors.results(jobs(), poll, threads=threads, executor=executor)) as found:
        for begin, answers in found:
            done += len(answers)
            fitting = int(wanted_seconds * len(answers) / max(1e-9, sum(answer.seconds for answer in answers)))
            size = max(1, min(fitting, 2 * size, _LONGEST_RUN))
            ended[begin] = answers
            while first in ended:
                answers = ended.pop(first)
                yield from answers
                first += len(answers)


def stated_options(entry: BatchEntry, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the options that influence the answer to an instance; none if it has no solution without a search."""
    if isinstance(entry.instance, NoSolutionError):
        return {}
    try:
        check_method(entry.instance, settings["method"])
        task = Task(entry.instance, **settings, force=True)
    except NoSolutionError:
        return {}
    except InputError as error:
        raise InputError(f"{entry.place}: {error}") from None
    return in_files(task.options | ({} if task.method == "local" else {"max_nodes": task.max_nodes}))


def answer_run(instances: list[Instance], settings: dict[str, Any], stop: Stop | None = None) -> list[Answer]:
    """Return the answers to the instances of one job, or to the first few of them if ``stop`` returns True."""
    answers: list[Answer] = []
    with Workers(1) as workers:
        for instance in instances:
            try:
                answer = _answer(instance, settings, workers, stop)
            except Stopped:
                break
            if stop is not None and stop():  # the search can have ended early
                break
            answers.append(answer)
    return answers


def _answer(instance: Instance, settings: dict[str, Any], workers: Workers, stop: Stop | None) -> Answer:
    begun = clock.seconds()
    callbacks = Callbacks.until(settings["time_limit"], None, stop)
    try:
        task = Task(instance, **settings, threads=1)  # the other threads have instances of their own
        result = run_task(task, workers, callbacks, Recorder(False))
    except NoSolutionError as error:
        return refuted(error, clock.seconds() - begun)
    except TimeLimitReached:
        return Answer(None, seconds=clock.seconds() - begun)
    queens, seconds = result.queens if result.solved else None, clock.seconds() - begun
    return Answer(result.solved or None, queens, result.method, result.nodes, result.attempts, seconds)
