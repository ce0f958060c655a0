"""What a poster shows and says: title, subtitle, caption, and notes on the drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastqueens.check.density import cells_for
from fastqueens.check.verification import attacking_pairs
from fastqueens.check.violations import violations
from fastqueens.core.board import Queens, Trace
from fastqueens.core.errors import counted
from fastqueens.core.instance import Instance
from fastqueens.pictures.density import QUEENS_IN_CELL
from fastqueens.pictures.lettering import check_text
from fastqueens.pictures.squares import LARGEST_CHESSBOARD, LARGEST_WITH_DOTS, excluded_lines
from fastqueens.pictures.style import large_number

#: Attacking pairs are counted below this n; for larger boards it would take minutes.
_PAIRS_COUNTED_BELOW = 10**7

#: The least width of a grain in pixels with the space around it: for more queens a density is drawn, of at most this
#: many cells per side.
PIXELS_PER_GRAIN = 2.0
MOST_CELLS = 1000

#: With fewer pixels per square blocked squares and excluded diagonals are only counted in the caption.
PIXELS_PER_MARK = 3

#: From this n on, and if n is a multiple of the second number, titles have words for large numbers.
_LARGE_NUMBER, _ROUND = 10**6, 10**5


@dataclass
class Subject:
    """A board, the words about it, its instance, its search and its sweeps of mixing if known.

    ``cells`` is the number of cells per side of a density, 0 if queens are drawn; ``shows_squares`` is set if squares
    are large enough for marks, and ``drawn_limit_shape`` if the limit shape is behind the queens.
    """

    queens: Queens
    title: str
    subtitle: str
    caption: str
    trace: Trace | None
    steps: int | None
    is_solution: bool
    callbacks: dict[str, Any]
    instance: Instance | None = None
    sweeps: int = 0
    start: str | None = None
    cells: int = 0
    shows_squares: bool = True
    drawn_limit_shape: bool = False

    @property
    def n(self) -> int:
        """The number of queens."""
        return len(self.queens)

    def look_at(self, pixels: float, *, has_limit_shape: bool) -> None:
        """Decide what can be drawn on a board of a width in pixels."""
        n = self.n
        if n > LARGEST_WITH_DOTS and pixels < PIXELS_PER_GRAIN * n**0.5:
            self.cells = cells_for(n, QUEENS_IN_CELL, max(1, min(MOST_CELLS, int(pixels / 2))))
        self.shows_squares = pixels >= PIXELS_PER_MARK * n
        self.drawn_limit_shape = has_limit_shape and n > LARGEST_CHESSBOARD and not self.cells


def title_of(title: str | None, n: int) -> str:
    """Return a title without empty lines, None for the default; check that the font has all characters.

    >>> [title_of(None, n) for n in (1, 1000, 10_000_000)]
    ['1 Queen', '1,000 Queens', '10 Million Queens']
    """
    if title is None:
        is_round = n >= _LARGE_NUMBER and n % _ROUND == 0
        number = large_number(n).title() if is_round else f"{n:,}"
        return f"{number} {'Queen' if n == 1 else 'Queens'}"
    lines = [" ".join(line.split()) for line in title.splitlines() if line.strip()]
    for line in lines:
        check_text(line, "title")
    return "\n".join(lines)


def subtitle_of(board: Queens, is_solution: bool, callbacks: dict[str, Any]) -> str:
    """Return whether queens attack each other, and how many pairs of them.

    >>> subtitle_of([1, 3, 0, 2], True, {})
    'No two share a row, a column or a diagonal.'
    """
    n = len(board)
    if n == 1:
        return "Alone on her board, she attacks nobody."
    if is_solution:
        return "No two share a row, a column or a diagonal."
    if n >= _PAIRS_COUNTED_BELOW:
        return "Some of them attack each other."
    pairs = attacking_pairs(board, **callbacks)
    text = "Two queens attack each other." if pairs == 1 else f"{pairs:,} pairs of queens attack each other."
    return f"{text} On so small a board, that cannot be avoided." if n <= 3 else text


def caption_of(n: int, *, titled: bool, seed: int | None, steps: int | None, sweeps: int = 0) -> str:
    """Return how a board was found: seed, steps and sweeps, and n if the title does not say it.

    >>> caption_of(1000, titled=True, seed=1, steps=60)
    'n = 1,000 · seed 1 · 60 steps'
    """
    facts = (
        f"n = {n:,}" if titled else "",
        "" if seed is None else f"seed {seed}",
        "" if steps is None else counted(steps, "step"),
        f"mixed for {counted(sweeps, 'sweep')}" if sweeps else "",
    )
    return " · ".join(filter(None, facts))


def notes(subject: Subject) -> list[str]:
    """Return what has to be said about the drawing: how to read its colours, and what an instance asks for."""
    found = []
    if subject.cells:
        cells = f"{subject.cells:,} × {subject.cells:,} cells of about {subject.n / subject.cells**2:,.0f} queens each"
        found.append(f"{cells}, coloured where they have more or fewer than an even share. Every queen is counted.")
    if subject.drawn_limit_shape:
        mixed = "This one was mixed until it was like them." if subject.sweeps else "This one was not mixed."
        found.append(f"Colours show where random solutions have more or fewer queens than an even share. {mixed}")
    return [*found, *filter(None, [instance_note(subject)])]


def instance_note(subject: Subject) -> str:
    """Return what an instance asks for, what the board violates, and how that is drawn; "" if it asks for nothing."""
    instance = subject.instance
    if instance is None or instance.is_free:
        return ""
    violated = violations(subject.queens, instance).words
    sentences = [f"With {instance.constraints}.", f"Violated: {violated}." if violated else ""]
    if subject.shows_squares:
        sentences.append("Filled squares are blocked." if len(instance.blocked) else "")
        sentences.append("Dashed diagonals are excluded." if len(excluded_lines(instance)) else "")
    elif instance.has_exclusions:
        sentences.append("Squares are too small to show which of them are blocked or on excluded diagonals.")
    return " ".join(filter(None, sentences))
