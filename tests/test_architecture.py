"""Rules for files that the contracts of import-linter in pyproject.toml cannot express."""

import ast
import os
import re
import subprocess
import sys
import zipfile
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import fastqueens

PACKAGE = Path(fastqueens.__file__).parent
FILES = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in sorted(PACKAGE.rglob("*.py"))}
KERNELS = [module for module in FILES if module.startswith("kernels.")]


def test_kernels_are_in_files_of_their_own():
    """Files of ``kernels`` import only each other, ``_jit`` and NumPy; outside ``_jit``, no other file has kernels.

    With an import from ``__future__``, the types of parameters would be strings, and kernels need them as objects.
    """
    decorator = re.compile(r"from fastqueens\._jit\.decorators import .*\b(kernel|inlined|instruction)\b")
    for module, path in FILES.items():
        lines = [line for line in path.read_text().splitlines() if re.match(r"(from|import) ", line)]
        if module in KERNELS:
            allowed = r"(from|import) (fastqueens\.(_jit|kernels)\b|(numpy|typing)\b)"
            assert [line for line in lines if not re.match(allowed, line)] == [], module
        elif not module.startswith("_jit."):
            assert [line for line in lines if decorator.match(line)] == [], module


def test_one_file_writes_to_stdout():
    """``cli/output.py`` checks and flushes it; ``nqueens.py`` is for students, and ``_jit/build.py`` for developers."""
    writing = set()
    for module, path in FILES.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute | ast.Name) and re.search(r"\b(__)?stdout(__)?$", ast.unparse(node)):
                writing.add(module)
            if isinstance(node, ast.Call) and re.fullmatch(r"print|(click\.)?s?echo", ast.unparse(node.func)):
                writing |= {module} - {module for keyword in node.keywords if keyword.arg in ("file", "err")}
    assert writing == {"cli.output", "nqueens", "_jit.build"}


def test_the_stub_has_the_public_names():
    """Type checkers read the stub, which a frozen program or a small image lacks."""
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text()).body
    nodes = [node for node in stub if isinstance(node, ast.ImportFrom)]
    assert {alias.asname: node.module for node in nodes for alias in node.names} == fastqueens._HOME_OF


def test_the_package_is_imported_from_an_archive_without_its_stub(tmp_path):
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in FILES.values():
            file.write(path, path.relative_to(PACKAGE.parent))
    program = "import fastqueens; print(fastqueens.__file__, fastqueens.make_instance(8))"
    command = [sys.executable, "-c", program]
    environment = os.environ | {"PYTHONPATH": str(archive)}
    made = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert made.stdout.startswith(f"{archive}")


def test_there_is_no_circle_of_files():
    """Imports in functions and for type checkers count; contracts of import-linter know only circles of folders."""
    grimp = pytest.importorskip("grimp")
    graph = grimp.build_graph("fastqueens", cache_dir=None)
    # A circle raises CycleError, which names its files.
    TopologicalSorter({file: graph.find_modules_directly_imported_by(file) for file in graph.modules}).prepare()


def test_no_two_classes_share_a_name():
    nodes = (node for path in FILES.values() for node in ast.parse(path.read_text()).body)
    classes = [node.name for node in nodes if isinstance(node, ast.ClassDef)]
    public = [name for name in classes if not name.startswith("_")]  # each command has its groups of options
    assert sorted(public) == sorted(set(public))


def test_no_file_hides_a_public_function():
    """Importing ``fastqueens/solve.py`` would replace the function ``fastqueens.solve``."""
    assert not FILES.keys() & {*fastqueens.__all__}
