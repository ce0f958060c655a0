"""Results as JSON in bench/results, and as tables between markers on the pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import browser, csplib, estimates, floor, generated, machine, rates, sampling, scaling

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"

Rows = Sequence[dict[str, Any]]

#: For each table, the function that makes it from the rows of its result.
TABLES: Mapping[str, Callable[[Rows], str]] = {
    "speed": floor.speed,
    "others": floor.others,
    "floor": floor.table,
    "parts": floor.parts,
    "scaling": scaling.table,
    "largest": scaling.largest_sentence,
    "rates": rates.table,
    "mixing": sampling.mixing_table,
    "goals": sampling.goals_table,
    "samples": sampling.samples_table,
    "constant": estimates.table,
    "csplib": csplib.table,
    "generated": generated.table,
    "page": browser.table,
}

#: For each table that has no result of its own, the result that it shows.
SHOWS: Mapping[str, str] = {
    "speed": "floor",
    "others": "floor",
    "parts": "floor",
    "goals": "mixing",
}


def store(name: str, measured_on: Mapping[str, Any], seeds: str, rows: Rows) -> None:
    """Write one result file."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"machine": measured_on, "seeds": seeds, "rows": rows}, indent=1)
    _file_of(name).write_text(text + "\n")


def table(name: str) -> str:
    """Return a Markdown table of a stored result, followed by a caption with machine, commit and seeds."""
    result = json.loads(_file_of(name).read_text())
    return f"{TABLES[name](result['rows'])}\n\n{machine.line(result['machine'])}, {result['seeds']}."


def tables_of(result: str) -> list[str]:
    """Return the names of the tables that show a result."""
    return [name for name in TABLES if SHOWS.get(name, name) == result]


def pages() -> list[Path]:
    """Return the pages that can have tables."""
    return [ROOT / "README.md", *sorted((ROOT / "bench").glob("*.md")), *sorted((ROOT / "docs").glob("**/*.md"))]


def update_pages() -> list[str]:
    """Write the tables of all stored results between their markers; return the names of the tables written."""
    done = []
    for page in pages():
        before = text = page.read_text()
        for name in TABLES:
            if _file_of(name).exists() and f"<!-- bench: {name} -->\n" in text:
                text = replaced(text, name, table(name))
                done.append(name)
        if text != before:
            page.write_text(text)
    return done


def replaced(text: str, name: str, new: str) -> str:
    r"""Return the text with ``new`` between the markers of a name, or unchanged if it has no such markers.

    >>> replaced("a <!-- bench: x -->\nold\n<!-- end --> b", "x", "new")
    'a <!-- bench: x -->\nnew\n<!-- end --> b'
    """
    before, marker, rest = text.partition(f"<!-- bench: {name} -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return f"{before}{marker}{new}\n{end}{after}" if end else text


def _file_of(name: str) -> Path:
    return RESULTS / f"{SHOWS.get(name, name)}.json"
