"""Numbers as people type them: 1,000,000 or 1e6, 0.5, and lists such as 4..20."""

import re

from fastqueens.errors import InputError

#: A whole number: its digits, which can have an underscore anywhere between them or a comma before every three, the
#: digits after a point, and an exponent, which is necessary after a point.
_WHOLE_NUMBER = r"(?ai)([+-]?(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?=$|\.\d+e|e))(?:\.(\d+))?(?:e\+?(\d{1,2}))?"


def number(text: str) -> int:
    """Return the whole number that is written as 1000000, 1,000,000, 1_000_000, 1e6 or 1.5e3, but not as 1.000.

    The library checks the range.
    """
    found = re.fullmatch(_WHOLE_NUMBER, text.strip())
    if found is None:
        raise InputError(f"{text!r} is not a whole number; write, for example, 1000000, 1,000,000 or 1e6")
    digits, fraction, exponent = found[1].replace(",", ""), (found[2] or "").rstrip("0"), int(found[3] or 0)
    if exponent < len(fraction):
        raise InputError(f"{text!r} is not a whole number")
    return int(f"{digits}{fraction}{'0' * (exponent - len(fraction))}")


def decimal(text: str) -> float:
    """Return the number that is written as 0.5, 1,000 or 1e3. The library checks the range."""
    try:
        return float(re.sub(r",(?=\d{3}(\D|$))", "", text))
    except ValueError:
        raise InputError(f"{text!r} is not a number; write, for example, 0.5, 1,000 or 1e3") from None


def is_number(text: str) -> bool:
    """Return whether a text is a number rather than the name of a file."""
    return re.fullmatch(r"(?ai)[+-]?\d[\d.,_]*(e[+-]?\d+)?", text) is not None


def spans(text: str, most: int, what: str) -> list[int]:
    """Return the numbers in a list such as 4..20 or 8,16,32 or 4..8,16. The library checks their range."""
    spans = []
    for piece in map(str.strip, text.split(",")):
        if re.match("0[0-9]", piece):  # otherwise 1,000 would mean 1 and 0
            raise InputError(f"{piece} in the list {text!r} is not a number; write 1000 or 1e3 for a thousand")
        ends = [number(end) for end in piece.split("..", 1)]
        if ends[-1] < ends[0]:
            raise InputError(f"{piece!r} runs backwards; write {ends[-1]}..{ends[0]}")
        spans.append((ends[0], ends[-1]))
    count = sum(last - first + 1 for first, last in spans)
    if count > most:
        raise InputError(f"{text!r} has {count:,} {what} can have at most {most:,}")
    return [number for first, last in spans for number in range(first, last + 1)]
