"""Show a board in the browser, a notebook or a file: what :func:`fastqueens.explore` and ``fastqueens explore`` share.

The server itself is imported only when it is used, since its libraries are an extra.
"""

from __future__ import annotations

import os
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from fastqueens.core.arguments import is_integer
from fastqueens.core.board import Board, Queens
from fastqueens.core.errors import InputError, counted
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Progress, Stop, is_in_notebook
from fastqueens.explorer import answers
from fastqueens.explorer.page import check_fits_inside, page_in_one_file
from fastqueens.explorer.pyramid import build_pyramid
from fastqueens.files import boards
from fastqueens.files.atomic import atomic_write, check_target
from fastqueens.files.text import FileName, checked_suffix
from fastqueens.solving.given import given_or_solved, sweeps_for
from fastqueens.solving.result import Result

if TYPE_CHECKING:
    import socket

    import uvicorn
    from starlette.types import ASGIApp

#: The suffixes of a page in one file.
PAGE_SUFFIXES = (".html", ".htm")

#: The most queens on a page that a notebook holds, in up to 0.7 MB; a server shows more.
_MOST_IN_NOTEBOOK = 100_000

#: A board of up to this n is in the page itself, which lets hands move its queens: HANDS_UP_TO of assets/hands.js.
_MOST_FOR_HANDS = 30

#: Seconds between two looks whether the server has ended, so that Ctrl-C is noticed on every system.
_LOOK = 0.2


class Shown(NamedTuple):
    """What the page shows.

    Attributes
    ----------
    queens : Queens
    instance : Instance or None
        What the board is to respect.
    path : str or None
        The file of the board.
    course : dict or None
        The course of a search on the board: see :func:`fastqueens.explorer.page.course_data`.
    seed : int or None
        The seed, if the board was solved to be shown.
    sweeps : int
        For how many sweeps it was then mixed.
    """

    queens: Queens
    instance: Instance | None = None
    path: str | None = None
    course: dict[str, NDArray[Any]] | None = None
    seed: int | None = None
    sweeps: int = 0

    @property
    def words(self) -> str:
        """The number of queens, and how they were found, if they were solved to be shown."""
        words = [counted(len(self.queens), "queen"), *([] if self.seed is None else [f"seed {self.seed}"])]
        return ", ".join(words + [f"mixed for {counted(self.sweeps, 'sweep')}"] * bool(self.sweeps))

    @property
    def name(self) -> str:
        """The name on the page."""
        return "" if self.path in (None, "-") else os.path.basename(str(self.path))

    def page(self) -> bytes:
        """Return the page in one file; see :func:`fastqueens.explorer.page.page_in_one_file`."""
        return page_in_one_file(self.queens, self.name, self.course, self.instance)


class Frame:
    """A page in a frame of a notebook: the page itself, or its address."""

    def __init__(self, shown: Shown, page: bytes | str) -> None:
        self._words = f"<Frame with {shown.words}>"
        self._source = f'srcdoc="{escape(page.decode())}"' if isinstance(page, bytes) else f'src="{page}"'

    def __repr__(self) -> str:
        return self._words

    def _repr_html_(self) -> str:
        return f'<iframe {self._source} width="100%" height="600" style="border: 1px solid #999"></iframe>'


def explore(
    board: Board | Result | FileName | int | None = None,
    *,
    instance: Instance | None = None,
    seed: int | None = None,
    mix: int | None = None,
    port: int = 0,
    open_browser: bool = True,
    threads: int | None = None,
    announce: Callable[[str], object] | None = None,
    output: FileName | None = None,
) -> Frame | None:
    """Show a board in the browser, where you can pan and zoom, until you press Ctrl-C; or in a frame of a notebook.

    A local server serves the page to this machine only, as ``fastqueens explore`` does; see docs/explore.md. It needs
    the extra ``[explore]``: the packages starlette and uvicorn. A file, and a frame with up to 100,000 queens, contain
    the page and need no server. The server of a larger frame ends with the kernel.

    Parameters
    ----------
    board : int, str or path, sequence of integers, or Result, optional
        n, for a board that is solved; the name of a file; or a board. Not needed with ``instance``, which is then
        solved.
    instance : Instance, optional
        What the board is to respect. It is drawn, too.
    seed : int, optional
        For a board that is solved; see :func:`fastqueens.solve`.
    mix : int, optional
        For how many sweeps to mix a board that is solved; see :func:`fastqueens.solve`. By default, as many as there
        if n is from 10,000 to 10 million and there is no instance, since the densities of such a board are then worth
        looking at. 0 does not mix.
    port : int
        The port of the server. By default the system chooses one.
    open_browser : bool
        Open the page in the browser.
    threads : int, optional
        How many threads the server uses: all cores by default.
    announce : callable, optional
        Called with the address of the page when it can be opened, for example ``print``.
    output : str or path, optional
        Write the page to this .html file instead, for up to 2 million queens.

    Returns
    -------
    Frame or None
        In a notebook a frame, which shows the page when it is the last value of a cell.

    Raises
    ------
    InputError
        If the extra is not installed, the board is invalid, the port cannot be opened, or the file cannot be written.

    Examples
    --------
    >>> explore(1_000_000, announce=print)  # doctest: +SKIP
    http://127.0.0.1:36121/
    """
    is_frame = output is None and is_in_notebook()
    if output is not None:
        checked_suffix(output, PAGE_SUFFIXES)
        check_target(output)
        check_fits_inside(int(board) if is_integer(board) else 0)  # type: ignore[arg-type]
    elif not is_frame:
        _check_libraries()
    shown = _shown(board, instance, seed, mix)
    if output is not None:
        write_page(output, shown)
        return None
    if is_frame and len(shown.queens) <= _MOST_IN_NOTEBOOK:
        return Frame(shown, shown.page())
    _check_libraries()
    settings: dict[str, Any] = {"port": port, "threads": threads, "announce": announce}
    with prepared(shown, open_browser=open_browser and not is_frame, **settings) as (server, listener):
        if not is_frame:
            _run_until_interrupted(server, listener)
            return None
        host, number = listener.getsockname()
        # The server has a socket of its own, since this one is closed here.
        _started(server, listener.dup())
        return Frame(shown, f"http://{host}:{number}/")


def write_page(path: FileName, shown: Shown) -> None:
    """Write the page to a file, atomically."""
    page = shown.page()
    with atomic_write(path) as file:
        file.write(page)


def _check_libraries() -> None:
    if missing := missing_library():
        raise InputError(
            f"exploring a board needs {missing}: pip install starlette uvicorn, or install fastqueens with its extra "
            "[explore]"
        )


def missing_library() -> str | None:
    """Return the name of a library that the server needs and that is not installed; None if there is none."""
    return next((name for name in ("starlette", "uvicorn") if find_spec(name) is None), None)


@contextmanager
def prepared(
    shown: Shown,
    *,
    port: int = 0,
    open_browser: bool = True,
    threads: int | None = None,
    announce: Callable[[str], object] | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Iterator[tuple[uvicorn.Server, socket.socket]]:
    """Yield a server and the socket to run it on, after the address is announced and the browser is on its way."""
    from fastqueens.explorer import server

    with server.listening(port) as listener:
        app = _application(shown, {"threads": threads, "progress": progress, "stop": stop})
        address = server.address_of(listener)
        if announce is not None:
            announce(address)
        if open_browser:
            # In a thread, since some browsers block the thread that opens them.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        yield server.server_of(app), listener


def _shown(
    board: Board | Result | FileName | int | None, instance: Instance | None, seed: int | None, mix: int | None
) -> Shown:
    path = os.fspath(board) if isinstance(board, str | os.PathLike) else None
    given = board if path is None else boards.read_board(path)
    sweeps = sweeps_for(board, mix, instance)
    queens, result = given_or_solved(given, instance, seed=seed, mix=sweeps, trace=False)  # type: ignore[arg-type]
    if mix and (result is None or result is board):
        raise InputError(f"mix is {mix}: only a board that is solved is mixed")
    found: dict[str, Any] = {} if result is None else {"seed": result.seed, "sweeps": result.sweeps}
    return Shown(queens, instance, path, **found)


def _application(shown: Shown, work: dict[str, Any]) -> ASGIApp:
    from fastqueens.explorer import server

    if shown.course is not None or len(shown.queens) <= _MOST_FOR_HANDS:
        return server.application_of_page(shown.page())
    counts = build_pyramid(shown.queens, **work)
    tiles = answers.Tiles(shown.queens, counts, threads=work["threads"], instance=shown.instance)
    threading.Thread(target=tiles.mark_conflicts, daemon=True).start()
    return server.application(tiles, shown.name)


def _started(server: uvicorn.Server, listener: socket.socket) -> threading.Thread:
    """Run the server in another thread, since a notebook's thread already has an event loop."""
    worker = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    worker.start()
    return worker


def _run_until_interrupted(server: uvicorn.Server, listener: socket.socket) -> None:
    worker = _started(server, listener)
    try:
        while worker.is_alive():
            worker.join(_LOOK)
    except KeyboardInterrupt:
        server.should_exit = True
        worker.join()
