"""The prebuilt code of every level of the instruction set gives the same results as native code.

The same random commands run in one process for each level, and in one that compiles natively. Their exit codes, their
output and the files that they write must be the same, except for times. The gate runs this test with the installed
wheel; a checkout has no prebuilt code.
"""

import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from processes import without_compiling

import fastqueens
from fastqueens._jit import prebuilt
from fastqueens._jit.machine_code import processor_flags
from fastqueens._run.arguments import METHODS, STARTS
from fastqueens.classroom.rules import MOVES, ONE_QUEEN_RULES, RULES
from fastqueens.cli.app import cli

SEED, COUNT = 41, 200

#: Output that depends on times: members of JSON, words and sentences about times, and the ends of lines of runs.
TIMES = re.compile(
    r'"(\w*seconds\w*|digest)": [^,}]+|[\d.]+ (m?s|bytes|[kM]B)\b|^Allocated memory in .*\n|,\d\.\d{9}$', re.MULTILINE
)

TEXTS = {".stdout", ".stderr", ".txt", ".csv", ".json", ".jsonl"}

#: The exit codes of a command that does what it is asked: solved, not solved, no solution.
EXPECTED = {0, 1, 3}


class Commands(random.Random):
    """Random commands, each a line of words, and the files that they read."""

    def __init__(self, seed, count):
        super().__init__(seed)
        self.lines, self.files = [], {}
        while len(self.lines) < count:
            for draw in self.sample(KINDS, len(KINDS)):
                draw(self)
        del self.lines[count:]

    def add(self, *parts):
        self.lines.append(" ".join(" ".join(parts).split()))

    def new_file(self, *suffixes):
        return f"{len(self.lines)}{self.choice(suffixes)}"

    def size(self, least, most):
        """Draw a size; its logarithm is uniform."""
        return round(least * (most / least) ** self.random())

    def new_seed(self):
        return f"--seed {self.randrange(2**32)}"

    def threads(self):
        return f"--threads {self.randint(1, 2)}"

    def rows(self, n):
        """Draw the rows of a board: random ones, or a random permutation."""
        return self.choice([self.sample(range(n), n), self.choices(range(n), k=n)])

    def constraints(self, n):
        """Draw options for a fixed queen, blocked squares and excluded diagonals."""
        column, row = self.randrange(n), self.randrange(n)
        squares = {(self.randrange(n), self.randrange(n)) for _ in range(self.randint(0, n))} - {(column, row)}
        sums = {self.randrange(2 * n - 1) for _ in range(self.randint(0, 2))} - {column + row}
        differences = {self.randint(1 - n, n - 1) for _ in range(self.randint(0, 2))} - {row - column}
        options = [f"--queen {column},{row}"] * self.randint(0, 1)
        options += [f"--block {column},{row}" for column, row in sorted(squares)]
        options += [f"--exclude-sum {number}" for number in sorted(sums)]
        return " ".join([*options, *(f"--exclude-difference {number}" for number in sorted(differences))])


# Each function adds a command, and often others that read the file which it writes.


def solved_boards(draw):
    board = draw.new_file(".npy", ".txt", ".csv", ".json")
    start = f"--start {draw.choice(STARTS)}"
    draw.add(f"solve {draw.size(4, 5000)} {start} {draw.new_seed()} {draw.threads()} -o {board}")
    draw.add(f"verify {board} {draw.threads()} --json")


def large_boards(draw):
    board, (start, most) = draw.new_file(".npy"), draw.choice([("windowed", 3e6), ("uniform", 1e6), ("random", 2e5)])
    limit = f"--max-steps 1e5 {draw.threads()}"
    draw.add(f"solve {draw.size(1e5, most)} --start {start} {limit} {draw.new_seed()} -o {board} --json")
    draw.add(f"verify {board} {draw.threads()}")


def densities(draw):
    board = draw.new_file(".npy")
    draw.add(f"solve {draw.size(1e5, 1e6)} --start {draw.choice(STARTS[:2])} {draw.new_seed()} -o {board}")
    draw.add(f"{draw.choice(['show', 'poster --size A6'])} {board} --dpi 50 -o {draw.new_file('.png')}")


def random_boards(draw):
    board = draw.new_file(".npy", ".txt")
    draw.add(f"random {draw.size(1, 1e6)} {draw.new_seed()} {draw.threads()} -o {board}")
    draw.add(f"{draw.choice(['verify', 'show'])} {board} {draw.threads()}")
    draw.add(f"statistics {board} {draw.choice(['', '--symmetrise'])} --json")


def given_boards(draw):
    n = draw.randint(1, 30)
    board = f"--board {','.join(map(str, draw.rows(n)))}"
    draw.add(f"{draw.choice(['verify --json', 'show'])} {board} {draw.constraints(n)}")
    draw.add(f"show {board} --move-costs")
    draw.add(f"solve {board} --restarts 5 --max-steps 1000 {draw.new_seed()}")


def several_seeds(draw):
    first = draw.randrange(1000)
    start, method = draw.choice(STARTS), draw.choice(METHODS)
    draw.add(f"solve {draw.size(1, 25)} --seeds {first}..{first + 4} --start {start} --method {method} --json")


def constrained_boards(draw):
    n = draw.size(1, 200)
    limits = f"--restarts 3 --max-steps 1e5 {draw.choice(['--method local', '--max-nodes 1e4'])}"
    draw.add(f"solve {n} {draw.constraints(n)} {limits} {draw.new_seed()} {draw.threads()} --json")


def complete_searches(draw):
    n = draw.randint(4, 250)
    draw.add(f"solve {n} --method complete --max-nodes 1e4 {draw.new_seed()} {draw.threads()} --json")


def fixed_queens(draw):
    file, n = draw.new_file(".csv"), draw.size(10, 1e5)
    draw.add(f"puzzle {n} --queens {draw.randint(0, n // 2)} --solvable {draw.new_seed()} -o {file}")
    board = draw.new_file(".npy")
    draw.add(f"solve {n} --queens-file {file} --restarts 3 --max-nodes 1e4 {draw.new_seed()} -o {board}")


def puzzles(draw):
    file = draw.new_file(".jsonl")
    draw.add(f"puzzle {draw.randint(5, 20)} --unique {draw.choice(['', '--minimal'])} {draw.new_seed()}")
    draw.add(f"puzzle {draw.randint(5, 12)} --unique --many 10 {draw.new_seed()} -o {file}")
    draw.add(f"solve --instances {file} --max-nodes 1e4 {draw.new_seed()} {draw.threads()}")


def unsolved_puzzles(draw):
    n = draw.size(10, 3000)
    draw.add(f"puzzle {n} --queens {draw.randint(0, n // 3)} {draw.new_seed()} -o {draw.new_file('.csv', '.json')}")


def counts(draw):
    n = draw.randint(1, 12)
    kind = draw.choice(["--count", "--count --fundamental", "--unique", f"--count --limit {draw.randint(1, 99)}"])
    draw.add(f"solve {n} {draw.choice(['', draw.constraints(n)])} {kind} {draw.threads()} --json")


def all_solutions(draw):
    n = draw.randint(1, 20)
    draw.add(f"solve {n} {draw.constraints(n)} --all {draw.new_file('.txt')} --limit {draw.randint(1, 500)}")


def mixed_boards(draw):
    board, n = draw.new_file(".npy"), draw.size(4, 4e5)
    draw.add(f"solve {n} --mix {draw.randint(1, 3)} {draw.new_seed()} {draw.threads()} -o {board} --json")


def traces(draw):
    trace = draw.new_file(".npz")
    draw.add(f"solve {draw.size(4, 500)} --start random {draw.new_seed()} --trace {trace} --moves")
    picture = draw.new_file(".png", ".html")
    draw.add("plot" if picture.endswith(".png") else "explore", f"{trace} -o {picture}")


def samples(draw):
    file, n = draw.new_file(".npz", ".txt"), draw.size(4, 500)
    constraints = draw.choice(["", draw.constraints(n) if n > 20 else ""])
    draw.add(f"sample {n} {constraints} --count {draw.randint(1, 20)} {draw.new_seed()} {draw.threads()} -o {file}")
    draw.add(f"statistics {file} -k {draw.randint(1, min(n, 20))} -o {draw.new_file('.csv', '.npz')}")


def estimates(draw):
    n = draw.size(1, 50)
    constraints = draw.choice(["", draw.constraints(n) if n > 20 else ""])
    draw.add(f"estimate {n} {constraints} --replicas {draw.randint(4, 6)} {draw.new_seed()} {draw.threads()} --json")


def climbs(draw):
    rule = draw.choice([*RULES])
    moves = draw.choice([moves for moves in MOVES if moves not in RULES[rule].refused_moves])
    limit = f"--max-evaluations {draw.size(1e3, 1e5)}"
    draw.add(f"climb {draw.size(4, 30)} --rule {rule} --moves {moves} {limit} {draw.new_seed()} --json")


def studies(draw):
    limits = f"--runs 50 --max-evaluations {draw.size(1e3, 1e4)} {draw.threads()}"
    runs_file = draw.choice(["", f"--runs-file {draw.new_file('.csv')}"])
    rules = draw.choice(["all", draw.choice([*RULES])])
    draw.add(f"study {draw.size(4, 16)} --rules {rules} {limits} {draw.new_seed()} --json", runs_file)


def descents(draw):
    starts = draw.new_file(".starts")
    draw.files[starts] = "".join(f"{' '.join(str(row + 1) for row in draw.rows(draw.size(1, 60)))}\n" for _ in range(5))
    draw.add(f"descend {starts} -o {draw.new_file('.txt')}")


def runtimes(draw):
    draw.add(f"runtimes {draw.size(1, 1000)} --start {draw.choice(STARTS)} --seeds 1..3 --json")


def posters(draw):
    poster = draw.new_file(".png", ".svg")
    draw.add(f"poster {draw.size(4, 1000)} --size A6 --dpi 72 {draw.new_seed()} -o {poster}")


def pages(draw):
    draw.add(f"explore {draw.size(4, 20000)} {draw.new_seed()} {draw.threads()} -o {draw.new_file('.html')}")


def animations(draw):
    look = f"--seconds 3 --size 320x240 -o {draw.new_file('.gif')}"
    draw.add(f"animate {draw.randint(4, 12)} --rule {draw.choice(ONE_QUEEN_RULES)} {draw.new_seed()}", look)


KINDS = [
    solved_boards, large_boards, densities, random_boards, given_boards, several_seeds, constrained_boards,
    complete_searches, fixed_queens, puzzles, unsolved_puzzles, counts, all_solutions, mixed_boards, traces, samples,
    estimates, climbs, studies, descents, runtimes, posters, pages, animations,
]  # fmt: skip

#: Kernels that no command calls; the code of other kernels contains them.
CALLED_BY_KERNELS = {"is_solution", "place_first"}

#: Runs all commands in the working directory, and writes there how each of them ends and what it prints. Prints the
#: back end, the level, after which commands numba is loaded, and which kernels were not called.
PROGRAM = """
import contextlib, io, json, sys
from pathlib import Path
from fastqueens._jit import prebuilt
level, lines = json.load(sys.stdin)
if level is not None:
    prebuilt.LEVELS = {level: prebuilt.LEVELS[level]}
from fastqueens._jit.decorators import describe_compiled_code
from fastqueens.cli import Session, app
has_numba = []
for number, line in enumerate(lines):
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        exit_code = app.run(line.split(), Session())
    Path(f"{number}.exit-code").write_text(f"{exit_code:d}")
    Path(f"{number}.stdout").write_bytes(out.buffer.getvalue())
    Path(f"{number}.stderr").write_bytes(err.buffer.getvalue())
    if "numba" in sys.modules:
        has_numba.append(number)
from fastqueens.kernels import all_kernels
code = describe_compiled_code()
uncalled = [kernel.__name__ for kernel in all_kernels() if not kernel.calls]
print(json.dumps([code["back_end"], code["level"], has_numba, uncalled]))
"""


def run_all(commands, level, folder):
    """Run the commands in a new folder, with the code of a level, or with native code if it is None."""
    folder.mkdir()
    for name, content in commands.files.items():
        (folder / name).write_text(content)
    foreign = ("NUMBA_", "FASTQUEENS_", "PYTHON")
    settings = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    settings |= {"PYTHONPATH": str(Path(fastqueens.__file__).parents[1]), "NUMBA_CACHE_DIR": f"{folder}.cache"}
    if level is None:
        settings["NUMBA_OPT"] = "3"  # the default of numba, but any setting prevents the use of prebuilt code
    words = json.dumps([level, commands.lines])
    program = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(program, input=words, env=settings, cwd=folder, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stderr
    back_end, used, has_numba, uncalled = json.loads(done.stdout)
    assert (back_end, used) == ("loader" if level is None else "prebuilt", level)
    assert {*uncalled} <= CALLED_BY_KERNELS, "no command calls these kernels: let some do"
    if level is not None:
        assert not has_numba, f"{level} lacks a kernel that numba compiles: fastqueens {commands.lines[has_numba[0]]}"


def results(folder, number):
    """Return the content of each file that a command leads to, without times."""
    return {path.name: content_of(path) for path in folder.glob(f"{number}.*")}


def content_of(path):
    if path.suffix in TEXTS:
        return TIMES.sub("", without_compiling(path.read_text()))
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return {name: arrays[name].tolist() for name in arrays.files if "seconds" not in name}
    return path.read_bytes()


def test_all_commands_that_compute_are_among_the_random_ones():
    assert {line.split()[0] for line in Commands(SEED, COUNT).lines} == {*cli.list_commands(None)} - {"info", "warmup"}


@pytest.mark.gate
@pytest.mark.skipif(
    not any(prebuilt.FOLDER.glob("*")), reason="the package has no prebuilt code; a platform wheel comes with it"
)
def test_all_levels_and_native_code_give_the_same_results(tmp_path):
    commands, levels = Commands(SEED, COUNT), prebuilt.supported(processor_flags())
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda level: run_all(commands, level, tmp_path / (level or "native")), [None, *levels]))
    for number, line in enumerate(commands.lines):
        command = f"seed {SEED}, command {number} in {tmp_path}: fastqueens {line}"
        wanted = results(tmp_path / "native", number)
        assert int(wanted[f"{number}.exit-code"]) in EXPECTED, command
        for level in levels:
            found = results(tmp_path / level, number)
            different = sorted(name for name in wanted | found if wanted.get(name) != found.get(name))
            assert not different, f"{level} and native code differ in {', '.join(different)}; {command}"
    left_out = [level for level in prebuilt.LEVELS if level not in levels]
    if left_out:
        pytest.skip(f"this processor does not support {', '.join(left_out)}; the results of the others are the same")
