"""Palettes of posters: what is read, what is refused, and inks that can be seen on the paper."""

import numpy as np
from errors import check_error
from matplotlib.colors import to_rgb

from fastqueens.errors import InputError
from fastqueens.pictures import weave
from fastqueens.pictures.palettes import PALETTES, palette_of, theme_of
from fastqueens.pictures.roles import contrast

#: A board of 60 pixels.
WHOLE = weave.Place(0, 0, 60.0)


def test_palettes_that_cannot_be_read_or_seen_are_refused(subtests):
    for colors, *named in [
        ("rizo", "'rizo'", "riso", "linen", "white,navy"),
        ("white", "'white'", "with commas"),
        ("white,navy,red,green", "with commas"),
        ("white,#fffffe", "#fffffe", "1.0:1", "3:1"),
        ("black,navy", "navy", "1.31:1", "3:1"),
        (3, "3", "name"),
        ("#808080,black,white", "1.0:1", "darker", "lighter"),
        ("white,navy,yellow", "yellow", "1.07:1"),
        ("white,#959595", "#959595", "2.99:1", "3:1"),
        ("white,navy,#ffffee", "#ffffee", "1.5:1"),
    ]:
        with subtests.test(colors=colors), check_error(InputError, "palette", *named):
            palette_of(colors)


def test_own_colors_are_the_paper_and_the_inks():
    two = palette_of("white, navy")
    assert (two.paper, two.rising, two.falling, two.shines) == ("#ffffff", "#000080", "#000080", False)
    three = palette_of("#101010,gold,#ff8800")
    assert (three.paper, three.rising, three.falling, three.shines) == ("#101010", "#ffd700", "#ff8800", True)


def test_inks_darken_a_paper_or_light_it_up():
    for colors in (
        "red,white",
        "tab:blue,black",
        "#808080,white",
        "#e4002b,gold,white",
        "green,white",
        "white,#808080",
    ):
        assert share_of_threads(colors) > 0.2, colors


def test_crowns_can_be_seen_in_every_palette():
    for colors in (*PALETTES, "white,orange,navy", "black,gold", "black,#5050a0,white"):
        look = theme_of(palette_of(colors))
        assert contrast(look.rising, look.paper) >= 3, colors
        assert contrast(look.square, look.paper) > 1.05, colors


def share_of_threads(colors):
    """Return the share of the pixels of a weave, without its dots, that can be told apart from the paper."""
    look = palette_of(colors)
    pixels = weave.Cloth(np.array([1, 3, 0, 2]), look._replace(dot=look.paper, ink=look.paper), 60, 60, WHOLE).pixels()
    found, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    apart = [contrast(_hex(color), look.paper) >= 1.4 for color in found]
    return counts[apart].sum() / counts.sum()


def test_no_colors_give_a_blank_poster():
    for seed in range(60):
        random = np.random.default_rng(seed)
        colors = ",".join(_hex(random.integers(0, 256, 3)) for _ in range(random.integers(2, 4)))
        try:
            palette = palette_of(colors)
        except InputError:
            # One of the inks hardly shows, whether inks darken the paper or light it up.
            paper, *inks = (np.array(to_rgb(color)) for color in colors.split(","))
            for printed in ([ink * paper for ink in inks], [1 - (1 - ink) * (1 - paper) for ink in inks]):
                found = [contrast(_hex(np.round(255 * color).astype(int)), colors[:7]) for color in printed]
                assert min(found) < 1.51 or max(found) < 3.01, colors
        else:
            assert share_of_threads(colors) > 0.2, colors
            assert contrast(palette.ink, palette.paper) > 3.9, colors


def _hex(color):
    return "#{:02x}{:02x}{:02x}".format(*color)
