"""Rules for files that the contracts of import-linter in pyproject.toml cannot express."""

import ast
import re
import tomllib
from pathlib import Path

import fastqueens

PACKAGE = Path(fastqueens.__file__).parent
FILES = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in sorted(PACKAGE.rglob("*.py"))}
KERNELS = [module for module in FILES if module.endswith("_kernel")]


def test_kernels_are_in_files_of_their_own():
    """Files ``*_kernel.py`` import only such files, ``jit`` and NumPy; outside ``jit``, no other file has kernels."""
    decorator = re.compile(r"from fastqueens\.jit\.decorators import .*\b(kernel|part|instruction)\b")
    for module, path in FILES.items():
        lines = [line for line in path.read_text().splitlines() if re.match(r"(from|import) ", line)]
        if module in KERNELS:
            allowed = r"(from|import) (fastqueens\.(jit\b|\w+[. ].*_kernel\b)|(__future__|numpy|typing|weakref)\b)"
            assert [line for line in lines if not re.match(allowed, line)] == [], module
        elif not module.startswith("jit."):
            assert [line for line in lines if decorator.match(line)] == [], module


def test_mypy_leaves_out_all_kernel_files():
    """The settings of mypy have no patterns for parts of a name."""
    overrides = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    listed = [name for name in overrides[0]["module"] if name.endswith("_kernel")]
    assert listed == [f"fastqueens.{module}" for module in KERNELS]


def test_one_file_writes_to_stdout():
    """``cli/streams.py`` checks and flushes it; ``nqueens.py`` is a file for students that imports nothing."""
    writing = set()
    for module, path in FILES.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute | ast.Name) and re.search(r"\b(__)?stdout(__)?$", ast.unparse(node)):
                writing.add(module)
            if isinstance(node, ast.Call) and re.fullmatch(r"print|(click\.)?s?echo", ast.unparse(node.func)):
                writing |= {module} - {module for keyword in node.keywords if keyword.arg in ("file", "err")}
    assert writing == {"cli.streams", "nqueens"}
