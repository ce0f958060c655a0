"""Stubs of the modules of kernels: ``python -m fastqueens._jit.stubs``.

The types that kernels declare are objects, which type checkers cannot read. So each module of kernels has a stub with
its kernels, named tuples and constants. Functions that only kernels call have none.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from fastqueens import kernels
from fastqueens._jit.decorators import Kernel
from fastqueens._jit.types import Type

_HEAD = '"""Written by ``python -m fastqueens._jit.stubs``."""\n'

# Imports of stubs that have a word.
_IMPORTS = {
    "NamedTuple": "from typing import NamedTuple\n\n",
    "np.": "import numpy as np\n",
    "NDArray": "from numpy.typing import NDArray\n",
}


def stubs() -> Iterator[tuple[Path, str]]:
    """Yield the file and the text of each stub."""
    for path in sorted(Path(kernels.__file__).parent.glob("[!_]*.py")):
        imports, lines = _content(import_module(f"{kernels.__name__}.{path.stem}"))
        text = "".join(lines).strip("\n")
        if text:
            head = "".join(line for word, line in _IMPORTS.items() if word in text)
            parts = [_HEAD, head, "".join(sorted(imports)), text]
            yield path.with_suffix(".pyi"), "\n".join(filter(None, parts)) + "\n"


def _content(module: ModuleType) -> tuple[list[str], list[str]]:
    """Return imports, and constants, named tuples and kernels."""
    imports, constants, tuples, functions = [], [], [], []
    for name, value in vars(module).items():
        is_tuple = isinstance(value, type) and issubclass(value, tuple)
        if name.startswith("_") or (isinstance(value, Kernel) and value.is_inlined):
            continue
        if isinstance(value, int | np.integer):
            constants.append(f"{name}: {_number(type(value))}\n")
        elif (is_tuple or isinstance(value, Kernel)) and value.__module__ != module.__name__:
            imports.append(f"from {value.__module__} import {name} as {name}\n")
        elif is_tuple:
            fields = "".join(f"    {field}: {_text(kind)}\n" for field, kind in value.__annotations__.items())
            tuples.append(f"\nclass {name}(NamedTuple):\n{fields}")
        elif isinstance(value, Kernel):
            functions.append(_function(name, inspect.get_annotations(value.py_func)))
    return imports, [*constants, *tuples, "\n" if functions else "", *functions]


def _function(name: str, annotations: dict[str, Any]) -> str:
    result = annotations.pop("return", None)
    parameters = "".join(f"    {parameter}: {_text(kind)},\n" for parameter, kind in annotations.items())
    return f"def {name}(\n{parameters}) -> {_text(result)}: ...\n"


def _text(kind: Any) -> str:
    """Return the type of a parameter, a field or a result, as type checkers spell it."""
    if not isinstance(kind, Type):
        return "None" if kind is None else str(kind.__name__)
    if kind.ndim == 0:
        return " | ".join(map(_number, kind.numbers))
    return " | ".join(f"NDArray[np.{number.__name__}]" for number in kind.numbers)


def _number(number: type) -> str:
    """Return the type of a number: an int is one of 64 bits with a sign."""
    return "int" if number in (int, np.int64) else f"np.{number.__name__}"


def main() -> None:
    """Write all stubs."""
    for path, text in stubs():
        path.write_text(text)


if __name__ == "__main__":
    main()
