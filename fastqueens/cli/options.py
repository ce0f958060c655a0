"""Options as typed fields: declarations, the class of commands, parsers of values, and groups that commands share.

A group of options is a class whose fields declare an option or an argument each. A command is a function with a
parameter for each group::

    class _Search(Group):
        seed: int | None = option("--seed SEED", "Seed of the random numbers.")

    @command("fastqueens example --seed 1")
    def example(session: Session, search: _Search) -> None: ...

mypy reads groups as frozen dataclasses. ``--help`` must not load NumPy. For this reason neither this file nor the files
of commands import NumPy, or modules that import it, at their top.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, dataclass_transform, get_type_hints

import click

from fastqueens._run.arguments import METHODS, STARTS, SWEEPS, THEMES, check_choice, size_in_inches
from fastqueens._run.text import listed
from fastqueens._run.typed_numbers import decimal, is_number, number, spans
from fastqueens.cli.session import Session
from fastqueens.errors import InputError

#: The values of options by the names of their fields.
Values = dict[str, Any]

_Type = Callable[[str], object] | click.ParamType[object] | None

_MOST_SIZES = 1000

#: The widest names of options in --help, next to which the explanation begins.
_WIDEST_NAME = 25

#: Parameters that cannot be combined in any command.
_EXCLUSIVE = (("file", "rows"), ("files", "rows"), ("threads", "scheduler"))

#: Options that :class:`Session` knows.
_OF_SESSION = ("quiet", "as_json", "rows_from", "origin")

#: The names of parameters of the library whose options have other names.
_OTHER_NAMES = {"n": "N", "executor": "--scheduler"}


# Commands


@dataclass_transform(frozen_default=True)
class Group:
    """A group of options. A dataclass of the standard library would take 1 ms per group to create."""

    def __init__(self, **values: object) -> None:
        vars(self).update(values)

    @property
    def values(self) -> Values:
        """The values by the names of the fields, for a function of the library with these parameters."""
        return vars(self)

    @classmethod
    def fields(cls) -> dict[str, str]:
        """Return the names and annotations of all fields, those of a base class last."""
        return {name: kind for base in cls.__mro__ for name, kind in vars(base).get("__annotations__", {}).items()}


# cloup also offers groups of options, but importing it takes 40 ms, almost as long as Python and click together.
class Command(click.Command):
    """A command whose function receives the :class:`Session` and its groups of options.

    --help shows each group below its name. The value of --n is passed as the argument N. The function returns the exit
    code, or None for 0.
    """

    def __init__(self, function: Callable[..., int | None], examples: str) -> None:
        kinds = get_type_hints(function)
        self.function = function
        self.kinds: dict[str, type[Group]] = {name: kinds[name] for name in kinds if name not in ("session", "return")}
        self.groups = {
            name: [param for field, type in kind.fields().items() for param in getattr(kind, field)(field, type)]
            for name, kind in self.kinds.items()
        }
        lines = examples.split("\n")
        epilog = "\n  ".join([f"\b\nExample{'s' * (len(lines) > 1)}:", *lines])
        params = [param for group in self.groups.values() for param in group]
        super().__init__(function.__name__, params=params, help=function.__doc__, epilog=epilog)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below the titles of their groups. --help is listed in the last group."""
        help_option = self.get_help_option(ctx)
        groups = {title: [param for param in group if param.opts[0][0] == "-"] for title, group in self.groups.items()}
        for title, group in groups.items():
            shown = [*group, help_option] if title == [*groups][-1] else group
            with formatter.section(title.capitalize()):
                records = [param.get_help_record(ctx) for param in shown if param is not None]
                formatter.write_dl([record for record in records if record is not None], col_max=_WIDEST_NAME)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. An option for one value cannot be repeated, and errors explain negative numbers."""
        try:
            _, _, typed = self.make_parser(ctx).parse_args(list(args))
        except click.NoSuchOption as error:
            word = next((word for word in args if is_number(word) and word.startswith(error.option_name)), None)
            if word is None:
                raise
            raise click.UsageError(
                f"{word} is read as an option; numbers without an option must be positive", ctx
            ) from None
        for param, count in Counter([] if ctx.resilient_parsing else typed).items():
            if count > 1 and not param.multiple and not getattr(param, "is_flag", False):
                raise click.UsageError(f"{label(param)} is given {count} times; it takes one value", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> int:
        """Check what all commands have in common, and call the function of the command."""
        values = dict(ctx.params)
        session: Session = ctx.obj
        for names in _EXCLUSIVE:
            exclusive(*names)
        if values.get("as_json") and values.get("path") == "-":
            raise click.UsageError("-o - and --json cannot be combined: both write to stdout")
        inputs = [*self._files(values, INPUT)]
        from_stdin = [label(param) for param, path in inputs if path == "-"]
        if len(from_stdin) > 1:
            raise click.UsageError(f"{' and '.join(from_stdin)} cannot both be read from stdin")
        n = values.pop("n_option", None)
        if n is not None:
            argument = "n" if "n" in values else "source"
            exclusive(argument, "n_option")
            values[argument] = n
        session.begin(**{name: values[name] for name in _OF_SESSION if values.get(name) is not None})
        groups = {title: kind(**{name: values[name] for name in kind.fields()}) for title, kind in self.kinds.items()}
        with session.progress_and_notes():
            try:
                self._check_files([path for _, path in inputs], values)
                return session.exit_code(self.function(session, **groups))
            except InputError as error:
                error.args = (as_typed(str(error), self.params),)
                raise

    def _check_files(self, inputs: Iterable[str], values: Values) -> None:
        """Raise an error if two outputs are the same file, or one cannot be written, before the work begins.

        Names of devices are also refused for inputs. The help of an option lists the suffixes that its file can have,
        and says whether it can be stdout.
        """
        from fastqueens.files.atomic import check_target
        from fastqueens.files.text import checked_name, checked_suffix

        for path in inputs:
            checked_name(path)
        written: dict[str, str] = {}
        for param, path in self._files(values, OUTPUT):
            name, help = os.path.realpath(checked_name(path)), getattr(param, "help", "")
            if name in written:
                raise click.UsageError(f"{written[name]} and {label(param)} name the same file, {path}")
            written[name] = label(param)
            suffixes = re.findall(r"(?<![A-Z])\.[a-z]\w+", help)
            if ".txt" in suffixes and path.lower().endswith((".png", ".pdf", ".svg")):
                forms = f"a board is written as {', '.join(suffixes)}"
                raise InputError(f"{path}: {forms}; to draw it: fastqueens show board.txt -o {path}")
            if suffixes and (path != "-" or "stdout" not in help):
                checked_suffix(path, [*suffixes, *[".jpeg"] * (".jpg" in suffixes)])
                check_target(path)

    def _files(self, values: Values, kind: click.ParamType[str]) -> Iterator[tuple[click.Parameter, str]]:
        """Yield the files of this kind on the command line, INPUT or OUTPUT, with their parameters."""
        for param in self.params:
            if param.type is kind:
                paths = values[param.name or ""]
                for path in [paths] if isinstance(paths, str) else paths or ():
                    if not path:
                        raise click.BadParameter("the name of the file is empty", param=param)
                    yield param, path


def command(examples: str) -> Callable[[Callable[..., int | None]], Command]:
    """Return a decorator that turns a function into a command; ``examples`` has one example per line."""
    return lambda function: Command(function, examples)


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
    labels = {name: label(param) for param in params for name in (param.name, *map(_as_parameter, param.opts))}
    return " and ".join((labels | _OTHER_NAMES).get(name, name) for name in found.group(1, 2) if name) + found[3]


def _as_parameter(option: str) -> str:
    return option.removeprefix("--").replace("-", "_")


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


#: The types of input and output files. :class:`Command` checks that only one input is read from stdin.
INPUT: click.ParamType[str] = click.Path(allow_dash=True)
OUTPUT: click.ParamType[str] = click.Path(allow_dash=True)


def utf8(text: str) -> str:
    """Return text decoded as UTF-8, whatever the locale. Invalid bytes become a replacement character."""
    return os.fsencode(text).decode("utf-8", "replace")


def sizes(text: str) -> list[int]:
    """Return the sizes of boards in a list, written as in :func:`spans`."""
    return spans(text, _MOST_SIZES, "sizes; a list")


def first_row(text: str) -> int:
    """Return the number of the first row, which is 0 or 1."""
    return int(check_choice(text, "value", ("0", "1")))


#: How values are parsed, by the annotations of fields.
_TYPES: dict[str, _Type] = {"int": number, "float": decimal, "str": str}


def _number_of_queens(text: str) -> int:
    """Return N. If the text is the name of a file, the error names the option that reads one."""
    if not is_number(text) and (os.path.splitext(text)[1] or os.path.exists(text)):
        hint = f"to start from the board in a file, use --file {text}"
        raise InputError(f"{text!r} is not a number of queens; {hint}")
    return number(text)


# Declarations


def option(
    names: str,
    help: str,
    type: _Type = None,
    *,
    default: str | None = None,
    implied: str | None = None,
    complete: Iterable[str] = (),
) -> Any:
    """Declare an option; ``names`` has its names and, if it has a value, the metavar: "-o --output FILE".

    The annotation of the field says what the value is: bool is an option without a value, a tuple one that can be
    repeated, and None the value of an option that is not given. ``type`` parses values other than numbers and texts. An
    option that is given without a value has the ``implied`` one. Lists of words to ``complete`` have commas.
    """

    def declare(name: str, kind: str) -> list[click.Parameter]:
        *words, metavar = names.split()
        if kind == "bool":
            return [click.Option([*words, metavar, name], is_flag=True, help=help)]
        settings: Values = {} if default is None else {"default": default}
        if complete:
            settings["shell_complete"] = _offering([*complete])
        is_several = kind.endswith(", ...]")
        if implied is not None:
            settings |= {"is_flag": False, "flag_value": implied}
        return [
            click.Option(
                [*words, name],
                metavar=metavar,
                help=f"{help} Can be repeated." if is_several else help,
                type=type or _TYPES[kind.removeprefix("tuple[").removesuffix(", ...]").removesuffix(" | None")],
                multiple=is_several,
                required=default is None and not is_several and not kind.endswith("None"),
                show_default="efault" not in help,
                **settings,
            )
        ]

    return declare


def output(help: str) -> Any:
    """Declare the option -o for the file that a command writes."""
    return option("-o --output FILE", help, OUTPUT)


def argument(metavar: str, type: _Type, *, required: bool = False) -> Any:
    """Declare an argument. It is required if the field cannot be None; fields with a tuple take any number of them."""

    def declare(name: str, kind: str) -> list[click.Parameter]:
        nargs = -1 if kind.startswith("tuple") else 1
        is_required = required or kind == "str"
        return [click.Argument([name], metavar=metavar, type=type, required=is_required, nargs=nargs)]

    return declare


def argument_or_n(metavar: str, type: _Type) -> Any:
    """Declare an optional argument for n, and the option -n with the same meaning."""
    optional = argument(f"[{metavar}]", type)
    option_n = option(f"--n -n {metavar}", f"Same as the argument {metavar}.", type)
    return lambda name, kind: [*optional(name, kind), *option_n("n_option", kind)]


def _offering(words: Sequence[str]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return a function for tab completion of words, which can be separated by commas."""

    def complete(_context: click.Context, _option: click.Parameter, typed: str) -> list[str]:
        before, comma, last = typed.rpartition(",")
        return [before + comma + word for word in words if word.startswith(last)]

    return complete


# Options and groups that several commands share

origin = option(
    "--origin ORIGIN",
    "Draw row 0 at the upper (default) or lower side.",
    click.Choice(["upper", "lower"]),
    default="upper",
)
time_limit = option("--time-limit SECONDS", "Stop after this many seconds, and keep the results so far.")
seed = option("--seed SEED", "Seed of the random numbers. Default: random.")
threads = option("--threads COUNT", "Threads to use. Default: all cores.")
scheduler = option("--scheduler ADDRESS", "Use the workers of this Dask scheduler, such as HOST:8786.")
checkpoint = option("--checkpoint FILE", "Save finished parts in this .sqlite file, and continue from it.", OUTPUT)
as_json = option("--json", "Print the results as JSON on stdout.")
quiet = option("-q --quiet", "Print only errors and requested data.")
method = option(
    "--method METHOD",
    "local or complete search, or auto (default): local search, in turns with complete search if there are constraints "
    "and at most 64 columns without a fixed queen.",
    click.Choice(METHODS),
    default="auto",
)
start = option(
    "--start START",
    "First board: windowed (default) or uniform, both with few attacks, random or permutation.",
    click.Choice(STARTS),
)
max_steps = option("--max-steps --maxsteps -maxsteps STEPS", "Stop after this many steps. Default: unlimited.")
mix = option(
    "--mix [SWEEPS]",
    f"Shuffle the solution by SWEEPS (default: {SWEEPS}) times N random moves, until it is nearly a random one.",
    implied=str(SWEEPS),
)
rows_from = option(
    "--rows-from NUMBER", "Count rows from 0 (default) or 1, in input and output.", first_row, default="0"
)
theme = option(
    "--theme THEME", "light (default), dark, transparent or dark-transparent.", click.Choice(THEMES), default="light"
)
size = option("--size SIZE", "Width x height in inches, or with a unit: 84x60mm.", size_in_inches)
rows = option("--board ROWS", 'Rows of the queens, one per column: "1 3 0 2".')


class Size(Group):
    """The number of queens."""

    n: int | None = argument_or_n("N", _number_of_queens)
    rows_from: int = rows_from


class Start(Group):
    """The first board of a search: its number of queens, or the board itself."""

    n: int | None = argument_or_n("N", _number_of_queens)
    file: str | None = option("--file -file FILE", "Start from the board in this file (- for stdin).", INPUT)
    rows: str | None = rows
    rows_from: int = rows_from


class BoardOrN(Group):
    """A board that is read or solved for a picture."""

    source: str | None = argument_or_n("BOARD_OR_N", INPUT)
    seed: int | None = seed
    mix: int | None = mix
    rows_from: int = rows_from


class ConstraintOptions(Group):
    """The constraints of an instance."""

    instance: str | None = option("--instance FILE", "Read N and constraints from this JSON file.", INPUT)
    queen: tuple[str, ...] = option("--queen COLUMN,ROW", "Fix a queen on this square.")
    queens_file: str | None = option("--queens-file FILE", "Read fixed queens from a drawing or CSV.", INPUT)
    block: tuple[str, ...] = option("--block COLUMN,ROW", "Keep this square empty.")
    exclude_sum: tuple[int, ...] = option("--exclude-sum S", "Keep the diagonal column + row = S empty (from 0).")
    exclude_difference: tuple[int, ...] = option("--exclude-difference D", "Keep the diagonal row - column = D empty.")


class Work(Group):
    """Where long work runs."""

    threads: int | None = threads
    scheduler: str | None = scheduler


class TimedWork(Work):
    """Where long work runs, and for how long."""

    time_limit: float | None = time_limit


class Solutions(Group):
    """Which solutions are counted or listed."""

    limit: int | None = option("--limit COUNT", "Stop after this many solutions.")
    fundamental: bool = option("--fundamental", "Treat rotations and mirror images of a solution as the same.")


class Report(Group):
    """What is printed."""

    as_json: bool = as_json
    quiet: bool = quiet
