"""The player in a real browser: played, stepped, and compared with the recorded search."""

import re
from itertools import combinations

import numpy as np
import pytest

import fastqueens
from fastqueens.explorer.page import course_data, page_in_one_file


def result_of(n, **options):
    return fastqueens.solve(n, moves=True, **options)


@pytest.fixture
def play(look_at, tmp_path):
    """Open the page of a search."""

    def play(result, address="", **window):
        data = course_data(result.trace, result.restarts, result.moves)
        file = tmp_path / "page.html"
        file.write_bytes(page_in_one_file(result.moves.first_boards[0], "moves.npz", data))
        view = look_at(file.as_uri() + address, **window)
        view.until_text("step-text", "Step 0")
        return view

    return play


def rows(view):
    return view.page.evaluate("Array.from(explorer.board.rows)")


def boards_of(result):
    """The board after each entry of the trace."""
    steps, starts = iter(result.moves.steps.tolist()), iter(result.moves.first_boards.tolist())
    for entry in range(len(result.trace.pairs)):
        if entry == 0 or entry in result.restarts:
            queens = next(starts)
        else:
            column, _, row = next(steps)
            queens[column] = row
        yield queens.copy()


def with_restarts():
    runs = (result_of(6, seed=seed) for seed in range(100))
    return next(result for result in runs if 1 < len(result.restarts) < 6)


@pytest.mark.parametrize(
    "make", [lambda: result_of(20, start="random", seed=4), with_restarts], ids=["plain", "restarts"]
)
def test_every_entry_shows_its_board_and_its_pairs(play, make):
    result = make()
    view = play(result)
    boards = list(boards_of(result))
    last = len(boards) - 1
    there_and_back = [*range(0, last + 1, max(1, last // 20)), last, last - 1, last // 2, 1, 0]
    for entry in there_and_back:
        view.page.evaluate("(entry) => explorer._player.go(entry)", entry)
        assert rows(view) == boards[entry]
        assert view.page.evaluate("explorer.board.pairs") == result.trace.pairs[entry]
        step = entry - sum(restart <= entry for restart in result.restarts)
        assert view.text("step-text").startswith(f"Step {step:,} of {result.steps:,}: ")
        pairs = int(result.trace.pairs[entry])
        assert view.text("step-text").endswith(f" {pairs:,} attacking pair{'' if pairs == 1 else 's'}.")
    attempts = sum("restart" in text for text in (step_text(view, entry) for entry in range(last + 1)))
    assert attempts == len(result.restarts)


def step_text(view, entry):
    view.page.evaluate("(entry) => explorer._player.go(entry)", entry)
    return view.text("step-text")


def test_single_steps_by_button_slider_and_key(play):
    result = result_of(30, start="random", seed=2)
    view = play(result)
    boards = list(boards_of(result))
    view.page.click("#forward")
    assert rows(view) == boards[1]
    column, before, after = result.moves.steps[0].tolist()
    assert f"column {column}, from row {before} to row {after}." in view.text("step-text")
    view.page.click("#forward")
    view.page.click("#back")
    assert rows(view) == boards[1]
    view.page.focus("#map")
    view.page.keyboard.press(".")
    assert rows(view) == boards[2]
    view.page.keyboard.press(",")
    assert rows(view) == boards[1]
    view.page.focus("#step")
    view.page.keyboard.press("End")
    assert rows(view) == boards[-1]
    assert view.text("step-text").endswith(" 0 attacking pairs.")
    view.page.click("#begin")
    assert rows(view) == boards[0]


def test_it_plays_to_the_end_and_lifts_the_queen(play):
    result = result_of(8, start="random", seed=6)
    assert 2 < result.steps < 60
    view = play(result)
    view.page.select_option("#speed", "5")
    view.page.focus("#map")
    view.page.keyboard.press("Space")
    assert view.page.get_attribute("#play", "aria-label") == "Pause"
    lifted = []

    def is_lifted():
        moving = view.page.evaluate("explorer._painter.moving")
        lifted.append(moving and moving["lift"] > 0.5)
        return lifted[-1]

    view.until(is_lifted)
    view.page.click("#play")
    assert view.page.get_attribute("#play", "aria-label") == "Play"
    view.page.select_option("#speed", "30")
    view.page.click("#play")
    view.until(lambda: view.page.get_attribute("#play", "aria-label") == "Play")
    assert rows(view) == result.queens.tolist()
    assert view.text("step-text").startswith(f"Step {result.steps} of {result.steps}: ")


def test_keys_of_the_player_work_wherever_the_focus_is(play):
    result = result_of(30, start="random", seed=2)
    view = play(result)
    boards = list(boards_of(result))
    view.page.click("#forward")
    view.page.keyboard.press(".")
    assert rows(view) == boards[2]
    view.page.keyboard.press("Space")
    assert rows(view) == boards[3]
    view.page.focus("#step")
    view.page.keyboard.press(",")
    assert rows(view) == boards[2]
    view.page.keyboard.press("ArrowRight")
    assert rows(view) == boards[3]
    view.page.focus("#speed")
    view.page.keyboard.press(".")
    assert rows(view) == boards[3]


def test_the_attackers_of_the_moved_queen_are_shown(play):
    view = play(result_of(30, start="random", seed=2))
    view.page.click("#forward")
    moving = view.page.evaluate("explorer._painter.moving")
    found = view.page.evaluate("explorer.board.linesOf(explorer._painter.moving.column)")
    assert moving["attackers"] == found["attackers"]
    assert moving["row"] == found["row"]


def test_a_queen_in_the_air_shows_who_attacks_the_square_below(play):
    result = result_of(30, start="random", seed=2)
    view = play(result)
    boards = list(boards_of(result))

    def attackers(queens, column):
        others = [(other, row) for other, row in enumerate(queens) if other != column]
        row = queens[column]
        return [list(one) for one in others if one[1] == row or abs(one[1] - row) == abs(one[0] - column)]

    for entry in range(1, 10):
        column = int(result.moves.steps[entry - 1][0])
        for time, queens in ((0.1, boards[entry - 1]), (0.5, None), (0.9, boards[entry])):
            view.page.evaluate(
                """([entry, time]) => {
                     const player = explorer._player;
                     player.go(entry - 1);
                     player._lift(player._course.moveInto(entry), time);
                   }""",
                [entry, time],
            )
            expected = [] if queens is None else attackers(queens, column)
            assert view.page.evaluate("explorer._painter.moving.attackers") == expected


def test_a_queen_has_landed_before_a_restart(play):
    result = with_restarts()
    view = play(result)
    entry = result.restarts[0] - 1
    view.page.evaluate(
        """(entry) => {
             const player = explorer._player;
             const lift = (time) => player._lift(player._course.moveInto(player._entry + 1), time);
             player.go(entry - 1);
             lift(0.6);
             player._forward();
             player._entry += 1;
             lift(0.01);
           }""",
        entry,
    )
    moving = view.page.evaluate("explorer._painter.moving")
    column, _, row = result.moves.steps[entry - 1].tolist()
    assert (moving["column"], moving["row"], moving["lift"]) == (column, row, 0)


def test_the_chosen_queen_and_the_verdict_are_those_of_the_shown_board(play):
    result = result_of(20, start="random", seed=4)
    view = play(result)
    column = int(result.moves.steps[-1][0])
    view.page.evaluate("(column) => explorer.choose(column)", column)
    boards = list(boards_of(result))
    for entry in (len(boards) - 1, 0, len(boards) // 2):
        view.page.evaluate("(entry) => explorer._player.go(entry)", entry)
        view.until_text("chosen-title", f"Queen in column {column}, row {boards[entry][column]}")
        pairs = int(result.trace.pairs[entry])
        state = "No solution at this step: attacking queens are drawn in red." if pairs else "A solution: no two queens"
        view.until_text("verdict", f"moves.npz, step by step. {state}")
        assert view.text("step-text").endswith(f" {pairs} attacking pair{'' if pairs == 1 else 's'}.")


def test_costs_of_the_moves_are_shown_on_small_boards(play):
    result = result_of(12, start="random", seed=3)
    view = play(result)
    assert view.page.evaluate("explorer._painter.costs") is None
    boards = list(boards_of(result))
    for entry in range(1, len(boards)):
        view.page.evaluate("(entry) => explorer._player.go(entry)", entry)
        view.settle()
        column = int(result.moves.steps[entry - 1][0])
        expected = fastqueens.move_costs(np.array(boards[entry]))[:, column].tolist()
        assert view.page.evaluate("explorer._painter.costs") == {"column": column, "costs": expected}
    view.page.evaluate("explorer.choose(7)")
    view.until_text("chosen-title", "column 7,")
    view.settle()
    expected = fastqueens.move_costs(np.array(boards[-1]))[:, 7].tolist()
    assert view.page.evaluate("explorer._painter.costs") == {"column": 7, "costs": expected}
    view.page.click("#forget")
    view.page.focus("#map")
    view.page.keyboard.press(",")
    view.settle()
    assert view.page.evaluate("explorer._painter.costs.column") == result.moves.steps[-2][0]


@pytest.mark.parametrize("rule", ["steepest", "min-conflicts"])
def test_a_climb_is_played(play, rule):
    """One with restarts, and one with steps in which the queen stays."""
    climbed = fastqueens.climb(8, rule=rule, limits=fastqueens.Limits(restarts=2), seed=5)
    restarts, moves = climbed.restarts, climbed.moves
    still = [step for step, (_, before, after) in enumerate(moves.steps.tolist()) if before == after]
    assert (len(restarts) > 1, len(still) > 1) == (rule == "steepest", rule == "min-conflicts")
    view = play(climbed)
    for entry, look in enumerate(climbed.looks()):
        view.page.evaluate("(entry) => explorer._player.go(entry)", entry)
        assert rows(view) == look.queens.tolist()
        assert view.page.evaluate("explorer.board.pairs") == look.cost
        step = entry - sum(restart <= entry for restart in restarts)
        first = view.page.evaluate("(step) => explorer._player._course.entryOf(step)", step)
        assert first == entry - (entry in restarts)
    for step in still[:3]:
        view.page.evaluate("(entry) => explorer._player.go(entry)", step + 1)
        assert f": column {moves.steps[step][0]}, the queen stays. " in view.text("step-text")
    # Backward over all of it, with the costs of the moves at each step.
    view.page.evaluate("explorer._player.go(Infinity)")
    boards = [look.queens for look in climbed.looks()]
    for entry, queens in reversed(list(enumerate(boards[:-1]))):
        view.page.click("#back")
        view.settle()
        assert rows(view) == queens.tolist()
        costs = view.page.evaluate("explorer._painter.costs")
        if costs:
            assert costs["costs"] == fastqueens.move_costs(queens)[:, costs["column"]].tolist()
        else:
            assert entry == 0 or entry in restarts


def test_the_address_of_a_search_leads_back_to_the_view(play):
    view = play(result_of(100, start="random", seed=2), "#20,30,5;queen=7")
    view.until_text("chosen-title", "column 7,")
    view.settle()
    assert view.zoom == pytest.approx(5)
    assert view.place(19.5, 29.5) == pytest.approx((640, 400), abs=1)


def test_the_curve_follows(play):
    view = play(result_of(200, start="random", seed=2))
    picture = "() => document.getElementById('curve').toDataURL()"
    before = view.page.evaluate(picture)
    view.page.focus("#step")
    view.page.keyboard.press("End")
    assert view.page.evaluate(picture) != before


@pytest.mark.parametrize(
    ("arguments", "ticks"),
    [([9, 3], [0, 5]), ([300, 3], [0, 100, 200, 300]), ([1, 3], [0, 1]), ([2500, 3, True], [0, 1, 10, 100, 1000])],
)
def test_ticks_of_the_curve(play, arguments, ticks):
    view = play(result_of(20, start="random", seed=4))
    assert view.page.evaluate("(given) => ticksUpTo(...given)", arguments) == ticks


def test_the_curve_is_linear_unless_logarithmic(play):
    view = play(result_of(200, start="random", seed=2))
    picture = "() => document.getElementById('curve').toDataURL()"
    place = """(isLogarithmic) => {
        const pen = document.getElementById("curve").getContext("2d"), course = explorer._player._course;
        const { y } = placesOf(pen, course, 400, 100, isLogarithmic);
        return (y(0) - y(course.most / 2)) / (y(0) - y(course.most));
    }"""
    assert view.page.evaluate(place, False) == pytest.approx(0.5)
    assert view.page.evaluate(place, True) > 0.7
    before = view.page.evaluate(picture)
    view.page.check("#log-curve")
    assert view.page.evaluate(picture) != before


def test_the_curve_is_labelled_and_has_the_same_colours_in_light_and_dark(play):
    result = with_restarts()
    view = play(result)
    texts = """() => {
        const canvas = document.getElementById("curve"), pen = canvas.getContext("2d"), texts = [];
        pen.fillText = (text) => texts.push(text);
        explorer._player.draw();
        return texts;
    }"""
    found = view.page.evaluate(texts)
    assert {"attacking pairs", "step", "0", str(result.steps // 10 * 10)} <= set(found)
    colours = """() => {
        const { width, height } = document.getElementById("curve");
        const { data } = document.getElementById("curve").getContext("2d").getImageData(0, 0, width, height);
        const pixels = new Uint32Array(data.buffer), seen = new Map();
        for (const pixel of pixels) if (pixel >>> 24 === 255) seen.set(pixel, (seen.get(pixel) || 0) + 1);
        const rgb = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255].join(" ");
        return Array.from(seen.keys(), rgb);
    }"""
    for _ in range(2):
        assert {"0 114 178", "220 0 36"} <= set(view.page.evaluate(colours))
        view.page.click("#theme")
        view.settle()


def test_a_search_on_a_million_queens_is_played(play):
    result = result_of(1_000_000, seed=1)
    view = play(result)
    view.page.focus("#step")
    view.page.keyboard.press("End")
    view.until(lambda: view.text("step-text").endswith(" 0 attacking pairs."))
    assert re.match(rf"Step {result.steps} of {result.steps}: ", view.text("step-text"))
    assert np.array_equal(np.array(rows(view)), result.queens)


@pytest.mark.parametrize("window", [(320, 568), (390, 844), (844, 390), (1280, 800)])
def test_the_whole_player_is_in_the_window(play, window):
    view = play(result_of(50, start="random", seed=2), viewport={"width": window[0], "height": window[1]})
    for part in view.page.locator("#player button, #player select, #player input").all():
        box = part.bounding_box()
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= window[0]
        assert box["y"] + box["height"] <= window[1]


@pytest.mark.parametrize("window", [(390, 844), (800, 700), (1280, 800)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_covers_anything_else(play, window, scheme):
    size = {"width": window[0], "height": window[1]}
    view = play(result_of(12, start="random", seed=3), viewport=size, color_scheme=scheme)
    view.page.evaluate("explorer.choose(4)")
    view.until_text("chosen-title", "column 4,")
    view.settle()
    boxes = [view.page.locator(part).bounding_box() for part in ("#panel", "#zoom", "#where", "#player")]
    for one, other in combinations(boxes, 2):
        across = min(box["x"] + box["width"] for box in (one, other)) - max(one["x"], other["x"])
        down = min(box["y"] + box["height"] for box in (one, other)) - max(one["y"], other["y"])
        assert min(across, down) <= 0, (one, other)
