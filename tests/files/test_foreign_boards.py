"""Boards that other programs wrote. foreign/README.md is a table of the files and the boards in each."""

import io
import json
import random
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from hypothesis import given, settings
from hypothesis import strategies as st
from lowered import lower, small_pieces

from fastqueens import InputError, is_solution, read_board, read_boards
from fastqueens.files import board_forms, numbers
from fastqueens.files.board_forms import SharedColumnError

FOLDER = Path(__file__).parent / "foreign"


def table():
    """Yield the cells of each line of the table: file, source, options, boards."""
    for line in (FOLDER / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            yield cells[0].strip("`"), *cells[1:]


def test_every_file_is_in_the_table():
    files = [cells[0] for cells in table()]
    assert len(set(files)) == len(files)
    assert {*files, "README.md"} == {path.name for path in FOLDER.iterdir()}


def test_a_file_is_read_or_refused_as_the_table_says(subtests):
    for cells in table():
        with subtests.test(file=cells[0]):
            check_line_of_table(*cells)


def check_line_of_table(file, source, options, boards):
    assert source
    rows_from = int(options == "rows_from=1")
    expected, _, named = boards.partition("refused: ")
    if named:
        with check_error(InputError, file, *named.split("; ")):
            read_boards(FOLDER / file, rows_from=rows_from)
        return
    expected = [[int(row) for row in board.split()] for board in boards.split(";")]
    with warnings.catch_warnings(record=True, action="always") as caught:
        assert read_boards(FOLDER / file, rows_from=rows_from).tolist() == expected
    assert [str(each.message).split()[1:3] for each in caught] == [["the", "pairs"]] * (file == "python-pairs.txt")
    if len(expected) == 1:
        with warnings.catch_warnings(action="ignore"):
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
    order = (0, 1) if header.startswith("c") else (1, 0)
    lines = [separator.join(str((column, row)[at] + first) for at in order) for column, row in enumerate(board)]
    return "\n".join([header, *reversed(lines)])


WRITERS = {
    "list": str,
    "braces": lambda board: str(board).replace("[", "{").replace("]", "}"),
    "array": lambda board: str(np.array(board)),
    "floats": lambda board: str(np.array(board, float)),
    "trailing commas": lambda board: "".join(f"{row}," for row in board),
    "comments": lambda board: (
        b"# ein Brett f\xfcr dich\n"
        + "".join(f"{row}  # column {column}\n" for column, row in enumerate(board)).encode()
    ),
    "lines of a Mac": lambda board: "\r".join(map(str, board)),
    "savetxt": text_saved,
    "savetxt line": lambda board: text_saved([board], delimiter=","),
    "matrix": lambda board: text_saved(matrix(board), fmt="%d"),
    "nested matrix": lambda board: str(matrix(board).astype(int).tolist()),
    "nested bools": lambda board: str(matrix(board).tolist()),
    "bools": lambda board: "\n".join("\t".join(map(str, row)) for row in matrix(board)),
    "float16": lambda board: saved(np.array(board, np.float16)),
    "bool matrix": lambda board: saved(matrix(board)),
    "0/1 matrix": lambda board: saved(matrix(board).astype(np.uint8)),
    "drawing": drawn,
    "stars": lambda board: drawn(board, "*", "-", ""),
    "digits": lambda board: drawn(board, "1", "0", ""),
    "crowns": lambda board: drawn(board, "♛", "_"),
    "bars": lambda board: drawn(board, "Q", " ", "|", "|"),
    "bars with 1": lambda board: drawn(board, "1", " ", "|", "|"),
    "markdown": lambda board: drawn(board, "X", " ", " | ", "|"),
    "rules": lambda board: f"{'-' * len(board)}\n{drawn(board, separator='')}{'-' * len(board)}\n",
    "strings": lambda board: str(drawn(board, separator="").split()),
    "unquoted strings": lambda board: f"[{', '.join(drawn(board, separator='').split())}]",
    "letters": lambda board: str([list(row) for row in drawn(board, separator="").split()]),
    "column;row": lambda board: squares(board, "column;row", ";"),
    "Row, Column": lambda board: squares(board, "Row, Column", ", "),
    "tabs": lambda board: squares(board, '"row"\t"column"', "\t"),
    "a comment above": lambda board: "# made today\n\n" + squares(board, "column,row", ","),
    "squares of a Mac": lambda board: squares(board, "column,row", ",").replace("\n", "\r"),
    "utf-16": lambda board: "\n".join(map(str, board)).encode("utf-16"),
    "json": lambda board: json.dumps({"queens": board}),
    "jsonl": lambda board: json.dumps({"n": len(board), "by": [1.5], "queens": board}) + "\n",
}


@given(board=st.integers(3, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
def test_a_board_is_read_back(tmp_path_factory, board):
    if board[0] == len(board) - 1 or len(set(board)) == 1:
        board = [0, *board[1:-1], 1]  # others can be read in two ways as text
    path = tmp_path_factory.getbasetemp() / "foreign-board"
    for name, writer in WRITERS.items():
        content = writer(board)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        assert read_board(path).tolist() == board, name


# Drawings in any style, with words around them

WORDS = [
    "Success",
    "H value: 0",
    "Pairs = 0",
    "N = 12",
    "=====SOLUTION FOUND IN 40 STEPS=====",
    "* done *",
    "Zeit: 3 s",
]


@st.composite
def drawings(draw):
    """Draw one or two boards, and a text with their drawing in a random style, or with something that spoils it."""
    random = draw(st.randoms(use_true_random=False))
    n, empty = random.randint(4, 12), random.choice("._-·0 ")
    queen = random.choice("qQ♛♕*X" if empty != "0" else "1")
    left, between, right = (
        ("", "", "") if empty == " " else random.choice([("", "", ""), ("", " ", ""), ("  ", "  ", " ")])
    )
    if empty == " " or random.random() < 0.4:
        left, between, right = random.choice(["", "|"]), random.choice(["|", " | "]), random.choice(["", "|"])
    boards = [[random.randrange(n) for _ in range(n)] for _ in range(random.choice([1, 1, 2]))]
    lines = []
    if random.random() < 0.1:  # the boards beside each other
        rows = [between.join(queen if row == at else empty for at in board) for row in range(n) for board in boards]
        gap = random.choice([" ", "   ", "\t"])
        return boards, "\n".join(gap.join(rows[at : at + len(boards)]) for at in range(0, len(rows), len(boards)))
    for board in boards:
        lines += [random.choice(WORDS)] * random.randint(0, 2) + [""] * random.randint(0, 1)
        lines += [left + between.join(queen if row == place else empty for place in board) + right for row in range(n)]
        lines += random.choices(["", *WORDS], k=random.randint(0, 2))
    if random.random() < 0.4:  # damage a line
        at = random.randrange(len(lines))
        spoilt = random.choice(["", "Step 3", lines[at][1:], lines[at] + empty, f"{lines[at]} {lines[at]}", "8", "Q"])
        lines[at : at + random.choice([0, 1])] = [spoilt]
    return boards, "\n".join(lines)


@settings(max_examples=20 * settings.default.max_examples)
@given(drawn=drawings())
def test_a_drawing_is_read_as_its_boards_or_refused(drawn):
    boards, content = drawn
    try:
        found = np.atleast_2d(read(content)).tolist()
    except InputError:
        return
    assert found in (boards, boards[:1], boards[1:])


@given(board=st.permutations(range(8)), words=st.lists(st.sampled_from(["", *WORDS]), max_size=3))
def test_a_drawing_with_words_around_it_is_read(board, words):
    content = "\n".join([*words, drawn(board).rstrip(), *words])
    assert read(content).tolist() == list(board)


# Files with two meanings


def read(text, rows_from=0):
    data = text if isinstance(text, bytes) else text.encode()
    found = board_forms.read_text(io.BytesIO(data), "here", rows_from)
    return found.boards(found.first_row(rows_from, "here"), "here")


ONE_MEANING = [
        ("column,row\n0,2\n1,3\n2,1\n", 1, [1, 2, 0]),
        ("column,row\n1,2\n2,3\n3,1\n", 1, [1, 2, 0]),
        ("1 2 0 # two\n# none\n", 0, [1, 2, 0]),
        ("\n\n 1 2 0 \n\n", 0, [1, 2, 0]),
        ("1 2 0\n\n0 2 1\n", 0, [[1, 2, 0], [0, 2, 1]]),
        ("[1, 2,\n 0]\n\n[0, 2, 1]\n", 0, [[1, 2, 0], [0, 2, 1]]),
        ("0\n1\n1\n0\n", 0, [0, 1, 1, 0]),
        ("1 1\n", 0, [1, 1]),
        ("0", 0, [0]),
        ("Q", 0, [0]),
        ("Q...\n.Q..\n..Q.\n...Q\n\n.Q..\nQ...\n..Q.\n...Q\n", 0, [[0, 1, 2, 3], [1, 0, 2, 3]]),
        ("4 1 3 0 2", 0, [4, 1, 3, 0, 2]),
        ("4\n1\n3\n0\n2\n", 0, [4, 1, 3, 0, 2]),
        ("1 3 0 2 4\n", 0, [1, 3, 0, 2, 4]),
        # what assignments print
        (".|Q|.|.|\n.|.|.|Q|\nQ|.|.|.|\n.|.|Q|.|\n", 0, [2, 0, 3, 1]),
        (" |Q| | |\n | | |Q|\nQ| | | |\n | |Q| |\n", 0, [2, 0, 3, 1]),
        ("q . . .\n. . q .\n. . . q\n. q . .\n", 0, [0, 3, 1, 2]),
        ("♛\ufe0e · · ·\n· · ♛\ufe0e ·\n· · · ♛\ufe0e\n· ♛\ufe0e · ·\n", 0, [0, 3, 1, 2]),
        ("N = 4\n.Q..\n...Q\nQ...\n..Q.\nH value: 0\nPairs = 0\n", 0, [2, 0, 3, 1]),
        ("Board:\n.Q..\n...Q\nQ...\n..Q.\n\nBoard:\n..Q.\nQ...\n...Q\n.Q..\nSuccess.\n", 0,
         [[2, 0, 3, 1], [1, 3, 0, 2]]),
        ("Board: 0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\nH value: 0\n", 0, [2, 0, 3, 1]),
        ("2 4 1 3\n3 1 4 2\nSuccess\n\n2 4 1 3\nFailure\n", 1, [[1, 3, 0, 2], [2, 0, 3, 1], [1, 3, 0, 2]]),
        ("Solution: 3 7 4 2 0 6 1 5\n", 0, [3, 7, 4, 2, 0, 6, 1, 5]),
        ("queens = [1, 3, 0, 2]\n", 0, [1, 3, 0, 2]),
        ("Solution 1: [1, 3, 0, 2]\nSolution 2: [2, 0, 3, 1]\n", 0, [[1, 3, 0, 2], [2, 0, 3, 1]]),
        ("[1, 3, 0, 2]\nTime: 0.02 s\n", 0, [1, 3, 0, 2]),
        ("# found\n1\n3  # one\n# next\n0\n2\nSuccess\n", 0, [1, 3, 0, 2]),
        ("col,row\n0,1\n1,3\n2,0\n3,2\nSuccess\n", 0, [1, 3, 0, 2]),
        ("37420615", 0, [3, 7, 4, 2, 0, 6, 1, 5]),
        ("2031\n1302\n", 0, [[2, 0, 3, 1], [1, 3, 0, 2]]),
        ("Solution: 37420615", 0, [3, 7, 4, 2, 0, 6, 1, 5]),
        ("a4 b8 c5 d3 e1 f7 g2 h6", 0, [3, 7, 4, 2, 0, 6, 1, 5]),
        ("['B4', 'A2', 'C1', 'D3']", 1, [1, 3, 0, 2]),
        ("(0,1) (1,3) (2,0) (3,2)", 0, [1, 3, 0, 2]),
        ("[(1, 2), (2, 4), (3, 1), (4, 3)]", 1, [1, 3, 0, 2]),
        ("(3,0) (1,2) (0,3) (2,1)", 0, [3, 2, 1, 0]),
        # All solutions for n = 6: the first column counts the lines, and they are boards all the same.
        ("1 3 5 0 2 4\n2 5 1 4 0 3\n3 0 4 1 5 2\n4 2 0 5 3 1\n", 0, [[1, 3, 5, 0, 2, 4], [2, 5, 1, 4, 0, 3],
                                                                      [3, 0, 4, 1, 5, 2], [4, 2, 0, 5, 3, 1]]),
        ('{"n": 4, "queens": [1, 3, 0, 2]}\r\n\n{"queens": [2, 0, 3, 1]}\n', 0, [[1, 3, 0, 2], [2, 0, 3, 1]]),
        ('{"queens": [2, 4, 1, 3]}\n{"queens": [3, 1, 4, 2]}\n', 1, [[1, 3, 0, 2], [2, 0, 3, 1]]),
        ('[{"queens": [1, 3, 0, 2]}, {"queens": [2, 0, 3, 1]}]', 0, [[1, 3, 0, 2], [2, 0, 3, 1]]),
        ('{"boards": [[1, 3, 0, 2], [2, 0, 3, 1]], "seed": 1}', 0, [[1, 3, 0, 2], [2, 0, 3, 1]]),
    ]  # fmt: skip


def test_what_has_one_meaning_is_read(subtests):
    for text, rows_from, expected in ONE_MEANING:
        with subtests.test(text=text, rows_from=rows_from, expected=expected):
            assert read(text, rows_from).tolist() == expected


TWO_MEANINGS_OR_NONE = [
    # pairs without a header
    ("0,1\n1,3\n2,0\n3,2\n", ["column,row"]),
    ("[(1, 0), (3, 1), (0, 2), (2, 3)]", ["column,row"]),
    ("Row and column:\n(0, 1) (1, 3) (2, 0) (3, 2)", ["column,row"]),
    ("0 1\n1 0\n", ["column,row", "boards of 2 queens"]),
    # labels
    ("0 1 2\n2 1 0\n", ["line 1"]),
    ("0,1,2,3\n1,3,0,2\n2,0,3,1\n", ["line 1"]),
    ("5 0 0 1 0 0\n4 0 0 0 0 1\n3 0 1 0 0 0\n2 0 0 0 1 0\n1 1 0 0 0 0\n", ["first column", "labels"]),
    ("0 0 1 0 0 5\n0 0 0 0 1 4\n0 1 0 0 0 3\n0 0 0 1 0 2\n1 0 0 0 0 1\n", ["last column", "labels"]),
    ("0 1 2 3\n0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n", ["line 1", "labels"]),
    ("1 1 2 0\n2 0 2 1\n3 0 0 0\n4 2 1 0\n5 1 1 1\n", ["first column", "labels"]),
    # square tables
    ("1 0 0 0\n0 0 2 0\n0 3 0 0\n0 0 0 4\n", ["square table", "permutation"]),
    ("0 1 0\n1 0 1\n", ["matrix of 0 and 1", "2 lines of 3"]),
    ("0 1 0 0\n0 0 0 1\n1 0 0 0\n", ["matrix of 0 and 1", "3 lines of 4"]),
    # n in front, where only the others are a solution
    ("8\n0\n4\n7\n5\n2\n6\n1\n3\n", ["first number, 8,", "remove"]),
    ("8 0 4 7 5 2 6 1 3", ["first number, 8,", "remove"]),
    ("8 1 5 8 6 3 7 2 4", ["first number, 8,", "remove"]),
    # drawings or rows
    ("1    \n   1 \n 1   \n    1\n  1  \n", ["drawing with blanks", "one row per line"]),
    ("\t1\t\t\n\t\t\t1\n1\t\t\t\n\t\t1\t\n", ["drawing with blanks"]),
    ("|2| | |\n| | |2|\n| |2| |\n", ["'|2|'"]),
    # blanks instead of marks for empty squares
    ("  Q \n  Q \n  Q \n  Q \n", ["'Q'", "empty squares"]),
    ("\t\tQ\t\nQ\t\t\t\n\t\t\tQ\n\tQ\t\t\n", ["'Q'"]),
    ("+----+\n| Q  |\n| Q  |\n| Q  |\n| Q  |\n+----+\n", ["4 rows of 1 square"]),
    (" |Q| | \n | |Q| \n |Q| \n |Q| | \n", ["line 3", "3 squares", "4"]),
    ("Q.\n.Q\nQ.\n.Q\n", ["4 rows of 2 squares"]),
    # marks that look like comments
    ("# # * #\n* # # #\n# # # *\n# * # #\n", ["'#'"]),
    ("0 # 0 0\n0 0 0 #\n# 0 0 0\n0 0 # 0\n", ["'#'"]),
    # other tables
    ("8\n0 4 7 5 2 6 1 3\n", ["line 2", "if the first line is n, remove it"]),
    ("0 0 1 0 1 0 0 0 0 0 0 1 0 1 0 0\n", ["matrix of 0 and 1 in one line"]),
    ("0\n0\n1\n1\n0\n0\n0\n1\n0\n", ["matrix of 0 and 1 in one line"]),
    ('{"queens": [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0]}', ["matrix of 0 and 1 in one line"]),
    ("0 0 1\n2 2 4\n4 4 2\n1 1 0\n3 3 3\n", ["each column of the table is a permutation"]),
    ('{"boards": [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]]}', ["matrix"]),
    # separators and brackets
    ("{0 0, 1 2, 2 1}", ["list 1", "'0 0'"]),
    ("[1 0 0;0 1 0;0 0 1]", ["list 1", "'1 0 0'"]),
    ("[1,,0]", ["list 1", "''"]),
    ("1,0,,\n0,1,,\n", ["line 1", "''"]),
    (",0,1\n0,1,0\n1,0,1\n", ["line 1", "''"]),
    (",1,\n1,,\n,,1\n", ["line 1", "''"]),
    ("[1, 3, 0, 2", ["brackets do not match"]),
    ("[[1, 3, 0, 2], [2, 0, 3, 1]", ["brackets do not match"]),
    ("1, 3, 0, 2]", ["'1, 3, 0, 2'", "outside of brackets"]),
    ("[1, 3, [0, 2]]", ["'1, 3'", "outside of brackets"]),
    ("[1, 3], 0, 2", ["'0, 2'", "outside of brackets"]),
    # lines
    ("1\n\n0\n2\n", ["line 2", "blank"]),
    ("1 3 0 2\n2 0 1\n", ["line 2", "3 numbers"]),
    ("column,row\n1,1\n2,1\n3,2\n", ["columns", "rows_from=1"]),
    ("1_0\n2\n", ["line 1", "'1_0'"]),
    # JSON
    ('[{"n": 5, "queens": [1, 3, 0, 2]}]', ["board 1", "n is 5", "4 rows"]),
    ('[{"queens": [1, 3, 0, 2]}, {"queens": [1, 3, 0, 4]}]', ["board 2", "queens[3]", "0 to 3"]),
    ('{"queens": [1, 3, 0, 2], "boards": [[2, 0, 3, 1]]}', ["queens", "boards"]),
    ('{"queens": [1, 3, 0, 2]}\n\n{"queens": [1, 3, 0, 4]}', ["line 3", "queens[3]", "0 to 3"]),
    ('{"queens": [1, 3, 0, 2]}\n{"queens": [1, 2, 0]}', ["line 2", "3 rows"]),
    ('{"queens": [1, 3, 0, 2]}\n{"n": 3, "answer": "no solution"}\n', ["line 2", "no solution"]),
    ('{"queens": [1, 3, 0, 2]}\n{"n": 3, "solved": false}\n', ["line 2", "queens"]),
    ('{"queens": [1, 3, 0, 2]}\n{"queens": [1, 3', ["line 2", "JSON"]),
    ('{"boards": [[1, 3, 0, 2], {"queens": []}]}', ["boards[1]"]),
    # nothing
    ("# made today\n\n", ["empty"]),
    ("column,row\n", ["empty"]),
    # digits
    ("15863724\n", ["column 2", "0 to 7", "rows_from=1"]),
    ("10\n", ["line 1", "0 to 0", "blanks"]),
    ("0010\n", ["line 1", "0 to 0", "blanks"]),
    ("12345678901\n", ["line 1", "0 to 0", "blanks"]),
    ("37420615 46152037\n", ["column 0", "37420615"]),
    ("0001\n0000\n0002\n0003\n", ["0001", "4 rows"]),
    ("Steps needed\n2031\n", ["2031", "4 rows"]),
    # squares
    ("a1 b2 c3 e4", ["e4", "4 queens"]),
    ("a1 b2 c3 d5", ["d5", "4 queens"]),
    # drawings beside each other
    ("..Q. .Q..\nQ... ...Q\n...Q Q...\n.Q.. ..Q.\n", ["line 1", "2 rows", "below"]),
    (". . Q .   . Q . .\n" * 8, ["gap", "below"]),
    ("0 0 1 0   0 1 0 0\n" * 8, ["gap", "below"]),
    ("|.|Q|.|.| |.|Q|.|.|\n" * 4, ["4 rows of 9 squares"]),
    # text
    (".Q..\n...Q\nSuccess\nQ...\n..Q.\n", ["line 3", "separates"]),
    (".Q..\n...Q\n\nQ...\n..Q.\n", ["line 3", "separates"]),
    ("====\n.Q..\n...Q\n\nQ...\n..Q.\n====\n", ["line 4", "separates"]),
    ("1\n3\nSuccess\n0\n2\n", ["line 3", "'Success'", "between rows"]),
    ("[1, 3,\nand\n0, 2]", ["line 2", "'and'", "brackets"]),
    ("column,row\n0,1\n1,3\n2,0\n3,two\n", ["line 5", "'two'"]),
    ("1 3 0 2\n2 0 3 one\n", ["line 2", "'one'"]),
    (".Q..\n...Q\nQ...\n..Q.\nMoves: 3 1 2 0\n", ["line 5", "'Moves: 3 1 2 0'"]),
    (".Q..\n...Q\nQ...\n..Q.\nNext ..Q.\n", ["line 5", "'Next ..Q.'"]),
    ("Solved\n0\n", ["line 1", "'Solved'", "1 queen"]),
    ("Start: 1 3 0 2\nQueens: 2 0 3 1\n", ["labels", "Queens:, Start:"]),
    ("Conflicts: 1 3 0 2\n", ["line 1", "'Conflicts: 1 3 0 2'"]),
    ("8\n.Q..\n...Q\nQ...\n..Q.\n", ["line 1", "'8'"]),
    (".Q..\n...Q.\nQ...\n..Q.\n", ["line 2", "5 squares", "4"]),
    (".Q..\n...Q\nQ...\n", ["3 rows of 4 squares"]),
]


def test_what_has_two_meanings_or_none_is_refused(subtests):
    for text, named in TWO_MEANINGS_OR_NONE:
        named = map(re.compile, map(re.escape, named))
        with subtests.test(text=text), check_error(InputError, "here", *named):
            read(text)


ARRAYS = [
    ([np.diag([2, 2, 2, 2])], ["square table"]),
    ([np.array([[0, 1, 2, 3], [2, 0, 3, 1]])], ["number the columns"]),
    ([np.array([[5, 0, 0], [4, 1, 0], [3, 0, 1], [2, 0, 0], [1, 0, 1]])], ["first column"]),
    ([np.arange(4), np.array([1, 3, 0, 2])], ["arr_0 and arr_1"]),
    ([np.eye(4, dtype=int).ravel()], ["matrix of 0 and 1 in one line"]),
    ([np.array([8, 0, 4, 7, 5, 2, 6, 1, 3])], ["first number, 8,"]),
]


@pytest.mark.parametrize("boards", [[[1, 3, 0, 2]] * 4, [[(2 * c + r) % 5 for c in range(5)] for r in range(5)]])
def test_as_many_boards_as_queens_are_read_line_by_line(tmp_path, boards):
    """Even if each column of the table is a permutation, too."""
    path = tmp_path / "boards.txt"
    path.write_text("".join(" ".join(map(str, board)) + "\n" for board in boards))
    assert read_boards(path).tolist() == boards


def test_arrays_with_two_meanings_are_refused(subtests, tmp_path):
    for suffix in [".npy", ".npz"]:
        for number, (arrays, named) in enumerate(ARRAYS):
            with subtests.test(arrays=arrays, named=named, suffix=suffix):
                path = tmp_path / str(number) / f"a{suffix}"
                path.parent.mkdir(exist_ok=True)
                if suffix == ".npz":
                    np.savez(path, *arrays)
                elif len(arrays) == 1:
                    np.save(path, arrays[0])
                else:
                    continue
                with check_error(InputError, f"a{suffix}", *map(re.compile, map(re.escape, named))):
                    read_boards(path)


def test_a_column_of_an_array_is_a_board(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[1], [3], [0], [2]]))
    assert read_board(tmp_path / "a.npy").tolist() == [1, 3, 0, 2]


WRONG = [
    ("[{0: 1, 1: 3, 2: 0, 3: 2}, {0: 2, 1: 0, 2: 3, 3: 1}]", "'0: 1'"),
    ("x0 = 1\nx1 = 3\nx2 = 0\nx3 = 2\n", "'x0'"),
    ("q <- c(1, 3, 0, 2)", "'q <- c'"),
    ('[\n [".Q..",  // Solution 1\n  "...Q",\n  "Q...",\n  "..Q."]]', "line 2"),
    ("array([1, 3, 0, 2])", "'array([1, 3, 0, 2])'"),
    ("[    0     2     4 ... 95 97 99]", "'...'"),
    ("8/8/8/8/8/8/8/Q7 w - - 0 1", "'8/8"),
    ("1?4??3", "'1?4??3'"),
    ("[0, 4, null, null]", "'null'"),
    ("  a b c d\n4 . . Q .\n3 Q . . .\n2 . . . Q\n1 . Q . .\n", "line 1 holds 'a b c d'"),
    ("0 . Q . .\n1 . . . Q\n2 Q . . .\n3 . . Q .\n", "line 3"),
    (",a,b,c\n0,0,1,0\n1,1,0,0\n2,0,0,1\n", "''"),
    ("a,b\n0,1\n1,0\n", "'a'"),
    ("O . .\n. . O\n. O .\n", "not a whole number"),
    ("X O O\nO O X\nO X O\n", "not a whole number"),
    ("Q 0 0\n. . Q\n. Q .\n", "'.', '0', 'Q'"),
    ("hello", "'hello'"),
    ("\0\1\2", "not a whole number"),
]


def test_the_error_says_what_is_wrong_and_what_can_be_read(subtests):
    for text, named in WRONG:
        with subtests.test(text=text, named=named):
            with check_error(InputError, "here", re.compile(re.escape(named))) as caught:
                read(text)
            assert "column,row" in caught.value.__notes__[0]


PAIRS = [
    ("Q..\nQ..\n..Q\n", [[0, 0], [0, 1]]),
    ("0 1 0 0\n0 1 0 0\n0 0 0 1\n1 0 0 0\n", [[1, 0], [1, 1]]),
    ("[[0, 0, 1], [1, 0, 0], [0, 0, 1]]", [[2, 0], [2, 2]]),
    ("column,row\n0,1\n2,0\n2,1\n", [[2, 0], [2, 1]]),
    ("row,column\n1,0\n1,2\n0,2\n", [[2, 0], [2, 1]]),
]


def test_two_queens_in_a_column_are_a_wrong_answer(subtests):
    for text, pair in PAIRS:
        with subtests.test(text=text, pair=pair):
            with pytest.raises(SharedColumnError, match=f"column {pair[0][0]}") as caught:
                read(text)
            assert caught.value.pair == pair
            assert len(caught.value.squares) == len({*map(tuple, caught.value.squares.tolist())})


def test_a_drawing_with_another_number_of_queens_is_refused(subtests):
    for queens, n in [(2, 3), (4, 3), (7, 8), (9, 8)]:
        with subtests.test(queens=queens, n=n):
            marks = ["Q"] * queens + ["."] * (n * n - queens)
            random.Random(queens).shuffle(marks)
            with check_error(InputError, "drawing", f"{queens} queens", f"{n} rows"):
                read("\n".join("".join(marks[at : at + n]) for at in range(0, n * n, n)))


# Numbers in blocks of any size


@st.composite
def number_texts(draw):
    """Draw a text of numbers, and the rows of its table; None if it has none."""
    width = draw(st.integers(1, 4))
    table = draw(st.lists(st.lists(st.integers(0, 120), min_size=width, max_size=width), min_size=1, max_size=8))
    separator = draw(st.sampled_from([" ", ", ", ",", ";", "\t", "  "]))
    end = draw(st.sampled_from(["\n", "\r\n", " \n", "\n\n", "# three\n", "#\n"]))
    brackets = draw(st.sampled_from(["", "", "[]", "()", "{}"]))
    lines = [separator.join(map(str, row)) for row in table]
    if brackets:
        lines = [f"{brackets[0]}{line}{brackets[1]}" for line in lines]
    return end.join(lines) + draw(st.sampled_from(["", end])), table


@settings(max_examples=12 * settings.default.max_examples)
@given(drawn=number_texts(), block=st.integers(1, 40))
def test_a_table_is_the_same_for_blocks_of_any_size(drawn, block):
    text, expected = drawn
    with small_pieces(100, block):
        assert numbers.read_table(io.BytesIO(text.encode()), "here").numbers.tolist() == expected


@settings(max_examples=12 * settings.default.max_examples)
@given(text=st.text("0123456789 ,;\n[]-.#x", max_size=40), block=st.integers(20, 60))
def test_numbers_are_never_misread(text, block):
    """From any text, the reader gets the numbers that a simple parser finds in it."""
    with small_pieces(100, block):
        try:
            table = numbers.read_table(io.BytesIO(text.encode()), "here")
        except InputError:
            return
    words = re.sub(r"#[^\n]*", "", text)
    words = re.sub(r"[,;\[\]]", " ", words).split()
    assert table.numbers.ravel().tolist() == [int(word) if word.isdigit() else float(word) for word in words]


def test_a_line_is_named_far_into_a_file():
    lines = [f"{row}\n" for row in range(200_000)]
    lines[100] = "# a comment\n"
    for wrong, named in (("7.5\n", "'7.5'"), ("200000\n", 200000)):
        lines[190_000] = wrong
        with check_error(InputError, "line 190001", named):
            read("".join(lines))


def test_a_large_text_is_only_read_as_numbers(monkeypatch):
    drawing = ".Q..\n...Q\nQ...\n..Q.\n"
    monkeypatch.setattr(board_forms, "MOST_DRAWN", len(drawing) + 1)
    assert read(drawing).tolist() == [2, 0, 3, 1]
    for more in (0, 1):
        with check_error(InputError, "line 1"):
            read(drawing + "." * more + "\n")


@pytest.mark.parametrize("mapped_bytes", [1, 1000])
def test_boards_in_the_order_of_fortran(tmp_path, monkeypatch, mapped_bytes):
    lower(monkeypatch, mapped_bytes=mapped_bytes)
    boards = np.array([[0, 2, 4, 1, 3], [1, 3, 0, 2, 4]], np.int32)
    np.save(tmp_path / "a.npy", np.asfortranarray(boards))
    assert read_boards(tmp_path / "a.npy").flags.c_contiguous
    assert read_boards(tmp_path / "a.npy").tolist() == boards.tolist()
    assert all(map(is_solution, read_boards(tmp_path / "a.npy")))


# Rows that count from 1


SUSPECTED = [("2 4 1 3", True), ("4 4 4 4", True), ("2 3 1 3", None), ("2 4 0 3", False), ("2 5 1 3", False)]


def test_rows_from_1_are_suspected(subtests):
    for text, is_told in SUSPECTED:
        with subtests.test(text=text, is_told=is_told):
            if is_told is None:
                read(text)
                continue
            with pytest.raises(InputError) as caught:
                read(text)
            assert ("rows_from=1" in str(caught.value)) == is_told
