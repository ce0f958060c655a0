"""Traces in ``.csv``: ``attempt,step,pairs,conflicting_queens``, one line for each entry.

Attempts count from 1. Steps count from 0 and continue across restarts: the first entry of a later attempt repeats the
number of the step before it, since it shows a new board and is not a step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from fastqueens.core.errors import InputError
from fastqueens.core.trace import Moves
from fastqueens.files import numbers
from fastqueens.files.numbers import lines_of_numbers, number_lines
from fastqueens.files.trace_entries import Entries, attempts_and_steps

_COLUMNS = "attempt,step,pairs,conflicting_queens"


def read(file: IO[bytes], name: str) -> tuple[Entries, dict[str, Any]]:
    """Read a trace from lines of text; they hold nothing else about the run."""
    first_line, blocks = 1, [np.empty((0, 4), np.int64)]
    for line, block in number_lines(file, name, _COLUMNS):
        first_line = first_line if len(blocks) > 1 else line
        blocks.append(block)
    attempts, steps, pairs, queens = np.concatenate(blocks).T
    restarts = np.flatnonzero(attempts[1:] != attempts[:-1]) + 1
    right_attempts, right_steps = attempts_and_steps(np.arange(len(pairs)), restarts)
    wrong = (attempts != right_attempts) | (steps != right_steps)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"{name}: line {first_line + at} holds attempt {attempts[at]}, step {steps[at]}; "
            f"attempt {right_attempts[at]}, step {right_steps[at]} is needed"
        )
    return Entries(restarts, pairs.copy(), queens.copy()), {}


def write(file: IO[bytes], entries: Entries, _header: dict[str, Any], _moves: Moves | None) -> None:
    """Write the names of the columns and a line for each entry, and nothing else: a plain table for any program."""
    file.writelines(_content(entries))


def _content(entries: Entries) -> Iterator[bytes]:
    restarts, pairs, queens = entries
    yield f"{_COLUMNS}\n".encode()
    for first in range(0, len(pairs), numbers.PIECE):
        piece = np.arange(first, min(first + numbers.PIECE, len(pairs)))
        attempts, steps = attempts_and_steps(piece, restarts)
        yield lines_of_numbers("%d,%d,%d,%d\n", np.column_stack((attempts, steps, pairs[piece], queens[piece])))
