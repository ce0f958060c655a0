"""What can be drawn as conflict curves: results, traces, and runs with labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from fastqueens.core.errors import InputError
from fastqueens.core.trace import Trace
from fastqueens.files.trace_formats import checked_trace
from fastqueens.solving.result import Result


class Run(NamedTuple):
    """A search to draw: its trace, the entries at which later attempts begin, and what is known about it."""

    trace: Trace
    restarts: Sequence[int] = ()
    label: str = ""
    n: int | None = None
    seed: int | None = None
    start: str | None = None

    @classmethod
    def of(cls, result: Result) -> Run:
        """Return the run of a result; raise :class:`InputError` if the result has no trace."""
        if result.trace is None:
            raise InputError("the result has no trace to draw; solve(..., trace=True) records one")
        return cls(result.trace, result.restarts, "", result.n, result.seed, result.start)


#: A result, a trace, the pair that ``read_trace`` returns, or a :class:`Run`.
Drawable: TypeAlias = Result | Trace | Run | tuple[Trace, Sequence[int]]


def as_runs(runs: Drawable | Sequence[Drawable]) -> list[Run]:
    """Return one run or several as a list of runs with validated traces."""
    several = [runs] if isinstance(runs, (Result, Trace, Run)) or _is_read_trace(runs) else list(runs)
    if not several:
        raise InputError("runs is empty: at least one run is needed")
    return [_as_run(run, index) for index, run in enumerate(several)]  # type: ignore[arg-type]


def _is_read_trace(run: object) -> bool:
    """Whether this is a trace with its restarts, as ``read_trace`` returns them."""
    return isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], Trace) and not isinstance(run[1], Trace)


def _as_run(drawable: Drawable, index: int) -> Run:
    if isinstance(drawable, Result):
        run = Run.of(drawable)
    elif isinstance(drawable, Run):
        run = drawable
    elif isinstance(drawable, Trace):
        run = Run(drawable)
    elif _is_read_trace(drawable):
        run = Run(*drawable)
    else:
        kind = type(drawable).__name__
        raise InputError(f"run {index} is {kind}: a Result, a Trace or what read_trace returns is needed")
    trace, restarts = checked_trace(run.trace, run.restarts, run.label or f"run {index}")
    return run._replace(trace=trace, restarts=restarts)
