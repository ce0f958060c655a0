"""A page in a browser, and the server behind it, for the tests of the page."""

import threading
import time
from contextlib import contextmanager

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

    @property
    def zoom(self):
        return self.page.evaluate("Math.log2(explorer.view.scale)")


@contextmanager
def serving(queens, checked=True, instance=None):
    """Serve a board in a thread; yield the address."""
    from fastqueens.explorer import server
    from fastqueens.explorer.answers import Tiles
    from fastqueens.explorer.pyramid import build_pyramid

    tiles = Tiles(queens, build_pyramid(queens), instance=instance)
    if checked:
        tiles.mark_conflicts()
    listener = server.listening()
    running = server.server_of(server.application(tiles, "board.npy"))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield server.address_of(listener)
    finally:
        running.should_exit = True
        thread.join()
        listener.close()
