"""Serve a board to the browser: what :func:`fastqueens.explore` and ``fastqueens explore`` share.

The server itself is imported only when it is used, since its libraries are an extra.
"""

from __future__ import annotations

import importlib
import os
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from fastqueens.check.violations import check_same_n
from fastqueens.core.arguments import is_integer
from fastqueens.core.board import Board, Queens, as_queens
from fastqueens.core.errors import InputError, counted
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Progress, Stop
from fastqueens.explorer import answers
from fastqueens.explorer.page import page_in_one_file
from fastqueens.explorer.pyramid import build_pyramid
from fastqueens.files import boards
from fastqueens.files.text import FileName
from fastqueens.solving.solver import solve

if TYPE_CHECKING:
    import socket

    import uvicorn
    from starlette.types import ASGIApp

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
    """

    queens: Queens
    instance: Instance | None = None
    path: str | None = None
    course: dict[str, NDArray[Any]] | None = None
    seed: int | None = None

    @property
    def words(self) -> str:
        """The number of queens, and the seed if there is one."""
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"{counted(len(self.queens), 'queen')}{seed}"

    @property
    def name(self) -> str:
        """The name on the page."""
        return "" if self.path in (None, "-") else os.path.basename(str(self.path))


def explore(
    board: Board | FileName | int | None = None,
    *,
    instance: Instance | None = None,
    seed: int | None = None,
    port: int = 0,
    open_browser: bool = True,
    threads: int | None = None,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Show a board in the browser, where you can pan and zoom, until you interrupt it (Ctrl-C, or stop in a notebook).

    A local server serves the page to this machine only, as ``fastqueens explore`` does; see docs/explore.md. It needs
    the extra ``[explore]``: the packages starlette and uvicorn.

    Parameters
    ----------
    board : int, str or path, or sequence of integers, optional
        n, for a board that is solved; the name of a file; or a board. Not needed with ``instance``, which is then
        solved.
    instance : Instance, optional
        What the board is to respect. It is drawn, too.
    seed : int, optional
        For a board that is solved; see :func:`fastqueens.solve`.
    port : int
        The port of the server. By default the system chooses one.
    open_browser : bool
        Open the page in the browser.
    threads : int, optional
        How many threads the server uses: all cores by default.
    announce : callable, optional
        Called with the address of the page when it can be opened, for example ``print``.

    Raises
    ------
    InputError
        If the extra is not installed, the board is invalid, or the port cannot be opened.

    Examples
    --------
    >>> explore(1_000_000, announce=print)  # doctest: +SKIP
    http://127.0.0.1:36121/
    """
    missing = missing_library()
    if missing:
        raise InputError(
            f"exploring a board needs {missing}: pip install starlette uvicorn, or install fastqueens with its extra "
            "[explore]"
        )
    shown = _shown(board, instance, seed)
    with prepared(shown, port=port, open_browser=open_browser, threads=threads, announce=announce) as served:
        _run_until_interrupted(*served)


def missing_library() -> str | None:
    """Return the name of a library that the server needs and that is not installed; None if there is none."""
    for name in ("starlette", "uvicorn"):
        try:
            importlib.import_module(name)
        except ImportError as error:
            return error.name or name
    return None


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


def _shown(board: Board | FileName | int | None, instance: Instance | None, seed: int | None) -> Shown:
    if isinstance(board, str | os.PathLike):
        shown = Shown(boards.read_board(board), instance, os.fspath(board))
    elif board is None or is_integer(board):
        if instance is not None and board is not None:
            check_same_n(instance, int(board))  # type: ignore[arg-type]
        return Shown(solve(board if instance is None else instance, seed=seed, trace=False).queens, instance)  # type: ignore[arg-type]
    else:
        shown = Shown(as_queens(board), instance)  # type: ignore[arg-type]
    if seed is not None:
        raise InputError(f"seed is {seed}: only a board that is solved has a seed")
    if instance is not None:
        check_same_n(instance, len(shown.queens))
    return shown


def _application(shown: Shown, work: dict[str, Any]) -> ASGIApp:
    from fastqueens.explorer import server

    if shown.course is not None:
        page = page_in_one_file(shown.queens, shown.name, shown.course, shown.instance)
        return server.application_of_page(page)
    counts = build_pyramid(shown.queens, **work)
    tiles = answers.Tiles(shown.queens, counts, threads=work["threads"], instance=shown.instance)
    threading.Thread(target=tiles.mark_conflicts, daemon=True).start()
    return server.application(tiles, shown.name)


def _run_until_interrupted(server: uvicorn.Server, listener: socket.socket) -> None:
    """Run the server in another thread, since a notebook's thread already has an event loop."""
    worker = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(_LOOK)
    except KeyboardInterrupt:
        server.should_exit = True
        worker.join()
