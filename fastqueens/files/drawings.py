"""Drawings of boards, and the lines of words that programs print around boards.

Lines of words are ignored and named in a note, unless they can be a part of the board.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.files.numbers import COMMENT
from fastqueens.files.text import printed

_QUEENS, _EMPTY = frozenset("Qq♛♕*X1"), frozenset("._-·0 ")
_MARKS = _QUEENS | _EMPTY

#: Separators between the squares of a row.
_BETWEEN = frozenset(" \t,;|")

#: The least n of several boards in one drawing, and of a board beside words. Smaller boards have no solution, and
#: single numbers, or single queens between blanks, look like them.
LEAST = 4

#: The most memory per byte of a drawing, whose rows become texts.
_BYTES_PER_BYTE = 50

#: The most ignored lines that a note quotes.
_MOST_QUOTED = 3

#: A line of words begins with two letters that are not marks or truth values, or with a letter and a value ("n = 8").
_WORDS = re.compile(
    r"[^\w.·|♛♕]*([^\W\d_]\s*[:=]|([^\W\d_]\s+)?(?!([QqX]+|(?i:true|false))(?![^\W\d_]))[^\W\d_]{2})",
)

#: A label before rows, such as "Solution 1:".
_LABEL = re.compile(
    r"(\s*\b(the|an?|first|last|final|initial|start|goal|best|is|solutions?|boards?|states?|queens|rows|positions?"
    r"|placement|answer|result)\b([ #]*\d+)?)+\s*[:=]",
    re.IGNORECASE,
)

_HEADER = re.compile(r"[\s,;\"']*(col|column|row)\b[\s,;\"']+(col|column|row)\b[\s\"']*", re.IGNORECASE)
_TRUTH = re.compile(r"\b(true|false)\b", re.IGNORECASE)

#: In a drawing, a closing bracket ends a line. Quotation marks and the variants of emoji are ignored.
_PLAIN = str.maketrans("│┃║])}", "|||\n\n\n", "\"'[({\ufe0e\ufe0f")

#: A rule between rows, with corners where bars meet.
_RULE = re.compile(r"(?=.*[-+=_\u2500-\u257f])[-+=_|\s\u2500-\u257f]*")

#: A separator at the beginning or the end of a line.
_OUTER = re.compile(r"^\s*[,;]|[,;]\s*$")


class BoardText(NamedTuple):
    """A text with empty comments and blank lines for words; ``ignored`` has the lines of words by number, from 1."""

    content: bytes
    ignored: dict[int, str]
    name: str

    def notes(self, n: int) -> tuple[str, ...]:
        """Return a note about the ignored lines; raise :class:`InputError` if one can be a part of a board of n."""
        for at, line in self.ignored.items():
            if n < LEAST:
                raise self.error(at, f"beside a board of {counted(n, 'queen')}; delete the line")
            runs = map(str.split, re.findall(r"\d+(?:[\s,;]+\d+)*", line.replace(",", " ").replace(";", " ")))
            if n in map(len, [*runs, *_rows_among(line)]):
                raise self.error(at, "which can be another board or a part of one; delete the line")
        quoted = [f"line {at}: {printed(line.encode())}" for at, line in self.ignored.items()][:_MOST_QUOTED]
        more = len(self.ignored) - len(quoted)
        end = f" and {counted(more, 'more line')}" if more else ""
        return (f"Ignored text in {self.name}, {', '.join(quoted)}{end}.",) if quoted else ()

    def error(self, at: int, why: str) -> InputError:
        """Return the error about an ignored line."""
        return InputError(f"{self.name}: line {at} holds {printed(self.ignored[at].encode())}, {why}")


def without_words(data: bytes, name: str) -> BoardText:
    """Return a text without its lines of words; a label before rows, such as "Solution:", is removed alone."""
    if not data.translate(None, b"0123456789+-.,;|[](){} \t\r\n"):  # a large board has only these bytes
        return BoardText(data, {}, name)
    data = COMMENT.sub(b"#", data)
    lines, ignored, labels, depth = _text_of(data).split("\n"), dict[int, str](), set[str](), 0
    if not any(map(_WORDS.match, lines)):
        return BoardText(data, {}, name)
    found, header = BoardText(b"", ignored, name), len(lines)
    for at, line in enumerate(lines):
        if _HEADER.fullmatch(line):
            header = at
        elif _WORDS.match(line):
            label = _LABEL.match(line)
            lines[at] = line[label.end() :] if label else ""
            if label and not _WORDS.match(lines[at]) and len(re.findall(r"[^\s|,;]", lines[at])) >= LEAST:
                labels.add(re.sub(r"[\d\s#]", "", label[0]))
            else:
                lines[at], ignored[at + 1] = "", line.strip()
                if depth:
                    raise found.error(at + 1, "inside of brackets; delete the line")
        elif line.strip(" \t#") and max(ignored, default=0) > header + 1:
            raise found.error(max(ignored), "between squares; delete the line")
        depth += sum(map(lines[at].count, "[({")) - sum(map(lines[at].count, "])}"))
    if len(labels) > 1:
        raise InputError(f"{name}: the rows have different labels ({', '.join(sorted(labels))}); keep one board")
    return found._replace(content="\n".join(lines).encode())


def drawn_boards(data: bytes, name: str) -> NDArray[np.bool_] | None:
    """Return an array [board, row, column] of the queens in a drawing, or None if the lines are not square boards.

    The comments in ``data`` must be empty. Raises :class:`InputError` for a drawing whose boards cannot be told apart.
    """
    check_memory(_BYTES_PER_BYTE * len(data), f"reading {name}")
    if re.search(rb"[2-9]", data):
        return None
    lines = dict(enumerate(_lines_of(data, _PLAIN), 1))
    is_list = any(mark in data for mark in (b"[", b"(", b"{", b'"', b"'"))
    without_rules = {at: line for at, line in lines.items() if not _RULE.fullmatch(line)}
    for each in (lines, without_rules) if len(without_rules) < len(lines) else (lines,):
        boards = _square_boards(each, name, is_list=is_list)
        if boards is not None:
            return boards
    return None


def drawing_fault(data: bytes, name: str) -> InputError | None:
    """Return the error that names the line at fault in a text with rows of a drawing; None for another text."""
    plain: dict[int, Any] = _PLAIN | dict.fromkeys(map(ord, "])}"))
    lines = {at: line for at, line in enumerate(_lines_of(data, plain), 1) if line.strip(" \t\n,;")}
    lines = {at: line for at, line in lines.items() if not _RULE.fullmatch(line)}
    marks = {at: frozenset(line) - _BETWEEN for at, line in lines.items()}
    odd = [at for at, found in marks.items() if not found <= _MARKS]
    if not any(found <= _MARKS and found - frozenset("10-_") for found in marks.values()):
        return None
    for at in odd[:1]:
        held = printed(lines[at].strip().encode())
        return InputError(f"{name}: line {at} holds {held}, which is not a row of squares")
    rows = {at: line.strip("|").split("|") if "|" in line else "".join(_words_of(line)) for at, line in lines.items()}
    used = frozenset[str]().union(*marks.values())
    has_empty = used & _EMPTY or any("|" in line for line in lines.values())
    if len(used & _QUEENS) > 1 or len(used & _EMPTY) > 1 or not has_empty:
        held = ", ".join(map(repr, sorted(used)))
        return InputError(f"{name}: the drawing has the marks {held}; use one for queens and another for empty squares")
    [(n, _)] = Counter(map(len, rows.values())).most_common(1)
    for at in [at for at, row in rows.items() if len(row) != n][:1]:
        return InputError(f"{name}: line {at} holds {counted(len(rows[at]), 'square')}, but most lines hold {n}")
    held = f"{counted(len(rows), 'row')} of {counted(n, 'square')}"
    return InputError(f"{name}: the drawing has {held}; a board is square")


def _lines_of(data: bytes, plain: dict[int, Any]) -> list[str]:
    """Return the lines of a drawing without empty comments, with 1 and 0 for True and False."""
    truth = _TRUTH.sub(lambda word: "01"[word[0].lower() == "true"], _text_of(data))
    return [line.removesuffix("#") for line in truth.translate(plain).split("\n")]


def _text_of(data: bytes) -> str:
    """Return a text with Unix line ends."""
    return data.decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def _square_boards(lines: dict[int, str], name: str, *, is_list: bool) -> NDArray[np.bool_] | None:
    """Return the boards in numbered lines that hold only rows and separators; see :func:`drawn_boards`."""
    drawn = {at: line for at, line in lines.items() if line.strip(" \t,;")}
    has_bars = bool(drawn) and all("|" in line for line in drawn.values())
    found = _rows_between_bars([*drawn.values()]) if has_bars else [*map(_words_of, drawn.values())]
    rows = dict(zip(drawn, found, strict=True)) if found else {}
    flat = [row for several in found for row in several]
    n, marks = len(flat[0]) if flat else 0, {*"".join(flat)}
    queens, empty = marks & _QUEENS, marks & _EMPTY
    if not _is_square(len(flat), n) or {*map(len, flat)} != {n} or marks != queens | empty:
        return None
    if len(queens) > 1 or len(empty) > 1 or (n == 1 and marks == {"1"}):
        return None
    if not is_list and not has_bars:
        _check_one_board_per_line(drawn, rows, name)
    _check_separated(lines, rows, n, name, is_list=is_list)
    squares = np.frombuffer("".join(flat).encode("utf-32-le"), np.uint32).reshape(-1, n, n)
    has_queen: NDArray[np.bool_] = squares == ord("".join(queens) or "Q")
    return has_queen


def _is_square(rows: int, n: int) -> bool:
    """Return whether rows of n squares form a board or several boards."""
    return n > 0 and (rows == n or (n >= LEAST and rows > 0 and rows % n == 0))


def _words_of(line: str) -> list[str]:
    """Return the rows in a line without bars: one row of single marks, or a row for each word."""
    words = re.split(r"\s*[,;\s]\s*", _OUTER.sub("", line).strip())
    return words if max(map(len, words)) > 1 else ["".join(word or "\0" for word in words)]


def _rows_between_bars(lines: list[str]) -> list[list[str]]:
    """Return the row in each line; bars can also be at one edge of the board, or at both.

    A blank before the first bar can be a square or nothing. The number of lines decides, or there are no rows.
    """
    cells = [[cell.strip() or " " for cell in line.split("|")] for line in lines]
    width = len(cells[0])
    if {*map(len, cells)} != {width}:
        return []
    ends = [all(row[at] == " " for row in cells) for at in (0, -1)]
    if all(ends) and all(line.startswith("|") and line.rstrip().endswith("|") for line in lines):
        edges = [(True, True)]
    else:
        has_blanks = any(" " in row[1:-1] for row in cells)
        choices = [[True, False] if end and has_blanks else [end] for end in ends]
        edges = [(left, right) for left in choices[0] for right in choices[1]]
    fitting = [(left, right) for left, right in edges if _is_square(len(cells), width - left - right)]
    if len(fitting) != 1:
        return []
    [(left, right)] = fitting
    rows = [row[left : width - right] for row in cells]
    return [["".join(cell if len(cell) == 1 else "\0" for cell in row)] for row in rows]


def _check_one_board_per_line(drawn: dict[int, str], rows: dict[int, list[str]], name: str) -> None:
    """Raise :class:`InputError` if boards can be beside each other, with several rows or a gap in each line."""
    advice = "write one board below the other"
    for at, found in rows.items():
        if len(found) > 1 and len(rows) > 1:
            raise InputError(f"{name}: line {at} holds {counted(len(found), 'row')} of squares; {advice}")
    gaps = {tuple(re.findall(r"(?<=\S)\s+(?=\S)", line)) for line in drawn.values()}
    if len(gaps) == 1 < len(drawn) and len({*next(iter(gaps))}) > 1:
        raise InputError(f"{name}: the same gap in all lines can separate two boards; {advice}")


def _check_separated(lines: dict[int, str], rows: dict[int, list[str]], n: int, name: str, *, is_list: bool) -> None:
    """Raise :class:`InputError` if a blank line or a line of words is inside of a board, but not after every row."""
    counts, blank = [0], list[int]()
    for at, line in lines.items():
        if line.strip():
            counts[-1] += len(rows.get(at, ()))
        elif counts[-1]:
            counts.append(0)
            blank.append(at)
    odd = [at for at, count in enumerate(counts) if count % n]
    if odd and max(counts) > 1:
        place = "a line" if is_list else f"line {blank[min(odd[0], len(blank) - 1)]}"
        raise InputError(f"{name}: {place} without squares separates the rows of a board; delete it")


def _rows_among(line: str) -> list[str]:
    """Return texts in a line of words that can be rows of squares."""
    runs = re.findall(r"[Qq♛♕*X._\-·](?:[\s|]?[Qq♛♕*X._\-·])*", line)
    rows = [re.sub(r"[\s|]", "", run) for run in runs]
    return [row for row in rows if _QUEENS & {*row} and _EMPTY & {*row}]
