"""The examples on the pages run and print what the pages show; links have targets."""

import contextlib
import functools
import importlib
import importlib.util
import re
from pathlib import Path

import click
import pytest
import snippets
from PIL import Image
from snippets import REPOSITORY, Block

import fastqueens
from fastqueens.cli import app


def names(pages):
    return [str(page.relative_to(REPOSITORY)) for page in pages]


PAGES = sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("posters/*.md")])

#: Files that docs/hooks.py adds to the site.
_ADDED = {"live/board.html?embed", "live/climb.html?embed"}

_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)|(?:href|src)=\"(?!https?:)([^\"#]+)\"")


@pytest.mark.gate
@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    snippets.run_page(page)


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_commands_within_sentences_exist_with_their_options(page):
    if page.name == "CHANGELOG.md":  # it also names commands that are gone
        return
    for command in re.findall(r"`fastqueens ([a-z][^`]*)`", page.read_text()):
        words = snippets.words(command)
        if any(word.isupper() or word == "--help" for word in words):  # a placeholder such as NUMBER
            continue
        with contextlib.suppress(click.MissingParameter, click.BadOptionUsage):  # a sentence may omit values
            snippets.parse(words)


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


def test_git_ignores_what_the_commands_of_the_readme_write():
    written = re.findall(r"fastqueens [^`\n]* -o ([^-\s`][^\s`]*)", (REPOSITORY / "README.md").read_text())
    assert written
    assert {f"/{name}" for name in written} <= {*(REPOSITORY / ".gitignore").read_text().split()}


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
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


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_anchors_in_links_exist(page):
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", page.read_text()):
        assert anchor in anchors(page.parent / target if target else page), (target, anchor)


def test_pictures_of_the_pages_are_small_and_shown():
    text = "".join(page.read_text() for page in PAGES)
    for picture in (REPOSITORY / "docs" / "pictures").glob("*"):
        assert picture.stat().st_size < 300_000
        assert f"pictures/{picture.name}" in text


@pytest.mark.gate
def test_the_stored_pictures_are_as_drawn(tmp_path, monkeypatch):
    draw = docs_module("draw")
    monkeypatch.setattr(draw, "PICTURES", tmp_path)
    draw.main()
    drawn, stored = {path.name for path in tmp_path.iterdir()}, REPOSITORY / "docs" / "pictures"
    assert drawn == {path.name for path in stored.iterdir()}
    for name in drawn:
        with Image.open(tmp_path / name) as one, Image.open(stored / name) as other:
            assert one.size == other.size


def examples(command):
    return re.findall(r"^\s*(fastqueens .*)$", command.epilog or "", re.MULTILINE)


@pytest.mark.parametrize("command", app.cli.commands)
def test_help_fits_80_columns(run, command):
    assert max(map(len, run(command, "--help")[1].splitlines())) <= 80


@pytest.mark.parametrize("command", app.cli.commands.values(), ids=app.cli.commands)
def test_the_help_of_every_command_has_examples_that_parse(command):
    if command.name == "completion":
        assert all(shell in command.epilog for shell in ("bash", "zsh", "fish"))
        return
    assert examples(command)
    for line in examples(command):
        for program, *words in snippets.parts(snippets.words(line), "|"):
            assert program == "fastqueens"
            snippets.parse(words)


# The checks themselves find errors


def page_of(folder, language, text):
    page = folder / "page.md"
    page.write_text(f"words\n\n```{language}\n{text}\n```\n")
    return page


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sh", "fastqueens solve 8 --sedd 1"),
        ("sh", "fastqueens verify no-such-file.npy"),
        ("sh", "fastqueens solve 1e9 --sedd 1"),
        ("sh", "fastqueens explore 8 --no-browse"),
        ("sh", "make solv"),
        ("sh", ".venv/bin/python -m bench nothing"),
        ("sh", ".venv/bin/python -m pytest tests/test_nothing.py"),
        ("sh", "pip install fastqueens[nothing]"),
        ("sh", "pip install '.[nothing]'"),
        ("sh", "pip install 'fastqueens[nothing] @ git+URL'"),
        ("sh", "rm -rf q.npy"),
        ("console", "$ fastqueens solve 8 --seed 1 -q --json\n{}"),
        ("console", "fastqueens solve 8"),
        ("python", "1 + 1    # 3"),
        ("python", "import fastqueens\nfastqueens.no_such_name"),
        ("bash", "true"),
    ],
)
def test_errors_on_a_page_are_found(language, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((AssertionError, AttributeError, click.UsageError)):
        snippets.run_page(page_of(tmp_path, language, text))


def test_times_and_left_out_lines_may_differ(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    console = "$ fastqueens solve 1000 --seed 1\nPlaced 1,000 queens in 99 s (windowed start, seed 1).\n..."
    snippets.run_page(page_of(tmp_path, "console", console))
    with pytest.raises(AssertionError, match="1,001 queens"):
        snippets.run_page(page_of(tmp_path, "console", console.replace("1,000", "1,001")))


def test_blocks_are_found_with_their_lines_even_in_lists(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("- a\n\n  ```sh\n  make test\n  ```\n\n```python\n1\n```\n")
    assert snippets.blocks(page) == [Block("sh", "make test\n", 4), Block("python", "1\n", 8)]
    assert isinstance(page, Path)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ('<script src="https://a.org/b.js"></script>', ["https://a.org/b.js"]),
        ('<img srcset="c.png 1x, //a.org/d.png 2x">', ["c.png 1x, //a.org/d.png 2x"]),
        ('<link rel="stylesheet" href="http://a.org/e.css">', ["http://a.org/e.css"]),
        ('<p style="background: url(https://a.org/f.png)">', ["https://a.org/f.png"]),
        ("<style>@font-face {src: url('//a.org/g.woff2')}</style>", ["//a.org/g.woff2"]),
        ('<a href="https://a.org">a</a><link rel="canonical" href="https://a.org"><img src="b.png">', []),
        ('<script>"url(https://a.org)"</script> <img src="data:image/svg+xml;base64,a//b">', []),
    ],
)
def test_what_a_page_fetches_from_other_sites_is_found(text, addresses):
    spec = importlib.util.spec_from_file_location("external", REPOSITORY / "docs" / "external.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.external(text, True) == addresses
