"""``estimate()``: how many solutions there are for n queens, from independent replicas of a Markov chain."""

from __future__ import annotations

import math
import numbers
import statistics
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from fastqueens.core.board import check_n, check_solvable
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.errors import InputError, SamplingWarning, Stopped
from fastqueens.core.integers import NO_LIMIT, check_integer, check_seed, new_seed
from fastqueens.executors.running import Executor, Task, calls_at_a_time, run_tasks
from fastqueens.kernels import clock
from fastqueens.sampling import importance, integration
from fastqueens.sampling.annealing import Replica, check_room
from fastqueens.sampling.count_result import IMPORTANCE, INTEGRATION, CountEstimate, NodeFigures

#: A chain draws columns from halves of a random word.
MOST_N = 2**31

#: The fewest replicas of an estimate, of one that stops at a certain error, and of one that was stopped.
LEAST_REPLICAS = 4
_LEAST_WITH_ERROR = 8
_LEAST_WHEN_STOPPED = 2
_MOST_REPLICAS = 10**6

#: Proposals of all replicas together by default: two or three seconds on one core.
_PROPOSALS = 2 * 10**8
_MOST_BY_DEFAULT = 1024


class _Method(NamedTuple):
    """A way to estimate: its name, the function of a replica, the proposals of one, and what sums up several."""

    name: str
    run: Callable[..., Replica]
    proposals: Callable[[int], int]
    sum_up: Callable[[Sequence[Replica]], tuple[float, float, float]]


class _Budget(NamedTuple):
    """When to stop: after exactly ``replicas``, at a standard error, or after some seconds."""

    replicas: int | None
    error: float | None
    seconds: float | None


def estimate(
    n: int,
    *,
    seed: int | None = None,
    replicas: int | None = None,
    seconds: float | None = None,
    error: float | None = None,
    unbiased: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> CountEstimate:
    """Estimate how many solutions there are for n queens.

    Without ``replicas``, ``seconds`` and ``error``, the number of replicas depends on n only.

    Parameters
    ----------
    n : int
        Side of the board, up to 2**31; with ``unbiased`` up to 300.
    seed : int, optional
        Drawn by default. Replica r of a seed is always the same, so more replicas continue an estimate. The result
        depends on ``n``, ``seed``, ``unbiased`` and the number of replicas only.
    replicas : int, optional
        Independent runs of the chain, at least 4.
    seconds : float, optional
        Begin no further replica if it would end after that time. At least 4 are made, which may take longer.
    error : float, optional
        Stop at this standard error of ln Q(n); from 8 replicas on. Such an estimate is a little too sure of itself,
        because it stops more readily if the replicas happen to agree. With ``seconds``, whichever comes first.
    unbiased : bool
        Use annealed importance sampling: the mean of exp(log_count) is Q(n) even if the chain mixes slowly. The error
        is about twice as large.
    threads : int, optional
        All cores by default. With an executor, the number of its workers; by default the executor is asked.
    executor : Executor, optional
        Runs the replicas elsewhere, as in :func:`fastqueens.study`.
    progress, stop : callable, optional
        As in :func:`fastqueens.solve`; the stage is "replicas", or "seconds" with ``seconds`` and before they are over.
        If ``stop`` returns True, the result has the replicas that are finished, at least 2.

    Returns
    -------
    CountEstimate

    Raises
    ------
    InputError
        If a value is not as described here.
    NoSolutionError
        For n = 2 and n = 3, where Q(n) = 0.
    NotEnoughMemoryError
        If the chains do not fit into memory: 8 bytes a queen and thread.
    Stopped
        If ``stop`` returned True before 2 replicas were finished.

    Warns
    -----
    SamplingWarning
        If few replicas carry the weight, so that the standard error means little.

    Notes
    -----
    Thermodynamic integration (sampling/integration.py). With P proposals, the standard error of ``gamma`` is about
    4 / sqrt(P), for any n, and that of ``log_count`` is n times as large. A proposal takes 8 ns for n = 27, 13 ns for
    n = 10**5 and 22 ns for n = 10**6. It is not unbiased: each replica forgets its beginning only approximately, and
    the integral is a sum of 7 terms. Both effects are far below the standard error of any estimate that a machine can
    make in a day.

    Annealed importance sampling (sampling/importance.py). The logarithm of an unbiased estimate is on average too small
    by half of the square of its standard error. The error is that of the mean weight, divided by the mean (delta
    method). It is too small if most of the weight is in boards that few replicas find: ``warning`` says so if there are
    fewer than 10 effective replicas.

    Examples
    --------
    >>> found = estimate(8, seed=1, replicas=8)
    >>> found.exact, abs(found.log_count - math.log(92)) < 0.1
    (92, True)
    """
    n = _checked_size(n, unbiased)
    seed = new_seed() if seed is None else check_seed(seed)
    method = _METHODS[bool(unbiased)]
    budget = _checked_budget(n, replicas, error, seconds, method)
    at_a_time = calls_at_a_time(threads, executor)
    begun = clock.seconds()
    if n == 1:
        return CountEstimate(1, seed, 0.0, 0.0, 0, 0.0, 0, 0.0, "exact", clock.seconds() - begun)
    check_room(n, 1 if executor is not None else min(at_a_time, budget.replicas or at_a_time))
    made = _Run(n, seed, budget, method, Callbacks(progress, stop), begun).make(threads, executor)
    log_count, standard_error, effective = method.sum_up(made)
    if log_count == -math.inf:
        raise InputError(f"none of {len(made)} replicas has ended at a solution: more are needed")
    proposals = sum(replica.proposals for replica in made)
    found = CountEstimate(
        n=n,
        seed=seed,
        log_count=log_count,
        standard_error=standard_error,
        replicas=len(made),
        effective_replicas=effective,
        proposals=proposals,
        acceptance=sum(replica.accepted for replica in made) / proposals,
        method=method.name,
        seconds=clock.seconds() - begun,
        nodes=_node_figures(made),
    )
    if found.warning is not None:
        warnings.warn(found.warning, SamplingWarning, stacklevel=2)
    return found


def check_estimate(
    n: int,
    *,
    seed: int | None = None,
    replicas: int | None = None,
    seconds: float | None = None,
    error: float | None = None,
    unbiased: bool = False,
) -> None:
    """Raise the error that :func:`estimate` would raise for these arguments."""
    if seed is not None:
        check_seed(seed)
    _checked_budget(_checked_size(n, unbiased), replicas, error, seconds, _METHODS[bool(unbiased)])


class _Run:
    """The replicas of one estimate, which are finished in any order and count in order of their numbers."""

    def __init__(self, n: int, seed: int, budget: _Budget, method: _Method, callbacks: Callbacks, begun: float) -> None:
        self._n = n
        self._seed = seed
        self._budget = budget
        self._method = method
        self._callbacks = callbacks
        self._begun = begun
        self._done: dict[int, Replica] = {}
        self._in_order: list[Replica] = []
        self._next_look = _LEAST_WITH_ERROR
        self._is_exact_enough = False
        self._begun_at: dict[int, float] = {}
        self._longest = 0.0

    def make(self, threads: int | None, executor: Executor | None) -> list[Replica]:
        """Make replicas until the budget is used up, and return them."""
        try:
            run_tasks(self._tasks(), self._poll, threads=threads, executor=executor)
        except Stopped:
            if len(self._in_order) < _LEAST_WHEN_STOPPED:
                raise
        return self._in_order

    def _tasks(self) -> Iterator[Task]:
        begun = 0
        while not self._is_over(begun):
            self._begun_at[begun] = self._elapsed()
            yield Task(self._method.run, (self._n, self._seed, begun), partial(self._add, begun))
            begun += 1

    def _is_over(self, begun: int) -> bool:
        replicas, _, seconds = self._budget
        if replicas is not None:
            return begun >= replicas
        is_late = seconds is not None and begun >= LEAST_REPLICAS and self._elapsed() + self._longest > seconds
        return self._is_exact_enough or is_late or begun >= _MOST_REPLICAS

    def _add(self, number: int, replica: Replica) -> None:
        """Add a finished replica. Those after the first ones that are exact enough do not count."""
        self._longest = max(self._longest, self._elapsed() - self._begun_at.pop(number))
        self._done[number] = replica
        while not self._is_exact_enough and (following := self._done.pop(len(self._in_order), None)) is not None:
            self._in_order.append(following)
            if self._budget.error is not None and len(self._in_order) == self._next_look:
                self._next_look += max(_LEAST_WITH_ERROR, self._next_look // 8)
                self._is_exact_enough = self._method.sum_up(self._in_order)[1] <= self._budget.error

    def _poll(self) -> None:
        replicas, _, seconds = self._budget
        if seconds is not None and self._elapsed() < seconds:
            self._callbacks.poll("seconds", int(self._elapsed()), math.ceil(seconds))
            return
        finished = len(self._in_order) + len(self._done)
        if seconds is not None:
            replicas = max(LEAST_REPLICAS, finished + len(self._begun_at))
        self._callbacks.poll("replicas", finished, NO_LIMIT if replicas is None else replicas)

    def _elapsed(self) -> float:
        return float(clock.seconds() - self._begun)


def _mean_logarithm(replicas: Sequence[Replica]) -> tuple[float, float, float]:
    """Return the mean of ln Q(n), its standard error, and how many replicas it is based on."""
    values = [replica.log_count for replica in replicas]
    return math.fsum(values) / len(values), statistics.stdev(values) / math.sqrt(len(values)), float(len(values))


def _logarithm_of_mean(replicas: Sequence[Replica]) -> tuple[float, float, float]:
    """Return the logarithm of the mean of Q(n), its standard error, and how many equal weights had that error."""
    values = [replica.log_count for replica in replicas]
    largest = max(values)
    if largest == -math.inf:
        return largest, math.inf, 0.0
    weights = [math.exp(value - largest) for value in values]
    mean = math.fsum(weights) / len(weights)
    standard_error = statistics.stdev(weights) / mean / math.sqrt(len(weights))
    effective = math.fsum(weights) ** 2 / math.fsum(weight**2 for weight in weights)
    return largest + math.log(mean), standard_error, effective


_METHODS = {
    False: _Method(INTEGRATION, integration.integrate, integration.proposals_of_replica, _mean_logarithm),
    True: _Method(IMPORTANCE, importance.weigh, importance.proposals_of_replica, _logarithm_of_mean),
}


def _checked_size(n: int, unbiased: bool) -> int:
    n = check_n(n)
    check_solvable(n)
    most = importance.MOST_N if unbiased else MOST_N
    if n > most:
        what = "an unbiased estimate" if unbiased else "an estimate"
        raise InputError(f"n is {n}: {what} goes up to n = {most:,}")
    return n


def _checked_budget(
    n: int, replicas: int | None, error: float | None, seconds: float | None, method: _Method
) -> _Budget:
    limits = {"seconds": seconds, "error": error}
    for name, value in limits.items():
        is_number = isinstance(value, numbers.Real) and not isinstance(value, bool) and 0 < value < math.inf
        if value is not None and not is_number:
            raise InputError(f"{name} is {value!r}: a finite number above 0 is needed")
    if replicas is not None:
        given = [name for name, value in limits.items() if value is not None]
        if given:
            raise InputError(f"replicas and {given[0]}: give one of them, since replicas says exactly how many")
        return _Budget(check_integer(replicas, "replicas", LEAST_REPLICAS, _MOST_REPLICAS), None, None)
    if error is None and seconds is None:
        fitting = _PROPOSALS // method.proposals(n)
        return _Budget(min(_MOST_BY_DEFAULT, max(LEAST_REPLICAS, fitting)), None, None)
    return _Budget(None, error, seconds)


def _node_figures(replicas: Sequence[Replica]) -> tuple[NodeFigures, ...]:
    """Return the means over all replicas at each node."""
    energies = zip(*(replica.energies for replica in replicas), strict=True)
    acceptances = zip(*(replica.acceptances for replica in replicas), strict=True)
    return tuple(
        NodeFigures(
            node.t,
            math.fsum(energy) / len(energy),
            statistics.stdev(energy) / math.sqrt(len(energy)),
            math.fsum(acceptance) / len(acceptance),
        )
        for node, energy, acceptance in zip(integration.NODES, energies, acceptances, strict=False)
    )
