"""Themes, the typeface and titles of all pictures, and the rings of marked queens."""

import functools
import io
import re
import warnings
from concurrent.futures import ThreadPoolExecutor

import matplotlib
import numpy as np
import pytest
from errors import check_error
from figures import assert_texts_apart, near, pixels
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from PIL import Image

import fastqueens
from fastqueens import InputError
from fastqueens.pictures.boards import board_picture, instance_picture, move_costs_picture
from fastqueens.pictures.curves import conflict_curves
from fastqueens.pictures.density import statistics_picture
from fastqueens.pictures.drawing import picture
from fastqueens.pictures.figure import house_style
from fastqueens.pictures.roles import LIGHT, theme
from fastqueens.pictures.studies import study_picture

BOARD = fastqueens.solve(8, seed=1).queens
LONG = "A title that does not end before the right edge of the paper, but goes on " * 4
COSTS = fastqueens.move_costs([0, 0, 1, 2, 4])
RUNS = [fastqueens.solve(100, start="random", seed=seed) for seed in (1, 2)]


@functools.cache
def statistics():
    return fastqueens.statistics(np.array([BOARD] * 20))


@functools.cache
def study(*sizes):
    return fastqueens.study(sizes, ["steepest"], 20, seed=1)


PICTURES = {
    "board": lambda **look: board_picture([0, 0, 1, 2, 4], marked=[2], **look),
    "weave": lambda **look: board_picture(range(500), marked=[2], **look),
    "dots": lambda **look: board_picture(range(500), style="dots", **look),
    "instance": lambda **look: instance_picture(fastqueens.make_instance(8, blocked=[(0, 0)]), **look),
    "costs": lambda **look: move_costs_picture([0, 0, 1, 2, 4], COSTS, np.array([[3, 3]]), **look),
    "density": lambda **look: picture(range(50_001), style="density", **look),
    "curves": lambda **look: conflict_curves(RUNS, **look),
    "statistics": lambda **look: statistics_picture(statistics(), **look),
    "study": lambda **look: study_picture(study(4, 6), **look),
    "rows": lambda **look: study_picture(study(6), **look),
}


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_a_theme_colours_ground_and_text(draw, tmp_path):
    for name in ("dark", "transparent") if draw is PICTURES["board"] else ("dark",):
        draw(theme=name).save(tmp_path / "a.png", dpi=60)
        with Image.open(tmp_path / "a.png") as image:
            found = np.asarray(image.convert("RGBA")).reshape(-1, 4)
        with house_style(name):
            colours = theme()
        ground = found[0]
        assert ground[3] == (0 if name.endswith("transparent") else 255)
        if ground[3]:
            assert np.allclose(ground / 255, to_rgba(colours.paper), atol=0.01)
        text = np.abs(found / 255 - to_rgba(colours.ink)).max(axis=1) < 0.15
        assert text.sum() > 20


def test_pictures_are_drawn_into_axes_of_the_caller_in_a_given_size_and_saved(subtests, tmp_path):
    one_panel = {"statistics": {"what": "density"}, "study": {"what": "steps"}, "rows": {"what": "success"}}
    before = dict(matplotlib.rcParams)
    for name, draw in PICTURES.items():
        with subtests.test(name=name):
            figure = Figure()
            ax, other = figure.subplots(1, 2)
            drawn = draw(ax=ax, **one_panel.get(name, {}))
            assert (drawn.figure, drawn.axes, drawn._repr_png_()) == (figure, (ax,), None)
            assert ax.get_title() == drawn.title
            assert ax.has_data() or ax.collections
            assert not other.has_data()
            assert figure.get_supxlabel() == ""
            drawn.save(tmp_path / "a.png", dpi=50)
            with check_error(InputError, "size", "ax"):
                draw(ax=ax, size=(3, 3), **one_panel.get(name, {}))
            panel = one_panel.get(name, {})
            draw(size="84x90mm", title="Kept", **panel).save(tmp_path / "b.pdf")
            draw(size=(3, 3.5), **panel).save(tmp_path / "b.png", dpi=150)
            for file, size in (("a.png", (320, 240)), ("b.png", (450, 525))):
                with Image.open(tmp_path / file) as image:
                    assert image.size == size
            if name in one_panel:
                with check_error(InputError, "ax has room for one panel", *map(repr, one_panel[name].values())):
                    draw(ax=ax)
    assert dict(matplotlib.rcParams) == before
    ax = Figure().subplots()
    ax.set_title("Mine")
    assert picture(4, seed=1, ax=ax).title == ax.get_title() == "Mine"
    with check_error(InputError, "ax must be axes of matplotlib, not 3"):
        picture(4, seed=1, ax=3)


def test_a_theme_ends_with_the_picture_and_is_checked():
    before = theme()
    board_picture(BOARD, theme="dark")
    assert theme() is before
    with check_error(InputError, "theme", "'drak'", "light", "dark"):
        board_picture(BOARD, theme="drak")


def test_threads_draw_what_one_thread_draws():
    """Matplotlib's settings are global, and it reads some of them only when it writes the file."""

    def drawn(name, theme):
        figure, file = PICTURES[name](theme=theme), io.BytesIO()
        figure.figure.savefig(file, format="png", dpi=40)
        return file.getvalue()

    tasks = [(name, theme) for name in ("board", "curves") for theme in ("dark", "light")]
    before, expected = dict(matplotlib.rcParams), [drawn(*task) for task in tasks]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(drawn, *zip(*2 * tasks, strict=True))) == 2 * expected
    assert dict(matplotlib.rcParams) == before


def test_a_transparent_picture_is_shown_in_notebooks_and_on_paper_in_jpeg(tmp_path):
    figure = board_picture(BOARD, theme="transparent")
    figure.save(tmp_path / "a.jpg")
    with Image.open(tmp_path / "a.jpg") as image:
        assert min(image.getpixel((0, 0))) > 250
    (tmp_path / "a.png").write_bytes(figure._repr_png_()[0])
    with Image.open(tmp_path / "a.png") as image:
        assert image.convert("RGBA").getpixel((0, 0))[3] == 0


def test_titles_wrap_and_nothing_leaves_the_picture(subtests):
    for name, draw in PICTURES.items():
        for title in (LONG, "W" * 300, "$x^ and a $ more") if name in ("dots", "curves") else (LONG,):
            with subtests.test(name=name, title=title):
                assert_texts_apart(draw(title=title))


def test_titles_are_fraunces_and_all_other_text_is_jost(tmp_path):
    for name in ("board", "curves", "statistics", "study"):
        PICTURES[name](title="Queens").save(tmp_path / "a.pdf")
        found = set(re.findall(rb"/BaseFont /(?:\w+\+)?(\w+)", (tmp_path / "a.pdf").read_bytes()))
        assert b"Fraunces" in found, name
        assert found <= {b"Fraunces", b"Jost", b"JostMedium"}, name


def test_letters_that_jost_lacks_are_drawn(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        board_picture(BOARD, title="Королевы ♛").save(tmp_path / "a.png")
    fastqueens.animate(4, seed=3, size=(320, 240), title="Королевы").frames[0].load()


@pytest.mark.parametrize("n", [50, 5000])
def test_marked_queens_of_large_boards_have_a_ring_and_a_label(n):
    board = fastqueens.solve(n, seed=1).queens
    figure = board_picture(board, marked=[0, 20, n - 1], rows_from=1)
    shown = {text.get_text() for text in figure.axes[0].texts}
    assert shown == {f"column {column:,}, row {board[column] + 1:,}" for column in (0, 20, n - 1)}
    blue = near(pixels(figure, dpi=100), LIGHT.note, 60).sum()
    assert blue > 500  # each ring is 18 points wide
    assert near(pixels(figure, dpi=100), LIGHT.ink, 60).any()
    assert_texts_apart(figure)
