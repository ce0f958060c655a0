"""Complete search in parts: the times of all tasks, the efficiency on processes, and on many workers by simulation."""

from __future__ import annotations

import contextlib
import heapq
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import groupby
from multiprocessing import get_context
from typing import Any, NamedTuple

import fastqueens
from bench.instances import excluded_diagonals, instance_without
from fastqueens import NoSolutionError
from fastqueens.core.threads import all_cores

#: Counts of free boards by n, and proofs that generated instances by n and seed have no solution.
COUNTS: Sequence[int] = (18, 19)
PROOFS: Sequence[tuple[int, int]] = ((28, 1), (30, 2))

#: Worker processes on this machine, and workers that are simulated.
PROCESSES = (2,)
SIMULATED = (10, 100, 1000)

# Seconds of work up to which a search is also measured on processes; longer ones are simulated only.
_MEASURED = 60.0

# Seconds in which a scheduler hands out a task: the median of Dask for small tasks.
_HANDED_OUT = 0.001

Search = Callable[[Any], object]


class TimedTask(NamedTuple):
    """A finished task: its processor time in seconds, and how many bundles it has left."""

    seconds: float
    left: int


class Recorder:
    """An executor that makes each call at once, in this process, and records its time."""

    _max_workers = 1

    def __init__(self) -> None:
        self.tasks: list[TimedTask] = []

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Make a call."""
        begun = time.thread_time()
        outcome = function(*arguments)
        self.tasks.append(TimedTask(time.thread_time() - begun, len(outcome.left)))
        future: Future[Any] = Future()
        future.set_result(outcome)
        return future


class Watched:
    """A pool of processes, and when it got its first call."""

    def __init__(self, pool: ProcessPoolExecutor, processes: int) -> None:
        self._pool, self._max_workers = pool, processes
        self.begun: float | None = None

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Pass on a call."""
        self.begun = self.begun or time.perf_counter()
        return self._pool.submit(function, *arguments)


def measure() -> Iterator[dict[str, Any]]:
    """Yield a row for each search and number of workers.

    ``efficiency`` is the processor time of all tasks on one thread, divided by the time of all workers, or of all cores
    if there are fewer, from the first task to the last. It leaves out the rounds before in this process, about two
    seconds of processor time.
    """
    for what, search in searches().items():
        recorder = Recorder()
        search(recorder)
        tasks = recorder.tasks
        work = sum(task.seconds for task in tasks)
        row = {"what": what, "tasks": len(tasks), "longest": max(task.seconds for task in tasks), "work": work}
        for workers in PROCESSES if work < _MEASURED else ():
            taken = seconds_on_processes(search, workers)
            efficiency = work / taken / min(workers, all_cores())
            yield {**row, "workers": workers, "simulated": False, "seconds": taken, "efficiency": efficiency}
        for workers in SIMULATED:
            taken = simulated(tasks, workers)
            yield {**row, "workers": workers, "simulated": True, "seconds": taken, "efficiency": work / taken / workers}


def searches() -> dict[str, Search]:
    """Return what is measured: functions that get an executor."""
    named: dict[str, Search] = {f"count, n = {n}": partial(_count, n) for n in COUNTS}
    for n, seed in PROOFS:
        instance = instance_without(n, excluded_diagonals(n, seed)[:n])
        named[f"proof, n = {n}, seed {seed}"] = partial(_prove, instance)
    return named


def _count(n: int, executor: Any) -> None:
    fastqueens.count_solutions(n, executor=executor)


def _prove(instance: fastqueens.Instance, executor: Any) -> None:
    with contextlib.suppress(NoSolutionError):
        fastqueens.solve(instance, method="complete", seed=0, trace=False, executor=executor)
        raise RuntimeError("there is a solution")


def seconds_on_processes(search: Search, processes: int) -> float:
    """Return the seconds of all tasks on some processes that have loaded the kernels before."""
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        list(pool.map(_load, range(4 * processes)))
        watched = Watched(pool, processes)
        search(watched)
        if watched.begun is None:
            raise RuntimeError("the search is too small: it has no tasks")
        return time.perf_counter() - watched.begun


def _load(_number: int) -> None:
    fastqueens.count_solutions(8, threads=1)
    time.sleep(0.2)  # so that each process gets some of the calls


def simulated(tasks: Sequence[TimedTask], workers: int) -> float:
    """Return the seconds in which some workers make all tasks, which are numbered as in a search.

    Each task begins when it is known, a worker is free and the scheduler has handed out those before. The tasks that
    one leaves are known when it and all with smaller numbers have ended.
    """
    known = len(tasks) - sum(task.left for task in tasks)
    waiting = deque(range(known))
    running: list[tuple[float, int]] = []
    ended: set[int] = set()
    now = handed_out = 0.0
    counted = 0
    while waiting or running:
        while waiting and len(running) < workers:
            number = waiting.popleft()
            handed_out = max(now, handed_out) + _HANDED_OUT
            heapq.heappush(running, (handed_out + tasks[number].seconds, number))
        now, number = heapq.heappop(running)
        ended.add(number)
        while counted in ended:
            waiting.extend(range(known, known + tasks[counted].left))
            known += tasks[counted].left
            counted += 1
    return now


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the efficiency of each search by the number of workers."""
    counts = [(False, count) for count in PROCESSES] + [(True, count) for count in SIMULATED]
    heads = [f"{count:,} {'simulated' if simulated else 'processes'}" for simulated, count in counts]
    lines = [
        f"| search | tasks | longest | all tasks | {' | '.join(heads)} |",
        "|---|" + "---:|" * (3 + len(counts)),
    ]
    for what, of_search in groupby(rows, key=lambda row: row["what"]):
        found = {(row["simulated"], row["workers"]): row for row in of_search}
        row = next(iter(found.values()))
        cells = [f"{found[key]['efficiency']:.0%}" if key in found else "" for key in counts]
        lines.append(
            f"| {what} | {row['tasks']:,} | {row['longest']:.2f} s | {row['work']:.0f} s | {' | '.join(cells)} |"
        )
    return "\n".join(lines)
