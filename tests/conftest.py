"""Settings of hypothesis, and fixtures: one runs the command line, one is a file that exists.

Hypothesis has no deadline, since a first call compiles, and tries the same examples in every run.
``pytest --hypothesis-profile=long`` tries new ones.
"""

from pathlib import Path

import pytest
from hypothesis import settings

from fastqueens.cli import app
from fastqueens.cli.session import Session

settings.register_profile("suite", deadline=None, max_examples=40, derandomize=True, database=None)
settings.register_profile("long", deadline=None, max_examples=3000)
settings.load_profile("suite")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command line in this process, in an empty folder and 80 columns; returns exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments):
        exit_code = app.run(list(arguments), Session())
        return exit_code, *capsys.readouterr()

    return run


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a file that already exists."""
    path = tmp_path / "board.txt"
    path.write_text("earlier")
    return path
