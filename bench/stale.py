"""``python -m bench stale``: the stored results that are older than the code that they measure."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bench.machine import ROOT, git

_CALL = ("fastqueens/solving/solver.py", "fastqueens/solving/arrays.py", "fastqueens/jit")
_PLACEMENT = (*(f"fastqueens/solving/{name}.py" for name in (
    "tiles", "tiles_kernel", "windows", "windows_kernel", "repair_kernel", "search_kernel",
)), *_CALL)  # fmt: skip
_CHECK = ("fastqueens/check/verification.py", "fastqueens/check/verification_kernel.py")
_HOLES = ("fastqueens/solving/holes.py", "fastqueens/solving/holes_kernel.py", "fastqueens/jit")
_ESTIMATE = (*(f"fastqueens/sampling/{name}.py" for name in ("estimate", "levels", "levels_kernel")), *_HOLES,
             "bench/estimates.py")  # fmt: skip
_EXACT = ("fastqueens/exact", "fastqueens/jit", "bench/instances.py")

#: What each result depends on, besides how it is measured: if one of these changes, it may differ.
MEASURED: Mapping[str, tuple[str, ...]] = {
    "classroom": ("fastqueens/classroom", "fastqueens/nqueens.py", "fastqueens/jit", "bench/classroom.py"),
    "constant": _ESTIMATE,
    "completions": ("fastqueens/exact", "fastqueens/solving", "bench/fixed_queens.py"),
    "counting": (*_EXACT, "fastqueens/classroom/puzzles.py", "bench/counting.py"),
    "cpsat": (*_EXACT, "bench/cpsat.py", "bench/answer_by_cpsat.py"),
    "csplib": (*_EXACT, "bench/csplib.py"),
    "estimates": _ESTIMATE,
    "fixed_queens": (*_PLACEMENT, "fastqueens/core/instance.py", "bench/fixed_queens.py"),
    "floor": (*_PLACEMENT, *_CHECK, "fastqueens/cli", "bench/floor.py", "bench/solve_by.py",
              "bench/plain_min_conflicts.py", "bench/numba_min_conflicts.py"),
    "fuzz": ("fastqueens/files", "fastqueens/cli", "tests/fuzz"),
    "gamma": _ESTIMATE,
    "generated": (*_EXACT, "bench/generated.py"),
    "largest": (*_PLACEMENT, *_CHECK, "bench/largest.py"),
    "mixing": (*_HOLES, "bench/sampling.py"),
    "parts": (*_EXACT, "bench/parts.py"),
    "promises": (*_PLACEMENT, *_CHECK, "fastqueens/cli", "bench/promises.py"),
    "rates": ("fastqueens/classroom", "bench/classroom.py"),
    "samples": ("fastqueens/sampling/samples.py", "fastqueens/sampling/autocorrelation.py", *_HOLES,
                "bench/sampling.py"),
    "scaling": (*_PLACEMENT, *_CHECK, "bench/scaling.py"),
    "soak": ("fastqueens/solving", "fastqueens/check", "fastqueens/jit", "bench/soak.py"),
    "tiles": (*_PLACEMENT, *_CHECK, "bench/tiles.py"),
    "translated": (*_EXACT, "fastqueens/solving/solver.py", "bench/translated.py"),
}  # fmt: skip


class Stale(NamedTuple):
    """A result, the commit and the date of its measurement, and what has changed since then, or None if unknown."""

    name: str
    commit: str | None
    date: str
    changed: list[str] | None

    def __str__(self) -> str:
        """Return one line."""
        if self.changed is None:
            return f"{self.name}: {self.date}, its commit {self.commit or 'was not recorded'}: cannot be compared"
        files = ", ".join(self.changed[:3]) + (f" and {len(self.changed) - 3} more" if len(self.changed) > 3 else "")
        return f"{self.name}: {self.date}, commit {self.commit}; since then changed: {files}"


def stale(results: Path) -> Iterator[Stale]:
    """Yield the results in a folder whose code has changed, in the work tree too, since they were measured.

    A result that did not record its commit is compared with the commit that it was stored with. Comments, docstrings
    and new lines are no changes.
    """
    for file in sorted(results.glob("*.json")):
        machine = json.loads(file.read_text())["machine"]
        commit = machine.get("commit") or machine.get("stored_with")
        different = commit and git("diff", "--name-only", "--no-renames", commit, "--", *MEASURED[file.stem])
        if different is None:
            yield Stale(file.stem, commit, machine["date"], None)
            continue
        changed = [path for path in different.splitlines() if _differs(path, str(commit))]
        if changed:
            yield Stale(file.stem, commit, machine["date"], changed)


@cache
def _differs(path: str, commit: str) -> bool:
    """Return whether the code of a file differs from that of a commit."""
    now = (ROOT / path).read_text() if (ROOT / path).exists() else ""
    return _code(path, git("show", f"{commit}:{path}") or "") != _code(path, now)


def _code(path: str, text: str) -> str:
    """Return Python code without comments and docstrings, and any other file as it is."""
    if not path.endswith(".py"):
        return text.strip()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)
