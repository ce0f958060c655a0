r"""Boards drawn as text, by fastqueens or by other programs: a line for each row, a mark for each square.

Blanks, tabs, commas, semicolons or ``|`` may separate the squares, lines such as ``+---+`` the rows. Numbers at the
edge tell where the first row is; without them it is at the top. Queens are ``Q``, or the one mark that stands once in
each column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

import numpy as np

from fastqueens.core.errors import InputError, counted, listed
from fastqueens.files.board_tables import Rows, of_matrix

#: Marks that are always queens: Q, also of a fixed queen or one where none may stand, as fastqueens draws them.
_QUEENS = set("QqF♛♕👑")

_EMPTY = set("._-0 ·□")

#: Words may look like a smaller board, such as a line with nothing but F.
_LEAST_IN_WORDS = 4

#: Marks that also numbers have.
_IN_NUMBERS = set("01-+.")

_MARKS = _QUEENS | _EMPTY | set("fXxOoWwD1*@#%+~:/\\■▢▣●○⬛⬜☐☒")

#: Lines between rows, and other spellings of | and of queens.
_BETWEEN = re.compile(r"[-+=|_ \t\u2500-\u257f]*")
_LETTER = re.compile(r"[^\W\d_]")
_SPELLINGS = str.maketrans({"[": "|", "]": "|", "│": "|", "║": "|", "┃": "|", "\ufe0e": None, "\ufe0f": None})


def of_drawing(lines: Sequence[str], name: str) -> Rows | None:
    """Return the board, or boards, that lines of text draw; None if they draw none.

    Lines that name the columns are ignored, and words around a drawing whose queens are always queens.
    """
    spelled = "\n".join(lines).replace("][", "|").translate(_SPELLINGS).split("\n")
    rest = [line for line in spelled if not _BETWEEN.fullmatch(line)]
    for some in [rest] if len(rest) == len(spelled) else [rest, spelled]:
        rows, others = _rows_and_others(some)
        n = len(rows[0][1]) if rows else 0
        marks: set[str] = set().union(*(squares for _, squares in rows))
        has_words = n >= _LEAST_IN_WORDS and marks & _QUEENS and all(map(_LETTER.search, others))
        is_number = n == 1 and (len(rows) > 1 or not marks <= _QUEENS)
        if n and marks - _EMPTY and len(rows) % n == 0 and not is_number and (has_words or not others):
            return _boards([label for label, _ in rows], [squares for _, squares in rows], name)
    return _with_blanks([line.rstrip() for line in lines if line.strip()], name)


def _with_blanks(lines: list[str], name: str) -> Rows | None:
    """Return the board that is drawn by queens and blanks alone; say what is wrong with any other drawing of queens."""
    n, marks = len(lines), set().union(*lines)
    if n < 2 or not marks & _QUEENS:
        return None
    if marks <= _QUEENS | {" "} and max(map(len, lines)) <= n:
        return _boards([""] * n, [list(line.ljust(n)) for line in lines], name)
    rows = list(takewhile(bool, (_row(line.translate(_SPELLINGS)) for line in lines)))
    widths = [len(row[1]) for row in rows if row]
    if len(rows) == n and any(row and _QUEENS.intersection(row[1]) for row in rows):
        at = next((at for at, width in enumerate(widths) if width != widths[0]), 0)
        other = f"line {at + 1} has {counted(widths[at], 'square')}" if at else f"there are {counted(n, 'line')}"
        raise InputError(f"{name}: it is a drawing whose line 1 has {counted(widths[0], 'square')}, and {other}")
    return None


def _rows_and_others(lines: Sequence[str]) -> tuple[list[tuple[str, list[str]]], set[str]]:
    """Return the rows of a drawing, and words around them; no rows as soon as a line shows that it is no drawing."""
    rows: list[tuple[str, list[str]]] = []
    others: dict[str, int] = {}
    for line in filter(str.strip, lines):
        row = _row(line)
        if row is None:
            if line not in others:
                others[line] = _columns_named(line)
            if not others[line] and not _LETTER.search(line):
                return [], set()
        elif rows and len(row[1]) != len(rows[0][1]):
            return [], set()
        else:
            rows.append(row)
    return rows, {line for line, columns in others.items() if not rows or columns != len(rows[0][1])}


def _columns_named(line: str) -> int:
    """Return how many columns, at least 2, a line numbers, or names by letters; 0 for any other line."""
    words = line.replace("|", " ").lower().split()
    n = len(words)
    if n < 2 or words[0] not in ("a", "0", "1"):
        return 0
    names = "abcdefghijklmnopqrstuvwxyz"[:n] if words[0] == "a" else map(str, range(int(words[0]), n + int(words[0])))
    return n if words == list(names) else 0


@lru_cache(maxsize=1024)  # boards repeat their rows
def _row(line: str) -> tuple[str, list[str]] | None:
    """Return the label of a row and its squares, or None for a line that is no row."""
    label, mark = "", next((mark for mark in "|\t;," if mark in line), None)
    has_bars = mark == "|"
    words = line.split() if mark is None else [part.strip(' "') for part in line.strip(" \r").split(mark)]
    are_numbers = list(map(str.isdecimal, words))
    can_have_labels = (has_bars or all(words)) and not any(are_numbers[1:-1]) and not all(are_numbers)
    for end, others in ((0, slice(1, None)), (-1, slice(-1))):
        is_label = can_have_labels and words[end].isdecimal() and len(words[end]) < 10
        if len(words) > 1 and (is_label or (has_bars and words[end] == "")):
            label, words = label or words[end], words[others]
    squares = [word or " " for word in words] if mark or len(words) != 1 else list(words[0])
    return (label, squares) if squares and _MARKS.issuperset(squares) else None


def _boards(labels: list[str], rows: list[list[str]], name: str) -> Rows | None:
    """Return the board, or boards, with these rows, from the top; None if they are numbers or no drawing."""
    n = len(rows[0])
    # Both row by row: a call that takes seconds delays Ctrl-C.
    drawn = np.array(["".join(squares) for squares in rows]).view("U1").reshape(-1, n, n)
    marks: set[str] = set().union(*rows)
    if n > 1 and all(labels) and int(labels[0]) > int(labels[1]):
        drawn = drawn[:, ::-1]
    queens = marks & _QUEENS
    if not queens:
        once = {mark for mark in marks if (np.count_nonzero(drawn == mark, axis=1) == 1).all()}
        queens = once if len(once) == 1 else marks - _EMPTY
        if marks <= _IN_NUMBERS and len(once) != 1:
            return None
        if len(queens) > 1:
            raise InputError(f"{name}: it is a drawing in which {listed(sorted(queens))} may be queens; draw them as Q")
    boards = of_matrix(np.isin(drawn, sorted(queens)), name, "a drawing")
    return boards._replace(rows=boards.rows[0]) if len(drawn) == 1 else boards
