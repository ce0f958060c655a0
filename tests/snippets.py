"""Runs what the documentation shows: the fenced blocks of a page, one after the other, in one empty folder.

``sh`` blocks hold commands, ``console`` blocks commands after ``$`` and what they print, ``python`` blocks statements
whose comment, where it is a value, is compared. A shell is not needed: a line is a pipe of commands, maybe into a
file, and ``fastqueens`` runs in this process. What cannot run here is listed in :func:`_look_at` with what is checked
in its place; what would take too long runs smaller, see :func:`_smaller`.
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
from fastqueens.cli.session import Session

REPOSITORY = Path(__file__).parents[1]

#: Blocks that are not run: what a file or a formula looks like.
NOT_RUN = {"text", "json", "csv", "bibtex"}

_BLOCK = re.compile(r"^( *)```(\S*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)

#: Times differ from run to run.
_TIME = re.compile(r"\d[\d,.]* (ns|µs|ms|s)\b")

#: Lines that are there only where something took long.
_SOMETIMES = re.compile(r"Compiling|Got the memory in|Wrote .* in")

#: More than this runs as that.
_SMALLER = {"": (2_000_000, "200000"), "--runs": (20_000, "1000"), "--up-to": (1000, "1000")}

#: Options and commands that would open a server or start processes: they are parsed, and not run.
_ONLY_PARSED = {"--workers", "--scheduler", "explore"}

_MAY_BE_UNSOLVED = {"climb", "--max-steps", "--seeds"}


class Block(NamedTuple):
    """A fenced block: its language, its text without indentation, and its line in the page."""

    language: str
    text: str
    line: int


def blocks(page):
    """All fenced blocks of a page."""
    text = page.read_text()
    return [
        Block(found[2], re.sub(f"^{found[1]}", "", found[3], flags=re.MULTILINE), text[: found.start()].count("\n") + 2)
        for found in _BLOCK.finditer(text)
    ]


def run_page(page):
    """Run all blocks of a page in the current folder; AssertionError names the line that is wrong."""
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
            assert block.language in NOT_RUN, f"{where}: nobody runs a block of {block.language!r}"


def run_python(block, names, where):
    """Run statements, and compare the value of each line with the comment behind it where that is a value."""
    lines = block.text.splitlines()
    for statement in ast.parse(block.text).body:
        code = compile(ast.Module([statement], []), where, "exec")
        if not isinstance(statement, ast.Expr):
            exec(code, names)
            continue
        value = eval(compile(ast.Expression(statement.value), where, "eval"), names)
        said = lines[statement.end_lineno - 1][statement.end_col_offset :].strip().removeprefix("#").strip()
        try:
            expected = ast.literal_eval(said)
        except (SyntaxError, ValueError):
            continue
        got = value.tolist() if hasattr(value, "tolist") else value
        assert got == expected, f"{where}: {ast.unparse(statement)} is {got}, the page says {said}"


def words(line):
    """The words of a command line, as a shell reads them; a comment is none."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>")
    lexer.whitespace_split = True
    return list(lexer)


def parse(command_words):
    """Let click read the arguments of a fastqueens command without running it."""
    name, *arguments = command_words
    with app.cli.commands[name].make_context(name, arguments, obj=Session()):
        pass


def _run_console(block, where):
    assert block.text.startswith("$ "), f"{where}: a console block begins with a command"
    for entry in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, expected = entry.partition("\n")
        got, smaller = _run_line(line, where, said=expected)
        if not smaller:
            assert _agree(got, expected), f"{where}: $ {line}\nprints\n{got}\nand the page says\n{expected}"


def _agree(got, expected):
    """Tell whether two texts are the same but for times; a line of three dots stands for any lines."""
    pattern = "".join(
        "(?:.*\n)*" if line == "..." else re.escape(_TIME.sub("TIME", line.rstrip())) + "\n"
        for line in expected.rstrip().splitlines()
    )
    lines = (line.rstrip() for line in got.rstrip().splitlines() if not _SOMETIMES.match(line))
    return re.fullmatch(pattern, "".join(_TIME.sub("TIME", line) + "\n" for line in lines))


def _run_line(line, where, said=""):
    """Run one line; what it printed, and whether it ran smaller than it says. Only what is said to fail may."""
    data, printed, smaller = b"", "", False
    for part in _parts(words(line), "|"):
        command, *target = (piece if place == 0 else piece[0] for place, piece in enumerate(_parts(part, ">")))
        program, *arguments = command
        if program in ("fastqueens", ".venv/bin/fastqueens"):
            able = _smaller(arguments)
            smaller |= able != arguments
            data, printed, exit_code = _run_fastqueens(able, data)
            allowed = {0, 1} if _MAY_BE_UNSOLVED & set(arguments) else {0}
            assert exit_code in allowed or "Error:" in said, f"{where}: {line}: exit code {exit_code}\n{printed}"
        else:
            data = _look_at(command, f"{where}: {line}")
            printed = data.decode()
        if target:
            Path(target[0]).write_bytes(data)
    return printed, smaller


def _parts(words, separator):
    parts = [[]]
    for word in words:
        if word == separator:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _run_fastqueens(arguments, data):
    """Run the command line in this process: the bytes on stdout, stdout and stderr together as text, exit code."""
    if _ONLY_PARSED & set(arguments) and "-o" not in arguments:
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
    """A stream of bytes that keeps its own and shows them to another."""

    def __init__(self, other):
        self.own = io.BytesIO()
        self.other = other

    def writable(self):
        return True

    def write(self, data):
        self.other.write(data)
        return self.own.write(data)


def _smaller(arguments):
    """Give the arguments with large boards, many runs and fine posters made small."""
    able, before = [], ""
    for word in arguments:
        most, instead = _SMALLER.get(before if before.startswith("--") else "", (None, ""))
        number = re.fullmatch(r"[\d_]+(e\d+)?", word)
        able.append(instead if number and most and float(word) > most else word)
        before = word
    if arguments[:1] == ["poster"] and "--dpi" not in arguments:
        able += ["--dpi", "30"]
    return able


def _look_at(command, where):
    """Check a command that is not run here as far as that goes; the bytes that it would print."""
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
        case ["make", *targets]:  # sets up an environment, or is what runs this
            known = re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
            assert all(target in known or "=" in target for target in targets), where
        case [".venv/bin/python", "-m", "bench", *arguments]:  # takes minutes
            with bench.__main__.main.make_context("bench", arguments):
                pass
        case [".venv/bin/python", "-m", "pytest", *arguments]:  # is what runs this
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
            extra = re.fullmatch(r"fastqueens\[(\w+)\]|.*", what)[1]
            assert extra is None or setup.has_option("options.extras_require", extra), where
        case _:
            raise AssertionError(f"{where}: nobody knows how to run {command}")
    return b""
