"""What the command line refuses: the error names the wrong value and what would be valid, and nothing is written."""

import shlex

import numpy as np
import pytest
from errors import check_names

import fastqueens
from fastqueens.core import memory
from fastqueens.files.traces import write_trace

#: What an error names, one text or several after semicolons, and the commands that fail with it.
REFUSED = r"""
n is 0: climb 0 | climb 0 --static-point 0,0 | sample 0 | puzzle 0
n is -1; at least 1 queen: climb -1 | puzzle -1 | animate -1 -o a.gif | explore -1 -o p.html
n is -5; at least 1 queen: solve -5 | solve -n -5 | solve --mix 20 -5 | solve -5 --mix | solve --mix=20 -5 | sample -5
n is -5; at least 1 queen: estimate -5
n; 'queen'; 1000000; 1e6: solve queen
'10.000'; 10000; 1e4: solve 10.000
'8.0'; 8: solve 8.0
--seed; '1.000'; 1000: solve 8 --seed 1.000
'1,00'; whole number: solve 1,00
''; whole number: solve '' | study --n 8, | study --n 4.. | solve 100 --mix= | solve 100 --mix ''
'nan'; whole number: solve nan
'q.txt'; --file q.txt: solve q.txt
n is 5,000,000,000; 4,294,967,295: solve 5e9 | solve 5e9 -o q.npy
'1e5000': solve 1e5000
n is 41; at most 40: animate --instance large.json -o a.gif
n is 500; at most 400: puzzle 500 -o p.png
N; --n: solve 8 -n 8
n is 9; 8 queens; --file: solve 9 --file eight.txt
n is 9; 8 queens; --board: solve 9 --board '2 7 3 6 0 5 1 4'
n is 7; 2 queens; --board: climb 7 --board '0 1' | climb --static-point 0,0 7 --board '0 1'
no solution exists for n = 2: solve 2 -o q.npy | solve --board '0 1' -o q.npy | solve 2 --mix | sample 2
no solution exists for n = 3: climb 3 --rule restart | climb 3 --rule restart-sideways
no solution exists for n = 3: sample 3 | sample 3 --scheduler nowhere | estimate 3 | puzzle 3 --solvable
seed is -1; 18446744073709551615: climb --seed -1 | sample 8 --seed -1 | puzzle 8 --seed -1
seed is -1; 18446744073709551615: solve 4194304 --seed -1 -o q.npy
18446744073709551615; 10,000 runs: study --seed 18446744073709551615
threads is 0; 1024: solve 4194304 --threads 0 -o q.npy | sample 8 --threads 0
threads is 0; 1024: study --threads 0
threads is -1; 1024: verify q.txt --threads -1 | show q.txt --threads -1
threads is 10000; 1024: solve 8 --threads 1e4
--threads; 'all': solve 8 --threads all
max_steps is -1: solve 8 --max-steps -1
temperature is 0.0; 0.001: climb --temperature 0
--runs is 0; 1,000: climb --runs 0
count is 0; at least 1: sample 8 --scheduler nowhere --count 0
'1.5'; whole number: sample 8 --count 1.5 | solve 8 --seeds 1.5 | solve 9 --mix=1.5 | solve 8 --exclude-sum 1.5
--error; 'small': estimate --error small
mix is 0; 1; 1000000000: solve 9 --mix=0 | solve 9 --mix 0 | poster 8 --mix=0 -o p.png | explore 20000 --mix=0 -o p.html
mix is -5; 1; 1000000000: solve 9 --mix=-5 | solve 9 --mix -5
limit is 0; at least 1: solve 8 --count --limit 0
queens is 9; 8; 0: puzzle 8 --queens 9
many is -3: puzzle 8 --unique --many -3 -o p.jsonl
k is 5; 4; 1: statistics q.txt -k 5
reach is 4; 4; 0; 3: statistics q.txt --reach 4
20; 1,200: show q.txt -o q.png --dpi 19 | show q.txt -o q.png --dpi 1,201
1,000,000,000; 1,000,000: sample 1e6 --count 1e9
'5..1'; 1..5: solve 8 --seeds 5..1
'9..4'; 4..9: study --n 9..4
--seeds; '1,000'; 000: solve 8 --seeds 1,000
seeds; 0; 18446744073709551615: solve 8 --seeds 0..99999999999999999999
1,000,002 seeds; 1,000,000: solve 8 --seeds 1..1000001,7
1,000,000,000 sizes; 1,000: study --n 1..1e9
'eight': study --n eight | sample eight
'2'; '0', '1': solve --board '1 2' --rows-from 2
'stepest'; 'steepest': climb --rule stepest
rule '': study --rules steepest,
rule 'up': study --scheduler nowhere --rules up
--sead; --seed: solve 8 --sead 1
argument (9): solve 8 9
row_off.txt; line 2; 2; 0; 1: solve --file row_off.txt | verify row_off.txt | show row_off.txt
missing.txt: solve --file missing.txt | verify missing.txt | show missing.txt | descend missing.txt
missing.txt: statistics missing.txt | solve 8 --queens-file missing.txt
8; solve 8 -o: verify 8 | show 8
folder: descend folder | descend eight.txt -o folder | solve --file folder | verify folder | show folder
folder: solve 8 -o folder
random.npy; .npy: solve --file random.npy | verify random.npy | show random.npy
board.png; picture: solve --file board.png | verify board.png | show board.png
several.txt; line 2; 2 numbers; 4: statistics several.txt
--board; line 1; 'x': solve --board '2 7 x'
--max-nodes; --method local: solve 8 --method local --max-nodes 5
--board; column 4; 0; 1; 8: solve --board '2 7 3 6 0 5 1 4' --rows-from 1
--board; column 1; 9: climb --board '0 9'
s.npz; boards[0, 2]; 0; 1; 4: statistics s.npz --rows-from 1
trace.npz; boards; (boards, n): statistics trace.npz
empty.npz; (0, 4): statistics empty.npz
floats.npz; 0.5: statistics floats.npz
off.npz; boards[1, 2]; 4; 0; 3: statistics off.npz
broken.npz; .npz: statistics broken.npz
'FILE': statistics
'INPUT': descend
'FILE'; --instance: show
'BOARD_OR_N': poster --block 0,0 -o p.png | explore -o p.html
no solution exists; column 1, row 3; column 2, row 4: solve 8 --queen 1,3 --queen 2,4
no solution exists; column 0, row 1; column 1, row 2: verify q.txt --queen 0,1 --queen 1,2
no solution exists; row 5: solve 8 --queen 7,1 --queen 5,6 --queen 1,4 --rows-from 1
no solution exists; n = 8; 3 fixed queens: solve 8 --queen 0,0 --queen 1,5 --queen 3,4
no solution exists; n = 6; 2 fixed queens: sample 6 --queen 0,0 --queen 1,2
no solution exists; n = 4; 1 fixed queen: solve 4 --queen 0,0
n = 6; 2 fixed queens; count_solutions: estimate 6 --queen 0,0 --queen 1,2
no solution exists; column 0, row 0; column 1, row 1: sample 6 --queen 0,0 --queen 1,1
no solution exists; n = 4; 2 blocked squares: poster 4 --block 0,1 --block 0,2 -o p.png
column 1; row 3: solve 8 --queen 1,3 --queen 1,4
column 1, row 8; 0; 7: solve 8 --queen 1,8
column 1, row 0; 1; 8: solve 8 --queen 1,0 --rows-from 1
column 0, row 4; 0; 3: verify q.txt --queen 0,4
'b4'; 3,17: solve 8 --queen b4
missing.json: sample 8 --instance missing.json
column 8, row 0; 0; 7: sample 8 --block 8,0 | solve 8 --block 8,0 | animate --block 8,0 -o a.gif
sum diagonal -1; 0; 14: solve 8 --exclude-sum -1
no solution exists; column 1, row 3; blocked square: solve 8 --queen 1,3 --block 1,3
no solution exists; column 1, row 3; blocked square: solve 8 --queen 1,3 --block 1,3 --rows-from 1
size; --instance: show --block 0,0
4; 5: show five.txt --instance four.json | animate 5 --instance four.json -o a.gif
4; 5: explore 5 --instance four.json -o p.html
10; 8: sample 8 --instance ten.json
missing; folder: solve 8 -o missing/q.npy | solve 8 --trace missing/t.csv | sample 8 -o missing/s.npz
missing; folder: study -o missing/s.csv | statistics q.txt -o missing/s.csv | solve 8 --all missing/x.txt
eight.txt/q.npy; folder: solve 8 -o eight.txt/q.npy
'.xyz'; use: solve 8 --trace t.xyz | sample 8 -o s.xyz | puzzle 8 --unique -o p.xyz | climb -o c.xyz
'.xyz'; use: study -o s.xyz | statistics none.npy -o s.xyz | statistics none.npy --plot s.xyz | puzzle 8 -o p.xyz
q.png; .npy, .txt, .csv; --poster q.png: solve 8 -o q.png
x.csv; .txt: solve 8 --all x.csv
s.npz; boards: statistics s.npz -o s.npz | statistics s.npz -o folder/../s.npz
-o; --trace; same file: solve 8 -o a.csv --trace ./a.csv
-o; same file: puzzle 8 -o p.csv -o ./p.csv
-o FILE.jsonl: puzzle 8 --unique --many 3 -o p.csv | puzzle 8 --unique --many 3 -o p.jsonl -o q.jsonl
--file; --board: solve --board 0 --file eight.txt | climb --board '0 1' --file eight.txt
-o -; --json; 10,000; 10,001: solve 10001 -o - --json | sample 10001 -o - --json
empty: solve 8 -o '' | verify '' | poster 8 -o '' | explore 8 -o '' | solve --instance ''
--seed; --seeds: solve 8 --seeds 1..3 --seed 1
--seeds; -o: solve 8 --seeds 1..3 -o q.npy
--seeds; --trace: solve 8 --seeds 1..3 --trace t.csv
--threads; --scheduler: sample --threads 2 --scheduler x | estimate --threads 2 --scheduler x
--threads; --scheduler: study --threads 2 --scheduler x | solve 8 --count --threads 2 --scheduler x
--scheduler; --count; --unique; --method complete: solve 8 --scheduler x | solve 8 --method auto --scheduler x
--scheduler; --count; --unique; --method complete: solve 8 --all x.txt --scheduler x
--checkpoint; --count; --unique; --method complete: solve 8 --checkpoint c.jsonl
--checkpoint; --seeds: solve 8 --method complete --seeds 1..2 --checkpoint c.jsonl
c.json; .jsonl: solve 8 --count --checkpoint c.json
--count; -o; --all FILE: solve 8 --count -o q.npy
--count; --seed; solutions: solve 8 --count --seed 1
--count; --unique: solve 8 --count --unique
--count; --all: solve 8 --count --all x.txt
--unique; --seed; solutions: solve 8 --unique --seed 1
--all; --method: solve 8 --all x.txt --method local
--limit; --count; --all: solve 8 --limit 3 | solve 8 --unique --limit 3
--fundamental; --count; --all: solve 8 --fundamental | solve 8 --unique --fundamental
--count; --mix: solve 8 --count --mix
--unique; --mix: solve 8 --unique --mix
--all; --mix: solve 8 --all all.txt --mix
--mix; file: poster q.txt --mix -o p.png | poster q.txt --mix 20 -o p.png | poster q.txt --mix=300 -o p.png
--file; --queens-file; stdin: solve --queens-file - --file -
--file; --instance; stdin: animate --file - --instance - -o a.gif
--instance; --queens-file; stdin: sample 8 --instance - --queens-file - | verify --instance - --queens-file - q.txt
FILE; --instance; stdin: show - --instance - | verify --instance - -
FILE; --queens-file; stdin: verify --queens-file - -
BOARD_OR_N; --instance; stdin: poster - --instance - -o p.png
--mark; --move-costs; board: show --instance four.json --mark 1 -o p.png | show --instance four.json --move-costs
--move-costs; instance: show q.txt --instance four.json --move-costs
--minimal; --unique: puzzle 8 --minimal
--many; --unique: puzzle 8 --many 3 | puzzle 8 --many 0
--minimal; --queens: puzzle 8 --unique --minimal --queens 3
--show; --json: climb --show --json
-o; --rule; --runs: climb -o climb.npz --runs 2 | climb -o climb.npz --rule all
static point 8,0; 0; 7: climb --static-point 8,0
'0'; 3,0: climb --static-point 0
restarts is 0; 1: climb --static-point 0,0 --restarts 0
--static-point; --rule: climb --static-point 0,0 --rule sideways
--static-point; -o: climb -o climb.npz --static-point 0,0
--file; --board; --restarts: climb --static-point 0,0 --restarts 3 --board '0 1'
seed; 1; --seed: climb --static-point 0,0 --restarts 3 --seed 1
'.git'; mean .gif: animate -o climb.git
nowhere: animate -o nowhere/a.gif | show q.txt -o nowhere/q.png | poster 8 -o nowhere/p.png
nowhere: solve 8 --plot nowhere/c.png
n is 1,000,000,000; 40: animate 1e9 -o climb.gif
n is 60,000; 40: animate -o climb.gif --file large.npy
n is 0: animate 0 -o climb.gif | poster 0 -o p.png | random 0
n is -3; at least 1 queen: random -3
seed is -1; 18446744073709551615: random 8 --seed -1
'big': animate --size big -o climb.gif
'400.5x300': animate --size 400.5x300 -o climb.gif
width is 10: animate --size 10x10 -o climb.gif
seconds is 100.0: animate --seconds 100 -o climb.gif
--file; --board: animate --board 0 --file q.txt -o climb.gif
-o climb.gif: animate
-o poster.png: poster 8
-o curves.png: plot t.csv
'TRACE...': plot -o c.png
no solution exists; n = 3: animate 3 -o climb.gif | explore 3
'.pgn'; .png; .pdf: poster 8 -o p.pgn | show q.txt -o p.pgn | solve 8 --plot c.pgn | solve 8 --poster p.pgn
'.pn'; mean .png: plot t.csv -o c.pn
size; 'A7': poster 8 -o p.png --size A7
--style; 'clasic'; classic; modern: poster 8 -o p.png --style clasic
title; Fraunces; DejaVu Sans; '王': poster 8 -o p.png --title 王
dpi is 9: poster 8 -o p.png --dpi 9
dpi is 0: plot t.csv -o c.png --dpi 0
c.webp; 24,000 x 13,500 pixels: plot t.csv -o c.webp --dpi 3e3
size is (1.0, 1.0): plot t.csv -o c.png --size 1x1
'8': plot t.csv -o c.png --size 8
1.5: poster 1.5 -o p.png
none.txt: poster none.txt -o p.png
none.csv: plot none.csv -o c.png
none.npz: explore none.npz -o p.html | explore none.npz
p.png; '.png'; .html; .htm: explore 8 -o p.png
no/p.html: explore 8 -o no/p.html
10,000,000; 30,000,000; show; poster: explore 3e7 -o p.html | explore 3e7
-o: explore 8 -o p.html --no-browser
--seed: poster q.txt --seed 1 -o p.png | explore moves.npz --seed 1 -o p.html | explore none.npy --seed 1
--mix: explore moves.npz --mix -o p.html | explore none.npy --mix 2 | explore 8 --mix --no-mix -o p.html
--plot; --poster: solve 8 --poster p.png --plot p.png
--seeds; --poster: solve 8 --poster p.png --seeds 1,2
--plot; 20; --seeds; 21: solve 8 --seeds 1..21 --plot c.png
-o; --trace: solve 8 --trace a.json -o a.json
this is a board; board.npy: plot board.npy -o c.png
this is a board; board.json: plot board.json -o c.png
this is a board; board.csv; fastqueens solve 1000 --trace trace.csv: plot board.csv -o c.png
this is a trace; t.csv; fastqueens plot t.csv -o curves.png: show t.csv
this is a trace: explore t.csv -o p.html | verify moves.npz
t.txt; '.txt'; .csv; .npz: plot t.txt -o c.png
odd.json; .csv: plot odd.json -o c.png
odd.csv; line 1; 'a,b': plot odd.csv -o c.png
odd.csv; line 1; 'a': show odd.csv
marked; column is 4; 0 to 3: show q.txt -o q.png --mark 4
--mark; -o FILE: show q.txt --mark 1
-o; 2 times: solve 8 -o a.txt -o b.csv
--dpi; -o FILE: show q.txt --dpi 100
'lower'; 60,000: show large.npy -o p.png --origin lower
n is 60,000; 50,000: show large.npy -o p.png --mark 1
--moves; --trace: solve 8 --moves
a.csv; .npz: solve 8 --moves --trace a.csv
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
        "row_off.txt": b"0\n2\n", "random.npy": bytes(range(256)), "board.png": b"\x89PNG\r\n",
        "eight.txt": b"3\n6\n2\n7\n1\n4\n0\n5\n",
        "q.txt": b"1\n3\n0\n2\n", "several.txt": b"1 3 0 2\n0 1\n", "five.txt": b"0\n2\n4\n1\n3\n",
        "four.json": b'{"n": 4, "fixed": [[1, 3]], "blocked": [[0, 0]], "excluded_sums": [6]}',
        "odd.json": b"{}", "odd.csv": b"a,b\n", "board.csv": b"row;column\n1;0\n0;1\n", "board.json": b"[1, 3, 0, 2]",
        "t.csv": b"attempt,step,pairs,conflicting_queens\n1,0,2,4\n1,1,1,2\n1,2,0,0\n",
        "large.json": b'{"n": 41}', "ten.json": b'{"n": 10}',
        "broken.npz": b"PK\x03\x04 and nothing else",
    }  # fmt: skip
    for name, content in texts.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    np.save(folder / "board.npy", np.array([1, 3, 0, 2]))
    np.save(folder / "large.npy", np.arange(60_000))
    for name, boards in {
        "empty": np.zeros((0, 4), int), "floats": np.full((2, 4), 0.5),
        "off": np.array([[0, 1, 2, 3], [0, 1, 4, 3]]), "s": np.array([[1, 3, 0, 2]]),
    }.items():  # fmt: skip
        np.savez(folder / f"{name}.npz", boards=boards)
    np.savez(folder / "trace.npz", pairs=np.arange(3))
    result = fastqueens.solve(8, seed=1, moves=True)
    write_trace(folder / "moves.npz", result.trace, result.restarts, moves=result.moves)
    return folder


@pytest.mark.parametrize(("command", "named"), CASES, ids=[command for command, _ in CASES])
def test_the_error_names_what_is_wrong(run, files, monkeypatch, command, named):
    monkeypatch.chdir(files)
    monkeypatch.setattr(memory, "available_memory", lambda: 10**11)
    before = {path: path.stat().st_mtime_ns for path in files.iterdir()}
    exit_code, stdout, stderr = run(*shlex.split(command))
    assert (exit_code, stdout) == (3 if named.startswith("no solution exists") else 2, "")
    check_names(" ".join(stderr.split()), *named.split("; "))
    assert (stderr.count("Error: "), "Traceback" in stderr) == (1, False)
    assert {path: path.stat().st_mtime_ns for path in files.iterdir()} == before


@pytest.mark.parametrize(
    "arguments", [("verify", "\x1b[2J.txt"), ("solve", "8", "\x07"), ("solve", "--board", "0 1\n0 \x07")]
)
def test_control_characters_do_not_reach_the_terminal(run, arguments):
    exit_code, _, stderr = run(*arguments)
    assert (exit_code, "\\x" in stderr) == (2, True)
    assert min(stderr.replace("\n", " ")) == " "


@pytest.mark.parametrize("command", ["plot t.csv -o c.svg", "show q.txt -o c.svg", "poster 8 --size 60x60mm -o c.png"])
def test_titles_that_are_not_unicode_are_drawn(run, files, tmp_path, command):
    command = command.replace("t.csv", str(files / "t.csv")).replace("q.txt", str(files / "q.txt"))
    exit_code, _, stderr = run(*command.split(), "--title", "\udcff")
    assert (exit_code, "Warning" in stderr) == (0, False)
