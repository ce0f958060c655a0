"""Checks of the values that an error names, but not of its wording."""

import re
from contextlib import contextmanager

import pytest


@contextmanager
def check_error(kind, *named):
    """Expect an error of this kind that names the wrong value, where it is, and what would be valid.

    Each of them is a number, a text such as "column 3" that does not continue on either side, or a pattern.
    """
    with pytest.raises(kind) as caught:
        yield caught
    check_names(str(caught.value), *named)


def check_names(message, *named):
    """Check that a message names each of these."""
    assert [name for name in named if not _occurs(name, message)] == [], message


def _occurs(name, message):
    if isinstance(name, re.Pattern):
        return name.search(message)
    spellings = {str(name), f"{name:,}"} if isinstance(name, int) else {str(name)}
    return any(re.search(rf"(?<![\w,.-]){re.escape(text)}(?!\w|[,.]\d)", message) for text in spellings)
