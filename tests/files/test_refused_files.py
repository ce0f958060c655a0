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


HEADER = b"attempt,step,pairs,conflicting_queens\n"

BOARD = npy(np.array([1, 3, 0, 2], np.int32))

#: By file: contents, and what the error names.
REFUSED = {
    "board.txt": [
        (b"1\n3.5\n0\n2\n", "line 2", "'3.5'"),
        (b"1\n0x3\n0\n2\n", "line 2", "'0x3'"),
        ("1\n\uff13\n0\n2\n".encode(), "line 2", "'\uff13'"),
        (b"1\n\n0\n2\n", "line 2", "blank"),
        (b"1\n3\n0\n4\n", "line 4 holds 4", "0 to 3"),
        (b"0\n" + b"9" * 5000, "line 2", "19 digits"),
        (b"4294967296\n", "line 1", 4294967296),
        (b"x" * 1000, "delete the words"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "picture"),
        (b"\x89PMG\r\n\x1a\n\0\0\0", "not a text"),
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"1 3 0 4\n", "column 3 holds 4", "0 to 3"),
        (b"1 3 0 2\n1 3 0 2\n", "2 boards", "single"),
        (b"1 3 0 x\n", "line 1", "'x'"),
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
        (b"[1, 3, 0.5, 2]", "list 1", "'0.5'"),
        (b'{"n": 4, "queens": "1302"}', "queens holds '1302'"),
        (b'{"n": 4, "rows": []}', '"queens"'),
        (b"[-1]", "list 1 holds -1", "0 to 0"),
        (b"[1" + b"0" * 30 + b"]", "list 1", "19 digits"),
        (b'{"n": ' + b"1" * 5000 + b', "queens":[0]}', "thousands of digits"),
        (b'{"queens": [0], "queens": [0]}', "'queens' twice"),
        (b'{"queens": [1, 3,\n 0 x]}', "line 2, character 4", "','"),
        (b"[" * 100_000, "not closed"),
        (b'{"queens": ' + b"[" * 100_000, "nested"),
        (b'{"queens": [\xff]}', "byte 13", "UTF-8"),
    ],
    "board.npy": [
        (b"", "empty"),
        (npy(np.zeros((2, 2), int)), "pairs"),
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
        (b"[]", "'[]'", "object"),
        (b'{"n": 8 "fixed"}', "line 1, character 9"),
        (b'{"n": 8, "n": 8}', "'n' twice"),
        (b'{"n": 8, "queens": []}', "board with gaps", "fixed", "blocked"),
        (b'{"n": "8"}', "n holds '8'", '"n": 8'),
        (b'{"n": true}', "n holds True"),
        (b'{"n": null}', "n holds None"),
        (b'{"n": 0}', "n is 0"),
        (b'{"n": ' + b"9" * 4000 + b"}", "n is a number of more than 30 digits"),
        (b'{"fixed": []}', "size", '"n": 8'),
        (b'{"n": 8, "fixed": null}', "fixed holds None", "[column, row]"),
        (b'{"n": 8, "fixed": {"1": 3}}', "fixed holds {'1': 3}", "[column, row]"),
        (b'{"n": 8, "fixed": [3]}', "fixed[0] holds 3", "[column, row]"),
        (b'{"n": 8, "fixed": [[1, 2, 3]]}', "fixed[0] holds [1, 2, 3]", "[column, row]"),
        (b'{"n": 8, "fixed": [[1, true]]}', "fixed[0] holds [1, True]", "[column, row]"),
        (b'{"n": 8, "blocked": [[1, 3.5]]}', "blocked[0] holds [1, 3.5]", "[column, row]"),
        (b'{"n": 8, "fixed": [[7, 8]]}', "fixed[0] holds [7, 8]", "0 to 7"),
        (b'{"n": 8, "fixed": [[0, 7], [-1, 0]]}', "fixed[1] holds [-1, 0]", "0 to 7"),
        (b'{"n": 8, "fixed": [[7, 1' + b"0" * 4000 + b"]]}", "fixed[0]", "0 to 7"),
        (b'{"n": 8, "fixed": [[1, 2], [1, 3]]}', "column 1", "row 2", "row 3"),
        (b'{"n": 8, "excluded_differences": [7, 8]}', "excluded_differences[1] holds 8", "-7 to 7"),
        (b'{"n": 8, "excluded_differences": [-7, -8]}', "excluded_differences[1] holds -8", "-7 to 7"),
        (b'{"n": 8, "excluded_sums": [14, 15]}', "excluded_sums[1] holds 15", "0 to 14"),
        (b'{"n": 8, "excluded_sums": [0, -1]}', "excluded_sums[1] holds -1", "0 to 14"),
        (b'{"n": 8, "excluded_sums": [0, false]}', "excluded_sums[1] holds False", "0 to 14"),
        (b'{"n": 8, "excluded_sums": 3}', "excluded_sums holds 3"),
    ],
    "instance.jsonl": [
        (b'{"fixed": []}', "line 1", '"n": 8'),
        (b'\n{"n": 4', "line 2", "character 8"),
        (b'\n{"n": 4, "n": 4}', "line 2", "'n'"),
        (b"\n[1, 3, 0, 2]", "line 2", "'[1, 3, 0, 2]'", "object"),
        (b'{"n": 4}\n{"n": 4}\n', "several instances"),
        (b"", "no instance"),
    ],
    "trace.csv": [
        (b"", "line 1", "attempt,step,pairs,conflicting_queens"),
        (b"1,0,5,4\n", "line 1", "'1,0,5,4'", "attempt,step,pairs,conflicting_queens"),
        (HEADER, "empty"),
        (HEADER + b"1,0,5,x\n", "line 2", "'x'"),
        (HEADER + b"1,0,5,4\n\n1,0,5\n", "line 4 holds 3 numbers"),
        (HEADER + b"1,0,5\n1,1,5\n", "line 2 holds 3 numbers", "4 are needed"),
        *((HEADER + b"1,0,%s,4\n" % odd, "line 2") for odd in (b"5.5", b"0x3", b"1_0", b"\xd9\xa3")),
        (HEADER + b"1,0,,4\n", "empty"),
        (HEADER + b"1,0,1" + b"0" * 30 + b",4\n", "line 2", "19 digits"),
        (HEADER + b"1,0,5,4\n1,2,5,4\n", "line 3", "attempt 1, step 2", "attempt 1, step 1"),
        (HEADER + b"\n1,0,5,4\n3,0,5,4\n", "line 4", "attempt 3, step 0", "attempt 2, step 0"),
        (HEADER + b"2,0,5,4\n", "line 2", "attempt 2, step 0", "attempt 1, step 0"),
        (HEADER + b"1,0,-5,4\n", "pairs[0] holds -5"),
    ],
    "trace.npy": [(BOARD, "'.npy'", ".csv", ".npz")],
    "trace.npz": [
        (b"", ".npz"),
        (BOARD, ".npz"),
        (npz(pairs=[1]), "restarts", "conflicting_queens"),
        (trace_npz(pairs=[1.0]), "pairs holds float64"),
        (trace_npz(pairs=[[1]]), "one-dimensional"),
        (trace_npz(pairs=np.zeros((2**62, 0), np.int8)), "one-dimensional"),  # too large as int64
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
    "instance.data": [(b'{"n": 8, "fixed": [[1, 3]], "excluded_sums": [4]}', "column 1, row 3", "sum diagonal 4")],
}


@pytest.mark.parametrize(("name", "content", "named"), cases(CONTRADICTIONS))
def test_constraints_that_contradict_each_other(tmp_path, name, content, named):
    check_refusal(NoSolutionError, tmp_path / name, content, named)
