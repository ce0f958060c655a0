"""The pages name existing commands, options and files, and their links have targets."""

import contextlib
import functools
import importlib
import importlib.util
import re
import shlex

import click
import pytest
from documentation import PAGES, REPOSITORY, of_each_page, parse

import fastqueens
from fastqueens.cli import app

#: Files that docs/hooks.py adds to the site.
_ADDED = {"live/board.html?embed", "live/climb.html?embed"}

_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)|(?:href|src)=\"(?!https?:)([^\"#]+)\"")


@of_each_page
def test_commands_within_sentences_exist_with_their_options(page):
    targets = re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
    assert {*re.findall(r"(?:^|`)make ([\w-]+)", page.read_text(), re.MULTILINE)} <= {*targets}
    for command in re.findall(r"`fastqueens ([a-z][^`]*)`", page.read_text()):
        words = shlex.split(command)
        if any(word.isupper() or word == "--help" for word in words):  # a placeholder such as NUMBER
            continue
        with contextlib.suppress(click.MissingParameter, click.BadOptionUsage):  # a sentence may omit values
            parse(words)


#: Options of other programs that the pages name.
_OF_OTHERS = {"--help", "--version", "--no-binary", "--embed", "--python", "--adaptive-search", "--up-to"}


@of_each_page
def test_options_within_sentences_exist(page):
    commands = [app.cli.get_command(None, name) for name in app.cli.list_commands(None)]
    known = {
        name for command in commands for option in command.params for name in (*option.opts, *option.secondary_opts)
    }
    spans = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", page.read_text())
    named = {name for span in spans for name in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", span)}
    assert sorted(named - known - _OF_OTHERS) == []


def docs_module(name):
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_of_python_lists_every_public_name():
    lists = re.findall(r"^(?:- |  )`.*$", (REPOSITORY / "docs/reference/python.md").read_text(), re.MULTILINE)
    names = {name for line in lists for name in re.findall(r"`([\w.]+)`", line)}
    assert {name for name in names if "." not in name} == set(fastqueens.__all__) - {"__version__"}
    for module, _, name in (name.rpartition(".") for name in names if "." in name):
        assert hasattr(importlib.import_module(module), name)


def test_type_checkers_check_the_example_of_the_readme():
    (example,) = re.findall(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(), re.DOTALL)
    assert example in (REPOSITORY / "tests" / "typing" / "user.py").read_text()


@of_each_page
def test_links_have_targets(page):
    targets = {one or other for one, other in _LINK.findall(page.read_text())}
    added = _ADDED if REPOSITORY / "docs" in page.parents else set()
    assert [target for target in sorted(targets - added) if not (page.parent / target).exists()] == []


@functools.cache
def anchors(page):
    """Return the anchors of a page: its headings, as GitHub and MkDocs name them."""
    text = page.read_text()
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)).lower() for title in titles}
    return {slug.replace(" ", "-") for slug in slugs}


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
