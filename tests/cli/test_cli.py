"""The command line: exit codes, messages, and the commands solve, verify and show."""

import importlib
import inspect
import io
import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from lowered import lower
from processes import TIMEOUT, process, running, without_compiling

import fastqueens
from fastqueens import attacking_pairs, first_attack, is_solution, read_board
from fastqueens.cli import app
from fastqueens.cli import output as printing
from fastqueens.cli.options import Command, Stated
from fastqueens.cli.output import progress_and_notes
from fastqueens.cli.process import Session
from fastqueens.core.arguments import STARTS
from fastqueens.core.wording import counted, duration
from fastqueens.files.boards import write_board
from fastqueens.jit import store

REPOSITORY = Path(fastqueens.__file__).parents[1]

FIGURES = {
    "n": int,
    "seed": int,
    "start": str,
    "solved": bool,
    "method": str,
    "steps": int,
    "attempts": int,
    "restarts": int,
    "fixed_queens": int,
    "blocked_squares": int,
    "excluded_diagonals": int,
    "nodes": int,
    "sweeps": int,
    "initial_pairs": int,
    "pairs": int,
    "conflicting_queens": int,
    "allocation_seconds": float,
    "placement_seconds": float,
    "search_seconds": float,
    "verification_seconds": float,
    "complete_search_seconds": float,
    "mixing_seconds": float,
    "writing_seconds": float,
}

SOLVED_8 = [3, 6, 2, 7, 1, 4, 0, 5]
DOCUMENTED_8 = "2 7 3 6 0 5 1 4"

#: The smallest board that is built in its file.
LARGE = str(2**22)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


def feed(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def drawn_rows(text):
    return [line for line in text.splitlines() if line.startswith((". ", "Q "))]


# Exit codes, through the real command


@pytest.mark.parametrize(
    ("arguments", "exit_code", "stderr"),
    [
        (["solve", "1000", "--seed", "1", "-o", "q.npy"], 0, ""),
        (["solve", "1000", "--start", "random", "--max-steps", "3", "-o", "q.npy"], 1, ""),
        (["solve", "0", "-o", "q.npy"], 2, "Error: n is 0: a board has at least 1 queen\n"),
        (["solve", "3", "-o", "q.npy"], 3, "Error: no solution exists for n = 3\n"),
    ],
)
def test_exit_codes_and_what_is_written(arguments, exit_code, stderr):
    done = process(*arguments)
    assert (done.returncode, without_compiling(done.stderr)) == (exit_code, stderr)
    assert os.path.exists("q.npy") == (exit_code < 2)
    if exit_code < 2:
        assert is_solution(read_board("q.npy")) == (exit_code == 0)


def test_the_same_seed_gives_the_same_board_in_every_process():
    arguments = ["solve", "5000", "--seed", "7", "--start", "uniform", "-o", "-"]
    one, other = (process(*arguments, env={"PYTHONHASHSEED": salt}) for salt in ("1", "2"))
    assert one.stdout == other.stdout
    assert one.stdout.count("\n") == 5000


@pytest.mark.parametrize("arguments", [["solve", "100000", "-o", "-", "-q"], ["--help"], ["solve", "--seeds", "1..40"]])
def test_a_closed_pipe_ends_it_silently(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = process(*arguments, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, without_compiling(done.stderr)) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["solve", "1000", "-o", "-", "-q"], ["solve", "1000", "-q", "--json"]])
def test_a_full_disk_behind_stdout_is_reported(arguments):
    with open("/dev/full", "w") as full:
        done = process(*arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr


def test_a_file_that_cannot_grow_leaves_the_earlier_one():
    resource = pytest.importorskip("resource")
    write_board("q.npy", [1, 3, 0, 2])
    before = f"import resource; resource.setrlimit({resource.RLIMIT_FSIZE}, (2_000_000, 2_000_000))"
    done = process("solve", "1000000", "-o", "q.npy", before=before)
    assert done.returncode == 2
    assert "Error: q.npy: " in done.stderr
    assert os.listdir() == ["q.npy"]
    assert read_board("q.npy").tolist() == [1, 3, 0, 2]


def test_help_version_and_completion_load_neither_numba_nor_numpy():
    script = """
import sys
from fastqueens.cli.app import cli, run
from fastqueens.cli.output import progress_and_notes
from fastqueens.cli.process import Session
helps = [[name, "--help"] for name in cli.commands]
for arguments in ([], ["--help"], ["--version"], *helps, ["completion", "zsh"], ["solve", "--sed", "1"]):
    run(arguments, Session())
heavy = {"numpy", "numba", "rich", "scipy", "matplotlib", "PIL", "asyncio", "starlette", "uvicorn", "dask", "psutil"}
print(heavy & set(sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=REPOSITORY)
    assert done.stderr.splitlines()[-1] == "set()"
    assert f"fastqueens {fastqueens.__version__}" in done.stdout


def test_a_shell_completes_starts():
    words = {"COMP_WORDS": "fastqueens solve --start ", "COMP_CWORD": "3"}
    done = process(env={"_FASTQUEENS_COMPLETE": "bash_complete", **words})
    assert done.returncode == 0
    assert done.stdout.split() == [f"plain,{start}" for start in STARTS]


# Bad input


@pytest.fixture
def _bad_files():
    files = {
        "empty.txt": b"",
        "row_off.txt": b"0\n2\n",
        "float.txt": b"1\n0.5\n",
        "word.txt": b"1\nqueen\n",
        "random.txt": bytes(range(256)),
        "random.npy": bytes(range(256)),
        "eight.txt": b"".join(b"%d\n" % row for row in SOLVED_8),
        "two.txt": b"0\n1\n",
    }
    for name, content in files.items():
        Path(name).write_bytes(content)
    np.save("shape.npy", np.zeros((2, 2), np.int64))
    np.save("float.npy", np.zeros(4))
    np.save("objects.npy", np.array([0, None]), allow_pickle=True)
    Path("folder").mkdir()


BAD_BOARDS = [
    ("empty.txt", "empty.txt: it is empty"),
    ("row_off.txt", "row_off.txt: line 2 holds 2; rows go from 0 to 1"),
    ("float.txt", "float.txt: line 2 holds '0.5'; a whole number is needed"),
    ("word.txt", "word.txt: line 2 holds 'queen'; a whole number is needed"),
    ("missing.txt", "missing.txt: no such file"),
    ("8", "8: no such file; a file with a board is needed, and fastqueens solve 8 -o board.txt writes one"),
    ("folder", "folder: this is a folder"),
    ("random.txt", "random.txt: line 1"),
    ("random.npy", "random.npy: this is not an .npy file"),
    ("shape.npy", "shape.npy: the array has shape (2, 2)"),
    ("float.npy", "float.npy: the array holds float64"),
    ("objects.npy", "objects.npy: it cannot be read as .npy"),
    ("board.png", "board.png: unknown suffix '.png'"),
]

BAD_ARGUMENTS = [
    (["0"], "n is 0: a board has at least 1 queen"),
    (["-5"], "n is -5: a board has at least 1 queen"),
    (["-12"], "n is -12: a board has at least 1 queen"),
    (["-n", "-5"], "n is -5: a board has at least 1 queen"),
    (["queen"], "Error: n: 'queen' is not a whole number; write, for example, 1000000, 1,000,000 or 1e6"),
    (["2.5"], "'2.5' is not a whole number"),
    (["10.000"], "Error: n: '10.000' is ambiguous; write 10000, 10,000 or 1e4"),
    (["1.234.500"], "'1.234.500' is ambiguous; write 1234500, 1,234,500 or 1.2345e6"),
    (["8.0"], "'8.0' is a whole number with a decimal point; write 8"),
    (["8", "--seed", "1.000"], "--seed: '1.000' is ambiguous; write 1000, 1,000 or 1e3"),
    (["1e-3"], "'1e-3' is not a whole number"),
    (["1,00"], "'1,00' is not a whole number"),
    (["q.txt"], "'q.txt' is not a number of queens; to start from the board in a file, write --file q.txt"),
    (["nan"], "'nan' is not a whole number"),
    ([""], "'' is not a whole number"),
    (["5e9"], "n is 5,000,000,000: the largest board has 4,294,967,295 queens"),
    (["1e5000"], "'1e5000' is too large"),
    (["8", "-n", "8"], "N and --n: give only one of them"),
    (["9", "--file", "eight.txt"], "n is 9, and the board has 8 queens: give either N or --file"),
    (["9", "--board", DOCUMENTED_8], "n is 9, and the board has 8 queens: give either N or --board"),
    (["--board", "2 7 x"], "--board: column 2 holds 'x'; a whole number is needed"),
    (["--board", "1 2", "--rows-from", "2"], "'2' is not one of '0', '1'"),
    (["--board", DOCUMENTED_8, "--rows-from", "1"], "--board: column 4 holds 0; rows go from 1 to 8"),
    (["--board", "0", "--file", "eight.txt"], "--file and --board: give one of them"),
    (["8", "--start", "windwed"], "'windwed' is not one of 'windowed', 'uniform', 'random', 'permutation'"),
    (["8", "--seed", "-1"], "seed is -1: it goes from 0 to 18446744073709551615"),
    (["8", "--max-steps", "-1"], "max_steps is -1"),
    (["8", "--restarts", "often"], "--restarts: 'often' is not a whole number"),
    (["8", "--threads", "0"], "threads is 0: it goes from 1 to 1024"),
    (["8", "--threads", "1e4"], "threads is 10000: it goes from 1 to 1024"),
    (["8", "--threads", "all"], "--threads: 'all' is not a whole number"),
    (["4194304", "--threads", "0", "-o", "q.npy"], "threads is 0: it goes from 1 to 1024"),
    (["4194304", "--seed", "-1", "-o", "q.npy"], "seed is -1"),
    (["5e9", "-o", "q.npy"], "n is 5,000,000,000: the largest board has 4,294,967,295 queens"),
    (["8", "--sead", "1"], "No such option"),
    (["8", "9"], "Got unexpected extra argument (9)"),
    (["8", "-o", "-", "--json"], "-o - and --json both write to stdout"),
    (["8", "-o", "missing/q.npy"], "missing/q.npy: the folder"),
    (["8", "-o", "eight.txt/q.npy"], "eight.txt/q.npy: a part of the path is not a folder"),
    (["8", "-o", "folder"], "folder: the name has no suffix, which decides the format"),
    (["8", "-o", "q.nyp"], "q.nyp: unknown suffix '.nyp'"),
    (["8", "-o", "q.png"], "q.png: -o writes the board as .npy, .txt, .csv or .json; --poster q.png draws it, and"),
    (["8", "-o", "q"], "q: the name has no suffix, which decides the format"),
    (["8", "--trace", "trace.txt"], "trace.txt: unknown suffix '.txt'"),
    (["8", "--trace", "missing/trace.csv"], "missing/trace.csv: the folder"),
    (["8", "-o", "a.csv", "--trace", "./a.csv"], "-o and --trace name the same file"),
    (["8", "--seeds", "1..3", "--seed", "1"], "--seed and --seeds: give one of them"),
    (["8", "--seeds", "1..3", "-o", "q.npy"], "--seeds and -o"),
    (["8", "--seeds", "1..3", "--trace", "t.csv"], "--seeds and --trace"),
    (["8", "--seeds", "1.5"], "'1.5' is not a whole number"),
    (["8", "--seeds", "5..1"], "'5..1' goes down; write 1..5"),
    (["8", "--seeds", "1,000"], "--seeds: '1,000' is a list, and 000 in it is no number"),
    (["8", "--seeds", "0..99999999999999999999"], "seeds go from 0 to 18446744073709551615"),
    (["8", "--seeds", "1..1000001,7"], "has 1,000,002 seeds; a table has at most 1,000,000"),
]


def assert_refused(outcome, message, files):
    exit_code, stdout, stderr = outcome
    assert (exit_code, stdout) == (2, "")
    assert message in " ".join(stderr.split())
    assert stderr.count("Error: ") == 1
    assert "Traceback" not in stderr
    assert sorted(os.listdir()) == files


@pytest.mark.usefixtures("_bad_files")
@pytest.mark.parametrize(("file", "message"), BAD_BOARDS)
@pytest.mark.parametrize("command", [["solve", "-o", "q.npy", "--file"], ["verify"], ["show"]])
def test_a_bad_board_is_refused(run, command, file, message):
    files = sorted(os.listdir())
    assert_refused(run(*command, file), message, files)


@pytest.mark.usefixtures("_bad_files")
@pytest.mark.parametrize(("arguments", "message"), BAD_ARGUMENTS)
def test_a_bad_argument_is_refused(run, arguments, message):
    files = sorted(os.listdir())
    assert_refused(run("solve", *arguments), message, files)


@pytest.mark.parametrize(("arguments", "n"), [(["2"], 2), (["3"], 3), (["--board", "0 1"], 2)])
def test_no_solution_exists(run, arguments, n):
    assert run("solve", *arguments, "-o", "q.npy") == (3, "", f"Error: no solution exists for n = {n}\n")
    assert os.listdir() == []


def test_bad_output_is_refused_before_solving(run, monkeypatch):
    monkeypatch.setattr(fastqueens, "solve", lambda *_, **__: pytest.fail("it was solved first"))
    for output in ("missing/q.npy", "q.png"):
        assert run("solve", "8", "-o", output)[0] == 2


@pytest.mark.parametrize(
    ("error", "exit_code", "message"),
    [
        (MemoryError(), 2, "there is not enough memory"),
        (OSError(5, "Input/output error", "q.npy"), 2, "q.npy: Input/output error"),
    ],
)
def test_an_error_while_solving_is_reported_in_one_sentence(run, monkeypatch, error, exit_code, message):
    def fail(**_):
        raise error

    monkeypatch.setattr(fastqueens, "solve", fail)
    found, stdout, stderr = run("solve", "8")
    assert (found, stdout) == (exit_code, "")
    assert stderr.startswith(f"Error: {message}")
    assert stderr.count("\n") == 1


def test_an_internal_error_is_reported_with_its_traceback(run, monkeypatch):
    def fail(**_):
        raise RuntimeError("odd \x1b[2J")

    monkeypatch.setattr(fastqueens, "solve", fail)
    exit_code, stdout, stderr = run("solve", "8")
    assert (exit_code, stdout) == (70, "")
    *trace, error, advice = stderr.splitlines()
    assert trace[0] == "Traceback (most recent call last):"
    assert trace[-1] == r"RuntimeError: odd \x1b[2J"
    assert error.startswith(r"Error: internal error, please report it: RuntimeError: odd \x1b[2J (test_cli.py, line ")
    assert "Open an issue" in advice
    monkeypatch.setattr(sys, "stderr", None)
    assert run("solve", "8")[0] == 70


@pytest.mark.parametrize("missing", ["click", "numpy"])
def test_a_broken_library_does_not_end_silently(tmp_path, missing):
    with running("solve", "8", cwd=tmp_path, before=f"import sys; sys.modules['{missing}'] = None") as broken:
        stdout, stderr = broken.communicate(timeout=TIMEOUT)
    assert (broken.returncode, stdout) == (70, b"")
    assert f"ModuleNotFoundError: import of {missing} halted".encode() in stderr
    assert b"Open an issue" in stderr


def test_a_missing_library_is_named(run, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(sys, "path", [])
        with pytest.raises(ModuleNotFoundError) as caught:
            store._version.__wrapped__("numba")

    def fail(**_):
        raise caught.value

    monkeypatch.setattr(fastqueens, "solve", fail)
    assert run("solve", "8") == (2, "", "Error: fastqueens needs numba: run python -m pip install numba\n")


# solve


@pytest.mark.parametrize(
    ("text", "n"), [("1000", 1000), ("1e3", 1000), ("1_000", 1000), ("1.5e3", 1500), ("1E+3", 1000)]
)
def test_n_as_people_type_it(run, text, n):
    for arguments in ([text], ["-n", text], ["--n", text]):
        assert json.loads(run("solve", *arguments, "--json", "-q")[1])["n"] == n


def test_the_report_on_a_small_board(run):
    exit_code, stdout, stderr = run("solve", "--seed", "1")
    result = fastqueens.solve(8, seed=1)
    lines = stdout.splitlines()
    drawings = drawn_rows(stdout)
    assert exit_code == 0
    assert without_compiling(stderr) == ""
    assert lines[0].startswith("Placed 8 queens in ")
    assert lines[0].endswith(" (windowed start, seed 1).")
    assert lines[1] == f"Initial board: {counted(result.initial_pairs, 'attacking pair')}."
    assert [row.split().index("Q") for row in drawings[8:]] == np.argsort(result.queens).tolist()
    assert len(drawings) == 16
    assert any(line.startswith("Searched for ") and f": {result.steps} step" in line for line in lines)
    assert any(re.match(r"Solved in [\d.]+ ms and verified in [\d.]+ ms: ", line) for line in lines)


@pytest.mark.parametrize(("n", "rows"), [("32", 64), ("33", 0)])
def test_boards_are_drawn_below_33(run, n, rows):
    stdout = run("solve", n, "--seed", "1")[1]
    assert len(drawn_rows(stdout)) == rows


def test_the_origin_flips_both_drawings(run):
    upper, lower = (
        run("solve", "--board", DOCUMENTED_8, "--seed", "1", "--origin", origin)[1] for origin in ("upper", "lower")
    )
    upper_rows, lower_rows = drawn_rows(upper), drawn_rows(lower)
    assert upper_rows[:8] == lower_rows[:8][::-1]
    assert upper_rows[8:] == lower_rows[8:][::-1]
    assert upper_rows[0] == ". . . . Q . . ."


def test_the_report_when_the_budget_is_spent(run):
    exit_code, stdout, _ = run("solve", "1000", "--start", "random", "--seed", "1", "--max-steps", "2")
    result = fastqueens.solve(1000, start="random", seed=1, max_steps=2)
    assert exit_code == 1
    assert (
        f"Not solved: {result.pairs:,} attacking pairs and {result.conflicting_queens} conflicting queens left."
        in stdout
    )


def test_maxsteps_is_max_steps(run):
    assert json.loads(run("solve", "100", "--start", "random", "--maxsteps", "1e0", "--json")[1])["steps"] == 1


def test_every_option_reaches_the_solver(run, monkeypatch):
    seen = {}

    def note(**arguments):
        seen.update(arguments)
        raise fastqueens.InputError("enough")

    monkeypatch.setattr(fastqueens, "solve", note)
    options = "--start uniform --seed 4 --max-steps 5_000 --restarts 2 --mix 20 --threads 3 --force"
    run("solve", "1e2", *options.split())
    assert callable(seen.pop("progress"))
    assert callable(seen.pop("stop"))
    assert seen.pop("n").n == 100
    expected = {"board": None, "start": "uniform", "seed": 4, "max_steps": 5000, "restarts": 2}
    expected |= {"method": "auto", "max_nodes": None, "mix": 20}
    assert seen == {**expected, "trace": False, "moves": False, "threads": 3, "force": True, "out": None}


def test_after_a_signal_nothing_is_printed_or_written(capsys, monkeypatch):
    session = Session()
    result = fastqueens.solve(100, start="random", seed=1, max_steps=0)

    def solve(**_):
        session.stop.set()
        return result

    monkeypatch.setattr(fastqueens, "solve", solve)
    for arguments in (["-o", "q.npy"], ["--seeds", "1..9"]):
        assert app.run(["solve", "100", *arguments], session) == 130
        assert capsys.readouterr() == ("", "")
        session.stop.clear()
    assert os.listdir() == []


def test_restarts_are_counted(run, monkeypatch):
    result = fastqueens.solve(8, seed=1)
    repeated = fastqueens.Result(**{**vars(result), "restarts": (1, 2)})
    monkeypatch.setattr(fastqueens, "solve", lambda **_: repeated)
    assert "and 2 restarts." in run("solve", "8")[1]


def test_json_has_these_keys_and_types(run):
    exit_code, stdout, stderr = run("solve", "1000", "--json", "--seed", "3")
    found = json.loads(stdout)
    assert exit_code == 0
    assert {key: type(value) for key, value in found.items()} == FIGURES
    assert stdout.count("\n") == 1
    assert "Solved in" in stderr


def test_quiet_prints_only_data(run):
    assert run("solve", "100", "-q") == (0, "", "")
    assert run("solve", "100", "-q", "--max-steps", "0", "--start", "random") == (1, "", "")
    assert run("solve", "4", "-q", "-o", "-", "--seed", "1")[1:] in {("1\n3\n0\n2\n", ""), ("2\n0\n3\n1\n", "")}


def test_a_board_on_stdout_moves_the_text_to_stderr(run):
    _, stdout, stderr = run("solve", "50", "--seed", "1", "-o", "-")
    assert [int(line) for line in stdout.splitlines()] == fastqueens.solve(50, seed=1).queens.tolist()
    assert "Solved in" in stderr


@pytest.mark.parametrize("suffix", [".npy", ".txt", ".csv", ".json"])
@pytest.mark.parametrize("rows_from", ["0", "1"])
def test_a_board_is_written_in_every_format_and_verified(run, suffix, rows_from):
    assert run("solve", "100", "-o", f"q{suffix}", "--rows-from", rows_from)[0] == 0
    assert run("verify", f"q{suffix}", "--rows-from", rows_from)[0] == 0
    assert os.listdir() == [f"q{suffix}"]


# Large boards: built in their file, on any number of threads, within the available memory


def test_a_large_board_is_built_in_its_file_and_equals_the_one_in_memory(run, monkeypatch):
    monkeypatch.setattr("fastqueens.files.boards.write_board", lambda *_: pytest.fail("it was written afterwards"))
    for threads in ("1", "2"):
        assert run("solve", LARGE, "--seed", "5", "--threads", threads, "-o", f"{threads}.npy")[0] == 0
    assert Path("1.npy").read_bytes() == Path("2.npy").read_bytes()
    expected = fastqueens.solve(int(LARGE), seed=5).queens
    board = np.load("1.npy")
    assert board.dtype == expected.dtype
    assert np.array_equal(board, expected)
    assert run("verify", "1.npy", "--threads", "2")[0] == 0


def test_other_boards_are_written_afterwards(run, monkeypatch):
    monkeypatch.setattr("fastqueens.files.board_npy.mapped_board", lambda *_: pytest.fail("it was mapped"))
    lower(monkeypatch, made_in_file=100)
    os.mkfifo("pipe.npy")
    for output, *other in [
        ("q.npy", "99"),
        ("q.npy", "100", "--rows-from", "1"),
        ("q.txt", "100"),
        ("-", "100"),
    ]:
        assert run("solve", *other, "-o", output)[0] == 0
    from fastqueens.files.board_npy import can_be_mapped

    assert not can_be_mapped("pipe.npy")


def test_the_best_board_is_written_when_the_budget_is_spent(run, monkeypatch):
    lower(monkeypatch, made_in_file=1000)
    monkeypatch.setattr("fastqueens.solving.run.stagnation_limit", lambda _: 3)
    arguments = {"start": "random", "seed": 2, "max_steps": 1500, "restarts": 5}
    options = [text for key, value in arguments.items() for text in (f"--{key.replace('_', '-')}", str(value))]
    assert run("solve", "1000", *options, "-o", "q.npy", "--trace", "t.csv")[0] == 1
    result = fastqueens.solve(1000, **arguments)
    assert len(result.restarts) > 0
    assert np.array_equal(np.load("q.npy"), result.queens)
    assert sorted(os.listdir()) == ["q.npy", "t.csv"]


@pytest.mark.parametrize("error", [RuntimeError("odd"), fastqueens.Stopped("now"), MemoryError()])
def test_an_error_leaves_the_earlier_file(run, monkeypatch, error):
    def fail(out, **_):
        out[:] = 0
        raise error

    lower(monkeypatch, made_in_file=1000)
    monkeypatch.setattr(fastqueens, "solve", fail)
    write_board("q.npy", [1, 3, 0, 2])
    assert run("solve", "1000", "-o", "q.npy")[0] in (70, 130, 2)
    assert os.listdir() == ["q.npy"]
    assert read_board("q.npy").tolist() == [1, 3, 0, 2]


def test_a_disk_that_is_too_small_is_detected_before_solving():
    resource = pytest.importorskip("resource")
    write_board("q.npy", [1, 3, 0, 2])
    before = (
        "import resource, fastqueens.solving.solver as solver; solver.SearchRun = None; "
        f"resource.setrlimit({resource.RLIMIT_FSIZE}, (10**7, 10**7))"
    )
    done = process("solve", LARGE, "-o", "q.npy", before=before)
    assert done.returncode == 2
    assert done.stderr == "Error: q.npy: the file is larger than allowed; the earlier file is unchanged\n"
    assert os.listdir() == ["q.npy"]
    assert read_board("q.npy").tolist() == [1, 3, 0, 2]


LIMITED = """
import resource, fastqueens
fastqueens.solve(100, seed=1)
resource.setrlimit(resource.RLIMIT_AS, (420_000_000, resource.RLIM_INFINITY))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc/self/status")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], r"solving n = 100,000,000 needs 500 MB of memory, and \d+ MB are available\nHint: --force .*"),
        (["-o", "q.npy"], r"q.npy: mapping it needs 400 MB of address space, and \d+ MB are available"),
    ],
)
def test_too_little_address_space_is_refused_with_both_numbers(arguments, message):
    done = process("solve", "1e8", *arguments, before=LIMITED.rstrip())
    assert done.returncode == 2
    assert re.fullmatch(f"Error: {message}\n", without_compiling(done.stderr))
    assert os.listdir() == []


def test_force_starts_even_if_memory_seems_short(run, monkeypatch):
    monkeypatch.setattr("fastqueens.core.memory.available_memory", lambda: 150_000_000)
    monkeypatch.setattr("fastqueens.solving.task._WINDOWED_BYTES", 200_000)
    message = "solving n = 1,000 needs 200 MB of memory, and 150 MB are available"
    assert run("solve", "1000") == (2, "", f"Error: {message}\nHint: --force starts anyway.\n")
    assert run("solve", "1000", "--force", "-q") == (0, "", "")
    with pytest.raises(fastqueens.NotEnoughMemoryError) as caught:
        fastqueens.solve(1000)
    assert str(caught.value) == message


@pytest.mark.parametrize(("seconds", "is_long"), [(0.005, False), (1.2, True)])
def test_long_allocation_and_long_writing_get_a_sentence(run, monkeypatch, seconds, is_long):
    result = fastqueens.solve(100, seed=1)
    slow = fastqueens.Result(**{**vars(result), "timings": result.timings._replace(allocation=seconds)})
    monkeypatch.setattr(fastqueens, "solve", lambda **_: slow)
    monkeypatch.setattr("fastqueens.cli.solve._LONG_WRITING", 0 if is_long else 1000)
    lines = run("solve", "100", "-o", "q.txt")[1].splitlines()
    assert (lines[0] == "Allocated memory in 1.20 s.") == is_long
    assert lines[-1].startswith("Wrote q.txt (290 bytes)" + (" in " if is_long else "."))
    assert not run("solve", "100", "-o", "q.txt", "-q")[1]


def test_every_file_that_solve_writes_is_named_with_its_size(run):
    arguments = ("solve", "8", "--seed", "1", "--trace", "t.csv", "--plot", "c.svg", "--poster", "p.svg")
    written = [("q.txt", "16 bytes"), *((name, None) for name in ("t.csv", "c.svg", "p.svg"))]
    stdout = run(*arguments, "-o", "q.txt")[1]
    for name, size in written:
        size = size or printing._file_size(os.path.getsize(name))
        assert f"\nWrote {name} ({size}).\n" in stdout
    stdout, stderr = run(*arguments, "-o", "-")[1:]
    assert len(stdout.splitlines()) == 8
    assert stderr.count("\nWrote ") == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "q.txt", "-o", "q.png"],
        ["statistics", "q.txt", "-o", "s.csv"],
        ["puzzle", "8", "-o", "f.csv"],
        ["random", "8", "-o", "r.npy"],
        ["climb", "8", "-o", "c.npz"],
        ["climb", "8", "--json", "-o", "c.npz"],
        ["explore", "8", "-o", "p.html"],
        ["poster", "8", "--dpi", "20", "-o", "p.png"],
    ],
)
def test_commands_say_what_they_wrote(run, arguments):
    write_board("q.txt", SOLVED_8)
    printed = "".join(run(*arguments)[1:])
    size = printing._file_size(os.path.getsize(arguments[-1]))
    assert f"\nWrote {arguments[-1]} ({size})" in f"\n{printed}"


def test_the_time_of_solving_includes_all_steps_but_not_the_check(run, monkeypatch):
    result = fastqueens.solve(100, seed=1)
    timings = result.timings._replace(
        placement=1, search=2, complete_search=3, mixing=4, verification=0.5, allocation=9
    )
    slow = fastqueens.Result(**{**vars(result), "timings": timings})
    monkeypatch.setattr(fastqueens, "solve", lambda **_: slow)
    assert "\nSolved in 10.0 s and verified in 500 ms: no queen attacks another.\n" in run("solve", "100")[1]


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_terminal_gets_lines_wrapped_at_blanks(run, monkeypatch, stream):
    name = f"{'queens-' * 8}.npy"
    arguments = ["solve", "8", "-o", name] if stream == "stdout" else ["climb", "8", "--rule", name]
    whole = run(*arguments)[1 if stream == "stdout" else 2]
    assert max(map(len, whole.splitlines())) > 60
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(getattr(sys, stream), "isatty", lambda: True)
    wrapped = run(*arguments)[1 if stream == "stdout" else 2]
    lines = [line for line in re.sub(r"\x1b\[[\d;]*[mK]|\r", "", wrapped).splitlines() if name not in line]
    assert all(len(line) <= 60 and not line.endswith("-") for line in lines)
    assert name in wrapped
    if stream == "stderr":
        assert wrapped.split() == whole.split()


def test_a_board_that_is_solved_from_the_start_is_drawn_once(run):
    assert run("solve", "1")[1].count("Q") == 1
    assert run("solve", "--board", DOCUMENTED_8)[1].count("Q") == 8
    assert run("solve", "8", "--seed", "1")[1].count("Q") == 16


def test_a_poster_of_a_solved_board_tells_its_seed(run):
    size = ["--dpi", "20", "-o", "p.png"]
    assert "Solved: 8 queens, seed 5.\n" in run("poster", "8", "--seed", "5", *size)[1]
    assert re.search(r"Solved: 8 queens, seed \d+\.\n", run("poster", "8", *size)[1])
    write_board("q.txt", SOLVED_8)
    assert "seed" not in run("poster", "q.txt", *size)[1]
    assert run("poster", "8", *size, "-q")[1] == ""


def test_a_page_of_a_solved_board_tells_its_seed(run):
    assert run("explore", "8", "--seed", "5", "-o", "p.html")[1].endswith(": 8 queens, seed 5.\n")
    assert re.search(r": 8 queens, seed \d+\.\n$", run("explore", "8", "-o", "p.html")[1])


@pytest.mark.parametrize("command", [None, *app.cli.commands])
def test_help_shows_what_the_option_shows(run, command):
    words = [] if command is None else [command]
    assert run("help", *words) == run(*words, "--help")


def test_help_of_an_unknown_command(run):
    exit_code, _, stderr = run("help", "solv")
    assert (exit_code, stderr.splitlines()[-1]) == (2, "Error: No such command 'solv'. Did you mean solve?")


def test_the_version_has_a_short_option(run):
    assert run("-V") == run("--version") == (0, f"fastqueens {fastqueens.__version__}\n", "")


def test_a_device_has_no_size():
    assert printing.wrote(os.devnull) == f"Wrote {os.devnull}."


@pytest.mark.parametrize("suffix", [".csv", ".json", ".npz"])
def test_a_trace_is_written_in_every_format(run, suffix):
    tracefile = pytest.importorskip("fastqueens.files.traces")
    run("solve", "100", "--start", "random", "--seed", "1", "--trace", f"t{suffix}")
    trace, restarts = tracefile.read_trace(f"t{suffix}")
    result = fastqueens.solve(100, start="random", seed=1)
    assert (trace.pairs.tolist(), restarts) == (result.trace.pairs.tolist(), result.restarts)


def test_all_ways_to_pass_a_board(run, monkeypatch):
    rows = [int(row) for row in DOCUMENTED_8.split()]
    expected = fastqueens.solve(board=rows, seed=1)
    Path("from_0.txt").write_text("".join(f"{row}\n" for row in rows))
    Path("from_1.csv").write_text("column,row\n" + "".join(f"{c},{row + 1}\n" for c, row in enumerate(rows)))
    feed(monkeypatch, Path("from_0.txt").read_bytes())
    ways = [
        ["--board", DOCUMENTED_8],
        ["--board", "3,8,4,7,1,6,2,5", "--rows-from", "1"],
        ["--file", "from_0.txt"],
        ["--file", "from_1.csv", "--rows-from", "1", "8"],
        ["--file", "-"],
    ]
    for way in ways:
        exit_code, stdout, _ = run("solve", *way, "--seed", "1", "--json")
        found = json.loads(stdout)
        assert (exit_code, found["start"]) == (1 - expected.solved, "board")
        assert (found["steps"], found["initial_pairs"]) == (expected.steps, attacking_pairs(rows))


def test_many_seeds_make_a_table(run):
    exit_code, stdout, _ = run("solve", "50", "--seeds", "1..3,9")
    rows = [line.split() for line in stdout.splitlines() if line.split() and line.split()[0].isdigit()][:4]
    single = [fastqueens.solve(50, seed=seed) for seed in (1, 2, 3, 9)]
    assert exit_code == 0
    assert [row[:4] for row in rows] == [
        [str(result.seed), str(result.initial_pairs), str(result.steps), str(len(result.restarts))] for result in single
    ]
    steps = f"{np.median([result.steps for result in single]):.1f}".removesuffix(".0")
    assert "4 of 4 runs solved.\nMedians: initial pairs " in stdout
    assert f", steps {steps}, restarts 0, time " in stdout


def test_many_seeds_are_solved_only_if_each_of_them_is(run, monkeypatch):
    outcomes = iter([fastqueens.solve(50, seed=1), fastqueens.solve(50, start="random", seed=2, max_steps=0)])
    monkeypatch.setattr(fastqueens, "solve", lambda **_: next(outcomes))
    exit_code, stdout, _ = run("solve", "50", "--seeds", "1,2")
    assert exit_code == 1
    assert "1 of 2 runs solved.\n" in stdout


def test_many_seeds_as_json(run):
    exit_code, stdout, stderr = run("solve", "50", "--start", "random", "--seeds", "1,2", "--max-steps", "5", "--json")
    found = json.loads(stdout)
    assert exit_code == 1
    assert [run["seed"] for run in found] == [1, 2]
    assert all({key: type(value) for key, value in run.items()} == FIGURES | {"method": type(None)} for run in found)
    assert "0 of 2 runs solved." in stderr


def test_compiling_is_mentioned_once_and_never_when_quiet(capsys):
    log = logging.getLogger("fastqueens")
    display, stages = Session().display, []
    display.report = lambda stage, *_: stages.append(stage)
    with progress_and_notes(display):
        log.info("compiling a")
        log.info("compiling b")
    assert stages == ["compiling", "compiling"], "the line on a terminal says so as long as it lasts"
    with progress_and_notes(Session().display, quiet=True):
        log.info("compiling c")
    log.info("compiling d")
    assert capsys.readouterr().err == "First use of this command: compiling.\n"


# verify and show


@pytest.mark.parametrize("board", [[0], SOLVED_8])
def test_verify_accepts_a_solution(run, board):
    write_board("q.txt", board)
    exit_code, stdout, _ = run("verify", "q.txt")
    assert exit_code == 0
    assert stdout.startswith("Solved: ")
    assert run("verify", "-q", "q.txt") == (0, "", "")
    assert run("verify", "-q", "q.txt", "--threads", "2") == (0, "", "")


def test_verify_names_the_first_attack(run, monkeypatch):
    feed(monkeypatch, b"0\n0\n1\n2\n4\n")
    exit_code, stdout, _ = run("verify", "-")
    assert exit_code == 1
    assert stdout == (
        "Not solved: 5 queens with 5 attacking pairs.\nThe first are column 0, row 0 and column 1, row 0, on one row.\n"
    )


def test_verify_counts_rows_as_the_file_does(run, monkeypatch):
    feed(monkeypatch, b"1\n4\n2\n3\n")
    exit_code, stdout, _ = run("verify", "-", "--rows-from", "1")
    assert exit_code == 1
    assert stdout.endswith("They are column 2, row 2 and column 3, row 3, on one diagonal.\n")


def test_verify_as_json(run):
    write_board("q.csv", [0, 3, 1, 2])
    exit_code, stdout, _ = run("verify", "q.csv", "--json", "-q")
    assert exit_code == 1
    attack = {"n": 4, "solved": False, "pairs": 1, "first_attack": [[2, 1], [3, 2]]}
    constraints = ("missing", "blocked", "excluded")
    none = {f"{name}_queens": 0 for name in constraints} | {f"first_{name}": None for name in constraints}
    assert json.loads(stdout) == attack | none
    assert first_attack([0, 3, 1, 2]) == (2, 3)


def test_show_draws_and_counts(run):
    write_board("q.json", [0, 0, 1, 2, 4])
    exit_code, stdout, _ = run("show", "q.json", "--origin", "lower")
    assert exit_code == 0
    assert stdout == (
        ". . . . Q\n. . . . .\n. . . Q .\n. . Q . .\nQ Q . . .\n5 queens, 5 attacking pairs, 5 conflicting queens.\n"
    )


def test_show_does_not_count_the_conflicts_of_a_solution(run, monkeypatch):
    write_board("q.txt", SOLVED_8)
    monkeypatch.setattr("fastqueens.attacking_pairs", lambda *_, **__: pytest.fail("counted"))
    assert run("show", "q.txt")[1].endswith("8 queens, 0 attacking pairs, 0 conflicting queens.\n")


@pytest.mark.parametrize(("n", "is_drawn"), [(40, True), (41, False)])
def test_show_draws_as_much_as_fits(run, n, is_drawn):
    write_board("q.npy", np.arange(n))
    stdout = run("show", "q.npy")[1]
    assert (stdout.count("Q") == n) == is_drawn
    assert ("The board is not drawn: it needs 81 columns, and the terminal has 80." in stdout) != is_drawn
    assert ("fastqueens explore q.npy" in stdout) != is_drawn


def test_show_names_the_instance_picture_if_the_drawing_is_too_wide(run):
    Path("wide.json").write_text('{"n": 41, "fixed": [[0, 3]]}')
    assert "draw a picture with -o FILE.png.\n" in run("show", "--instance", "wide.json")[1]


@pytest.mark.parametrize("dpi", ["19", "1,201"])
def test_show_checks_the_resolution(run, dpi):
    write_board("q.npy", SOLVED_8)
    assert "it goes from 20 to 1,200" in run("show", "q.npy", "-o", "q.png", "--dpi", dpi)[2]


@pytest.mark.parametrize("command", [["climb"], ["puzzle"], ["animate", "-o", "a.gif"], ["explore", "-o", "p.html"]])
def test_a_negative_n_is_refused_by_every_command(run, command):
    assert run(*command, "-1") == (2, "", "Error: n is -1: a board has at least 1 queen\n")


def test_numbers_with_decimals_are_written_in_several_ways(run):
    assert "temperature is 1000.0: it goes" in run("climb", "--rule", "annealing", "--temperature", "1,000")[2]
    assert run("climb", "--cooling", "x")[2].startswith("Error: --cooling: 'x' is not a number; ")


@pytest.mark.parametrize("n", ["1200", "1,200", "1_200", "1.2e3"])
def test_whole_numbers_are_written_in_several_ways(run, n):
    assert json.loads(run("solve", n, "--seed", "1e3", "--json", "-q")[1])["n"] == 1200
    assert run("explore", n, "-o", "p.html")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        (["solve", "8", "--verbose"], ""),
        (["solve", "8", "--frob"], ""),
        (["solve", "8", "--sed", "1"], "--seed"),
        (["solve", "8", "--sead", "1"], "--seed"),
        (["solve", "8", "--max", "1"], "--max-steps"),
        (["solv", "8"], "solve"),
        (["paint", "8"], ""),
    ],
)
def test_only_close_names_are_suggested(run, arguments, suggestion):
    message = run(*arguments)[2]
    assert ("Did you mean" in message) == bool(suggestion)
    assert suggestion in message


@pytest.mark.parametrize("command", ["verify", "show"])
def test_threads_are_checked_by_the_library(run, command):
    write_board("q.npy", SOLVED_8)
    assert run(command, "q.npy", "--threads", "-1") == (2, "", "Error: threads is -1: it goes from 1 to 1024\n")


# Wording


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.000 ms"),
        (0.00000123, "0.001 ms"),
        (0.0123456, "12.3 ms"),
        (0.9999, "1000 ms"),
        (59.99, "60.0 s"),
        (61, "1 min 1 s"),
    ],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_the_columns_of_a_table_are_right_aligned(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = printing.table_text(["n", "steps"], [["8", "1,000"], ["1,000", "5"]]).split("\n")
    assert [line.rstrip() for line in lines] == [
        "",
        "      n   steps",
        " ───────────────",
        "      8   1,000",
        "  1,000       5",
        "",
        "",
    ]


@pytest.mark.parametrize("style", [None, "dim"])
def test_no_line_of_a_table_ends_with_blanks(monkeypatch, style):
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = printing.table_text(("a", "b"), [("1", ""), ("2", "word")], style=style)
    assert "\x1b" in text or style is None
    assert all(not re.sub(r"\x1b\[[\d;]*m", "", line).endswith(" ") for line in text.splitlines())


@pytest.mark.parametrize("command", app.cli.commands)
def test_help_on_threads_speaks_of_placing_only_if_the_command_solves(run, command):
    help_text = " ".join(run(command, "--help")[1].split())
    assert ("are placed on one thread" in help_text) == (command in ("solve", "poster", "explore"))


@pytest.mark.parametrize("name", app.cli.commands)
def test_what_does_the_work_takes_what_the_command_declares(name):
    declared = app.cli.commands[name]
    if not isinstance(declared, Command):  # it does its work itself
        return
    given = {param.name for param in declared.params} - {"quiet", "as_json"}
    if set(Stated._fields) <= given:
        given = given - set(Stated._fields) | {"stated"}
    work = getattr(importlib.import_module(f"fastqueens.cli.{declared.home}"), name)
    taken = inspect.signature(work).parameters.values()
    assert {param.name for param in taken if param.kind is param.KEYWORD_ONLY} <= given
    inspect.signature(work).bind(None, **dict.fromkeys(given))
