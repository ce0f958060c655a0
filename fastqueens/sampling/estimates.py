"""Estimates of the number of solutions of an instance, from independent replicas of a Markov chain."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from fastqueens._run import clock
from fastqueens._run.arguments import NO_LIMIT, check_integer, check_positive, check_seed, new_seed
from fastqueens._run.executors import Executor, Job, calls_at_a_time, results
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.board import check_solvable, known_count
from fastqueens.errors import InputError, Stopped, TimeLimitReached
from fastqueens.exact.propagation import check_closed_lines
from fastqueens.files.headers import header_of
from fastqueens.instance import Fixed, Instance, Squares, as_instance
from fastqueens.sampling.levels import Replica, check_room, hops_of_replica, levels_of, log_count, run_replica

#: Estimates of larger boards are untested.
MOST_N = 2**31

#: The fewest replicas of an estimate, of an estimate with a target error, and of an estimate that was stopped or ended
#: at its time limit.
_LEAST_REPLICAS = 4
_LEAST_WITH_ERROR = 8
_LEAST_WHEN_STOPPED = 2
_MOST_REPLICAS = 10**6

#: Hops of all replicas together by default: two or three seconds on one core.
_HOPS = 3 * 10**7
_MOST_BY_DEFAULT = 1024

#: With a larger error of ln Q(n), Q(n) is known only up to a factor.
_LARGEST_RELATIVE_ERROR = 0.35

#: Smaller numbers are written without an exponent.
_POWERS_FROM = 7


class LevelFigures(NamedTuple):
    """The mean over all replicas for boards with a given number of holes.

    Attributes
    ----------
    holes : int
        Number m of empty columns and rows.
    free : float
        p(m), the probability that no queen attacks the square of a random empty column and a random empty row.
    free_error : float
        Standard error of p(m).

    Examples
    --------
    >>> from fastqueens import estimate
    >>> last = estimate(8, seed=1, replicas=8).levels[-1]
    >>> last.holes, round(last.free, 2)
    (1, 0.23)
    """

    holes: int
    free: float
    free_error: float


@dataclass(frozen=True)
class CountEstimate:
    """An estimate of Q, the number of solutions of an instance.

    Attributes
    ----------
    instance : Instance
        The board and its constraints.
    n : int
        Side of the board.
    seed : int
        Seed that repeats the estimate, together with ``instance`` and ``replicas``.
    log_count : float
        ln Q.
    standard_error : float
        Standard error of ln Q, from the differences between replicas. With R replicas, it has R - 1 degrees of freedom:
        for a 95 % interval, multiply it by 3.2 for 4 replicas, 2.4 for 8, 2.1 for 16, and 2.0 for many.
    gamma, gamma_error : float
        ln n - ln(Q) / n, and its standard error. gamma tends to the constant of :func:`fastqueens.limit_gamma`.
    exact : int or None
        Q, if it is known: up to n = 27 without constraints.
    deviation : float or None
        (``log_count`` - ln ``exact``) / ``standard_error``; None if one of them is unknown.
    decimal : str
        Q in decimal notation, with as many digits as the error allows.
    replicas : int
        Number of independent runs of the chain.
    hops : int
        Moves of queens in all replicas.
    acceptance : float
        Moves made, divided by moves tried.
    method : str
        "holes"; "exact" for n = 1, and if all queens are fixed.
    seconds : float
        Wall time of the call.
    levels : tuple of LevelFigures
        The measurements for each number of holes, from many to few.

    See Also
    --------
    estimate : Make an estimate.

    Examples
    --------
    >>> found = estimate(8, seed=1, replicas=8)
    >>> found.decimal, found.exact
    ('92.68 ± 0.54', 92)
    """

    instance: Instance
    seed: int
    log_count: float
    standard_error: float
    replicas: int
    hops: int
    acceptance: float
    method: str
    seconds: float
    levels: tuple[LevelFigures, ...] = ()

    @property
    def n(self) -> int:
        """Side of the board."""
        return self.instance.n

    @property
    def gamma(self) -> float:
        """The value of ln n - ln(Q) / n, which tends to the constant of :func:`fastqueens.limit_gamma`."""
        return math.log(self.n) - self.log_count / self.n

    @property
    def gamma_error(self) -> float:
        """The standard error of ``gamma``."""
        return self.standard_error / self.n

    @property
    def exact(self) -> int | None:
        """Q if it is known, from OEIS A000170: up to n = 27, for boards without constraints."""
        return known_count(self.n) if self.instance.is_free else None

    @property
    def deviation(self) -> float | None:
        """(``log_count`` - ln ``exact``) / ``standard_error``; None if the exact number or the error is unknown."""
        if not self.exact or self.standard_error == 0:
            return None
        return (self.log_count - math.log(self.exact)) / self.standard_error

    @property
    def decimal(self) -> str:
        """Q in decimal notation, with as many digits as the error allows."""
        return decimal_count(self.log_count, self.standard_error)

    def __repr__(self) -> str:
        return (
            f"<CountEstimate n={self.n} ln Q = {with_error(self.log_count, self.standard_error)}, Q = {self.decimal}, "
            f"{self.replicas:,} replicas, seed={self.seed}, {self.seconds:.3g} s>"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers, and what repeats them, as ``fastqueens estimate --json`` prints them."""
        names = (
            "log_count", "standard_error", "gamma", "gamma_error", "decimal", "exact", "deviation", "method",
            "replicas", "hops", "acceptance", "seconds",
        )  # fmt: skip
        figures = {name: getattr(self, name) for name in names}
        # A target error and a time limit only decide the number of replicas.
        header = header_of(self.instance, self.seed, {"replicas": self.replicas} if self.replicas else {})
        levels = [level._asdict() for level in self.levels]
        return {**header, **self.instance.counts, **figures, "levels": levels}


@shows_progress
def estimate(
    n: SupportsIndex | Instance,
    *,
    seed: SupportsIndex | None = None,
    replicas: SupportsIndex | None = None,
    error: float | None = None,
    threads: SupportsIndex | None = None,
    executor: Executor | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    fixed: Fixed | None = None,
    blocked: Squares | None = None,
) -> CountEstimate:
    """Estimate the number of solutions Q, with a standard error.

    The estimate is the mean of independent runs of a Markov chain, the replicas. By default, it takes two or three
    seconds on one core. docs/explanation/number-of-solutions.md explains the method.

    Parameters
    ----------
    n : int or Instance
        Side of the board, up to 2**31, or an instance.
    seed : int, optional
        Seed from 0 to 2**64 - 1. By default, a seed is drawn. The instance, the seed and the number of replicas
        determine the result. More replicas with the same seed continue an estimate.
    replicas : int, optional
        Number of replicas, at least 4. By default, the number depends only on the instance, or is as large as
        ``time_limit`` allows.
    error : float, optional
        Target for the standard error of ln Q, from 8 replicas on. The error of such an estimate is slightly too small,
        because it stops earlier if the replicas happen to agree. Cannot be combined with ``replicas``.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers.
    executor : executor, optional
        Where to run the replicas: a pool of ``concurrent.futures`` or a ``dask.distributed.Client``.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.
        The result has the finished replicas, at least 2.
    fixed, blocked : optional
        Constraints, as in :func:`make_instance`. They cannot be combined with an instance.

    Returns
    -------
    CountEstimate
        The estimate, its error, and the exact number if it is known.

    Raises
    ------
    InputError
        If an argument is invalid, or the chains met no solution of the instance.
    NoSolutionError
        If n is 2 or 3, fixed queens attack each other, or a column or a row has no open square.
    NotEnoughMemoryError
        If the chains do not fit into memory; they take 30 bytes per queen and thread.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or the time limit was reached, before 2 replicas were finished.

    See Also
    --------
    count_solutions : Count the solutions exactly.
    limit_gamma : Compute the limit of ``gamma``.

    Notes
    -----
    After 10 s on one core, the standard error of ln Q for n = 8 to 27 is 0.001 to 0.002, which is 0.1 to 0.2 % of Q.
    After 6 minutes, the standard error of ``gamma`` for n = 10**5 is about 6e-6.

    Examples
    --------
    >>> import math
    >>> found = estimate(8, seed=1, replicas=8)
    >>> found.exact, abs(found.log_count - math.log(92)) < 0.1
    (92, True)
    """
    instance = as_instance(n, fixed, blocked)
    plan = check_estimate(instance, seed=seed, replicas=replicas, error=error, time_limit=time_limit)
    callbacks = Callbacks.until(plan.time_limit, progress, stop)
    at_a_time = calls_at_a_time(threads, executor)
    begun = clock.seconds()
    check_room(instance, 1 if executor is not None else min(at_a_time, plan.replicas or at_a_time))
    check_closed_lines(instance, callbacks)
    if instance.free_columns == 0 or instance.n == 1:
        return CountEstimate(instance, plan.seed, 0.0, 0.0, 0, 0, 0.0, "exact", clock.seconds() - begun)
    found = _Replicas(plan, callbacks, begun).run(threads, executor)
    # Use means over all replicas, because the mean of ln p(m) is too small by half of the variance.
    free = np.array([replica.free for replica in found])
    means, errors = free.mean(axis=0).tolist(), free.std(axis=0, ddof=1) / math.sqrt(len(found))
    hops = sum(replica.hops for replica in found)
    return CountEstimate(
        instance=instance,
        seed=plan.seed,
        log_count=log_count(instance, means),
        standard_error=_standard_error(found),
        replicas=len(found),
        hops=hops,
        acceptance=hops / sum(replica.hops_tried for replica in found),
        method="holes",
        seconds=clock.seconds() - begun,
        levels=tuple(map(LevelFigures, levels_of(instance), means, errors.tolist())),
    )


class EstimatePlan(NamedTuple):
    """The validated arguments of :func:`estimate`, which ends by replicas, error or time limit."""

    instance: Instance
    seed: int
    replicas: int | None
    error: float | None
    time_limit: float | None


def check_estimate(
    instance: Instance,
    *,
    seed: SupportsIndex | None = None,
    replicas: SupportsIndex | None = None,
    error: float | None = None,
    time_limit: float | None = None,
) -> EstimatePlan:
    """Validate the arguments of :func:`estimate`."""
    check_solvable(instance.n)
    if instance.n > MOST_N:
        raise InputError(f"an estimate handles at most n = {MOST_N:,}, not {instance.n:,}")
    seed = new_seed() if seed is None else check_seed(seed)
    error = None if error is None else check_positive(error, "error")
    time_limit = None if time_limit is None else check_positive(time_limit, "time_limit")
    if replicas is not None:
        if error is not None:
            raise InputError("replicas and error cannot be combined; leave one of them out")
        replicas = check_integer(replicas, "replicas", _LEAST_REPLICAS, _MOST_REPLICAS)
    elif error is None and time_limit is None:
        replicas = min(_MOST_BY_DEFAULT, max(_LEAST_REPLICAS, _HOPS // hops_of_replica(instance)))
    return EstimatePlan(instance, seed, replicas, error, time_limit)


class _Replicas:
    """The replicas of one estimate. They finish in any order, and count in the order of their numbers."""

    def __init__(self, plan: EstimatePlan, callbacks: Callbacks, begun: float) -> None:
        self._plan, self._callbacks, self._begun = plan, callbacks, begun
        # Finished replicas that wait for earlier ones, and replicas that count.
        self._waiting: dict[int, Replica] = {}
        self._counted: list[Replica] = []
        # Start times and hops of running replicas, and the longest time of a finished replica.
        self._begun_at: dict[int, float] = {}
        self._hops: dict[int, int] = {}
        self._longest = 0.0
        # The number of replicas at which to look at the error next, and the expected number for the target error.
        self._next_look, self._expected = _LEAST_WITH_ERROR, NO_LIMIT
        self._is_exact_enough = False

    def run(self, threads: SupportsIndex | None, executor: Executor | None) -> list[Replica]:
        """Run replicas until the plan is fulfilled, and return those that count."""
        tasks = self._tasks(executor is None)
        try:
            for number, replica in results(tasks, self._poll, threads=threads, executor=executor):
                self._end(number, replica)
        except Stopped as stopped:
            if len(self._counted) < _LEAST_WHEN_STOPPED:
                when = " at the time limit" if isinstance(stopped, TimeLimitReached) else ""
                raise type(stopped)(f"stopped{when} before {_LEAST_WHEN_STOPPED} replicas were finished") from None
        return self._counted

    def _tasks(self, is_here: bool) -> Iterator[Job]:
        number = 0
        while not self._is_enough(number):
            self._begun_at[number] = self._elapsed()
            # Only threads of this process can report hops.
            report = partial(self._hops.__setitem__, number)
            function = partial(run_replica, progress=report) if is_here else run_replica
            yield Job(number, function, (self._plan.instance, self._plan.seed, number))
            number += 1

    def _is_enough(self, begun: int) -> bool:
        """Return whether no further replica should begin. One that would end after the time limit does not."""
        limit = self._plan.time_limit
        would_be_late = limit is not None and begun >= _LEAST_WHEN_STOPPED and self._elapsed() + self._longest > limit
        return self._is_exact_enough or would_be_late or begun >= (self._plan.replicas or _MOST_REPLICAS)

    def _end(self, number: int, replica: Replica) -> None:
        """Keep a finished replica. Replicas after the target error is reached do not count."""
        self._longest = max(self._longest, self._elapsed() - self._begun_at.pop(number))
        self._hops.pop(number, None)
        self._waiting[number] = replica
        error = self._plan.error
        while not self._is_exact_enough and len(self._counted) in self._waiting:
            self._counted.append(self._waiting.pop(len(self._counted)))
            if error is not None and len(self._counted) == self._next_look:
                self._next_look += max(_LEAST_WITH_ERROR, self._next_look // 8)
                found = _standard_error(self._counted)
                self._is_exact_enough = found <= error
                missing = min(found / error, math.sqrt(_MOST_REPLICAS))  # otherwise, its square can overflow
                self._expected = math.ceil(len(self._counted) * missing**2)

    def _poll(self) -> None:
        limit, finished = self._plan.time_limit, len(self._counted) + len(self._waiting)
        if limit is not None and self._plan.replicas is None:
            total = math.ceil(1000 * limit)
            self._callbacks.poll("estimating", min(total, int(1000 * self._elapsed())), total)
            return
        wanted = self._plan.replicas or max(self._expected, finished + len(self._begun_at))
        if wanted == NO_LIMIT:
            self._callbacks.poll("replicas", finished, NO_LIMIT)
            return
        # A replica can try more hops than expected.
        each = hops_of_replica(self._plan.instance)
        hops = finished * each + sum(min(hops, each) for hops in list(self._hops.values()))  # threads change it
        self._callbacks.poll(f"replicas ({finished:,} of {wanted:,})", hops, wanted * each)

    def _elapsed(self) -> float:
        return float(clock.seconds() - self._begun)


def _standard_error(replicas: Sequence[Replica]) -> float:
    return statistics.stdev(replica.log_count for replica in replicas) / math.sqrt(len(replicas))


def decimal_count(log_count: float, error: float) -> str:
    """Return exp(log_count) with two digits of its standard error: "92.13 ± 0.41", "1.0000(51) x 10^18".

    If the error is large, only the exponent is known: "10^(56.85 ± 0.17)".
    """
    power = log_count / math.log(10)
    if error > _LARGEST_RELATIVE_ERROR:
        return f"10^({with_error(power, error / math.log(10))})"
    if power < _POWERS_FROM:
        count = math.exp(log_count)
        return with_error(count, count * error)
    exponent = math.floor(power)
    mantissa = 10 ** (power - exponent)
    digits = _digits(mantissa * error)
    if round(mantissa, digits) >= 10:
        exponent, mantissa = exponent + 1, mantissa / 10
        digits = _digits(mantissa * error)
    return f"{mantissa:.{digits}f}({round(mantissa * error * 10**digits)}) x 10^{exponent:,}"


def with_error(value: float, error: float) -> str:
    """Return a value with two digits of its error."""
    if error == 0:
        return f"{value:,.10g}"
    digits = max(0, _digits(error))
    return f"{value:,.{digits}f} ± {error:,.{digits}f}"


def _digits(error: float) -> int:
    """Return the digits after the point that give two digits of an error."""
    return 1 - int(f"{error:.1e}".partition("e")[2])
