"""Numbers and names in sentences, for the command line and for pictures. Imports nothing: ``--help`` stays quick."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 queen", "1,000 queens".

    >>> counted(1000, "queen"), counted(1, "step")
    ('1,000 queens', '1 step')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(words: list[str]) -> str:
    """Return words as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def printable(text: str) -> str:
    r"""Escape control characters, which file names may hold and which would affect the terminal.

    >>> print(printable("\x1b[2J.txt: no such file\nHint"))
    \x1b[2J.txt: no such file
    Hint
    """
    return "".join(letter if letter.isprintable() or letter in "\n\t" else ascii(letter)[1:-1] for letter in text)


def duration(seconds: float) -> str:
    """Return a time in a readable unit, with three digits.

    >>> duration(0.000345), duration(0.0144), duration(2.5), duration(75)
    ('0.345 ms', '14.4 ms', '2.50 s', '1 min 15 s')
    """
    if seconds < 1:
        return f"{_three_digits(seconds * 1000)} ms"
    if seconds < 60:
        return f"{_three_digits(seconds)} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def _three_digits(value: float) -> str:
    return f"{value:.{max(0, min(3, 3 - len(str(int(value)))))}f}" if value >= 1 else f"{value:.3f}"
