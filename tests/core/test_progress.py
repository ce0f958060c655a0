"""The line of progress=True: in terminals and notebooks, and nowhere else; the callbacks of every long call."""

import inspect
import os
import pty
import re
import subprocess
import sys
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

import fastqueens
from fastqueens.core import progress as module
from fastqueens.core.errors import OutOfTime, Stopped
from fastqueens.core.progress import Callbacks, shows_progress
from fastqueens.core.threads import all_cores

ROOT = Path(fastqueens.__file__).parents[1]

NO_WAIT = "from fastqueens.core import progress; progress.DELAY = progress.PAUSE = 0\n"

LONG_CALLS = {
    "solve": lambda **given: fastqueens.solve(1000, seed=1, **given).queens.tolist(),
    "climb": lambda **given: fastqueens.climb(8, seed=1, **given).steps,
    "min-conflicts": lambda **given: fastqueens.climb(8, rule="min-conflicts", seed=1, **given).steps,
    "study": lambda **given: fastqueens.study(8, "steepest", 100, seed=1, **given).rows,
    "sample": lambda **given: fastqueens.sample(8, 10, seed=1, **given).boards.tolist(),
    "estimate": lambda **given: fastqueens.estimate(8, replicas=4, seed=1, **given).replicas,
    "count_solutions": lambda **given: fastqueens.count_solutions(8, **given),
    "has_unique_solution": lambda **given: fastqueens.has_unique_solution(8, **given),
    "all_solutions": lambda **given: [queens.tolist() for queens in fastqueens.all_solutions(6, **given)],
    "puzzle": lambda **given: fastqueens.puzzle(20, 5, seed=1, **given).tolist(),
    "unique_puzzles": lambda **given: [made.nodes for made in fastqueens.unique_puzzles(8, 2, seed=1, **given)],
}


@pytest.fixture
def drawn(monkeypatch):
    """Return a list that gets the time and what is drawn then, at once; as if stderr were a terminal."""
    monkeypatch.setattr(module, "DELAY", 0)
    monkeypatch.setattr(module, "PAUSE", 0)
    drawn = []

    class Line:
        def __init__(self, is_notebook):
            assert not is_notebook

        def show(self, *state):
            drawn.append((module.time.monotonic(), *state))

        def close(self):
            drawn.append("removed")

    monkeypatch.setattr(module, "_Line", Line)
    monkeypatch.setattr(module, "_kind_of_output", lambda: (False, True))
    return drawn


@pytest.mark.parametrize("name", LONG_CALLS)
def test_a_long_call_draws_what_a_callable_gets_and_returns_the_same(name, drawn, monkeypatch, capfd):
    call, heard = LONG_CALLS[name], []
    expected = call(progress=lambda *state: heard.append(state))
    assert call(progress=True) == call(progress=False) == call() == expected
    assert {stage for stage, *_ in heard} == {state[1] for state in drawn if state != "removed"} != set()
    assert drawn.pop() == "removed"
    monkeypatch.setattr(module, "_kind_of_output", lambda: (False, False))
    drawn.clear()
    assert call(progress=True) == expected
    assert (drawn, capfd.readouterr()) == ([], ("", "")), "without a terminal, True draws nothing"


def test_every_public_function_that_reports_progress_can_draw_it():
    functions = dict(inspect.getmembers(fastqueens, inspect.isfunction))
    functions = {name: functions[name] for name in {*functions} & {*fastqueens.__all__}}
    reporting = {name for name, function in functions.items() if "progress" in inspect.signature(function).parameters}
    drawing = {name for name, function in functions.items() if hasattr(function, "__wrapped__")}
    assert reporting - drawing == {"has_unique_solution"}, "it passes it on"
    assert {*LONG_CALLS} - {"min-conflicts"} <= reporting


def test_the_line_is_removed_before_an_iterator_yields_and_after_an_error(drawn):
    solutions = fastqueens.all_solutions(8, progress=True)
    next(solutions)
    assert drawn[1:] == ["removed"] * len(drawn[:1])
    assert len(list(solutions)) == 91

    @shows_progress
    def failing(progress=None):
        progress("search", 1, 2)
        raise ValueError

    with pytest.raises(ValueError):
        failing(progress=True)
    assert drawn[-2][1:] == ("search", 1, 2)
    assert drawn[-1] == "removed"


@pytest.mark.parametrize(
    ("is_late", "stop", "error"),
    [
        (True, False, OutOfTime),
        (False, True, Stopped),
        (True, True, Stopped),
        (False, False, None),
    ],
)
def test_a_time_limit_is_told_from_a_stop(is_late, stop, error):
    callbacks = Callbacks(None, lambda: stop).within(lambda: is_late)
    for polled in (callbacks, callbacks.without_progress()):
        polled.poll("search", 1, 2, may_stop=False)
        with nullcontext() if error is None else pytest.raises(error) as caught:
            polled.poll("search", 1, 2)
        assert error is None or type(caught.value) is error


def test_callbacks_without_a_line_ignore_true(drawn, capfd):
    Callbacks(True).poll("search", 1, 2)
    assert drawn == []
    assert capfd.readouterr() == ("", "")


def shown_in_a_terminal(program, columns=100):
    """Run a program whose stderr is a terminal; return what that gets."""
    terminal, side_of_process = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": str(columns)}
    command = [sys.executable, "-c", NO_WAIT + program]
    process = subprocess.Popen(command, cwd=ROOT, stderr=side_of_process, env=environment)
    os.close(side_of_process)
    shown = b""
    with os.fdopen(terminal, "rb", 0) as output, suppress(OSError):  # Linux raises it at the end
        while piece := output.read(4096):
            shown += piece
    assert process.wait(60) == 0
    return shown


def test_a_terminal_shows_a_bar_and_then_nothing():
    shown = shown_in_a_terminal("import fastqueens; fastqueens.solve(3_000_000, seed=1, progress=True)")
    assert b"placement" in shown
    assert "⠋".encode() in shown, "a frame of the spinner"
    assert b"-:--:--" not in shown, "unknown times are left out"
    assert b"verification" in shown
    assert shown.rstrip().endswith(b"\x1b[2K"), "the line is removed"


def test_a_terminal_shows_share_rate_and_time_left():
    slow = "@progress.shows_progress\ndef slow(progress=None):\n for i in range(7):\n  progress('search', 10 * i, 300)"
    shown = shown_in_a_terminal(f"import time\n{slow}; time.sleep(0.05)\nslow(progress=True)").decode()
    assert re.search(r"search .* 20% \d+ pairs/s \d+ s, \d+ s left", re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown))


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 120])
def test_the_line_never_wraps(columns):
    program = (
        "import time\n@progress.shows_progress\ndef slow(progress=None):\n"
        " for stage in ('search', 'verification', 'writing ' + 'long-' * 12 + 'name.npy (detail)'):\n"
        "  for i in range(5):\n   progress(stage, i * 10**9, 10**10); time.sleep(0.02)\n"
        "slow(progress=True)"
    )
    shown = shown_in_a_terminal(program, columns).decode()
    assert shown.count("\x1b[1A") == 1, "only to remove it: rich goes up to draw several lines"
    lines = re.sub(r"\x1b\[[\d;?]*[A-JL-Za-z]", "", shown).replace("\r", "").split("\x1b[2K")
    assert max(len(line.strip()) for line in lines) <= columns
    searching = [line for line in lines if "search" in line]
    assert ("━" in searching[-1], "pairs/s" in searching[-1]) == (columns > 60, columns > 40)
    assert all(re.search(r" \d+%", line) for line in lines if line.strip())
    assert ("left" in searching[-1]) == (columns > 20)


def test_the_line_is_drawn_in_any_terminal():
    """An error in drawing would end the call."""
    program = (
        "\n@progress.shows_progress\ndef quick(progress=None): progress('search', 10**9, 10**10)\nquick(progress=True)"
    )
    for columns in (1, 6, 12):
        assert shown_in_a_terminal(program, columns)


COMPILING = "import fastqueens.core.progress as progress\nfor _ in range(2): progress.say_compiling({})"


def test_compiling_is_said_once_in_a_terminal(monkeypatch, capfd):
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    assert shown_in_a_terminal(COMPILING.format(True)).count(b"\n") == 1
    assert shown_in_a_terminal(COMPILING.format(False)).count(b"NUMBA_CACHE_DIR") == 1
    in_a_pool = "import os, multiprocessing\nmultiprocessing.parent_process = os.getppid\n"
    assert shown_in_a_terminal(in_a_pool + COMPILING.format(True)) == b""
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "this")
    assert shown_in_a_terminal(COMPILING.format(True)) == b""
    subprocess.run([sys.executable, "-c", COMPILING.format(True)], cwd=ROOT, check=True)
    assert capfd.readouterr() == ("", "")


@pytest.mark.gate
def test_python_says_that_it_compiles(monkeypatch, tmp_path):
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    program = "import fastqueens; fastqueens.attacking_pairs([0, 0]); fastqueens.solve(8, seed=1)"
    assert shown_in_a_terminal(program).count(b"compiles") == 1
    assert shown_in_a_terminal(program) == b""


@pytest.mark.gate
def test_a_notebook_shows_a_bar_without_other_packages():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    source = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{NO_WAIT}"
        "import IPython.display, fastqueens\n"
        "texts, display = [], IPython.display.display\n"
        "def noted(content, **options):\n"
        "    texts.append(content['text/plain'])\n"
        "    return display(content, **options)\n"
        "IPython.display.display = noted\n"
        "result = fastqueens.solve(3_000_000, seed=1, progress=True)\n"
        "print(texts)"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    bar, printed = notebook.cells[0].outputs
    assert bar["output_type"] == "display_data"
    assert bar["data"]["text/plain"] == "", "it is emptied"
    assert "%" in printed["text"]


def test_it_draws_at_most_ten_times_a_second(drawn, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module, "DELAY", 0.5)
    monkeypatch.setattr(module, "PAUSE", 0.1)
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])

    @shows_progress
    def search(progress=None):
        for tick in range(80):
            now[0] = tick / 100
            progress("search", tick, 2**62)

    search(progress=True)
    assert [time for time, *_ in drawn[:-1]] == pytest.approx([0.5, 0.6, 0.7], abs=0.02)
    assert drawn[0][1:] == ("search", 50, None)
    assert drawn[-1] == "removed"


def test_nothing_is_loaded_for_short_work(monkeypatch):
    monkeypatch.setattr(module, "_kind_of_output", lambda: (False, True))
    monkeypatch.setattr(module, "_Line", pytest.fail)
    assert fastqueens.solve(8, seed=1, progress=True, threads=all_cores()).solved


@pytest.mark.parametrize(("total", "shown"), [(10**8, 10**8), (2**61, 2**61), (2**61 + 1, None), (2**62, None)])
def test_a_search_without_a_limit_shows_no_share(total, shown):
    display = module.Display()
    display.report("complete search", 5, total)
    assert display._state == ("complete search", 5, shown)
