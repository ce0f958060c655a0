"""Numbers, times and lists as words for messages."""

import itertools

_UNITS_OF_TIME = ((31_557_600, "y"), (86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 queen" or "1,000 queens".

    >>> counted(1000, "queen"), counted(1, "step")
    ('1,000 queens', '1 step')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(words: list[str]) -> str:
    """Return words joined as in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def duration(seconds: float) -> str:
    """Return a time with three significant digits, or in two units from a minute on.

    >>> duration(0.000345), duration(0.0144), duration(2.5), duration(75), duration(28_443)
    ('0.345 ms', '14.4 ms', '2.50 s', '1 min 15 s', '7 h 54 min')
    """
    if seconds < 1:
        return f"{_three_digits(seconds * 1000)} ms"
    if seconds < 60:
        return f"{_three_digits(seconds)} s"
    return in_two_units(round(seconds))


def in_two_units(seconds: float) -> str:
    """Return a time, rounded down, in its largest unit and the next smaller one.

    >>> in_two_units(9.7), in_two_units(75), in_two_units(3 * 3600 + 59), in_two_units(1e6), in_two_units(1e11)
    ('9 s', '1 min 15 s', '3 h 0 min', '11 d 13 h', '3,168 y 295 d')
    """
    for (size, unit), (smaller_size, smaller_unit) in itertools.pairwise(_UNITS_OF_TIME):
        if seconds >= size:
            return f"{int(seconds // size):,} {unit} {int(seconds % size // smaller_size)} {smaller_unit}"
    return f"{int(seconds)} s"


def percent(part: int, whole: int) -> str:
    """Return a share with two significant digits; only the whole is 100 %.

    >>> percent(37, 1000), percent(9999, 10_000), percent(5, 5), percent(0, 5), percent(1, 10**8)
    ('3.7 %', '99 %', '100 %', '0 %', 'less than 0.01 %')
    """
    if part >= whole:
        return "100 %"
    share = 100 * part / whole
    return "less than 0.01 %" if 0 < share < 0.01 else f"{min(share, 99):.2g} %"


def _three_digits(value: float) -> str:
    return f"{value:.{max(0, min(3, 3 - len(str(int(value)))))}f}" if value >= 1 else f"{value:.3f}"
