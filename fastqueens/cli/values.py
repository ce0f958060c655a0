"""How people type numbers, lists, squares and sizes. The functions are the types of arguments and options."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

import click

from fastqueens._run.arguments import ALL_RULES, LARGEST_POSITIVE, LARGEST_SEED

_MOST_SEEDS = 1_000_000
_MOST_SIZES = 1000

#: Numbers with more digits are refused unread: no argument needs them, and 1e9999 would fill the screen.
_MOST_DIGITS = 20

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
        digits, exponent = f"{number.normalize():e}".split("e+")
        raise click.BadParameter(f"{text!r} is ambiguous; write {number}, {number:,} or {digits}e{exponent}.")
    number = Decimal(text.strip().replace(",", "")) if is_number(text.strip()) else Decimal("NaN")
    if number.adjusted() > _MOST_DIGITS:
        raise click.BadParameter(f"{text!r} is too large.")
    if number.is_nan() or number != int(number):
        raise click.BadParameter(f"{text!r} is not a whole number; write, for example, 1000000, 1,000,000 or 1e6.")
    if "." in text and "e" not in text.lower():
        raise click.BadParameter(f"{text!r} is a whole number with a decimal point; write {number:.0f}.")
    return int(number)


def decimal_number(text: str) -> float:
    """Parse 0.5, 1,000 or 1e3; the library checks the range."""
    try:
        return float(text.replace(",", "") if is_number(text.strip()) else text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number; write, for example, 0.5, 1,000 or 1e3.") from None


def seconds(text: str) -> float:
    """Parse a time as :func:`decimal_number` does, and refuse all but numbers above 0, up to 10^9."""
    number = decimal_number(text)
    if not 0 < number <= LARGEST_POSITIVE:
        raise click.BadParameter(f"{text!r} is not a number of seconds above 0, up to {LARGEST_POSITIVE:,.0f}.")
    return number


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
        raise click.BadParameter(f"{text!r} is a list, and {odd} is not a number; write 1000 or 1e3 for a thousand.")
    return found


def rules(text: str) -> list[str]:
    """Parse rules separated by commas, or the word for all of them; the library checks them."""
    from fastqueens.classroom.rules import RULES  # here, since most commands have none

    return list(RULES) if text.strip() == ALL_RULES else [name.strip() for name in text.split(",")]


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
    return _spans(text, _MOST_SIZES, "sizes; a list")


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
