"""The local server through a real socket: what it serves, what it refuses, and that it leaks nothing."""

import contextlib
import gc
import http.client
import itertools
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
from errors import check_error, check_names
from servers import serving

import fastqueens

pytest.importorskip("uvicorn")
pytest.importorskip("starlette")

from fastqueens.core.errors import InputError
from fastqueens.core.instance import make_instance
from fastqueens.explorer import guards, server
from fastqueens.explorer.answers import Tiles, lines_of_queen, tile_of_squares
from fastqueens.explorer.page import ASSETS
from fastqueens.explorer.pyramid import build_pyramid, coarsest_level

N = 300_007


@pytest.fixture(scope="module")
def tiles():
    queens = fastqueens.solve(N, seed=1).queens
    return Tiles(queens, build_pyramid(queens))


@pytest.fixture(scope="module")
def port(tiles):
    with serving(server.application(tiles, "<b>&board")) as port:
        yield port


@contextmanager
def client(port):
    """Yield a function that requests a path and returns (status, headers, content)."""
    connection = http.client.HTTPConnection(server.HOST, port, timeout=60)

    def ask(path, method="GET", **headers):
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    yield ask
    connection.close()


@pytest.fixture
def ask(port):
    with client(port) as ask:
        yield ask


def test_the_page_and_all_its_parts_are_served(ask):
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


def test_tiles_of_the_board_are_served(ask, tiles):
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


def test_questions_use_the_threads_of_the_tiles(tiles, monkeypatch):
    asked = []

    def noted(queens, column, *, threads):
        asked.append(threads)
        return lines_of_queen(queens, column, threads=threads)

    monkeypatch.setattr(server, "lines_of_queen", noted)
    limited = Tiles(tiles.queens, build_pyramid(tiles.queens), threads=3)
    with serving(server.application(limited)) as port, asking(port, ["/queen?column=5"]) as answers:
        pass
    assert (answers, asked) == ([(200, None)], [3])


def test_the_board_tells_whether_it_has_been_checked():
    queens = np.zeros(5, np.int32)
    tiles = Tiles(queens, build_pyramid(queens))
    with serving(server.application(tiles)) as port, client(port) as ask:
        unchecked = {"n": 5, "checked": False, "conflicting": None, "violated": ""}
        assert json.loads(ask("/board")[2]) == unchecked
        tiles.mark_conflicts()
        assert json.loads(ask("/board")[2]) == {**unchecked, "checked": True, "conflicting": 5}


def test_an_instance_is_served():
    queens = np.zeros(300, np.int32)
    instance = make_instance(
        300, [(299, 1)], blocked=[(3, 0), (299, 270)], excluded_sums=[7], excluded_differences=[-9, 200]
    )
    tiles = Tiles(queens, build_pyramid(queens), instance=instance)
    tiles.mark_conflicts()
    with serving(server.application(tiles)) as port, client(port) as ask:
        board, diagonals = (json.loads(ask(path)[2]) for path in ("/board", "/diagonals"))
        squares = [ask(f"/squares/{column}/{row}")[2] for column, row in ((0, 0), (1, 1), (1, 0))]
        wrong = [ask(path)[0] for path in ("/squares/2/0", "/squares/0/-1", "/squares/0", "/diagonals?n=1")]
    assert (board["checked"], board["conflicting"]) == (True, 300)
    check_names(board["violated"], "1 fixed queen", "1 queen on blocked squares", "2 queens on excluded diagonals")
    assert diagonals == {"sums": [7], "differences": [-9, 200]}
    assert squares == [tile_of_squares(instance, *place) for place in ((0, 0), (1, 1), (1, 0))]
    assert [len(content) for content in squares] == [6, 6, 6]
    assert wrong == [404, 404, 404, 400]


LEVEL = coarsest_level(N)

MISSING = f"""
    /x // /tile /tile/0/0 /tile/0/0/0/ /tile/0/0/0/0 /tile/a/0/0 /tile/0/-1/0 /tile/0/0/1.5 /tile/0/1e3/0
    /tile/{LEVEL + 1}/0/0 /tile/{LEVEL}/1/0 /tile/{LEVEL}/0/1 /tile/0/{N >> 8 + 1}/99999 /tile/0/0/{"9" * 5000}
    /tile/0/%00/0 /tile/%E2%91%A0/0/0 /assets/ /assets/index.html /assets/%2e%2e /assets/../page.py
    /assets/..%2fpage.py /assets/leaflet/LICENSE /page.py /favicon.ico /queen/
""".split()

WRONG = f"""
    /queen /queen? /queen?column= /queen?column=x /queen?column=-1 /queen?column={N} /queen?row={N}
    /queen?column=1&row=2 /queen?column=1&column=1 /queen?column=1&x=1 /queen?column={"9" * 5000} /?x=1
    /queen?column=1.0 /queen?column=%31%00 /tile/0/0/0?x /squares/0/0?x /diagonals?x=1 /board?n=8
    /assets/leaflet.js?v=1
""".split()


@pytest.mark.parametrize(("path", "expected"), [*[(path, 404) for path in MISSING], *[(path, 400) for path in WRONG]])
def test_unknown_paths_and_parameters_are_refused(ask, path, expected):
    status, headers, content = ask(path)
    assert status == expected, content
    assert headers["content-type"].startswith("text/plain")
    assert len(content) < 300


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "NOTHING"])
@pytest.mark.parametrize("path", ["/", "/tile/0/0/0", "/queen?column=1"])
def test_only_get_is_answered(ask, method, path):
    assert ask(path, method)[0] == 405
    status, headers, content = ask(path, "HEAD")
    assert (status, content) == (200, b"")
    assert headers["content-length"] == ask(path)[1]["content-length"]


def test_only_its_own_host_names_are_accepted(ask):
    for host in ("127.0.0.1", "localhost", "localhost:12345"):
        assert ask("/board", Host=host)[0] == 200
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1]", "0.0.0.0"):
        for path in ("/", "/board", "/tile/0/0/0", "/nothing"):
            assert ask(path, Host=host)[0] == 400


PATHS = ["/", "/board", "/assets/leaflet.js", "/tile/0/0/0", "/squares/0/0", "/diagonals", "/nothing"]
PATHS += ["/queen?column=1", "/queen?row=1"]

#: What a browser sends when a user follows a link.
LINK = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1"}
FETCH = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "empty"}
FRAME = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
IMAGE = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}


@pytest.mark.parametrize("path", PATHS)
def test_only_requests_of_its_own_site_and_links_to_the_page_are_answered(ask, path):
    answer = 404 if path == "/nothing" else 200
    for site, kind in itertools.product(("same-origin", "none"), (FETCH, LINK, {})):
        assert ask(path, **kind, **{"Sec-Fetch-Site": site})[0] == answer
    for kind in (LINK, FRAME):
        assert ask(path, **kind, **{"Sec-Fetch-Site": "cross-site"})[0] == (200 if path == "/" else 403)
    for site, kind in itertools.product(("cross-site", "same-site", "", "same-origin, cross-site"), (FETCH, IMAGE, {})):
        status, headers, content = ask(path, **kind, **{"Sec-Fetch-Site": site})
        assert (status, headers["cross-origin-resource-policy"]) == (403, "same-origin")
        check_names(content.decode(), "Sec-Fetch-Site", f"'{site}'", re.compile(r"http://127\.0\.0\.1:\d"))


def test_only_pages_of_this_machine_show_it_in_a_frame(ask):
    policy = ask("/")[1]["content-security-policy"]
    assert policy.removeprefix("frame-ancestors ").split() == ["http://127.0.0.1:*", "http://localhost:*"]


@pytest.mark.parametrize("path", PATHS)
def test_only_its_own_origin_is_answered(ask, port, path):
    expected = 404 if path == "/nothing" else 200
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        assert ask(path, Host=host, Origin=f"http://{host}")[0] == expected
    other = f"http://127.0.0.1:{port + 1}"
    for origin in ("https://evil.example", "null", other, "", f"https://127.0.0.1:{port}", f"http://localhost:{port}"):
        status, _, content = ask(path, Origin=origin, **{"Sec-Fetch-Site": "same-origin"})
        assert status == 403
        check_names(content.decode(), "Origin", f"'{origin}'", f"http://127.0.0.1:{port}")


def test_repeating_a_header_does_not_help(port):
    connection = http.client.HTTPConnection(server.HOST, port, timeout=60)
    pairs = {"Origin": (f"http://127.0.0.1:{port}", "null"), "Sec-Fetch-Site": ("none", "cross-site")}
    for header, values in pairs.items():
        for ordered in (values, values[::-1]):
            connection.putrequest("GET", "/queen?column=1")
            for value in ordered:
                connection.putheader(header, value)
            connection.endheaders()
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 403
    connection.close()


class Slow:
    """Work that waits until it may end, and records its calls and how many run at the same time."""

    def __init__(self, work):
        self._work = work
        self._lock = threading.Lock()
        self.may_end = threading.Event()
        self.calls = []
        self.running = self.most = 0

    def __call__(self, *arguments, work=None, **options):
        with self._lock:
            self.calls.append(arguments)
            self.running += 1
            self.most = max(self.most, self.running)
        try:
            assert self.may_end.wait(60)
            return (work or self._work)(*arguments, **options)
        finally:
            with self._lock:
                self.running -= 1


def slowed(monkeypatch, owner, name):
    """Make a function of an object slow, and return it."""
    slow = Slow(getattr(owner, name))
    monkeypatch.setattr(owner, name, slow)
    return slow


def until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "timeout"
        time.sleep(0.005)


@contextmanager
def asking(port, paths):
    """Request each path in a thread with its own connection; yield a list that fills with (status, retry-after)."""
    answers = []

    def ask(path):
        connection = http.client.HTTPConnection(server.HOST, port, timeout=60)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        answers.append((answer.status, answer.headers["retry-after"]))
        connection.close()

    threads = [threading.Thread(target=ask, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    yield answers
    for thread in threads:
        thread.join(60)


@pytest.fixture
def slow_lines(monkeypatch):
    slow = slowed(monkeypatch, server, "lines_of_queen")
    yield slow
    slow.may_end.set()


def test_questions_about_lines_are_answered_one_at_a_time_and_too_many_are_refused(tiles, slow_lines, monkeypatch):
    rows = slowed(monkeypatch, server, "column_of_row")
    rows.may_end = slow_lines.may_end
    with serving(server.application(tiles)) as port:
        with asking(port, ["/queen?column=5"] * 7 + ["/queen?row=5"] * 7) as answers:
            until(lambda: len(answers) == 14 - 9)
            assert answers == [(503, "2")] * 5
            with asking(port, ["/tile/0/0/0", "/board", "/"]) as others:
                until(lambda: len(others) == 3)
            assert [status for status, _ in others] == [200] * 3
            slow_lines.may_end.set()
        assert answers[5:] == [(200, None)] * 9
        assert max(slow_lines.most, rows.most) == 1
        assert len(slow_lines.calls) + len(rows.calls) == 9
        with asking(port, ["/queen?column=5"]) as answers:
            pass
        assert answers == [(200, None)]


def test_clients_that_leave_do_not_block_others(tiles, slow_lines):
    with serving(server.application(tiles)) as port:
        with asking(port, ["/queen?column=1"]):
            until(lambda: slow_lines.running == 1)
            for _ in range(5):
                left = [socket.create_connection((server.HOST, port)) for _ in range(8)]
                for connection in left:
                    connection.sendall(b"GET /queen?column=2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                for connection in left:
                    connection.close()
            with asking(port, ["/board"]) as answers:
                pass
            with asking(port, ["/queen?column=3"] * 3) as answers:
                time.sleep(0.2)
                assert answers == []
                slow_lines.may_end.set()
            assert answers == [(200, None)] * 3
        assert [column for _, column in slow_lines.calls] == [1, 3, 3, 3]


@contextmanager
def waiting(tiles, monkeypatch, paths, threads):
    """Ask for paths while tiles and lists of diagonals wait; yield the slow work and the answers so far."""
    limited = Tiles(tiles.queens, build_pyramid(tiles.queens), threads=threads)
    slow = Slow(limited.tile)
    monkeypatch.setattr(limited, "tile", slow)
    diagonals = server._diagonals
    monkeypatch.setattr(server, "_diagonals", lambda *given: slow(*given, work=diagonals))
    with serving(server.application(limited)) as port, asking(port, paths) as answers:
        try:
            yield slow, answers
        finally:
            slow.may_end.set()


@pytest.mark.parametrize(
    ("threads", "at_once", "paths"),
    [
        *(
            (threads, at_once, [f"/tile/0/{i}/{i}" for i in range(100)])
            for threads, at_once in ((1, 1), (3, 3), (50, 8))
        ),
        (2, 2, ["/diagonals"] * 8),
    ],
)
def test_tiles_and_lists_of_diagonals_wait_and_none_is_refused(tiles, threads, at_once, paths, monkeypatch):
    with waiting(tiles, monkeypatch, paths, threads) as (slow, answers):
        until(lambda: slow.running == at_once)
        time.sleep(0.1)
        assert answers == []
    assert answers == [(200, None)] * len(paths)
    assert slow.most == at_once


def test_too_many_tiles_are_refused(tiles, monkeypatch):
    monkeypatch.setattr(server, "_TILES_WAITING", 2)
    with waiting(tiles, monkeypatch, ["/tile/0/0/0"] * 5, 1) as (_, answers):
        until(lambda: len(answers) == 2)
    assert answers == [(503, "2")] * 2 + [(200, None)] * 3


def test_the_headers_keep_answers_from_other_sites(ask):
    for path in ("/", "/tile/0/0/0", "/nothing", "/queen"):
        headers = ask(path)[1]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


@pytest.mark.gate
def test_a_thousand_random_requests_do_not_use_more_memory(ask):
    choose = random.Random(1)

    def storm(requests):
        for _ in range(requests):
            level = choose.randrange(-1, LEVEL + 2)
            last = (N >> (max(level, 0) + 8)) + 1
            tile = f"/tile/{level}/{choose.randint(0, last)}/{choose.randint(0, last)}"
            paths = [tile, f"/queen?column={choose.randrange(2 * N)}", f"/{choose.randbytes(20).hex()}"]
            assert ask(choose.choice(paths))[0] in (200, 400, 404)

    storm(500)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    storm(1000)
    # In kB on Linux, in bytes on macOS. At most 8 MB, while about 60 MB were sent.
    unit = 1 if before < 1 << 27 else 1024
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8192 * unit


def test_answers_are_sent_without_waiting():
    """If asyncio does not know the protocol, Nagle's algorithm delays each answer by about 40 ms."""
    listener = server.listening()
    assert listener.proto == socket.IPPROTO_TCP
    listener.close()


def test_it_listens_on_the_loopback_only():
    listener = server.listening()
    host, port = listener.getsockname()
    assert host == "127.0.0.1"
    assert server.address_of(listener) == f"http://127.0.0.1:{port}/"
    with check_error(InputError, f"port {port}", "127.0.0.1"):
        server.listening(port)
    listener.close()
    for wrong in (-1, 65_536):
        with check_error(InputError, f"port is {wrong}", "from 1 to 65535"):
            server.listening(wrong)


def test_a_page_in_one_file_is_served_alone():
    with serving(server.application_of_page(b"<!doctype html>all")) as port, client(port) as ask:
        page, *others = (ask(path) for path in ("/", "/board", "/assets/leaflet.js"))
    assert (page[0], page[2]) == (200, b"<!doctype html>all")
    assert [status for status, _, _ in others] == [404, 404]


# Clients that keep the server waiting


REQUEST = b"GET /board HTTP/1.1\r\nHost: localhost\r\n\r\n"


def drops(connection, seconds=5):
    """Tell whether the server ends a connection within some seconds."""
    connection.settimeout(seconds)
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


@pytest.fixture
def impatient(tiles, monkeypatch):
    """The port of a server that waits half a second."""
    monkeypatch.setattr(guards, "WAITS", 0.5)
    with serving(server.application(tiles)) as port:
        yield port


BEGINNINGS = {
    "nothing": b"",
    "half a line": b"GET /boa",
    "an unfinished header": REQUEST[:-2],
    "a body that never ends": b"GET /board HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n",
    "an idle connection": REQUEST,
    "a second request": REQUEST + b"GET /boa",
}


@pytest.mark.parametrize("is_dripping", [False, True])
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_client_that_does_not_complete_its_request_is_dropped(impatient, beginning, is_dripping):
    begun = time.monotonic()
    with socket.create_connection((server.HOST, impatient)) as connection:
        connection.sendall(BEGINNINGS[beginning])
        while is_dripping and time.monotonic() - begun < 4:
            try:
                connection.sendall(b"a")
            except ConnectionError:
                break
            time.sleep(0.1)
        assert drops(connection)
    assert time.monotonic() - begun < 3.5


def test_a_client_that_does_not_take_its_answers_is_dropped(impatient):
    with socket.create_connection((server.HOST, impatient)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(10)
        with pytest.raises(ConnectionError):
            connection.sendall(b"GET /assets/leaflet.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100_000)


def test_a_client_may_wait_for_its_answer_as_long_as_it_takes(impatient, slow_lines):
    with asking(impatient, ["/queen?column=5"]) as answers:
        time.sleep(1.5)
        slow_lines.may_end.set()
    assert answers == [(200, None)]


def test_a_connection_can_be_used_again_and_again(impatient):
    connection = http.client.HTTPConnection(server.HOST, impatient, timeout=60)
    connection.connect()
    first = connection.sock
    for _ in range(10):
        connection.request("GET", "/board")
        connection.getresponse().read()
        time.sleep(0.15)
    assert connection.sock is first
    connection.close()


def test_hundreds_of_silent_clients_are_bounded_and_do_not_keep_a_page_from_working(tiles):
    with contextlib.ExitStack() as silent, serving(server.application(tiles)) as port:
        clients = [silent.enter_context(socket.create_connection((server.HOST, port))) for _ in range(400)]
        for client in clients:
            client.sendall(REQUEST[:-2])
        page = ["/", "/assets/leaflet.js", "/tile/0/0/0", "/board", "/queen?column=1", "/tile/0/1/1"]
        with asking(port, page) as answers:
            pass
        assert answers == [(200, None)] * 6
        assert all(drops(client) for client in clients[: 400 - guards.MOST])
        assert not drops(clients[-1], 0.1)


def test_an_answer_is_not_dropped_to_make_room(tiles, slow_lines, monkeypatch):
    monkeypatch.setattr(guards, "MOST", 2)
    with serving(server.application(tiles)) as port:
        with asking(port, ["/queen?column=1", "/queen?column=2"]) as answers:
            until(lambda: slow_lines.running == 1)
            time.sleep(0.2)
            with socket.create_connection((server.HOST, port)) as third:
                assert drops(third)
            slow_lines.may_end.set()
        assert answers == [(200, None)] * 2
