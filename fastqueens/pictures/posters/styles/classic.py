"""Black on white, with a large title above the board, like the poster of document 001."""

from __future__ import annotations

from matplotlib.colors import LinearSegmentedColormap

from fastqueens.pictures.posters.board import draw_board, draw_frame, plain_queens
from fastqueens.pictures.posters.layout import layout
from fastqueens.pictures.posters.lettering import MONO
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.small_print import write_small_print
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.posters.theme import Theme
from fastqueens.pictures.posters.title import write_title_in_column, write_title_in_middle

THEME = Theme(
    paper="#ffffff",
    board="#ffffff",
    dark_square="#e4e4e4",
    ink="#000000",
    faint="#444444",
    density=LinearSegmentedColormap.from_list("ink", ["white", "black"]),
    mode="L",
)


def draw_classic(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Draw the board in a frame, with the title above it."""
    unit = min(sheet.inside.width, sheet.inside.height)
    small, frame = 0.0105 * unit, 0.0022 * unit
    left, bottom, width, height = sheet.inside
    within = Box(left + frame, bottom + frame, width - 2 * frame, height - 2 * frame)
    words, box, is_upright = layout(within, subject.n, sheet, words_share=0.26)
    draw_board(sheet, subject, box, theme, plain_queens(sheet, subject, theme))
    draw_frame(sheet, box, theme.ink, frame)
    if is_upright:
        foot = box.top + 2.2 * small
        above = Box(words.left, foot + 2 * small, words.width, words.top - foot - 2 * small)
        most = 0.42 * words.height / max(1, len(subject.title))
        write_title_in_middle(sheet, subject.title, above, most, theme.ink, MONO, "center")
        write_small_print(sheet, subject, theme, words._replace(bottom=foot), small, theme.ink, "center")
    else:
        write_title_in_column(sheet, subject.title, words, theme.ink, MONO)
        write_small_print(sheet, subject, theme, words, small, theme.faint)
