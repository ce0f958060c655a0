"""Results as JSON under bench/results, and as tables between markers in README and docs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import floor, hard_tables, machine, parts
from bench.classroom import rates_table
from bench.estimate_tables import constant_table, estimates_table, gamma_table
from bench.picture import draw
from bench.sampling_tables import samples_table
from fastqueens.pictures.saving import save_picture

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"
PICTURES = ROOT / "docs" / "pictures"

Rows = Sequence[dict[str, Any]]

# From this n on, several threads place the queens.
_ON_SEVERAL_THREADS = 2**22

#: Tables that show a part of what another benchmark has measured.
_PARTS_OF = {"highlights": "floor"}

#: Results of separate runs that follow a table.
_FOLLOWED_BY = {"estimates": "gamma"}

#: Tables of several results together, and the results behind each.
_JOINED: dict[str, tuple[Sequence[str], Callable[[dict[str, Rows]], str]]] = {
    "constant": (("constant", "gamma"), constant_table),
    "findings": (("csplib", "generated", "cpsat"), hard_tables.findings),
}


def store(name: str, measured_on: dict[str, Any], rows: Rows) -> None:
    """Write one result file and its pictures."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"machine": measured_on, "rows": rows}, indent=1)
    (RESULTS / f"{name}.json").write_text(text + "\n")
    if name == "scaling":
        draw_pictures()


def draw_pictures() -> None:
    """Draw ns a queen from the stored scaling."""
    result = stored("scaling")
    if result is not None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        save_picture(draw(result["rows"]), PICTURES / "scaling.png")


def table(name: str) -> str:
    """Return the Markdown tables of a stored result and of what follows it, each with its machine."""
    if name in _JOINED:
        return _joined(name)
    results = {part: result for part in _parts(name) if (result := stored(part)) is not None}
    if not results:
        return f"Not measured yet: `python -m bench {name}`."
    return "\n\n".join(
        f"{_TABLES[part](result['rows'])}\n\n{machine.line(result['machine'])}" for part, result in results.items()
    )


def stored(name: str) -> dict[str, Any] | None:
    """Return the stored "machine" and "rows" of a result, or None if it was not measured."""
    file = _result_file(name)
    result: dict[str, Any] | None = json.loads(file.read_text()) if file.exists() else None
    return result


def _joined(name: str) -> str:
    """Return a table of several results, followed by the machines of all of them."""
    parts, make = _JOINED[name]
    results = {part: result for part in parts if (result := stored(part)) is not None}
    machines = dict.fromkeys(machine.line(result["machine"]) for result in results.values())
    table = make({part: result["rows"] for part, result in results.items()})
    return "\n\n".join([table, *machines])


def pages() -> list[Path]:
    """Return the pages that may have tables."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def update_pages() -> list[str]:
    """Put the tables of all stored results between their markers; return the names of those with markers."""
    done = []
    for page in pages():
        before = text = page.read_text()
        for name in tables():
            if _is_measured(name) and f"<!-- bench: {name} -->\n" in text:
                text = replaced(text, name, table(name))
                done.append(name)
        if text != before:
            page.write_text(text)
    return done


def tables() -> list[str]:
    """Return the names of all tables."""
    return [*(name for name in _TABLES if name not in _FOLLOWED_BY.values()), *_JOINED]


def _is_measured(name: str) -> bool:
    return any(_result_file(part).exists() for part in _parts(name))


def _parts(name: str) -> Sequence[str]:
    """Return the names of the results behind a table."""
    if name in _JOINED:
        return _JOINED[name][0]
    return (name, _FOLLOWED_BY[name]) if name in _FOLLOWED_BY else (name,)


def replaced(text: str, name: str, new: str) -> str:
    r"""Put ``new`` between the markers of a name; return the text unchanged if it has none.

    >>> replaced("a <!-- bench: x -->\nold\n<!-- end --> b", "x", "new")
    'a <!-- bench: x -->\nnew\n<!-- end --> b'
    """
    before, marker, rest = text.partition(f"<!-- bench: {name} -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return f"{before}{marker}{new}\n{end}{after}" if end else text


def _result_file(name: str) -> Path:
    """Return the file behind a table. Those in the README are parts of other tables."""
    return RESULTS / f"{_PARTS_OF.get(name, name)}.json"


def _promises(rows: Rows) -> str:
    lines = ["| what | at most | measured (range, runs) |", "|---|---:|---:|"]
    lines += [f"| {row['what']} | " + " | ".join(_limit_cells(row)) + " |" for row in rows]
    return "\n".join(lines)


def _tiles(rows: Rows) -> str:
    lines = ["| what | at most | measured (range, runs) | allocation |", "|---|---:|---:|---:|"]
    for row in rows:
        apart = "" if row["allocation_apart"] is None else f"{row['allocation_apart']:.2f} {row['unit']}"
        lines.append(f"| {row['what']} | " + " | ".join([*_limit_cells(row), apart]) + " |")
    return "\n".join(lines)


def _limit_cells(row: dict[str, Any]) -> list[str]:
    """Return the limit and what was measured; a missed limit says so."""
    measured, least, most = (f"{row[key]:.2f}" for key in ("median", "least", "most"))
    unit = row["unit"]
    limit = "" if row["at_most"] is None else f"{row['at_most']:g} {unit}"
    missed = ", missed" if limit and row["median"] > row["at_most"] else ""
    runs = f" ({least}–{most}, {row['runs']})" if row["runs"] > 1 else ""
    return [limit, f"**{measured}**{missed if limit else f' {unit}'}{runs}"]


def _scaling(rows: Rows) -> str:
    """Return ns a queen; smaller boards are placed on one thread, so more threads say nothing new."""
    parts = ("allocation", "placement", "search", "verification", "shuffle")
    lines = ["| n | threads | " + " | ".join(parts) + " |", "|---:|---:|" + "---:|" * len(parts)]
    least = min(row["threads"] for row in rows)
    for row in rows:
        if row["threads"] == least or row["n"] >= _ON_SEVERAL_THREADS:
            cells = ["left out" if row[part] is None else _figure(row[part]["median"]) for part in parts]
            lines.append(f"| {row['n']:,} | {row['threads']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _largest(rows: Rows) -> str:
    (row,) = rows
    placement, search, verification, allocation, process = (
        f"{row[f'{part}_seconds']:,.2f} s" for part in ("placement", "search", "verification", "allocation", "process")
    )
    return (
        f"**n = {row['n']:,}**, seed {row['seed']}: placed in {placement}, {row['steps']:,} steps in {search}, "
        f"verified in {verification}, after {allocation} for the first touch of memory. The whole process took "
        f"{process} and {row['peak_bytes'] / row['n']:.2f} bytes a queen at its peak."
    )


def _completions(rows: Rows) -> str:
    of = {key: sum(row[key] for row in rows) for key in rows[0] if key != "n"}
    return (
        f"**{of['all']:,} boards** of n = {rows[0]['n'].split()[0]} to {rows[-1]['n'].split()[-1]}: local search "
        f"solved {of['solved']:,}, complete search {of['found']:,}. It proved that {of['excluded']:,} have no "
        f"solution, and left {of['unanswered'] + of['not asked']:,} open. **{of['contradictions']:,} contradictions**."
    )


def _soak(rows: Rows) -> str:
    (row,) = rows
    outcomes = ", ".join(f"{count:,} {what}" for what, count in row["outcomes"].items())
    return (
        f"**{row['minutes']:g} minutes**: {row['runs']:,} runs, {row['queens']:,} queens: {outcomes}, "
        f"**{row['failures']:,} failures**."
    )


def _fuzz(rows: Rows) -> str:
    files: Counter[str] = Counter()
    commands: Counter[str] = Counter()
    for row in rows:
        (commands if row["what"] == "commands" else files).update(row["outcomes"])
    read, done = (", ".join(f"{of[what]:,} {what}" for what in sorted(of)) for of in (files, commands))
    total = files.total() + commands.total()
    return f"**{total:,} inputs, no fault**. Files: {read}. Commands: {done}."


def _figure(value: float) -> str:
    """Write three digits, and thousands in groups."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


_TABLES: dict[str, Callable[[Rows], str]] = {
    "promises": _promises,
    "tiles": _tiles,
    "highlights": floor.highlights,
    "scaling": _scaling,
    "largest": _largest,
    "floor": floor.table,
    "classroom": _promises,
    "rates": rates_table,
    "fixed_queens": _promises,
    "counting": _promises,
    "parts": parts.table,
    "mixing": _promises,
    "samples": samples_table,
    "estimates": estimates_table,
    "gamma": gamma_table,
    "completions": _completions,
    "soak": _soak,
    "fuzz": _fuzz,
    "csplib": hard_tables.published_table,
    "generated": hard_tables.generated_table,
    "translated": hard_tables.translated_table,
    "cpsat": hard_tables.cpsat_table,
}
