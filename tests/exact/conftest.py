"""A fixture that keeps the tables of earlier complete searches from searches with other thresholds."""

import pytest

from fastqueens.exact import complete_search


@pytest.fixture(autouse=True)
def other_layouts_are_forgotten():
    yield
    complete_search._root.cache_clear()
