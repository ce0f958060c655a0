"""What commands keep after a signal, for every row of the table in docs/reference/guarantees.md."""

import csv
import json
import math
import os
import re
import signal
import sqlite3
from contextlib import closing

import numpy as np
import plain
import pytest
from documentation import REPOSITORY
from errors import check_names
from processes import process, without_compiling

from fastqueens.files.boards import read_board, read_boards

#: Fourteen rows for fifteen columns, which no search notices in a short time.
CLOSED = [(column, row) for column in range(0, 45, 3) for row in range(60) if row not in range(1, 57, 4)]

#: The signals of this system, in turn, and the words for them.
SIGNALS = {
    "SIGINT": "Interrupted",
    "SIGTERM": "Terminated",
    "SIGBREAK": "Interrupted",
    "SIGHUP": "Terminated",
    "SIGUSR1": "Stopped by SIGUSR1",
    "SIGUSR2": "Stopped by SIGUSR2",
    "SIGXCPU": "Stopped by SIGXCPU",
}
SIGNALS = {name: word for name, word in SIGNALS.items() if hasattr(signal, name)}

#: Sends a signal to the process as soon as its progress fits a pattern.
AT_STAGE = """
import re, signal
from fastqueens._run.progress import Display

report, sent = Display.report, []

def report_and_send(self, stage, done=0, total=None):
    report(self, stage, done, total)
    if not sent and re.match({pattern!r}, stage + " " + str(done)):
        sent.append(stage)
        {send}

Display.report = report_and_send
"""


#: Lets other systems have a console like Windows.
WITH_CONSOLE = """
import ctypes, signal, threading
from types import SimpleNamespace

signal.SIGBREAK, handlers = signal.SIGTTIN, []
listen = lambda handler, is_added: handlers.append(handler) if is_added else handlers.remove(handler)
ctypes.windll = SimpleNamespace(kernel32=SimpleNamespace(SetConsoleCtrlHandler=listen))
"""

#: Closes the window of the console: Windows calls the handler in a thread of its own.
CLOSE = "threading.Thread(target=handlers[0], args=(2,), daemon=True).start()"


def is_solutions(boards, n):
    for board in boards[:50]:
        plain.assert_solution(np.array(board), n)
    return len(boards) > 0


def of_mixing(folder, stdout, said):
    check_names(said, "1,000,000 sweeps")
    return is_solutions([read_board(folder / "kept.npy")], 10**5)


def of_proof(folder, stdout, said):
    found = json.loads(stdout)
    check_names(said, "squares tried")
    return found["partial"] and found["solvable"] is None and found["nodes"] > 0


def of_count(folder, stdout, said):
    found = json.loads(stdout)
    return found["partial"] and 0 < found["solutions"] < 39_029_188_884


def of_checkpoint(folder, stdout, said):
    check_names(said, "the same command continues kept.sqlite")
    with closing(sqlite3.connect(folder / "kept.sqlite")) as database:
        return database.execute("SELECT count(*) FROM part").fetchone()[0] > 0


def of_list(folder, stdout, said):
    return is_solutions(read_boards(folder / "kept.txt"), 20)


def of_batch(folder, stdout, said):
    lines = (folder / "kept.jsonl").read_text().splitlines()
    check_names(said, f"after {len(lines)} of 400 instances", "the same command continues kept.jsonl")
    return len(lines) > 0 and all(json.loads(line)["answer"] == "solved" for line in lines)


def of_climb(folder, stdout, said):
    check_names(said, "1 of 2 runs")
    return [row["algorithm"] for row in json.loads(stdout)] == ["steepest"]


def of_study(folder, stdout, said):
    found = json.loads((folder / "kept.json").read_text())
    (row,) = found["rows"]
    with (folder / "r.csv").open() as file:
        seeds = [int(run["seed"]) for run in csv.DictReader(file)]
    check_names(said, f"{row['runs']:,} of 1,000,000 runs")
    assert seeds == list(range(1, row["runs"] + 1))
    return found["partial"] and row["partial"] and 0 < row["runs"] < found["runs"] == 10**6


def of_descents(folder, stdout, said):
    check_names(said, "1 of 2 starts")
    return (folder / "kept.txt").read_text().startswith("5 6 7 4 5 6 7 6\n")


def of_sample(folder, stdout, said):
    boards = read_boards(folder / "kept.npz")
    check_names(said, f"{len(boards):,} of 10,000,000 samples")
    return is_solutions(boards, 8)


def of_estimate(folder, stdout, said):
    found = json.loads(stdout)
    check_names(said, f"{found['replicas']:,} replicas")
    return found["partial"] and abs(found["log_count"] - math.log(92)) < 8 * found["standard_error"]


def of_run_times(folder, stdout, said):
    check_names(said, "1 of 2 sizes")
    with (folder / "kept.csv").open() as file:
        return [row["n"] for row in csv.DictReader(file)] == ["10"]


def of_puzzles(folder, stdout, said):
    puzzles = [json.loads(line) for line in (folder / "kept.jsonl").read_text().splitlines()]
    check_names(said, f"{len(puzzles)} of 100,000 puzzles")
    return {puzzle["n"] for puzzle in puzzles} == {12}


#: For each command of the table, an example, the stage of its progress at which the signal comes, and a check of what
#: is kept, or None if nothing is kept.
ROWS = {
    "solve": ("solve 4194305 -o kept.npy", r"(placement|search) [1-9]", None),
    "random": ("random 1e6 -o kept.npy", "placement", None),
    "verify": ("verify boards.npy", "boards [1-9]", None),
    "show": ("show board.txt -o kept.png", "drawing", None),
    "statistics": ("statistics boards.npy -o kept.csv", "statistics", None),
    "plot": ("plot trace.csv -o kept.png", "drawing", None),
    "poster": ("poster 50 --size A6 -o kept.png", "drawing", None),
    "animate": ("animate 8 --seed 1 -o kept.gif", "drawing", None),
    "explore": ("explore 20 -o kept.html", "search", None),
    "puzzle": ("puzzle 60 --unique -o kept.json", "puzzles", None),
    "solve --mix": ("solve 1e5 --mix 1e6 -o kept.npy", "mixing [1-9]", of_mixing),
    "prove": ("prove --instance hard.json --json", r"complete search \(2\d of", of_proof),
    "count": ("count 20 --json", r"complete search \(2\d of", of_count),
    "list": ("list 20 -o kept.txt", r"complete search \d{6}", of_list),
    "count --checkpoint": ("count 20 --checkpoint kept.sqlite", r"complete search \(2\d of", of_checkpoint),
    "prove --checkpoint": (
        "prove --instance hard.json --checkpoint kept.sqlite",
        r"complete search \(2\d of",
        of_checkpoint,
    ),
    "batch": ("batch many.jsonl --seed 1 -o kept.jsonl", r"instances [1-3]\d\d", of_batch),
    "climb": ("climb 100 --algorithms steepest,restart --runs 1 --json", "climbs 1", of_climb),
    "study": ("study --algorithm restart --runs 1e6 --seed 1 -o kept.json --runs-file r.csv", "runs [1-9]", of_study),
    "descend": ("descend starts.txt -o kept.txt", "starts 1", of_descents),
    "sample": ("sample 8 --count 1e7 -o kept.npz", r"sampling \d{6}", of_sample),
    "estimate": ("estimate 8 --replicas 1e5 --json", r"replicas \(\d\d ", of_estimate),
    "runtimes": ("runtimes 10,3e5 --seeds 1..1000 -o kept.csv", "run times 1", of_run_times),
    "puzzle --many": ("puzzle 12 --unique --many 1e5 -o kept.jsonl", r"puzzles [1-9]", of_puzzles),
}


def interrupted(folder, command, stage, name):
    """Run a command that sends itself a signal at a stage of its work; return its stdout and the end of stderr."""
    number = getattr(signal, name)
    return ended_at(folder, command, stage, f"signal.raise_signal({int(number)})", 128 + number)


def ended_at(folder, command, stage, send, exit_code, before=""):
    """Run a command, and a statement at a stage of its work; return its stdout and the end of stderr."""
    code = before + AT_STAGE.format(pattern=stage, send=send)
    done = process(*command.split(), cwd=folder, before=f"exec({code!r})")
    said = without_compiling(done.stderr)
    assert done.returncode == exit_code, said
    assert not [left for left in os.listdir(folder) if left.startswith(".")]
    return done.stdout, said


#: The other commands that keep nothing end in the same way, and these keep their results as others do.
ALIKE = {label for label, row in ROWS.items() if row[2] is None} - {"solve", "show", "puzzle"}
ALIKE |= {"prove --checkpoint", "descend", "runtimes", "puzzle --many"}


@pytest.mark.parametrize("label", [pytest.param(label, marks=[pytest.mark.gate] * (label in ALIKE)) for label in ROWS])
def test_an_interruption_keeps_what_the_page_says(tmp_path, label):
    name = list(SIGNALS)[list(ROWS).index(label) % len(SIGNALS)]
    (tmp_path / "board.txt").write_text("1 3 0 2\n")
    (tmp_path / "starts.txt").write_text("5 6 7 4 5 6 7 6\n" + "1 " * 1000 + "\n")
    (tmp_path / "trace.csv").write_text("attempt,step,pairs,conflicting_queens\n1,0,2,4\n1,1,0,0\n")
    (tmp_path / "hard.json").write_text(json.dumps({"n": 60, "blocked": CLOSED}))
    (tmp_path / "many.jsonl").write_text('{"n": 8}\n' * 400)
    np.save(tmp_path / "boards.npy", np.tile([1, 3, 0, 2], (5000, 1)))
    command, stage, check = ROWS[label]
    target = tmp_path / next(iter(re.findall(r"kept\.\w+", command)), "kept.txt")
    before = set(os.listdir(tmp_path))
    if check is None:
        target.write_text("earlier")
        assert interrupted(tmp_path, command, stage, name) == ("", f"{SIGNALS[name]}.\n")
        assert target.read_text() == "earlier"
        assert set(os.listdir(tmp_path)) == {*before, target.name}
    else:
        stdout, said = interrupted(tmp_path, command, stage, name)
        assert SIGNALS[name] in said.splitlines()[-1]
        assert said.count(SIGNALS[name]) == 1, "the end is said once"
        assert check(tmp_path, stdout, said)


@pytest.mark.skipif(os.name == "nt", reason="no test can close the window that it runs in")
@pytest.mark.parametrize("label", ["solve", "sample", "list"])
def test_closing_the_console_of_windows_keeps_what_sigterm_keeps(tmp_path, label):
    command, stage, check = ROWS[label]
    stdout, said = ended_at(tmp_path, command, stage, CLOSE, 143, WITH_CONSOLE)
    assert "Terminated" in said
    assert os.listdir(tmp_path) == [] if check is None else check(tmp_path, stdout, said)


def test_the_page_lists_these_commands():
    page = (REPOSITORY / "docs/reference/guarantees.md").read_text(encoding="utf-8")
    table = page.partition("| command | ")[2].partition("\n\n")[0]
    listed = [label for line in table.splitlines()[2:] for label in re.findall(r"`([^`]+)`", line.split("|")[1])]
    assert sorted(listed) == sorted(ROWS)


@pytest.mark.parametrize(
    ("command", "stage"),
    [("study 300 --algorithms restart --runs 1e6 -o kept.csv", "runs 0"), ("sample 1e6 -o kept.npz", "sampling")],
)
def test_no_result_is_finished(tmp_path, command, stage):
    stdout, said = interrupted(tmp_path, command, stage, "SIGTERM")
    assert (stdout, os.listdir(tmp_path)) == ("", [])
    assert said.endswith("\nTerminated; no result yet.\n")
