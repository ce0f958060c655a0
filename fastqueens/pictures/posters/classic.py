"""Black on white, a large title over the board: after the poster of document 001."""

from __future__ import annotations

from matplotlib.colors import LinearSegmentedColormap

from fastqueens.pictures.posters.squares import draw_board, draw_frame, plain_queens
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.posters.words import LINE, MONO, layout, write_small_print, write_title, write_words_beside
from fastqueens.pictures.sheet import Box, Sheet, fitting_size

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
    """Black on white, a large title over the board: after the poster of document 001."""
    unit = min(sheet.inside.width, sheet.inside.height)
    frame = 0.0022 * unit
    left, bottom, width, height = sheet.inside
    within = Box(left + frame, bottom + frame, width - 2 * frame, height - 2 * frame)
    words, box, is_upright = layout(within, subject.n, sheet, words_share=0.26)
    draw_board(sheet, subject, box, theme, plain_queens(sheet, subject, theme))
    draw_frame(sheet, box, theme.ink, frame)
    small = 0.0105 * unit
    if is_upright:
        size = fitting_size(subject.title, words.width, 0.42 * words.height / max(1, len(subject.title)), MONO)
        block = size * (1 + LINE * (len(subject.title) - 1))
        foot = box.top + 2.2 * small
        baseline = foot + (words.top - foot - block) / 2 + block - size + small
        write_title(sheet, subject.title, box.left + box.width / 2, baseline, size, theme.ink, MONO, "center")
        write_small_print(sheet, subject, theme, Box(box.left, foot, box.width, 0), small, theme.ink, "center")
    else:
        write_words_beside(sheet, subject, theme, words, small, MONO)
