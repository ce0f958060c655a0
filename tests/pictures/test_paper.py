"""Paper: sizes, orientation, margin and bleed."""

import numpy as np
import pytest

from fastqueens.pictures.posters.sheet import paper

SIZES = """
    A0 841 1189, a1 594 841, A2 420 594, A3 297 420, A4 210 297, A5 148 210, Letter 215.9 279.4, legal 215.9 355.6,
    TABLOID 279.4 431.8, 24x36in 609.6 914.4, 50 X 70 cm 500 700, 300.5\u00d7200mm 300.5 200
"""


@pytest.mark.parametrize("line", SIZES.split(","))
def test_sizes(line):
    size, *millimetres = line.strip().rsplit(maxsplit=2)
    sheet, sides = paper(size), list(map(float, millimetres))
    assert [sheet.width, sheet.height] == pytest.approx(sides)
    assert sheet.pixels == tuple(round(side / 25.4 * 300) for side in sides)
    assert sheet.margin == pytest.approx(min(sides) / 12)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"size": "A4", "orientation": "landscape"}, {"width": 297, "height": 210}),
        ({"size": "A4", "orientation": "portrait"}, {"width": 210}),
        ({"size": "30x20cm"}, {"width": 300}),
        ({"size": "30x20cm", "orientation": "portrait"}, {"width": 200}),
        ({"size": "30x20cm", "orientation": "landscape"}, {"width": 300}),
        ({"dpi": 254, "bleed": "3mm"}, {"width": 210, "height": 297, "bleed": 3, "pixels": (2160, 3030)}),
        ({"bleed": "0.125in"}, {"bleed": 3.175}),
        *(({"margin": margin}, {"margin": millimetres}) for margin, millimetres in ((12, 12), ("12", 12), (0, 0))),
        *(({"margin": margin}, {"margin": millimetres}) for margin, millimetres in (("1.5cm", 15), ("1 in", 25.4))),
        ({"dpi": np.int64(300)}, {"pixels": (2480, 3508), "dpi": 300}),
    ],
)
def test_orientation_margin_and_bleed(arguments, expected):
    sheet = paper(**{"size": "A4", **arguments})
    for name, value in expected.items():
        assert getattr(sheet, name) == pytest.approx(value)
    assert type(sheet.dpi) is int
