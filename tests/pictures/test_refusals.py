"""Refused arguments of pictures in Python; tests/cli/test_refusals.py has the refusals of commands."""

from functools import partial

import numpy as np
from errors import check_error
from PIL import Image

import fastqueens
from fastqueens import InputError, Trace
from fastqueens.classroom.animations import animate
from fastqueens.classroom.climbing import climb
from fastqueens.instance import make_instance
from fastqueens.pictures.ascii import draw_board, draw_move_costs
from fastqueens.pictures.boards import board_picture, move_costs_picture
from fastqueens.pictures.curves import Run, conflict_curves
from fastqueens.pictures.drawing import picture
from fastqueens.pictures.paper import paper
from fastqueens.pictures.posters import poster
from fastqueens.pictures.saving import save_picture
from fastqueens.pictures.studies import WHAT, run_times_picture

ONE = Trace(np.array([1]), np.array([2]))
IMAGE = Image.new("RGB", (40, 30))
OTHER = make_instance(9)


def animate_steepest(n=4, **options):
    animate(climb(n, algorithm="steepest", seed=1), **options)


def study(**options):
    fastqueens.study(4, ["steepest"], 2, seed=1).plot(**options)


REFUSED = [
    (partial(animate_steepest, size=(300, 5000)), "size", "300 x 5000", 240, "1,920 pixels"),
    (partial(animate_steepest, seconds=2), "seconds", "not 2", "between 3 and 60"),
    (partial(animate_steepest, 1001), "n is 1,001", "1,000"),
    (partial(animate_steepest, theme="transparent"), "'transparent'", "light", "dark"),
    (lambda: animate(climb(4), seed=1, algorithm="steepest"), "seed, algorithm", "this climb is finished"),
    (lambda: animate(climb(4, algorithm="beam", seed=1)), "beam", "one queen at a time", "steepest, sideways"),
    (partial(board_picture, [0] * 50_001, style="dots"), "n is 50,001", 50_000),
    (partial(board_picture, [0], style="specks"), "style", "'specks'", "weave", "dots", "density"),
    (partial(move_costs_picture, [0] * 41, np.zeros((41, 41)), []), "n is 41", 40),
    (partial(board_picture, [0, 1], marked=[2]), "marked", "column", 2, "0 or 1"),
    (partial(board_picture, [0, 1], origin="left"), "'left'", "upper", "lower"),
    (partial(picture, [0, 1], style="density", marked=[1]), "marked", "density"),
    (partial(picture, [0, 1], style="density", origin="lower"), "'lower'", "density"),
    *((partial(picture, range(8), style=style, instance=OTHER), "n = 9") for style in ("weave", "density")),
    (partial(draw_board, [0], origin="left"), "'left'", "upper", "lower"),
    (partial(draw_board, [1, 3, 0, 2], instance=make_instance(5)), "n = 5", "4 queens"),
    (partial(draw_move_costs, np.eye(1), np.array([0]), np.array([[0, 0]]), origin="left"), "'left'", "upper", "lower"),
    (partial(conflict_curves, []), "runs"),
    (partial(conflict_curves, [3]), "run 0", "int", "Result"),
    (partial(conflict_curves, Trace(np.array([1.5]), np.array([1]))), "run 0", "float64"),
    (partial(conflict_curves, Run(ONE, label="a.csv", restarts=[1])), "a.csv", "restarts[0]"),
    (partial(conflict_curves, ONE, what="queens"), "'queens'", "both", "conflicting", "pairs"),
    (partial(conflict_curves, ONE, size=(1, 300)), "size", "1 x 300", "between 50 mm (2 inches) and 200 inches"),
    (partial(conflict_curves, ONE, size="49x80mm"), "size", "not 49x80mm", "50 mm"),
    (partial(conflict_curves, ONE, size="84 mm"), "size", "'84 mm'", "84x60mm"),
    (partial(conflict_curves, ONE, scale="symlog"), "scale 'symlog'", "auto", "linear", "log"),
    (partial(conflict_curves, (ONE, [1])), "run 1 is list", "Run"),
    (partial(study, size="3x400cm"), "not 3x400cm", "200 inches"),
    (lambda: fastqueens.statistics([[1, 3, 0, 2]]).plot(size=(5, 5)), "size", "7x4.5 inches", "what="),
    (lambda: fastqueens.statistics([[1, 3, 0, 2]]).plot(what="queens"), "'queens'", "density", "diagonals"),
    (lambda: conflict_curves(fastqueens.solve(8, seed=1, trace=False)), "trace=True"),
    (partial(run_times_picture, []), "rows is empty"),
    (partial(study, what="speed"), "what 'speed'", *WHAT),
    (partial(poster, [0], palette="nvy"), "palette", "nvy"),
    (partial(poster, range(8), instance=OTHER, size="A4", dpi=40), "n = 9"),
    (partial(paper, "A10"), "'A10'", "A0 to A6"),
    (partial(paper, "5x300mm"), "'5x300mm'", "100 mm", "10000 mm"),
    (partial(paper, dpi=0), "dpi", "not 0", 10, 2400),
    (partial(paper, orientation="upright"), "orientation", "'upright'", "portrait", "landscape"),
    (partial(paper, bleed="-3mm"), "bleed is '-3mm'"),
    (partial(paper, bleed=float("nan")), "bleed is nan"),
    (partial(paper, bleed=51.0), "bleed is 51 mm", "50 mm"),
    *((partial(save_picture, IMAGE, f"a{suffix}"), f"a{suffix}", ".png", ".webp") for suffix in (".svg", ".pdf")),
    *((partial(save_picture, IMAGE, "a.png", dpi=dpi), "dpi", f"not {dpi:g}") for dpi in (0, -1, np.nan, np.inf)),
]


def test_wrong_arguments_are_refused(tmp_path, monkeypatch, subtests):
    monkeypatch.chdir(tmp_path)
    for draw, *named in REFUSED:
        with subtests.test(named=named), check_error(InputError, *named):
            draw()
    assert not list(tmp_path.iterdir())
