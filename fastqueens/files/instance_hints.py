"""Hints for files that are not instances in JSON: what each looks like, and how to state it as an instance."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from fastqueens.files.text import shortened

_FORM = (
    'an instance is an object of JSON with n and squares [column, row], as in {"n": 8, "fixed": [[0, 0], [4, 1]], '
    '"blocked": [[2, 3]]}'
)

#: Of longer texts, only the beginning is looked at.
_LONGEST = 10_000

#: The longest instance that a message shows.
_LONGEST_SHOWN = 300

_TABLE = re.compile(r"\W*(?:column\W+row|row\W+column)\b", re.IGNORECASE)
_CSPLIB = re.compile(
    r"[$%]|(?:language|letting)\b|(?:n|init|blocks|\w*diags)\s*=|#\s*const\b|(?:block|queen|num|size|board|n)\s*\("
)


def refusal(data: bytes, content: dict[str, Any], keys: Collection[str]) -> str:
    """Return why a text is refused; ``content`` is its object, if it is one with other keys than the known ones."""
    text = data[:_LONGEST].decode("utf-8-sig", errors="replace").strip()
    if "queens" in content:
        return f"this is a board with gaps, or a whole board; {_FORM}"
    if content:
        unknown = next(key for key in content if key not in keys)
        return f"the key {shortened(repr(unknown))} is unknown; the keys are {', '.join(keys)}"
    if _TABLE.match(text):
        return f"this is a table of fixed queens, which --queens-file reads; {_FORM}"
    if _CSPLIB.match(text):
        return f"this looks like CSPLib or ASP, which examples/csplib.py of fastqueens turns into JSON; {_FORM}"
    drawn = _drawn(text) if len(data) <= _LONGEST else None
    if drawn:
        return f"this is a drawing, and an instance is an object of JSON: write {drawn}"
    return f"it begins with {shortened(repr(text[:80]))}; {_FORM}" if text else f"it is empty; {_FORM}"


def _drawn(text: str) -> str | None:
    """Return the instance whose fixed queens a square drawing shows; None if the text is not one."""
    lines = [re.sub(r"[\s|]", "", line) for line in text.splitlines()]
    n = len(lines)
    if {len(line) for line in lines} != {n} or not set("".join(lines)) <= set("Q♛♕.-_0"):
        return None
    squares = [[c, r] for c in range(n) for r in range(n) if lines[r][c] in "Q♛♕"]
    drawn = json.dumps({"n": n, "fixed": squares})
    return drawn if squares and len(drawn) <= _LONGEST_SHOWN else None
