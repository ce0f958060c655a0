"""Samples: nearly uniformly random solutions from independent Markov chains, and diagnostics of the chains.

Chain k of a run begins at the solution that ``solve()`` finds with seed S + k, and makes its own random hops. So the
samples are the same on any number of threads and on any machine.
"""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from functools import partial
from math import gcd
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import thresholds
from fastqueens._run.arguments import LARGEST_SEED, NO_LIMIT, check_integer, check_seed, new_seed
from fastqueens._run.clock import clock
from fastqueens._run.executors import Executor, Job, calls_at_a_time, results
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens.board import Queens, check_solvable, row_dtype
from fastqueens.chain import SolutionChain
from fastqueens.errors import InputError, SamplingWarning, Stopped
from fastqueens.instance import Constraints, Instance, as_instance
from fastqueens.kernels.sampling import FEATURES
from fastqueens.sampling.autocorrelation import autocorrelation_times
from fastqueens.solver import solve

#: Most chains of a run. Each has its own burn-in, and can use one thread.
_MOST_CHAINS = 64

# Equally spaced observations for each sample, from which the autocorrelation time is measured.
_OBSERVATIONS = 8

# Samples of each chain whose observations are kept.
_OBSERVED = 1024

# With fewer samples of the usual thinning, a chain that never left its first board is not suspicious.
_LEAST_SAMPLES = 4

# Solutions from one sample to the next, below n = 2**18. Just below, that is about six hops for each queen.
_VISITS = 16

# From n = 2**18 on, a chain has many holes, and visits a solution every 7,000 to 14,000 hops. One visit for every
# 1,024 queens is therefore seven to fourteen hops for each of them.
_QUEENS_A_VISIT = 1 << 10

# Visits to solutions before the first sample of a chain, in units of the usual thinning.
_BURN_IN = 4

# Bytes per queen of a chain in addition to its samples: two boards, and the arrays of the search and the chain.
_CHAIN_BYTES = 10


@dataclass(frozen=True, eq=False)
class Samples:
    """Nearly uniformly random solutions.

    Attributes
    ----------
    boards : (count, n) int32 array
        The solutions, chain after chain; ``boards[k, c]`` is the row of the queen in column c. uint32 for n >= 2**31.
    instance : Instance
        The instance that all of them solve.
    seed : int
        The seed that repeats this run.
    chains : int
        Independent Markov chains.
    burn_in, thinning : int
        Solutions that each chain visits before its samples, and from one sample to the next.
    hops : int
        Hops made by all chains: how often a queen moved.
    acceptance : float
        Hops made divided by hops tried.
    stuck_chains : int
        Chains that were only seen on their first solution.
    correlation : str
        The correlation of four features of a board along the chains: "decays" if its time was measured, "never decays"
        if they are correlated at all distances within the run, "unknown" if there are too few samples to tell,
        "constant" if no feature varies.
    autocorrelation_time : float or None
        The integrated autocorrelation time of the slowest of these features, in visited solutions; None unless the
        correlation decays. It is measured from up to eight equally spaced observations per sample, and is never less
        than their distance.
    effective_sample_size : float or None
        The number of independent samples whose averages of these features would be as accurate; at most ``count``.
    seconds : float
        Wall time of the call.
    """

    boards: NDArray[Any]
    instance: Instance
    seed: int
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
        """Why the samples may not be uniform, or consecutive ones not independent; None if there is no sign of it.

        An instance with one solution gets a warning if at least two columns have no fixed queen: a chain that never
        moves cannot tell whether there is another solution.
        """
        advised = thinning_for(self.instance)
        if self.instance.free_columns < 2:
            return None
        if self.stuck_chains == self.chains:
            return (
                "no chain was seen on any board but its first, so nothing shows that the samples are uniform; "
                "count_solutions tells whether there are other solutions"
            )
        # In a shorter time, chains of small boards stay where they are by chance.
        is_long = self.thinning * (self.count // self.chains) >= _LEAST_SAMPLES * advised
        if self.stuck_chains and is_long:
            return (
                f"{self.stuck_chains} of {counted(self.chains, 'chain')} never left their first board: how often a "
                "solution occurs depends on where the chains began"
            )
        if self.count == self.chains:
            return None
        worth, reason = self.effective_sample_size, None
        if worth is not None and worth < self.count / 2:
            reason = f"{self.count:,} samples are worth {worth:,.0f} independent ones"
        elif self.thinning < advised // 2:
            reason = "consecutive samples resemble each other"
        elif self.correlation == "never decays":
            return (
                "the chains do not forget where they began: samples of a chain resemble each other, however far apart "
                "in this run"
            )
        return reason and f"thinning is {self.thinning:,}: {reason}; by default it is {advised:,}"

    def __len__(self) -> int:
        return len(self.boards)

    def __repr__(self) -> str:
        size = f"n={self.n}, {counted(self.count, 'board')}, {counted(self.chains, 'chain')}"
        return f"<Samples {size}, seed={self.seed}, {self.seconds:.3g} s>"

    def as_dict(self) -> dict[str, Any]:
        """Return all figures, without the boards, with the names that ``fastqueens sample --json`` prints."""
        figures = {name: value for name, value in vars(self).items() if name not in ("boards", "instance")}
        return {"n": self.n, "count": self.count, **self.instance.counts, **figures}


@shows_progress
def sample(
    n: int | Instance,
    count: int = 1,
    *,
    seed: int | None = None,
    thinning: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **constraints: Unpack[Constraints],
) -> Samples:
    """Draw solutions nearly uniformly at random.

    Markov chains start from solutions, take queens off and put them back elsewhere. For n up to 64, the law to which
    they converge is proved to be uniform over all solutions; above, it is uniform over all solutions that the chain
    can reach. How fast they converge is tested and measured, not proved: see docs/sampling.md.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance, whose constraints all samples respect. A solution has
        to be found first, which can be hard.
    count : int
        Number of samples, at least 1, from up to 64 independent chains.
    seed : int, optional
        From 0 to 2**64 - 1; drawn by default. In one version, the same n, count, seed and thinning give the same
        samples everywhere.
    thinning : int, optional
        Solutions that a chain visits from one sample to the next. By default 16, and more for n > 2**18: see
        docs/sampling.md.
    threads : int, optional
        Number of threads, by default one per core; with an executor, the number of its workers.
    executor : Executor, optional
        Runs the chains elsewhere: a pool of ``concurrent.futures``, or a ``dask.distributed.Client``.
    progress : callable or bool, optional
        Called as ``progress("sampling", done, total)``, in visited solutions of all chains.
    stop : callable, optional
        If it returns True, :class:`Stopped` is raised; its ``partial`` has the samples so far, or is None.
    fixed, blocked, excluded_sums, excluded_differences : optional
        See :func:`fastqueens.solve`; not with an instance, which holds them.

    Returns
    -------
    Samples

    Raises
    ------
    InputError
        If a value is not as described here, or no solution of the instance was found to begin with.
    NoSolutionError
        If there is no solution: for n = 2 and n = 3, and for some instances.
    NotEnoughMemoryError
        If the samples do not fit into memory.
    Stopped
        If ``stop`` returned True.

    Warns
    -----
    SamplingWarning
        If ``thinning`` is so short that consecutive samples resemble each other, if chains never leave their first
        board, or if samples of a chain stay correlated within the run; see :attr:`Samples.warning`.

    Notes
    -----
    O(count * thinning * n) time: about 20 us per sample of n = 8 or n = 50, and 0.3 ms per sample of n = 1,000.

    Examples
    --------
    >>> samples = sample(8, 1000, seed=1)
    >>> samples.boards.shape
    (1000, 8)
    >>> len({board.tobytes() for board in samples.boards})
    92
    """
    plan = check_sample(as_instance(n, **constraints), count, seed=seed, thinning=thinning)
    samples = draw_samples(plan, threads=threads, executor=executor, progress=progress, stop=stop)
    if samples.warning is not None:
        warnings.warn(samples.warning, SamplingWarning, stacklevel=3)  # shows_progress is between
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


def check_sample(instance: Instance, count: int, *, seed: int | None = None, thinning: int | None = None) -> SamplePlan:
    """Validate the arguments of :func:`sample`; see there for parameters and errors."""
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
    """Return the usual number of solutions from one sample to the next.

    At least about one autocorrelation time of the features that are observed, and about six hops for each queen. See
    docs/sampling.md for the measurements.
    """
    is_large = instance.n >= thresholds.current.holes_far
    return max(_VISITS, instance.free_columns // _QUEENS_A_VISIT) if is_large else _VISITS


def draw_samples(
    plan: SamplePlan,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Samples:
    """Run the chains of a plan; :func:`sample` describes the parameters, and warns if the samples have a warning."""
    n, count, callbacks = plan.instance.n, plan.count, Callbacks(progress, stop)
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

        # Only a thread of this process can report to it.
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
    except Stopped as stopped:
        if runs:
            some = np.concatenate([run.boards for run in finished()])
            stopped.partial = _result(plan, some, finished(), clock.seconds() - begun)
        raise
    return _result(plan, boards, finished(), clock.seconds() - begun)


class _ChainRun(NamedTuple):
    """What one chain gives: its samples, the features of the first of them, its counts, and whether it ever moved."""

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
    """Run one chain; executors call it in their processes. ``progress`` gets the solutions visited so far.

    If ``stop`` says so, there are fewer samples, at least one.
    """
    found = solve(instance, seed=(seed + number) % (LARGEST_SEED + 1), trace=False, threads=1, stop=stop, force=True)
    if not found.solved:
        Callbacks(None, stop).poll("sampling", 0, burn_in + samples * thinning)  # raises Stopped if that is why
        raise InputError(
            f"no solution of n = {instance.n:,} with {instance.constraints} was found to begin chain {number} with; "
            "it is not known whether there is one"
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
    """Return what tells a board from another one, without a copy of it."""
    return hashlib.blake2b(board.data).digest()


def _result(plan: SamplePlan, boards: NDArray[Any], runs: list[_ChainRun], seconds: float) -> Samples:
    hops, hops_tried = sum(run.hops for run in runs), sum(run.hops_tried for run in runs)
    each = gcd(plan.thinning, _OBSERVATIONS)
    found = autocorrelation_times([run.features.reshape(-1, FEATURES) for run in runs], each)
    return Samples(
        boards=boards,
        instance=plan.instance,
        seed=plan.seed,
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
