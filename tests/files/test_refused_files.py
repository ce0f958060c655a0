"""What is wrong in a file is named: the file, the place in it, the value, and what would be valid."""

import io
import os
import pickle
import re

import numpy as np
import pytest
from errors import check_error

from fastqueens import InputError, NoSolutionError
from fastqueens.files.boards import read_board
from fastqueens.files.instances import read_instance
from fastqueens.files.traces import read_trace

READERS = {
    "board": read_board,
    "instance": read_instance,
    "trace": read_trace,
    "table": lambda path: read_instance(path, n=8),
}


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


class Explosive:
    """Makes a folder when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("exploded",)


def trace_npz(**changes):
    return npz(**{"restarts": np.zeros(0, int), "pairs": [1], "conflicting_queens": [2], **changes})


BOARD = npy(np.array([1, 3, 0, 2], np.int32))

#: By file: contents, and what the error names.
REFUSED = {
    "board.txt": [
        (b"1\n3.5\n0\n2\n", "line 2", "'3.5'"),
        (b"1\n0x3\n0\n2\n", "line 2", "'0x3'"),
        ("1\n\uff13\n0\n2\n".encode(), "line 2", "'\uff13'"),
        (b"1\n\n0\n2\n", "line 2", "blank"),
        (b"1\n3\n0\n4\n", "line 4 holds 4", "0 to 3"),
        (b"0\n" + b"9" * 5000, "line 2", "19 digits", "0 to 1"),
        (b"4294967296\n", "line 1", 4294967296),
        (b"x" * 1000, "delete the words"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "picture"),
        (b"\x89PMG\r\n\x1a\n\0\0\0", "not a text"),
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"1 3 0 4\n", "column 3 holds 4", "0 to 3"),
        (b"1 3 0 2\n1 3 0 2\n", "2 boards", "single"),
        (b"1 3 0 x\n", "line 1", "'1 3 0 x'"),
    ],
    "board.csv": [
        (b"", "empty"),
        (b"column,row\n0,1\n1,0\n1,0\n", "column 1", "rows 0 and 0"),
        (b"column,row\n0,1\n1,0\n3,0\n", "line 4 holds 3", "3 queens", "0 to 2"),
        (b"column,row\n0,1\n-1,0\n", "line 3 holds -1", "2 queens", "0 to 1"),
        (b"column,row\n0,0\n1,2\n", "line 3 holds 2", "0 to 1"),
        (b"row,size\n0,0\n", "header", "column and row"),
        (b"column,row\n0,0\n1\n", "line 3", "1 number"),
    ],
    "board.json": [
        (b" \n", "empty"),
        (b'{"n": 5, "queens": [1, 3, 0, 2]}', "n is 5", "4 rows"),
        (b'{"n": true, "queens": [0]}', "n is True", "1 row"),
        (b'{"queens": [1, 3, true, 2]}', "queens[2] holds True"),
        (b'{"queens": [1, 3, 0.5, 2]}', "queens[2] holds 0.5"),
        (b"[1, 3, 0.5, 2]", "line 1", "'[1, 3, 0.5, 2]'"),
        (b'{"n": 4, "queens": "1302"}', "queens holds '1302'"),
        (b'{"n": 4, "rows": []}', '"queens"'),
        (b"[-1]", "list 1 holds -1", "0 to 0"),
        (b"[1" + b"0" * 30 + b"]", "list 1", "19 digits", "0 to 0"),
        (b'{"n": ' + b"1" * 5000 + b', "queens":[0]}', "thousands of digits"),
        (b'{"queens": [0], "queens": [0]}', "'queens' twice"),
        (b'{"queens": [1, 3,\n 0 x]}', "line 2, character 4", "','"),
        (b"[" * 100_000, "not closed"),
        (b'{"queens": ' + b"[" * 100_000, "nested"),
        (b'{"queens": [\xff]}', "byte 13", "UTF-8"),
    ],
    "board.npy": [
        (b"", "empty"),
        (npy(np.zeros((2, 2), int)), "0 queens", "2 rows"),
        (npy(np.full((2, 3), 2)), "2 boards"),
        (npy(np.zeros((2, 2, 2), int)), "(2, 2, 2)"),
        (npy(np.array([1.0, 0.5])), "0.5"),
        (npy(np.array([1.0, np.nan])), "nan"),
        (npy(np.array([1.0, 1j])), "complex128"),
        (npy(np.zeros(2, [("row", "i4")])), "[('row', '<i4')]"),
        (npy(np.array([Explosive()], object)), ".npy", re.compile("object")),
        (pickle.dumps(Explosive()), "not an .npy file"),
        (npy(np.zeros(0, np.int32)), "empty"),
        (BOARD[:-1], "cannot be read as .npy"),
        (BOARD[:3], "not an .npy file", r"b'\x93NU'"),
        (BOARD + b"1", "1 bytes follow"),
        (npy(np.array([1, 4, 0, 2])), "column 1 holds 4", "0 to 3"),
        (npy(np.array([0, 2**64 - 1], np.uint64)), "column 1", 2**64 - 1, "0 to 1"),
    ],
    "instance.json": [
        (b"", "empty", "object"),
        (b"[]", "holds []", "object"),
        (b'{"n": 8 "fixed"}', "line 1, character 9"),
        (b'{"n": 8, "n": 8}', "'n' twice"),
        (b'{"n": 8, "queens": []}', "'queens'", "fixed", "blocked"),
        (b'{"n": "8"}', "n holds '8'"),
        (b'{"n": 0}', "n is 0"),
        (b'{"fixed": []}', '"n": 8', "give n"),
        (b'{"n": 8, "fixed": {"1": 3}}', "fixed holds {'1': 3}", "[column, row]"),
        (b'{"n": 8, "blocked": [[1, 3.5]]}', "blocked[0] holds [1, 3.5]", "[column, row]"),
        (b'{"n": 8, "fixed": [[7, 8]]}', "fixed[0] holds 8", "rows", "0 to 7"),
        (b'{"n": 8, "fixed": [[7, 1' + b"0" * 20 + b"]]}", "fixed[0]", "19 digits", "rows"),
        (b'{"n": 8, "fixed": [[1, 2], [1, 3]]}', "column 1", "row 2", "row 3"),
        (b'{"n": 8, "excluded_differences": [7, 8]}', "excluded_differences[1] holds 8", "-7 to 7"),
        (b'{"n": 8, "excluded_sums": 3}', "excluded_sums holds 3"),
        (b'{"n": 8,\n "blocked": [[1, 3],\n   [8, 0]]}', "line 3: blocked[1] holds 8", "columns", "0 to 7"),
        (b'{"n": 8,\r\n "fixed": [\r\n[0, 3],\r\n [1]]}', "line 4: fixed[1] holds [1]"),
        (b'{"n": 8, "excluded_sums": [1,\n\n 15]}', "line 3: excluded_sums[1] holds 15", "0 to 14"),
        (b'{"n": 8, "excluded_differences": [1, 2.5]}', "line 1: excluded_differences[1] holds 2.5"),
    ],
    "instance.jsonl": [
        (b'{"fixed": []}', '"n": 8', "give n"),
        (b'\n{"n": 4', "line 2", "character 8"),
        (b'\n{"n": 4, "n": 4}', "line 2", "'n'"),
        (b'{"n": 4}\n{"n": 4}\n', "several instances"),
    ],
    "instance.param": [
        (b"", "size of the board"),
        (b"diags = []", "n = 8", "give n"),
        (b"n = 8\nqueens = 3", "line 2", "'queens'", "init", "blocks"),
        (b"foo n = 3", "line 1", "'foo'", "NAME = VALUE"),
        (b"n = 8\nn = 8", "line 2", "n again"),
        (b"n = eight", "n holds 'eight'", "line 1"),
        (b"n = 8\n\ninit = [[1, 2],\n[3 4]]", "line 4"),
        (b"n = 8\ninit = " + b"[" * 100000, "init", "nested"),
        (b"n = 8\ninit = 3", "init holds 3", "[column, row]"),
        (b"n = 8\ninit = [[1, 2], [1, 3]]", "column 1", "row 2", "row 3"),
        (b"n = 8\ndiags = [[15, 0]]", "diags[0] holds 15", "0 to 14"),
        (b"n = 8\nnumdiags = 2\ndiags = [[3, 1]]", "numdiags is 2", "1 diagonal"),
        (b"n = 8\nnumsum = x\nsumdiags = []", "numsum holds 'x'"),
        (b"n = 8\ndiffdiags = [-8]", "diffdiags[0] holds -8", "-7 to 7"),
        (b"n = 8\ninit = [[\xff]]", "init"),
        (b"n = " + b"a" * 10**6, re.compile("n holds 'a{30,50} [.]{3}")),
        (b"n = " + b"9" * 5000, re.compile("n: .{,80}")),
        (b"n = 8\n$ squares\nletting init = [[1, 2],\n[3, 9]]", "line 4: init[1] holds 9", "rows", "0 to 7"),
        (b"n = 8\nletting blocks be [\n[1, 2],\n[3, 4],\n[0, 1]]", "line 5: blocks[2] holds 0", "rows", "1 to 8"),
        (b"n = 8\ndiags = [[1, 1],\n [2, 7]]", "line 3: diags[1] holds 7"),
        (b"n = 8\nletting sumdiags = [1, 2,\n 33; int(1..3)]", "line 3: sumdiags[2] holds 33"),
    ],
    "instance.lp": [
        (b"block(1,1).", "size(8).", "give n"),
        (b"size(4).\nblock(1,5).", "line 2: block(i,j) holds 5", "columns", "1 to 4"),
        (b"size(4).\nblock(1,1).\n\nblock(0,1).", "line 4: block(i,j) holds 0", "rows", "1 to 4"),
        (b"size(4).\n% block(1,1).\nqueen(1,1).\nqueen(-1,1).", "line 4: queen(i,j) holds -1", "1 to 4"),
        (b"size(8). queen(3,2). queen(4,2).", "column 1", "row 2", "row 3"),
        *((b"size(4).\nblock(1,%d)." % row, "line 2: block(i,j)", "19 digits") for row in (2**63, 2**64 + 1, 10**25)),
        (b"size(4).\nblock(1,1)", "line 2, character 1 holds 'block(1,1)'", "queen(i,j)."),
        (b"size(4).\n\nfoo(1,2). block(1,1).", "line 3, character 1 holds 'foo(1,2). block(1,1).'"),
        (b"size(4).\nblock(X,Y) :- num(X).", "line 2, character 1 holds 'block(X,Y) :- num(X).'"),
        (b"size(4). board(5).", "4 and 5"),
        (b"num(1). num(3).", "num(3)", "num(2)"),
        (b"num(2).", "num(2)", "num(1)"),
        (b"size(0).", "n is 0"),
        (b"size(4).\n 1block(,2).", "line 2, character 2 holds '1block(,2).'"),
        (b"size(4). %* a\nblock(1,1).", "line 1, character 10", "%*", "*%"),
        (b"".join(b"size(%d)." % i for i in range(1, 999)), "1 and 2"),
    ],
    "instance.csv": [(b"1,3\n", "give n")],
    "table.csv": [(b"1,2\n1,3\n", "column 1", "row 2", "row 3"), (b"1,8\n", "line 1 holds 8", "0 to 7")],
    "instance.data": [
        *((text, re.compile("begins with|line 1")) for text in (b"hello", b"1 3\n", b"?", b"[1")),
        (b"%* size(4).", "line 1", "%*"),
    ],
    "trace.csv": [
        (b"", "empty"),
        (b"1,0,5,x\n", "line 1", "'x'"),
        (b"1,0,5\n", "line 1", "'1,0,5'", "4 numbers"),
        (b"1,0,5,4\n1,2,5,4\n", "line 2", "attempt 1, step 2", "attempt 1, step 1"),
        (b"1,0,5,4\n3,0,5,4\n", "line 2", "attempt 3, step 0", "attempt 2, step 0"),
        (b"2,0,5,4\n", "line 1", "attempt 2, step 0", "attempt 1, step 0"),
        (b"1,0,-5,4\n", "pairs[0] holds -5"),
        (b"1,0,1" + b"0" * 30 + b",4\n", "pairs[0]", "19 digits"),
    ],
    "trace.json": [(b"{}", "traces", ".json")],
    "trace.npy": [(BOARD, "'.npy'", ".csv", ".npz")],
    "trace.npz": [
        (b"", ".npz"),
        (BOARD, ".npz"),
        (npz(pairs=[1]), "restarts", "conflicting_queens"),
        (trace_npz(pairs=[1.0]), "pairs holds float64"),
        (trace_npz(pairs=[[1]]), "one-dimensional"),
        (trace_npz(pairs=np.array([{}], object)), re.compile("Object arrays")),
        *((trace_npz(n=n), f"n holds {n!r}", "from 1") for n in (0, "8", [8])),
        *((trace_npz(seed=seed), f"seed holds {seed}", "0 to 18446744073709551615") for seed in (-1, 1.5, True)),
        (trace_npz(start=3), "start holds 3"),
    ],
}


def cases(table):
    return [
        pytest.param(name, content, named, id=f"{name}-{number}")
        for name, contents in table.items()
        for number, (content, *named) in enumerate(contents)
    ]


def check_refusal(kind, path, content, named):
    path.write_bytes(content)
    with check_error(kind, re.compile(f"^{re.escape(str(path))}: "), *named) as caught:
        READERS[path.stem](path)
    assert len(str(caught.value)) < len(str(path)) + 400


@pytest.mark.parametrize(("name", "content", "named"), cases(REFUSED))
def test_a_wrong_file_is_refused(tmp_path, monkeypatch, name, content, named):
    monkeypatch.chdir(tmp_path)
    check_refusal(InputError, tmp_path / name, content, named)
    assert os.listdir() == [name]


CONTRADICTIONS = {
    "instance.json": [(b'{"n": 8, "fixed": [[0, 0], [1, 1]]}', "column 0, row 0", "column 1, row 1")],
    "instance.jsonl": [(b'\n{"n": 8, "fixed": [[0, 0], [1, 1]]}', "line 2", "column 0, row 0", "column 1, row 1")],
    "instance.lp": [(b"size(8). queen(1,2). block(1,2).", "column 1, row 0", "blocked", "here columns and rows")],
    "instance.param": [(b"n = 8\ninit = [[1, 3]]\ndiags = [[4, 1]]", "column 1, row 3", "sum diagonal 4")],
}


@pytest.mark.parametrize(("name", "content", "named"), cases(CONTRADICTIONS))
def test_constraints_that_contradict_each_other(tmp_path, name, content, named):
    check_refusal(NoSolutionError, tmp_path / name, content, named)
