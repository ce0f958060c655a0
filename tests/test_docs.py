"""The pages name existing commands, options and files, and their links have targets."""

import contextlib
import functools
import importlib.util
import re
import shlex

import click
import numpy as np
import pytest
from documentation import PAGES, REPOSITORY, parse
from PIL import Image

import fastqueens
from fastqueens.cli import app

#: Files that docs/hooks.py adds to the site.
_ADDED = {"live/queens.html", "live/queens.html?embed"}

_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)|(?:href|src)=\"(?!https?:)([^\"#]+)\"")


def test_commands_within_sentences_exist_with_their_options(subtests):
    for page in PAGES:
        with subtests.test(page=page):
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


def test_options_within_sentences_exist(subtests):
    for page in PAGES:
        with subtests.test(page=page):
            commands = [app.cli.get_command(None, name) for name in app.cli.list_commands(None)]
            known = {
                name
                for command in commands
                for option in command.params
                for name in (*option.opts, *option.secondary_opts)
            }
            spans = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", page.read_text())
            named = {name for span in spans for name in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", span)}
            assert sorted(named - known - _OF_OTHERS) == []


def docs_module(name):
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_of_python_is_as_written_from_the_docstrings():
    reference = docs_module("python_reference")
    page = reference.PAGE.read_text()
    assert page == reference.page_with_names(page), "python docs/python_reference.py writes it"


def test_the_reference_of_python_has_every_public_name_with_an_example(subtests):
    reference = docs_module("python_reference")
    parts = re.split(r"^### (?:class |exception )?(.*)$", reference.PAGE.read_text(), flags=re.MULTILINE)
    entries = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert {name for name in entries if "." not in name} == set(fastqueens.__all__) - {"__version__"}
    for name, entry in entries.items():
        with subtests.test(name=name):
            assert ">>> " in entry


def test_type_checkers_check_the_example_of_the_readme():
    (example,) = re.findall(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(), re.DOTALL)
    assert example in (REPOSITORY / "tests" / "typing" / "user.py").read_text()


def test_links_have_targets(subtests):
    for page in PAGES:
        with subtests.test(page=page):
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


def test_anchors_in_links_exist(subtests):
    for page in PAGES:
        with subtests.test(page=page):
            for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", page.read_text()):
                assert anchor in anchors(page.parent / target if target else page), (target, anchor)


def test_pictures_of_the_pages_are_small_and_shown():
    """Pictures for dark pages are shown in place of others. The social card is in the head of each page."""
    text = "".join(page.read_text() for page in PAGES)
    for picture in (REPOSITORY / "docs" / "pictures").glob("*"):
        assert picture.stat().st_size < (1_500_000 if picture.suffix == ".webp" else 600_000)
        assert f"pictures/{picture.name.replace('-dark', '')}" in text or picture.name == "card.png"


def test_the_film_of_the_first_screens_has_words_rests_and_can_be_still():
    with Image.open(REPOSITORY / "docs/pictures/bloom.webp") as film:
        durations = []
        for index in range(film.n_frames):
            film.seek(index)
            film.load()
            durations.append(film.info["duration"])
        assert film.size == (1280, 640)
        last = np.asarray(film.convert("RGB"))
    assert 8000 <= sum(durations) <= 10_000
    assert durations[-1] >= 2000
    with Image.open(REPOSITORY / "docs/pictures/bloom.png") as still:
        assert np.array_equal(np.asarray(still.convert("RGB")), last)
    for page in ("README.md", "docs/index.md"):
        media, still, film = re.search(
            r'<picture>\s*<source media="(.*?)" srcset="(.*?)">\s*<img src="(.*?)"', (REPOSITORY / page).read_text()
        ).groups()
        assert (media, still.endswith("bloom.png"), film.endswith("bloom.webp")) == (
            "(prefers-reduced-motion: reduce)", True, True,
        )  # fmt: skip


def test_the_readme_is_short():
    assert len((REPOSITORY / "README.md").read_text().split()) <= 650


@pytest.mark.gate
def test_the_stored_pictures_are_as_drawn(tmp_path):
    for name in ("draw", "sheet"):
        module = docs_module(name)
        module.PICTURES = tmp_path
        module.main()
    stored = {path.name for path in (REPOSITORY / "docs" / "pictures").iterdir()}
    assert {path.name for path in tmp_path.iterdir()} == stored


def test_the_help_of_every_command_fits_60_lines_of_80_columns_and_has_examples_that_parse(subtests, run):
    for name in app.cli.list_commands(None):
        with subtests.test(name=name):
            command = app.cli.get_command(None, name)
            lines = run(command.name, "--help")[1].splitlines()
            assert (len(lines) <= 60, max(map(len, lines)) <= 80) == (True, True)
            for param in command.params:
                if isinstance(param.type, click.Choice):
                    assert [word for word in param.type.choices if word not in param.help] == [], param.name
            lines = re.findall(r"^\s*(fastqueens .*)$", command.epilog or "", re.MULTILINE)
            assert lines
            for line in lines:
                for part in re.split(r"[|>]", line.partition("  #")[0]):
                    if part.split()[0] == "fastqueens":
                        parse(shlex.split(part, comments=True)[1:])


def test_solve_does_one_job():
    options = [param for param in app.cli.get_command(None, "solve").params if isinstance(param, click.Option)]
    assert len(options) <= 26


def test_what_a_page_fetches_from_other_sites_is_found():
    fetched = '<script src="https://a.org/b.js"></script><img srcset="c.png 1x, //a.org/d.png 2x">'
    assert docs_module("external").external(fetched, True) == ["https://a.org/b.js", "c.png 1x, //a.org/d.png 2x"]
    assert docs_module("external").external('<a href="https://a.org">a</a><img src="b.png">', True) == []
