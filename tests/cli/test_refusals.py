"""Refusals of commands and readers of files: the error names the wrong value and what would be valid.

Nothing is written, and the exit code is 2, or 3 if no solution exists.
"""

import io
import os
import pickle
import re
import shlex
from unittest.mock import Mock

import numpy as np
import pytest
from errors import check_error, check_names

import fastqueens
from fastqueens import InputError, NoSolutionError
from fastqueens._jit import decorators
from fastqueens._run import executors
from fastqueens.cli.app import cli
from fastqueens.cli.options import OUTPUT
from fastqueens.cli.session import Session
from fastqueens.files.boards import read_board
from fastqueens.files.instances import read_instance
from fastqueens.files.traces import read_trace, write_trace
from fastqueens.pictures import saving

#: Texts that an error names, separated by semicolons, and the commands that fail with it.
REFUSED = r"""
N must be between 1 and; -5: solve -n -5
-5; option; positive: solve -5 | poster -5 -o p.png
q.pdf; show; -o q.pdf: solve 8 -o q.pdf | random 8 -o q.pdf
q.py; program; python q.py: verify q.py | show q.py | solve --file q.py
N; 'queen'; 1000000; 1e6: solve queen
'10.000'; whole number; 1,000,000: solve 10.000
--seed; '1.000'; 1,000,000: solve 8 --seed 1.000
''; whole number: solve '' | study --n 8, | study --n 4.. | solve 100 --mix= | solve 100 --mix ''
'q.txt'; --file q.txt: solve q.txt
N; 1,001; at most 1,000: animate 1001 -o a.gif
N; --n: solve 8 -n 8
N; 9; 8 queens; --file: solve 9 --file eight.txt
No solution exists for n = 2: solve 2 -o q.npy | solve --board '0 1' -o q.npy | solve 2 --mix | sample 2
--seed; -1; 18,446,744,073,709,551,615: climb --seed -1 | sample 8 --seed -1 | puzzle 8 --seed -1
--threads; 0; 1,024: solve 4194304 --threads 0 -o q.npy | sample 8 --threads 0
--threads; 'all': solve 8 --threads all
'1.5'; whole number: sample 8 --count 1.5 | runtimes 8 --seeds 1.5 | solve 9 --mix=1.5 | solve 8 --exclude-sum 1.5
--mix; 0; 1; 1,000,000,000: solve 9 --mix=0 | solve 9 --mix 0
--limit; 0; at least 1: count 8 --limit 0 | list 8 --limit 0
'5..1'; 1..5: runtimes 8 --seeds 5..1
1,000,000,000 sizes; 1,000: study --n 1..1e9
'stepest'; steepest: climb --algorithm stepest
--sead; --seed: solve 8 --sead 1
--seed; 2 times; one value: solve 8 --seed 1 --seed 2 | climb --seed=1 --seed=1
-o; 3 times: list 8 -o a.txt -o b.txt -o b.txt
row_off.txt; line 2; 2; 0; 1: solve --file row_off.txt | verify row_off.txt | show row_off.txt
missing.txt: solve --file missing.txt | verify missing.txt | show missing.txt | descend missing.txt
8; solve 8 -o: verify 8 | show 8
folder: descend folder | descend eight.txt -o folder | solve --file folder | verify folder | show folder
board.png; picture: solve --file board.png | verify board.png | show board.png
--max-nodes; -1: prove 8 --max-nodes -1
64 columns; 65: prove 65 | count 65 | list 65
--board; column 4; 0; 1; 8: solve --board '2 7 3 6 0 5 1 4' --rows-from 1
off.npz; boards[1, 2]; 4; 0; 3: statistics off.npz
'FILE': statistics
'BOARD_OR_N': poster --block 0,0 -o p.png | explore --block 0,0 -o p.html
No solution exists; column 1, row 3; column 2, row 4: solve 8 --queen 1,3 --queen 2,4
No solution exists; n = 8; 3 fixed queens: solve 8 --queen 0,0 --queen 1,5 --queen 3,4
No solution exists; n = 4; 2 blocked squares: poster 4 --block 0,1 --block 0,2 -o p.png
column 1; rows 3 and 4: solve 8 --queen 1,3 --queen 1,4
column 1, row 8; 0; 7: solve 8 --queen 1,8
'b4'; 3,17: solve 8 --queen b4
column 8, row 0; 0; 7: sample 8 --block 8,0 | solve 8 --block 8,0 | count 8 --block 8,0 | list 8 --block 8,0
No solution exists; column 1, row 3; blocked square: solve 8 --queen 1,3 --block 1,3
size; --instance: show --block 0,0
4; 5: show five.txt --instance four.json
missing; folder: solve 8 -o missing/q.npy | solve 8 --trace missing/t.csv | sample 8 -o missing/s.npz
'.xyz'; use: list 8 -o x.xyz | count 8 --checkpoint c.xyz | prove 8 --checkpoint c.xyz
'.xyz'; use: solve 8 --trace t.xyz | sample 8 -o s.xyz | puzzle 8 --unique -o p.xyz | climb -o c.xyz
q.png; .npy; .txt; .csv: solve 8 -o q.png
-o; --trace; same file: solve 8 -o a.csv --trace ./a.csv
-o FILE.jsonl: puzzle 8 --unique --many 3 -o p.csv | puzzle 8 --unique --many 3 -o p.jsonl -o q.jsonl
--file; --board: solve --board 0 --file eight.txt | climb --board '0 1' --file eight.txt
-o -; --json; stdout: solve 8 -o - --json | sample 8 -o - --json
empty: solve 8 -o '' | verify '' | poster 8 -o '' | explore 8 -o '' | solve --instance ''
--threads; --scheduler: prove --threads 2 --scheduler x | count --threads 2 --scheduler x
--threads; --scheduler: sample --threads 2 --scheduler x | estimate --threads 2 --scheduler x
--unique; --limit: count 8 --unique --limit 3
--fundamental; constraints: count 8 --fundamental --block 0,0 | list 8 --fundamental --queen 1,3
--mix; file: poster q.txt --mix -o p.png | poster q.txt --mix 20 -o p.png | poster q.txt --mix=300 -o p.png
--file; --queens-file; stdin: solve --queens-file - --file -
--instance; --queens-file; stdin: sample 8 --instance - --queens-file - | verify --instance - --queens-file - q.txt
FILE; --instance; stdin: show - --instance - | verify --instance - -
--move-costs; board: show --instance four.json --move-costs
--answers; -o FILE.pdf: puzzle 8 --many 3 --answers a.pdf | puzzle 8 -o p.pdf --answers a.pdf
--per-page; '3'; '1', '4': puzzle 8 --many 3 --per-page 3 -o p.pdf
--show; --json: climb --show --json
-o; --algorithm; --runs: climb -o climb.npz --runs 2 | climb -o climb.npz --algorithm all
-o; genetic; several queens: climb 8 --algorithm genetic -o climb.npz
-o; steepest; --moves swap: climb 8 --moves swap -o climb.npz
mrv; empty board: climb --board '0 1 2 3' --algorithm steepest,mrv
--seeds; 18,446,744,073,709,551,615: runtimes 8 --seeds 1,18446744073709551616
No solution exists for n = 3: climb 3 --algorithm steepest,restart | study 3,8
static point 8,0; 0; 7: climb --static-point 8,0
--static-point; --algorithm: climb --static-point 0,0 --algorithm sideways
'.git'; mean .gif: animate -o climb.git
nowhere: animate -o nowhere/a.gif | show q.txt -o nowhere/q.png | poster 8 -o nowhere/p.png
N; 1,000,000,000; 1,000: animate 1e9 -o climb.gif
--size; 240; 10 x 10: animate --size 10x10 -o climb.gif
--size; 'big'; square, wide, tall; 960x540: animate --size big -o climb.gif
-o: animate
'.pgn'; .png; .pdf: poster 8 -o p.pgn | show q.txt -o p.pgn | solve 8 --plot c.pgn | solve 8 --poster p.pgn
--size; 'A7': poster 8 -o p.png --size A7
--style; 'night'; weave; plain: poster 8 -o p.png --style night
.webp; 16,383: poster 8 --size A0 --dpi 1000 -o p.webp
--palette; 'rizo'; riso; moss: poster 8 -o p.png --palette rizo
white; ivory; contrast; 3:1: poster 8 -o p.png --palette white,ivory
--title; Fraunces; DejaVu Sans; '王': poster 8 -o p.png --title 王 | animate -o a.gif --title 王
--title; DejaVu Sans; '王': plot t.csv -o c.png --title 王
--dpi; 9: poster 8 -o p.png --dpi 9
--dpi; 10; 1: plot t.csv -o c.png --dpi 1
c.webp; 24,000 x 13,500 pixels: plot t.csv -o c.webp --dpi 3e3
title; long; 3 lines: poster 8 -o p.png --title 'a\\nb\\nc\\nd'
--size; '84'; 84x60mm: plot t.csv -o c.png --size 84 | study --plot c.png --size 84
--size; 49x60mm; 50 mm; 200 inches: plot t.csv -o c.png --size 49x60mm
--size; 3x6m: plot t.csv -o c.png --size 3x6m
--scale; 'symlog'; auto; linear; log: plot t.csv -o c.png --scale symlog
--what; --plot: study 8 --what steps
--size; --plot: study 8 --size 4x3
--plot; 6 algorithms; study: climb --algorithm all --plot c.png
none.npz: explore none.npz -o p.html | explore none.npz
p.png; '.png'; .html; .htm: explore 8 -o p.png
10,000,000; 30,000,000; show; poster: explore 3e7 -o p.html | explore 3e7
--seed: poster q.txt --seed 1 -o p.png | explore moves.npz --seed 1 -o p.html | explore none.npy --seed 1
--mix: explore moves.npz --mix -o p.html | explore none.npy --mix 2
--method; 'exact'; auto; local; complete: solve 8 --method exact
--max-steps; no effect; --method auto: solve 8 --method complete --max-steps 9
--restarts; no effect; --method local: solve 8 --method complete --restarts 0
--start; no effect; --method complete: solve 8 --start windowed --method complete
--board; no effect; --method complete: solve --board '0 1 2 3' --method complete
--file; no effect; --method complete: solve --file eight.txt --method complete
--origin; 'left'; upper; lower: show q.txt --origin left
--replicas; 1; 4; 1,000,000: estimate 8 --replicas 1
--replicas; --error: estimate 8 --replicas 4 --error 1
--runs; 0; at least 1: study --runs 0
No solution exists; n = 6; 2 fixed queens; 3 squares: solve 6 --queen 0,0 --queen 1,2
odd.txt; line 3; 'x': verify odd.txt
odd.json; .csv: plot odd.json -o c.png
odd.csv; line 1; 'a,b': plot odd.csv -o c.png
trace; standard input: plot - -o c.png | plot t.csv - -o c.png
--pick must be 1, not 2: show q.txt --pick 2
q.png: random 8 -o q.png
"""

CASES = [
    (command, named)
    for named, commands in (line.split(": ", 1) for line in REFUSED.splitlines() if line)
    for command in commands.split(" | ")
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return a folder with boards, instances and traces, right and wrong."""
    folder = tmp_path_factory.mktemp("files")
    texts = {
        "row_off.txt": b"0\n2\n", "board.png": b"\x89PNG\r\n",
        "eight.txt": b"3\n6\n2\n7\n1\n4\n0\n5\n",
        "q.txt": b"1\n3\n0\n2\n", "five.txt": b"0\n2\n4\n1\n3\n",
        "four.json": b'{"n": 4, "fixed": [[1, 3]], "blocked": [[0, 0]], "excluded_sums": [6]}',
        "odd.json": b"{}", "odd.txt": b"1\n3\nx\n", "odd.csv": b"a,b\n", "q.py": b"queens = [1, 3, 0, 2]\n",
        "board.csv": b"row;column\n1;0\n0;1\n",
        "t.csv": b"attempt,step,pairs,conflicting_queens\n1,0,2,4\n1,1,1,2\n1,2,0,0\n",
    }  # fmt: skip
    for name, content in texts.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    for suffix in ("", *{suffix for *_, suffixes in outputs() for suffix in suffixes}):
        (folder / f"folder/folder{suffix}").mkdir()
    np.savez(folder / "off.npz", boards=[[0, 1, 2, 3], [0, 1, 4, 3]])
    result = fastqueens.solve(8, seed=1, trace="moves")
    write_trace(folder / "moves.npz", result.trace, result.restarts, moves=result.moves)
    return folder


class Work(BaseException):
    """Raised instead of work, such as running a kernel, drawing or connecting to a cluster."""


def forbid_work(monkeypatch):
    """Let everything that comes after refusals fail."""
    functions = (decorators.Kernel, "__call__"), (Session, "draw"), (saving, "save_picture"), (executors, "connected")
    for owner, name in functions:
        monkeypatch.setattr(owner, name, Mock(side_effect=Work(name)))


#: For each command, words that it accepts.
ACCEPTED = {
    **{
        name: f"{name} 8"
        for name in ("solve", "prove", "count", "list", "climb", "study", "random", "sample", "runtimes", "puzzle")
    },
    **{name: f"{name} q.txt" for name in ("show", "statistics", "descend")},
    **{name: f"{name} 8" for name in ("poster", "explore", "animate")},
    "plot": "plot t.csv",
    "batch": "batch four.json",
}


def outputs():
    """Yield each command, the names of its options for files that it writes, and the suffixes that they accept."""
    for name in cli.list_commands(None):
        params = [param for param in cli.get_command(None, name).params if param.type is OUTPUT]
        for param in params:
            yield name, param.opts[0], re.findall(r"\.[a-z0-9]{3,5}\b", param.help)


def test_files_that_cannot_be_written_are_refused_before_the_work(run, files, monkeypatch):
    monkeypatch.chdir(files)
    forbid_work(monkeypatch)
    assert {name for name, *_ in outputs()} == set(ACCEPTED)
    before = sorted(files.iterdir())
    late = []
    for command, option, suffixes in outputs():
        targets = [f"{place}{suffix}" for suffix in suffixes or [""] for place in ("missing/x", "folder/folder")]
        pairs = [
            [other, f"./x{suffix}", option, f"x{suffix}"]
            for name, other, others in outputs()
            for suffix in {*suffixes} & {*others}
            if name == command and (other != option or name == "puzzle")
        ]
        for words in [*([option, target] for target in ["x.xyz"] * bool(suffixes) + targets), *pairs]:
            arguments = [*ACCEPTED[command].split(), *words]
            try:
                exit_code, stdout, stderr = run(*arguments)
            except Work:
                late.append(" ".join(arguments))
            else:
                outcome = exit_code, stdout, stderr.count("Error: "), sorted(files.iterdir())
                assert outcome == (2, "", 1, before), (arguments, stderr)
    assert late == []


def test_the_error_names_what_is_wrong(run, files, monkeypatch, subtests):
    monkeypatch.chdir(files)
    before = {path: path.stat().st_mtime_ns for path in files.iterdir()}
    for command, named in CASES:
        is_answer = named.startswith("No solution exists")
        with subtests.test(command), monkeypatch.context() as patch:
            if not named.startswith("No solution exists; n = "):  # which a search has to find out
                forbid_work(patch)
            exit_code, stdout, stderr = run(*shlex.split(command))
            assert (exit_code, stdout) == (3 if is_answer else 2, "")
            check_names(" ".join(stderr.split()), *named.split("; "))
            assert (stderr.count("Error: "), "Traceback" in stderr) == (not is_answer, False)
            assert {path: path.stat().st_mtime_ns for path in files.iterdir()} == before


# Files: the error also names the place, and what would be valid


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npy_of(header):
    return b"\x93NUMPY\x01\0" + len(header).to_bytes(2, "little") + header + bytes(4)


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
REFUSED_FILES = {
    "board.txt": [
        (b"1\n3.5\n0\n2\n", "line 2", "'3.5'"),
        ("1\n\uff13\n0\n2\n".encode(), "line 2", "'\uff13'"),
        (b"1\n\n0\n2\n", "line 2", "blank"),
        (b"1\n3\n0\n4\n", "line 4 holds 4", "0 to 3"),
        (b"0\n" + b"9" * 5000, "line 2", "19 digits"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "picture"),
        (b" \n\n", "empty"),
        (b"1 3 0 2\n1 3 0 2\n", "2 boards", "one"),
    ],
    "board.csv": [
        (b"column,row\n0,1\n1,0\n1,0\n", "column 1", "rows 0 and 0"),
        (b"column,row\n0,1\n1,0\n3,0\n", "line 4 holds 3", "3 queens", "0 to 2"),
        (b"row,size\n0,0\n", "line 1", "'row,size'"),
        (b"column,row\n0,0\n1\n", "line 3", "1 number"),
    ],
    "board.json": [
        (b'{"n": 5, "queens": [1, 3, 0, 2]}', "n is 5", "4 rows"),
        (b'{"queens": [1, 3, true, 2]}', "queens[2]", "whole number", "True"),
        (b"[1, 3, 0.5, 2]", "list 1", "'0.5'"),
        (b'{"n": ' + b"1" * 5000 + b', "queens":[0]}', "thousands of digits"),
        (b'{"queens": [0], "queens": [0]}', "'queens' twice"),
        (b'{"queens": [1, 3,\n 0 x]}', "line 2, character 4", "','"),
        (b'{"queens": ' + b"[" * 100_000, "nested"),
        (b'{"queens": [\xff]}', "byte 13", "UTF-8"),
    ],
    "board.npy": [
        (b"", "empty"),
        (npy(np.zeros((2, 2, 2), int)), "(2, 2, 2)"),
        (npy(np.array([1.0, np.nan])), "nan"),
        (npy(np.zeros(2, [("row", "i4")])), "[('row', '<i4')]"),
        (npy(np.array([Explosive()], object)), ".npy", re.compile("object")),
        (pickle.dumps(Explosive()), "not an .npy file"),
        (npy_of(rb"{'descr': '>i4', 'fortran_order': False, 's\hape': (1,)}"), ".npy"),
        (npy_of(b"{'descr': '|i1', 'fortran_order': False, 'shape': (9223372036854775807, 2)}"), ".npy"),
        (npy_of(b"'" + b"x" * 2000 + b"'"), ".npy"),
        (BOARD + b"1", "1 byte after the array"),
        (npy(np.array([0, 2**64 - 1], np.uint64)), "column 1", 2**64 - 1, "0 to 1"),
    ],
    "instance.json": [
        (b"[]", "'[]'", "object"),
        (b'{"n": 8, "queens": []}', "'queens'", "fixed", "blocked"),
        (b'{"n": "8"}', "n must be a whole number", "'8'"),
        (b'{"n": ' + b"9" * 4000 + b"}", "n must be", "a number of more than 30 digits"),
        (b'{"fixed": []}', "size", '"n": 8'),
        (b'{"n": 8, "fixed": {"1": 3}}', "fixed holds ('1', 3)", "columns and rows"),
        (b'{"n": 8, "blocked": [[1, 3.5]]}', "blocked holds [1, 3.5]", "columns and rows"),
        (b'{"n": 8, "fixed": [[0, 7], [-1, 0]]}', "fixed queen in column -1, row 0", "0 to 7"),
        (b'{"n": 8, "fixed": [[1, 2], [1, 3]]}', "column 1", "rows 2 and 3"),
        (b'{"n": 8, "excluded_differences": [-7, -8]}', "excluded difference diagonal -8", "-7 to 7"),
        (b'{"n": 8, "excluded_sums": [0, false]}', "excluded_sums holds False", "whole numbers"),
    ],
    "instance.jsonl": [
        (b'\n{"n": 4, "n": 4}', "line 2", "'n'"),
        (b'{"n": 4}\n{"n": 4}\n', "several instances"),
    ],
    "trace.csv": [
        (b"1,0,5,4\n", "line 1", "'1,0,5,4'", "attempt,step,pairs,conflicting_queens"),
        (HEADER, "empty"),
        (HEADER + b"1,0,5,4\n\n1,0,5\n", "line 4 holds 3 numbers"),
        (HEADER + b"1,0,5,4\n1,2,5,4\n", "line 3", "attempt 1, step 2", "attempt 1, step 1"),
        (HEADER + b"2,0,5,4\n", "line 2", "attempt 2, step 0", "attempt 1, step 0"),
        (HEADER + b"1,0,-5,4\n", "pairs[0] holds -5"),
    ],
    "trace.npz": [
        (trace_npz(pairs=[1.0]), "pairs", "integers", "float64"),
        (trace_npz(pairs=np.zeros((2**62, 0), np.int8)), "one-dimensional"),  # too large as int64
        (trace_npz(pairs=np.array([{}], object)), re.compile("Object arrays")),
        (trace_npz(seed=-1), "seed", -1, 2**64 - 1),
    ],
}
READERS = {"board": read_board, "instance": read_instance, "trace": read_trace}


def check_refusal(kind, path, content, *named):
    path.write_bytes(content)
    with check_error(kind, re.compile(f"^{re.escape(str(path))}:? "), *named) as caught:
        READERS[path.stem](path)
    assert len(str(caught.value)) < len(str(path)) + 400
    assert os.listdir(path.parent) == [path.name]


def test_a_wrong_file_is_refused(tmp_path, monkeypatch, subtests):
    for name, contents in REFUSED_FILES.items():
        for number, case in enumerate(contents):
            folder = tmp_path / f"{name}-{number}"
            folder.mkdir()
            monkeypatch.chdir(folder)
            with subtests.test(folder.name):
                check_refusal(InputError, folder / name, *case)


def test_constraints_that_contradict_each_other(tmp_path):
    two = b'\n{"n": 8, "fixed": [[0, 0], [1, 1]]}'
    for name in ("instance.json", "instance.jsonl", "instance.data"):
        (tmp_path / name[8:]).mkdir()
        path = tmp_path / name[8:] / name
        check_refusal(NoSolutionError, path, two, "column 0, row 0", "column 1, row 1")


# Odd texts


def test_titles_that_are_not_unicode_are_drawn(run, files, monkeypatch):
    monkeypatch.chdir(files)
    for command in ("plot t.csv -o c.svg", "poster 8 --size A6 --dpi 50 -o c.png"):
        exit_code, _, stderr = run(*command.split(), "--title", "\udcff")
        assert (exit_code, "Warning" in stderr) == (0, False), command
