"""The page of a board in a file, the browser or a notebook, for :func:`fastqueens.explore` and its command."""

from __future__ import annotations

import os
import webbrowser
from html import escape
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex

from numpy.typing import NDArray

from fastqueens._run.arguments import is_integer
from fastqueens._run.progress import Callbacks, Progress, Stop, is_in_notebook, shows_progress
from fastqueens._run.text import counted
from fastqueens.board import Board, Queens
from fastqueens.errors import InputError
from fastqueens.explorer.page import check_fits_inside, page_in_one_file, page_that_solves
from fastqueens.files import boards
from fastqueens.files.atomic import atomic_write, check_target
from fastqueens.files.text import FileName, checked_suffix
from fastqueens.instance import Instance
from fastqueens.pictures.given import given_or_solved, sweeps_for
from fastqueens.pictures.roles import LIGHT
from fastqueens.result import Result

#: The suffixes of a page in one file.
PAGE_SUFFIXES = (".html", ".htm")

#: The most queens in a notebook, which stores the page: 3.8 MB.
MOST_IN_NOTEBOOK = 1_000_000

#: The name of a page without a board.
NAME_WITHOUT_BOARD = "queens"

#: Browsers that would take over the terminal. They do not run the scripts of a page.
_TEXT_BROWSERS = {"elinks", "links", "links2", "lynx", "w3m", "www-browser"}


class Shown(NamedTuple):
    """A board and its source: a file, a search with its :func:`~fastqueens.explorer.page.course_data`, or n.

    The ``algorithm`` of a search is None if its file does not state one.

    A board that was solved for the page has a seed, and a number of sweeps by which it was mixed.
    """

    queens: Queens
    instance: Instance | None = None
    path: str | None = None
    course: dict[str, NDArray[Any]] | None = None
    algorithm: str | None = None
    seed: int | None = None
    sweeps: int = 0

    @property
    def words(self) -> str:
        """The number of queens, and seed and sweeps if the board was solved for the page."""
        words = [counted(len(self.queens), "queen"), *([] if self.seed is None else [f"seed {self.seed}"])]
        return ", ".join(words + [f"mixed for {counted(self.sweeps, 'sweep')}"] * bool(self.sweeps))

    @property
    def name(self) -> str:
        """The name on the page."""
        return "" if self.path in (None, "-") else os.path.basename(str(self.path))

    @property
    def page_name(self) -> str:
        """The default name of the page without a suffix: queens-8, or the name of the file of the board."""
        return Path(self.name).stem or f"queens-{len(self.queens)}"

    def page(self, *, kernels: bool = True) -> bytes:
        """Return the page in one file; see :func:`fastqueens.explorer.page.page_in_one_file`."""
        return page_in_one_file(self.queens, self.name, self.course, self.instance, self.algorithm, kernels=kernels)


class Frame:
    """A page in a frame of a notebook, or a sentence that says how to see a larger board."""

    def __init__(self, shown: Shown | None, n: int) -> None:
        self._words = f"<Frame with {counted(n, 'queen') if shown is None else shown.words}>"
        self._html = (
            f"<p>{counted(n, 'queen')}: a notebook shows a page of up to {MOST_IN_NOTEBOOK:,}. Write a file with "
            "<code>output='board.html'</code>, and open it in the browser.</p>"
            if shown is None
            else f'<iframe srcdoc="{escape(shown.page(kernels=False).decode())}" width="100%" height="600" '
            f'style="border: 1px solid {LIGHT.faint}"></iframe>'
        )

    def __repr__(self) -> str:
        return self._words

    def _repr_html_(self) -> str:
        return self._html


@shows_progress
def explore(
    board: Board | Result | FileName | SupportsIndex | None = None,
    *,
    instance: Instance | None = None,
    seed: SupportsIndex | None = None,
    mix: SupportsIndex | None = None,
    open_browser: bool = True,
    output: FileName | None = None,
    threads: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Frame | str | None:
    """Show a board on a page in the browser, or in a frame of a notebook.

    The page is one file that needs no network, and holds up to 10 million queens. It also solves boards of this size
    itself; without ``board`` and ``instance``, it holds none. It is written into the current folder, for example as
    queens-1000000.html, or queens.html without a board. An existing file is not replaced: another page is called
    queens-1000000-2.html. A notebook stores the page of up to a million queens itself, and no file is written; this
    page does not solve.
    docs/guides/explore.md describes the page.

    Parameters
    ----------
    board : int, str or path, sequence of integers, or Result, optional
        The number of queens of a board to solve and show, the name of a file, a board, or a result. Without it,
        ``instance`` is solved, if there is one.
    instance : Instance, optional
        Constraints to draw.
    seed : int, optional
        Seed of the board to solve, from 0 to 2^64 - 1. By default, a seed is drawn.
    mix : int, optional
        Sweeps for which to mix the board that is solved; 0 for none. By default, a board of 10,000 to 10 million queens
        without constraints is mixed for 5 sweeps, because its density then shows the limit shape.
    open_browser : bool, default True
        Open the page in the browser.
    output : str or path, optional
        Write the page to this .html file, and do not open it.
    threads : int, optional
        Threads that solve the board. By default, all cores.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    str, Frame or None
        The name of the file; None with ``output``. In a notebook, a frame that shows the page at the end of a cell.

    Raises
    ------
    InputError
        If the board is not valid or has more than 10 million queens, the file cannot be written, or a notebook has no
        board to show.
    NoSolutionError
        If the instance to solve has no solution.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit, before the board was solved.

    See Also
    --------
    picture : Draw a board as an image.
    animate : Animate a climb.

    Examples
    --------
    >>> explore(1_000_000)  # doctest: +SKIP
    'queens-1000000.html'
    """
    callbacks = Callbacks.until(time_limit, progress, stop)
    n = int(board) if is_integer(board) else 0  # type: ignore[arg-type]
    check_fits_inside(n)
    is_frame = output is None and is_in_notebook()
    if output is not None:
        checked_suffix(output, PAGE_SUFFIXES)
        check_target(output)
    elif is_frame and n > MOST_IN_NOTEBOOK:
        return Frame(None, n)
    elif not is_frame:
        check_folder()
    if board is None and instance is None and seed is None and mix is None and not is_frame:
        name, page = NAME_WITHOUT_BOARD, page_that_solves()
    else:
        with callbacks.of_parts() as parts:
            shown = _shown(board, instance, seed, mix, threads=threads, **parts)
        if is_frame:
            check_fits_inside(len(shown.queens))
            fits = len(shown.queens) <= MOST_IN_NOTEBOOK
            return Frame(shown if fits else None, len(shown.queens))
        name, page = shown.page_name, shown.page()
    if output is not None:
        write_page(output, page)
        return None
    path = write_new_page(name, page)
    if open_browser:
        open_page(path)
    return path


def write_page(path: FileName, page: bytes) -> None:
    """Write a page to a file, atomically."""
    with atomic_write(path) as file:
        file.write(page)


def check_folder() -> None:
    """Raise :class:`InputError` if no page can be written into the current folder."""
    check_target("queens.html")


def write_new_page(name: str, page: bytes) -> str:
    """Write a page into a new file of the current folder, unless it is there, and return the name of the file."""
    earlier = Path(f"{name}.html")
    if earlier.is_file() and earlier.stat().st_size == len(page) and earlier.read_bytes() == page:
        return str(earlier)
    path = _new_file(name)
    try:
        write_page(path, page)
    except BaseException:
        os.unlink(path)
        raise
    return path


def open_page(path: FileName) -> bool:
    """Open a page in the browser; return False if there is no graphical browser."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    is_text_browser = os.path.basename(browser.name) in _TEXT_BROWSERS
    return not is_text_browser and browser.open(Path(path).absolute().as_uri())


def _new_file(name: str) -> str:
    """Create an empty page with this name, followed by a number if the file exists."""
    for end in chain([""], (f"-{number}" for number in count(2))):
        path = f"{name}{end}.html"
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            break
        except FileExistsError:
            continue
        except OSError as error:
            raise InputError(
                f"{path} cannot be written: {error.strerror}; choose a file in another folder as output"
            ) from error
    return path


def _shown(
    board: Board | Result | FileName | SupportsIndex | None,
    instance: Instance | None,
    seed: SupportsIndex | None,
    mix: SupportsIndex | None,
    **running: Any,
) -> Shown:
    path = os.fspath(board) if isinstance(board, str | os.PathLike) else None
    given = board if path is None else boards.read_board(path)
    sweeps = sweeps_for(board, mix, instance)
    found = given_or_solved(given, instance, seed=seed, mix=sweeps, trace=False, **running)  # type: ignore[arg-type]
    queens, result = found
    if mix and (result is None or result is board):
        raise InputError(f"mix is {mix}, but this board is not solved here; leave mix out")
    facts: dict[str, Any] = {} if result is None else {"seed": result.seed, "sweeps": result.sweeps}
    return Shown(queens, instance, path, **facts)
