"""The pages of the documentation, and a parser for their commands."""

from pathlib import Path

import pytest

from fastqueens.cli import app
from fastqueens.cli.session import Session

REPOSITORY = Path(__file__).parents[1]
PAGES = sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("posters/*.md")])
of_each_page = pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(REPOSITORY)) for page in PAGES])


def parse(words):
    """Parse the arguments of a fastqueens command without running it."""
    name, *arguments = words
    with app.cli.get_command(None, name).make_context(name, arguments, obj=Session()):
        pass
