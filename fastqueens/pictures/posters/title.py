"""The words on a poster: the title, and the small print with the facts and the note on a density."""

from __future__ import annotations

from typing import Any

from fastqueens.analysis.conflicts import attacking_pairs
from fastqueens.analysis.violations import violations
from fastqueens.core.board import Queens
from fastqueens.core.instance import Instance
from fastqueens.core.wording import counted
from fastqueens.pictures.posters.lettering import check_text, fitting_size, wrapped
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject, Theme

#: Attacking pairs are counted below this n; for larger boards it would take minutes.
_PAIRS_COUNTED_BELOW = 10**7

#: From one line to the next, in heights of capital letters: in a title, and in the small print.
_TITLE_LINE, _SMALL_LINE = 1.45, 1.9

#: How far letters reach below the line, in the same unit.
_DESCENT = 0.3


def title_lines(title: str | None, n: int) -> list[str]:
    """Return the lines of a title, None for the default; check that the font has all characters."""
    if title is None:
        return ["1 Queen" if n == 1 else f"{n} Queens" if n < 10_000 else f"{n:,} Queens"]
    lines = [line.strip() for line in title.splitlines() if line.strip()]
    for line in lines:
        check_text(line, "title")
    return lines


def facts_of(
    board: Queens,
    is_solution: bool,
    seed: int | None,
    steps: int | None,
    callbacks: dict[str, Any],
    instance: Instance | None = None,
    sweeps: int = 0,
) -> str:
    """Return what is known about a board: n, seed, steps, sweeps, conflicts, and what an instance asks for."""
    facts = [f"n = {len(board):,}"]
    if seed is not None:
        facts.append(f"seed {seed}")
    if steps is not None:
        facts.append(counted(steps, "step"))
    if sweeps:
        facts.append(f"mixed for {counted(sweeps, 'sweep')}")
    if is_solution:
        facts.append("no queen attacks another")
    elif len(board) < _PAIRS_COUNTED_BELOW:
        facts.append(counted(attacking_pairs(board, **callbacks), "attacking pair"))
    else:
        facts.append("some queens attack each other")
    if instance is not None and not instance.is_free:
        facts.append(f"with {instance.constraints}")
        violated = violations(board, instance).words
        if violated:
            facts.append(violated)
    return "  ·  ".join(facts)


def exclusions_note(subject: Subject) -> str:
    """Return how to read blocked squares and excluded diagonals, or that they are not drawn; "" if there are none."""
    instance = subject.instance
    if instance is None or not instance.has_exclusions:
        return ""
    if not subject.drawn_exclusions:
        return "Squares are too small to show which of them are blocked or on excluded diagonals."
    has_diagonals = len(instance.excluded_sums) or len(instance.excluded_differences)
    squares = "Filled squares are blocked." if len(instance.blocked) else ""
    return f"{squares}{' Dashed diagonals are excluded.' if has_diagonals else ''}".strip()


def density_note(subject: Subject) -> str:
    """Return how to read the density, or "" for a board that was drawn queen by queen."""
    bins = subject.drawn_as_density
    if bins is None:
        return ""
    share = subject.n / bins.cells**2
    return (
        f"Too many queens to draw one by one: {bins.cells:,} x {bins.cells:,} cells, about {share:,.0f} queens in "
        f"each; orange means more than an even share, blue fewer. Every queen is counted."
    )


def write_small_print(
    sheet: Sheet, subject: Subject, theme: Theme, box: Box, size: float, color: str, align: str = "left"
) -> float:
    """Write the facts, and notes on what is drawn above them, at the bottom of a box; return their height."""
    texts = (density_note(subject), exclusions_note(subject), subject.facts)
    lines = [line for text in texts for line in wrapped(text, box.width, size)]
    x = box.left + box.width / 2 if align == "center" else box.left
    for i, line in enumerate(reversed(lines)):
        sheet.text(line, x, box.bottom + (_DESCENT + _SMALL_LINE * i) * size, size, color, align=align)
    return _SMALL_LINE * size * len(lines)


def write_title_at_top(sheet: Sheet, title: list[str], box: Box, most: float, color: str, font: str) -> None:
    """Write a title at the upper left of a box, its capital letters at most ``most`` high."""
    size = fitting_size(title, box.width, most, font)
    _write_title(sheet, title, box.left, box.top - size, size, color, font)


def write_title_in_column(sheet: Sheet, title: list[str], box: Box, color: str, font: str) -> None:
    """Write a title with one word per line at the top of a column next to the board."""
    words = " ".join(title).split()
    write_title_at_top(sheet, words, box, 0.5 * box.height / max(1, _TITLE_LINE * len(words)), color, font)


def write_title_in_middle(
    sheet: Sheet, title: list[str], box: Box, most: float, color: str, font: str, align: str = "left"
) -> None:
    """Write a title halfway up a box, its capital letters at most ``most`` high."""
    size = fitting_size(title, box.width, most, font)
    block = size * (1 + _TITLE_LINE * (len(title) - 1))
    x = box.left + box.width / 2 if align == "center" else box.left
    _write_title(sheet, title, x, box.bottom + (box.height + block) / 2 - size, size, color, font, align)


def write_title_at_bottom(sheet: Sheet, title: list[str], box: Box, color: str, font: str) -> None:
    """Write a title at the lower left of a box, with its own lines or one word per line, whichever can be larger."""
    fits = [
        (
            fitting_size(lines, box.width, box.height / (1 + _DESCENT + _TITLE_LINE * max(0, len(lines) - 1)), font),
            lines,
        )
        for lines in (title, " ".join(title).split())
    ]
    size, lines = max(fits, key=lambda fit: fit[0])
    y = box.bottom + (_DESCENT + (len(lines) - 1) * _TITLE_LINE) * size
    _write_title(sheet, lines, box.left, y, size, color, font)


def _write_title(
    sheet: Sheet, lines: list[str], x: float, y: float, size: float, color: str, font: str, align: str = "left"
) -> None:
    """Write lines, the baseline of the first one at y."""
    for line in lines:
        sheet.text(line, x, y, size, color, font=font, align=align)
        y -= _TITLE_LINE * size
