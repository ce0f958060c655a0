"""The built site, opened from disk: search, live boards and formulas work, and no page calls another site."""

import os
from pathlib import Path

import pytest
from pages import View

SITE = Path(os.environ.get("FASTQUEENS_SITE", Path(__file__).parents[2] / "site")).resolve()

pytestmark = pytest.mark.skipif(not SITE.exists(), reason="there is no site: make docs builds it")


@pytest.fixture
def visit(browser):
    """Open a page of the site; at the end, no request has left it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(120_000)  # on a busy machine
    requests = []

    def visit(name):
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{SITE.as_uri()}/{name}")
        page.wait_for_load_state("networkidle")
        return page

    yield visit
    context.close()
    assert requests
    assert [address for address in requests if not address.startswith(("file:", "data:", "blob:", "about:"))] == []


def test_the_search_finds_a_word(visit):
    page = visit("index.html")
    page.locator(".md-search__input").click()
    page.keyboard.type("sinkhorn", delay=30)
    found = page.locator(".md-search-result__item a").first
    found.wait_for()
    assert "limit-shape.html" in found.get_attribute("href")


def test_the_home_page_begins_with_a_cloth_and_has_a_live_board(visit):
    page = visit("index.html")
    cloth = page.locator(".cloth").bounding_box()
    assert cloth["y"] < 150
    assert (cloth["x"], cloth["width"]) == (0, page.evaluate("document.documentElement.clientWidth"))
    assert "pictures/weave.jpg" in page.locator(".cloth").evaluate("cloth => getComputedStyle(cloth).backgroundImage")
    page.locator(".live iframe").scroll_into_view_if_needed()  # a browser does not draw a frame out of sight
    (frame,) = (frame for frame in page.frames if "/live/" in frame.url)
    View(page).until(lambda: frame.evaluate("window.explorer && explorer.isComplete"))


@pytest.mark.parametrize("name", ["limit-shape", "number-of-solutions", "results"])
def test_formulas_are_typeset(visit, name):
    page = visit(f"explanation/{name}.html")
    assert page.locator("math").count() > 0
    assert page.locator("math").first.bounding_box()["height"] > 10
    assert "```math" not in page.content()
    assert "$`" not in page.content()


def test_every_page_opens_without_other_sites(visit):
    for page in sorted(SITE.rglob("*.html")):
        visit(page.relative_to(SITE).as_posix()).close()
