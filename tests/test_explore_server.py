"""The local server: what it gives, what it refuses, and that nothing is left behind; asked through a real socket."""

import gc
import http.client
import json
import random
import re
import resource
import socket
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest

import fastqueens

pytest.importorskip("uvicorn")
pytest.importorskip("starlette")

from fastqueens.board import InputError
from fastqueens.explore import server
from fastqueens.explore.page import ASSETS
from fastqueens.explore.pyramid import build_pyramid, coarsest_level
from fastqueens.explore.tiles import Tiles

N = 300_007


@contextmanager
def serving(app):
    """A server that runs in a thread: its port."""
    listener = server.listening()
    running = server.server_of(app)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        running.should_exit = True
        thread.join(60)
        listener.close()
        assert not thread.is_alive(), "the server has not ended"


@pytest.fixture(scope="module")
def tiles():
    queens = fastqueens.solve(N, seed=1).queens
    return Tiles(queens, build_pyramid(queens))


@pytest.fixture(scope="module")
def port(tiles):
    with serving(server.application(tiles, "<b>&board")) as port:
        yield port


@pytest.fixture
def ask(port):
    """Ask for a path: (status, headers, content)."""
    connection = http.client.HTTPConnection(server.HOST, port, timeout=60)

    def ask(path, method="GET", **headers):
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    yield ask
    connection.close()


def test_the_page_and_all_that_it_names_are_there(ask):
    status, headers, page = ask("/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    named = set(re.findall(r'(?:href|src)="(assets/[^"]+)"', page.decode()))
    assert named == {f"assets/{name}" for name in ASSETS}
    for path in named:
        status, headers, content = ask(f"/{path}")
        assert (status, content) == (200, ASSETS[path.removeprefix("assets/")].read_bytes())
        assert headers["content-type"].startswith(("text/javascript", "text/css"))
    assert b"<b>" not in page
    assert b"\\u003cb>&board" in page


def test_tiles_are_those_of_the_board(ask, tiles):
    level = coarsest_level(N)
    assert ask(f"/tile/{level}/0/0")[2] == tiles.tile(level, 0, 0)
    column, row = 100_000 >> 11, int(tiles.queens[100_000]) >> 11
    status, headers, tile = ask(f"/tile/3/{column}/{row}")
    assert (status, headers["content-type"]) == (200, "application/octet-stream")
    assert tile == tiles.tile(3, column, row)
    assert len(tile) > 4


def test_the_lines_of_a_queen_and_the_queen_of_a_row(ask, tiles):
    row = int(tiles.queens[77])
    found = {"column": 77, "row": row, "on_row": 0, "on_sum": 0, "on_difference": 0, "attackers": []}
    assert json.loads(ask("/queen?column=77")[2]) == found
    assert json.loads(ask(f"/queen?row={row}")[2]) == {"row": row, "column": 77}


def test_the_board_tells_when_it_has_been_checked():
    queens = np.zeros(5, np.int32)
    tiles = Tiles(queens, build_pyramid(queens))
    with serving(server.application(tiles)) as port:
        connection = http.client.HTTPConnection(server.HOST, port)
        answers = []
        for _ in range(2):
            connection.request("GET", "/board")
            answers.append(json.loads(connection.getresponse().read()))
            tiles.mark_conflicts()
        connection.close()
    assert answers == [{"n": 5, "checked": False, "conflicting": None}, {"n": 5, "checked": True, "conflicting": 5}]


LEVEL = coarsest_level(N)

MISSING = [
    "/x",
    "//",
    "/tile",
    "/tile/0/0",
    "/tile/0/0/0/",
    "/tile/0/0/0/0",
    "/tile/a/0/0",
    "/tile/0/-1/0",
    "/tile/0/0/1.5",
    f"/tile/{LEVEL + 1}/0/0",
    f"/tile/{LEVEL}/1/0",
    f"/tile/{LEVEL}/0/1",
    f"/tile/0/{N >> 8 + 1}/99999",
    "/tile/0/1e3/0",
    "/tile/0/0/" + "9" * 5000,
    "/tile/0/%00/0",
    "/tile/%E2%91%A0/0/0",
    "/assets/",
    "/assets/index.html",
    "/assets/%2e%2e",
    "/assets/../page.py",
    "/assets/..%2fpage.py",
    "/assets/leaflet/LICENSE",
    "/page.py",
    "/favicon.ico",
    "/queen/",
]

WRONG = [
    "/queen",
    "/queen?",
    "/queen?column=",
    "/queen?column=x",
    "/queen?column=-1",
    f"/queen?column={N}",
    f"/queen?row={N}",
    "/queen?column=1&row=2",
    "/queen?column=1&column=1",
    "/queen?column=1&x=1",
    "/queen?column=" + "9" * 5000,
    "/?x=1",
    "/queen?column=1.0",
    "/queen?column=%31%00",
    "/tile/0/0/0?x",
    "/board?n=8",
    "/assets/leaflet.js?v=1",
]


@pytest.mark.parametrize(("path", "expected"), [*[(path, 404) for path in MISSING], *[(path, 400) for path in WRONG]])
def test_what_is_not_there_is_refused(ask, path, expected):
    status, headers, content = ask(path)
    assert status == expected, content
    assert headers["content-type"].startswith("text/plain")
    assert len(content) < 300


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "NOTHING"])
@pytest.mark.parametrize("path", ["/", "/tile/0/0/0", "/queen?column=1"])
def test_only_get_is_answered(ask, method, path):
    assert ask(path, method)[0] == 405


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1]", "0.0.0.0"])
def test_other_names_of_this_machine_are_refused(ask, host):
    for path in ("/", "/board", "/tile/0/0/0", "/nothing"):
        assert ask(path, Host=host)[0] == 400


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "localhost:12345"])
def test_its_own_names_are_taken(ask, host):
    assert ask("/board", Host=host)[0] == 200


def test_the_headers_keep_what_is_served_to_its_own_page(ask):
    for path in ("/", "/tile/0/0/0", "/nothing", "/queen"):
        headers = ask(path)[1]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


def test_a_thousand_random_requests_leave_the_memory_where_it_was(ask):
    choose = random.Random(1)

    def storm(requests):
        for _ in range(requests):
            level = choose.randrange(-1, LEVEL + 2)
            last = (N >> (max(level, 0) + 8)) + 1
            path = choose.choice(
                [
                    f"/tile/{level}/{choose.randint(0, last)}/{choose.randint(0, last)}",
                    f"/queen?column={choose.randrange(2 * N)}",
                    f"/{choose.randbytes(20).hex()}",
                ]
            )
            assert ask(path)[0] in (200, 400, 404)

    storm(500)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    storm(1000)
    # In kB on Linux, in bytes on macOS: 8 MB at the most, of some 60 MB that went through.
    unit = 1 if before < 1 << 27 else 1024
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8192 * unit


def test_answers_are_sent_without_waiting():
    """Where asyncio does not know the protocol, Nagle's algorithm holds each answer back for some 40 ms."""
    listener = server.listening()
    assert listener.proto == socket.IPPROTO_TCP
    listener.close()


def test_it_listens_on_the_loopback_only():
    listener = server.listening()
    host, port = listener.getsockname()
    assert host == "127.0.0.1"
    assert server.address_of(listener) == f"http://127.0.0.1:{port}/"
    with pytest.raises(InputError, match=rf"port {port} of 127.0.0.1 cannot be opened: Address already in use"):
        server.listening(port)
    listener.close()
    for wrong in (-1, 65_536):
        with pytest.raises(InputError, match=f"port is {wrong}: ports go from 1 to 65535"):
            server.listening(wrong)


def test_a_page_with_everything_is_served_alone():
    with serving(server.application_of_page(b"<!doctype html>all")) as port:
        connection = http.client.HTTPConnection(server.HOST, port)
        answers = []
        for path in ("/", "/board", "/assets/leaflet.js"):
            connection.request("GET", path)
            answer = connection.getresponse()
            answers.append((answer.status, answer.read()))
        connection.close()
    assert answers[0] == (200, b"<!doctype html>all")
    assert [status for status, _ in answers[1:]] == [404, 404]


def test_it_ends_at_once(tiles):
    begun = time.perf_counter()
    with serving(server.application(tiles)):
        pass
    print(f"server: ended after {time.perf_counter() - begun:.3f} s")
