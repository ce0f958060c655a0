"""The words of posters: the statement, and the facts of the colophon."""

from __future__ import annotations

import math
from unicodedata import normalize

from fastqueens.board import Queens
from fastqueens.checking import violations
from fastqueens.instance import Instance
from fastqueens.pictures.boards import constraint_words
from fastqueens.pictures.figure import check_title

#: The number of solutions is about C sqrt(n) (n / e^gamma)^n: gamma is Simkin's constant, and C was fitted to estimates
#: from n = 30 on.
_C, _GAMMA, _FORMULA_FROM = 6.424, 1.944001022600, 30

#: With spaces at which no line breaks.
_PEACE = "No two share a\u00a0row, a\u00a0column or a\u00a0diagonal."


def checked_title(title: str | None) -> str | None:
    """Return a title without empty lines, its letters with their accents; check that a font has all of them."""
    check_title(title)
    if title is None:
        return None
    return "\n".join(" ".join(line.split()) for line in normalize("NFC", title).splitlines() if line.strip())


def statement_of(mark: str, pairs: int | None) -> tuple[str, str]:
    r"""Return the emphasised sentence and the others.

    ``mark`` is the mark of queens, for example the dot of a weave, and ``pairs`` are the attacking pairs, if they were
    counted.

    >>> statement_of("queen", 0)
    ('Every crown is a queen.', 'No two share a\xa0row, a\xa0column or a\xa0diagonal.')
    """
    first, rest = {
        "dot": ("Every thread is one queen\u2019s\u00a0diagonal,", f"every dot a queen. {_PEACE}"),
        "lens": (
            "Every queen owns two threads,",
            f"finer than this print can show, so look through the\u00a0lenses. {_PEACE}",
        ),
        "silk": ("Every queen owns two threads,", f"finer than this print can show. {_PEACE}"),
        "queen": ("Every crown is a queen.", _PEACE),
    }[mark]
    if pairs == 0:
        return first, rest
    if pairs is None:
        words = "Some queens attack each other."
    else:
        words = "Two queens attack each other." if pairs == 1 else f"{pairs:,} pairs of queens attack each other."
    return words, "Red lines are shared by several\u00a0queens."


def number_of_solutions(n: int) -> str:
    r"""Return a sentence with the approximate number of solutions, or "" if n is too small for the formula.

    Digits between carets are raised.

    >>> number_of_solutions(1000).replace("\xa0", " "), number_of_solutions(8)
    ('One of about 10^2,158^ solutions.', '')
    """
    if n < _FORMULA_FROM:
        return ""
    power = math.log10(_C) + math.log10(n) / 2 + n * (math.log10(n) - _GAMMA / math.log(10))
    exponent, digit = math.floor(power), round(10 ** (power % 1))
    if digit == 10:
        exponent, digit = exponent + 1, 1
    factor = "" if digit == 1 else f"{digit}\u00a0\u00d7\u00a0"
    return f"One of about {factor}10^{exponent:,}^\u00a0solutions."


def instance_words(queens: Queens, instance: Instance | None, *, is_drawn: bool) -> str:
    """Return the constraints of an instance, how they are drawn, and their violations."""
    if instance is None or instance.is_free:
        return ""
    violated = violations(queens, instance).words
    if is_drawn:
        return f"With {constraint_words(instance, violated)}."
    return f"With {instance.constraints}{f'; {violated}' if violated else ''}; they are too small to be drawn."
