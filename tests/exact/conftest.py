"""Complete searches with other thresholds do not meet the tables of earlier ones."""

import pytest

from fastqueens.exact import complete_search


@pytest.fixture(autouse=True)
def other_layouts_are_forgotten():
    yield
    complete_search._root.cache_clear()
