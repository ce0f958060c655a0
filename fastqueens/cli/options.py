"""How commands are declared: types of values, options that several commands share, and options that clash.

A declared command has no body. Its work is done by a function of its name in another file, which is imported only when
the command runs: --help must not load NumPy.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fastqueens.cli.output import Output, progress_and_notes
from fastqueens.cli.process import Session
from fastqueens.core.arguments import ALL_RULES, LARGEST_SEED, MOST_SWEEPS, STUDY_RULES, SWEEPS

if TYPE_CHECKING:
    from decimal import Decimal

_TYPED = click.core.ParameterSource.COMMANDLINE

_MOST_SEEDS = 1_000_000
_MOST_SIZES = 1000

#: Numbers with more digits are refused unread: no argument needs them, and 1e9999 would fill the screen.
_MOST_DIGITS = 20

#: Patterns are compiled on first use: most commands need none of them.

#: Digits, with _ anywhere between them or with a comma before every three.
_NUMBER = r"(?ai)[+-]?(\d{1,3}(,\d{3})+|\d+(_\d+)*)(\.\d+)?(e[+-]?\d{1,4})?"

#: Ten thousand in much of Europe, and ten elsewhere.
_POINT_IN_THOUSANDS = r"(?a)[1-9]\d{0,2}(\.\d{3}){1,4}"

_SQUARE = r"(?a)\s*(\d{1,10})\s*,\s*(\d{1,10})\s*"

_SIZE = r"(?ai)(\d{1,6}(?:\.\d{1,4})?)\s*x\s*(\d{1,6}(?:\.\d{1,4})?)"


def whole_number(text: str) -> int:
    """Parse 1000000, 1,000,000, 1_000_000, 1e6 or 1.5e3, but not 1.000; the library checks the range."""
    if text.isdecimal() and len(text) <= _MOST_DIGITS:
        return int(text)
    from decimal import Decimal

    if re.fullmatch(_POINT_IN_THOUSANDS, text.strip()):
        number = Decimal(text.strip().replace(".", ""))
        raise click.BadParameter(f"{text!r} is ambiguous; write {number}, {number:,} or {_with_exponent(number)}.")
    number = Decimal(text.strip().replace(",", "")) if is_number(text.strip()) else Decimal("NaN")
    if number.adjusted() > _MOST_DIGITS:
        raise click.BadParameter(f"{text!r} is too large.")
    if number.is_nan() or number != int(number):
        raise click.BadParameter(f"{text!r} is not a whole number; write, for example, 1000000, 1,000,000 or 1e6.")
    if "." in text and "e" not in text.lower():
        raise click.BadParameter(f"{text!r} is a whole number with a decimal point; write {number:.0f}.")
    return int(number)


def _with_exponent(number: Decimal) -> str:
    """Write 10000 as 1e4."""
    digits, exponent = f"{number.normalize():e}".split("e+")
    return f"{digits}e{exponent}"


def decimal_number(text: str) -> float:
    """Parse 0.5, 1,000 or 1e3; the library checks the range."""
    try:
        return float(text.replace(",", "") if is_number(text.strip()) else text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number; write, for example, 0.5, 1,000 or 1e3.") from None


def is_number(text: str) -> bool:
    """Return whether a text is a number, and not the name of a file."""
    is_plain = text.isascii() and text.isdecimal()
    return is_plain or any(re.fullmatch(pattern, text) for pattern in (_NUMBER, _POINT_IN_THOUSANDS))


def utf8_text(text: str) -> str:
    """Decode text as UTF-8 in any locale; invalid bytes become a replacement character."""
    return os.fsencode(text).decode("utf-8", "replace")


def pieces(text: str) -> list[str]:
    """Split a list of numbers at its commas; refuse 1,000, which would be 1 and 0."""
    found = [piece.strip() for piece in text.split(",")]
    odd = next((piece for piece in found if re.match("0[0-9]", piece)), None)
    if odd is not None:
        raise click.BadParameter(f"{text!r} is a list, and {odd} in it is no number; write 1000 or 1e3 for a thousand.")
    return found


def rules(text: str) -> list[str]:
    """Parse rules separated by commas, or the word for all of them; the library checks them."""
    return list(STUDY_RULES) if text.strip() == ALL_RULES else [name.strip() for name in text.split(",")]


def seeds(text: str) -> list[int]:
    """Parse seeds written as 1..100, as 1,5,9, or mixed."""
    for piece in pieces(text):
        ends = piece.split("..", 1)
        if not all(map(is_number, ends)):
            raise click.BadParameter(f"{piece!r} is neither a seed nor a range of seeds; write 1..100 or 1,5,9.")
        if not all(0 <= whole_number(end) <= LARGEST_SEED for end in ends):
            raise click.BadParameter(f"{piece!r}: seeds go from 0 to {LARGEST_SEED}.")
    return _spans(text, _MOST_SEEDS, "seeds; a table")


def sizes(text: str) -> list[int]:
    """Parse board sizes written as 4..20, as 8,16,32, or mixed."""
    return _spans(text, _MOST_SIZES, "sizes; a study")


def square(text: str) -> tuple[int, int]:
    """Parse a square written as COL,ROW, both from 0; the library checks the range."""
    found = re.fullmatch(_SQUARE, text)
    if not found:
        raise click.BadParameter(f"{text!r} is not a square; write a column and a row, both from 0, like 3,0.")
    return int(found[1]), int(found[2])


def size(kind: type[int] | type[float], unit: str, example: str) -> Callable[[str], tuple[float, float]]:
    """Return a function that parses a width and a height such as 8x4.5; the library checks the range."""

    def parse(text: str) -> tuple[float, float]:
        found = re.fullmatch(_SIZE, text.strip())
        if not found or (kind is int and "." in text):
            raise click.BadParameter(f"{text!r} is not a size; write width and height in {unit}, as in {example}.")
        return kind(found[1]), kind(found[2])

    return parse


def _spans(text: str, most: int, what: str) -> list[int]:
    spans = []
    for piece in pieces(text):
        ends = [whole_number(end) for end in piece.split("..", 1)]
        if ends[-1] < ends[0]:
            raise click.BadParameter(f"{piece!r} goes down; write {ends[-1]}..{ends[0]}.")
        spans.append((ends[0], ends[-1]))
    count = sum(last - first + 1 for first, last in spans)
    if count > most:
        raise click.BadParameter(f"{text!r} has {count:,} {what} has at most {most:,}.")
    return [number for first, last in spans for number in range(first, last + 1)]


def option(names: str, help: str, *, name: str | None = None, **settings: Any) -> Callable[..., Any]:
    """Return an option; ``names`` are those of the option, and of its value unless it is a flag: "-o --output FILE"."""
    settings = {"show_default": True, "help": help, **settings}
    words = names.split()
    if words[-1].startswith("-"):
        settings["is_flag"] = True
    else:
        settings["metavar"] = words.pop()
    return click.option(*words, *([] if name is None else [name]), **settings)


def number(names: str, help: str, **settings: Any) -> Callable[..., Any]:
    """Return an option that takes a whole number."""
    return option(names, help, type=whole_number, **settings)


def decimal(names: str, help: str, **settings: Any) -> Callable[..., Any]:
    """Return an option that takes a number with decimals."""
    return option(names, help, type=decimal_number, **settings)


def choice(name: str, choices: Sequence[str], help: str, **settings: Any) -> Callable[..., Any]:
    """Return an option that takes one of some words."""
    return click.option(name, type=click.Choice(choices), help=help, show_default=True, **settings)


class Stated(NamedTuple):
    """The values of the options that state an instance."""

    instance: str | None = None
    first: int | None = None
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
    clash(
        "--first",
        without=["--instance"],
        message="--first says how many diagonals of a file to exclude: add --instance FILE.",
    ),
    clash("-o -", "--json", message="-o - and --json both write to stdout: give one of them."),
)

A_BOARD_OR_AN_INSTANCE = clash(
    without=["board", "--instance"], message="Missing argument 'BOARD_OR_N'; without it, an --instance FILE is needed."
)


class Command(click.Command):
    """A command whose work is done by the function of its name in the file ``home``.

    The function gets an :class:`Output` and the values of all other options by name, those of an instance as one
    :class:`Stated`. It returns the exit code, or None for 0.
    """

    def __init__(self, *, home: str, clashes: Sequence[Clash], **settings: Any) -> None:
        super().__init__(**settings)
        self.home = home
        self.clashes = clashes

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, but report a negative N, or a negative number after --mix, not as an unknown option."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if not error.option_name[1:2].isdigit() or not {"n", "board"} & {param.name for param in self.params}:
                raise
            at = next(at for at, word in enumerate(words) if word.removeprefix("--mix=").startswith(error.option_name))
            number = words[at].removeprefix("--mix=")
            if number != words[at] or words[at - 1 : at] == ["--mix"]:
                raise click.ClickException(f"mix is {number}: it goes from 1 to {MOST_SWEEPS}") from None
            raise click.ClickException(f"n is {number}: a board has at least 1 queen") from None

    def invoke(self, ctx: click.Context) -> Any:
        """Check the options against each other, and do the work."""
        given = frozenset(name for name in ctx.params if ctx.get_parameter_source(name) is _TYPED)
        self.check(ctx, given)
        values = dict(ctx.params)
        session: Session = ctx.obj
        if values.get("as_json") and sys.stdout is None:
            raise click.UsageError("--json: stdout is closed.")
        out = Output(session, quiet=values.pop("quiet", False), as_json=values.pop("as_json", False), given=given)
        if "queens_file" in values:
            values["stated"] = Stated(**{name: values.pop(name) for name in Stated._fields})
        with progress_and_notes(session.display, quiet=out.quiet):
            return getattr(import_module(f"fastqueens.cli.{self.home}"), self.name or "")(out, **values)

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
        from_stdin = [param for param in self.params if param.type is INPUT and ctx.params[param.name or ""] == "-"]
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


#: Names of files, or "-"; the library checks whether they can be read or written. Only one can be read from stdin.
INPUT = click.Path(allow_dash=True)
OUTPUT = click.Path(allow_dash=True)


class _NeededFile(click.Path):
    """The name of a file that a command writes; if it is missing, the message shows one."""

    def __init__(self, example: str) -> None:
        super().__init__(allow_dash=True)
        self._example = example

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Return what click adds to its message."""
        return f"For example: {param.opts[0]} {self._example}"


def needed_file(example: str, help: str) -> Callable[..., Any]:
    """Return the option -o of a command that needs it."""
    return option("-o --output FILE", help, type=_NeededFile(example), required=True)


def read(names: str, help: str, **settings: Any) -> Callable[..., Any]:
    """Return an option that takes the name of a file to read, or "-"."""
    return option(names, help, type=INPUT, **settings)


def write(names: str, help: str, **settings: Any) -> Callable[..., Any]:
    """Return an option that takes the name of a file to write, or "-"."""
    return option(names, help, type=OUTPUT, **settings)


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

threads = number("--threads COUNT", "Number of threads. Default: all cores. The results do not depend on it.")

threads_of_solving = number(
    "--threads COUNT",
    "Number of threads. Default: all cores. The results do not depend on it. Boards of fewer than about 4 million "
    "queens are placed on one thread.",
)

mix = number(
    "--mix [SWEEPS]",
    "Mix the solution until it is nearly uniformly random among all solutions: swap rows at random for this many "
    f"sweeps over the board. Without a number: {SWEEPS} sweeps, about 3 s for a million queens. `--mix 8` means 8 "
    "sweeps.",
    is_flag=False,
    flag_value=str(SWEEPS),
)


as_json = option("--json", "Print the results as JSON on stdout.", name="as_json")

quiet = option("-q --quiet", "Print only errors and requested data.")

scheduler = option("--scheduler ADDRESS", "Use the workers of a running Dask scheduler, for example HOST:8786.")

seed = number("--seed SEED", "Seed; the same seed repeats the run. Default: a random seed.")

seed_of_solving = number("--seed SEED", "Seed, if a board of N queens is solved. Default: a random seed.")

seed_of_runs = number(
    "--seed SEED", "Seed of the first run; the next runs have SEED + 1, SEED + 2, .... Default: a random seed."
)

n_argument = click.argument("n", required=False, type=_NumberOfQueens())

board_or_n = click.argument("board", metavar="[BOARD_OR_N]", required=False, type=INPUT)

file = read("--file BOARD", "Start from the board in this file; - for stdin.")

board = option("--board ROWS", 'Start from this board: --board "1 3 0 2".')

stated = all_of(
    read(
        "--instance FILE",
        "Read fixed queens, blocked squares and excluded diagonals from this file: JSON, ASP facts or CSPLib's "
        "formats; - for stdin. The options below add to it.",
    ),
    number("--first M", "Exclude only the first M diagonals of --instance, in the order of a CSPLib file."),
    option("--queen COLUMN,ROW", "Square of a fixed queen. May be repeated.", multiple=True),
    read("--queens-file FILE", "Read fixed queens from this file, one COLUMN,ROW per line; - for stdin."),
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
