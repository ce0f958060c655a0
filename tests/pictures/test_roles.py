"""The table of roles: its stylesheet, its contrasts, and that nothing else names colours."""

import ast
import re
from pathlib import Path

import pytest
from matplotlib.colors import CSS4_COLORS

import fastqueens
from fastqueens.pictures.roles import DARK, LIGHT, STYLESHEET, blend, contrast, stylesheet

PACKAGE = Path(fastqueens.__file__).parent
ROOT = Path(__file__).parents[2]

#: The tables of colours, what is made from them, what users type, and the work of others.
ALLOWED = (
    "pictures/roles.py",
    "pictures/palettes.py",
    "assets/roles.css",
    "cli/poster.py",
    "leaflet/",
    "assets/icon.svg",
)

CODE = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(", re.IGNORECASE)
NAMED = re.compile(
    rf"""(?:color|background|fill|stroke|border|shadow)[\w-]*\s*[:=]\s*["']?[^;"'}}\n]*?\b({"|".join(CSS4_COLORS)})\b(?!-)""",
    re.IGNORECASE,
)


def literals_in(path):
    """Return what names a colour in a file, except in docstrings and comments."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return [found for part in strings_of(text) for found in CODE.findall(part)] + NAMED.findall(named_values(text))
    text = re.sub(r"/\*.*?\*/|<!--.*?-->", "", text, flags=re.DOTALL)
    # The address of a part of a page is not a colour.
    text = re.sub(r"""url\([^)]*\)|href="#[\w-]*"|&#\w+;|//.*""", "", text)
    return CODE.findall(text) + NAMED.findall(text)


def strings_of(source):
    tree = ast.parse(source)
    bodies = (ast.Module, ast.ClassDef, ast.FunctionDef)
    documents = {
        id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, bodies) and ast.get_docstring(node)
    }
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in documents)
    return [node.value for node in constants if isinstance(node.value, str)]


def named_values(source):
    """Return the keywords of calls and the keys of dictionaries with their values, such as color='white'."""
    nodes = list(ast.walk(ast.parse(source)))
    pairs = [(key.arg, key.value) for node in nodes if isinstance(node, ast.Call) for key in node.keywords]
    pairs += [pair for node in nodes if isinstance(node, ast.Dict) for pair in zip(node.keys, node.values, strict=True)]
    named = [(getattr(name, "value", name), value.value) for name, value in pairs if isinstance(value, ast.Constant)]
    return "\n".join(f"{name}='{value}'" for name, value in named)


@pytest.mark.parametrize("folder", [PACKAGE, ROOT / "docs"], ids=["package", "docs"])
def test_no_other_file_names_a_colour(folder):
    files = [path for path in folder.rglob("*") if path.suffix in (".py", ".css", ".js", ".svg", ".html")]
    assert len(files) > 2
    checked = [path for path in files if not any(part in path.as_posix() for part in ALLOWED)]
    assert {path.relative_to(folder).as_posix(): found for path in checked if (found := literals_in(path))} == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.css", "p { color: #abc; }"),
        ("a.css", "p { background: rgb(1, 2, 3); }"),
        ("a.css", "a { border: 1px solid white; }"),
        ("a.js", 'pen.fillStyle = "#16181d";'),
        ("a.js", 'Object.assign(pen, { strokeStyle: "black" });'),
        ("a.svg", '<path fill="navy"/>'),
        ("a.py", 'draw(color="white")'),
        ("a.py", 'look = {"facecolors": "white"}'),
        ("a.py", "html = f'<i style=\"border: 1px solid #999\">{n}'"),
    ],
)
def test_the_check_finds_literals(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert literals_in(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.css", "p { color: var(--ink); background: none; } /* white #fff */"),
        ("a.js", "const ink = look.ink; // #fff"),
        ("a.py", '"""White, #ffffff."""\ndraw(facecolor="none")'),
        ("a.svg", '<path clip-path="url(#fab)"/>'),
    ],
)
def test_the_check_finds_nothing_else(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert literals_in(tmp_path / name) == []


def test_the_stylesheet_is_written_from_the_table():
    assert STYLESHEET.read_text("utf-8") == stylesheet()


def test_the_mark_has_only_colours_of_roles():
    found = CODE.findall((PACKAGE / "explorer/assets/icon.svg").read_text("utf-8"))
    assert set(found) == {LIGHT.paper, LIGHT.rising, LIGHT.falling, LIGHT.ink}


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_on_paper_and_on_buttons(look):
    raised = blend(look.paper, look.ink, 0.07)
    for role in ("ink", "soft", "attack", "solved", "note", "accent"):
        assert contrast(getattr(look, role), look.paper) >= 4.5, role
    assert contrast(look.ink, raised) >= 4.5
    # Edges of fields, and axes.
    assert contrast(look.faint, look.paper) >= 3
