"""N-queens by local search: a million queens in milliseconds.

Public names are loaded on first use. Therefore ``import fastqueens`` is fast, and ``fastqueens --help`` does not wait
for numba. The stub ``__init__.pyi`` lists the names, for this module and for type checkers.

>>> import fastqueens
>>> result = fastqueens.solve(1000, seed=1)
>>> result.solved, fastqueens.attacking_pairs(result.queens)
(True, 0)
"""

from __future__ import annotations

import importlib
import os
from typing import Any

__version__ = "1.0.0"

#: The module that defines each public name.
_HOME_OF: dict[str, str] = {}

with open(os.path.join(os.path.dirname(__file__), "__init__.pyi"), encoding="utf-8") as _stub:
    for _words in map(str.split, _stub):  # from HOME import NAME as NAME
        if _words[:1] == ["from"]:
            _HOME_OF[_words[3]] = _words[1]

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fastqueens' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
