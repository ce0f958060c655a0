"""Paper: sizes, orientation, margin and bleed."""

import numpy as np
import pytest

from fastqueens.pictures.posters.paper import paper


@pytest.mark.parametrize(
    ("size", "millimetres", "pixels"),
    [
        ("A0", (841, 1189), (9933, 14043)),
        ("a1", (594, 841), (7016, 9933)),
        ("A2", (420, 594), (4961, 7016)),
        ("A3", (297, 420), (3508, 4961)),
        ("A4", (210, 297), (2480, 3508)),
        ("A5", (148, 210), (1748, 2480)),
        ("Letter", (215.9, 279.4), (2550, 3300)),
        ("legal", (215.9, 355.6), (2550, 4200)),
        ("TABLOID", (279.4, 431.8), (3300, 5100)),
        ("24x36in", (609.6, 914.4), (7200, 10800)),
        ("50 X 70 cm", (500, 700), (5906, 8268)),
        ("300.5\u00d7200mm", (300.5, 200), (3549, 2362)),
    ],
)
def test_sizes(size, millimetres, pixels):
    sheet = paper(size)
    assert (sheet.width, sheet.height) == pytest.approx(millimetres)
    assert sheet.pixels == pixels
    assert sheet.margin == pytest.approx(min(millimetres) / 12)


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
