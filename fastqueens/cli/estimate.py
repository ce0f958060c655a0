"""The command ``estimate``: the number of solutions, with a standard error."""

from __future__ import annotations

from typing import Any

import fastqueens
from fastqueens._run.text import counted, duration
from fastqueens.cli import inputs
from fastqueens.cli.options import (
    ConstraintOptions,
    Group,
    Report,
    Size,
    Work,
    command,
    option,
)
from fastqueens.cli.session import Session

#: With fewer replicas than this, the report says that the standard error is uncertain.
_FEW = 10


class _Budget(Group):
    seed: int | None = option(
        "--seed SEED", "Seed of the random numbers, which also needs --replicas to repeat an estimate."
    )
    replicas: int | None = option("--replicas COUNT", "Independent runs, at least 4. The default depends on N.")
    time_limit: float | None = option(
        "--time-limit SECONDS",
        "Stop after this many seconds. Without --replicas, make as many runs as this time allows.",
    )
    error: float | None = option("--error ERROR", "Stop when the standard error of ln Q is at most ERROR.")


@command("fastqueens estimate 27 --time-limit 5\nfastqueens estimate 1000 --error 0.1 --json")
def estimate(
    session: Session, board: Size, constraints: ConstraintOptions, budget: _Budget, work: Work, output: Report
) -> None:
    """Estimate the number Q of solutions for N queens (default: 8) or of an instance, with a standard error.

    The estimate is an average over replicas, which are independent runs of Markov chains. The standard error is
    computed from the differences between the replicas. --quiet prints only ln Q and its standard error.
    """
    instance = inputs.instance_given(session, board.n, constraints)
    session.limit(budget.time_limit)
    with inputs.executor_of(session, work.scheduler) as executor, session.keeping():
        how: dict[str, Any] = {**budget.values, "threads": work.threads, "executor": executor, **session.callbacks}
        found = fastqueens.estimate(instance, **how)
        session.is_partial = session.is_stopped() or 0 < found.replicas < (budget.replicas or 0)
    if session.as_json:
        session.json(found.as_dict())
    elif session.quiet:
        session.result(f"{found.log_count!r} {found.standard_error!r}")
    q = f"Q({found.n:,})" if found.instance.is_free else "Q"
    session.say(*_report_of_estimate(found, q))
    if budget.error is not None and found.standard_error > budget.error:
        session.warn(f"the standard error of ln {q} is still above {budget.error:g}")
    session.say_partial(f"the estimate so far, from {counted(found.replicas, 'replica')}")


def _report_of_estimate(found: fastqueens.CountEstimate, q: str) -> list[str]:
    """Return the sentences about an estimate of ``q``."""
    from fastqueens.sampling.estimates import with_error

    n = f"{found.n:,}"
    lines = [f"{q} = {found.decimal}, ln {q} = {with_error(found.log_count, found.standard_error)}."]
    if not found.instance.is_free:
        lines.append(f"Q is the number of solutions of {found.instance.in_words}.")
    if found.exact is not None and found.deviation is not None:
        side = "above" if found.deviation > 0 else "below"
        lines.append(
            f"The exact number is {found.exact:,}. The estimate is {abs(found.deviation):.1f} standard errors {side} "
            "it."
        )
    if found.replicas:
        if found.instance.is_free:
            gamma = with_error(found.gamma, found.gamma_error)
            lines.append(f"gamma = ln {n} - ln Q({n}) / {n} = {gamma}. Its limit for large n is 1.94400.")
        lines.append(
            f"{counted(found.replicas, 'replica')}, seed {found.seed}, {counted(found.hops, 'hop')} made, "
            f"{found.acceptance:.1%} of all attempts, {duration(found.seconds)}."
        )
    if 0 < found.replicas < _FEW:
        lines.append(f"The standard error is itself uncertain because there are only {found.replicas} replicas.")
    return lines
