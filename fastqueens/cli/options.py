"""Options and types of arguments that several commands share."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from fastqueens.core.arguments import ALL_RULES, LARGEST_SEED, STUDY_RULES, SWEEPS

if TYPE_CHECKING:
    from decimal import Decimal

_MOST_SEEDS = 1_000_000

#: Numbers with more digits are refused unread: no argument needs them, and 1e9999 would fill the screen.
_MOST_DIGITS = 20

#: Digits, with _ anywhere between them or with a comma before every three.
_NUMBER = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+(_\d+)*)(\.\d+)?(e[+-]?\d{1,4})?", re.ASCII | re.IGNORECASE)

#: Ten thousand in much of Europe, and ten elsewhere.
_POINT_IN_THOUSANDS = re.compile(r"[1-9]\d{0,2}(\.\d{3}){1,4}", re.ASCII)

_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,4})?)\s*x\s*(\d{1,6}(?:\.\d{1,4})?)", re.ASCII | re.IGNORECASE)


def whole_number(text: str) -> int:
    """Parse 1000000, 1,000,000, 1_000_000, 1e6 or 1.5e3, but not 1.000; the library checks the range."""
    if text.isdecimal() and len(text) <= _MOST_DIGITS:
        return int(text)
    from decimal import Decimal

    if _POINT_IN_THOUSANDS.fullmatch(text.strip()):
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
    return any(pattern.fullmatch(text) for pattern in (_NUMBER, _POINT_IN_THOUSANDS))


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


def names(text: str) -> list[str]:
    """Parse names separated by commas; the library checks them."""
    return [name.strip() for name in text.split(",")]


def rules(text: str) -> list[str]:
    """Parse rules separated by commas, or the word for all of them; the library checks them."""
    return list(STUDY_RULES) if text.strip() == ALL_RULES else names(text)


def seeds(text: str) -> list[int]:
    """Parse seeds written as 1..100, as 1,5,9, or mixed."""
    spans = [_span(piece) for piece in pieces(text)]
    count = sum(last - first + 1 for first, last in spans)
    if count > _MOST_SEEDS:
        raise click.BadParameter(f"{text!r} has {count:,} seeds; a table has at most {_MOST_SEEDS:,}.")
    return [seed for first, last in spans for seed in range(first, last + 1)]


def size(kind: type[int] | type[float], unit: str, example: str) -> Callable[[str], tuple[float, float]]:
    """Return a function that parses a width and a height such as 8x4.5; the library checks the range."""

    def parse(text: str) -> tuple[float, float]:
        found = _SIZE.fullmatch(text.strip())
        if not found or (kind is int and "." in text):
            raise click.BadParameter(f"{text!r} is not a size; write width and height in {unit}, as in {example}.")
        return kind(found[1]), kind(found[2])

    return parse


def _span(text: str) -> tuple[int, int]:
    ends = text.split("..", 1)
    if not all(map(is_number, ends)):
        raise click.BadParameter(f"{text!r} is neither a seed nor a range of seeds; write 1..100 or 1,5,9.")
    first, last = whole_number(ends[0]), whole_number(ends[-1])
    if last < first:
        raise click.BadParameter(f"{text!r} goes down; write {last}..{first}.")
    if first < 0 or last > LARGEST_SEED:
        raise click.BadParameter(f"{text!r}: seeds go from 0 to {LARGEST_SEED}.")
    return first, last


def number(*declarations: str, **settings: Any) -> Callable[..., Any]:
    """Return an option that takes a whole number."""
    return click.option(*declarations, type=whole_number, **settings)


def decimal(*declarations: str, **settings: Any) -> Callable[..., Any]:
    """Return an option that takes a number with decimals."""
    return click.option(*declarations, type=decimal_number, **settings)


def check_output(path: str, suffixes: Sequence[str]) -> None:
    """Raise an error if a file has another suffix or cannot be written."""
    from fastqueens.files.atomic import check_target
    from fastqueens.files.text import checked_suffix

    checked_suffix(path, suffixes)
    check_target(path)


#: A file name, or "-"; the library checks whether it can be read or written.
FILE = click.Path(allow_dash=True)


class NeededFile(click.Path):
    """The name of a file that a command writes; if it is missing, the message shows one."""

    def __init__(self, example: str) -> None:
        super().__init__(allow_dash=True)
        self._example = example

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Return what click adds to its message."""
        return f"For example: {param.opts[0]} {self._example}"


def file(*declarations: str, metavar: str = "FILE", **settings: Any) -> Callable[..., Any]:
    """Return an option that takes a file name, or "-"."""
    return click.option(*declarations, type=FILE, metavar=metavar, **settings)


rows_from = click.option(
    "--rows-from",
    type=click.Choice(["0", "1"]),
    default="0",
    show_default=True,
    callback=lambda _context, _parameter, value: int(value),
    help="Number of the first row, in input and output.",
)

origin = click.option(
    "--origin",
    type=click.Choice(["upper", "lower"]),
    default="upper",
    show_default=True,
    help="Draw the first row at the top or at the bottom.",
)

threads = number(
    "--threads", metavar="COUNT", help="Number of threads. Default: all cores. The results do not depend on it."
)

threads_of_solving = number(
    "--threads",
    metavar="COUNT",
    help="Number of threads. Default: all cores. The results do not depend on it. Boards of fewer than about 4 million "
    "queens are placed on one thread.",
)

mix = number(
    "--mix",
    metavar="[SWEEPS]",
    is_flag=False,
    flag_value=str(SWEEPS),
    help="Mix the solution until it is nearly uniformly random among all solutions: swap rows at random for this many "
    f"sweeps over the board. Without a number: {SWEEPS} sweeps, about 3 s for a million queens. `--mix 8` means 8 "
    "sweeps.",
)


def _with_stdout(_context: click.Context, _parameter: click.Parameter, is_set: bool) -> bool:
    if is_set and sys.stdout is None:
        raise click.UsageError("--json: stdout is closed.")
    return is_set


as_json = click.option(
    "--json", "as_json", is_flag=True, callback=_with_stdout, help="Print the results as JSON on stdout."
)

quiet = click.option("-q", "--quiet", is_flag=True, help="Print only errors and requested data.")
