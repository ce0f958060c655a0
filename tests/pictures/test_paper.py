"""Paper for posters: sizes, orientation and bleed."""

import numpy as np
import pytest

from fastqueens.pictures.paper import paper


def test_paper_has_the_size_orientation_and_bleed_that_are_asked_for(subtests):
    for arguments, expected in [
        ({"size": "a1"}, {"width": 594, "height": 841, "pixels": (7016, 9933)}),
        ({"size": "Letter"}, {"width": 215.9, "height": 279.4}),
        ({"size": "50 X 70 cm"}, {"width": 500, "height": 700}),
        ({"size": "300.5\u00d7200mm"}, {"width": 300.5, "height": 200}),
        ({"size": "24x36in", "orientation": "landscape"}, {"width": 914.4, "height": 609.6}),
        ({"size": "30x20cm", "orientation": "portrait"}, {"width": 200}),
        ({"dpi": 254, "bleed": "3mm"}, {"width": 210, "height": 297, "bleed": 3, "pixels": (2160, 3030)}),
        ({"bleed": "0.125in"}, {"bleed": 3.175}),
        ({"dpi": np.int64(300)}, {"pixels": (2480, 3508), "dpi": 300}),
    ]:
        with subtests.test(**arguments):
            sheet = paper(**{"size": "A4", **arguments})
            for name, value in expected.items():
                assert getattr(sheet, name) == pytest.approx(value)
            assert type(sheet.dpi) is int
