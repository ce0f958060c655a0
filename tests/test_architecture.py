"""Who may import whom: the rooms of docs/architecture.md, held to by what the files themselves say."""

import ast
import re
from pathlib import Path

import pytest

import fastqueens

PACKAGE = Path(fastqueens.__file__).parent
PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"

#: From the ground up. A room may import from lower layers, and from its own where nothing leads back.
LAYERS = (
    ("kernels",),
    ("board",),
    ("watch", "machine", "wholefile", "workers", "drawing", "given"),
    ("boardfile", "binning", "counting", "givenfile", "tiled"),
    ("engines", "result", "tracefile"),
    ("exact",),
    ("solver",),
    ("many", "puzzles", "scaling", "installation", "nqueens"),
    ("classroom", "explore"),
    ("pictures",),
    ("cli",),
    ("__main__",),
)
HEIGHT = {room: height for height, layer in enumerate(LAYERS) for room in layer}

#: Upwards, and only within functions: who asks a result for its picture needs matplotlib, and nobody else does.
UPWARDS = {("result", "pictures")}

#: They read ``fastqueens.__version__``, or load public names when they run.
READ_THE_PACKAGE = {"classroom", "cli", "installation"}

#: Loaded by few, since they take long to load or are extras.
LIBRARIES = {
    "numba": {"kernels"},
    "llvmlite": {"kernels"},
    "matplotlib": {"pictures"},
    "PIL": {"pictures"},
    "click": {"cli"},
    "rich": {"cli"},
    "distributed": {"classroom"},
    "dask": {"classroom"},
    "starlette": {"explore", "cli"},
    "uvicorn": {"explore", "cli"},
}


def files():
    """All files of the package but its first, which gives out names of every room when they are first used."""
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room_of(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(source):
    """Each import of a file: the dotted name, and when it happens: "loading", "running", or "never", for types only."""
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


def faults(room, source):
    """What a file of a room imports and should not."""
    wrong = []
    for name, when in imports(source):
        top, _, rest = name.partition(".")
        if top in LIBRARIES and room not in LIBRARIES[top] and when != "never":
            wrong.append(name)
        if top != "fastqueens":
            continue
        target = rest.partition(".")[0]
        if target not in HEIGHT:
            allowed = room in READ_THE_PACKAGE
        elif target == room:
            allowed = True
        else:
            allowed = HEIGHT[target] <= HEIGHT[room] or (when != "loading" and (room, target) in UPWARDS)
        if not allowed:
            wrong.append(name)
    return wrong


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_from_below(path):
    assert faults(room_of(path), path.read_text()) == []


def test_every_room_has_a_layer_and_stands_on_the_page():
    rooms = {room_of(path) for path in files()}
    assert rooms == set(HEIGHT)
    page = PAGE.read_text()
    assert [room for room in sorted(rooms) if f"`{room}`" not in page] == []


def test_the_page_has_the_layers_as_they_are():
    rows = re.findall(r"^\| \d+ \| (.*?) \|", PAGE.read_text(), re.MULTILINE)
    assert [tuple(re.findall(r"`(\w+)`", row)) for row in rows] == list(LAYERS)


def test_nothing_leads_back_within_a_layer():
    leads = {room: set() for room in HEIGHT}
    for path in files():
        room = room_of(path)
        targets = {name.split(".")[1] for name, _ in imports(path.read_text()) if name.startswith("fastqueens.")}
        leads[room] |= targets & set(HEIGHT) - {room}
    leads["result"].discard("pictures")
    done = set()
    while len(done) < len(leads):
        ready = {room for room, targets in leads.items() if room not in done and targets <= done}
        assert ready, f"in a circle: {sorted(set(leads) - done)}"
        done |= ready


@pytest.mark.parametrize(
    ("room", "source", "wrong"),
    [
        ("solver", "from fastqueens.cli import app", ["fastqueens.cli.app"]),
        ("kernels", "from fastqueens.board import InputError", ["fastqueens.board.InputError"]),
        ("pictures", "from fastqueens.kernels import binning", []),
        ("result", "from fastqueens.pictures.curves import curves", ["fastqueens.pictures.curves.curves"]),
        ("result", "def plot():\n    from fastqueens.pictures.curves import curves", []),
        ("solver", "def lazy():\n    import matplotlib.pyplot", ["matplotlib.pyplot"]),
        ("solver", "from fastqueens import solve_many", ["fastqueens.solve_many"]),
        ("cli", "import click", []),
        ("cli", "if TYPE_CHECKING:\n    from PIL.Image import Image", []),
    ],
)
def test_what_may_not_be_is_seen(room, source, wrong):
    assert faults(room, source) == wrong


def test_pictures_never_import_kernels():
    for path in (PACKAGE / "pictures").rglob("*.py"):
        assert not [name for name, _ in imports(path.read_text()) if name.startswith("fastqueens.kernels")], path
