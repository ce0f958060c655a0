"""A page in a browser, as a visitor sees it."""

import time

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
        self.page.evaluate("(place) => explorer._lookAt(...place, false)", [column, row, zoom])
        self.settle()

    def jump(self, column=None, row=None):
        """Fill the fields of the jump, if given, and go there."""
        for name, typed in (("column", column), ("row", row)):
            if typed is not None:
                self.page.fill(f"#jump-{name}", str(typed))
        self.page.click("#jump-go")

    def back(self):
        """Go back in the history, as long after the last step as a visitor needs at least."""
        self.page.wait_for_timeout(300)
        self.page.go_back()
        self.settle()

    def is_pressed(self, name):
        return self.page.get_attribute(f"#{name}", "aria-pressed") == "true"

    def is_inside(self, element):
        """Tell whether an element, scrolled into view, is inside the window."""
        element.scroll_into_view_if_needed()
        box, window = element.bounding_box(), self.page.viewport_size
        ends = box["x"] + box["width"], box["y"] + box["height"]
        return min(box["x"], box["y"]) >= 0 and ends[0] <= window["width"] and ends[1] <= window["height"]

    def is_on_top(self, element):
        """Tell whether a click into the middle of an element reaches it."""
        box = element.bounding_box()
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        found = "([x, y]) => document.elementFromPoint(x, y).closest('button, input, label').id"
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
