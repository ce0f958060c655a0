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
