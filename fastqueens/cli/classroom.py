"""The commands of the classroom: ``climb``, ``descend`` and ``study``."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

import fastqueens
from fastqueens._run.arguments import ALL_RULES, new_seed
from fastqueens._run.text import counted, duration
from fastqueens.classroom.rules import COOL_AFTER, MOVES, RULES, SCHEDULES, USUAL_RULES, check_options, checked_limits
from fastqueens.cli import ExitCode, inputs, options
from fastqueens.cli.options import Values, choice, command, decimal, given, group, label, number, option, refuse, write
from fastqueens.cli.output import Output, styled
from fastqueens.errors import InputError

if TYPE_CHECKING:
    from fastqueens.board import Queens

#: Each run is a line of the table; ``fastqueens study`` makes millions.
_MOST_RUNS = 1000

#: More curves in one picture have no colours and names of their own.
_MOST_PLOTTED = 6

#: Parameters that the assignment with a static point has.
_OF_THE_ASSIGNMENT = ("static_point", "n", "n_option", "file", "rows", "seed", "restarts", "rows_from", "quiet")

#: The options of rules: the fields of :class:`fastqueens.Limits`.
_LIMITS = group(
    "Limits",
    number("--sideways-limit MOVES", "Moves or generations in a row without a gain. Default: 100.", name="sideways"),
    number(
        "--restarts TIMES",
        "How often a stuck run may restart from a random board. Default: 0; no limit for restart and restart-sideways.",
    ),
    decimal("--temperature T", "Initial temperature of annealing, or that of beams and genetic. Default: 1."),
    decimal("--cooling FACTOR", "Factor from one temperature to the next. Default: 0.95."),
    choice("--schedule", SCHEDULES, "How annealing cools. Default: geometric."),
    choice("--cool-after", COOL_AFTER, "Proposals at each temperature. Default: n^2."),
    number(
        "--tries COUNT",
        "Draws, random boards or generations in a row without a gain. Default: enough that first-choice misses a good "
        "move with less than 1 % probability; 10 n^2; 500.",
    ),
    number("--beam K", "Boards of a beam. Default: 10."),
    number("--population COUNT", "Boards of the genetic algorithm. Default: 50."),
    decimal("--mutation P", "How likely a child mutates. Default: 0.8."),
    number("--max-steps STEPS", "End a run after this number of steps."),
    number("--max-evaluations COUNT", "End a run when this number of boards is evaluated."),
    options.time_limit("End a run after this time."),
)

_MOVES = choice(
    "--moves", list(MOVES), "; ".join(f"{kind}: {what}" for kind, what in MOVES.items()) + ".", default="column"
)

_SEED_OF_RUNS = number("--seed SEED", "Seed of the first run; each next run has the next one. Default: a random seed.")


def _rules_of(text: str) -> list[str]:
    """Parse rules separated by commas, or the word for all of them; the library checks them."""
    return list(RULES) if text.strip() == ALL_RULES else [name.strip() for name in text.split(",")]


def _rules(names: str, usual: str, **settings: Any) -> Callable[..., Any]:
    return option(
        names,
        f"Some of {', '.join(RULES)}, separated by commas; or all. Default: {usual}.",
        name="rules",
        type=_rules_of,
        shell_complete=options.offering((*RULES, ALL_RULES)),
        **settings,
    )


@command(
    "fastqueens climb --show\nfastqueens climb 8 --rule all --runs 10 --seed 1\n"
    "fastqueens climb 8 --rule sideways --seed 3 -o climb.npz\n"
    'fastqueens climb --static-point 0,0 --board "0 7 3 4 7 1 2 2"'
)
@group("Board", options.n, options.file, options.board, options.rows_from)
@group(
    "Runs",
    _rules("--rule --rules LIST", "steepest"),
    number("--runs COUNT", "Number of runs of each rule. Default: 3, or 1 with -o."),
    _SEED_OF_RUNS,
    _MOVES,
    options.square(
        "--static-point COL,ROW",
        "Run the hill climbing of an assignment: the queen on COL,ROW, both from 0, never moves, and each step moves "
        "one other queen by one square. --restarts is the number of random boards to start from.",
    ),
)
@_LIMITS
@group(
    "Output",
    option("--show", "Draw every board of every run."),
    options.output("Write the moves of a single run to an .npz trace, which explore plays."),
    write("--plot FILE", "Draw the cost against the steps of the first run of up to six rules: .png .pdf .svg."),
    options.axes,
    options.theme,
    options.origin,
    options.as_json,
    options.quiet,
)
def climb(out: Output, board: Values, runs: Values, limits: Values, output: Values) -> int:
    """Run hill climbing from random boards of N queens (default: 8), or from your own board.

    The rules lower the number of attacking pairs, which courses call the cost, h or the H value of a board. --show
    prints it as H value. All rules start from the same boards. A run ends when the board is solved or the rule is
    stuck. The exit code is 0 if all runs are solved, otherwise 1.
    """
    from fastqueens.classroom.climbing import climbs_table

    _check_options()
    if output.show:
        refuse("--show and {} both write to stdout: give one of them.", "as_json")
    rules, count = runs.rules or ["steepest"], runs.runs
    if count is not None and not 1 <= count <= _MOST_RUNS:
        raise click.ClickException(f"--runs must be between 1 and {_MOST_RUNS:,}, not {count:,}; study makes more runs")
    if output.path is not None and (count or 1) * len(rules) > 1:
        raise click.UsageError("-o writes a single run: give one --rule, and no --runs.")
    if output.plot is not None and len(rules) > _MOST_PLOTTED:
        raise click.UsageError(f"--plot draws at most {_MOST_PLOTTED} rules; study --plot compares more.")
    inputs.check_output(output.path, (".npz",))
    inputs.check_picture(output.plot)
    start = inputs.board_given(out, board)
    n = len(start) if start is not None else inputs.n_or_default(board.n)
    if runs.static_point is not None:
        return _climb_around(out, n, start, runs.static_point, limits.restarts, runs.seed)
    settings = {"board": start, "moves": runs.moves, "limits": _limits(rules, runs.moves, limits)}
    first_seed = new_seed() if runs.seed is None else runs.seed
    seeds = [first_seed + run for run in range(count or (3 if output.path is None else 1))]
    tasks = [(rule, seed) for seed in seeds for rule in rules]
    rows: list[dict[str, Any]] = []
    first_runs: list[fastqueens.Climb] = []

    def climbs() -> Iterator[fastqueens.Climb]:
        for done, (rule, seed) in enumerate(tasks):
            out.progress("climbs", done, len(tasks) if len(tasks) > 1 else None)
            yield fastqueens.climb(n, rule=rule, seed=seed, **settings, stop=out.is_stopped)

    for done, climbed in enumerate(out.each(climbs())):
        if output.show and not out.quiet:
            _show(out, climbed, f"Run {done + 1}: {climbed.rule}, seed {climbed.seed}")
        queens: Any = out.in_json(climbed.queens)
        if queens is not None:  # a column that a systematic search has not filled has the row n
            queens = [row if row < n + out.rows_from else None for row in queens.tolist()]
        rows.append(climbed.as_dict() | {"queens": queens})
        if output.plot is not None and done < len(rules):
            first_runs.append(climbed)
        if output.path is not None:
            from fastqueens.files.traces import Header, write_trace

            if climbed.moves is None:
                raise click.UsageError(f"-o writes moves of one queen, and a step of {climbed.rule} can move several.")
            write_trace(output.path, climbed.trace, climbed.restarts, Header(n, climbed.seed), climbed.moves)
    if out.as_json:
        out.json(rows)
    else:
        out.say(f"\n{climbs_table(rows).text(out.width)}\n")
    out.wrote(output.path)
    out.say_partial(f"{len(rows):,} of {counted(len(tasks), 'run')}")
    if output.plot is not None:
        from fastqueens.cli.pictures import draw_curves

        draw_curves(out, first_runs, output.plot, what="pairs", axes=output.axes, theme=output.theme)
        out.wrote(output.plot, err=True)
    return ExitCode.SOLVED if all(row["solved"] for row in rows) else ExitCode.NOT_SOLVED


def _check_options() -> None:
    """Raise UsageError for options of ``climb`` and ``study`` that have no meaning together."""
    if not given("plot"):
        refuse("{} is for the picture of --plot FILE.", "theme", "what", "axes", "title", "size", "dpi")
    context = click.get_current_context()
    if context.params["schedule"] == "logarithmic":
        refuse("{} and --schedule logarithmic: this schedule has no factor.", "cooling")
    if given("static_point"):
        others = {param.name or "" for param in context.command.params} - {*_OF_THE_ASSIGNMENT}
        refuse("--static-point: leave out {}, which the assignment does not have.", *others)
        if given("restarts"):
            refuse("--static-point with --restarts starts from random boards: leave out {}.", "file", "rows")
            refuse("--static-point with --restarts: leave out {}, since the assignment sets its seed to 1.", "seed")


def _limits(rules: list[str], moves: str, options_of_rules: Values) -> fastqueens.Limits:
    """Return the options of rules that were given; raise an error for one that changes none of these rules."""
    values = {name: value for name, value in vars(options_of_rules).items() if value is not None}
    limits = checked_limits(fastqueens.Limits(**values), moves, rules)
    labels = {param.name: label(param) for param in click.get_current_context().command.params}
    check_options(rules, {name: labels[name] for name in values})
    return limits


def _show(out: Output, climbed: fastqueens.Climb, heading: str) -> None:
    """Print the boards of a run, each with its attacking pairs, and how the run ended."""
    out.say(click.style(heading, bold=True))
    reason = out.no_room(2 * climbed.n - 1, "With -o climb.npz, fastqueens explore climb.npz plays the run.")
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
    if climbed.solved and look.cost > 0:  # a beam or a population has the first board and random ones
        board = [] if reason else [_drawn(out, climbed.queens)]
        out.say("", "The best of the first boards:", *board, "H value: 0")
    verdict = click.style("Success", fg="green") if climbed.solved else click.style("Failure", fg="red")
    made = f"{counted(climbed.steps, 'step')}, {counted(len(climbed.restarts), 'restart')}"
    out.say(f"\n{verdict}: {made}. {_reason(climbed)}\n")


def _drawn(out: Output, queens: Queens) -> str:
    """Draw a board; columns that a systematic search has not filled are empty."""
    rows = range(len(queens)) if out.origin == "upper" else reversed(range(len(queens)))
    return styled("\n".join(" ".join("Q" if row == queen else "." for queen in queens.tolist()) for row in rows))


def _reason(climbed: fastqueens.Climb) -> str:
    """Return the reason for which a run ended."""
    rule, limits = RULES[climbed.rule], climbed.limits
    used = (climbed.steps, climbed.evaluations, climbed.seconds)
    ends = (limits.max_steps, limits.max_evaluations, limits.time_limit)
    if climbed.solved:
        return "No queen attacks another."
    if any(end is not None and value >= end for end, value in zip(ends, used, strict=True)):
        return "A limit ends the run."
    return rule.why_stuck or "No move lowers the number of attacking pairs."


def _climb_around(
    out: Output, n: int, board: Queens | None, point: tuple[int, int], attempts: int | None, seed: int | None
) -> int:
    """Run the assignment with a static point, and print what its functions print."""
    from fastqueens import nqueens
    from fastqueens.board import check_n

    column, row = point
    if max(point) >= check_n(n):
        raise InputError(f"the static point {column},{row} is off the board: both must be between 0 and {n - 1}")
    if attempts == 0:
        raise InputError("restarts must be at least 1 with a static point, not 0")
    generator = random.Random(new_seed() if seed is None else seed)
    state = [generator.randrange(n) for _ in range(n)] if board is None else board.tolist()
    if board is None:
        state[column] = row
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        if attempts is not None:
            nqueens.n_queens_restart(n, attempts, *point)
        else:
            nqueens.n_queens(state, *point)
    text = printed.getvalue().removesuffix("\n")
    out.say(text)
    if state[column] != row:
        out.say(
            f"No queen moves, because none stands on the static point {column},{row}: the queen of column {column} is "
            f"in row {state[column]}, counted from 0. Use --static-point {column},{state[column]}, or a board whose "
            f"queen of column {column} is in row {row}.",
            err=True,
        )
    return ExitCode.SOLVED if text.endswith("f=0") else ExitCode.NOT_SOLVED


@command("fastqueens descend starts.txt -o states.txt")
@click.argument("source", metavar="INPUT", type=options.INPUT)
@options.output("Write to this file instead of stdout.")
@options.quiet
def descend(out: Output, source: str, path: str | None) -> None:
    """Move the queen that attacks most to the row where it attacks fewest, until the board is solved or stuck.

    Each line of INPUT (- for stdin) is a starting board: the row of the queen in each column, counted from 1, separated
    by blanks. For each of them, the output has every board from the start on, then Success or Failure. A blank line
    separates the results of two starting boards.

    If several queens attack most, the command moves the leftmost of them that can attack fewer queens from another row.
    If several rows are equally good, it takes the smallest. If none of these queens can attack fewer, the result is
    Failure. The exit code is 0 in both cases.
    """
    from fastqueens.classroom.descent import Descent, read_starts, text_of
    from fastqueens.files.atomic import atomic_write, check_target

    target = None if path == "-" else path
    if target is not None:
        check_target(target)
    out.reading(source)
    starts = read_starts(source)
    descents: list[Descent] = []
    for done, queens in enumerate(starts):
        out.progress("starts", done, len(starts))
        descents.append(fastqueens.descend(queens, stop=out.is_stopped))
    if target is None:
        with out.data() as file:
            file.writelines(text_of(descents))
        return
    with atomic_write(target) as opened:
        opened.writelines(text_of(descents))
    solved = sum(descent.solved for descent in descents)
    out.wrote(target, f"{solved:,} of {counted(len(descents), 'start')} solved", err=True)


@command(
    "fastqueens study --runs 100000\n"
    "fastqueens study 4..20 --rules steepest,sideways -o s.csv --plot s.png\n"
    "fastqueens study 50 --scheduler 127.0.0.1:8786"
)
@group(
    "Runs",
    options.several_n,
    _rules("--rules --rule LIST", ", ".join(USUAL_RULES), default=",".join(USUAL_RULES), show_default=False),
    number("--runs COUNT", "Number of runs of each rule on each board size.", default="10000"),
    _SEED_OF_RUNS,
    _MOVES,
    options.threads,
    options.scheduler,
)
@_LIMITS
@group(
    "Output",
    options.output("Write the results: .csv, or .json, which also contains the histograms."),
    write("--runs-file FILE", "Write a .csv file with a line for each run, each timed by itself."),
    write("--plot FILE", "Draw success, steps, evaluations and seconds for each rule: .png .pdf .svg."),
    choice("--what", ("all", "success", "steps", "evaluations", "seconds"), "What --plot draws.", default="all"),
    options.text("--title TEXT", "Text above the plot, if it is at least 3.5 inches wide."),
    options.size_of_plot("Width x height in inches, or with mm, cm or in. Default: 160 mm wide, or 80 for one panel."),
    decimal("--dpi DPI", "Dots per inch. Default: 150."),
    options.theme,
    options.as_json,
    options.quiet,
)
def study(out: Output, runs: Values, limits: Values, output: Values) -> None:
    """Run hill climbing many times by different rules; compare how often they solve the board and in how many steps.

    N is a board size, or several, as in 4..20 or 8,16. By default it is 8. The rules restart and restart-sideways do
    the same as steepest and sideways, but restart from a new board when they are stuck; with --restarts, all rules but
    systematic searches do. All rules start from the same random boards. To see one of the runs, use its seed:
    `fastqueens climb 8 --rule steepest --runs 1 --seed 5 --show`.
    """
    from fastqueens._run.clock import clock
    from fastqueens.classroom.studies import STUDY_SUFFIXES, write_runs, write_study

    _check_options()
    inputs.check_output(output.path, STUDY_SUFFIXES)
    inputs.check_output(output.runs_file, STUDY_SUFFIXES[:1])
    inputs.check_picture(output.plot)
    sizes = runs.n or [inputs.n_or_default(None)]
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
    out.say(f"{counted(result.runs * len(result.rows), 'run')} in {duration(seconds)}.")
    out.wrote(output.path, err=True)
    out.wrote(output.runs_file, err=True)
    out.say_partial(f"{len(result.rows)} of {counted(len(set(sizes)) * len(set(runs.rules)), 'row')}")
    if output.plot is not None:
        look = {name: getattr(output, name) for name in ("what", "title", "size", "theme")}
        out.draw(lambda: result.plot(**look), output.plot, output.dpi)
        out.wrote(output.plot, err=True)
