"""The page in one file, its parts, and the command."""

import base64
import hashlib
import html
import json
import re
import zlib
from contextlib import nullcontext
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st
from lowered import lower
from processes import limited_file_size

import fastqueens
from fastqueens._run.arguments import SWEEPS
from fastqueens.errors import InputError
from fastqueens.explorer import page as pages
from fastqueens.explorer.page import ASSETS, about, page_in_one_file
from fastqueens.files import boards
from fastqueens.instance import make_instance
from fastqueens.pictures import chessboard, weave
from fastqueens.pictures.given import sweeps_for


class Elements(HTMLParser):
    """The elements of a page with their attributes and texts."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append([tag, dict(attributes), ""])

    def handle_data(self, data):
        if self.found:
            self.found[-1][2] += data

    def handle_endtag(self, tag):
        self.found.append(["", {}, ""])

    def of(self, tag):
        return [(attributes, text) for name, attributes, text in self.found if name == tag]


def unpacked(page, name):
    ((attributes, text),) = [script for script in Elements(page.decode()).of("script") if script[0].get("id") == name]
    width = int(attributes["data-bytes"])
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(width, -1)
    return (planes.astype(np.uint64) << (8 * np.arange(width, dtype=np.uint64)[:, None])).sum(axis=0, dtype=np.uint64)


@given(st.integers(1, 300).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
def test_a_page_holds_its_board(board):
    assert unpacked(page_in_one_file(np.array(board, np.int32)), "rows").tolist() == board


def test_a_million_queens_take_a_few_bytes_each():
    page = page_in_one_file(fastqueens.solve(1_000_000, seed=1).queens)
    assert len(page) < 3.8e6


@pytest.mark.parametrize("kernels", [True, False])
def test_a_page_requests_nothing_and_runs_only_its_own_scripts(kernels):
    queens = np.array([1, 3, 0, 2], np.int32)
    page = page_in_one_file(queens, "</script><script>alert(1)//<!--", kernels=kernels).decode()
    elements = Elements(page)
    assert all(attributes.get("src", "data:").startswith("data:") for _, attributes, _ in elements.found)
    assert all(attributes["href"].startswith("data:") for attributes, _ in elements.of("link"))
    policy = next(a["content"] for a, _ in elements.of("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; img-src data:; font-src data:; ")
    allowed = re.sub(r" '(sha256-[\w+/=]+|none)'", "", policy.partition("form-action ")[2])
    of_kernels = " 'wasm-unsafe-eval'; worker-src blob:" if kernels else ""
    assert allowed == f"'none'; script-src{of_kernels}; style-src"
    running = [text for attributes, text in elements.of("script") if "type" not in attributes]
    assert sorted(running) == sorted(ASSETS[name].read_text() for name in ASSETS if name.endswith(".js"))
    for text in (*running, *(text for _, text in elements.of("style"))):
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in html.unescape(policy)
    ((_, facts),) = [script for script in elements.of("script") if script[0].get("id") == "board"]
    assert json.loads(facts)["name"] == "</script><script>alert(1)//<!--"


def test_numbers_take_as_many_bytes_as_the_page_can_read(subtests):
    for largest in [0, 255, 2**24 - 1, 2**24, 2**32 - 1, 2**32]:
        with subtests.test(largest=largest):
            page = page_in_one_file(np.array([0], np.int32), "", {"pairs": np.array([0, largest, 1])})
            assert unpacked(page, "pairs").tolist() == [0, largest, 1]
            widths = [int(width) for width in re.findall(rb'data-bytes="(\d+)"', page)]
            assert widths == [3, 3 if largest < 2**24 else 4 if largest < 2**32 else 8, 1]


def test_screen_readers_find_labels_and_headings():
    elements = Elements(page_in_one_file(np.arange(8)).decode())
    for attributes, text in elements.of("button"):
        assert text.strip() or attributes.get("aria-label"), attributes
    ids = [attributes["id"] for _, attributes, _ in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert elements.of("html")[0][0]["lang"] == "en"


def test_every_id_that_the_scripts_use_is_in_the_page():
    ids = {attributes.get("id") for _, attributes, _ in Elements(page_in_one_file(np.arange(8)).decode()).found}
    scripts = "".join(path.read_text() for path in ASSETS.values() if path.suffix == ".js")
    used = set(re.findall(r'\$\("([\w-]+)"\)', scripts))
    assert len(used) > 20
    assert used <= ids


# The look is the same as in all pictures.


def test_every_colour_of_the_page_is_a_role():
    style, look, roles = (ASSETS[name].read_text() for name in ("explore.css", "look.js", "roles.css"))
    known = set(re.findall(r"--([\w-]+):", roles))
    used = {*re.findall(r"var\(--([\w-]+)\)", style), *re.findall(r'role\("(\w+)"\)', look)}
    used |= set(json.loads(re.search(r"names = (\[.+?\]);", look)[1]))
    assert {"rising", "falling", "density", "attack", "note"} < known
    assert used - known == set(re.findall(r"--([\w-]+):", style))


def constant(text, name):
    """Return a constant of a script: a number or a list."""
    return json.loads(re.search(rf"const {name} = (.+?);", text)[1])


def test_threads_and_dots_have_the_same_sizes_and_strengths_as_in_the_pictures():
    cloth, painter = (ASSETS[name].read_text() for name in ("cloth.js", "painter.js"))
    widths = constant(cloth, "WIDTHS")
    for n in (1, 8, 20, 60, 100, 400, 1000):
        expected = np.interp(n, *zip(*widths, strict=True))
        assert weave.width_of(n) == pytest.approx(expected)
    in_square, in_distance = (constant(painter, f"DOT_IN_{name}") for name in ("SQUARE", "DISTANCE"))
    for n in (8, 100, 10_000):
        assert weave.dot_of(n) == pytest.approx(max(in_square / n, in_distance / n**0.5))
    assert constant(painter, "LEAST_DOT") == weave.LEAST_DOT
    assert constant(ASSETS["queens.js"].read_text(), "RING") == weave.RING
    faintest, growth = (constant(painter, name) for name in ("FAINTEST", "GROWTH"))
    for share in (0.1, 0.5, 0.9):
        assert weave.strength_of(100 * (1 - share), 100) == pytest.approx(faintest + (1 - faintest) * share**growth)
    few, wide = (constant(cloth, name) for name in ("FEW_RED", "WIDE_RED"))
    for lines in (1, 3, 8, 20):
        assert weave.red_width(1000, lines) == pytest.approx(max(1, wide * 1000 * 2**0.5 * few / max(few, lines)))
    light, dark = chessboard._PALE_THREADS
    assert f"const PALE = {{ light: {light}, dark: {dark} }};" in cloth
    assert constant(painter, "PALE_UP_TO") == chessboard.LARGEST_WITH_SQUARES


def test_the_queen_is_the_same_as_in_the_pictures():
    look = ASSETS["look.js"].read_text()
    for name, points in (("crown", chessboard.CROWN), ("base", chessboard.BASE), ("balls", chessboard.BALLS)):
        found = re.search(rf"{name}: (\[\[.+?\]\]),\n", look, re.DOTALL)[1]
        assert json.loads(re.sub(r"\s+", "", found)) == [list(point) for point in points]
    assert f"ball: {chessboard.BALL_RADIUS}," in look


def test_a_page_carries_the_notices_of_leaflet_and_of_the_fonts():
    page, folder = page_in_one_file(np.arange(8)).decode(), ASSETS["leaflet.js"].parent
    assert (folder / "LICENSE").read_text() in page
    for font in ("Jost", "Fraunces"):
        assert f"The {font} Project Authors" in page
    version = re.search(r"Leaflet ([\d.]+),", (folder / "README.txt").read_text())[1]
    assert f"Leaflet {version}," in ASSETS["leaflet.js"].read_text()[:200]
    assert f"Leaflet {version}." in page


# The command


@pytest.mark.parametrize("name", ["four.html", "four.HTM"])
def test_a_board_from_a_file_becomes_a_page(run, name):
    fastqueens.write_board("four.txt", [1, 3, 0, 2])
    exit_code, output, _ = run("explore", "four.txt", "-o", name)
    assert exit_code == 0
    assert re.fullmatch(rf"Wrote {name} \(\d+\.\d kB\): 4 queens\.\n", output)
    page = Path(name).read_bytes()
    assert unpacked(page, "rows").tolist() == [1, 3, 0, 2]
    assert b'"name": "four.txt"' in page


def test_a_large_board_that_is_solved_for_the_page_is_mixed(run):
    solved = {mix: fastqueens.solve(10_000, seed=7, mix=mix).queens.tolist() for mix in (None, 2, SWEEPS)}
    for options, mix in ((), SWEEPS), (("--mix",), SWEEPS), (("--mix", "2"), 2):
        exit_code, output, _ = run("explore", "10000", "--seed", "7", *options, "-o", "page.html")
        assert (exit_code, "mixed" in output) == (0, mix is not None)
        assert unpacked(Path("page.html").read_bytes(), "rows").tolist() == solved[mix]
    fastqueens.write_board("board.npy", solved[None])
    assert run("explore", "board.npy", "-q", "-o", "page.html")[0] == 0
    assert unpacked(Path("page.html").read_bytes(), "rows").tolist() == solved[None]
    # An instance cannot be mixed.
    assert run("explore", "10000", "--seed", "7", "--block", "0,0", "-q", "-o", "page.html")[0] == 0
    fastqueens.explore(10_000, seed=7, mix=0, output="page.html")
    assert unpacked(Path("page.html").read_bytes(), "rows").tolist() == solved[None]


@pytest.mark.parametrize("arguments", [["--no-browser"], []])
def test_the_page_gets_a_new_name_in_the_current_folder_and_is_opened(run, opened, arguments):
    Path("queens-80.html").write_text("mine")
    Path("queens-80-3.html").symlink_to("nowhere")
    for number in (2, 4):
        exit_code, output, _ = run("explore", "80", "--seed", "1", *arguments)
        name = f"queens-80-{number}.html"
        assert (exit_code, opened) == (0, [Path(name).absolute().as_uri()] * (not arguments))
        assert re.fullmatch(rf"Wrote {name} \(\d+\.\d kB\): 80 queens, seed 1\.\n", output)
        assert Path(name).read_bytes() == page_in_one_file(fastqueens.solve(80, seed=1).queens)
        opened.clear()
    assert Path("queens-80.html").read_text() == "mine"
    assert not Path("nowhere").exists()


@pytest.mark.parametrize(
    ("board", "name"), [("four.txt", "four.html"), ("-", "queens-4.html"), ("far/a b.é.txt", "a b.é.html")]
)
def test_the_page_of_a_file_has_its_name(run, opened, stdin, board, name):
    Path("far").mkdir()
    for file in ("four.txt", "far/a b.é.txt"):
        fastqueens.write_board(file, [1, 3, 0, 2])
    if board == "-":
        stdin(b"1 3 0 2")
    assert run("explore", board, "-q") == (0, "", "")
    assert opened == [Path(name).absolute().as_uri()]
    assert unpacked(Path(name).read_bytes(), "rows").tolist() == [1, 3, 0, 2]


def test_a_search_is_played_on_its_instance(run, opened):
    run("solve", "8", "--method", "local", "--block", "0,0", "--trace", "m.npz", "--start", "random", "-q")
    assert run("explore", "m.npz", "--block", "0,0", "-q")[0] == 0
    page = Path("m.html").read_bytes()
    assert b'"search": "local search"' in page
    assert unpacked(page, "blocked").tolist() == [0, 0]


def test_a_climb_is_played_under_the_name_of_its_algorithm(run, opened):
    assert run("climb", "8", "--algorithm", "steepest", "--seed", "1", "-o", "climb.npz", "-q")[0] == 0
    assert run("explore", "climb.npz", "-q")[0] == 0
    assert b'"search": "steepest"' in Path("climb.html").read_bytes()


def test_without_a_browser_the_command_says_what_to_do(run, monkeypatch):
    monkeypatch.setattr("fastqueens.explorer.showing.open_page", lambda _: False)
    exit_code, output, _ = run("explore", "8")
    warning = "Warning: no browser was found; open queens-8.html in a browser."
    assert (exit_code, output.splitlines()[1:]) == (0, [warning])
    assert Path("queens-8.html").exists()


def test_a_page_that_cannot_be_finished_leaves_no_file(run, opened):
    with limited_file_size(1000):
        assert run("explore", "8")[0] == 2
    assert (opened, list(Path().iterdir())) == ([], [])


@pytest.mark.parametrize("is_mapped", [True, False])
def test_a_board_that_is_replaced_after_it_was_read_is_shown_as_it_was(run, is_mapped, monkeypatch):
    old, new = (fastqueens.solve(300_007, seed=seed).queens for seed in (1, 2))
    read_any = boards.read_any

    def read_and_replace(path, *options):
        found = read_any(path, *options)
        fastqueens.write_board(path, new)
        return found

    if is_mapped:
        lower(monkeypatch, mapped_bytes=1)
    fastqueens.write_board("board.npy", old)
    with monkeypatch.context() as patch:
        patch.setattr(boards, "read_any", read_and_replace)
        assert run("explore", "board.npy", "--no-browser", "-q")[0] == 0
    assert run("explore", "board.npy", "--no-browser", "-q")[0] == 0
    for name, queens in (("board.html", old), ("board-2.html", new)):
        assert unpacked(Path(name).read_bytes(), "rows").tolist() == queens.tolist()


def test_the_assets_are_part_of_the_package():
    assert all(path.is_file() for path in ASSETS.values())
    folder = ASSETS["explore.js"].parent
    others = {"index.html", "icon.svg", "kernels.wasm", "LICENSE", "README.txt"}
    assert {path for path in folder.rglob("*.*") if path.name not in others} == set(ASSETS.values())
    setup = (Path(__file__).parents[2] / "setup.cfg").read_text()
    folders = {path.parent.relative_to(Path(fastqueens.__file__).parent) for path in ASSETS.values()}
    assert all(f"{folder}/*" in setup for folder in folders)


# Instances


def an_instance():
    return make_instance(4, [(1, 3)], blocked=[(0, 0), (3, 1), (3, 0)], excluded_sums=[6], excluded_differences=[-3, 3])


def test_a_page_holds_its_instance():
    page = page_in_one_file(np.array([1, 3, 0, 2]), instance=an_instance())
    assert unpacked(page, "blocked").tolist() == [0, 3, 3, 0, 0, 1]
    assert unpacked(page, "fixed").tolist() == [1, 3]
    assert unpacked(page, "sums").tolist() == [6]
    assert unpacked(page, "differences").tolist() == [1, 7]
    assert b'"instance": {"fixed": 1, "blocked": 3, "diagonals": 3}' in page


def test_instances_that_do_not_fit_are_refused(monkeypatch):
    queens = np.array([1, 3, 0, 2])
    with check_error(InputError, "n = 4", "5 queens"):
        page_in_one_file(np.zeros(5, int), instance=an_instance())
    for most in (7, 6):
        monkeypatch.setattr(pages, "MOST_SQUARES_INSIDE", most)
        with nullcontext() if most == 7 else check_error(InputError, 6, 7):
            page_in_one_file(queens, instance=an_instance())


def test_the_command_takes_an_instance(run):
    Path("four.json").write_text('{"n": 4, "fixed": [[1, 3]], "blocked": [[0, 0]]}')
    fastqueens.write_board("four.txt", [1, 3, 0, 2])
    assert run("explore", "four.txt", "--instance", "four.json", "--exclude-sum", "6", "-q", "-o", "page.html")[0] == 0
    page = Path("page.html").read_bytes()
    assert unpacked(page, "blocked").tolist() == [0, 0]
    assert unpacked(page, "sums").tolist() == [6]
    # Without a board, the instance is solved.
    assert run("explore", "--instance", "four.json", "-q", "-o", "solved.html")[0] == 0
    assert unpacked(Path("solved.html").read_bytes(), "rows").tolist() == [1, 3, 0, 2]
    assert run("explore", "4", "--block", "0,1", "-q", "-o", "other.html")[0] == 0
    assert unpacked(Path("other.html").read_bytes(), "rows").tolist() == [2, 0, 3, 1]


# The sentence on why a board looks as it does


def test_a_mixed_board_has_the_limit_shape(subtests):
    for n in [20_000, 300_000]:
        with subtests.test(n=n):
            assert "corners" in about(fastqueens.solve(n, seed=1, mix=SWEEPS).queens)


def test_of_other_boards_nothing_is_claimed():
    n = 300_000
    rng = np.random.default_rng(1)
    for queens in (np.arange(n), np.zeros(n, int), rng.permutation(n), np.arange(n) * 2 % (n + 1) % n):
        assert about(queens) == ""
    assert about(fastqueens.solve(1000, seed=1, mix=SWEEPS).queens) == ""
    assert about(np.arange(4)) == ""


def test_large_boards_are_mixed_unless_told_otherwise():
    given = [(9_999, None), (10_000, None), (10**7, None), (10**7 + 1, None), (8, 3), (10**6, 0), (None, None)]
    assert [sweeps_for(*each) for each in given] == [None, SWEEPS, SWEEPS, None, 3, None, None]
