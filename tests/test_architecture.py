"""Who may import whom: the imports of every file, compared with the table in docs/architecture.md."""

import ast
import graphlib
import re
import tomllib
from pathlib import Path

import pytest

import fastqueens

PACKAGE = Path(fastqueens.__file__).parent
PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"

#: Which folders each folder may import, besides itself: the table on the page.
MAY_IMPORT = {
    folder: set(re.findall(r"`(\w+)`", allowed))
    for folder, allowed in re.findall(r"^\| `(\w+)` \|.*\|([^|]*)\|$", PAGE.read_text(), re.MULTILINE)
}

#: The one exception: the way from results to their pictures.
EXCEPTIONS = {("solving.drawing", "pictures")}

#: They read ``fastqueens.__version__`` or use public names when they run.
READ_THE_PACKAGE = {"classroom", "cli", "core", "exact"}

#: Imported by few folders, because they are slow to import or not always installed.
LIBRARIES = {
    **dict.fromkeys(("numba", "llvmlite"), ("jit",)),
    **dict.fromkeys(("matplotlib", "PIL", "pypdf"), ("pictures",)),
    **dict.fromkeys(("IPython", "psutil", "distributed", "dask"), ("core",)),
    "click": ("cli",),
    "rich": ("core",),
    "scipy": (),
}


def files():
    """Return all files of the package except the first, which loads public names of every folder on first use."""
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def module_of(path):
    """Return the dotted name of a file within the package; for ``__init__.py`` that of its folder."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source):
    """List the imports of a file: the dotted name, and "loading", "running", or "never" if only for types."""
    found = []

    def visit(node, when):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            when = "never"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            when = "running"
        elif isinstance(node, ast.Import):
            found.extend((alias.name, when) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.extend((f"{node.module}.{alias.name}", when) for alias in node.names)
        for child in ast.iter_child_nodes(node):
            visit(child, when)

    visit(ast.parse(source), "loading")
    return found


def faults(module, source):
    """List what a file imports against the rules."""
    wrong = []
    folder = module.partition(".")[0]
    for name, when in imports(source):
        top, _, rest = name.partition(".")
        if top in LIBRARIES and folder not in LIBRARIES[top] and when != "never":
            wrong.append(name)
        if top != "fastqueens":
            continue
        target = rest.partition(".")[0]
        if target not in MAY_IMPORT:
            allowed = folder in READ_THE_PACKAGE
        else:
            is_exception = when != "loading" and (module, target) in EXCEPTIONS
            allowed = target == folder or target in MAY_IMPORT[folder] or is_exception
        if not allowed:
            wrong.append(name)
    return wrong


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_folder_imports_only_what_it_may(path):
    assert faults(module_of(path), path.read_text()) == []


def test_every_folder_is_in_the_table():
    assert {module_of(path).partition(".")[0] for path in files()} == set(MAY_IMPORT)
    assert MAY_IMPORT["core"] == MAY_IMPORT["nqueens"] == set()
    assert MAY_IMPORT["jit"] == {"core"}
    assert "solving" not in MAY_IMPORT["check"]


@pytest.mark.parametrize("folder", [path.parent for path in PACKAGE.glob("*/__init__.py")], ids=lambda path: path.name)
def test_a_folder_says_what_it_may_import(folder):
    """Its docstring names exactly the folders of the table."""
    said = " ".join(ast.get_docstring(ast.parse((folder / "__init__.py").read_text())).split())
    allowed = MAY_IMPORT[folder.name]
    if "imports no other folder" in said or "may import every folder" in said.lower():
        assert not allowed or folder.name in ("pictures", "cli")
        return
    named = set(re.findall(r"``(\w+)``", said.partition("May import")[2].partition(";")[0].partition(".")[0]))
    assert named == allowed


def test_there_is_no_circle_of_files():
    """Imports within functions and imports for types count; the lazy pictures of a result do not."""
    modules = {module_of(path): path for path in files()}
    leads = {}
    for module, path in modules.items():
        targets = {name.removeprefix("fastqueens.") for name, _ in imports(path.read_text())}
        found = {target if target in modules else target.rpartition(".")[0] for target in targets} & set(modules)
        found -= {name for name in found if (module, name.partition(".")[0]) in EXCEPTIONS}
        leads[module] = found - {module}
    assert len(list(graphlib.TopologicalSorter(leads).static_order())) == len(modules)


def test_kernels_are_in_files_of_their_own():
    """Files ``*_kernel.py`` have kernels and import only such files, ``jit`` and NumPy; no other file has kernels."""
    for path in files():
        if path.parent.name == "jit":
            continue
        module, names = module_of(path), [name for name, _ in imports(path.read_text())]
        if path.stem.endswith("_kernel"):
            others = [name for name in names if not re.match(r"fastqueens\.(jit\.|\w+\.\w+_kernel\b)", name)]
            assert [name for name in others if name.startswith("fastqueens.")] == [], module
            tops = {name.partition(".")[0] for name in names}
            assert tops <= {"__future__", "fastqueens", "numpy", "typing", "weakref"}, module
        else:
            made = {f"fastqueens.jit.decorators.{name}" for name in ("kernel", "part", "instruction")}
            assert made.isdisjoint(names), module


def test_mypy_leaves_out_all_kernel_files():
    overrides = tomllib.loads((PAGE.parents[1] / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    listed = [name for name in overrides[0]["module"] if name.endswith("_kernel")]
    assert listed == [f"fastqueens.{module_of(path)}" for path in files() if path.stem.endswith("_kernel")]


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("solving.solver", "from fastqueens.cli import app", ["fastqueens.cli.app"]),
        ("jit.bits", "from fastqueens.files.text import FileName", ["fastqueens.files.text.FileName"]),
        ("exact.tree", "from fastqueens.solving.arrays import Attempt", ["fastqueens.solving.arrays.Attempt"]),
        ("solving.drawing", "from fastqueens.pictures.curves import curves", ["fastqueens.pictures.curves.curves"]),
        ("solving.drawing", "def plot():\n    from fastqueens.pictures.curves import curves", []),
        ("solving.batch", "def f():\n    from fastqueens.pictures.curves import x", ["fastqueens.pictures.curves.x"]),
        ("solving.solver", "def lazy():\n    import matplotlib.pyplot", ["matplotlib.pyplot"]),
        ("solving.solver", "from fastqueens import climb", ["fastqueens.climb"]),
        ("cli.app", "import click", []),
        ("cli.app", "if TYPE_CHECKING:\n    from PIL.Image import Image", []),
    ],
)
def test_forbidden_imports_are_found(module, source, wrong):
    assert faults(module, source) == wrong


def writers(source):
    """List what a file does that can write to stdout: the names of the stream, and calls that print there."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute | ast.Name) and re.search(r"\b(__)?stdout(__)?$", ast.unparse(node)):
            found.append("stdout")
        if isinstance(node, ast.Call) and re.fullmatch(r"print|(click\.)?s?echo", ast.unparse(node.func)):
            is_elsewhere = any(keyword.arg in ("file", "err") for keyword in node.keywords)
            found.extend(["print"] * (not is_elsewhere))
    return found


def test_one_file_writes_to_stdout():
    """``cli/streams.py`` checks and flushes it; ``nqueens.py`` is a file for students that imports nothing."""
    writing = [module_of(path) for path in files() if writers(path.read_text())]
    assert writing == ["cli.streams", "nqueens"]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("sys.stdout.buffer.writelines(lines)", ["stdout"]),
        ("from sys import stdout\nstdout.flush()", ["stdout"]),
        ("click.echo(text, nl=False)", ["print"]),
        ("secho(text)", ["print"]),
        ("console.print(text)", []),
        ("print(text)", ["print"]),
        ("print(text, file=sys.stderr)", []),
        ("click.echo(text, err=True)", []),
        ("with redirect_stdout(text): call()", []),
    ],
)
def test_writing_to_stdout_is_found(source, found):
    assert writers(source) == found
