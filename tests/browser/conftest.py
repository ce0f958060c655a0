"""A real browser for the page: the system's Chromium, driven by Playwright. Without both, no test here is collected.

FASTQUEENS_BROWSER names another browser.
"""

import os
import shutil
from importlib.util import find_spec

import pytest
from pages import View

BROWSER = os.environ.get("FASTQUEENS_BROWSER") or shutil.which("chromium") or shutil.which("chromium-browser")

if BROWSER is None or find_spec("playwright") is None:
    collect_ignore_glob = ["test_*.py"]

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def look_at(browser):
    """Open an address in a new window; at the end, no console has an error."""
    contexts, views = [], []

    def look_at(address, **window):
        window = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light", **window}
        contexts.append(browser.new_context(**window))
        views.append(View(contexts[-1].new_page()))
        return views[-1].open(address)

    yield look_at
    errors = [error for view in views for error in view.errors]
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def show(tmp_path, look_at):
    """Open the page of a board with its instance, or of a search."""
    from fastqueens.explorer.page import page_in_one_file

    def show(queens, instance=None, address="", data=None, **window):
        (tmp_path / "page.html").write_bytes(page_in_one_file(queens, "b.txt", data, instance))
        return look_at((tmp_path / "page.html").as_uri() + address, **window)

    return show
