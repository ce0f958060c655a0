"""Complete searches with other thresholds do not meet the tables of earlier ones."""

import pytest

from fastqueens.exact import bundles


@pytest.fixture(autouse=True)
def other_layouts_are_forgotten():
    yield
    bundles._root.cache_clear()
