"""The examples on the pages run and print what the pages show; links have targets."""

import ast
import contextlib
import doctest
import functools
import importlib
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser

import fastqueens
from fastqueens.cli import Session, app

REPOSITORY = Path(__file__).parents[1]
PAGES = sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("posters/*.md")])
of_each_page = pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(REPOSITORY)) for page in PAGES])

#: Files that docs/hooks.py adds to the site.
_ADDED = {"live/board.html?embed", "live/climb.html?embed"}

_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)|(?:href|src)=\"(?!https?:)([^\"#]+)\"")

# Examples

#: Commands that run: the others need a scheduler, another shell, or minutes to set something up.
_RUNS = re.compile(r"(fastqueens|echo|cat) (?!.*(--scheduler|\| source))")

#: Words of commands that would take long, and what replaces them. The output of such commands is not compared.
_SHORTER = (
    (r"\b1e9\b", "1e5"),
    (r"--runs 10000", "--runs 100"),
    (r"--time-limit \d+", "--time-limit 1"),
    (r"(?<=fastqueens poster )(?!.*--dpi)", "--dpi 30 "),
)

#: What differs from run to run, and what replaces it: notes that something takes long, times, and sizes of files.
_VARYING = (
    (r"(?m)^(Compiling on the first use of this command|Allocated memory in).*\n", ""),
    (r"\d[\d,.]* (ns|µs|ms|s)\b|\d+\.\d{6}(?=  )", "<>"),
    (r"(?m)(?<=^Wrote )(.*) \([\d.,]+ \w+\)( in <>)?", r"\1"),
)


def parse(words):
    """Parse the arguments of a fastqueens command without running it."""
    name, *arguments = words
    with app.cli.get_command(None, name).make_context(name, arguments, obj=Session()):
        pass


def replaced(text, changes):
    return functools.reduce(lambda text, change: re.sub(*change, text), changes, text)


def printed(command):
    """Run a line in a shell, in the current folder; return what it prints, and whether it ran as it is written."""
    if not _RUNS.match(command):
        if command.startswith("fastqueens "):
            parse(shlex.split(command.partition("|")[0], comments=True)[1:])
        return "", False
    shorter = replaced(command, _SHORTER)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    shell = ["bash", "-o", "pipefail", "-c", shorter]
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(shell, env=environment, stdin=subprocess.DEVNULL, check=False, **output)
    # 1: not solved within the limit, as climbs often.
    assert done.returncode in (0, 1) or "Error:" in done.stdout, (command, done.returncode, done.stdout)
    return done.stdout, shorter == command


def run_lines(example):
    for line in example.parsed.splitlines():
        output, _ = printed(line)
        assert "Error:" not in output, output


def run_console(example):
    """Compare the output of each command with the page; three dots stand for any text."""
    for entry in re.split(r"^\$ ", example.parsed, flags=re.MULTILINE)[1:]:
        command, _, expected = entry.partition("\n")
        output, is_as_written = printed(command)
        if is_as_written and not is_same(expected, output):
            return f"$ {command}\nprints\n{output}\nand the page says\n{expected}"
    return None


def is_same(expected, got):
    """Compare two outputs except for times and sizes of files."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(replaced(expected, _VARYING), replaced(got, _VARYING), flags)


def run_python(example):
    """Run statements, and compare the value of each with the comment after it, if that is a value."""
    lines = example.parsed.splitlines()
    for statement in ast.parse(example.parsed).body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), example.path, "exec"), example.namespace)
            continue
        value = eval(compile(ast.Expression(statement.value), example.path, "eval"), example.namespace)
        try:
            expected = ast.literal_eval(lines[statement.end_lineno - 1][statement.end_col_offset :].strip(" #"))
        except (SyntaxError, ValueError):
            continue
        if (value.tolist() if hasattr(value, "tolist") else value) != expected:
            return f"{ast.unparse(statement)} is {value}, the page says {expected}"
    return None


LANGUAGES = {"sh": run_lines, "console": run_console, "python": run_python}
EXAMPLES = Sybil([CodeBlockParser(language, run) for language, run in LANGUAGES.items()])


@pytest.mark.gate
@of_each_page
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for example in EXAMPLES.parse(page):
        example.evaluate()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sh", "fastqueens verify no-such-file.npy"),
        ("sh", "fastqueens solve 1e9 --sedd 1"),
        ("sh", "fastqueens solve 20 --count --scheduler HOST:8786 --sedd 1"),
        ("console", "$ fastqueens solve 8 --seed 1 -q --json\n{}"),
        ("python", "1 + 1    # 3"),
    ],
)
def test_errors_on_a_page_are_found(language, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(f"words\n\n```{language}\n{text}\n```\n")
    (example,) = EXAMPLES.parse(page)
    with pytest.raises((AssertionError, click.UsageError)):
        example.evaluate()


def test_only_times_and_sizes_may_differ():
    text = "Placed 1,000 queens in 99 s.\nWrote q.npy (4.0 MB).\n"
    assert is_same(
        text, "Compiling on the first use of this command.\nPlaced 1,000 queens in 0.1 ms.\nWrote q.npy (3.1 kB).\n"
    )
    assert not is_same(text, text.replace("1,000", "1,001"))


@of_each_page
def test_commands_within_sentences_exist_with_their_options(page):
    if page.name == "CHANGELOG.md":  # it also names commands that are gone
        return
    targets = re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
    assert {*re.findall(r"(?:^|`)make ([\w-]+)", page.read_text(), re.MULTILINE)} <= {*targets}
    for command in re.findall(r"`fastqueens ([a-z][^`]*)`", page.read_text()):
        words = shlex.split(command)
        if any(word.isupper() or word == "--help" for word in words):  # a placeholder such as NUMBER
            continue
        with contextlib.suppress(click.MissingParameter, click.BadOptionUsage):  # a sentence may omit values
            parse(words)


def docs_module(name):
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_references_are_as_generated():
    for name, text in docs_module("reference").pages().items():
        assert text == (REPOSITORY / "docs" / name).read_text(), "run docs/reference.py"


def test_the_page_about_python_has_every_public_name_and_says_where_it_is():
    text = (REPOSITORY / "docs/python.md").read_text()
    others = re.search("^## Other modules\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)[1]
    listed = docs_module("reference").ENTRY.findall(text)
    assert {path.rpartition(".")[2] for path in listed} >= set(fastqueens.__all__) - {"__version__"}
    for path in listed:
        module, _, name = path.rpartition(".")
        assert hasattr(importlib.import_module(module), name)
        assert (name in fastqueens.__all__) == (f"<!-- {path} -->" not in others), path


@of_each_page
def test_links_have_targets(page):
    targets = {one or other for one, other in _LINK.findall(page.read_text())}
    added = _ADDED if REPOSITORY / "docs" in page.parents else set()
    assert [target for target in sorted(targets - added) if not (page.parent / target).exists()] == []


@functools.cache
def anchors(page):
    """Return the anchors of a page: its headings as GitHub and MkDocs name them, and what documents a Python name."""
    text = page.read_text()
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)).lower() for title in titles}
    return {slug.replace(" ", "-") for slug in slugs} | {*docs_module("reference").ENTRY.findall(text)}


@of_each_page
def test_anchors_in_links_exist(page):
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", page.read_text()):
        assert anchor in anchors(page.parent / target if target else page), (target, anchor)


def test_pictures_of_the_pages_are_small_and_shown():
    text = "".join(page.read_text() for page in PAGES)
    for picture in (REPOSITORY / "docs" / "pictures").glob("*"):
        assert picture.stat().st_size < 600_000
        assert f"pictures/{picture.name}" in text


@pytest.mark.gate
def test_the_stored_pictures_are_as_drawn(tmp_path, monkeypatch):
    draw = docs_module("draw")
    monkeypatch.setattr(draw, "PICTURES", tmp_path)
    draw.main()
    stored = {path.name for path in (REPOSITORY / "docs" / "pictures").iterdir()}
    assert {path.name for path in tmp_path.iterdir()} == stored


@pytest.mark.parametrize("name", app.cli.list_commands(None))
def test_the_help_of_every_command_fits_80_columns_and_has_examples_that_parse(run, name):
    command = app.cli.get_command(None, name)
    assert max(map(len, run(command.name, "--help")[1].splitlines())) <= 80
    lines = re.findall(r"^\s*(fastqueens .*)$", command.epilog or "", re.MULTILINE)
    assert lines
    for line in lines:
        for part in re.split(r"[|>]", line.partition("  #")[0]):
            if part.split()[0] == "fastqueens":
                parse(shlex.split(part, comments=True)[1:])


def test_what_a_page_fetches_from_other_sites_is_found():
    fetched = '<script src="https://a.org/b.js"></script><img srcset="c.png 1x, //a.org/d.png 2x">'
    assert docs_module("external").external(fetched, True) == ["https://a.org/b.js", "c.png 1x, //a.org/d.png 2x"]
    assert docs_module("external").external('<a href="https://a.org">a</a><img src="b.png">', True) == []
