"""Write the names in docs/reference/python.md from their docstrings: ``python docs/python_reference.py``.

The part of the page above the names is written by hand, and stays. A test compares the names with the docstrings.
"""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ForwardRef

import fastqueens

PAGE = Path(__file__).parent / "reference" / "python.md"

#: What begins the generated part of the page.
BEGIN = "<!-- python docs/python_reference.py writes what follows -->\n"

#: The public names, and a few of submodules, by topic.
TOPICS = {
    "Solve boards": "solve Result Trace random_board",
    "Check boards": "is_solution attacking_pairs conflicting_queens first_attack",
    "Constraints, counts and proofs": "make_instance Instance prove Answer solve_instances count_solutions "
    "all_solutions has_unique_solution puzzle unique_puzzles Puzzle classroom.puzzles.write_sheets",
    "Random solutions": "sample Samples estimate CountEstimate sampling.estimates.LevelFigures",
    "The limit shape": "limit_density limit_occupancy limit_gamma LimitGamma statistics Statistics "
    "sampling.board_statistics.Measured",
    "Classroom": "climb Climb Limits study Study classroom.studies.write_runs check_climber check_cost heuristic_cost "
    "attacks move_costs steepest_move descend Descent",
    "Files": "read_board read_boards write_board read_instance read_instances write_instance read_trace write_trace",
    "Pictures": "picture Picture poster Poster animate Animation explore pictures.curves.conflict_curves "
    "pictures.studies.study_picture pictures.density.statistics_picture",
    "Errors": "InputError NoSolutionError NotEnoughMemoryError SamplingWarning Stopped TimeLimitReached",
}

#: Classes that users make; functions make the others, whose attributes say more than their signature.
_MADE_BY_USERS = ("Limits", "Trace")

#: Types in signatures, and the words by which readers know them.
_WORDS = (
    (r"SupportsIndex", "int"),
    (r"FileName", "str | Path"),
    (r"os\.PathLike\[str\]", "Path"),
    (r"NDArray\[[\w.]+\]|\bQueens\b", "ndarray"),
    (r"\bBoard\b", "Sequence[int] | ndarray"),
    (r"\bDrawable\b", "Result | Climb | Trace | Run"),
    (r"\bDrawn(Study|Statistics)\b", r"\1"),
)

_MOST_LETTERS = 100


def main() -> None:
    """Write the page again."""
    PAGE.write_text(page_with_names(PAGE.read_text()))


def page_with_names(page: str) -> str:
    """Return the page with its part by hand, and the names as they are now."""
    names = [f"**{topic}**\n\n" + "".join(map(_line, paths.split())) for topic, paths in TOPICS.items()]
    parts = [f"## {topic}\n\n" + "\n".join(map(_entry, paths.split())) for topic, paths in TOPICS.items()]
    return page.partition(BEGIN)[0] + BEGIN + "\n" + "\n".join(["## Names\n", *names, *parts])


def _found(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(f"fastqueens.{module}") if module else fastqueens, name)


def _line(path: str) -> str:
    summary = _sections(_found(path))[""].partition("\n\n")[0]
    return _wrapped(f"- [`{path}`](#{_anchor(_title(path))}): {_as_markdown(summary)}", "  ") + "\n"


def _title(path: str) -> str:
    found = _found(path)
    if not inspect.isclass(found):
        return path
    return f"{'exception' if issubclass(found, Exception) else 'class'} {path}"


def _anchor(title: str) -> str:
    """Return the anchor of a heading, as code hosts and MkDocs name it."""
    return title.lower().replace(" ", "-").replace(".", "")


def _entry(path: str) -> str:
    """Return the part of the page about a name: its signature, its docstring, and the methods of a class."""
    found, name = _found(path), path.rpartition(".")[2]
    parts = [f"### {_title(path)}\n\n"]
    if not inspect.isclass(found) or name in _MADE_BY_USERS:
        parts.append(_signature(name, found))
    parts.append(_text(found))
    for method, function in _methods(found):
        parts.append(f"\n#### {name}.{method}\n\n{_signature(f'{name}.{method}', function)}{_text(function)}")
    return "".join(parts)


def _methods(found: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public methods of a class that this package defines, in order; attributes include its properties."""
    for kind in found.__mro__ if inspect.isclass(found) else ():
        if kind.__module__.startswith("fastqueens"):
            yield from ((name, it) for name, it in vars(kind).items() if inspect.isfunction(it) and name[0] != "_")


def _signature(name: str, function: Callable[..., Any]) -> str:
    """Return a call of a function with its types and defaults, on one line if it is short."""
    signature = inspect.signature(function)
    words, kind = [], inspect.Parameter.POSITIONAL_OR_KEYWORD
    for parameter in signature.parameters.values():
        if parameter.kind == inspect.Parameter.KEYWORD_ONLY != kind:
            words.append("*")
        kind = parameter.kind
        words += [] if parameter.name == "self" else [_parameter(parameter)]
    end = ")"
    if not inspect.isclass(function):
        end += f" -> {_type(signature.return_annotation)}"
    line = f"{name}({', '.join(words)}{end}"
    if len(line) > _MOST_LETTERS:
        line = f"{name}(\n" + "".join(f"    {word},\n" for word in words) + end
    return f"```py\n{line}\n```\n\n"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = "**" if parameter.kind == inspect.Parameter.VAR_KEYWORD else ""
    word = f"{stars}{parameter.name}: {_type(parameter.annotation)}"
    value = parameter.default
    if value is parameter.empty:
        return word
    if isinstance(value, fastqueens.Limits):
        return f"{word} = Limits()"
    return f"{word} = {value!r}".replace("'", '"')


def _type(annotation: str | ForwardRef) -> str:
    words = annotation if isinstance(annotation, str) else annotation.__forward_arg__
    for pattern, word in _WORDS:
        words = re.sub(pattern, word, words)
    return words.replace("'", '"')


def _sections(found: Any) -> dict[str, str]:
    """Return the parts of a docstring in numpy's style by title; the first one has none."""
    parts = re.split(r"^(\w[\w ]*)\n-+\n", inspect.getdoc(found) or "", flags=re.MULTILINE)
    return {"": parts[0].strip(), **{title: part.strip() for title, part in zip(parts[1::2], parts[2::2], strict=True)}}


def _text(found: Any) -> str:
    """Return a docstring in Markdown."""
    sections = _sections(found)
    parts = [_paragraphs(sections[""])]
    for title, text in sections.items():
        if title in ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns"):
            parts.append(f"**{title}**\n\n{_list(text, is_named=title in ('Parameters', 'Attributes'))}")
        elif title == "Notes":
            parts.append(f"**Notes**\n\n{_paragraphs(text)}")
        elif title == "Examples":
            parts.append(f"```pycon\n{_import_of(found)}{text}\n```")
    if "See Also" in sections:
        names = re.findall(r"[\w.]+", re.sub(r" : .*", "", sections["See Also"]))
        parts.append(_wrapped("See also: " + ", ".join(map(_link, names)) + "."))
    return "\n\n".join(parts) + "\n"


def _import_of(found: Any) -> str:
    """Return the line of a session that imports a function of a submodule, which examples call by its name."""
    needs_none = found.__name__ in fastqueens.__all__ or inspect.isclass(found) or "." in found.__qualname__
    return "" if needs_none else f">>> from {found.__module__} import {found.__name__}\n"


def _list(text: str, *, is_named: bool) -> str:
    """Return the entries of a section, each of which is a line and its description, as a list."""
    entries = []
    for entry in re.split(r"\n(?=\S)", text):
        head, _, rest = entry.partition("\n")
        names, _, kind = head.partition(" : ") if is_named or " : " in head else ("", "", head)
        if not names and re.fullmatch(r"[A-Z]\w+(, [A-Z]\w+)*", kind):  # classes
            names, kind = kind, ""
        words = f"{', '.join(f'`{name}`' for name in names.split(', '))}: " if names else ""
        words += f"*{_as_markdown(kind)}.* " if kind else ""
        entries.append(_wrapped(f"- {words}{_as_markdown(inspect.cleandoc(rest))}".rstrip(": "), "  "))
    return "\n".join(entries)


def _paragraphs(text: str) -> str:
    """Return a text of several paragraphs in Markdown."""
    return "\n\n".join(_wrapped(_as_markdown(paragraph)) for paragraph in text.split("\n\n"))


def _wrapped(text: str, indent: str = "") -> str:
    """Break a paragraph into lines, not within code, nor before what Markdown takes for the beginning of a list."""
    text = re.sub(r"`[^`]+`", lambda found: re.sub(r"\s+", "\N{NO-BREAK SPACE}", found[0]), text)
    text = re.sub(r"\s(?=([-+*>#]|\d+[.)])\s)", "\N{NO-BREAK SPACE}", text)
    lines = textwrap.wrap(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def _as_markdown(text: str) -> str:
    """Return words of a docstring in Markdown, with links to names and pages."""
    parts = re.split(r"(``.*?``)", text, flags=re.DOTALL)
    text = "".join(part if part.startswith("``") else part.replace("*", r"\*") for part in parts).replace("``", "`")
    text = re.sub(r":\w+:`([\w.]+)`", lambda found: _link(found[1]), text)
    return re.sub(r"docs/((?:[\w-]+/)?([\w-]+)\.md)", _page_link, text)


def _page_link(found: re.Match[str]) -> str:
    path = found[1].removeprefix("reference/")
    return f"[{found[2].replace('-', ' ')}]({path if path != found[1] else '../' + path})"


def _link(name: str) -> str:
    """Return a link to a name of this page, or the name if it is not on it."""
    name = name.removeprefix("fastqueens.")
    paths = [path for topic in TOPICS.values() for path in topic.split()]
    if name in paths:
        return f"[`{name}`](#{_anchor(_title(name))})"
    is_method = any(f"{path}.{method}" == name for path in paths for method, _ in _methods(_found(path)))
    return f"[`{name}`](#{_anchor(name)})" if is_method else f"`{name}`"


if __name__ == "__main__":
    main()
