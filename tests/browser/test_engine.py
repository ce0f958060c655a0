"""The kernels in a page, opened from a file without a network: the same results as in Python."""

import base64
import random

import numpy as np
import pytest

import fastqueens
from fastqueens import count_solutions, make_instance, prove
from fastqueens._run.thresholds import USUAL
from fastqueens.classroom import algorithms, runs
from fastqueens.explorer.page import course_data, page_in_one_file
from fastqueens.kernels import climbing, plateau, tiles, tree
from fastqueens.placement import arrays
from fastqueens.placement import tiles as placement

#: Lets an engine work, and returns typed arrays in base64.
RUN = """async ([task, values, seed]) => {
    const packed = (array) => {
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        let text = "";
        for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
        return { type: array.constructor.name, base64: btoa(text) };
    };
    window.engine ??= new Engine();
    const found = await engine[task](...values, ...(seed === null ? [] : [BigInt(seed)]));
    if (ArrayBuffer.isView(found)) return packed(found);
    if (typeof found !== "object") return found;
    return Object.fromEntries(
        Object.entries(found).map(([name, value]) => [name, ArrayBuffer.isView(value) ? packed(value) : value]),
    );
}"""

TYPES = {"Uint32Array": "<u4", "Int32Array": "<i4"}


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """A page with kernels that can reach nothing but its file."""
    file = tmp_path_factory.mktemp("engine") / "page.html"
    file.write_bytes(page_in_one_file(np.array([1, 3, 0, 2])))
    context = browser.new_context()
    context.route("**/*", lambda route: route.continue_() if route.request.url.startswith("file:") else route.abort())
    page, errors = context.new_page(), []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert errors == []


def run(page, task, *values, seed=None):
    """Return the result of a task of the engine, with arrays of NumPy."""
    found = page.evaluate(RUN, [task, values, None if seed is None else str(seed)])
    if not isinstance(found, dict):
        return found
    return unpacked(found) if "base64" in found else {name: unpacked(value) for name, value in found.items()}


def unpacked(value):
    if not isinstance(value, dict):
        return value
    return np.frombuffer(base64.b64decode(value["base64"]), TYPES[value["type"]])


def check_board(page, n, seed):
    found, expected = run(page, "solve", n, seed=seed), fastqueens.solve(n, seed=seed, trace=False)
    assert np.array_equal(found["queens"], expected.queens), (n, seed)
    assert (found["steps"], found["restarts"], found["pairs"]) == (expected.steps, len(expected.restarts), 0)


def sizes(count):
    """Random n from 4 to a million, and seeds."""
    draw = random.Random(count)
    return [(round(4 * 250_000 ** draw.random()), draw.randrange(2**64)) for _ in range(count)]


def test_the_page_finds_the_boards_of_solve(page):
    small = [(n, seed) for n in range(4, 12) for seed in range(20)]  # with many restarts
    for n, seed in [*small, *sizes(20), (2**18 - 1, 2**64 - 1), (2**18, 2**53 + 1), (2**18 + 1, 0)]:
        check_board(page, n, seed)


@pytest.mark.gate
def test_the_page_finds_200_boards_of_solve_and_large_ones(page):
    for n, seed in [*sizes(200), *((2**22 + more, 7 + more) for more in (-1, 0, 1)), (10**7, 2**64 - 1)]:
        check_board(page, n, seed)


def test_the_console_solves_boards_and_takes_only_exact_seeds(page):
    expected = fastqueens.solve(1000, seed=2**64 - 1).queens.tolist()
    for seed in ("18446744073709551615n", "'18446744073709551615'"):
        assert page.evaluate(f"fastqueens.solve(1000, {seed}).then(({{ queens }}) => Array.from(queens))") == expected
    for arguments, message in {
        "3, 1": "the number of queens must be a whole number from 4 to 10,000,000, not 3",
        "10000001, 1": "the number of queens must be a whole number from 4 to 10,000,000, not 10000001",
        "'eight', 1": "the number of queens must be a whole number from 4 to 10,000,000, not eight",
        "8": "the seed must be a whole number from 0 to 18446744073709551615, not undefined",
        "8, -1": "the seed must be a whole number from 0 to 18446744073709551615, not -1",
        "8, 1.5": "the seed must be a whole number from 0 to 18446744073709551615, not 1.5",
        "8, 2n ** 64n": "the seed must be a whole number from 0 to 18446744073709551615, not 18446744073709551616",
        "8, 'seven'": "the seed must be a whole number from 0 to 18446744073709551615, not seven",
        "8, 2 ** 53": "the seed must be a whole number from 0 to 18446744073709551615, not 9007199254740992; "
        "write one above 2^53 as a text or a BigInt",
    }.items():
        assert page.evaluate(f"fastqueens.solve({arguments}).catch((error) => error.message)") == message


def test_the_drivers_use_the_numbers_of_python(page):
    numbers = {
        "GROUPS": USUAL.groups,
        "CUTS": [[*cut] for cut in USUAL.cuts[:2]],
        "DEALT": USUAL.dealt,
        "LEFT_OVER": USUAL.left_over,
        "LARGEST_PLATEAU": arrays._LARGEST_PLATEAU,
        "ROUNDS": [*placement._ROUNDS],
        "TRIES": [*placement._TRIES],
        "MISSED": algorithms._MISSED,
        "COLDEST": runs._COLDEST,
        "COOLING": fastqueens.Limits().cooling,
        "SCRATCH": tiles.SCRATCH,
        "STATE_LENGTH": plateau.STATE_LENGTH,
        "TREE_STATE_LENGTH": tree.STATE_LENGTH,
        "CLIMB_STATE_LENGTH": climbing.CLIMB_STATE_LENGTH,
        "CURSOR_LENGTH": climbing.CURSOR_LENGTH,
        "OUTCOME_LENGTH": climbing.OUTCOME_LENGTH,
    }
    assert page.evaluate(f"({{ {', '.join(numbers)} }})") == numbers


def test_tasks_wait_for_each_other_and_can_be_stopped(page):
    stopped = """async (limit) => {
        const engine = new Engine(), reports = [], error = ({ isStopped }) => isStopped;
        const first = engine.solve(10_000_000, 1n, (share, stage) => {
            reports.push([share, stage]);
            if (reports.length === limit) engine.stop();
        }).catch(error);
        const second = engine.solve(8, 1n).catch(error);
        return [await first, await second, reports, await engine.solve(8, 1n)];
    }"""
    first, second, reports, after = page.evaluate(stopped, 1)
    assert (first, second) == (True, True)
    ((share, stage),) = reports
    assert 0 < share < 1
    assert stage == "placement"
    assert list(after["queens"]) == fastqueens.solve(8, seed=1).queens.tolist()


def test_without_kernels_the_page_says_why_it_cannot_solve(look_at, tmp_path):
    file = tmp_path / "page.html"
    file.write_bytes(page_in_one_file(np.array([1, 3, 0, 2]), kernels=False))
    page = look_at(file.as_uri()).page
    message = "This page has no kernels, so it cannot compute boards."
    assert page.evaluate("Engine.obstacle") == message
    assert page.evaluate("fastqueens.solve(8, 1).catch((error) => error.message)") == message


def test_a_board_that_does_not_fit_into_memory_is_refused(page):
    refused = """async () => {
        const kernels = new Kernels(await WebAssembly.compile(await inflated("kernels")));
        try { kernels.begin("n = 8", 5e9); } catch (error) { return error.message; }
    }"""
    assert page.evaluate(refused) == "n = 8 needs 5,001 MB of memory, more than this browser gives"


ALGORITHMS = ("steepest", "sideways", "restart", "min-conflicts", "annealing", "stochastic", "first-choice")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_climbs_are_those_of_python(page, algorithm):
    for seed in range(20):
        n = 4 + seed
        found, expected = (
            run(page, "climb", n, algorithm, seed=seed),
            fastqueens.climb(n, algorithm=algorithm, seed=seed),
        )
        data = course_data(expected.trace, expected.restarts, expected.moves)
        for name, array in {**data, "queens": expected.queens}.items():
            assert np.array_equal(found[name], np.ravel(array)), (name, n, seed)
        assert found["solved"] == expected.solved


def test_a_search_that_a_page_cannot_play_is_refused(page):
    message = (
        "a page plays at most 2,000,000 steps, and as many queens on first boards, and this search has more; try a "
        "smaller n or another algorithm"
    )
    refused = "new Engine().climb(600, 'annealing', 1n).catch((error) => error.message)"
    assert page.evaluate(refused) == message


def instances(count):
    """Random instances of n queens, some of which have a solution."""
    draw = random.Random(count)
    for _ in range(count):
        n = draw.choice((4, 8, 12, 16, 17, 20, 30, 32, 33, 40, 64))
        queens = fastqueens.solve(n, seed=draw.randrange(100)).queens
        fixed = {column: int(queens[column]) for column in draw.sample(range(n), draw.randrange(n // 2 + 1))}
        squares = {(draw.randrange(n), draw.randrange(n)) for _ in range(draw.randrange(2 * n))}
        blocked = [square for square in squares if fixed.get(square[0]) != square[1]]
        sums = set(draw.sample(range(2 * n - 1), 2)) - {column + row for column, row in fixed.items()}
        differences = set(draw.sample(range(1 - n, n), 2)) - {row - column for column, row in fixed.items()}
        yield make_instance(n, fixed, blocked=blocked, excluded_sums=sums, excluded_differences=differences)


def given(instance):
    """An instance as the engine takes it."""
    return {
        "fixed": instance.fixed.squares.tolist()[::-1],
        "blocked": instance.blocked.tolist()[::-1],
        "sums": instance.excluded_sums.tolist(),
        "differences": instance.excluded_differences.tolist(),
    }


def smallest_instances():
    """Boards with few columns or none without a fixed queen."""
    queens = fastqueens.solve(8, seed=1).queens.tolist()
    yield from (make_instance(n) for n in range(1, 5))
    yield from (make_instance(8, dict(enumerate(queens[:fixed]))) for fixed in (7, 8))


def test_completions_proofs_and_counts_are_those_of_python(page):
    endings = set()
    for seed, instance in enumerate([*smallest_instances(), *instances(60)]):
        found, expected = run(page, "complete", instance.n, given(instance), seed=seed), prove(instance, seed=seed)
        assert (found["queens"] is not None) == expected.solvable
        if expected.solvable:
            assert np.array_equal(found["queens"], expected.queens), instance
        assert found["nodes"] == max(1, expected.nodes)  # 0 if a line has no open square
        assert run(page, "count", instance.n, given(instance), 1000) == count_solutions(instance, limit=1000)
        endings.add(expected.solvable)
    assert endings == {True, False}


@pytest.mark.parametrize(
    "constraints",
    [
        {"fixed": [[0, 0], [5, 5]]},
        {"fixed": [[0, 0], [5, 0]]},
        {"fixed": [[0, 5], [5, 0]]},
        {"fixed": [[3, 3]], "blocked": [[3, 3]]},
        {"fixed": [[3, 3]], "sums": [6]},
        {"fixed": [[3, 2]], "differences": [-1]},
    ],
)
def test_contradictory_queens_have_no_completion(page, constraints):
    instance = {"fixed": [], "blocked": [], "sums": [], "differences": [], **constraints}
    assert run(page, "complete", 8, instance, seed=1) == {"queens": None, "nodes": 0}
    assert run(page, "count", 8, instance, 2) == 0
