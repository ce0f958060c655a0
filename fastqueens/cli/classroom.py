"""Commands for courses: ``climb``, ``descend`` and ``study``."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

import fastqueens
from fastqueens._run.arguments import ALL_RULES, check_seed, later_seed, new_seed
from fastqueens._run.text import counted, duration
from fastqueens.classroom.rules import (
    COOL_AFTER,
    MOVES,
    RULES,
    SCHEDULES,
    USUAL_RULES,
    check_options,
    checked_limits,
    records_moves,
    unusual_options,
)
from fastqueens.cli import ExitCode, inputs, options
from fastqueens.cli.options import Values, choice, command, decimal, given, group, label, number, option, refuse, write
from fastqueens.cli.output import Output, styled
from fastqueens.errors import InputError

if TYPE_CHECKING:
    from fastqueens.board import Queens

#: The most runs of ``climb``, because its table has a line for each. ``study`` makes millions of runs.
_MOST_RUNS = 1000

#: The most curves in one picture that can have their own colours and names.
_MOST_PLOTTED = 6

#: The parameters of ``climb`` that the assignment with a static point also has.
_OF_THE_ASSIGNMENT = ("static_point", "n", "n_option", "file", "rows", "seed", "restarts", "rows_from", "quiet")

#: The options of rules, which are the fields of :class:`fastqueens.Limits`.
_LIMITS = group(
    "Limits",
    number(
        "--sideways-limit COUNT",
        "sideways, restart-sideways: consecutive moves that can keep the cost. beam, stochastic-beam: generations "
        "without a lower cost. Default: 100.",
        name="sideways",
    ),
    number(
        "--restarts COUNT",
        "Restarts from a random board after a run is stuck. Default: unlimited for restart and restart-sideways, 0 for "
        "the others.",
    ),
    decimal(
        "--temperature TEMPERATURE",
        "annealing: initial temperature. stochastic-beam, genetic: a board of cost h is drawn with weight "
        "exp(-h / TEMPERATURE). Default: 1.",
    ),
    decimal("--cooling FACTOR", "annealing: ratio of a temperature to the previous one. Default: 0.95."),
    choice("--schedule", SCHEDULES, "annealing: sequence of temperatures. Default: geometric."),
    choice("--cool-after", COOL_AFTER, "annealing: proposals at each temperature, n^2 or one. Default: n^2."),
    number(
        "--tries COUNT",
        "first-choice: give up after COUNT failed draws (default: enough to miss a good move with a probability below "
        "1 %). random-walk, random-sampling: boards to try (default: 10 n^2). genetic: generations without a lower "
        "cost (default: 500).",
    ),
    number("--beam COUNT", "beam, stochastic-beam: boards that are kept. Default: 10."),
    number("--population COUNT", "genetic: boards in the population. Default: 50."),
    decimal("--mutation PROBABILITY", "genetic: probability that a child mutates. Default: 0.8."),
    number("--max-steps STEPS", "Stop each run after this many steps."),
    number("--max-evaluations COUNT", "Stop each run after evaluating this many boards."),
    options.time_limit("Stop each run after this many seconds."),
)

_MOVES = choice("--moves", list(MOVES), " ".join(f"{kind}: {what}." for kind, what in MOVES.items()), default="column")

_SEED_OF_RUNS = number("--seed SEED", "Seed of the first run; the next runs use the next numbers. Default: random.")


def _rules_of(text: str) -> list[str]:
    """Return the rules in a list with commas, or all rules for the word "all". The library checks them."""
    return list(RULES) if text.strip() == ALL_RULES else [name.strip() for name in text.split(",")]


def _rules(names: str, usual: str, **settings: Any) -> Callable[..., Any]:
    return option(
        names,
        f"Rules, separated by commas, or all. The rules are {', '.join(RULES)}. Default: {usual}.",
        name="rules",
        type=_rules_of,
        shell_complete=options.offering((*RULES, ALL_RULES)),
        **settings,
    )


@command("fastqueens climb --show\nfastqueens climb 8 --rule all --runs 10 --seed 1")
@group("Board", options.n, options.file, options.board, options.rows_from)
@group(
    "Runs",
    _rules("--rule --rules LIST", "steepest"),
    number("--runs COUNT", "Runs of each rule. Default: 3, or 1 from your own board and with -o."),
    _SEED_OF_RUNS,
    _MOVES,
    options.square(
        "--static-point COLUMN,ROW",
        "Run the 'static point' assignment: the queen on COLUMN,ROW, counted from 0, never moves, and each step moves "
        "another queen by one square. --restarts is the number of random boards to try.",
    ),
)
@_LIMITS
@group(
    "Output",
    option("--show", "Draw every board of every run."),
    options.output("Write the moves of a single run to an .npz trace, which fastqueens explore can replay."),
    write("--plot FILE", "Plot the cost after each step of the first run of up to six rules (.png .pdf .svg)."),
    options.axes,
    options.theme,
    options.origin,
    options.as_json,
    options.quiet,
)
def climb(out: Output, board: Values, runs: Values, limits: Values, output: Values) -> int:
    """Run the search algorithms of AI courses on a board of N queens (default: 8).

    The algorithms are called rules here. The local searches start from random boards, the same for all of them, or from
    your own board, and lower the number of attacking pairs. Courses call this number the cost, h or H value of a board.
    A run ends when the board is solved or the rule is stuck. The exit code is 0 if all runs are solved, otherwise 1.
    """
    from fastqueens.classroom.climbing import check_board, climbs_table

    _check_options()
    if output.show:
        refuse("--show and {} cannot be combined: both write to stdout", "as_json")
    rules, count = runs.rules or ["steepest"], runs.runs
    if count is not None and not 1 <= count <= _MOST_RUNS:
        raise click.ClickException(f"--runs must be between 1 and {_MOST_RUNS:,}, not {count:,}; study makes more runs")
    if output.path is not None and (count or 1) * len(rules) > 1:
        raise click.UsageError("-o writes a single run; give one --rule, and leave out --runs")
    if output.plot is not None and len(rules) > _MOST_PLOTTED:
        raise click.UsageError(
            f"--plot draws at most {_MOST_PLOTTED} rules; to compare more, use fastqueens study --plot"
        )
    inputs.check_output(output.path, (".npz",))
    inputs.check_picture(output.plot)
    start = inputs.board_given(out, board)
    n = len(start) if start is not None else inputs.n_or_default(board.n)
    if runs.static_point is not None:
        return _climb_around(out, n, start, runs.static_point, limits.restarts, runs.seed)
    settings = {"board": start, "moves": runs.moves, "limits": _limits(rules, runs.moves, limits, [n])}
    for rule in rules:
        check_board(start, rule, runs.moves)
    if output.path is not None and not records_moves(rules[0], runs.moves):
        kind = f" with --moves {runs.moves}" if given("moves") else ""
        raise click.UsageError(f"-o cannot write runs of {rules[0]}{kind}, whose steps can move several queens")
    first_seed = new_seed() if runs.seed is None else check_seed(runs.seed)
    seeds = [later_seed(first_seed, run) for run in range(count or (3 if start is None and output.path is None else 1))]
    # A rule without a random first board does the same for all seeds.
    tasks = [(rule, seed) for seed in seeds for rule in rules if count or seed == first_seed or RULES[rule].is_seeded]
    rows: list[dict[str, Any]] = []
    first_runs: list[fastqueens.Climb] = []

    def climbs() -> Iterator[fastqueens.Climb]:
        for done, (rule, seed) in enumerate(tasks):
            out.progress("climbs", done, len(tasks) if len(tasks) > 1 else None)
            yield fastqueens.climb(n, rule=rule, seed=seed, **settings, stop=out.is_stopped)

    for done, climbed in enumerate(out.each(climbs())):
        if output.show and not out.quiet:
            _show(out, climbed, f"Run {done + 1}: {climbed.rule}, seed {climbed.seed}")
        final = out.in_json(climbed.queens)
        if final["queens"] is not None:  # the row n marks a column that a systematic search left empty
            final["queens"] = [row if row < n + out.rows_from else None for row in final["queens"].tolist()]
        rows.append(climbed.as_dict() | final)
        if output.plot is not None and done < len(rules):
            first_runs.append(climbed)
        if output.path is not None:
            from fastqueens.files.traces import write_trace

            write_trace(output.path, climbed.trace, climbed.restarts, climbed.header, climbed.moves)
    if out.as_json:
        out.json(rows)
    else:
        unusual = unusual_options(settings["limits"], runs.moves, rules)
        facts = ", ".join(filter(None, [f"n = {n:,}", "" if start is None else "from your board", unusual]))
        out.say(f"\n{facts} (version {fastqueens.__version__})\n\n{climbs_table(rows).text(out.width)}\n")
    out.wrote(output.path)
    out.say_partial(f"{len(rows):,} of {counted(len(tasks), 'run')}")
    if output.plot is not None:
        from fastqueens.cli.pictures import draw_curves

        draw_curves(out, first_runs, output.plot, what="pairs", axes=output.axes, theme=output.theme)
        out.wrote(output.plot, err=True)
    return ExitCode.SOLVED if all(row["solved"] for row in rows) else ExitCode.NOT_SOLVED


def _check_options() -> None:
    """Raise UsageError for options of ``climb`` and ``study`` that cannot be combined."""
    if not given("plot"):
        refuse("{} applies to a plot; add --plot FILE", "theme", "what", "axes", "title", "size", "dpi")
    context = click.get_current_context()
    if context.params["schedule"] == "logarithmic":
        refuse("{} and --schedule logarithmic cannot be combined: this schedule has no factor", "cooling")
    if given("static_point"):
        others = {param.name or "" for param in context.command.params} - {*_OF_THE_ASSIGNMENT}
        refuse("--static-point and {} cannot be combined", *others)
        if given("restarts"):
            refuse("{} cannot be combined with --restarts, which starts from random boards", "file", "rows")
            refuse("{} cannot be combined with --restarts: the assignment uses the seed 1", "seed")


def _limits(rules: list[str], moves: str, options_of_rules: Values, sizes: Iterable[int] = ()) -> fastqueens.Limits:
    """Return the options of rules on the command line; raise an error for one that has no effect on these rules."""
    values = {name: value for name, value in vars(options_of_rules).items() if value is not None}
    limits = checked_limits(fastqueens.Limits(**values), moves, rules, sizes)
    labels = {param.name: label(param) for param in click.get_current_context().command.params}
    check_options(rules, {name: labels[name] for name in values})
    return limits


def _show(out: Output, climbed: fastqueens.Climb, heading: str) -> None:
    """Print the boards of a run, each with its attacking pairs, and the end of the run."""
    out.say(click.style(heading, bold=True))
    reason = out.no_room(
        2 * climbed.n - 1, "Write the run with -o climb.npz, and replay it with fastqueens explore climb.npz."
    )
    if reason:
        out.say(reason)
    start = "Start:"
    for look in climbed.looks():
        caption = f"Step {look.step}:"
        if look.is_start:
            caption, start = start, "Restart from a random board:"
        elif look.move:
            caption += f" column {look.move[0]} to row {look.move[2] + out.rows_from}"
        elif climbed.moves:
            caption += " the queen stays"
        out.say("", caption, *([] if reason else [_drawn(out, look.queens)]), f"H value: {look.cost}")
    if climbed.solved and look.cost > 0:  # one of the other first boards of a beam or a population is a solution
        board = [] if reason else [_drawn(out, climbed.queens)]
        out.say("", "Best of the first boards:", *board, "H value: 0")
    verdict = click.style("Success", fg="green") if climbed.solved else click.style("Failure", fg="red")
    made = f"{counted(climbed.steps, 'step')}, {counted(len(climbed.restarts), 'restart')}"
    out.say(f"\n{verdict}: {made}. {_reason(climbed)}\n")


def _drawn(out: Output, queens: Queens) -> str:
    """Return a drawing of a board. A systematic search can leave columns without a queen."""
    rows = range(len(queens)) if out.origin == "upper" else reversed(range(len(queens)))
    return styled("\n".join(" ".join("Q" if row == queen else "." for queen in queens.tolist()) for row in rows))


def _reason(climbed: fastqueens.Climb) -> str:
    """Return the reason for the end of a run."""
    rule, limits = RULES[climbed.rule], climbed.limits
    used = (climbed.steps, climbed.evaluations, climbed.seconds)
    ends = (limits.max_steps, limits.max_evaluations, limits.time_limit)
    if climbed.solved:
        return "No queen attacks another."
    if any(end is not None and value >= end for end, value in zip(ends, used, strict=True)):
        return "The run reached its limit."
    return rule.why_stuck or "No move lowers the number of attacking pairs."


def _climb_around(
    out: Output, n: int, board: Queens | None, point: tuple[int, int], attempts: int | None, seed: int | None
) -> int:
    """Run the assignment with a static point, and print the output of its functions."""
    from fastqueens import nqueens
    from fastqueens.board import check_n

    column, row = point
    if max(point) >= check_n(n):
        raise InputError(
            f"the static point {column},{row} is off the board; both numbers must be between 0 and {n - 1:,}"
        )
    if attempts == 0:
        raise InputError("restarts must be at least 1 with a static point, not 0")
    if board is not None:
        state = board.tolist()
    else:
        seed = new_seed() if seed is None else seed
        generator = random.Random(seed)
        state = [generator.randrange(n) for _ in range(n)]
        state[column] = row
        if attempts is None:
            out.say(f"The first board is random, with seed {seed}.", err=True)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        if attempts is not None:
            nqueens.n_queens_restart(n, attempts, *point)
        else:
            nqueens.n_queens(state, *point)
    text = printed.getvalue().removesuffix("\n")
    out.say(text)
    if state[column] != row:
        out.say(
            f"No queen moves because the static point {column},{row} is empty: the queen of column {column} is in row "
            f"{state[column]}, counted from 0. Use --static-point {column},{state[column]}, or a board whose queen in "
            f"column {column} is in row {row}.",
            err=True,
        )
    return ExitCode.SOLVED if text.endswith("f=0") else ExitCode.NOT_SOLVED


@command("fastqueens descend starts.txt\nfastqueens descend starts.txt -o states.txt")
@click.argument("source", metavar="INPUT", type=options.INPUT)
@options.output("Write the boards to this file instead of stdout.")
@options.quiet
def descend(out: Output, source: str, path: str | None) -> None:
    """Run the 'most attacks moves' assignment on each board of a file.

    Each step moves the queen that attacks the most queens to the row where it attacks the fewest. Each line of INPUT
    (- for stdin) is a starting board: the row of the queen in each column, counted from 1, separated by blanks. The
    output lists every board from the start to the end, followed by Success or Failure. A blank line separates the
    results of two starting boards.

    If several queens attack the most, the leftmost of them that can attack fewer queens from another row moves. If
    several rows are equally good, the smallest is used. If none of these queens can attack fewer, the result is
    Failure. The exit code is 0 in both cases.
    """
    from fastqueens.classroom.descent import Descent, read_starts, text_of
    from fastqueens.files.atomic import atomic_write, check_target

    target = None if path == "-" else path
    if target is not None:
        check_target(target)
    out.reading(source)
    starts = read_starts(source)

    def descents() -> Iterator[Descent]:
        for done, queens in enumerate(starts):
            out.progress("starts", done, len(starts))
            yield fastqueens.descend(queens, stop=out.is_stopped)

    finished = list(out.each(descents()))
    if target is None:
        with out.data() as file:
            file.writelines(text_of(finished))
    else:
        with atomic_write(target) as opened:
            opened.writelines(text_of(finished))
        solved = sum(descent.solved for descent in finished)
        out.wrote(target, f"{solved:,} of {counted(len(finished), 'start')} solved", err=True)
    out.say_partial(f"{len(finished):,} of {counted(len(starts), 'start')}")


@command("fastqueens study --runs 100000\nfastqueens study 4..20 --rules steepest,sideways -o s.csv --plot s.png")
@group(
    "Runs",
    options.several_n,
    _rules("--rules --rule LIST", ", ".join(USUAL_RULES), default=",".join(USUAL_RULES), show_default=False),
    number("--runs COUNT", "Runs of each rule on each board size.", default="10000"),
    _SEED_OF_RUNS,
    _MOVES,
    options.threads,
    options.scheduler,
)
@_LIMITS
@group(
    "Output",
    options.output("Write the results (.csv, or .json with histograms)."),
    write("--runs-file FILE", "Write a .csv file with a line for each run and its time."),
    write("--plot FILE", "Plot success, steps, evaluations and seconds of each rule (.png .pdf .svg)."),
    choice(
        "--what", ("all", "success", "steps", "evaluations", "seconds"), "Quantity that --plot shows.", default="all"
    ),
    options.text("--title TEXT", "Text above a plot that is at least 3.5 inches wide."),
    options.size_of_plot(
        "Width x height of the plot in inches, or with a unit (mm, cm, in). Default: 160 mm wide, or 80 mm for one "
        "panel."
    ),
    decimal("--dpi DPI", "Dots per inch. Default: 150."),
    options.theme,
    options.as_json,
    options.quiet,
)
def study(out: Output, runs: Values, limits: Values, output: Values) -> None:
    """Run the search algorithms of AI courses many times, and compare their success rates and steps.

    N is a board size (default: 8), or several, as in 4..20 or 8,16. All local searches start from the same random
    boards. The rules restart and restart-sideways work like steepest and sideways, but start again from a new board
    when they are stuck. With --restarts, all rules except the systematic
    searches do so. To see one of the runs, repeat its seed:
    `fastqueens climb 8 --rule steepest --runs 1 --seed 5 --show`.
    """
    from fastqueens._run import clock
    from fastqueens.classroom.studies import STUDY_SUFFIXES, write_runs, write_study

    _check_options()
    inputs.check_output(output.path, STUDY_SUFFIXES)
    inputs.check_output(output.runs_file, STUDY_SUFFIXES[:1])
    sizes = runs.n or [inputs.n_or_default(None)]
    if output.plot is not None:
        from fastqueens.pictures.studies import layout_of_study

        *_, inches = layout_of_study(output.what, len(set(runs.rules)), len(set(sizes)), output.size)
        inputs.check_picture(output.plot, output.dpi, inches, output.title)
    settings: dict[str, Any] = {"moves": runs.moves, "limits": _limits(runs.rules, runs.moves, limits)}
    settings |= {"keep_runs": output.runs_file is not None, "seed": runs.seed, "threads": runs.threads, **out.callbacks}
    with inputs.executor_of(out, runs.scheduler) as executor:
        begun = clock.seconds()
        result = out.finished(fastqueens.study, sizes, runs.rules, runs.runs, executor=executor, **settings)
        seconds = clock.seconds() - begun
    if output.path is not None:
        write_study(output.path, result)
    if output.runs_file is not None:
        write_runs(output.runs_file, result)
    if out.as_json:
        out.json(result.as_dict())
    elif output.path is None and output.runs_file is None and output.plot is None:
        out.result(repr(result))
    else:
        out.say(repr(result))
    made = sum(row.tally.runs for row in result.rows)
    out.say(f"{counted(made, 'run')} in {duration(seconds)}.")
    out.wrote(output.path, err=True)
    out.wrote(output.runs_file, err=True)
    all_runs = result.runs * len(set(sizes)) * len(set(runs.rules))
    out.say_partial(f"{made:,} of {counted(all_runs, 'run')}")
    if output.plot is not None:
        look = {name: getattr(output, name) for name in ("what", "title", "size", "theme")}
        out.draw(lambda: result.plot(**look), output.plot, output.dpi)
        out.wrote(output.plot, err=True)
