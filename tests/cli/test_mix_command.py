"""``--mix`` of solve and poster: values, what is printed and written, contradictions."""

import json
import re

from errors import check_names
from processes import without_compiling

import fastqueens
from fastqueens._run.text import counted
from fastqueens.files.boards import read_board


def test_sweeps_with_and_without_a_number(run):
    for words, sweeps in {
        "100": None,
        "100 --mix": 5,
        "100 --mix --threads 2": 5,
        "100 --mix 3e2": 300,
        "100 --mix=1": 1,
        **dict.fromkeys(("--mix 20 100", "100 --mix 20", "--mix=20 100", "--mix 20 -n 100"), 20),
    }.items():
        arguments = ["solve", *words.split(), "--seed", "1"]
        exit_code, stdout, stderr = run(*arguments, "-o", "q.json")
        result = fastqueens.solve(100, seed=1, mix=sweeps)
        assert (exit_code, without_compiling(stderr)) == (0, ""), words
        assert read_board("q.json").tolist() == result.queens.tolist(), words
        stages = re.findall("^(Searched|Mixed|Solved)", stdout, re.MULTILINE)
        assert stages == ["Searched", *["Mixed"] * (sweeps is not None), "Solved"], words
        if sweeps:
            check_names(stdout, counted(result.sweeps, "sweep"))
        figures = json.loads(run(*arguments, "--json")[1])
        assert (figures["sweeps"], figures["mixing_seconds"] > 0) == (result.sweeps, sweeps is not None), words
