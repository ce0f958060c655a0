"""How hypothesis runs here, and the command line within a test.

Hypothesis: no deadline, since a first call compiles; the same examples at every run.
``pytest --hypothesis-profile=long`` looks for new ones.
"""

import pytest
from hypothesis import settings

from fastqueens.cli import app
from fastqueens.cli.session import Session

settings.register_profile("suite", deadline=None, max_examples=40, derandomize=True, database=None)
settings.register_profile("long", deadline=None, max_examples=3000)
settings.load_profile("suite")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command line in this process, in an empty folder, 80 columns wide: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments):
        exit_code = app.run(list(arguments), Session())
        return exit_code, *capsys.readouterr()

    return run
