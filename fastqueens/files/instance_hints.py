"""Hints for files that are not instances in JSON: what each looks like, and how to state it as an instance."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from fastqueens.files.text import shortened

_NEEDED = 'an instance is an object of JSON, as in {"n": 8, "fixed": [[0, 0], [4, 1]], "blocked": [[2, 3]]}'

#: Of longer texts, only the beginning is looked at.
_LONGEST = 100_000

#: A longer list of squares is abridged.
_MOST_SQUARES = 12

_TABLE = re.compile(r"\W*(?:column\W+row|row\W+column)\b", re.IGNORECASE)
_CSPLIB = re.compile(
    r"[$%]|(?:language|letting)\b|(?:n|init|blocks|\w*diags)\s*=|#\s*const\b|(?:block|queen|num|size|board|n)\s*\("
)
_FEN = re.compile(r"(?:[0-9a-z]{1,99}/){3,99}[0-9a-z]{1,99}", re.IGNORECASE)
_ROW_OR_GAP = re.compile(r"([0-9]{1,9})|null|none|-1|[?._*x-]", re.IGNORECASE)

_EMPTY_MARKS = ".-_0"
_QUEEN_MARKS = "QqFf♛♕"


def refusal(data: bytes, content: dict[str, Any], keys: Collection[str]) -> str:
    """Return why a text is refused; ``content`` is its object, if it is one with other keys than the known ones."""
    text = data[:_LONGEST].decode("utf-8-sig", errors="replace").strip()
    if content:
        hint = _of_board(content.get("queens"))
    else:
        hint = _of_beginning(text) or (_of_whole(text) if len(data) <= _LONGEST else None)
    if hint:
        return hint
    if content:
        unknown = next(key for key in content if key not in keys)
        return f"the key {shortened(repr(unknown))} is unknown; the keys are {', '.join(keys)}"
    held = f"it begins with {shortened(repr(text[:80]))}" if text else "it is empty"
    return f"{held}; {_NEEDED}"


def _of_board(queens: Any) -> str | None:
    is_flat = isinstance(queens, list) and not any(isinstance(row, (list, dict)) for row in queens)
    return _of_rows(" ".join(map(str, queens))) if is_flat and len(queens) <= _LONGEST else None


def _of_beginning(text: str) -> str | None:
    if _TABLE.match(text):
        return f"this is a table of fixed queens, which --queens-file reads; {_NEEDED}"
    if _CSPLIB.match(text):
        return f"this looks like CSPLib or ASP, which examples/csplib.py of fastqueens turns into JSON; {_NEEDED}"
    return None


def _of_whole(text: str) -> str | None:
    ranks = _FEN.match(text)
    if ranks:
        drawing = re.sub(r"\d{1,3}", lambda empty: "." * int(empty[0]), ranks[0]).replace("/", "\n")
        return _of_drawing(drawing, "a position in FEN")
    return _of_drawing(text, "a drawing") or _of_rows(text)


def _of_drawing(text: str, what: str) -> str | None:
    """Return the instance that a square drawing shows; None if the text is not one."""
    lines = [re.sub(r"[\s|]", "", line) for line in text.splitlines()]
    lines = [line for line in lines if line.strip("+-=") or set(line) == {"-"}]
    n = len(lines)
    if n < 2 or {len(line) for line in lines} != {n}:
        return None
    marked = [(c, r) for c in range(n) for r in range(n) if lines[r][c] not in _EMPTY_MARKS]
    queens = [(c, r) for c, r in marked if lines[r][c] in _QUEEN_MARKS]
    others = [(c, r) for c, r in marked if lines[r][c] not in _QUEEN_MARKS]
    marks = sorted({lines[r][c] for c, r in others})
    if len(marked) == n * n or len(marks) > 1 or "/" in marks or "\\" in marks:
        return None
    begin = f"this is {what}, and an instance is an object of JSON: write"
    if queens or not others:
        return f"{begin} {_stated(n, fixed=queens, blocked=others)}"
    either, other = _stated(n, fixed=others), _stated(n, blocked=others)
    return f"{begin} {either} if {marks[0]} is a queen, or {other} if no queen may stand there"


def _of_rows(text: str) -> str | None:
    """Return the instance that a list of rows with gaps means; None if the text is not one."""
    words = re.sub(r"[\[\](){},;]", " ", text).split()
    if len(words) == 1:
        words = list(words[0])  # "1?4??3"
    entries = [_ROW_OR_GAP.fullmatch(word) for word in words]
    queens = [(column, int(entry[1])) for column, entry in enumerate(entries) if entry and entry[1]]
    n, lines = len(entries), len(text.strip().splitlines())
    if n < 2 or None in entries or lines not in (1, n) or any(row >= n for _, row in queens):
        return None
    stated = _stated(n, fixed=queens)
    return f"this is a list of rows, and an instance is an object of JSON: if rows count from 0, write {stated}"


def _stated(n: int, **lists: list[tuple[int, int]]) -> str:
    """Return an instance in JSON, abridged if it has many squares."""
    parts = [f'"n": {n}']
    for key, squares in lists.items():
        shown = [f"[{c}, {r}]" for c, r in squares[:_MOST_SQUARES]] + ["..."] * (len(squares) > _MOST_SQUARES)
        if shown:
            parts.append(f'"{key}": [{", ".join(shown)}]')
    return f"{{{', '.join(parts)}}}"
