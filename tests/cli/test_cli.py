"""The command line: exit codes, messages, and the commands solve, verify and show."""

import json
import logging
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from errors import check_names
from lowered import lower
from processes import TIMEOUT, process, running, without_compiling
from rich.filesize import decimal

import fastqueens
from fastqueens import attacking_pairs, is_solution, read_board
from fastqueens._run.progress import COMPILING
from fastqueens._run.text import counted
from fastqueens.cli import app
from fastqueens.cli.session import NOTHING_FINISHED, Session
from fastqueens.errors import NotEnoughMemoryError
from fastqueens.files.boards import write_board
from fastqueens.result import Timings

REPOSITORY = Path(fastqueens.__file__).parents[1]

#: The keys of --json and their types.
FIGURES = {
    **dict.fromkeys(("version", "start", "method"), str),
    **dict.fromkeys(("n", "seed", "steps", "attempts", "restarts", "nodes", "sweeps", "initial_pairs", "pairs"), int),
    **dict.fromkeys(("fixed_queens", "blocked_squares", "excluded_diagonals", "conflicting_queens"), int),
    **{f"{part}_seconds": float for part in Timings._fields},
    "solved": bool,
    "options": dict,
    "rows_from": int,
    "queens": list,
}

SOLVED_8 = [3, 6, 2, 7, 1, 4, 0, 5]
DOCUMENTED_8 = "2 7 3 6 0 5 1 4"

#: The smallest board that is built in its file.
LARGE = str(2**22)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


def drawn_rows(text):
    return [line for line in text.splitlines() if line.startswith((". ", "Q "))]


def raiser(kind, *details):
    """Return a function that takes anything and raises a new error of this kind."""

    def fail(*_, **__):
        raise kind(*details)

    return fail


# Exit codes, through the real command


@pytest.mark.parametrize(
    ("words", "exit_code", "named"),
    [
        ("solve 1000 --seed 1", 0, ""),
        ("solve 1000 --start random --max-steps 3", 1, ""),
        ("solve 3", 3, "n = 3"),
    ],
)
def test_exit_codes_and_what_is_written(words, exit_code, named):
    done = process(*words.split(), "-o", "q.npy")
    assert (done.returncode, without_compiling(done.stderr) == "") == (exit_code, named == "")
    check_names(done.stderr, *[named] * bool(named))
    assert os.path.exists("q.npy") == (exit_code < 2)
    if exit_code < 2:
        assert is_solution(read_board("q.npy")) == (exit_code == 0)


def test_a_wrong_number_of_threads_in_the_environment_is_refused_before_the_work(run, monkeypatch):
    monkeypatch.setenv("FASTQUEENS_THREADS", "0")
    exit_code, stdout, stderr = run("show", "--board", "1 3 0 2")
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "FASTQUEENS_THREADS", "not 0")


def test_no_command_needs_another_thread(run, monkeypatch):
    """As with a small ulimit -u."""
    monkeypatch.setenv("FASTQUEENS_THREADS", "4")
    monkeypatch.setattr(threading.Thread, "start", raiser(RuntimeError, "can't start new thread"))
    Path("three.jsonl").write_text('{"n": 8}\n' * 3)
    for words in (
        "solve 300000 --seed 1", "prove 8", "count 8", "list 8", "batch three.jsonl", "puzzle 8 --unique",
        "study 6 --runs 20", "sample 8 --count 5", "estimate 20 --replicas 4", "runtimes 10 --seeds 1..2",
    ):  # fmt: skip
        assert run(*words.split())[0] == 0, words


#: Runs the module like a notebook, and continues.
HOST = """
import runpy, signal, sys
try:
    runpy.run_module("fastqueens", run_name="__main__", alter_sys=True)
except SystemExit as ending:
    is_restored = signal.getsignal(signal.SIGINT) is signal.default_int_handler and sys.stdout is sys.__stdout__
    print("continued after", ending.code, is_restored)
"""


@pytest.mark.parametrize(
    ("start", "named"),
    [
        (["-m", "cProfile", "-m", "fastqueens"], "function calls"),
        pytest.param(
            ["-m", "trace", "--listfuncs", "--module", "fastqueens"], "functions called", marks=pytest.mark.gate
        ),
        (["-c", HOST], "continued after 2 True"),
    ],
)
def test_profilers_and_notebooks_continue_after_the_command(start, named):
    done = process("verify", "missing.txt", start=start)
    check_names(done.stdout, named)
    assert done.stderr == "Error: missing.txt: no such file\n"


def test_the_same_seed_gives_the_same_board_in_every_process():
    arguments = ["solve", "5000", "--seed", "7", "--start", "uniform", "-o", "-"]
    one, other = (process(*arguments, env={"PYTHONHASHSEED": salt}) for salt in ("1", "2"))
    assert one.stdout == other.stdout
    assert one.stdout.count("\n") == 5000


#: A locale that knows only ASCII, which stands for the many encodings of Windows.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_pipes_get_utf8_from_every_system(tmp_path):
    words = ("statistics", "q.npy")
    np.save(tmp_path / "q.npy", np.array([1, 3, 0, 2]))
    in_utf8 = process(*words, cwd=tmp_path, env=ASCII, text=False).stdout
    assert re.search(r"0\.\d+ ± 0\.\d+", in_utf8.decode())
    as_the_user_wants = process(*words, cwd=tmp_path, env={**ASCII, "PYTHONIOENCODING": "latin-1"}, text=False).stdout
    assert as_the_user_wants.decode("latin-1") == in_utf8.decode()
    missing = process("verify", "caf\u00e9.npy", cwd=tmp_path, env={"PYTHONIOENCODING": ""}, text=False)
    assert "caf\u00e9.npy" in missing.stderr.decode()


def test_help_version_and_completion_load_neither_numba_nor_numpy():
    script = """
import sys
import threading
from fastqueens.cli.app import cli, run
from fastqueens.cli.session import NOTHING_FINISHED, Session
helps = [[name, "--help"] for name in cli.list_commands(None)]
for arguments in ([], ["--help"], ["--version"], *helps, ["solve", "--sed", "1"]):
    run(arguments, Session())
heavy = {"numpy", "numba", "rich", "scipy", "matplotlib", "PIL", "asyncio", "dask", "psutil"}
print(heavy & set(sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=REPOSITORY)
    assert done.stderr.splitlines()[-1] == "set()"
    assert f"fastqueens {fastqueens.__version__}" in done.stdout


# Bad input


def test_an_error_while_solving_is_reported_and_leaves_the_earlier_file(run, monkeypatch, subtests):
    lower(monkeypatch, made_in_file=1000)
    write_board("q.npy", [1, 3, 0, 2])
    for error, exit_code, named in (
        ((MemoryError,), 2, ["Error", "memory"]),
        ((OSError, 5, "Input/output error", "b.npy"), 2, ["Error", "b.npy: Input/output error"]),
        ((NotEnoughMemoryError, "it needs\ta lot"), 2, ["Error: it needs\\ta lot\nHint: --force starts anyway."]),
        ((fastqueens.Stopped, "now"), 130, []),
        ((RuntimeError, "odd \x1b[2J"), 70, [r"RuntimeError: odd \x1b[2J", "Traceback", fastqueens.__version__]),
    ):
        with subtests.test(repr(error)), monkeypatch.context() as patch:
            for words in ("solve 8", "solve 1000 -o q.npy"):
                patch.setattr(fastqueens, "solve", raiser(*error))
                found, stdout, stderr = run(*words.split())
                assert (found, stdout) == (exit_code, "")
                check_names(stderr, *named)
                assert exit_code != 2 or stderr.count("\n") == 1 + ("Hint" in stderr)
                assert exit_code != 70 or "open an issue" in stderr.splitlines()[-1]
                assert "\x1b" not in stderr
                assert (os.listdir(), read_board("q.npy").tolist()) == (["q.npy"], [1, 3, 0, 2])


@pytest.mark.parametrize("damaged", ["click", "numpy"])
def test_a_broken_library_does_not_end_silently(tmp_path, damaged):
    """Missing ones: tests/cli/test_packages.py."""
    (tmp_path / f"{damaged}.py").write_text("raise ImportError('DLL load failed')")
    with running("solve", "8", cwd=tmp_path, before=f"import sys; sys.path.insert(0, {str(tmp_path)!r})") as broken:
        stdout, stderr = broken.communicate(timeout=TIMEOUT)
    assert (broken.returncode, stdout) == (70, b"")
    check_names(stderr.decode(), "ImportError: DLL load failed", "issue")


# solve


def test_n_as_people_type_it(run):
    for text, n in {"1000": 1000, "1e3": 1000, "1_000": 1000, "1.5e3": 1500, "1E+3": 1000, "1,200": 1200}.items():
        for arguments in ([text], ["-n", text], ["--n", text]):
            assert json.loads(run("solve", *arguments, "--seed", "1e3", "--json", "-q")[1])["n"] == n
        assert run("explore", text, "-o", "p.html")[0] == 0, text


def test_the_report_on_a_small_board(run):
    exit_code, stdout, stderr = run("solve", "--seed", "1")
    result = fastqueens.solve(8, seed=1)
    drawings = drawn_rows(stdout)
    assert (exit_code, without_compiling(stderr)) == (0, "")
    assert [row.split().index("Q") for row in drawings[8:]] == np.argsort(result.queens).tolist()
    assert len(drawings) == 16
    pairs, steps = counted(result.initial_pairs, "attacking pair"), counted(result.steps, "step")
    verdict = re.compile(r"^Solved in [\d.]+ ms and verified in [\d.]+ ms: ", re.MULTILINE)
    check_names(stdout, "8 queens", "windowed", "seed 1", f"Initial board: {pairs}", steps, verdict)


@pytest.mark.parametrize("words", ["sample 8 --count 100 -o s.npz", "estimate 8", "runtimes 100"])
def test_work_that_keeps_what_is_finished_ends_without_output_if_a_signal_comes_before(capsys, words):
    session = Session()
    session.stop.set()
    assert app.run(words.split(), session) == 130
    assert (*capsys.readouterr(), os.listdir()) == ("", "", [])
    assert session.finished == NOTHING_FINISHED


def test_json_has_these_keys_and_types(run):
    exit_code, stdout, stderr = run("solve", "1000", "--json", "--seed", "3")
    assert (exit_code, stdout.count("\n")) == (0, 1)
    assert {key: type(value) for key, value in json.loads(stdout).items()} == FIGURES
    assert without_compiling(stderr) == ""


@pytest.mark.parametrize(("n", "is_in_json"), [(9_999, True), (10_000, True), (10_001, False)])
def test_json_has_the_board_unless_it_is_large(run, n, is_in_json):
    expected = [*(fastqueens.solve(n, seed=1).queens + 1).tolist()] if is_in_json else None
    arguments = ("solve", str(n), "--seed", "1", "--json", "--rows-from", "1")
    assert json.loads(run(*arguments)[1])["queens"] == expected


@pytest.mark.parametrize("n", [8, 50])
def test_a_board_on_stdout_moves_the_text_to_stderr_and_is_not_drawn(run, n):
    for command, queens in (("solve", fastqueens.solve(n, seed=1).queens), ("random", fastqueens.random_board(n, 1))):
        _, stdout, stderr = run(command, str(n), "--seed", "1", "-o", "-")
        assert [int(line) for line in stdout.splitlines()] == queens.tolist()
        check_names(stderr, "seed 1")
        assert drawn_rows(stderr) == []


def test_a_board_is_written_in_every_format_and_verified(run, monkeypatch):
    for made_in_file in (1, 10**6):
        with monkeypatch.context() as patch:
            lower(patch, made_in_file=made_in_file)
            for name in ("q.npy", "q.txt", "q.csv", "q.json"):
                for rows_from in ("0", "1"):
                    assert run("solve", "100", "-o", name, "--rows-from", rows_from)[0] == 0
                    assert run("verify", name, "--rows-from", rows_from)[0] == 0
                    assert os.listdir() == [name]
                os.unlink(name)


# Large boards: built in their file, on any number of threads, within the available memory


def test_a_large_board_is_built_in_its_file_and_equals_the_one_in_memory(run, monkeypatch):
    lower(monkeypatch, made_in_file=100_000, threads=1)
    expected = fastqueens.solve(100_000, seed=5).queens
    for threads in ("1", "2"):
        assert run("solve", "100000", "--seed", "5", "--threads", threads, "-o", f"{threads}.npy")[0] == 0
    assert Path("1.npy").read_bytes() == Path("2.npy").read_bytes()
    board = np.load("1.npy")
    assert board.dtype == expected.dtype
    assert np.array_equal(board, expected)
    assert run("verify", "1.npy", "--threads", "2")[0] == 0


@pytest.mark.parametrize(
    ("n", "before"), [("300000", ""), (LARGE, "import fastqueens.solver as solver; solver.solved = None")]
)
def test_a_file_that_cannot_grow_leaves_the_earlier_one(n, before):
    """A board that is made in its file is refused before solving."""
    resource = pytest.importorskip("resource")
    write_board("q.npy", [1, 3, 0, 2])
    before = f"import resource; resource.setrlimit({resource.RLIMIT_FSIZE}, (10**6, 10**6)); {before or 'pass'}"
    done = process("solve", n, "-o", "q.npy", before=before)
    assert done.returncode == 2
    check_names(done.stderr, "Error: q.npy", "larger", "unchanged")
    assert (os.listdir(), read_board("q.npy").tolist()) == (["q.npy"], [1, 3, 0, 2])


@pytest.mark.parametrize(
    "command",
    [
        *("show q.txt -o q.png", "statistics q.txt -o s.csv", "puzzle 8 -o f.csv", "random 8 -o r.npy"),
        *("climb 8 -o c.npz", "explore 8 -o p.html", "poster 8 --dpi 20 -o p.png"),
        *("solve 8 --trace t.csv --plot c.svg --poster p.svg -o r.txt", "solve 8 --trace t.csv --plot c.svg -o -"),
    ],
)
def test_commands_say_what_they_wrote(run, command):
    write_board("q.txt", SOLVED_8)
    exit_code, *printed = run(*command.split())
    written = sorted(set(os.listdir()) - {"q.txt"})
    assert (exit_code < 2, written) == (True, sorted(set(command.split()[2:]) & set(written)))
    sizes = [f"Wrote {name} ({decimal(os.path.getsize(name))})" for name in written]
    assert sorted(re.findall(r"^Wrote .*?\)", "".join(printed), re.MULTILINE)) == sizes
    assert printed[0].replace("\n", "").isdigit() == command.endswith("-o -")


@pytest.mark.parametrize(
    "command",
    [
        *("solve 8 -o r.npy --plot c.png", "prove 8", "count 6", "list 6 -o a.txt"),
        *(
            "estimate 8 --replicas 4",
            "climb 8 -o c.npz --plot c.png",
            "study 4 --runs 2 -o s.csv",
            "sample 8 -o s.npz",
            "verify q.txt",
        ),
        *("info", "statistics q.txt -o s.csv"),
    ],
)
def test_json_comes_without_a_report(run, command):
    write_board("q.txt", SOLVED_8)
    exit_code, stdout, stderr = run(*command.split(), "--json")
    assert (exit_code < 2, without_compiling(stderr)) == (True, "")
    assert json.loads(stdout)


def test_all_ways_to_pass_a_board(run):
    rows = [int(row) for row in DOCUMENTED_8.split()]
    expected = fastqueens.solve(board=rows, seed=1)
    write_board("from_0.txt", rows)
    write_board("from_1.csv", rows, rows_from=1)
    outputs = [
        run("solve", *way, "--seed", "1", "--json")[:2]
        for way in (
            ["--board", DOCUMENTED_8],
            ["--board", "3,8,4,7,1,6,2,5", "--rows-from", "1"],
            *(words.split() for words in ("--file from_0.txt", "--file from_1.csv --rows-from 1 8")),
        )
    ]
    done = process("solve", "--file", "-", "--seed", "1", "--json", input=Path("from_0.txt").read_text())
    for exit_code, stdout in (*outputs, (done.returncode, done.stdout)):
        found = json.loads(stdout)
        assert (exit_code, found["start"]) == (1 - expected.solved, "board")
        assert (found["steps"], found["initial_pairs"]) == (expected.steps, attacking_pairs(rows))


def test_compiling_is_mentioned_once_and_never_when_quiet(capsys):
    log = logging.getLogger("fastqueens")
    session, stages = Session(), []
    session.display.report = lambda stage, *_: stages.append(stage)
    with session.progress_and_notes():
        log.info(COMPILING)
    assert stages == ["loading", "compiling"], "the line on a terminal says so as long as it lasts"
    session = Session()
    session.begin(quiet=True)
    with session.progress_and_notes():
        log.info(COMPILING)
    log.info(COMPILING)
    assert capsys.readouterr().err == f"{COMPILING}\n"


# verify and show


def test_verify_names_the_first_attack(run):
    for board, options, exit_code, named in (
        (b"0\n", [], 0, ["Solved: 1 queen"]),
        (b"3\n6\n2\n7\n1\n4\n0\n5\n", ["--threads", "2"], 0, ["Solved: 8 queens"]),
        (b"0\n0\n1\n2\n4\n", [], 1, ["Not solved", "5 attacking pairs", "column 0, row 0", "column 1, row 0", "row"]),
        (b"1\n4\n2\n3\n", ["--rows-from", "1"], 1, ["Not solved", "column 2, row 2", "column 3, row 3", "diagonal"]),
    ):
        Path("q.txt").write_bytes(board)
        found, stdout, _ = run("verify", "q.txt", *options)
        assert found == exit_code, board
        check_names(stdout, *named)
        assert run("verify", "-q", "q.txt", *options) == (exit_code, "", "")
