"""The words on a poster: its title, the facts about the board, and the note on a density."""

from __future__ import annotations

from fastqueens.analysis.conflicts import attacking_pairs
from fastqueens.core.board import Queens
from fastqueens.core.wording import counted
from fastqueens.pictures.posters.lettering import check_text
from fastqueens.pictures.posters.subject import CallbackArguments, Subject
from fastqueens.pictures.posters.theme import Theme

#: Attacking pairs are counted below this n; for larger boards it would take minutes.
_PAIRS_COUNTED_BELOW = 10**7


def title_lines(title: str | None, n: int) -> list[str]:
    """Return the lines of a title, None for the default; check that the font has all characters."""
    if title is None:
        return ["1 Queen" if n == 1 else f"{n} Queens" if n < 10_000 else f"{n:,} Queens"]
    lines = [line.strip() for line in title.splitlines() if line.strip()]
    for line in lines:
        check_text(line, "title")
    return lines


def facts_of(
    board: Queens, is_solution: bool, seed: int | None, steps: int | None, callbacks: CallbackArguments
) -> str:
    """Return in one line what is known about a board: n, seed, steps and conflicts."""
    facts = [f"n = {len(board):,}"]
    if seed is not None:
        facts.append(f"seed {seed}")
    if steps is not None:
        facts.append(counted(steps, "step"))
    if is_solution:
        facts.append("no queen attacks another")
    elif len(board) < _PAIRS_COUNTED_BELOW:
        facts.append(counted(attacking_pairs(board, **callbacks), "attacking pair"))
    else:
        facts.append("some queens attack each other")
    return "  ·  ".join(facts)


def density_note(subject: Subject, theme: Theme) -> str:
    """Return how to read the density, or "" for a board that was drawn queen by queen."""
    bins = subject.drawn_as_density
    if bins is None:
        return ""
    share = subject.n / bins.cells**2
    return (
        f"Too many queens to draw one by one: {bins.cells:,} x {bins.cells:,} cells, about {share:,.0f} queens in "
        f"each; {theme.more_is} means more. Every queen is counted."
    )
