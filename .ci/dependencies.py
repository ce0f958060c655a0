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
    """Return what the package and its extra ``test`` require; markers stay that tell systems apart."""
    found = []
    for line in requires("fastqueens") or []:
        requirement, _, marker = line.partition(";")
        if "extra ==" not in marker:
            found.append(line)
        elif marker.strip().replace('"', "'") == "extra == 'test'":
            found.append(requirement)
    return found


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
    # Requirements for several systems have the same name and the same least version.
    for name, least in dict(_LEAST.match(requirement).groups() for requirement in requirements()).items():  # type: ignore
        print(f"{name} {version(name)}", end="  ")
        if _without_zeros(version(name)) != _without_zeros(least):
            raised.append(f"{name} {version(name)} is installed, and setup.cfg admits {least}")
    print()
    if wanted == "least" and raised:
        raise SystemExit("\n".join(raised))


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
