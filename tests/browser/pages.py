"""A page in a browser, as a visitor sees it."""

import base64
import time
from io import BytesIO

import numpy as np
from PIL import Image

TIMEOUT = 60


class View:
    """A page with a board, as a visitor sees it. It collects console errors and requests."""

    def __init__(self, page):
        self.page = page
        self.errors = []
        self.requests = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self, address):
        self.page.goto(address)
        self.settle()
        return self

    def settle(self):
        """Wait until everything visible has arrived and nothing moves."""
        earlier = None
        self.until(lambda: self.page.evaluate("Boolean(window.explorer && explorer.isComplete)"))
        while (now := self.page.evaluate("[explorer.view, explorer.isComplete]")) != earlier or not now[1]:
            earlier = now
            self.page.wait_for_timeout(120)

    def until(self, condition):
        end = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < end, "timeout"
            self.page.wait_for_timeout(20)

    def text(self, name):
        return self.page.locator(f"#{name}").text_content()

    def until_text(self, name, part):
        self.until(lambda: part in self.text(name))

    def place(self, column, row):
        """Return where the middle of a square is in the window."""
        view = self.page.evaluate("explorer.view")
        return (column + 0.5 - view["left"]) * view["scale"], (row + 0.5 - view["top"]) * view["scale"]

    def look_at(self, column, row, zoom):
        """Show a place, given as the map counts: the middle of square (0, 0) is at (0.5, 0.5)."""
        self.page.evaluate("(place) => explorer.viewport.lookAt(...place, false)", [column, row, zoom])
        self.settle()

    def find(self, column):
        """Type the column of a queen, and go there."""
        self.page.fill("#column", str(column))
        self.page.press("#column", "Enter")

    def choose(self, column):
        """Choose a queen, and wait until the page says so."""
        self.page.evaluate("(column) => explorer.choose(column)", column)
        self.until_text("message", f"Queen in column {column:,},")
        self.settle()

    def back(self):
        """Go back in the history, no sooner after the last step than a visitor can."""
        self.page.wait_for_timeout(300)
        self.page.go_back()
        self.settle()

    def is_pressed(self, name):
        return self.page.get_attribute(f"#{name}", "aria-pressed") == "true"

    def is_inside(self, element):
        """Return whether an element, scrolled into view, is inside the window."""
        element.scroll_into_view_if_needed()
        box, window = element.bounding_box(), self.page.viewport_size
        ends = box["x"] + box["width"], box["y"] + box["height"]
        return min(box["x"], box["y"]) >= 0 and ends[0] <= window["width"] and ends[1] <= window["height"]

    def is_on_top(self, element):
        """Return whether a click into the middle of an element reaches it."""
        box = element.bounding_box()
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        found = "([x, y]) => document.elementFromPoint(x, y).closest('button, input, label, a').id"
        return self.page.evaluate(found, middle) == element.get_attribute("id")

    @property
    def zoom(self):
        return self.page.evaluate("Math.log2(explorer.view.scale)")


def pixels(view, places):
    """Return the colours of drawn pixels."""
    read = """(places) => {
        const pen = document.querySelector(".board").getContext("2d");
        return places.map(([x, y]) => Array.from(pen.getImageData(x, y, 1, 1).data));
    }"""
    return [tuple(colour[:3]) for colour in view.page.evaluate(read, [[round(x), round(y)] for x, y in places])]


def picture(view):
    """Return the drawn board as an array of pixels."""
    data = view.page.evaluate("document.querySelector('.board').toDataURL().split(',')[1]")
    return np.array(Image.open(BytesIO(base64.b64decode(data))).convert("RGB"))


class Finger:
    """Real touches of the browser, up to two at a time."""

    def __init__(self, view):
        self._devtools = view.page.context.new_cdp_session(view.page)

    def send(self, kind, *places):
        points = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(places)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, x, y):
        self.send("touchStart", (x, y))

    def move(self, x, y):
        self.send("touchMove", (x, y))

    def up(self):
        self.send("touchEnd")
