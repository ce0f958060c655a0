"""Random option sets over all commands end as documented; tests/random_options.py says what that means."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "random_options.py"


@pytest.mark.gate
@pytest.mark.parametrize("how", [["400"], ["40", "--processes"]], ids=["in one process", "in processes"])
def test_random_option_sets_end_as_documented(how):
    """The output names the seed, which repeats the failure, and the commands that failed."""
    command = [sys.executable, PROGRAM, *how, "--seed", str(random.randrange(10**9))]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
