"""Results as JSON under bench/results, and as tables between markers in README and docs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import csplib, estimates, floor, generated, machine, rates, sampling, scaling

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"

Rows = Sequence[dict[str, Any]]

#: The tables by name, and how each is made of the rows of its result.
TABLES: Mapping[str, Callable[[Rows], str]] = {
    "highlights": floor.highlights,
    "floor": floor.table,
    "scaling": scaling.table,
    "largest": scaling.largest_sentence,
    "rates": rates.table,
    "mixing": sampling.mixing_table,
    "samples": sampling.samples_table,
    "constant": estimates.table,
    "csplib": csplib.table,
    "generated": generated.table,
}

#: Tables that show a part of another result.
_PARTS_OF = {"highlights": "floor"}


def store(name: str, measured_on: Mapping[str, Any], seeds: str, rows: Rows) -> None:
    """Write one result file."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"machine": measured_on, "seeds": seeds, "rows": rows}, indent=1)
    _file_of(name).write_text(text + "\n")


def table(name: str) -> str:
    """Return the Markdown table of a stored result, followed by its machine, commit and seeds."""
    result = json.loads(_file_of(name).read_text())
    return f"{TABLES[name](result['rows'])}\n\n{machine.line(result['machine'])}, {result['seeds']}."


def pages() -> list[Path]:
    """Return the pages that can have tables."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def update_pages() -> list[str]:
    """Put the tables of all stored results between their markers; return the names of those with markers."""
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
    r"""Put ``new`` between the markers of a name; return the text unchanged if it has none.

    >>> replaced("a <!-- bench: x -->\nold\n<!-- end --> b", "x", "new")
    'a <!-- bench: x -->\nnew\n<!-- end --> b'
    """
    before, marker, rest = text.partition(f"<!-- bench: {name} -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return f"{before}{marker}{new}\n{end}{after}" if end else text


def _file_of(name: str) -> Path:
    return RESULTS / f"{_PARTS_OF.get(name, name)}.json"
