"""A browser that opens nothing."""

from types import SimpleNamespace

import pytest


@pytest.fixture
def opened(monkeypatch):
    """Return the addresses that the browser was sent to."""
    found = []
    browser = SimpleNamespace(name="", open=lambda address: found.append(address) or True)
    monkeypatch.setattr("webbrowser.get", lambda: browser)
    return found
