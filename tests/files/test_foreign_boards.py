"""Boards that other programs wrote. foreign/README.md is a table of files, and of what is read from each."""

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st

from fastqueens import InputError, is_solution, read_board, read_boards
from fastqueens.core import thresholds
from fastqueens.files import board_formats, foreign_boards
from fastqueens.files import text as numbers
from fastqueens.files.boards import parse_boards

FOLDER = Path(__file__).parent / "foreign"


def table():
    """Yield the cells of each line of the table: file, source, options, boards."""
    for line in (FOLDER / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            yield cells[0].strip("`"), *cells[1:]


def test_every_file_is_in_the_table():
    files = [cells[0] for cells in table()]
    assert len(set(files)) == len(files) >= 40
    assert {*files, "README.md"} == {path.name for path in FOLDER.iterdir()}


@pytest.mark.parametrize(
    ("file", "source", "options", "boards"), [pytest.param(*cells, id=cells[0]) for cells in table()]
)
def test_a_file_is_read_or_refused_as_the_table_says(file, source, options, boards):
    assert source
    rows_from = int(options == "rows_from=1")
    expected, _, named = boards.partition("refused: ")
    if named:
        with check_error(InputError, file, *named.split("; ")):
            read_boards(FOLDER / file, rows_from=rows_from)
        return
    expected = [[int(row) for row in board.split()] for board in boards.split(";")]
    assert read_boards(FOLDER / file, rows_from=rows_from).tolist() == expected
    if len(expected) == 1:
        assert read_board(FOLDER / file, rows_from=rows_from).tolist() == expected[0]
    else:
        with check_error(InputError, file, f"{len(expected)} boards"):
            read_board(FOLDER / file, rows_from=rows_from)


# Any board, as a simple program writes it


def saved(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def text_saved(array, **options):
    file = io.BytesIO()
    np.savetxt(file, array, **options)
    return file.getvalue()


def matrix(board):
    return np.array(board) == np.arange(len(board))[:, None]


def drawn(board, queen="Q", empty=".", separator=" ", edge=""):
    rows = [[queen if row == place else empty for place in board] for row in range(len(board))]
    return "".join(f"{edge}{separator.join(row)}{edge}\n" for row in rows)


def squares(board, header, separator, first=0):
    order = (0, 1) if header.startswith(("c", "x")) else (1, 0)
    lines = [separator.join(str((column, row)[at] + first) for at in order) for column, row in enumerate(board)]
    return "\n".join([header, *reversed(lines)])


WRITERS = {
    "list": str,
    "tuple": lambda board: str(tuple(board)),
    "array": lambda board: str(np.array(board)),
    "repr": lambda board: repr(np.array(board)),
    "floats": lambda board: str(np.array(board, float)),
    "semicolons": lambda board: ";".join(map(str, board)),
    "a name": lambda board: f"q = {board};\n----------\n",
    "comments": lambda board: "# a board\n" + "".join(f"{row}  # {column}\n" for column, row in enumerate(board)),
    "savetxt": text_saved,
    "savetxt line": lambda board: text_saved([board], delimiter=","),
    "savetxt header": lambda board: (
        text_saved([*enumerate(board)], fmt="%d", delimiter=",", header="made today\ncolumn,row")
    ),
    "savetxt rows first": lambda board: text_saved([(r, c) for c, r in enumerate(board)], header="row column"),
    "matrix": lambda board: text_saved(matrix(board), fmt="%d"),
    "nested matrix": lambda board: str(matrix(board).astype(int).tolist()),
    "nested bools": lambda board: str(matrix(board).tolist()),
    "float64": lambda board: saved(np.array(board, float)),
    "float16": lambda board: saved(np.array(board, np.float16)),
    "int8": lambda board: saved(np.array(board, np.int8)),
    "bool matrix": lambda board: saved(matrix(board)),
    "0/1 matrix": lambda board: saved(matrix(board).astype(np.uint8)),
    "drawing": drawn,
    "stars": lambda board: drawn(board, "*", "-", ""),
    "digits": lambda board: drawn(board, "1", "0", ""),
    "crowns": lambda board: drawn(board, "♛", "□"),
    "bars": lambda board: drawn(board, "Q", " ", "|", "|"),
    "strings": lambda board: str(drawn(board, separator="").split()),
    "chess": lambda board: " ".join(f"{chr(97 + column)}{row + 1}" for column, row in enumerate(board)),
    "column;row": lambda board: squares(board, "column;row", ";"),
    "Row, Column": lambda board: squares(board, "Row, Column", ", ").replace("Row", "row"),
    "x y": lambda board: squares(board, "x y", " "),
    "utf-16": lambda board: "\n".join(map(str, board)).encode("utf-16"),
}


@pytest.mark.parametrize("writer", WRITERS)
@given(board=st.integers(3, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
def test_a_board_is_read_back(tmp_path_factory, writer, board):
    content = WRITERS[writer](board)
    path = tmp_path_factory.getbasetemp() / "foreign-board"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert read_board(path).tolist() == board


# What can be read in two ways


@pytest.mark.parametrize(
    ("text", "rows_from", "expected"),
    [
        ("0 0\n1 2\n2 1\n", 0, [0, 2, 1]),
        ("[(0, 1), (1, 1), (2, 0)]", 0, [1, 1, 0]),
        ("[(1, 0), (1, 1), (0, 2)]", 0, [1, 1, 0]),
        ("0,1\n1,2\n2,0\n", 0, [1, 2, 0]),
        ("1 2\n2 1\n3 3\n", 1, [1, 0, 2]),
        ("column,row\n0,2\n1,3\n2,1\n", 1, [1, 2, 0]),
        ("column,row\n1,0\n2,1\n3,2\n", 0, [0, 1, 2]),
        ("column\n1\n2\n0\n", 0, [2, 0, 1]),
        (",col\n0,1\n1,2\n2,0\n", 0, [2, 0, 1]),
        ("# . *\n* # .\n# * #\n", 0, [1, 2, 0]),
        ("queens\n1\n2\n0\n", 0, [1, 2, 0]),
        ("# rows\nq = 1 2 0\n", 0, [1, 2, 0]),
        ("q =\n\n1\n2\n0\n", 0, [1, 2, 0]),
        ("---\n1\n2 # two\n# none\n0\n---\n", 0, [1, 2, 0]),
        ("a1 b2\n,\n", 0, [0, 1]),
        ("a1 b2\n;", 0, [0, 1]),
        ("q0,q2,q1\n1,0,2\n", 0, [[1, 2, 0]]),
        ("q_1 q_2 q_3\n1 2 0\n", 0, [[1, 2, 0]]),
        (",0,1,10,11,2,3,4,5,6,7,8,9\n0,0,1,10,11,2,3,4,5,6,7,8,9\n", 0, [list(range(12))]),
        ("0 1 0\n1 0 1\n", 0, [[0, 1, 0], [1, 0, 1]]),
        (" Q\n   Q\nQ\n  Q", 0, [2, 0, 3, 1]),
        ("Q  \n Q \n  Q\n", 0, [0, 1, 2]),
        (",Q,,\n,,,Q\nQ,,,\n,,Q,\n", 0, [2, 0, 3, 1]),
        ("\t1\t\t\n\t\t\t1\n1\t\t\t\n\t\t1\t\n", 0, [2, 0, 3, 1]),
        ('"","V1","V2","V3"\n"1",0,1,0\n"2",1,0,0\n"3",0,0,1\n', 0, [1, 0, 2]),
        ("a,b,c\n0,1,0\n1,0,0\n0,0,1\n", 0, [1, 0, 2]),
        ("\t1\n\t2\n\t0\n", 0, [1, 2, 0]),
        ("1\t\n2\t\n0\t\n", 0, [1, 2, 0]),
        ("q <- c(1L, 2L, 0L)\n", 0, [1, 2, 0]),
        ("q = [1 2 0]';\n", 0, [1, 2, 0]),
        ('{"n": 4, "queens": [1, 3, 0, 2]}\r\n\n{"queens": [2, 0, 3, 1]}\n', 0, [[1, 3, 0, 2], [2, 0, 3, 1]]),
        (".%..\n...%\n%...\n..%.\n", 0, [2, 0, 3, 1]),
        (".Q..\n...Q\nQ...\n..Q.\n".replace("Q", "\x1b[1;31mQ\x1b[m"), 0, [2, 0, 3, 1]),
        ('{"queens": [2, 4, 1, 3]}\n{"queens": [3, 1, 4, 2]}\n', 1, [[1, 3, 0, 2], [2, 0, 3, 1]]),
    ],
)
def test_what_has_one_meaning_is_read(text, rows_from, expected):
    assert parse_or_read(text, rows_from).tolist() == expected


def parse_or_read(text, rows_from=0):
    return board_formats.read_text(io.BytesIO(text.encode()), "here", rows_from)[0]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("0 1\n1 2\n2 0\n", ["column,row", "row,column"]),
        ("0 1\n1 0\n", ["column,row", "boards of 2 queens"]),
        ("0,1,2\n2,1,0\n", ["line 1"]),
        ("1 1 0\n1 0 0\n0 0 1\n", ["column 0", "2 queens", "matrix"]),
        ("column,row\n1,0\n1,1\n2,2\n", ["column 0"]),
        ("1 0\n0;1\n", ["line 2"]),
        ("1.0;0;2\n0;1\n", ["line 2"]),
        ("attempt,step,pairs,conflicting_queens\n1,0,2,3\n1,1,0,0\n", ["column,row"]),
        ("column,row\n1,1\n2,1\n3,2\n", ["rows_from=1"]),
        ("q0,q1,q3\n1,2,0\n", ["q0,q1,q3"]),
        ("q2,q3,q4\n1,2,0\n", ["q2,q3,q4"]),
        ("q0,r1,q2\n1,2,0\n", ["q0,r1,q2"]),
        ("[0 1 2 ... 7 8 9]", ["'...'"]),
        ("1\n\n0\n2\n", ["line 2"]),
        ("[1,,0]", ["line 1"]),
        (",\n,\n", ["line 1", re.compile("','")]),
        ("{0: 1, 1: 3, 2: 0, 3: 2}", ["dict", re.compile("0: 1, 1: 3")]),
        ('[{"n": 5, "queens": [1, 3, 0, 2]}]', ["board 1", "n is 5", "4 rows"]),
        ('[{"queens": [1, 3, 0, 2]}, {"queens": [1, 3, 0, 4]}]', ["board 2", "queens[3]", "0 to 3"]),
        ('{"queens": [1, 3, 0, 2], "boards": [[2, 0, 3, 1]]}', ["queens", "boards"]),
        ('{"queens": [1, 3, 0, 2]}\n\n{"queens": [1, 3, 0, 4]}', ["line 3", "queens[3]", "0 to 3"]),
        ('{"queens": [1, 3, 0, 2]}\n{"queens": [1, 2, 0]}', ["line 2", "3 rows"]),
        ('{"queens": [1, 3, 0, 2]}\n{"n": 3, "answer": "no solution"}\n', ["line 2", "no solution"]),
        ('{"queens": [1, 3, 0, 2]}\n{"n": 3, "solved": false}\n', ["line 2", "queens"]),
        ('{"queens": [1, 3, 0, 2]}\n{"queens": [1, 3', ["line 2", "JSON"]),
        ("1 nan 0", ["line 1"]),
        ("# made today\n% rows\n\n", ["comments"]),
        ("%...\n...%\n..%.\n....\n", ["column 1", "0 queens"]),
        ("b1 c2 d3", ["d3", "columns", "0 to 2"]),
        ("a1 b2\na1\n", ["line 2", "1 row"]),
        ('"","x"\n"1",0\n"\n2",1\n', ["line 2"]),
        ("[[[[[[0]]]], [[[[0]]]]], [[[[[0]]]], [[[[0]]]]]]", ["here"]),
    ],
)
def test_what_has_two_meanings_or_none_is_refused(text, named):
    with check_error(InputError, *named):
        parse_or_read(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Answer\nQ\nsee page 3\n", "Answer"),
        ("q\n= [1, 3, 5, 0, 2, 4]", "q"),
        ("dear all\nhello there\nF", "dear all"),
        ("11\n35\n0:\n2\n4\n", "0:"),
        ("2 3\n.Q..\n...Q\nQ...\n..Q.\n", ".Q.."),
        ("1 3 0 O2\n2 0 3 1", "1 3 0 O2"),
        ("x1 3 0 2\n1 3 0 2", "x1 3"),
        ("+3\n+1\n+0\n+2\n", "+3"),
        ("O\n1\n2\n0\n3", "O"),
        ("inf\n0\n", "inf"),
        ("O2\n0 1\n1 0\n", "O2"),
        (",O2\n0,1\n1,0\n", ",O2"),
        ("n = 4\n1\n3\n0\n2\n", "n = 4"),
        ("1\n3\nq =\n0\n2\n", "q"),
        ("lr = 0\nseed = 3\nn = 1\nk = 2\n", "lr = 0"),
        ("n = 4\nq = [1, 3, 0, 2]\n", "n = 4"),
        ("q[3] = 2\nq[0] = 1\nq[1] = 3\nq[2] = 0\n", "q[3] = 2"),
        ("int q[3] = 2\nint q[0] = 1\nint q[1] = 3\nint q[2] = 0\n", "int q[3] = 2"),
        ("1\n3\n0\n2\n---\n2\n0\n3\n1\n", "---"),
        ("1\n3\n-\n0\n2\n", "-"),
        ("hello\n.*..\n...*\n*...\n..*.\n", "hello"),
    ],
)
def test_text_is_neither_dropped_nor_guessed(text, named):
    with check_error(InputError, "here", re.compile(rf"holds '{re.escape(named)}")):
        parse_or_read(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Q\nQ\n", ["2 queens", "column 0"]),
        ("Q   \nQ   \nQ   \nQ   \n", ["4 queens", "column 0"]),
        ("Q..\n.Q.\n", ["3 squares", "2 lines"]),
        ("Q..\n.Q\n..Q\n", ["3 squares", "line 2", "2 squares"]),
        ("0 1 0 0\n0 0 0 1\n1 0 0 0\n", ["3 lines of 4"]),
        (",\n,\n", ["line 1"]),
    ],
)
def test_a_drawing_or_matrix_that_is_no_board_is_refused(text, named):
    with check_error(InputError, "here", *named):
        parse_or_read(text)


@pytest.mark.parametrize(("n", "is_read"), [(3, False), (4, True), (5, True)])
def test_words_around_a_drawing(n, is_read):
    board = [(2 * column + 1) % n for column in range(n)]
    text = drawn(board)
    assert parse_or_read("a b c d e"[: 2 * n - 1] + f"\n{text}").tolist() == board
    if is_read:
        assert parse_or_read(f"hello\n\n{text}").tolist() == board
    else:
        with check_error(InputError, "here"):
            parse_or_read(f"hello\n\n{text}")


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_only_texts_of_limited_size_are_read_as_those_of_other_programs(monkeypatch, more):
    text = "[1 3 0 2]"
    monkeypatch.setattr(board_formats, "MOST_FOREIGN", len(text) + more)
    if more > 0:
        assert parse_or_read(text).tolist() == [1, 3, 0, 2]
    else:
        with check_error(InputError, "here"):
            parse_or_read(text)


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("start", ["", "column,row\n"])
def test_a_long_text_that_begins_as_fastqueens_writes_it_is_read_in_no_other_way(monkeypatch, start, more):
    line = "{0},{0}" if start else "{0}"
    text = f"{start}{chr(10).join(map(line.format, range(20)))}#"
    monkeypatch.setattr(numbers, "BLOCK", len(text) + more)
    if more >= 0:
        assert parse_or_read(text).tolist() == list(range(20))
    else:
        with check_error(InputError, re.compile("19#")):
            parse_or_read(text)


def test_the_error_is_that_of_the_text_if_memory_is_short(monkeypatch):
    text = "0\n2 # two\n1\n"
    assert parse_or_read(text).tolist() == [0, 2, 1]
    monkeypatch.setattr("fastqueens.core.memory.available_memory", lambda: 0)
    monkeypatch.setattr(foreign_boards, "_BYTES_PER_LINE", 10**9)
    with check_error(InputError, "line 2", re.compile("2 # two")):
        parse_or_read(text)


@pytest.mark.parametrize(("depth", "is_read"), [(7, True), (8, True), (9, False), (900, False)])
def test_brackets_in_brackets(depth, is_read):
    text = "[" * depth + "1 3 0 2" + "]" * depth
    if is_read:
        assert parse_or_read(text).tolist() == [1, 3, 0, 2]
    for refused in [text.replace(" ", ","), *[text] * (not is_read)]:
        if depth > 8:
            with check_error(InputError, "here"):
                parse_or_read(refused)


@pytest.mark.parametrize("mapped_bytes", [1, 1000])
def test_boards_in_the_order_of_fortran(tmp_path, monkeypatch, mapped_bytes):
    monkeypatch.setattr(thresholds, "current", thresholds.current._replace(mapped_bytes=mapped_bytes))
    boards = np.array([[0, 2, 4, 1, 3], [1, 3, 0, 2, 4]], np.int32)
    np.save(tmp_path / "a.npy", np.asfortranarray(boards))
    assert read_boards(tmp_path / "a.npy").flags.c_contiguous
    assert read_boards(tmp_path / "a.npy").tolist() == boards.tolist()
    assert all(map(is_solution, read_boards(tmp_path / "a.npy")))


def test_a_plain_board_needs_no_reader_of_other_boards():
    script = """
import io, sys
from fastqueens.files import board_formats
board_formats.read_text(io.BytesIO(b"0"), "here", 0)
print(*sorted(name.rpartition(".")[2] for name in sys.modules if name.startswith("fastqueens.")))
"""
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "board_tables" in loaded
    assert not {"foreign_boards", "board_drawings", "board_arrays", "traces"} & {*loaded}


# Rows that count from 1


@pytest.mark.parametrize("read", [lambda text: parse_boards(text, 0), parse_or_read])
@pytest.mark.parametrize(
    ("text", "is_told"),
    [("2 4 1 3", True), ("4 4 4 4", True), ("2 3 1 3", None), ("2 4 0 3", False), ("2 5 1 3", False)],
)
def test_rows_from_1_are_suspected(read, text, is_told):
    if is_told is None:
        read(text)
        return
    with pytest.raises(InputError) as caught:
        read(text)
    assert ("rows_from=1" in str(caught.value)) == is_told


def test_rows_from_1_are_suspected_in_memory():
    with check_error(InputError, "column 1 has row 4", "rows_from=1"):
        is_solution([2, 4, 1, 3])
    with pytest.raises(InputError) as caught:
        is_solution([2, 4, 0, 3])
    assert "rows_from" not in str(caught.value)
