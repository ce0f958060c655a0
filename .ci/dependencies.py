"""The dependencies of the installed package and of its tests.

``python .ci/dependencies.py`` lists what the package asks for, as requirements. ``... installed`` prints which versions
are installed, and ``... least`` also fails if one of them is not the least admitted version: then a bound is false, or
something else raises it.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import requires, version

_LEAST = re.compile(r"([\w-]+).*>=([\w.]+)")


def requirements() -> list[str]:
    """Return what the package and its extra ``test`` require, without markers."""
    found = (line.partition(";") for line in requires("fastqueens") or [])
    return [
        requirement.strip() for requirement, _, marker in found if not marker or "extra == 'test'" in _plain(marker)
    ]


def _plain(marker: str) -> str:
    return marker.replace('"', "'")


def _without_zeros(number: str) -> str:
    """Return a version without zeros at its end: 1.26 and 1.26.0 are the same.

    >>> _without_zeros("1.26.0"), _without_zeros("2.10"), _without_zeros("8.0.0")
    ('1.26', '2.10', '8')
    """
    return re.sub(r"(\.0)+$", "", number)


def main(wanted: str) -> None:
    """Do what the module says."""
    if not wanted:
        print("\n".join(requirements()))
        return
    raised = []
    for requirement in requirements():
        name, least = _LEAST.match(requirement).groups()  # type: ignore[union-attr]
        print(f"{name} {version(name)}", end="  ")
        if _without_zeros(version(name)) != _without_zeros(least):
            raised.append(f"{name} {version(name)} is installed, and setup.cfg admits {least}")
    print()
    if wanted == "least" and raised:
        raise SystemExit("\n".join(raised))


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
