"""The examples of pages and docstrings run and print what is shown."""

import ast
import doctest
import functools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from documentation import REPOSITORY, of_each_page, parse
from sybil import Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers.doctest import DocTestParser
from sybil.parsers.markdown import CodeBlockParser

import fastqueens

#: Commands that run: the others need a scheduler, another shell, or minutes to set something up.
_RUNS = re.compile(r"(fastqueens|echo|cat) (?!.*(--scheduler|\| source))")

#: Words of commands that would take long, and what replaces them. The output of such commands is not compared.
_SHORTER = (
    (r"\b1e9\b", "1e5"),
    (r"--runs 10000", "--runs 100"),
    (r"--time-limit \d+", "--time-limit 1"),
    (r"(?<=fastqueens poster )(?!.*--dpi)", "--dpi 30 "),
)

#: Output that differs from run to run, and its replacement: notes about long work, times, and sizes of files.
_VARYING = (
    (r"(?m)^(Compiling fastqueens on first use).*\n", ""),
    (r"\d[\d,.]* (ns|µs|ms|s)\b|\d+\.\d{6}(?=  )", "<>"),
    (r"(?m)(?<=^Wrote )(.*) \([\d.,]+ \w+\)( in <>)?", r"\1"),
)


def replaced(text, changes):
    return functools.reduce(lambda text, change: re.sub(*change, text), changes, text)


def printed(command):
    """Run a line in a shell, in the current folder; return its output, and whether it ran as written."""
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
    # 1: not solved within the limit, as climbs often; 3: no solution exists.
    assert done.returncode in (0, 1, 3) or "Error:" in done.stdout, (command, done.returncode, done.stdout)
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
    example.namespace["__name__"] = "__main__"  # as in a script
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


def run_session(example):
    """Compare what each statement of a session prints with the page, after ``from fastqueens import *``."""
    names = {name: getattr(fastqueens, name) for name in fastqueens.__all__}
    session = doctest.DocTestParser().get_doctest(example.parsed, names, "session", example.path, example.line)
    printed = []
    doctest.DocTestRunner(verbose=False).run(session, out=printed.append)
    return "".join(printed) or None


LANGUAGES = {"sh": run_lines, "console": run_console, "python": run_python, "pycon": run_session}
EXAMPLES = Sybil([CodeBlockParser(language, run) for language, run in LANGUAGES.items()])
DOCSTRINGS = Sybil([DocTestParser()], document_types={".py": PythonDocStringDocument})

#: The files of the package, wherever it is installed, and of the tests, in which a docstring has an example.
FILES = [
    path
    for folder in (Path(fastqueens.__file__).parent, REPOSITORY / "tests")
    for path in sorted(folder.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def test_the_examples_of_docstrings_run(subtests, tmp_path, monkeypatch):
    for path in FILES:
        with subtests.test(path=path):
            monkeypatch.chdir(tmp_path)
            for example in DOCSTRINGS.parse(path):
                example.evaluate()


@pytest.mark.gate
@of_each_page
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for example in EXAMPLES.parse(page):
        example.evaluate()


def test_errors_on_a_page_are_found(subtests, tmp_path, monkeypatch):
    for language, text in [
        ("sh", "fastqueens verify no-such-file.npy"),
        ("sh", "fastqueens solve 1e9 --sedd 1"),
        ("sh", "fastqueens count 20 --scheduler HOST:8786 --sedd 1"),
        ("console", "$ fastqueens solve 8 --seed 1 -q --json\n{}"),
        ("python", "1 + 1    # 3"),
        ("pycon", ">>> 1 + 1\n3"),
    ]:
        with subtests.test(language=language, text=text):
            monkeypatch.chdir(tmp_path)
            page = tmp_path / "page.md"
            page.write_text(f"words\n\n```{language}\n{text}\n```\n")
            (example,) = EXAMPLES.parse(page)
            with pytest.raises((AssertionError, click.UsageError)):
                example.evaluate()


def test_errors_in_a_docstring_are_found(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "wrong_sum.py"
    path.write_text('"""A sum.\n\n>>> 1 + 1\n3\n"""\n')
    (example,) = DOCSTRINGS.parse(path)
    with pytest.raises(AssertionError, match="Expected"):
        example.evaluate()


def test_only_times_and_sizes_may_differ():
    text = "Placed 1,000 queens in 99 s.\nWrote q.npy (4.0 MB).\n"
    compiling = "Compiling fastqueens on first use, which takes a few seconds.\n"
    assert is_same(text, f"{compiling}Placed 1,000 queens in 0.1 ms.\nWrote q.npy (3.1 kB).\n")
    assert not is_same(text, text.replace("1,000", "1,001"))
