"""Samples: nearly uniformly random solutions from independent Markov chains, and diagnostics of the chains.

Chain k of a run begins at the solution that ``solve()`` finds with seed S + k, and makes its own random hops. The
samples are therefore the same for any number of threads and on any machine.
"""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from functools import partial
from math import gcd
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import clock
from fastqueens._run.arguments import NO_LIMIT, check_integer, check_seed, later_seed, new_seed
from fastqueens._run.executors import Executor, Job, calls_at_a_time, results
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens._run.thresholds import USUAL
from fastqueens.board import Queens, check_solvable, row_dtype
from fastqueens.chain import SolutionChain
from fastqueens.errors import InputError, SamplingWarning, Stopped
from fastqueens.files.headers import header_of
from fastqueens.instance import Fixed, Instance, Squares, as_instance
from fastqueens.kernels.sampling import FEATURES
from fastqueens.sampling.autocorrelation import autocorrelation_times
from fastqueens.solver import solve

#: The most chains of a run. Each chain has its own burn-in and uses one thread.
_MOST_CHAINS = 64

# Equally spaced observations per sample, from which the autocorrelation time is measured.
_OBSERVATIONS = 8

# The most samples per chain whose observations are kept.
_OBSERVED = 1024

# With fewer samples at the default thinning, a chain can stay on its first board by chance.
_LEAST_SAMPLES = 4

# Solutions from one sample to the next below n = 2**18, where this is about six hops per queen.
_VISITS = 16

# From n = 2**18 on, a chain has many holes and visits a solution every 7,000 to 14,000 hops. One visit per 1,024 queens
# is therefore seven to fourteen hops per queen.
_QUEENS_A_VISIT = 1 << 10

# Visits to solutions before the first sample of a chain, in units of the default thinning.
_BURN_IN = 4

# Bytes per queen of a chain in addition to its samples: two boards, and the arrays of the search and the chain.
_CHAIN_BYTES = 10


@dataclass(frozen=True, eq=False)
class Samples:
    """Nearly uniformly random solutions, with diagnostics of the Markov chains that drew them.

    Attributes
    ----------
    boards : (count, n) int32 array, uint32 from n = 2**31 on
        The solutions, chain after chain: ``boards[k, c]`` is the row of the queen in column c of sample k.
    instance : Instance
        The instance that all samples solve.
    seed : int
        The seed that repeats this run.
    n : int
        Side of the boards and number of queens.
    count, asked : int
        Number of samples, and the number that was asked for. ``count`` is smaller if the call was stopped, or ended at
        its time limit.
    chains : int
        Number of independent Markov chains.
    burn_in, thinning : int
        Solutions that each chain visits before its first sample, and from one sample to the next.
    hops : int
        Moves of queens in all chains.
    acceptance : float
        Moves made, divided by moves tried.
    stuck_chains : int
        Number of chains that were only seen on their first solution.
    correlation : str
        Correlation of four features of a board along the chains: "decays" if ``autocorrelation_time`` is known, "never
        decays" if the features are correlated at all distances within the run, "unknown" if there are too few samples,
        "constant" if no feature varies.
    autocorrelation_time : float or None
        Integrated autocorrelation time of the slowest feature, in visited solutions; None unless the correlation
        decays. It is measured from up to eight equally spaced observations per sample, and is at least their distance.
    effective_sample_size : float or None
        Number of independent samples that give equally accurate averages of these features, at most ``count``.
    seconds : float
        Wall time of the call.
    warning : str or None
        Reason why the samples may not be uniform or independent; None if nothing suggests this.

    See Also
    --------
    sample : Draw samples.

    Examples
    --------
    >>> samples = sample(8, 1000, seed=1)
    >>> samples.boards.shape, samples.correlation, samples.warning
    ((1000, 8), 'decays', None)
    """

    boards: NDArray[Any]
    instance: Instance
    seed: int
    asked: int
    chains: int
    burn_in: int
    thinning: int
    hops: int
    acceptance: float
    stuck_chains: int
    correlation: str
    autocorrelation_time: float | None
    effective_sample_size: float | None
    seconds: float

    @property
    def n(self) -> int:
        """Side of the boards and number of queens."""
        return int(self.boards.shape[1])

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.boards)

    @property
    def warning(self) -> str | None:
        """Reason why samples may not be uniform, or consecutive samples not independent; None if nothing suggests this.

        An instance with a single solution gets a warning if at least two columns have no fixed queen, because a chain
        that never moves cannot tell whether there is another solution.
        """
        advised = thinning_for(self.instance)
        if self.instance.free_columns < 2:
            return None
        if self.stuck_chains == self.chains:
            return (
                "no chain left its first board, so nothing shows that the samples are uniform; count_solutions tells "
                "whether there are other solutions"
            )
        # In a shorter time, chains of small boards stay on their first board by chance.
        is_long = self.thinning * (self.count // self.chains) >= _LEAST_SAMPLES * advised
        if self.stuck_chains and is_long:
            return (
                f"{self.stuck_chains} of {counted(self.chains, 'chain')} never left their first board, so how often "
                "a solution occurs depends on where the chains began"
            )
        if self.count == self.chains:
            return None
        worth, reason = self.effective_sample_size, None
        if worth is not None and worth < self.count / 2:
            reason = f"{self.count:,} samples are worth only {worth:,.0f} independent samples"
        elif self.thinning < advised // 2:
            reason = "consecutive samples resemble each other"
        elif self.correlation == "never decays":
            return (
                "the samples of a chain resemble each other at all distances in this run: the chains have not burned in"
            )
        return reason and f"thinning is {self.thinning:,}: {reason}; by default it is {advised:,}"

    def __len__(self) -> int:
        return len(self.boards)

    def __repr__(self) -> str:
        of_all = "" if self.count == self.asked else f"{self.count:,} of "
        size = f"n={self.n}, {of_all}{counted(self.asked, 'board')}, {counted(self.chains, 'chain')}"
        return f"<Samples {size}, seed={self.seed}, {self.seconds:.3g} s>"

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers except the boards, and what repeats them, as ``fastqueens sample --json`` prints them."""
        figures = {name: value for name, value in vars(self).items() if name not in ("boards", "instance", "asked")}
        header = header_of(self.instance, self.seed, {"count": self.asked, "thinning": self.thinning})
        return {**header, "count": self.count, **self.instance.counts, **figures}


@shows_progress
def sample(
    n: SupportsIndex | Instance,
    count: SupportsIndex = 1,
    *,
    seed: SupportsIndex | None = None,
    thinning: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    executor: Executor | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    fixed: Fixed | None = None,
    blocked: Squares | None = None,
) -> Samples:
    """Draw solutions that are almost equally likely.

    Markov chains start from solutions, take queens off and put them back elsewhere. Their stationary distribution is
    proved to be uniform for n up to 64. Above, it is uniform over all solutions that the chain can reach. The guide
    docs/guides/random-solutions.md explains the method and its limits.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance, whose constraints all samples respect.
    count : int, default 1
        Number of samples, from up to 64 independent chains.
    seed : int, optional
        Seed from 0 to 2**64 - 1. By default, a seed is drawn. The same version, n, count, seed and thinning give the
        same samples on any machine.
    thinning : int, optional
        Solutions that a chain visits from one sample to the next. By default 16, and n / 1024 from n = 2**18 on.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers.
    executor : executor, optional
        Where to run the chains: a pool of ``concurrent.futures`` or a ``dask.distributed.Client``.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.
        The result has the samples so far.
    fixed, blocked : optional
        Constraints, as in :func:`make_instance`. They cannot be combined with an instance.

    Returns
    -------
    Samples
        The boards, and diagnostics of the chains.

    Raises
    ------
    InputError
        If an argument is invalid, or no solution was found from which a chain could begin.
    NoSolutionError
        If there is no solution: for n = 2 and n = 3, and for some instances.
    NotEnoughMemoryError
        If the samples do not fit into memory.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or the time limit was reached, before the first sample.

    Warns
    -----
    SamplingWarning
        If consecutive samples resemble each other, chains never leave their first board, or samples of a chain stay
        correlated within the run; see :attr:`Samples.warning`.

    See Also
    --------
    solve : With ``mix=5``, draw a single large solution faster.
    estimate : Estimate the number of solutions.
    statistics : Compare boards with the limit shape.

    Notes
    -----
    Takes O(count * thinning * n) time: about 20 us per sample for n = 8 and n = 50, and 0.3 ms for n = 1,000.

    Examples
    --------
    >>> samples = sample(8, 1000, seed=1)
    >>> samples.boards.shape
    (1000, 8)
    >>> len({board.tobytes() for board in samples.boards})
    92
    """
    instance = as_instance(n, fixed, blocked)
    plan, callbacks = check_sample(instance, count, seed, thinning), Callbacks.until(time_limit, progress, stop)
    n, count = instance.n, plan.count
    at_a_time = min(calls_at_a_time(threads, executor), plan.chains)
    row_bytes = np.dtype(row_dtype(n)).itemsize
    chain_bytes = -(-count // plan.chains) * row_bytes + _CHAIN_BYTES
    check_memory(n * (count * row_bytes + at_a_time * chain_bytes), f"drawing {counted(count, 'sample')} of n = {n:,}")
    begun = clock.seconds()
    boards = np.empty((count, n), row_dtype(n))
    runs: dict[int, _ChainRun] = {}
    visited = [0] * plan.chains

    def task(number: int) -> Job:
        first, last = plan.samples_of(number)

        def report(_stage: str, done: int, _total: int) -> None:
            visited[number] = done

        # Only threads of this process can report progress.
        function = run_chain if executor is not None else partial(run_chain, progress=report)
        return Job(number, function, (plan.instance, plan.seed, number, last - first, plan.thinning, plan.burn_in))

    def poll() -> None:
        callbacks.poll("sampling", sum(visited), plan.chains * plan.burn_in + count * plan.thinning)

    def finished() -> list[_ChainRun]:
        return [runs[number] for number in sorted(runs)]

    try:
        for number, run in results(map(task, range(plan.chains)), poll, threads=threads, executor=executor):
            first, last = plan.samples_of(number)
            taken = boards[first : first + len(run.boards)]
            taken[:] = run.boards
            runs[number] = run._replace(boards=taken)
            visited[number] = plan.burn_in + (last - first) * plan.thinning
    except Stopped:
        if not runs:
            raise
        boards = np.concatenate([run.boards for run in finished()])
    samples = _result(plan, boards, finished(), clock.seconds() - begun)
    if samples.warning is not None:
        warnings.warn(samples.warning, SamplingWarning, stacklevel=3)  # the decorator is one level
    return samples


@dataclass(frozen=True)
class SamplePlan:
    """The validated arguments of :func:`sample`."""

    instance: Instance
    count: int
    seed: int
    thinning: int
    burn_in: int

    @property
    def chains(self) -> int:
        """Number of chains."""
        return min(self.count, _MOST_CHAINS)

    def samples_of(self, chain: int) -> tuple[int, int]:
        """Return the first sample of a chain and the one after its last."""
        return self.count * chain // self.chains, self.count * (chain + 1) // self.chains


def check_sample(
    instance: Instance, count: SupportsIndex, seed: SupportsIndex | None, thinning: SupportsIndex | None
) -> SamplePlan:
    """Validate the arguments of :func:`sample`."""
    check_solvable(instance.n)
    usual = thinning_for(instance)
    return SamplePlan(
        instance=instance,
        count=check_integer(count, "count", 1, NO_LIMIT),
        seed=new_seed() if seed is None else check_seed(seed),
        thinning=usual if thinning is None else check_integer(thinning, "thinning", 1, NO_LIMIT),
        burn_in=_BURN_IN * usual,
    )


def thinning_for(instance: Instance) -> int:
    """Return the default number of solutions from one sample to the next.

    This is at least about one autocorrelation time of the observed features, and about six hops per queen.
    """
    is_large = instance.n >= USUAL.holes_far
    return max(_VISITS, instance.free_columns // _QUEENS_A_VISIT) if is_large else _VISITS


class _ChainRun(NamedTuple):
    """The result of one chain: its samples, features of the first samples, counts, and whether it never moved."""

    boards: Queens
    features: NDArray[np.int64]
    hops: int
    hops_tried: int
    is_stuck: bool


def run_chain(
    instance: Instance,
    seed: int,
    number: int,
    samples: int,
    thinning: int,
    burn_in: int,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> _ChainRun:
    """Run one chain, possibly in another process. ``progress`` receives the number of visited solutions.

    If ``stop`` returns True, the result has fewer samples, but at least one.
    """
    found = solve(instance, seed=later_seed(seed, number), trace=False, threads=1, stop=stop, force=True)
    if not found.solved:
        Callbacks(None, stop).poll("sampling", 0, burn_in + samples * thinning)  # raises Stopped if this is the reason
        raise InputError(
            f"no solution of {instance.in_words} was found for chain {number}; whether there is one is not known; "
            "prove tells for up to 64 columns without a fixed queen"
        )
    each = gcd(thinning, _OBSERVATIONS)
    boards = np.empty((samples, instance.n), row_dtype(instance.n))
    features = np.empty((min(samples, _OBSERVED), each, FEATURES), np.int64)
    if instance.free_columns < 2:
        boards[:] = found.queens
        return _ChainRun(boards, features[:0], 0, 0, True)
    first_board = _digest(found.queens)
    chain = SolutionChain(found.queens, instance, seed, number, Callbacks(None, stop))
    try:
        chain.sample(burn_in, thinning // each, boards, features, Callbacks(progress, stop))
    except Stopped:
        boards, features = boards[: chain.observed // each], features[: chain.observed // each]
        if not len(boards):
            raise
    is_stuck = not np.ptp(features, axis=(0, 1)).any() and all(_digest(board) == first_board for board in boards)
    return _ChainRun(boards, features, chain.hops, chain.hops_tried, is_stuck)


def _digest(board: NDArray[Any]) -> bytes:
    """Return a digest of a board, without copying it."""
    return hashlib.blake2b(board.data).digest()


def _result(plan: SamplePlan, boards: NDArray[Any], runs: list[_ChainRun], seconds: float) -> Samples:
    hops, hops_tried = sum(run.hops for run in runs), sum(run.hops_tried for run in runs)
    each = gcd(plan.thinning, _OBSERVATIONS)
    found = autocorrelation_times([run.features.reshape(-1, FEATURES) for run in runs], each)
    return Samples(
        boards=boards,
        instance=plan.instance,
        seed=plan.seed,
        asked=plan.count,
        chains=len(runs),
        burn_in=plan.burn_in,
        thinning=plan.thinning,
        hops=hops,
        acceptance=hops / hops_tried if hops_tried else 0.0,
        stuck_chains=sum(run.is_stuck for run in runs),
        correlation=found.correlation,
        autocorrelation_time=None if found.time is None else found.time * plan.thinning / each,
        effective_sample_size=None if found.time_of_samples is None else len(boards) / found.time_of_samples,
        seconds=seconds,
    )
