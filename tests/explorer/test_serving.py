"""fastqueens.explore(): it serves boards, files, instances and solutions, until it is interrupted."""

import html
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from processes import TIMEOUT, default_signals

import fastqueens
from fastqueens.core.errors import InputError
from fastqueens.explorer import serving
from fastqueens.explorer.page import MOST_QUEENS_INSIDE, page_in_one_file

pytest.importorskip("uvicorn")

QUEENS = [1, 3, 0, 2]


def page_of(monkeypatch, *arguments, **options):
    """Call explore(), interrupt it after its page was read, and return the page and what the browser was sent to."""
    opened, pages, earlier = [], [], threading.enumerate()
    monkeypatch.setattr("webbrowser.open", opened.append)

    def read_and_interrupt(server, listener):
        worker = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        worker.start()
        with urllib.request.urlopen(addresses[0]) as answer:
            pages.append(answer.read().decode())
        server.should_exit = True
        worker.join()

    monkeypatch.setattr(serving, "_run_until_interrupted", read_and_interrupt)
    addresses = []
    fastqueens.explore(*arguments, announce=addresses.append, **options)
    for thread in threading.enumerate():
        if thread not in earlier:
            thread.join(1)
    return pages[0], opened, addresses


@pytest.mark.parametrize(("n", "is_for_hands"), [(30, True), (31, False)])
def test_a_board_for_hands_is_in_the_page(monkeypatch, n, is_for_hands):
    queens = fastqueens.solve(n, seed=1).queens
    page, _, _ = page_of(monkeypatch, queens)
    assert (page.encode() == page_in_one_file(queens)) == is_for_hands
    assert ("const HANDS_UP_TO = 30;" in page) == is_for_hands


def test_it_serves_a_board_and_opens_the_browser(monkeypatch):
    page, opened, addresses = page_of(monkeypatch, QUEENS)
    assert '"n": 4' in page
    assert opened == addresses


@pytest.mark.parametrize("kind", ["n", "file", "path", "array", "instance"])
def test_the_board_comes_from_anywhere(monkeypatch, tmp_path, kind):
    file = tmp_path / "four.npy"
    np.save(file, QUEENS)
    arguments = {"n": (4,), "file": (str(file),), "path": (file,), "array": (np.array(QUEENS),), "instance": ()}[kind]
    instance = fastqueens.make_instance(4, {0: 1}) if kind == "instance" else None
    page, opened, _ = page_of(monkeypatch, *arguments, instance=instance, open_browser=False)
    assert '"n": 4' in page
    assert ("four.npy" in page) == (kind in ("file", "path"))
    assert opened == []


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((), {}, ["n"]),
        (([0, 9],), {}, ["row 9"]),
        ((QUEENS,), {"seed": 1}, ["seed is 1"]),
        ((QUEENS,), {"mix": 1}, ["mix is 1"]),
        ((QUEENS,), {"instance": fastqueens.make_instance(5)}, ["n = 5"]),
        (("no-such-file.npy",), {}, ["no-such-file.npy"]),
        ((QUEENS,), {"port": 70_000}, ["port is 70000"]),
    ],
)
def test_wrong_arguments_are_refused(arguments, options, named):
    with check_error(InputError, *named):
        fastqueens.explore(*arguments, open_browser=False, **options)


def test_a_page_is_written_instead_without_the_extra(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    file = tmp_path / "board.html"
    assert fastqueens.explore(QUEENS, output=file) is None
    assert file.read_bytes() == page_in_one_file(np.array(QUEENS))
    assert fastqueens.explore(20, seed=1, output=str(file)) is None
    assert file.read_bytes() == page_in_one_file(fastqueens.solve(20, seed=1).queens)


@pytest.mark.parametrize(
    ("board", "output", "named"),
    [
        (8, "board.png", ["board.png", ".html"]),
        (8, "missing/board.html", ["missing"]),
        (MOST_QUEENS_INSIDE + 1, "board.html", ["2,000,000", "2,000,001"]),
        (10**10, "board.html", ["10,000,000,000", "4,294,967,295"]),
        (np.arange(MOST_QUEENS_INSIDE + 1), "board.html", ["2,000,000", "2,000,001"]),
    ],
)
def test_a_page_that_cannot_be_written_is_refused(monkeypatch, tmp_path, board, output, named):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fastqueens.solving.given.solve", pytest.fail)
    with check_error(InputError, *named):
        fastqueens.explore(board, output=output)
    assert list(tmp_path.iterdir()) == []


def test_a_frame_in_a_notebook_holds_the_page_or_the_address_of_its_server(monkeypatch):
    monkeypatch.setattr(serving, "is_in_notebook", lambda: True)
    monkeypatch.setattr(serving, "_MOST_IN_NOTEBOOK", 4)
    monkeypatch.setattr("webbrowser.open", pytest.fail)
    inside = fastqueens.explore(QUEENS)
    assert f'srcdoc="{html.escape(page_in_one_file(np.array(QUEENS)).decode())}"' in inside._repr_html_()
    assert "4 queens" in repr(inside)
    assert "srcdoc" in fastqueens.explore([0, 2, 1])._repr_html_()
    earlier = threading.active_count()
    served = fastqueens.explore(5, seed=1)
    (address,) = re.findall('src="(.*?)"', served._repr_html_())
    assert "5 queens, seed 1" in repr(served)
    with urllib.request.urlopen(address) as answer:
        assert '"n": 5' in answer.read().decode()
    assert threading.active_count() > earlier
    assert all(thread.daemon for thread in threading.enumerate()[earlier:])


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_without_the_extra_the_error_says_what_to_install(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with check_error(InputError, library, "pip install starlette uvicorn"):
        fastqueens.explore(8)


def test_it_returns_when_it_is_interrupted_also_within_an_event_loop():
    program = (
        "import asyncio, fastqueens\nfrom fastqueens.explorer import server\n"
        "async def cell():\n"
        "    fastqueens.explore(8, open_browser=False, announce=lambda address: print(address, flush=True))\n"
        "    print('ended', flush=True)\n"
        "loop = asyncio.new_event_loop()\nloop.run_until_complete(cell())\n"
    )
    root = Path(fastqueens.__file__).parents[1]
    with (
        default_signals(),
        subprocess.Popen([sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, text=True) as process,
    ):
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(address) as answer:
            assert b'"n": 8' in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "ended\n"
        assert process.wait(TIMEOUT) == 0
