"""The class of commands, the options that several commands share, and parsers for numbers, lists and sizes.

``--help`` must not load NumPy. For this reason neither this file nor the files of commands import NumPy, or modules
that import it, at their top.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import click

from fastqueens._run.arguments import (
    AXES,
    LARGEST_POSITIVE,
    SWEEPS,
    THEMES,
    check_seed,
    did_you_mean,
    size_in_inches,
)
from fastqueens._run.text import listed
from fastqueens.cli.output import Output, progress_and_notes
from fastqueens.errors import InputError

_MOST_SEEDS = 1_000_000
_MOST_SIZES = 1000

#: The most digits of a number. Longer numbers are refused unread: no argument needs them, and 1e9999 would fill the
#: screen.
_MOST_DIGITS = 20

#: A number, whose digits can have an underscore anywhere between them or a comma before every three.
_NUMBER = r"(?ai)[+-]?(\d{1,3}(,\d{3})+|\d+(_\d+)*)(\.\d+)?(e[+-]?\d{1,4})?"

#: A text such as 10.000, which means ten thousand in much of Europe and ten elsewhere.
_POINT_IN_THOUSANDS = r"(?a)[1-9]\d{0,2}(\.\d{3}){1,4}"

#: Parameters that cannot be combined in any command.
_EXCLUSIVE = (("file", "rows"), ("files", "rows"), ("threads", "scheduler"))

#: The parameters of :class:`Output`, with their values in commands that do not have such an option.
_OF_OUTPUT = {"quiet": False, "as_json": False, "rows_from": 0, "origin": "upper"}

_Decorator = Callable[..., Any]


#: The values of a group of options, as attributes.
Values = SimpleNamespace

#: The parameters that describe an instance.
PARTS = ("instance", "queen", "queens_file", "block", "exclude_sum", "exclude_difference")


# cloup also offers groups of options, but importing it takes 40 ms, almost as long as Python and click together.
class Command(click.Command):
    """A command that shows its options in groups.

    The function of the command receives an :class:`Output`, which knows --quiet, --json, --rows-from and --origin. For
    each group of options it receives one :class:`Values`, named like the group. All other parameters are passed by
    name. The value of --n is passed as the argument N. The function returns the exit code, or None for 0.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below the titles of their groups. --help is listed in the last group."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                title = getattr(param, "group", next(reversed(groups), "Options"))
                groups.setdefault(title, []).append(record)
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an error about a negative number says that it is read as an option."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            word = next((word for word in words if is_number(word) and word.startswith(error.option_name)), None)
            if word is None:
                raise
            raise click.UsageError(
                f"{word} is read as an option; numbers without an option must be positive", ctx
            ) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function of the command, and show its progress."""
        for names in _EXCLUSIVE:
            exclusive(*names)
        given, session = dict(ctx.params), ctx.obj
        out = Output(session, *(given.pop(name, default) for name, default in _OF_OUTPUT.items()))
        if out.as_json and given.get("path") == "-":
            raise click.UsageError("-o - and --json cannot be combined: both write to stdout")
        read = [(param, given[param.name or ""]) for param in self.params if param.type is INPUT]
        from_stdin = [param for param, value in read for name in (value if param.nargs < 0 else [value]) if name == "-"]
        if len(from_stdin) > 1:
            raise click.UsageError(f"{' and '.join(map(label, from_stdin))} cannot both be read from stdin")
        _check_outputs_differ([(param, given[param.name or ""]) for param in self.params if param.type is OUTPUT])
        n = given.pop("n_option", None)
        if n is not None:
            argument = "n" if "n" in given else "source"
            exclusive(argument, "n_option")
            given[argument] = n
        values: dict[str, Any] = {}
        for param in self.params:
            title, name = getattr(param, "group", ""), param.name or ""
            if not title and name in given:
                values[name] = given[name]
            elif name in given:
                setattr(values.setdefault(title.lower(), Values()), name, given[name])
        with progress_and_notes(session.display, quiet=out.quiet):
            session.display.report("loading")
            assert self.callback is not None
            try:
                return out.exit_code(self.callback(out, **values))
            except InputError as error:
                error.args = (as_typed(str(error), self.params),)
                raise


def _check_outputs_differ(outputs: list[tuple[click.Parameter, Any]]) -> None:
    """Raise UsageError if two output files are the same."""
    names: dict[str, str] = {}
    for param, value in outputs:
        for path in value if param.multiple else [value]:
            if path is None:
                continue
            name = os.path.realpath(path)
            if name in names:
                raise click.UsageError(f"{listed([names[name], label(param)])} name the same file, {path}")
            names[name] = label(param)


def command(examples: str) -> Callable[[Callable[..., int | None]], Command]:
    """Return a decorator that turns a function into a command; ``examples`` has one example per line."""
    lines = examples.split("\n")
    epilog = "\n  ".join([f"\b\nExample{'s' * (len(lines) > 1)}:", *lines])
    return click.command(cls=Command, epilog=epilog)


def group(title: str, *options: _Decorator) -> _Decorator:
    """Return a decorator that adds a group of options, in this order; see :class:`Command`."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        params: list[click.Parameter] = vars(function).setdefault("__click_params__", [])
        before = len(params)
        for option in reversed(options):
            option(function)
        for param in params[before:]:
            vars(param).setdefault("group", title)
        return function

    return add


def label(param: click.Parameter) -> str:
    """Return the name of an option or argument for use in a message."""
    return param.opts[0] if param.opts[0].startswith("-") else param.human_readable_name.strip("[].")


def as_typed(message: str, params: Iterable[click.Parameter]) -> str:
    """Return a message of the library in which the names of parameters are replaced by options as users type them.

    "max_steps must be at least 0, not -1" becomes "--max-steps must be at least 0, not -1". Messages that do not begin
    with the name of a parameter stay as they are.
    """
    message = message.replace("rows_from=1 (--rows-from 1)", "--rows-from 1")
    found = re.fullmatch(r"(?s)(\w+)(?: and (\w+))?( (?:must|is|cannot|has no effect)\b.*)", message)
    if found is None:
        return message
    labels = {name: label(param) for param in params for name in _names_of(param)} | {"n": "N"}
    return " and ".join(labels.get(name, name) for name in found.group(1, 2) if name) + found[3]


def _names_of(param: click.Parameter) -> list[str]:
    """Return the names that the library can have for the parameter of a command."""
    return [param.name or "", *(option.removeprefix("--").replace("-", "_") for option in param.opts)]


def given(*names: str) -> list[str]:
    """Return the names, for use in messages, of those parameters that are on the command line."""
    context = click.get_current_context()
    typed = [param for param in context.command.params if param.name in names
             and context.get_parameter_source(param.name) is click.core.ParameterSource.COMMANDLINE]  # fmt: skip
    return [label(param) for param in typed]


def exclusive(*names: str) -> None:
    """Raise UsageError if more than one of these parameters is on the command line."""
    found = given(*names)
    if len(found) > 1:
        raise click.UsageError(f"{listed(found)} cannot be combined")


def refuse(message: str, *names: str) -> None:
    """Raise UsageError if one of these parameters is on the command line; {} in the message is replaced by its name."""
    found = given(*names)
    if found:
        raise click.UsageError(message.format(found[0]))


# Values


def whole_number(text: str) -> int:
    """Return the whole number that is written as 1000000, 1,000,000, 1_000_000, 1e6 or 1.5e3, but not as 1.000.

    The library checks the range.
    """
    if text.isdecimal() and len(text) <= _MOST_DIGITS:
        return int(text)
    from decimal import Decimal

    if re.fullmatch(_POINT_IN_THOUSANDS, text.strip()):
        number = Decimal(text.strip().replace(".", ""))
        digits, exponent = f"{number.normalize():e}".split("e+")
        raise click.BadParameter(f"{text!r} is ambiguous; write {number}, {number:,} or {digits}e{exponent}")
    number = Decimal(text.strip().replace(",", "")) if is_number(text.strip()) else Decimal("NaN")
    if number.is_nan() or number.adjusted() > _MOST_DIGITS or number != int(number):
        raise click.BadParameter(f"{text!r} is not a whole number; write, for example, 1000000, 1,000,000 or 1e6")
    return int(number)


def decimal_number(text: str) -> float:
    """Return the number that is written as 0.5, 1,000 or 1e3. The library checks the range."""
    try:
        return float(text.replace(",", "") if is_number(text.strip()) else text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number; write, for example, 0.5, 1,000 or 1e3") from None


def _seconds(text: str) -> float:
    """Return a time, written as in :func:`decimal_number`. It must be above 0 and at most 10^9 seconds."""
    number = decimal_number(text)
    if not 0 < number <= LARGEST_POSITIVE:
        valid = f"a number of seconds above 0 and at most {LARGEST_POSITIVE:,.0f}"
        raise click.BadParameter(f"{text!r} is not {valid}")
    return number


def is_number(text: str) -> bool:
    """Return whether a text is a number rather than the name of a file."""
    is_plain = text.isascii() and text.isdecimal()
    return is_plain or any(re.fullmatch(pattern, text) for pattern in (_NUMBER, _POINT_IN_THOUSANDS))


def _utf8_text(text: str) -> str:
    """Return text decoded as UTF-8, whatever the locale. Invalid bytes become a replacement character."""
    return os.fsencode(text).decode("utf-8", "replace")


def _spans(text: str, most: int, what: str) -> list[int]:
    """Return the numbers in a list such as 4..20 or 8,16,32 or 4..8,16. The library checks their range."""
    spans = []
    for piece in map(str.strip, text.split(",")):
        if re.match("0[0-9]", piece):  # otherwise 1,000 would mean 1 and 0
            raise click.BadParameter(f"{piece} in the list {text!r} is not a number; write 1000 or 1e3 for a thousand")
        ends = [whole_number(end) for end in piece.split("..", 1)]
        if ends[-1] < ends[0]:
            raise click.BadParameter(f"{piece!r} runs backwards; write {ends[-1]}..{ends[0]}")
        spans.append((ends[0], ends[-1]))
    count = sum(last - first + 1 for first, last in spans)
    if count > most:
        raise click.BadParameter(f"{text!r} has {count:,} {what} can have at most {most:,}")
    return [number for first, last in spans for number in range(first, last + 1)]


def _seeds(text: str) -> list[int]:
    """Return the seeds in a list such as 1..100 or 1,5,9."""
    seeds = _spans(text, _MOST_SEEDS, "seeds; a table")
    try:
        return list(map(check_seed, seeds))
    except InputError as error:
        raise click.BadParameter(str(error)) from None


def _square(text: str) -> tuple[int, int]:
    """Return the square that is written as COLUMN,ROW, both counted from 0. The library checks their range."""
    found = re.fullmatch(r"(?a)\s*(\d{1,10})\s*,\s*(\d{1,10})\s*", text)
    if not found:
        raise click.BadParameter(
            f"{text!r} is not a square; write a column and a row, both counted from 0, such as 3,0"
        )
    return int(found[1]), int(found[2])


def _size_of_plot(text: str) -> tuple[float, float]:
    """Return the width and height, in inches, that are written as 8x4.5 (inches) or 84x60mm."""
    try:
        return size_in_inches(text)
    except InputError as error:
        raise click.BadParameter(str(error)) from None  # click would describe a ValueError in its own words


def _number_of_queens(text: str) -> int:
    """Return N. If the text is the name of a file, the error names the option that reads one."""
    if not is_number(text) and (os.path.splitext(text)[1] or os.path.exists(text)):
        hint = f"to start from the board in a file, use --file {text}"
        raise click.BadParameter(f"{text!r} is not a number of queens; {hint}")
    return whole_number(text)


class _File(click.Path):
    """The name of a file, or "-". The library checks whether the file can be read or written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty name."""
        if value == "":
            self.fail("the name of the file is empty", param, ctx)
        return super().convert(value, param, ctx)


#: The types of input and output files. :class:`Command` checks that only one input is read from stdin.
INPUT, OUTPUT = _File(allow_dash=True), _File(allow_dash=True)


# Options


def option(names: str, help: str, *, name: str | None = None, **settings: Any) -> _Decorator:
    """Return an option; ``names`` has its names and, for options with a value, the metavar: "-o --output FILE"."""
    settings = {"show_default": True, "help": help, **settings}
    if settings.get("multiple"):
        settings["help"] += " Can be repeated."
    words = names.split()
    if words[-1].startswith("-"):
        settings["is_flag"] = True
    else:
        settings["metavar"] = words.pop()
    return click.option(*words, *([] if name is None else [name]), **settings)


#: Options whose value is a whole number, a decimal number, a time, a text, a square, a size, an input or output file.
number, decimal = partial(option, type=whole_number), partial(option, type=decimal_number)
seconds, text = partial(option, type=_seconds), partial(option, type=_utf8_text)
square, size_of_plot = partial(option, type=_square), partial(option, "--size SIZE", type=_size_of_plot)
read, write = partial(option, type=INPUT), partial(option, type=OUTPUT)


def sweeps(names: str) -> _Decorator:
    """Return an option whose value is a number of sweeps; without a value, the usual number is used."""
    help = (
        "Shuffle the solution until it is nearly a random one. Each sweep makes N random moves. If SWEEPS is left out, "
        f"{SWEEPS} sweeps are made."
    )
    return number(names, help, is_flag=False, flag_value=str(SWEEPS))


class _Choice(click.Choice[str]):
    """A type of option whose value is one of several words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word, or refuse it with the message that the library uses."""
        if value not in self.choices:
            near = did_you_mean(value, list(self.choices))
            self.fail(f"unknown value {value!r}; choose one of {', '.join(self.choices)}{near}", param, ctx)
        return value


def choice(name: str, choices: Sequence[str], help: str, **settings: Any) -> _Decorator:
    """Return an option whose value is one of several words."""
    return click.option(name, type=_Choice(choices), help=help, show_default=True, **settings)


def offering(names: Iterable[str]) -> Callable[..., list[str]]:
    """Return a function for tab completion of names, which can be separated by commas."""

    def complete(_context: click.Context, _option: click.Parameter, typed: str) -> list[str]:
        before, comma, last = typed.rpartition(",")
        return [before + comma + name for name in names if name.startswith(last)]

    return complete


def _also_as_option(argument: str, metavar: str, type: Any) -> _Decorator:
    """Return a decorator that adds an optional argument for n and the option -n with the same meaning."""
    option_n = option(f"--n -n {metavar}", f"Same as the argument {metavar}.", name="n_option", type=type)
    add_argument = click.argument(argument, metavar=f"[{metavar}]", required=False, type=type)
    return lambda function: add_argument(option_n(function))


n = _also_as_option("n", "N", _number_of_queens)
several_n = _also_as_option("n", "N", lambda text: _spans(text, _MOST_SIZES, "sizes; a list"))
board_or_n = _also_as_option("source", "BOARD_OR_N", INPUT)

file = read("--file -file FILE", "Start from the board in this file (- for stdin).")
board = option("--board ROWS", 'Rows of the queens, one per column: "1 3 0 2".', name="rows")

rows_from, rows_from_or_auto = (
    choice(
        "--rows-from",
        ["0", "1", *auto],
        f"Count rows from 0 or from 1, in input and output.{' auto: as each file shows.' if auto else ''}",
        default="0",
        callback=lambda _context, _parameter, value: None if value == "auto" else int(value),
    )
    for auto in ((), ("auto",))
)

constraints = group(
    "Constraints",
    read("--instance FILE", "Read N and constraints from this JSON file. The other options add constraints."),
    option("--queen COLUMN,ROW", "Fix a queen on this square.", multiple=True),
    read(
        "--queens-file FILE", "Read fixed queens from a drawing or a CSV file with the header column,row (- for stdin)."
    ),
    option("--block COLUMN,ROW", "Keep this square empty.", multiple=True),
    number("--exclude-sum SUM", "Keep the diagonal empty where column + row = SUM, counted from 0.", multiple=True),
    number(
        "--exclude-difference DIFFERENCE",
        "Keep the diagonal empty where row - column = DIFFERENCE, counted from 0.",
        multiple=True,
    ),
)

origin = choice("--origin", ["upper", "lower"], "Draw the first row at the top or at the bottom.", default="upper")
theme = choice("--theme", THEMES, "Colours for light or dark pages, with or without a background.", default="light")
axes = choice("--axes", AXES, "Scale of the axes. auto: logarithmic if the range is wide.", default="auto")

threads = number("--threads COUNT", "Threads to use. Default: all cores. Their number does not change the results.")
scheduler = option("--scheduler ADDRESS", "Use the workers of this running Dask scheduler, for example HOST:8786.")

max_steps = number("--max-steps --maxsteps -maxsteps STEPS", "Stop after this many steps in total. Default: unlimited.")
time_limit = partial(seconds, "--time-limit SECONDS")
time_limit_of_command = time_limit(
    "Stop after this many seconds and keep the results so far. Compile time does not count."
)
seed = number("--seed SEED", "Seed of the random numbers. The same seed repeats a run. Default: random.")
seeds = partial(option, "--seeds LIST", type=_seeds)

output = partial(write, "-o --output FILE", name="path")
as_json = option("--json", "Print the results as JSON on stdout.", name="as_json")
quiet = option("-q --quiet", "Print only errors and requested data.")
