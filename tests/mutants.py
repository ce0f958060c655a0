"""``python tests/mutants.py COUNT SEED`` changes an operator or a number in random places, and names unnoticed changes.

Each change is made in a copy of the last commit. There, ``pytest`` runs the tests of the same part, and then all that
``make test`` runs. A change that is noticed takes seconds, or a minute if kernels have to be compiled; each other one
takes as long as the suite. Changes that no test can notice are listed in EQUIVALENT with the reason.
"""

import ast
import copy
import os
import random
import subprocess
import sys
import tempfile
import tokenize
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[1]

#: What is changed, and which tests run first.
PARTS = {
    "kernels/*.py": ["tests/test_release.py", "tests/kernels", "tests/placement", "tests/exact", "tests/classroom"],
    "checking.py": ["tests/test_checking.py"],
    "files/*.py": ["tests/files"],
    "placement/*.py": ["tests/placement", "tests/test_solver.py"],
    "local_search.py": ["tests/test_solver.py", "tests/placement"],
    "solver.py": ["tests/test_solver.py"],
    "task.py": ["tests/test_solver.py", "tests/test_arguments.py"],
}

#: It compares the kernels with a file that was made from the unchanged ones.
_COMMITTED = "tests/_jit/test_wasm.py"

#: Lines of a file and changes in them after which the code behaves like the original one, and why.
EQUIVALENT = {
    ("climbing.py", "ALIVE = STATE_LENGTH + 9  # boards in it", "STATE_LENGTH + 9 -> (STATE_LENGTH - 9)"): (
        "-3 is the entry WAITED, which climbs with several boards leave alone"
    ),
    (
        "holes.py",
        "board.ahead[hole] = _prefetch_queen(board, hole, word(key, at + (hole << _TWO)))",
        "hole << _TWO -> (hole >> _TWO)",
    ): ("another row is loaded in advance"),
    (
        "tiles.py",
        "if (first - begin + turn) * _GOLDEN - shares[band] < share:",
        "(first - begin + turn) * _GOLDEN - shares[band] < share -> "
        "((first - begin + turn) * _GOLDEN - shares[band] <= share)",
    ): "two words of 64 bits are never equal",
    ("arrays.py", "_HUGE_PAGE = 1 << 21", "1 -> (2)"): "memory begins at every second huge page",
}

OPERATORS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip


def changed(node: ast.AST) -> ast.AST | None:
    """Return a node with another operator or number, or None if it has none that is changed."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare() if type(other.ops[0]) in OPERATORS:
            other.ops[0] = OPERATORS[type(other.ops[0])]()
        case ast.BinOp() | ast.BoolOp() if type(other.op) in OPERATORS:
            other.op = OPERATORS[type(other.op)]()
        case ast.UnaryOp(op=ast.Not()):
            return other.operand
        case ast.Constant(value=int()):
            other.value = not other.value if isinstance(other.value, bool) else other.value + 1
        case _:
            return None
    return other


def places(tree: ast.AST) -> list[ast.AST]:
    """Return the nodes that can be changed, without types, messages of errors, and what only type checkers read."""
    found, left = [], [tree]
    while left:
        node = left.pop()
        if changed(node) is not None:
            found.append(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "exc") or isinstance(node, ast.JoinedStr):
                continue
            values = value if isinstance(value, list) else [value]
            is_for_checkers = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            left += [one for one in values if isinstance(one, ast.AST) and not is_for_checkers]
    return found


class Mutant(NamedTuple):
    """A possible change: the pattern of its part, the file, the line, the change in short, and the changed text."""

    pattern: str
    path: Path
    number: int
    line: str
    change: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.number}: {self.change}"


def mutants() -> list[Mutant]:
    """Return all possible changes."""
    found = []
    for pattern in PARTS:
        for path in sorted((REPOSITORY / "fastqueens").glob(pattern)):
            with tokenize.open(path) as file:
                text = file.read()
            content = text.encode()
            lines = content.splitlines(keepends=True)
            for node in places(ast.parse(text)):
                before = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
                after = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
                old, new = content[before:after].decode(), f"({ast.unparse(changed(node))})"
                whole = (content[:before] + new.encode() + content[after:]).decode()
                line = lines[node.lineno - 1].decode().strip()
                change = f"{' '.join(old.split())} -> {new}"
                found.append(Mutant(pattern, path.relative_to(REPOSITORY), node.lineno, line, change, whole))
    return found


def is_noticed(copied: Path, tests: list[str]) -> bool:
    """Run the tests in the copy of the repository."""
    options = ["-x", "-q", "-n", "2", "-p", "no:cacheprovider", "--ignore"]
    command = [sys.executable, "-m", "pytest", *options, _COMMITTED, *tests]
    environment = os.environ | {"PYTHONPATH": str(copied), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return subprocess.run(command, cwd=copied, env=environment, capture_output=True, timeout=600).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def main(count: int, seed: int) -> None:
    every = mutants()
    survivors = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copied = Path(folder, "copy")
        subprocess.run(["git", "clone", "-q", REPOSITORY, copied], check=True)
        os.environ["NUMBA_CACHE_DIR"] = str(Path(folder, "compiled"))
        for number, mutant in enumerate(random.Random(seed).sample(every, count), 1):
            original = (copied / mutant.path).read_text()
            (copied / mutant.path).write_text(mutant.text)
            outcome = "noticed"
            if not is_noticed(copied, PARTS[mutant.pattern]) and not is_noticed(copied, ["tests"]):
                outcome = EQUIVALENT.get((mutant.path.name, mutant.line, mutant.change), "SURVIVED")
                survivors += outcome == "SURVIVED"
            print(f"{number:3} {mutant}: {outcome}", flush=True)
            (copied / mutant.path).write_text(original)
    print(f"{survivors} of {count} survive, of {len(every)} possible changes (seed {seed}).")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
