"""The built site, opened from disk: search, live boards and formulas work, and no page calls another site."""

import os
import re
from pathlib import Path

import pytest
from pages import View
from PIL import Image

SITE = Path(os.environ.get("FASTQUEENS_SITE", Path(__file__).parents[2] / "site")).resolve()

pytestmark = pytest.mark.skipif(not SITE.exists(), reason="there is no site: make docs builds it")


@pytest.fixture
def visit(browser):
    """Open a page of the site; at the end, no request has left it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(120_000)  # on a busy machine
    requests = []

    def visit(name, **media):
        page = context.new_page()
        page.emulate_media(**media)
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


def shown(page, selector):
    """Return the names of the pictures that a page shows, without their addresses."""
    names = page.locator(selector).evaluate_all(
        "pictures => pictures.filter(one => one.checkVisibility()).map(one => one.currentSrc)"
    )
    return [name.rpartition("/")[2].partition("#")[0] for name in names]


def test_the_home_page_begins_with_a_film_and_has_six_doors_and_a_live_board(visit):
    page = visit("index.html")
    film, command = page.locator(".hero img").bounding_box(), page.locator(".first pre").bounding_box()
    assert film["y"] < 150
    assert (film["x"], film["width"]) == (0, page.evaluate("document.documentElement.clientWidth"))
    assert shown(page, ".hero img") == ["bloom.webp"]
    assert command["y"] + command["height"] < 900
    assert page.locator(".first .md-code__button").count() == 1
    assert len({target.get_attribute("href") for target in page.locator(".doors a").all()}) == 6
    assert shown(visit("index.html", reduced_motion="reduce"), ".hero img") == ["bloom.png"]
    page.locator(".live iframe").scroll_into_view_if_needed()  # a browser does not draw a frame out of sight
    (frame,) = (frame for frame in page.frames if "/live/" in frame.url)
    View(page).until(lambda: frame.evaluate("window.explorer && explorer.isComplete"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_and_pages_have_the_paper_of_the_scheme(visit, scheme):
    page = visit("explanation/performance.html", color_scheme=scheme)
    assert shown(page, ".md-content img") == ["times.png" if scheme == "light" else "times-dark.png"]
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", paper))
    with Image.open(SITE / "pictures" / shown(page, ".md-content img")[0]) as figure:
        assert figure.convert("RGB").getpixel((2, 2)) == (red, green, blue)


def test_every_page_has_the_mark_and_a_social_card(visit):
    for name in ("index.html", "guides/assignments.html", "posters.html"):
        page = visit(name)
        assert page.locator("link[rel=icon]").get_attribute("href").endswith("assets/icon.svg")
        assert page.locator(".md-logo img").first.evaluate("mark => mark.naturalWidth") > 0
        card = page.locator("meta[property='og:image']").get_attribute("content")
        with Image.open(SITE / card) as picture:
            assert picture.size == (1200, 630)


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
