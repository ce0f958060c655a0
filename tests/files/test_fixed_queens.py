"""Fixed queens in files, and as squares on the command line."""

import re

import pytest
from errors import check_error

from fastqueens import InputError
from fastqueens.classroom.puzzles import puzzle
from fastqueens.files.instances import parse_square, read_fixed_queens, write_fixed_queens


@pytest.mark.parametrize("rows_from", [0, 1])
def test_written_queens_are_read_back(tmp_path, rows_from):
    squares = puzzle(1000, 100, seed=1)
    file = tmp_path / "fixed.csv"
    write_fixed_queens(file, squares, rows_from=rows_from)
    assert read_fixed_queens(file, 1000, rows_from=rows_from).tolist() == squares.tolist()
    column, row = squares[0].tolist()
    assert file.read_text().startswith(f"column,row\n{column},{row + rows_from}\n")
    write_fixed_queens(file, squares[:0])
    assert file.read_text() == "column,row\n"
    assert read_fixed_queens(file, 8).shape == (0, 2)


@pytest.mark.parametrize(
    "content",
    [
        "column,row\n1,2\n3,7",
        '"Row", "Column"\r\n2,1\r\n7,3\r\n',
        "# two queens\nrow;column\n\n2 ; 1 # the left one\n7;3\n\n",
        "COLUMN\tROW\n1\t2\n3  7\n",
        "column,row\r1,2\r3,7\r",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_header_says_which_is_the_column(tmp_path, content, encoding):
    file = tmp_path / "fixed.csv"
    file.write_bytes(content.encode(encoding))
    assert read_fixed_queens(file, 8).tolist() == [[1, 2], [3, 7]]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("column,row\n1,2\n8,0\n", ["line 3 holds 8", "columns", 0, 7]),
        ("column,row\n1,2\n\n0,-1\n", ["line 4 holds -1", "rows", 0, 7]),
        ("column,row\n1,two\n", ["line 2", "'two'"]),
        ("column,row\n1,2,3\n", ["line 2 holds 3 numbers", "column", "row"]),
        # Without a header, each line could be read in both orders.
        ("1,2\n", ["'1,2'", "column,row"]),
        ("x,y\n1,2\n", ["'x,y'", "column,row"]),
        ("column,column\n1,2\n", ["'column,column'", "column,row"]),
        ("", ["empty", "column,row"]),
        (" \n# nothing\n", ["'#'", "column,row"]),
    ],
)
def test_a_wrong_line_is_named(tmp_path, text, named):
    file = tmp_path / "fixed.txt"
    file.write_text(text)
    with check_error(InputError, re.compile("fixed.txt"), *named):
        read_fixed_queens(file, 8)


def test_a_square_is_a_column_and_a_row():
    assert parse_square(" 3 , 17 ") == (3, 17)
    assert parse_square("3,17", rows_from=1) == (3, 16)
    for text in ("3", "3;17", "b4", "3,", "3,17,2", "1e3,2"):
        with check_error(InputError, "3,17"):
            parse_square(text)
