"""Pictures of boards: queens and attacks, an instance as a puzzle, and the cost of each move."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any, SupportsIndex, TypedDict, Unpack

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from fastqueens._run.arguments import PICTURE_STYLES, Size, check_choice, check_integer, entries_of
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Progress, Stop
from fastqueens._run.text import counted
from fastqueens.board import Queens, as_queens
from fastqueens.checking import attacking_pairs, conflicting_queens, is_solution, violations
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import (
    LARGEST_WITH_DOTS,
    LARGEST_WITH_SQUARES,
    QUEEN,
    SQUARE,
    Chessboard,
    check_size,
    dot_size,
    excluded_lines,
)
from fastqueens.pictures.density import density_picture
from fastqueens.pictures.figure import (
    BOLD,
    POINTS_PER_INCH,
    Picture,
    StyledFigure,
    capitals,
    caption,
    check_title,
    finished,
    house_style,
    inches_of,
    new_axes,
    scale_of,
    text_width,
    type_lines,
)
from fastqueens.pictures.roles import theme
from fastqueens.pictures.weave import BYTES_PER_QUEEN, dot_of, strength_on

# Lengths in hundredths of an inch, so that squares are whole pixels at 100, 200 and 400 dpi: others shimmer.
_BOARD_SIDE = 640
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 20, 64, 58
# A line of the caption and one of the title, and the sizes of the title and of the verdict in points.
_LINE, _TITLE_LINE, _TITLE_SIZE, _VERDICT_SIZE = 18, 40, 24, 14
# The size that the house style needs to know, in inches.
_USUAL = 7.0, 7.5
_DPI = 200

# On larger boards, a frame is easily overlooked.
_LARGEST_WITHOUT_RINGS = 40

#: On larger boards, numbers would be too small to read.
_LARGEST_MOVE_COSTS = 40

# The size of a queen above a number, how far she is above the middle of her square and the number below it, in squares.
_SMALL_QUEEN, _QUEEN_UP, _NUMBER_DOWN = 0.64, 0.19, 0.29


#: Attacking pairs are counted below this n. On larger boards, counting would take minutes.
_PAIRS_COUNTED_BELOW = 10**7


class BoardOptions(TypedDict, total=False):
    """Options of :func:`fastqueens.picture` for the surroundings of the squares."""

    origin: str
    rows_from: int
    title: str | None
    theme: str
    size: Size | None
    ax: Axes | None


def board_picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    style: str = "weave",
    instance: Instance | None = None,
    marked: Collection[SupportsIndex] = (),
    progress: Progress | None = None,
    stop: Stop | None = None,
    **options: Unpack[BoardOptions],
) -> Picture:
    """Draw a board in a style, and the lines that its queens share in red.

    A weave has crowns on squares up to 30 queens, and threads with dots above. Takes O(n log n) time.

    >>> board_picture([0, 0, 1, 2, 4]).caption
    'n = 5, 5 attacking pairs, 5 conflicting queens'
    """
    check_choice(style, "style", PICTURE_STYLES)
    if style == "density":
        return _density(queens, instance, marked, progress, stop, options)
    with _style(options):
        board = as_queens(queens)
        n = len(board)
        if style == "dots":
            check_size(n, LARGEST_WITH_DOTS, "a picture with the style dots")
        framed = chosen = _checked_columns(marked, n)
        is_weave = style == "weave"
        if is_weave:
            check_memory(BYTES_PER_QUEEN * n, f"a weave of {n:,} queens")
        pairs = counted_pairs(board, progress=progress, stop=stop)
        text = _caption(board, pairs, len(chosen))
        if instance is not None:
            wrong = violations(board, instance)
            text += "" if instance.is_free else f"; {constraint_words(instance, wrong.words)}"
        is_crowned, dots = is_weave and n <= LARGEST_WITH_SQUARES, dot_of(n) * n if is_weave else 0.0
        look: dict[str, Any] = {"is_crowned": is_crowned, "dots": dots, "verdict": _verdict(pairs)}
        shown, drawn = _framed_board(n, counted(n, "queen"), text, options, **look)
        has_queens = is_crowned or not is_weave
        if is_crowned:
            drawn.draw_threads(np.arange(n), board)
        elif is_weave:
            drawn.draw_weave(board, strength_on(n, pairs))
        violating: NDArray[np.int64] = chosen[:0]
        if instance is not None:
            drawn.draw_instance(instance)
            framed = np.union1d(chosen, np.setdiff1d(instance.fixed.columns, wrong.missing))
            violating = np.union1d(wrong.blocked, wrong.excluded)
        drawn.draw_frames(chosen, board[chosen])
        if pairs != 0 and has_queens:
            drawn.draw_attacks(board)
        seen = np.arange(n) if has_queens else np.union1d(framed, violating)
        drawn.draw_queens(seen, board[seen], framed, violating)
        if n > _LARGEST_WITHOUT_RINGS and len(chosen):
            drawn.draw_rings(chosen, board[chosen], options.get("rows_from", 0))
        return shown


def _density(
    queens: Sequence[int] | NDArray[Any],
    instance: Instance | None,
    marked: Collection[SupportsIndex],
    progress: Progress | None,
    stop: Stop | None,
    options: BoardOptions,
) -> Picture:
    """Draw the density of a board, which shows no single queens."""
    if marked:
        raise InputError("marked has no effect on a density, which shows no single queens; use another style")
    origin = options.pop("origin", "upper")
    options.pop("rows_from", None)
    if origin != "upper":
        raise InputError(f"origin is {origin!r}: a density is drawn with its first row at the top")
    return density_picture(queens, instance=instance, progress=progress, stop=stop, **options)  # type: ignore[misc]


def instance_picture(instance: Instance, **options: Unpack[BoardOptions]) -> Picture:
    """Draw a board of at most 50,000 queens as a puzzle: fixed queens, blocked squares and excluded diagonals.

    >>> from fastqueens.instance import make_instance
    >>> instance_picture(make_instance(8, [(1, 3), (3, 4)], excluded_sums=[0])).caption
    'n = 8, 6 queens to place; 2 fixed queens and 1 excluded sum diagonal (dashed)'
    """
    with _style(options):
        n, fixed = instance.n, instance.fixed
        check_size(n, LARGEST_WITH_DOTS, "a picture of queens")
        text = f"n = {n:,}, {counted(instance.free_columns, 'queen')} to place"
        text += "" if instance.is_free else f"; {constraint_words(instance)}"
        shown, drawn = _framed_board(n, counted(n, "queen"), text, options, is_crowned=n <= LARGEST_WITH_SQUARES)
        drawn.draw_exclusions(instance)
        drawn.draw_queens(fixed.columns, fixed.rows)
        return shown


def move_costs_picture(
    queens: Sequence[int] | NDArray[Any],
    costs: NDArray[np.int64],
    best: NDArray[np.int64],
    **options: Unpack[BoardOptions],
) -> Picture:
    """Draw on each square the cost after the queen of its column has moved there, with the best moves filled.

    Entry [row, column] of ``costs`` is the cost after a move; ``best`` are columns and rows, (k, 2). The board has at
    most 40 queens. Below each queen is the present cost.

    >>> import fastqueens
    >>> from fastqueens.classroom.moves import best_moves
    >>> board = [0, 0, 1, 2, 4]
    >>> costs = fastqueens.move_costs(board)
    >>> move_costs_picture(board, costs, best_moves(np.array(board), costs)).caption
    'n = 5, 5 attacking pairs, 1 best move to 2'
    """
    with _style(options):
        board = as_queens(queens)
        n = len(board)
        check_size(n, _LARGEST_MOVE_COSTS, "a picture of all moves")
        words = f"n = {n}, {counted(int(costs[board[0], 0]), 'attacking pair')}, "
        words += f"{counted(len(best), 'best move')} to {costs[best[0, 1], best[0, 0]]:,}" if len(best) else "no move"
        heading = f"{counted(n, 'queen')}: attacking pairs after every move"
        shown, drawn = _framed_board(n, heading, words, options, is_crowned=True)
        drawn.shapes(SQUARE, drawn.centres(*best.T), 0.92, theme().note)
        places = drawn.centres(np.arange(n), board) + np.array([0, _QUEEN_UP])
        drawn.shapes(QUEEN, places, _SMALL_QUEEN, theme().ink)
        _write_costs(drawn, board, costs, {tuple(move) for move in best.tolist()})
        return shown


def _style(options: BoardOptions) -> AbstractContextManager[None]:
    """Return the style of a picture with these options."""
    ax = options.get("ax")
    width = inches_of(options.get("size"), ax, _USUAL)[0]
    return house_style(options.get("theme", "light"), width, ax, scale_of(width, _USUAL[0]))


def _framed_board(
    n: int,
    heading: str,
    text: str,
    options: BoardOptions,
    *,
    is_crowned: bool,
    dots: float = 0.0,
    verdict: tuple[str, str] | None = None,
) -> tuple[Picture, Chessboard]:
    """Return a board in a picture with its title, or this heading if there is none, coordinates and a caption.

    A verdict, and its colour, stand at the right of the title. Queens without crowns are ``dots`` squares wide.
    """
    size, ax, title = options.get("size"), options.get("ax"), options.get("title")
    if size is None and ax is None:
        shown = _whole_pixels(n, title or heading, text, verdict)
    else:
        axes = new_axes(ax, inches_of(size, ax, _USUAL))
        axes.set_aspect("equal")
        shown = finished(axes, ax, title, heading, text, size)
    size_of_queen = None if is_crowned else dots or dot_size(n)
    drawn = Chessboard(shown.axes[0], n, options.get("origin", "upper"), size_of_queen, is_crowned=is_crowned)
    drawn.write_coordinates(options.get("rows_from", 0))
    return shown, drawn


def _whole_pixels(n: int, title: str, text: str, verdict: tuple[str, str] | None) -> Picture:
    """Return a picture of the usual size, in which each square of a board consists of whole pixels."""
    side = _BOARD_SIDE // n * n if n <= LARGEST_WITH_SQUARES else _BOARD_SIDE
    # Each further line of the title and of the caption needs more room.
    words = 0.0 if verdict is None else text_width(verdict[0], capitals(_VERDICT_SIZE, BOLD), BOLD) / POINTS_PER_INCH
    font = check_title(title)
    broken = type_lines(title, side / 100 - words - 0.2, _TITLE_SIZE, font)
    lines = type_lines(text, side / 100, mpl.rcParams["legend.fontsize"])
    bottom, top = _BOTTOM + lines.count("\n") * _LINE, _TOP + broken.count("\n") * _TITLE_LINE
    figure = StyledFigure(figsize=((_LEFT + side + _RIGHT) / 100, (bottom + side + top) / 100), dpi=_DPI)
    axes = figure.axes_at(_LEFT / 100, bottom / 100, side / 100, side / 100)
    axes.set_title(broken, fontproperties=font, fontsize=_TITLE_SIZE)
    if verdict is not None:
        axes.set_title(verdict[0], loc="right", color=verdict[1], fontproperties=BOLD, fontsize=_VERDICT_SIZE)
    caption(figure, lines, left=axes.get_position().x0)
    return Picture(figure, (axes,), title, text)


def counted_pairs(board: Queens, **parts: Any) -> int | None:
    """Return the attacking pairs of a board, None if counting them would take minutes."""
    if is_solution(board, **parts):
        return 0
    return attacking_pairs(board, **parts) if len(board) < _PAIRS_COUNTED_BELOW else None


def _verdict(pairs: int | None) -> tuple[str, str]:
    """Return what is written next to the title, and its colour."""
    if pairs == 0:
        return "solved", theme().solved
    return "not solved" if pairs is None else counted(pairs, "attacking pair"), theme().attack


def _write_costs(drawn: Chessboard, board: Queens, costs: NDArray[np.int64], best: set[tuple[int, ...]]) -> None:
    look = theme()
    size = drawn.points * min(0.42, 1.15 / len(str(costs.max())))
    for (row, column), cost in np.ndenumerate(costs):
        x, y = drawn.at(np.array([column, row]) + 0.5)
        down, share = (_NUMBER_DOWN, 0.75) if board[column] == row else (0, 1)
        color, weight = (look.paper, "bold") if (column, row) in best else (look.ink, "normal")
        text = drawn.axes.text(x, y - down, str(cost), ha="center", va="center_baseline", color=color)
        text.set(fontsize=share * size, fontweight=weight)


def _checked_columns(marked: Collection[SupportsIndex], n: int) -> NDArray[np.int64]:
    listed = entries_of(marked, "marked", "a list of columns")
    columns = {check_integer(column, "marked: column", 0, n - 1, "on this board ") for column in listed}
    return np.array(sorted(columns), np.int64)


def _caption(board: Queens, pairs: int | None, marked: int) -> str:
    conflicts = "no queen attacks another" if pairs == 0 else "queens attack each other"
    if pairs:
        conflicts = f"{counted(pairs, 'attacking pair')}, {counted(conflicting_queens(board), 'conflicting queen')}"
    marks = f", {counted(marked, 'marked queen')}" if marked else ""
    return f"n = {len(board):,}, {conflicts}{marks}"


def constraint_words(instance: Instance, violated: str = "") -> str:
    """Return the constraints of an instance, how they are drawn, and the violations of a board.

    >>> from fastqueens.instance import make_instance
    >>> constraint_words(make_instance(8, [(1, 3)], blocked=[(0, 0)], excluded_sums=[2]))
    '1 fixed queen, 1 blocked square (filled) and 1 excluded sum diagonal (dashed)'
    """
    words = re.sub("blocked squares?", r"\g<0> (filled)", instance.constraints)
    words += " (dashed)" if len(excluded_lines(instance)) else ""
    return f"{words}; {violated}" if violated else words
