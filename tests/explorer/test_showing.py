"""fastqueens.explore(): it shows boards, files, instances and solutions in a file, the browser or a notebook."""

import html
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from errors import check_error

import fastqueens
from fastqueens.errors import InputError
from fastqueens.explorer import showing
from fastqueens.explorer.page import MOST_QUEENS_INSIDE, page_in_one_file, page_that_solves

QUEENS = [1, 3, 0, 2]


pytestmark = pytest.mark.usefixtures("opened", "empty_folder")


@pytest.fixture
def empty_folder(monkeypatch, tmp_path):
    """Write pages into an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def unsolvable(monkeypatch):
    """Let every search fail the test."""
    monkeypatch.setattr("fastqueens.solver.solve", pytest.fail)


def test_it_writes_a_page_and_opens_the_browser(opened):
    assert fastqueens.explore(QUEENS) == "queens-4.html"
    assert opened == [Path("queens-4.html").absolute().as_uri()]
    assert Path("queens-4.html").read_bytes() == page_in_one_file(np.array(QUEENS))
    assert fastqueens.explore(QUEENS, open_browser=False) == "queens-4.html"  # the same page
    assert fastqueens.explore([2, 0, 3, 1], open_browser=False) == "queens-4-2.html"
    assert len(opened) == 1


def test_without_a_board_the_page_solves(opened):
    assert fastqueens.explore() == "queens.html"
    assert opened == [Path("queens.html").absolute().as_uri()]
    assert Path("queens.html").read_bytes() == page_that_solves()


def test_the_board_comes_from_anywhere(subtests, tmp_path):
    for kind in ["n", "file", "path", "array", "instance"]:
        with subtests.test(kind=kind):
            file = tmp_path / "four.npy"
            np.save(file, QUEENS)
            arguments = {
                "n": (4,),
                "file": (str(file),),
                "path": (file,),
                "array": (np.array(QUEENS),),
                "instance": (),
            }[kind]
            instance = fastqueens.make_instance(4, {0: 1}) if kind == "instance" else None
            name = fastqueens.explore(*arguments, instance=instance)
            page = Path(name).read_text("utf-8")
            Path(name).unlink()
            assert '"n": 4' in page
            assert name == ("four.html" if kind in ("file", "path") else "queens-4.html")
            assert ("four.npy" in page) == (kind in ("file", "path"))


WRONG = [
    ((), {"seed": 1}, ["n"]),
    (([0, 9],), {}, ["row 9"]),
    ((QUEENS,), {"seed": 1}, ["seed"]),
    ((QUEENS,), {"mix": 1}, ["mix is 1"]),
    ((QUEENS,), {"instance": fastqueens.make_instance(5)}, ["n = 5"]),
    (("no-such-file.npy",), {}, ["no-such-file.npy"]),
]


def test_wrong_arguments_are_refused(subtests):
    for arguments, options, named in WRONG:
        with subtests.test(arguments=arguments, options=options, named=named):
            with check_error(InputError, *named):
                fastqueens.explore(*arguments, **options)
            assert list(Path().iterdir()) == []


def test_a_page_is_written_where_asked_and_not_opened(tmp_path, opened):
    file = tmp_path / "board.html"
    assert fastqueens.explore(QUEENS, output=file) is None
    assert file.read_bytes() == page_in_one_file(np.array(QUEENS))
    assert fastqueens.explore(20, seed=1, output=str(file)) is None
    assert file.read_bytes() == page_in_one_file(fastqueens.solve(20, seed=1).queens)
    assert opened == []


@pytest.mark.parametrize(
    ("board", "output", "named"),
    [
        (8, "board.png", ["board.png", ".html"]),
        (8, "missing/board.html", ["missing"]),
        (MOST_QUEENS_INSIDE + 1, "board.html", ["10,000,000", "10,000,001", "poster"]),
        (10**10, "board.html", ["10,000,000,000", "4,294,967,295"]),
        (np.zeros(MOST_QUEENS_INSIDE + 1, np.int8), "board.html", ["10,000,000", "10,000,001", "poster"]),
    ],
)
@pytest.mark.parametrize("is_named", [True, False])
@pytest.mark.usefixtures("unsolvable")
def test_a_page_that_cannot_be_written_is_refused(board, output, named, is_named):
    if is_named:
        with check_error(InputError, *named):
            fastqueens.explore(board, output=output)
    elif output == "board.html":
        with check_error(InputError, *named):
            fastqueens.explore(board)
    assert list(Path().iterdir()) == []


@pytest.mark.usefixtures("unsolvable")
def test_a_notebook_shows_the_page_in_a_frame_or_says_how_to_see_more_queens(monkeypatch, opened):
    monkeypatch.setattr(showing, "is_in_notebook", lambda: True)
    monkeypatch.setattr(showing, "MOST_IN_NOTEBOOK", 4)
    inside = fastqueens.explore(QUEENS)
    page = page_in_one_file(np.array(QUEENS), kernels=False).decode()
    assert f'srcdoc="{html.escape(page)}"' in inside._repr_html_()
    assert "4 queens" in repr(inside)
    assert "srcdoc" in fastqueens.explore([0, 2, 1])._repr_html_()
    for board in (5, [0, 2, 4, 1, 3]):
        larger = fastqueens.explore(board)
        assert repr(larger) == "<Frame with 5 queens>"
        assert "output='board.html'" in larger._repr_html_()
        assert "<iframe" not in larger._repr_html_()
    assert fastqueens.explore([0, 2, 4, 1, 3], output="board.html") is None
    assert (opened, [path.name for path in Path().iterdir()]) == ([], ["board.html"])
    for board in (MOST_QUEENS_INSIDE + 1, np.arange(MOST_QUEENS_INSIDE + 1)):
        with check_error(InputError, "10,000,000"):
            fastqueens.explore(board)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, the system's own browser would be opened")
def test_no_text_browser_takes_over_the_terminal(tmp_path):
    for name in ("lynx", "www-browser", "graphical"):
        (tmp_path / name).write_text("#!/bin/sh\ntouch started\n")
        (tmp_path / name).chmod(0o755)
    usual = {key: value for key, value in os.environ.items() if key not in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")}
    environment = usual | {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "TERM": "xterm",
        "PYTHONPATH": ":".join(sys.path),
    }
    command = [sys.executable, "-c", "from fastqueens.explorer import showing; print(showing.open_page('board.html'))"]
    for browser, is_opened in ((None, False), ("lynx", False), (f"{tmp_path}/lynx %s", False), ("graphical %s", True)):
        chosen = environment if browser is None else environment | {"BROWSER": browser}
        made = subprocess.run(command, cwd=tmp_path, env=chosen, capture_output=True, text=True, check=True)
        assert (made.stdout, (tmp_path / "started").exists()) == (f"{is_opened}\n", is_opened), browser
