"""How commands are declared: options that several commands share, and options that clash.

A declared command has no body. Its work is done by a function of its name in another file, which is imported only when
the command runs: --help must not load NumPy.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import click

from fastqueens._run.arguments import SCALES, SWEEPS, THEMES
from fastqueens.cli.output import Output, progress_and_notes
from fastqueens.cli.process import Session
from fastqueens.cli.values import decimal_number, is_number, seconds, sizes, whole_number
from fastqueens.cli.values import seeds as seeds_of

_TYPED = click.core.ParameterSource.COMMANDLINE


def option(names: str, help: str, *, name: str | None = None, **settings: Any) -> Callable[..., Any]:
    """Return an option; ``names`` are those of the option, and of its value unless it is a flag: "-o --output FILE"."""
    settings = {"show_default": True, "help": help, **settings}
    words = names.split()
    if words[-1].startswith("-"):
        settings["is_flag"] = True
    else:
        settings["metavar"] = words.pop()
    return click.option(*words, *([] if name is None else [name]), **settings)


#: Options that take a whole number, or a number with decimals.
number, decimal = partial(option, type=whole_number), partial(option, type=decimal_number)


def choice(name: str, choices: Sequence[str], help: str, **settings: Any) -> Callable[..., Any]:
    """Return an option that takes one of some words."""
    return click.option(name, type=click.Choice(choices), help=help, show_default=True, **settings)


def offering(names: Iterable[str]) -> Callable[..., list[str]]:
    """Return what completes one of some names, or the last of several after commas."""

    def complete(_context: click.Context, _option: click.Parameter, typed: str) -> list[str]:
        before, comma, last = typed.rpartition(",")
        return [before + comma + name for name in names if name.startswith(last)]

    return complete


class Stated(NamedTuple):
    """The values of the options that state an instance."""

    instance: str | None = None
    queen: tuple[str, ...] = ()
    queens_file: str | None = None
    block: tuple[str, ...] = ()
    exclude_sum: tuple[int, ...] = ()
    exclude_difference: tuple[int, ...] = ()
    rows_from: int = 0


#: What a command cannot do: some options together, each one or one of several, and none of others; and the message.
Clash = tuple[tuple[str | Sequence[str], ...], Sequence[str], str]


def clash(
    *given: str | Sequence[str], without: Sequence[str] = (), why: str = "give one of them.", message: str | None = None
) -> Clash:
    """Return a clash of options, of which each may be one of several.

    "-o -" means the option with this value, and "file" is an argument. The message is by default ``why`` after the
    names of the options; {0}, {1} and so on mean the options that are given.
    """
    return given, without, message or f"{' and '.join(f'{{{at}}}' for at in range(len(given)))}: {why}"


#: Clashes of every command that has these options.
_USUAL_CLASHES = (
    clash("--file", "--board"),
    clash("--threads", "--scheduler"),
    clash("-o -", "--json", why="stdout has one of them."),
    clash("n", "--n", message="N and --n: give only one of them."),
    clash("board", "--n", message="BOARD_OR_N and --n: give only one of them."),
)

A_BOARD_OR_AN_INSTANCE = clash(
    without=["board", "--n", "--instance"],
    message="Missing argument 'BOARD_OR_N'; without it, an --instance FILE is needed.",
)


class Command(click.Command):
    """A command whose work is done by the function of its name in the file ``home``.

    The function gets an :class:`Output` and the values of all other options by name: those of an instance as one
    :class:`Stated`, and that of --n as the argument of the same meaning. It returns the exit code, or None for 0.
    """

    def __init__(self, *, home: str, clashes: Sequence[Clash], **settings: Any) -> None:
        super().__init__(**settings)
        self.home = home
        self.clashes = clashes

    def invoke(self, ctx: click.Context) -> Any:
        """Check the options against each other, and do the work."""
        given = frozenset(name for name in ctx.params if ctx.get_parameter_source(name) is _TYPED)
        self.check(ctx, given)
        values = dict(ctx.params)
        session: Session = ctx.obj
        if values.get("threads") is not None:  # now, before anything is written
            from fastqueens._run.threads import checked_threads

            checked_threads(values["threads"])
        out = Output(session, quiet=values.pop("quiet", False), as_json=values.pop("as_json", False), given=given)
        n = values.pop("n_option", None)
        if n is not None:
            values |= {"n": n} if "n" in values else {"board": str(n)}
        if "queens_file" in values:
            values["stated"] = Stated(**{name: values.pop(name) for name in Stated._fields})
        with progress_and_notes(session.display, quiet=out.quiet):
            session.display.report("loading")
            work = getattr(import_module(f"fastqueens.cli.{self.home}"), self.name or "")
            return out.exit_code(work(out, **values))

    def check(self, ctx: click.Context, typed: frozenset[str]) -> None:
        """Raise UsageError if options clash, or several files are to be read from stdin."""
        params = {name: param for param in self.params for name in param.opts}

        def is_given(label: str) -> bool:
            option, _, value = label.partition(" ")
            name = params[option].name if option in params else None
            return name in typed and (not value or ctx.params[name] == value)

        for given, without, message in (*_USUAL_CLASHES, *self.clashes):
            alternatives = ([option] if isinstance(option, str) else option for option in given)
            found = [next(filter(is_given, options), None) for options in alternatives]
            if all(found) and not any(map(is_given, without)):
                raise click.UsageError(message.format(*found))
        read = [(param, ctx.params[param.name or ""]) for param in self.params if param.type is INPUT]
        from_stdin = [param for param, value in read for name in (value if param.nargs < 0 else [value]) if name == "-"]
        if len(from_stdin) > 1:
            names = [param.opts[0] if param.opts[0][0] == "-" else param.human_readable_name for param in from_stdin]
            raise click.UsageError(
                f"{' and '.join(name.strip('[]') for name in names)} cannot both be read from stdin."
            )


def command(home: str, *clashes: Clash, examples: str) -> Callable[[Callable[[], None]], Command]:
    """Declare a command: ``home`` is the file that has the function of its name, which does the work."""
    lines = examples.split("\n")
    epilog = "\n  ".join([f"\b\nExample{'s' * (len(lines) > 1)}:", *lines])
    return click.command(cls=Command, home=home, clashes=clashes, epilog=epilog)


class _NumberOfQueens(click.ParamType[int]):
    """N; if it is the name of a file, the message names the option that reads one."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse N as :func:`whole_number` does."""
        if isinstance(value, int):
            return value
        reads_files = ctx is not None and any("--file" in option.opts for option in ctx.command.params)
        if reads_files and not is_number(value) and (os.path.splitext(value)[1] or os.path.exists(value)):
            self.fail(f"{value!r} is not a number of queens; to start from the board in a file, write --file {value}.")
        return whole_number(value)


class _File(click.Path):
    """The name of a file, or "-"; the library checks whether it can be read or written."""

    def __init__(self) -> None:
        super().__init__(allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty name."""
        if value == "":
            self.fail("the name of the file is empty.", param, ctx)
        return super().convert(value, param, ctx)


#: Only one file can be read from stdin.
INPUT, OUTPUT = _File(), _File()


def needed_file(help: str) -> Callable[..., Any]:
    """Return the option -o of a command that needs it."""
    return option("-o --output FILE", help, type=OUTPUT, required=True)


#: Options that take the name of a file to read or to write, or "-".
read, write = partial(option, type=INPUT), partial(option, type=OUTPUT)


def all_of(*options: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorator that adds several options in this order."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


rows_from = choice(
    "--rows-from",
    ["0", "1"],
    "Number of the first row, in input and output.",
    default="0",
    callback=lambda _context, _parameter, value: int(value),
)

origin = choice("--origin", ["upper", "lower"], "Draw the first row at the top or at the bottom.", default="upper")

theme = choice(
    "--theme", THEMES, "Colours of the picture, for a light or a dark page, or without a ground.", default="light"
)

scale = choice(
    "--scale",
    SCALES,
    "Linear or logarithmic axes. Default: logarithmic for an axis with a wide range, otherwise linear.",
)

threads = number("--threads COUNT", "Number of threads. Default: all cores. The results do not depend on it.")

threads_of_solving = number(
    "--threads COUNT",
    "Number of threads. Default: all cores. The results do not depend on it. Boards of fewer than about 4 million "
    "queens are placed on one thread.",
)

time_limit = partial(option, "--time-limit SECONDS", type=seconds)

time_limit_of_command = time_limit("End after this time, besides that of compiling, with what was found so far.")

mix = number(
    "--mix [SWEEPS]",
    "Mix the solution until it is nearly uniformly random among all solutions: make this many sweeps, of N random "
    f"moves each. Without a number: {SWEEPS} sweeps, about 0.4 s for a million queens. `--mix 8` means 8 sweeps.",
    is_flag=False,
    flag_value=str(SWEEPS),
)


as_json = option("--json", "Print the results as JSON on stdout.", name="as_json")

quiet = option("-q --quiet", "Print only errors and requested data.")

scheduler = option("--scheduler ADDRESS", "Use the workers of a running Dask scheduler, for example HOST:8786.")

seeds = partial(option, "--seeds LIST", type=seeds_of)

max_steps = number("--max-steps --maxsteps -maxsteps STEPS", "Stop after this many steps in total. Default: no limit.")

seed = number("--seed SEED", "Seed; the same seed repeats the run. Default: a random seed.")

seed_of_solving = number("--seed SEED", "Seed, if a board of N queens is solved. Default: a random seed.")

seed_of_runs = number(
    "--seed SEED", "Seed of the first run; the next runs have SEED + 1, SEED + 2, .... Default: a random seed."
)


def _also_as_option(
    argument: str, name: str, type: Any, value: str = "N", type_of_option: Any = None
) -> Callable[..., Any]:
    """Return an optional argument that says n, and the option -n of the same meaning."""
    return all_of(
        click.argument(argument, metavar=f"[{name}]", required=False, type=type),
        option(f"-n --n {value}", f"Same as the argument {name}.", name="n_option", type=type_of_option or type),
    )


n = _also_as_option("n", "N", _NumberOfQueens())

several_n = _also_as_option("n", "N", sizes, "LIST")

board_or_n = _also_as_option("board", "BOARD_OR_N", INPUT, type_of_option=whole_number)

file = read("--file -file BOARD", "Start from the board in this file; - for stdin.")

board = option("--board ROWS", 'Start from this board: --board "1 3 0 2".')

board_itself = option("--board ROWS", 'The board itself, instead of FILE: --board "1 3 0 2".')

stated = all_of(
    read(
        "--instance FILE",
        "Read n, fixed queens, blocked squares and excluded diagonals from this file of JSON; - for stdin. The options "
        "below add to it.",
    ),
    option("--queen COLUMN,ROW", "Square of a fixed queen. May be repeated.", multiple=True),
    read("--queens-file FILE", "Read fixed queens from this file, lines below the header column,row; - for stdin."),
    option("--block COLUMN,ROW", "Square on which no queen may stand. May be repeated.", multiple=True),
    number(
        "--exclude-sum D",
        "Diagonal on which no queen may stand: column + row, both from 0 for any --rows-from. May be repeated.",
        multiple=True,
    ),
    number(
        "--exclude-difference D",
        "Diagonal on which no queen may stand: row - column, both from 0 for any --rows-from. May be repeated.",
        multiple=True,
    ),
)

#: The options of which each states a part of an instance.
PARTS = ("--instance", "--queen", "--queens-file", "--block", "--exclude-sum", "--exclude-difference")
