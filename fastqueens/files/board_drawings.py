"""Boards drawn as text: a line for each row, a mark for each square."""

from __future__ import annotations

import re

import numpy as np

from fastqueens.files.board_tables import Rows, of_matrix
from fastqueens.files.numbers import COMMENT

_QUEENS, _EMPTY = "Q♛♕*X1", "._-0 "

_BARS = str.maketrans(dict.fromkeys("│┃║", "|"))

#: Of several boards in one drawing. Smaller ones have no solution, and queens with blanks around look like them.
_LEAST_OF_SEVERAL = 4

#: Lines between rows: rules, with corners where bars meet.
_RULE = re.compile(r"(?=.*[-+=_\u2500-\u257f])[-+=_|\s\u2500-\u257f]*")

#: Text behind which a mark is drawn as a picture or as a letter.
_SELECTORS = re.compile("[\ufe0e\ufe0f]")

#: A string of several marks is a row, as in the solutions of LeetCode.
_STRING = re.compile(r"""(["'])([^"'\n,]{2,})\1""")
_EMPTY_FIELD = re.compile(r"^\s*[,;]|[,;]\s*[,;]")
_BRACKETS = re.compile(r"[\[({][^\[\](){}]*[\])}]")
#: Two marks without a separator: words between commas are rows, as Java prints a list of strings.
_WORD = re.compile(r"[^\s,][^\s,]")
_WORDS = re.compile(r"\b(true|false)\b", re.IGNORECASE)


def of_drawing(text: str, name: str) -> Rows | None:
    """Return the board, or boards, that a text draws; None if it draws none.

    Queens are one of the marks ``Q ♛ ♕ * X 1``, empty squares one of ``. _ - 0``, or blank between bars; True and False
    are 1 and 0. Blanks, commas, semicolons and bars can separate squares, and rules can separate rows.
    """
    text = COMMENT.sub("", _SELECTORS.sub("", text)).translate(_BARS)
    text = _WORDS.sub(lambda word: "1" if word[0].lower() == "true" else "0", text)
    lines = [line for line in _lines(text) if line.strip()]
    boards = _boards(lines)
    if boards is None:
        boards = _boards([line for line in lines if not _RULE.fullmatch(line)])
    return None if boards is None else of_matrix(boards, name, "a drawing")


def _lines(text: str) -> list[str]:
    """Return the rows: strings, or what brackets enclose, or lines."""
    strings = [found[2] for found in _STRING.finditer(text)]
    rest = _STRING.sub("", text)
    if strings:
        return strings if not rest.strip("[](){}, \t\r\n") else []
    text = re.sub("[\"']", "", text)
    groups = [group[1:-1] for group in _BRACKETS.findall(text)]
    if groups and _BRACKETS.sub("", text).strip("[](){}, \t\r\n"):
        return []
    if groups:
        return [row for group in groups for row in (group.split(",") if _WORD.search(group) else [group])]
    return text.splitlines()


def _boards(lines: list[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]] | None:
    """Return the squares [board, row, column] with queens; None if the lines draw no square boards."""
    has_edges = all(line.strip()[:1] == line.strip()[-1:] == "|" for line in lines)
    rows = [_squares(line, has_edges=has_edges) for line in lines]
    n = len(rows[0]) if rows else 0
    marks = set().union(*rows)
    queens, empty = marks.intersection(_QUEENS), marks.intersection(_EMPTY)
    is_drawing = n > 0 and all(len(row) == n for row in rows) and len(rows) % n == 0 and marks == queens | empty
    if not is_drawing or len(queens) != 1 or len(empty) > 1 or (n == 1 and marks == {"1"}):
        return None
    if n < _LEAST_OF_SEVERAL and len(rows) > n:
        return None
    (queen,) = queens
    return np.array([[mark == queen for mark in row] for row in rows]).reshape(-1, n, n)


def _squares(line: str, *, has_edges: bool) -> list[str]:
    """Return the marks of a row; with bars at the edges, these are not between squares."""
    if "|" in line:
        cells = line.strip()[1:-1] if has_edges else line
        return [cell.strip() or " " for cell in cells.split("|")]
    words = [] if _EMPTY_FIELD.search(line) else re.split(r"[\s,;]+", line.strip(" \t\r,;"))
    return list(words[0]) if len(words) == 1 else words
