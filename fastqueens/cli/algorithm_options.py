"""Options of ``climb`` and ``study``: the chosen algorithms, their limits and their moves."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click import Choice

import fastqueens
from fastqueens._run.arguments import ALL_ALGORITHMS
from fastqueens.classroom.algorithms import ALGORITHMS, COOL_AFTER, MOVES, SCHEDULES, check_options, checked_limits
from fastqueens.cli.options import Group, label, option, refuse

#: The names that complete a list of algorithms.
NAMES = (*ALGORITHMS, ALL_ALGORITHMS)


def names_in_list(text: str) -> list[str]:
    """Return the algorithms in a list with commas, or all algorithms for the word "all". The library checks them."""
    return [*ALGORITHMS] if text.strip() == ALL_ALGORITHMS else [name.strip() for name in text.split(",")]


class LimitOptions(Group):
    """The options of the algorithms, which are the fields of :class:`fastqueens.Limits`."""

    sideways: int | None = option("--sideways-limit COUNT", "Moves in a row that keep the cost. Default: 100.")
    restarts: int | None = option("--restarts COUNT", "Restarts when stuck. Default: by algorithm.")
    temperature: float | None = option("--temperature T", "Temperature, at first in annealing. Default: 1.")
    cooling: float | None = option("--cooling FACTOR", "Factor of the next temperature. Default: 0.95.")
    schedule: str | None = option(
        "--schedule SCHEDULE", "geometric (default), linear or logarithmic.", Choice(SCHEDULES)
    )
    cool_after: str | None = option(
        "--cool-after AFTER", "n^2 (default) or one proposal per temperature.", Choice(COOL_AFTER)
    )
    tries: int | None = option("--tries COUNT", "Draws until stuck. Default: by algorithm.")
    beam: int | None = option("--beam COUNT", "Boards that a beam keeps. Default: 10.")
    population: int | None = option("--population COUNT", "Boards in the genetic population. Default: 50.")
    mutation: float | None = option("--mutation P", "Probability that a child mutates. Default: 0.8.")
    max_steps: int | None = option("--max-steps STEPS", "Stop each run after this many steps.")
    max_evaluations: int | None = option("--max-evaluations COUNT", "Stop each run after evaluating this many boards.")
    time_limit: float | None = option("--time-limit SECONDS", "Stop each run after this many seconds.")


moves = option(
    "--moves MOVES",
    "column (default): one queen, in its column. step: by one square. swap: two queens exchange rows. two: "
    "two queens, each in its column.",
    Choice(MOVES),
    default="column",
)

seed_of_first_run = option("--seed SEED", "Seed of the first run; the next numbers follow. Default: random.")


def limits_of(algorithms: list[str], moves: str, limits: LimitOptions, sizes: Iterable[int] = ()) -> fastqueens.Limits:
    """Return the limits on the command line; raise an error for one that has no effect on these algorithms."""
    values = {name: value for name, value in limits.values.items() if value is not None}
    if limits.schedule == "logarithmic":
        refuse("{} and --schedule logarithmic cannot be combined: this schedule has no factor", "cooling")
    checked = checked_limits(fastqueens.Limits(**values), moves, algorithms, sizes)
    labels = {param.name: label(param) for param in click.get_current_context().command.params}
    check_options(algorithms, {name: labels[name] for name in values})
    return checked
