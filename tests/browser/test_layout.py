"""The whole board in windows of all shapes: nothing covers it, and panels do not cover each other."""

from itertools import combinations

import pytest

import fastqueens
from fastqueens.explorer.page import course_data, page_in_one_file

#: Also a window of 1280 x 720 at 200 %.
WINDOWS = [(390, 844), (844, 390), (640, 360), (800, 600), (1280, 720), (1440, 900)]

RECTANGLES = """() => {
    const { left, top, scale } = explorer.view, { n } = explorer.board, found = {};
    for (const id of ["panel", "player", "tools", "where"]) {
      const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
      if (width) found[id] = [x, y, x + width, y + height];
    }
    found.board = [left, top, left - n, top - n].map((end) => -end * scale);
    const { chosen } = explorer.painter, place = (at, from) => (at + 0.5 - from) * scale;
    if (chosen) found.chosen = [...[0, 1].map(() => [place(chosen.column, left), place(chosen.row, top)])].flat();
    return found;
}"""


def overlap(one, other):
    """The sides of the part that two rectangles share; not positive if there is none."""
    return min(min(one[i + 2], other[i + 2]) - max(one[i], other[i]) for i in (0, 1))


def check(view, size, least, moment):
    """Nothing overlaps, all is inside the window, and the board takes up a share of the window's shorter side."""
    found = view.page.evaluate(RECTANGLES)
    chosen = found.pop("chosen", None)
    for (name, one), (other_name, other) in combinations(found.items(), 2):
        assert overlap(one, other) < 1, (moment, size, name, one, other_name, other)
    for name, (left, top, right, bottom) in found.items():
        is_inside = left > -1 and top > -1 and right < size[0] + 1 and bottom < size[1] + 1
        assert is_inside, (moment, size, name, found[name])
    side = found["board"][2] - found["board"][0]
    assert side >= least * min(size), (moment, size, found)
    if chosen:
        assert overlap(found["board"], [*chosen[:2], chosen[0] + 1, chosen[1] + 1]) > 0


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")

    def pages(n, is_played):
        file = folder / f"{n}-{is_played}.html"
        if is_played:
            found = fastqueens.solve(n, seed=3, start="random", trace="moves")
            data = course_data(found.trace, found.restarts, found.moves)
            file.write_bytes(page_in_one_file(found.moves.first_boards[0], "moves.npz", data))
        else:
            file.write_bytes(page_in_one_file(fastqueens.solve(n, seed=1).queens))
        return file.as_uri()

    return pages


@pytest.mark.parametrize(("n", "is_played"), [(8, True), (1000, True), (4, False), (10**6, False)])
def test_nothing_covers_the_whole_board(n, is_played, pages, look_at):
    view = look_at(pages(n, is_played))
    for size in WINDOWS:
        view.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        view.settle()
        check(view, size, 0.3 if is_played else 0.5, "resized")
        view.choose(1)
        check(view, size, 0.3 if is_played else 0.5, "chosen")
        view.page.evaluate("explorer.deselect()")
