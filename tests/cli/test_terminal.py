"""Terminals with colours get cloths in half blocks, red queens and bars, and nothing else does."""

import os
import re
import subprocess
from contextlib import suppress

import numpy as np
import pytest
from errors import check_names
from naive import attacking_pairs
from processes import TIMEOUT, open_terminal, process, running

import fastqueens
from fastqueens.cli import terminal as module
from fastqueens.files.boards import write_board
from fastqueens.pictures.palettes import PALETTES
from fastqueens.pictures.roles import LIGHT, contrast
from fastqueens.pictures.weave import Cloth, Place

FINE = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "COLUMNS": "", "LINES": ""}


@pytest.fixture(autouse=True)
def colours(monkeypatch):
    """Some versions of rich also take an empty NO_COLOR for a wish."""
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """Run the command line in a terminal, and return what it writes there."""
    monkeypatch.chdir(tmp_path)

    def shown(*arguments, columns=100, lines=30, before="pass", with_progress=False, **environment):
        terminal, side_of_process = open_terminal(columns, lines)
        with running(
            *arguments,
            before=before,
            stdout=side_of_process,
            stderr=side_of_process if with_progress else subprocess.DEVNULL,
            env={**FINE, **environment},
        ) as started:
            os.close(side_of_process)
            written = b""
            with suppress(OSError):  # Linux raises it at the end
                while piece := os.read(terminal, 4096):
                    written += piece
            assert started.wait(TIMEOUT) in (0, 1)
        os.close(terminal)
        return written.decode().replace("\r", "")

    return shown


def plain(text):
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def halves(text):
    """Return the colours of all half blocks, two rows of pixels for each line."""
    rows = []
    for line in filter(lambda line: module._HALF in line, text.split("\n")):
        upper, lower, colors = [], [], None
        for sequence, mark in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            if sequence.startswith("38;2"):
                colors = [int(word) for word in sequence.split(";")]
            if mark == module._HALF:
                upper.append(colors[2:5])
                lower.append(colors[7:10])
        rows += [upper, lower]
    return np.array(rows)


def test_solve_shows_the_cloth_beside_the_numbers(shown):
    text = shown("solve", "1000", "--seed", "1")
    pixels, result = halves(text), fastqueens.solve(1000, seed=1)
    cloth = Cloth(result.queens, PALETTES["riso"], 150, 150, Place(0, 0, 150)).pixels()
    assert pixels.shape == (50, 50, 3)
    assert np.abs(pixels - cloth.reshape(50, 3, 50, 3, 3).mean(axis=(1, 3))).max() <= 1
    pairs, steps = f"{result.initial_pairs} attacking pairs", f"{result.steps} steps"
    next_commands = "fastqueens poster 1000 --seed 1", "fastqueens explore 1000 --seed 1"
    check_names(plain(text), "1,000 queens", "solved in", "verified in", pairs, steps, *next_commands)
    assert module.sparkline(result.trace.pairs.tolist(), 24) in plain(text)
    assert max(map(len, plain(text).split("\n"))) <= 100


def test_256_colours_are_those_nearest_to_the_cloth(shown):
    text = shown("solve", "200", "--seed", "1", COLORTERM="")
    assert text.count(module._HALF) == 50 * 25
    assert "38;5;" in text
    assert "38;2;" not in text


@pytest.mark.parametrize(
    ("options", "environment"),
    [([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}), ([], {"TERM": "vt100", "COLORTERM": ""}), (["--quiet"], {})],
)
def test_other_terminals_get_text_without_colours(shown, options, environment):
    text = shown("solve", "1000", "--seed", "1", *options, **environment)
    assert not re.search(r"\x1b\[[\d;]*[2-9]|[\u2580-\u2588]", text)
    assert ("Placed 1,000 queens" in plain(text)) == (not options)


def test_without_room_there_are_colours_but_no_cloth(shown):
    for room in ({"columns": 79}, {"lines": 19}):
        text = shown("solve", "1000", "--seed", "1", **room)
        assert "\u2580" not in text
        assert "Placed 1,000 queens" in text
        assert "\x1b[38;2;" in text


def test_a_pipe_gets_no_colours_and_no_new_imports(shown):
    told = "print(*sys.modules, file=sys.stderr, flush=True)"
    before = f"import os, sys; leave = os._exit; os._exit = lambda code: leave({told} or code)"
    piped = process("solve", "1000", "--seed", "1", before=before, env=FINE)
    assert "\x1b" not in piped.stdout
    assert "Placed 1,000 queens" in piped.stdout
    imported = piped.stderr.split()
    assert "fastqueens.solver" in imported
    assert [name for name in imported if name.startswith(("fastqueens.pictures.", "matplotlib", "rich"))] == []
    refuse = "import sys; sys.modules['matplotlib'] = sys.modules['PIL'] = None"
    assert "\u2580" in shown("solve", "1000", "--seed", "1", before=refuse)


def test_a_large_board_is_counted_near_its_diagonals(monkeypatch):
    """The quick way draws almost the same picture as the exact one."""
    queens = fastqueens.solve(9000, seed=1, mix=3).queens
    exact = Cloth(queens, PALETTES["riso"], 40, 40, Place(0, 0, 40)).pixels()
    monkeypatch.setattr(module, "_MOST_DIAGONALS", 0)
    quick = module._pixels(queens, 40)
    assert np.abs(quick.astype(int) - exact).mean() < 8
    assert np.corrcoef(quick.ravel(), exact.ravel())[0, 1] > 0.95
    monkeypatch.setattr(module, "_MOST_COUNTED", 4000)
    assert module._pixels(queens, 40).shape == (40, 40, 3)


def test_show_colours_attacked_queens_and_counts_their_attacks(shown):
    board = [0, 1, 2, 4, 4, 1, 7, 7, 10, 10, 0, 5]
    write_board("b.txt", board)
    text = shown("show", "b.txt")
    red = module.Terminal(100, 30, is_fine=True)
    counts = [sum(column in pair for pair in attacking_pairs(board)) for column in range(12)]
    attacked, calm = (red.painted("Q ", role, ground, bold=True).partition("Q")[0]
                      for role, ground in (("attack", "paper"), ("ink", "paper")))  # fmt: skip
    of_paper = [c for c, row in enumerate(board) if (11 - row + c) % 2]
    assert text.count(f"{attacked}Q") == sum(counts[c] > 0 for c in of_paper)
    assert text.count(f"{calm}Q") == sum(counts[c] == 0 for c in of_paper)
    numbers = " ".join(str(count or ".") for count in counts)
    assert f"{numbers}  attacks per queen" in plain(text)
    piped = process("show", "b.txt", env=FINE).stdout
    without = [line.rstrip() for line in plain(text).splitlines() if "attacks per queen" not in line]
    assert without == piped.splitlines()


def test_more_than_nine_attacks_are_a_plus():
    drawing = "\n".join(["Q" + " Q" * 11, *["." + " ." * 11] * 11])
    line = plain(module.Terminal(80, 24, is_fine=True).attacks_per_queen(drawing))
    assert line.split()[:12] == ["+"] * 12


def test_study_has_bars_and_marks_the_best(shown):
    names = "steepest,restart,sideways,restart-sideways"
    command = ("study", "8", "--algorithms", names, "--runs", "500", "--seed", "1")
    text = shown(*command, columns=80)
    solid = module.Terminal(80, 30, is_fine=True).painted("X", "paper", "solved").partition("X")[0]
    rows = {row["algorithm"]: row for row in fastqueens.study(8, names.split(","), 500, seed=1).to_rows()}
    best = max(rows.values(), key=lambda row: (row["success_rate"], -row["evaluations_mean"]))["algorithm"]
    assert best in next(line for line in text.split("\n") if solid in line)
    assert text.count(solid) == 1
    bar = re.search(r"steepest[^\n]*?\x1b\[48;2;[\d;]*m([^\x1b]*)", text)
    assert len(bar[1]) == round(rows["steepest"]["success_rate"] * 16)
    piped = process(*command, env=FINE).stdout
    times = r" +[\d.]+ (µs|ms|s)\b"
    assert re.sub(times, "", plain(text)) == re.sub(times, "", piped)


def test_colours_can_be_read_on_light_and_dark_terminals():
    for role in ("solved", "attack", "accent", "note", "soft"):
        color = "#{:02x}{:02x}{:02x}".format(*module.readable(role))
        assert min(contrast(color, "white"), contrast(color, "black")) > 3, role
    assert contrast(LIGHT.paper, LIGHT.solved) > 4.5


def test_the_progress_line_has_the_colours_of_the_project(shown):
    text = shown("estimate", "27", "--time-limit", "3", "--seed", "1", with_progress=True)
    colors = {tuple(map(int, found)) for found in re.findall(r"38;2;(\d+);(\d+);(\d+)", text)}
    assert {module.readable("accent"), module.readable("soft")} <= colors
    assert (249, 38, 114) not in colors, "the pink of rich"


@pytest.mark.parametrize("is_fine", [True, False])
def test_reports_of_a_terminal_with_colours(run, monkeypatch, is_fine):
    """In this process, with all that the reports say; the other tests have real terminals."""
    with monkeypatch.context() as patch:
        patch.setattr("fastqueens.cli.session.Session.terminal", module.Terminal(100, 40, is_fine))
        text = plain(run("solve", "1000", "--seed", "1")[1])
        check_names(text, "1,000 queens", "\u2713 solved in", "windowed, seed 1", "fastqueens explore 1000")
        assert text.count(module._HALF) == 50 * 25
        assert module._HALF in run("solve", "200000", "--seed", "1", "--mix", "1")[1]
        failed = plain(
            run("solve", "100", "--start", "random", "--max-steps", "0", "--restarts", "0", "--seed", "1")[1]
        )
        check_names(failed, "\u2717 not solved")
        shown = run("show", "--board", "3 6 4 4 7 0 4 2")[1]
        check_names(plain(shown), "1 1 2 3 1 1 2 1  attacks per queen", "6 attacking pairs")
        assert "best" not in plain(
            run("study", "8", "--algorithms", "steepest,annealing", "--runs", "50", "--seed", "1")[1]
        )
