"""Write the generated parts of python.md and commands.md: ``python docs/reference.py``.

The site shows full docstrings instead: see ``on_page_markdown`` in hooks.py.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from functools import cached_property
from pathlib import Path
from typing import Any

from click import Context

import fastqueens
from fastqueens.classroom.rules import Limits
from fastqueens.cli.app import cli

DOCS = Path(__file__).parent

#: A name on the page about Python, and what is generated for it.
ENTRY = re.compile(r"^<!-- (fastqueens\.\S+) -->\n.*?(?=^<!-- fastqueens|^## |\Z)", re.MULTILINE | re.DOTALL)

#: What the beginning of the page describes, and signatures leave out.
_COMMON = {"progress", "stop"}

# Longer values are not shown.
_LONGEST = 60

_COMMANDS = """# All options

This page lists every command and its options, as `fastqueens COMMAND --help` shows them. For examples, see
[the command line](command-line.md). It is generated: `python docs/reference.py`.
"""


def main() -> None:
    """Write both pages."""
    for name, text in pages().items():
        (DOCS / name).write_text(text)


def pages() -> dict[str, str]:
    """Return both pages as they should be."""
    python = (DOCS / "python.md").read_text()
    return {"python.md": ENTRY.sub(lambda found: _entry(found[1]), python), "commands.md": _commands()}


def _entry(path: str) -> str:
    """Return the heading, the signature, the first sentence and the first example of a name."""
    module, _, name = path.rpartition(".")
    thing = getattr(importlib.import_module(module), name)
    short = f"fastqueens.{name}" if name in fastqueens.__all__ else path
    sentence = inspect.cleandoc(thing.__doc__).partition("\n\n")[0].replace("\n", " ")
    sentence = re.sub(r":\w+:`~?\.?([^`]+)`", r"`\1`", sentence).replace("``", "`")
    lines = [f"<!-- {path} -->"]
    if inspect.isclass(thing):
        members = _members(thing)
        lines += [f"**`{short}`** {sentence}" + (f" It has {members}." if members else "")]
    else:
        lines += [f"**`{short}{_signature(thing)}`** {sentence}"]
    example = _example(thing)
    if example:
        if name not in fastqueens.__all__:
            example.insert(0, f"from {module} import {name}")
        lines += ["", "```python", *example, "```"]
    return "\n".join([*lines, "", ""])


def _signature(thing: Any) -> str:
    parameters = [
        parameter.replace(
            annotation=inspect.Parameter.empty,
            default=_Defaults() if isinstance(parameter.default, Limits) else parameter.default,
        )
        for parameter in inspect.signature(thing).parameters.values()
        if parameter.name not in _COMMON
    ]
    return str(inspect.Signature(parameters))


class _Defaults:
    """Stands for the default options of rules, which `Limits` lists."""

    def __repr__(self) -> str:
        return "Limits()"


def _members(thing: type) -> str:
    """Return the public fields, properties and methods that a class does not have from Python's own."""
    own = [one for one in thing.__mro__ if one.__module__.startswith("fastqueens")]
    names = dict.fromkeys(
        name
        for one in own
        for name in (*getattr(one, "_fields", ()), *getattr(one, "__annotations__", ()), *vars(one))
        if not name.startswith("_")
    )

    def shown(name: str) -> str:
        value = getattr(thing, name, None)
        return f"`{name}()`" if inspect.isroutine(value) and not isinstance(value, cached_property) else f"`{name}`"

    return ", ".join(map(shown, names))


def _example(thing: Any) -> list[str]:
    """Return the first example of a docstring up to the first value, which becomes a comment.

    The page imports the public names, and has examples with files of its own.
    """
    lines: list[str] = []
    for example in doctest.DocTestParser().get_examples(thing.__doc__):
        source, value = example.source.rstrip(), example.want.rstrip()
        if source.startswith(("with ", "import pathlib")):
            return []
        if "+SKIP" in source:  # opens the browser
            continue
        if value:
            return [*lines, f"{source}    # {value}" if len(value) <= _LONGEST and "\n" not in value else source]
        if not source.startswith(("from fastqueens import", "import fastqueens")):
            lines += source.split("\n")
    return lines


def _commands() -> str:
    pieces = [_COMMANDS]
    for name in sorted(cli.list_commands(None)):
        command = cli.get_command(None, name)
        vars(command)["_help_option"] = None  # click keeps the option of the first context, which may lack -h
        context = Context(command, info_name=f"fastqueens {name}", terminal_width=80, **cli.context_settings)
        pieces.append(f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(pieces)


if __name__ == "__main__":
    main()
