"""Runs the examples of the documentation: the fenced blocks of a page, in order, in one empty folder.

``sh`` blocks hold commands, ``console`` blocks commands after ``$`` with their output, ``python`` blocks statements; if
the comment after a statement is a value, it is compared. No shell is needed: a line is a pipe of commands, maybe into a
file, and ``fastqueens`` runs in this process. :func:`_check_only` lists the commands that do not run, and what is
checked instead. Commands that would take too long run at a smaller size, see :func:`_smaller`.
"""

import ast
import configparser
import importlib.util
import io
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import bench.__main__
from fastqueens.cli import app
from fastqueens.cli.process import Session

REPOSITORY = Path(__file__).parents[1]

#: Blocks that are not run: files and formulas.
NOT_RUN = {"text", "json", "csv", "bibtex", "math"}

_BLOCK = re.compile(r"^( *)```(\S*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)

#: Times differ from run to run.
_TIME = re.compile(r"\d[\d,.]* (ns|µs|ms|s)\b|\d+\.\d{6}(?=  )")

#: Lines that are printed only if something takes long.
_SOMETIMES = re.compile(r"First use of this command|Allocated memory in")

#: The size of a file that was written, and the time if it took long.
_WRITTEN = re.compile(r"^(Wrote \S+) \([\d.,]+ \w+\)(?: in TIME)?")

#: For N and some options: numbers above the first are replaced by the second.
_SMALLER = {"": (2_000_000, "200000"), "--runs": (20_000, "1000")}

#: Options that need another program: commands with them are only parsed.
_ONLY_PARSED = {"--scheduler"}

_MAY_BE_UNSOLVED = {"climb", "--max-steps", "--seeds", "--time-limit"}


class Block(NamedTuple):
    """A fenced block: its language, its text without indentation, and its line in the page."""

    language: str
    text: str
    line: int


def blocks(page):
    """Return all fenced blocks of a page."""
    text = page.read_text()
    return [
        Block(found[2], re.sub(f"^{found[1]}", "", found[3], flags=re.MULTILINE), text[: found.start()].count("\n") + 2)
        for found in _BLOCK.finditer(text)
    ]


def run_page(page):
    """Run all blocks of a page in the current folder; AssertionError names the wrong line."""
    names = {}
    for block in blocks(page):
        where = f"{page.name}, line {block.line}"
        if block.language == "python":
            run_python(block, names, where)
        elif block.language == "sh":
            for line in block.text.splitlines():
                _run_line(line, where)
        elif block.language == "console":
            _run_console(block, where)
        else:
            assert block.language in NOT_RUN, f"{where}: a block of {block.language!r} cannot be run"


def run_python(block, names, where):
    """Run statements, and compare the value of each with the comment after it, if that is a value."""
    lines = block.text.splitlines()
    for statement in ast.parse(block.text).body:
        code = compile(ast.Module([statement], []), where, "exec")
        if not isinstance(statement, ast.Expr):
            exec(code, names)
            continue
        value = eval(compile(ast.Expression(statement.value), where, "eval"), names)
        comment = lines[statement.end_lineno - 1][statement.end_col_offset :].strip().removeprefix("#").strip()
        try:
            expected = ast.literal_eval(comment)
        except (SyntaxError, ValueError):
            continue
        got = value.tolist() if hasattr(value, "tolist") else value
        assert got == expected, f"{where}: {ast.unparse(statement)} is {got}, the page says {comment}"


def words(line):
    """Split a command line as a shell does, without its comment."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>")
    lexer.whitespace_split = True
    return list(lexer)


def parse(command_words):
    """Parse the arguments of a fastqueens command without running it."""
    name, *arguments = command_words
    with app.cli.commands[name].make_context(name, arguments, obj=Session()):
        pass


def _run_console(block, where):
    assert block.text.startswith("$ "), f"{where}: a console block begins with a command"
    for entry in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, expected = entry.partition("\n")
        got, smaller = _run_line(line, where, expected)
        if not smaller:
            assert _agree(got, expected), f"{where}: $ {line}\nprints\n{got}\nand the page says\n{expected}"


def _agree(got, expected):
    """Tell whether two texts are equal except for times and file sizes; a line of three dots stands for any lines."""
    pattern = "".join(
        "(?:.*\n)*" if line == "..." else re.escape(_normal(line)) + "\n" for line in expected.rstrip().splitlines()
    )
    lines = (line.rstrip() for line in got.rstrip().splitlines() if not _SOMETIMES.match(line))
    return re.fullmatch(pattern, "".join(_normal(line) + "\n" for line in lines))


def _normal(line):
    """Return a line without the times and sizes of files in it."""
    return _WRITTEN.sub(r"\1 (SIZE)", _TIME.sub("TIME", line.rstrip()))


def _run_line(line, where, expected=""):
    """Run one line; return its output and whether it ran at a smaller size. It may fail only if it is expected to."""
    data, printed, smaller = b"", "", False
    for part in parts(words(line), "|"):
        command, *target = (piece if place == 0 else piece[0] for place, piece in enumerate(parts(part, ">")))
        program, *arguments = command
        if program in ("fastqueens", ".venv/bin/fastqueens"):
            reduced = _smaller(arguments)
            smaller |= reduced != arguments
            data, printed, exit_code = _run_fastqueens(reduced, data)
            allowed = {0, 1} if _MAY_BE_UNSOLVED & set(arguments) else {0}
            assert exit_code in allowed or "Error:" in expected, f"{where}: {line}: exit code {exit_code}\n{printed}"
        else:
            data = _check_only(command, f"{where}: {line}")
            printed = data.decode()
        if target:
            Path(target[0]).write_bytes(data)
    return printed, smaller


def parts(words, separator):
    parts = [[]]
    for word in words:
        if word == separator:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _run_fastqueens(arguments, data):
    """Run the command line in this process; return stdout as bytes, stdout with stderr as text, and the exit code."""
    opens_browser = arguments[:1] == ["explore"] and "-o" not in arguments
    if opens_browser or _ONLY_PARSED & set(arguments):
        parse(arguments)
        return b"", "", 0
    together = io.BytesIO()
    out = _Tee(together)
    streams = [io.TextIOWrapper(raw, "utf-8", write_through=True) for raw in (out, _Tee(together))]
    with (
        redirect_stdout(streams[0]),
        redirect_stderr(streams[1]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data))),
    ):
        exit_code = app.run(arguments, Session())
    return out.own.getvalue(), together.getvalue().decode(), exit_code


class _Tee(io.RawIOBase):
    """A stream of bytes that stores what it gets, and passes it on to another."""

    def __init__(self, other):
        self.own = io.BytesIO()
        self.other = other

    def writable(self):
        return True

    def write(self, data):
        self.other.write(data)
        return self.own.write(data)


def _smaller(arguments):
    """Return the arguments with smaller boards, fewer runs and coarser posters."""
    reduced, before = [], ""
    for word in arguments:
        most, instead = _SMALLER.get(before if before.startswith("--") else "", (None, ""))
        number = re.fullmatch(r"[\d_]+(e\d+)?", word)
        reduced.append(instead if number and most and float(word) > most else word)
        before = word
    if arguments[:1] == ["poster"] and "--dpi" not in arguments:
        reduced += ["--dpi", "30"]
    return reduced


def _check_only(command, where):
    """Check a command that is not run here, as far as possible; return the bytes that it would print."""
    match command:
        case ["echo", text]:
            return text.encode() + b"\n"
        case ["cat", file]:
            return Path(file).read_bytes()
        case ["eval", inner] if inner.startswith("$(fastqueens "):
            script, _, exit_code = _run_fastqueens(inner[2:-1].split()[1:], b"")
            assert exit_code == 0, where
            return script
        case ["source"] | ["source", ".venv/bin/activate"]:
            return b""
        case ["make", *targets]:  # sets up an environment, or runs this test
            known = re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
            assert all(target in known or "=" in target for target in targets), where
        case [".venv/bin/python", "-m", "bench", *arguments]:  # takes minutes
            with bench.__main__.main.make_context("bench", arguments):
                pass
        case [".venv/bin/python", "-m", "pytest", *arguments]:  # runs this test
            assert all((REPOSITORY / word).exists() for word in arguments if "/" in word), where
        case [".venv/bin/python", "-m", module, *_]:
            assert importlib.util.find_spec(module), where
        case [".venv/bin/python", script, *_]:
            assert (REPOSITORY / script).exists(), where
        case [".venv/bin/ruff" | ".venv/bin/mypy", *_]:
            pass
        case ["pip", "install", what]:  # needs a network
            setup = configparser.ConfigParser()
            setup.read(REPOSITORY / "setup.cfg")
            extra = re.fullmatch(r"(?:fastqueens|\.)\[(\w+)\](?: @ git\+URL)?|.*", what)[1]
            assert extra is None or setup.has_option("options.extras_require", extra), where
        case _:
            raise AssertionError(f"{where}: {command} is not known here")
    return b""
