"""The kernels in a page, opened from a file without a network: the same results as in Python."""

import base64
import random

import numpy as np
import pytest

import fastqueens
from fastqueens.explorer.page import page_in_one_file

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
    for n, seed in [
        *((n, n) for n in range(4, 13)),
        *sizes(20),
        (2**18 - 1, 2**64 - 1),
        (2**18, 2**53 + 1),
        (2**18 + 1, 0),
    ]:
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
        "3, 1": "n must be a whole number from 4 to 10,000,000, not 3",
        "10000001, 1": "n must be a whole number from 4 to 10,000,000, not 10000001",
        "'eight', 1": "n must be a whole number from 4 to 10,000,000, not eight",
        "8": "the seed must be a whole number from 0 to 18446744073709551615, not undefined",
        "8, -1": "the seed must be a whole number from 0 to 18446744073709551615, not -1",
        "8, 1.5": "the seed must be a whole number from 0 to 18446744073709551615, not 1.5",
        "8, 2n ** 64n": "the seed must be a whole number from 0 to 18446744073709551615, not 18446744073709551616",
        "8, 'seven'": "the seed must be a whole number from 0 to 18446744073709551615, not seven",
        "8, 2 ** 53": "the seed must be a whole number from 0 to 18446744073709551615, not 9007199254740992; "
        "write one above 2^53 as a text or a BigInt",
    }.items():
        assert page.evaluate(f"fastqueens.solve({arguments}).catch((error) => error.message)") == message


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
    assert len(reports) == 1
    assert 0 < reports[0][0] < 1
    assert reports[0][1] == "placement"
    assert list(after["queens"]) == fastqueens.solve(8, seed=1).queens.tolist()


def test_attacking_pairs_are_those_of_python(page):
    draw = np.random.default_rng(1)
    for n in (1, 2, 63, 64, 65, 100_000):
        for most in (1, n):  # all queens on one row
            board = draw.integers(0, most, n)
            assert run(page, "pairs", board.tolist()) == fastqueens.attacking_pairs(board)


def test_without_kernels_the_page_says_why_it_cannot_solve(look_at, tmp_path):
    file = tmp_path / "page.html"
    file.write_bytes(page_in_one_file(np.array([1, 3, 0, 2]), kernels=False))
    page = look_at(file.as_uri()).page
    message = "This page has no kernels, so it cannot compute boards."
    assert page.evaluate("Engine.obstacle") == message
    assert page.evaluate("fastqueens.solve(8, 1).catch((error) => error.message)") == message


def test_a_board_that_does_not_fit_into_memory_is_refused(page):
    refused = """async () => {
        const kernels = new Kernels(await compiledKernels());
        try { kernels.begin("n = 8", 5e9); } catch (error) { return error.message; }
    }"""
    assert page.evaluate(refused) == "n = 8 needs 5,001 MB of memory, more than this browser gives"
