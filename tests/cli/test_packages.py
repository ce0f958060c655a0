"""Packages that are not installed are named with the command that installs them."""

import re
import sys
from importlib.metadata import requires

import pytest
from processes import process

from fastqueens.cli.packages import PACKAGES

#: A command that needs the package, by the name of its module.
NEEDS = {
    "click": "--help",
    "numpy": "solve 8",
    "numba": "solve 8",
    "PIL": "show --board 2,0,3,1 -o q.png",
    "matplotlib": "show --board 2,0,3,1 -o q.svg",
    "rich": "solve 8 -o q.npy",
}


@pytest.mark.parametrize("module", NEEDS)
def test_a_missing_package_is_named_with_the_command_that_installs_it(tmp_path, module):
    hide = f"import sys; sys.modules[{module!r}] = None"
    ended = process(*NEEDS[module].split(), cwd=tmp_path, before=hide, env={"FASTQUEENS_BACK_END": "numba"})
    package = PACKAGES[module]
    *_, said, command = ended.stderr.splitlines()
    assert said == f"Error: this Python lacks {package}; to install what is missing, type:", ended.stderr
    assert (ended.returncode, command) == (2, f"{sys.executable} -m pip install {package}")


def test_all_missing_packages_are_named_at_once():
    ended = process("solve", "8", before="import sys; sys.modules |= dict.fromkeys(['click', 'PIL', 'numpy'])")
    assert ended.stderr.endswith(" -m pip install Pillow click numpy\n")


def test_the_packages_are_those_that_are_installed_with_fastqueens():
    required = {re.match(r"[\w-]+", line)[0].lower() for line in requires("fastqueens") if "extra ==" not in line}
    assert required == {package.lower() for package in PACKAGES.values()}
