"""Convert n-queens instances of CSPLib problems 079 and 080 to lines of JSON, which fastqueens reads.

    python examples/csplib.py blocked.param facts.lp -o instances.jsonl
    fastqueens batch instances.jsonl

Two kinds of files are converted. Files with the suffix .lp or .asp hold facts of answer set programming: block(i,j).
and queen(i,j)., and the size as num(1..8)., size(8). or #const n = 8. All other files hold parameters in the language
Essence': n, init, diags, sumdiags, diffdiags and blocks. Squares in init are [column, row], counted from 0. In blocks
and in facts, the row comes first, and both numbers are counted from 1.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

ASSIGNMENT = re.compile(r"(?:letting\s+)?(\w+)\s*(?:=|\bbe\b)\s*(-?\d+|\[[\[\]\d\s,-]*\])")
SQUARE = re.compile(r"(block|queen)\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*\.")
SIZE = re.compile(r"(?:(?:num|size|board|n)\s*\(\s*(?:1\s*\.\.\s*)?|#\s*const\s+(?:n|size)\s*=\s*)(\d+)\s*\)?\s*\.")
NAMES = ("n", "init", "blocks", "diags", "sumdiags", "diffdiags", "numdiags", "numsum", "numdiff")


def from_parameters(text: str, first: int | None = None) -> dict[str, Any]:
    """Return the instance in a parameter file. ``first`` limits the excluded diagonals of its list ``diags``."""
    text = re.sub(r"\$.*|^\s*language\s+essence'?\s+[\d.]+|;\s*int\s*\([^)]*\)", "", text, flags=re.IGNORECASE | re.M)
    refuse(ASSIGNMENT.sub("", text))
    names = [name for name, _ in ASSIGNMENT.findall(text)]
    refuse(" ".join(name for name in names if name not in NAMES or names.count(name) > 1))
    stated: dict[str, Any] = {name: json.loads(value) for name, value in ASSIGNMENT.findall(text)}
    n, diagonals = stated["n"], stated.get("diags", [])[:first]
    refuse(" ".join(str(diagonal) for diagonal in diagonals if diagonal[1] not in (0, 1)))
    differences = [number - n + 1 for number, kind in diagonals if kind == 0]
    return {
        "n": n,
        "fixed": stated.get("init", []),
        "blocked": [[column - 1, row - 1] for row, column in stated.get("blocks", [])],
        "excluded_sums": stated.get("sumdiags", []) + [number for number, kind in diagonals if kind == 1],
        "excluded_differences": stated.get("diffdiags", []) + differences,
    }


def from_facts(text: str) -> dict[str, Any]:
    """Return the instance that the facts describe."""
    text = re.sub(r"%\*.*?\*%|%[^\n]*", "", text, flags=re.DOTALL)
    refuse(SIZE.sub("", SQUARE.sub("", text)))
    squares: dict[str, list[list[int]]] = {"block": [], "queen": []}
    for predicate, row, column in SQUARE.findall(text):
        squares[predicate].append([int(column) - 1, int(row) - 1])
    sizes = sorted({int(size) for size in SIZE.findall(text)})
    if not sizes or (len(sizes) > 1 and sizes != list(range(1, len(sizes) + 1))):  # num(1). num(2). ... give one size
        raise ValueError(f"a single size is required, but the file has {sizes}")
    return {"n": max(sizes), "fixed": squares["queen"], "blocked": squares["block"]}


def refuse(rest: str) -> None:
    """Raise ValueError if text is left over that was not recognised."""
    if rest.strip():
        raise ValueError(f"unknown text {rest.strip()[:50]!r}")


def main() -> None:
    """Convert the files named on the command line."""
    parser = argparse.ArgumentParser(
        description="Convert n-queens instances of CSPLib problems 079 and 080 to lines of JSON."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument(
        "--first", type=int, metavar="COUNT", help="use only the first COUNT excluded diagonals of the list diags"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to FILE instead of stdout")
    options = parser.parse_args()
    lines = ""
    for file in options.files:
        text = file.read_text(encoding="utf-8-sig")
        is_facts = file.suffix in (".lp", ".asp")
        try:
            instance = from_facts(text) if is_facts else from_parameters(text, options.first)
        except (ValueError, TypeError, KeyError) as error:
            parser.error(f"{file}: {error}")
        lines += json.dumps(instance | {"name": file.name}) + "\n"
    if options.output is None:
        print(lines, end="")
    else:
        options.output.write_text(lines)


if __name__ == "__main__":
    main()
