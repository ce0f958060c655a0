"""Boards as other programs print them: lists, arrays, tables with headers, drawings, squares such as ``a2``.

Nothing is evaluated. Only texts of limited size are read here; ``board_formats`` reads large files.
"""

from __future__ import annotations

import csv
import re
import reprlib
import textwrap
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError, NotEnoughMemoryError, counted
from fastqueens.core.memory import check_memory
from fastqueens.files.board_drawings import of_drawing
from fastqueens.files.board_tables import (
    Rows,
    check_columns_have_no_numbers,
    check_width,
    fields_of,
    is_header,
    of_named_fields,
    of_squares,
    of_table,
)
from fastqueens.files.text import INT64_LIMITS, check_range, integers, shortened, whole_number

#: Bytes that a byte and a line of text take while it is read, at most.
_BYTES_PER_BYTE = 30
_BYTES_PER_LINE = 300

#: Brackets in brackets, at most, without those around a single list.
_MOST_NESTED = 7

_NUMBER = r"-?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?"
_TOKEN = re.compile(rf"""[\[\]]|True|False|true|false|(?<![\w.]){_NUMBER}(?![\w.])|"[^"\n]*"|'[^'\n]*'""", re.ASCII)
_STRING = re.compile(r"""["'][^"'\n]*["']""")

#: Digits that are a board, at least.
_LEAST_DIGITS = 4

#: What may precede a list or an array: ``int q[] =``, ``q <-``, ``array(``, ``array1d(1..4,``; and follow it.
_CALL = re.compile(
    r"(?:\bnew )?(?:\b[A-Za-z]\w*\[\d*\]|\[\d*\][A-Za-z]\w*)[ \t]*(?=\{)"  # new int[] {, []int{
    r"|(?<![\w.])[A-Za-z_][\w.]*[ \t]*(?=[\[({])|dtype=[\w.'<>=|]+|(?<!\d)\d++\.\.\d+,"
)
_ASSIGNMENT = re.compile(r"^[ \t]*[A-Za-z_$][\w.<>\[\]: \t]*?(?::?=|<-)", re.MULTILINE)
_ASSIGNED_LIST = re.compile(rf"(?:{_ASSIGNMENT.pattern}|^Out\[\d+\]:)(?=\s*(?:[A-Za-z][\w. ]*)?[\[({{])", re.MULTILINE)
_ANSWER = re.compile(r"^(?:[-=]{3,}|(?:true|false|yes|no)[ .;]*)$", re.MULTILINE)
_BRACKETS = str.maketrans("(){}", "[][]")
_WITHOUT_BRACKETS = str.maketrans("", "", "[](){}")

#: ``[1]`` before numbers in R, ``[1,]`` before a row of a matrix; lines above numbers in R, MATLAB and Octave.
_R_INDEX = re.compile(r"[ \t]*\[\d+,?\](?=[ \t])")
_HEADING = re.compile(r"[ \t]*(?:\[,\d+\][ \t]*)+|[ \t]*Columns? \d+(?: (?:through|and|to) \d+)?:?[ \t]*")

_COLOURS = re.compile(r"\x1b\[[\d;]*+m")  # of a terminal
_COMMENT = re.compile(r"[#%].*")
# The mark and the words of the last comment above numbers, as numpy.savetxt writes a header.
_COMMENTED = re.compile(r"(?:\s*[#%].*\n)*?\s*([#%]++)[ \t]*+(.+)\n(?=\s*[-+\d.])")
_SQUARES = re.compile(r"(?:Q?[a-z]\d{1,2}[\s,;]*)++", re.ASCII | re.IGNORECASE)
_QUOTES = str.maketrans(dict.fromkeys("[](){}'\"", " "))
_FEN = re.compile(r"((?:(?:Q|\d{1,9}(?!\d))++/)++(?:Q|\d{1,9}(?!\d))++)(?: .*)?", re.ASCII | re.IGNORECASE)
_UNQUOTED = re.compile(r"(?=[^Qq]*[Qq])[\[\], \n.Qq]+")
_BARS = str.maketrans("│┃║", "|||")

#: Lines in tables that hold no numbers: rules, what databases print below, and Julia and MATLAB above.
_RULE = re.compile(
    r"[-+=|_: \t\u2500-\u257f]*|\(?\d+ rows?\b.*"
    r"|[ \t]*\d+(?:-element|[x×]\d+) (?:Vector|Matrix|BitVector|BitMatrix|logical|double|u?int\d+)\b.*"
)
_ABRIDGED = re.compile(r"(?<![\w.])\.\.\.(?![\w.])|…|\|[ \t]*_")


def read_foreign(data: bytes, name: str, rows_from: int, *, is_square: bool = False) -> tuple[Queens, str] | None:
    """Return the boards in a text and what it was taken for; None if it is nothing that is known.

    Raises :class:`InputError` if it is known, but holds no boards or can be read in two ways. If the memory is too
    small, it is not known.
    """
    text = _decoded(data)
    if text is None:
        return None
    try:
        check_memory(_BYTES_PER_BYTE * len(data) + _BYTES_PER_LINE * data.count(b"\n"), f"reading {name}")
    except NotEnoughMemoryError:
        return None
    reason = None
    for read in (_squares, _fen, _lists, _numbers, _drawing, _digits):
        try:
            found = read(text, name, rows_from, is_square)
            if found is not None:
                return found.boards(rows_from, name), found.kind
        except InputError as error:
            reason = error
    if reason is not None:
        raise reason
    if text.strip() and not _COMMENT.sub("", text).strip():
        raise InputError(f"{name}: it holds nothing but comments; a board has at least 1 queen")
    return None


def of_lists(value: Any, name: str, rows_from: int, depth: int = 0) -> Rows:
    """Return the board, or boards, in a list: of rows, of squares, of the rows of a matrix or drawing, or of boards."""
    if isinstance(value, dict):
        return _of_object(value, name, rows_from, depth)
    if not isinstance(value, list) or depth > 1:  # a list of matrices
        raise InputError(f"{name}: it holds {reprlib.repr(value)}; a list of rows is needed")
    kinds = set(map(type, value))
    inner = {type(entry) for part in value for entry in part} if kinds == {list} else set()
    if kinds == {str} or (inner == {str} and all(len(mark) == 1 for part in value for mark in part)):
        drawn = of_drawing(value if kinds == {str} else [" ".join(part) for part in value], name)
        if drawn is None:
            raise InputError(f"{name}: it holds {reprlib.repr(value)}, which is no drawing of a board")
        return drawn
    if inner and inner <= {int, float, bool}:
        for number, part in enumerate(value, 1):
            check_width(len(part), len(value[0]), f"{name}: list {number}", "list 1")
        table = integers([_whole(entry) for part in value for entry in part], f"{name}: queens")
        return of_table(
            table.reshape(len(value), -1), lambda at: f"{name}: list {at + 1}", name, rows_from, is_csv=False
        )
    if kinds == {dict} and all(part.keys() == value[0].keys() for part in value) and fields_of(list(value[0])):
        cells = [_whole(part[key]) for part in value for key in value[0]]
        table = integers(cells, f"{name}: squares").reshape(len(value), -1)
        return of_named_fields(list(value[0]), table, lambda at: f"{name}: square {at + 1}", name, rows_from)
    if kinds == {dict} or (kinds == {list} and inner):
        places = [f"{name}: board {number}" for number in range(1, len(value) + 1)]
        return of_boards(value, places, rows_from, depth + 1)
    if not kinds.isdisjoint({list, dict}):
        raise InputError(f"{name}: it holds {reprlib.repr(value)}; a list of rows is needed")
    if float in kinds:
        value = [_whole(entry) if type(entry) is float else entry for entry in value]
    rows = integers(value, f"{name}: queens")
    return Rows(rows, lambda c: f"{name}: queens[{c}]", "a list of rows")


def of_boards(values: list[Any], places: list[str], rows_from: int, depth: int = 1) -> Rows:
    """Return the boards in several values, each a single board at a place."""
    boards = []
    for value, place in zip(values, places, strict=True):
        boards.append(of_lists(value, place, rows_from, depth).boards(rows_from, place))
        if boards[-1].ndim > 1:
            raise InputError(f"{place} holds a list of boards; a single board is needed")
        check_width(len(boards[-1]), len(boards[0]), place, "the first board")
    return Rows(np.array(boards), str, "a list of boards", 0)


def _of_object(found: dict[str, Any], name: str, rows_from: int, depth: int) -> Rows:
    """Return the board, or boards, in an object of JSON, which may also state n."""
    keys = [key for key in ("queens", "boards") if key in found]
    if not keys and "answer" in found:  # of fastqueens solve --instances
        raise InputError(f"{name} holds no board; its answer is {shortened(repr(found['answer']))}")
    if len(keys) != 1:
        raise InputError(f'{name}: a list of rows is needed, or an object with either "queens" or "boards"')
    value = found[keys[0]]
    if not isinstance(value, list):
        raise InputError(f"{name}: {keys[0]} holds {shortened(repr(value))}; a list is needed")
    rows = of_lists(value, name, rows_from, depth)
    width = rows.rows.shape[-1]
    n = found.get("n", width)
    if type(n) is not int or n != width:
        raise InputError(f"{name}: n is {shortened(repr(n))}, but {keys[0]} holds {counted(width, 'row')}")
    return rows


def _whole(value: Any) -> Any:
    """Return a number as an int if it is whole."""
    return int(value) if not isinstance(value, float) or value.is_integer() else value


def _decoded(data: bytes) -> str | None:
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return _COLOURS.sub("", text) if "\x1b" in text else text


def _squares(text: str, name: str, rows_from: int, _: bool) -> Rows | None:
    """Read squares as in chess: the letter of the column, and the row from 1."""
    text = text.translate(_QUOTES)
    if not _SQUARES.fullmatch(text.strip()):
        return None
    found = (re.findall(r"([a-z])(\d+)", line.lower()) for line in text.splitlines())
    lines = [line for line in found if line]
    if all(len(line) == 1 for line in lines):
        lines = [[line[0] for line in lines]]
    boards = [_board_of_squares(line, name) for line in lines]
    for number, board in enumerate(boards, 1):
        check_width(len(board), len(boards[0]), f"{name}: line {number}", "line 1")
    return Rows(np.array(boards) if len(boards) > 1 else boards[0], str, "squares as in chess", 0)


def _board_of_squares(squares: list[tuple[str, str]], name: str) -> Queens:
    def place(at: int) -> str:
        return f"{name}: {''.join(squares[at])}"

    columns, rows = np.array([(ord(letter) - ord("a"), int(row)) for letter, row in squares], np.int64).T
    check_range(columns, 0, len(columns) - 1, place, "columns")
    return of_squares(columns, rows, place, name, 1).boards(1, name)


def _fen(text: str, name: str, _: int, __: bool) -> Rows | None:
    """Read positions in the notation of Forsyth and Edwards: the last row first, with numbers of empty squares."""
    found = [_FEN.fullmatch(line.strip()) for line in text.strip().splitlines()]
    boards = [_board_of_position(line[1].upper().split("/"), name) for line in takewhile(bool, found) if line]
    if not boards or len(boards) < len(found):
        return None
    for number, board in enumerate(boards, 1):
        check_width(len(board), len(boards[0]), f"{name}: line {number}", "line 1")
    return Rows(np.array(boards) if len(boards) > 1 else boards[0], str, "a position of chess", 0)


def _board_of_position(ranks: list[str], name: str) -> Queens:
    """Return the board of a position, whose queens may be Q, from the last row to the first."""
    n, columns, rows = len(ranks), [], []
    for row, rank in enumerate(reversed(ranks)):
        width = 0
        for part in re.findall(r"Q|\d+", rank):
            if part == "Q":
                columns.append(width)
                rows.append(row)
            width += 1 if part == "Q" else int(part)
        if width != n:
            raise InputError(f"{name}: {shortened(rank)!r} has {counted(width, 'square')}; {n} are needed")
    if len(columns) != n:
        raise InputError(f"{name}: it is a position of {counted(len(columns), 'queen')}; {n} are needed")
    squares = np.array(columns), np.array(rows)
    return of_squares(*squares, lambda at: f"{name}: rank {rows[at] + 1}", name, 0).boards(0, name)


def _lists(text: str, name: str, rows_from: int, is_square: bool) -> Rows | None:
    """Read lists and arrays in brackets of any kind."""
    if _UNQUOTED.fullmatch(text):
        text = re.sub(r"[.Qq]+", r"'\g<0>'", text)
    if re.match(r"\s*\{\s*\d+\s*:", text):
        raise InputError(f"{name}: it is a dict, {shortened(repr(text.strip()))}; a list of rows is needed")
    lines = text.strip().split("\n")
    if not re.search(r"[\[({]", text) or all(_R_INDEX.match(line) or _HEADING.fullmatch(line) for line in lines):
        return None
    if fields_of(lines[0].translate(_WITHOUT_BRACKETS).split(",")):
        return _numbers(text.translate(_WITHOUT_BRACKETS), name, rows_from, is_square)
    if re.match(r"\s*\(array\([^()]*\),\s*array\([^()]*\)\)", text):
        raise InputError(f"{name}: the two arrays can be boards, or rows and columns, as of numpy.nonzero; write one")
    if re.search(r"\barray[2-9]d[ \t]*\(", text):
        raise InputError(f"{name}: it is a matrix in one list; write a line for each of its rows")
    body = _ANSWER.sub("", _CALL.sub("", _ASSIGNED_LIST.sub("", text))).translate(_BRACKETS)
    if _ABRIDGED.search(_STRING.sub("", body)):
        raise _abridged(name)
    body = re.sub(r"(?<=\d)L\b", "", re.sub(r"\]\s*(?:'\s*)?[;.]", "] ", body))  # R writes 1L, MATLAB [1 2]';
    body = re.sub(r"\[\s*(\[[^\[\]]*\])\s*\]", r"\1", body)  # array([1, 3])
    if ";" in body:  # between the rows of a matrix
        body = f"[{body.replace(';', '],[')}]"
    value = _nested(body)
    return None if value is None else of_lists(value, name, rows_from)


def _nested(body: str) -> list[Any] | None:
    """Return the list that a text holds, with commas or blanks between the entries; None if it holds anything else."""
    if _TOKEN.sub(" ", body).strip(" \t\r\n,") or re.search(r",\s*,", body):
        return None
    is_mixed = re.search(r"[\d.]\s*,\s*[-.\d]", body) and re.search(r"[\d.]\s+[-.\d]", body)  # {0 1, 1 3}
    if is_mixed or body.count("[") != body.count("]"):
        return None
    stack: list[list[Any]] = [[]]
    for token in _TOKEN.findall(body):
        if token == "[" and len(stack) <= _MOST_NESTED:
            stack[-1].append([])
            stack.append(stack[-1][-1])
        elif token not in "[]":
            stack[-1].append(_value(token))
        elif token == "]" and len(stack) > 1:
            stack.pop()
        else:
            return None
    while len(stack[0]) == 1 and isinstance(stack[0][0], list):
        stack[0] = stack[0][0]
    return stack[0] if len(stack) == 1 else None


def _value(token: str) -> Any:
    if token[0] in "\"'":
        return token[1:-1]
    if token[0] in "TFtf":
        return token[0] in "Tt"
    if len(token) < 19 and token.isdigit():
        return int(token)
    is_float = not token.lstrip("-").isdigit()
    return float(token) if is_float else whole_number(token.encode(), "")


def _abridged(name: str) -> InputError:
    return InputError(f"{name}: it is abridged by '...'; write all rows, for example with numpy.savetxt")


def _numbers(text: str, name: str, rows_from: int, is_square: bool) -> Rows | None:
    """Read lines of numbers, also with a header."""
    above = _COMMENTED.match(text)
    if above is not None and fields_of(re.split(r"[\s,;]+", above[2].strip())) is not None:
        text = text[: above.start(1)] + text[above.end(1) :]
    numbers, fields, is_csv = _fields(textwrap.dedent(text))
    if not fields:
        return None
    has_names = not _are_numbers(fields[0])
    names, fields, places = fields[:has_names], fields[has_names:], numbers[has_names:]
    if not fields or not all(fields) or any(mark in one for line in names for one in line for mark in "[]{}"):
        return None  # nothing but words, or a list that is no list
    is_abridged = _ABRIDGED.search(text) and re.search(r"\d", text)  # a drawing may have rows such as ...%
    if is_abridged and any(field.strip() in ("...", "…") for line in fields for field in line):
        raise _abridged(name)
    header = names[0] if has_names else []
    if has_names and not is_header(header):
        return None
    if len(header) == len(fields[0]) - 1 > 0:  # R leaves out the name of the numbers of lines
        header = ["", *header]
    width = len(header or fields[0])
    if fields[0][0].endswith(".") and not any("." in field for field in fields[0][1:]) and width > 1:
        return None  # numbers of lines
    for number, line in zip(places, fields, strict=True):
        if len(line) == width:
            continue
        if not _are_numbers(line):
            return None
        check_width(len(line), width, f"{name}: line {number}", f"line {numbers[0]}")
    table = _table(fields, places, name)
    if table is None or (width == 1 and _has_rule(text, places)):
        return None

    def place(line: int) -> str:
        return f"{name}: line {places[line]}"

    if has_names:
        return of_named_fields(header, table, place, name, rows_from)
    check_columns_have_no_numbers(table, place, rows_from, is_csv=is_csv)
    return of_table(table, place, name, rows_from, is_csv=is_csv, is_square=is_square)


def _are_numbers(fields: list[str]) -> bool:
    return all(re.fullmatch(_NUMBER, field.strip(), re.ASCII) for field in fields)


def _fields(text: str) -> tuple[list[int], list[list[str]], bool]:
    """Return the numbers of the lines, their fields, and whether a mark separates these; no fields if that is unclear.

    Lines of different lengths that are separated by commas or blanks are unclear: ``board_formats`` says what is wrong.
    """
    lines = _lines_of_numbers(text)
    numbers = [number for number, _ in lines]
    content = "".join(line for _, line in lines)
    mark = next((mark for mark in ";|,\t" if mark in content), None)
    if mark is None:
        fields = [line.replace('"', "").split() for _, line in lines]
    else:
        stripped = [line.strip(" |").removesuffix(mark) for _, line in lines]
        try:
            fields = list(csv.reader(stripped, delimiter=mark, skipinitialspace=True))
        except csv.Error:
            return [], [], False
    is_plain = mark in (None, ",") and all(field.strip().isdecimal() for line in fields[:1] for field in line)
    if len(fields) < len(lines) or (is_plain and len(set(map(len, fields))) > 1):
        return [], [], False
    return numbers, fields, mark is not None


def _table(fields: list[list[str]], places: list[int], name: str) -> NDArray[np.int64] | None:
    """Return fields of whole numbers as an array, or None if they are no numbers."""
    try:
        values = np.array(fields, np.float64)
    except ValueError:
        return None
    if not "".join(map("".join, fields)).isascii():
        return None
    odd = np.argwhere(~(values == np.floor(values)))
    if len(odd):
        at, field = odd[0]
        where = f"line {places[at]}" if len(fields) > 1 else f"column {field}"
        raise InputError(f"{name}: {where} holds {shortened(repr(fields[at][field]))}; a whole number is needed")
    is_beyond = np.abs(values) >= 2.0**63  # these become the largest or smallest integer
    table = np.where(is_beyond, 0, values).astype(np.int64)
    table[is_beyond] = np.where(values[is_beyond] > 0, *INT64_LIMITS[::-1])
    return table


def _has_rule(text: str, places: list[int]) -> bool:
    """Tell whether a line is blank or a rule between the first and the last line of numbers."""
    lines = text.translate(_BARS).splitlines()
    return any(_RULE.fullmatch(lines[at]) for at in range(places[0], places[-1] - 1))


def _lines_of_numbers(text: str) -> list[tuple[int, str]]:
    """Return the lines without blank ones, comments, rules and what R, MATLAB and Octave add; and their numbers."""
    plain = _without_assignment(text) if "=" in text or "<-" in text else text
    if plain is None:
        return []
    blocks: list[list[tuple[int, str]]] = [[]]
    is_vector = True
    lines = _COMMENT.sub("", "\n".join(plain.splitlines())).translate(_BARS).split("\n")
    has_headings = "[" in plain or "Column" in plain
    for number, content in enumerate(lines, 1):
        if has_headings and _HEADING.fullmatch(content):
            blocks.append([])
            continue
        index = _R_INDEX.match(content) if has_headings else None
        if index is not None:
            is_vector &= "," not in index[0]
            content = content[index.end() :]
        if not _RULE.fullmatch(content):
            is_vector &= index is not None
            blocks[-1].append((number, content.strip(" ")))  # tabs may separate empty cells
    blocks = [block for block in blocks if block]
    if is_vector:
        blocks = [[line] for block in blocks for line in block]
    if len({len(block) for block in blocks}) != 1:
        return []
    return (
        blocks[0]
        if len(blocks) == 1
        else [(parts[0][0], " ".join(line for _, line in parts)) for parts in zip(*blocks, strict=True)]
    )


def _without_assignment(text: str) -> str | None:
    """Return a text without the name at its beginning to which it assigns numbers; None if it assigns anything else."""
    found = list(_ASSIGNMENT.finditer(text))
    if not found:
        return text
    before, (line, _, after) = text[: found[0].start()], text[found[0].end() :].partition("\n")
    has_numbers = not line.strip() or len(re.findall(r"[^\s,;]+", _COMMENT.sub("", line))) > 1
    if len(found) > 1 or not has_numbers or _COMMENT.sub("", before).strip():
        return None
    return f"{before}{line}\n{after}"


def _drawing(text: str, name: str, _: int, __: bool) -> Rows | None:
    return of_drawing(text.splitlines(), name)


def _digits(text: str, name: str, rows_from: int, _: bool) -> Rows | None:
    """Read a digit for each row, all different, such as 15863724, and a board in each line; rows may count from 1."""
    lines = text.split()
    found = {"".join(sorted(line)) for line in lines}
    n = len(found) and len(lines[0])
    first = next((first for first in (0, 1) if found == {"0123456789"[first : first + n]}), None)
    if n < _LEAST_DIGITS or first is None:
        return None
    if first < rows_from:
        raise InputError(f"{name}: its digits count rows from 0, and rows are to count from 1")
    rows = np.frombuffer("".join(lines).encode(), np.uint8).reshape(-1, n) - np.uint8(ord("0"))
    return Rows(rows if len(rows) > 1 else rows[0], str, "a digit for each row", first)
