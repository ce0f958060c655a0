"""A fixture for pictures that do not fit into memory."""

from functools import partial

import pytest
from lowered import limit_memory


@pytest.fixture
def leave_memory(monkeypatch):
    """Return a function that lets this many bytes of memory be available, on any machine."""
    return partial(limit_memory, monkeypatch)
