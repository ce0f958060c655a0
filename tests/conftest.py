"""Settings of hypothesis, and fixtures: the command line, a Dask cluster, a file that exists.

Hypothesis has no deadline and can take long to make examples, since a first call compiles, and tries the same examples
in every run. The gate tries more of them once (``pytest --hypothesis-profile=gate``) and fewer elsewhere;
``--hypothesis-profile=long`` tries new ones.
"""

import io
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from fastqueens.cli import app
from fastqueens.cli.session import Session

COMPILING = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", **COMPILING, max_examples=15, derandomize=True, database=None)
settings.register_profile("few", settings.get_profile("suite"), max_examples=5)
settings.register_profile("gate", settings.get_profile("suite"), max_examples=40)
settings.register_profile("long", **COMPILING, max_examples=3000)
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
def stdin(monkeypatch):
    """Set the content of standard input; None closes it."""
    return lambda content: monkeypatch.setattr(sys, "stdin", content and io.TextIOWrapper(io.BytesIO(content)))


@pytest.fixture(scope="module")
def cluster():
    """Yield the client of a Dask cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="pip install '.[cluster]'")
    settings = {"threads_per_worker": 1, "dashboard_address": ":0", "memory_limit": None, "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, **settings) as processes, distributed.Client(processes) as client:
        yield client


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a file that already exists."""
    path = tmp_path / "board.txt"
    path.write_text("earlier")
    return path
