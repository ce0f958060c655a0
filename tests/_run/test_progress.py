"""The line of progress=True: in terminals and notebooks, and nowhere else; the callbacks of every long call."""

import inspect
import os
import re
import subprocess
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from processes import open_terminal

import fastqueens
from fastqueens._run import progress as module
from fastqueens._run.progress import Callbacks, shows_progress
from fastqueens.errors import Stopped, TimeLimitReached

ROOT = Path(fastqueens.__file__).parents[1]

NO_WAIT = "from fastqueens._run import progress; progress.DELAY = progress.PAUSE = 0.01\n"

LONG_CALLS = {
    "solve": lambda **given: fastqueens.solve(1000, seed=1, **given).queens.tolist(),
    "climb": lambda **given: fastqueens.climb(8, seed=1, **given).steps,
    "min-conflicts": lambda **given: fastqueens.climb(8, algorithm="min-conflicts", seed=1, **given).steps,
    "study": lambda **given: fastqueens.study(8, "steepest", 100, seed=1, **given).rows,
    "sample": lambda **given: fastqueens.sample(8, 10, seed=1, **given).boards.tolist(),
    "estimate": lambda **given: fastqueens.estimate(8, replicas=4, seed=1, **given).replicas,
    "count_solutions": lambda **given: fastqueens.count_solutions(8, **given),
    "has_unique_solution": lambda **given: fastqueens.has_unique_solution(8, **given),
    "all_solutions": lambda **given: [queens.tolist() for queens in fastqueens.all_solutions(6, **given)],
    "puzzle": lambda **given: fastqueens.puzzle(20, 5, seed=1, **given).fixed.tolist(),
    "unique_puzzles": lambda **given: [made.nodes for made in fastqueens.unique_puzzles(8, 2, seed=1, **given)],
}


@pytest.fixture
def drawn(monkeypatch):
    """Return a list that receives the drawn lines, without a thread or a delay, as if stderr were a terminal."""
    drawn = []

    class Drawn(module.Display):
        def open(self):
            pass

        def report(self, *state):
            drawn.append(state)

        def clear(self):
            drawn.append("removed")

    monkeypatch.setattr(module, "Display", Drawn)
    monkeypatch.setattr(module, "_can_redraw", lambda: True)
    return drawn


def test_a_long_call_draws_what_a_callable_gets_and_returns_the_same(subtests, drawn):
    for name in LONG_CALLS:
        with subtests.test(name=name):
            call, heard = LONG_CALLS[name], []
            drawn.clear()
            expected = call(progress=lambda *state: heard.append(state))  # noqa: B023
            assert call(progress=True) == call(progress=False) == call() == expected
            assert {stage for stage, *_ in heard} == {state[0] for state in drawn if state != "removed"} != set()
            assert drawn.pop() == "removed"


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
    assert drawn[-1] == "removed"
    assert len(list(solutions)) == 91

    @shows_progress
    def failing(progress=None):
        progress("search", 1, 2)
        raise ValueError

    with pytest.raises(ValueError):
        failing(progress=True)
    assert drawn[-2] == ("search", 1, 2)
    assert drawn[-1] == "removed"


ENDS = [
    (True, False, TimeLimitReached),
    (False, True, Stopped),
    (True, True, Stopped),
    (False, False, None),
]


def test_a_time_limit_is_told_from_a_stop(subtests):
    for is_late, stop, error in ENDS:
        with subtests.test(is_late=is_late, stop=stop, error=error):
            callbacks = Callbacks(None, lambda: stop).within(lambda: is_late)  # noqa: B023
            for polled in (callbacks, callbacks.without_progress()):
                polled.poll("search", 1, 2, may_stop=False)
                with nullcontext() if error is None else pytest.raises(error) as caught:
                    polled.poll("search", 1, 2)
                assert error is None or type(caught.value) is error


def shown_in_a_terminal(program, columns=100, before=NO_WAIT):
    """Run a program whose stderr is a terminal; return the text on the terminal."""
    terminal, side_of_process = open_terminal()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": str(columns)}
    command = [sys.executable, "-c", before + program]
    process = subprocess.Popen(command, cwd=ROOT, stderr=side_of_process, env=environment)
    os.close(side_of_process)
    shown = b""
    with os.fdopen(terminal, "rb", 0) as output, suppress(OSError):  # Linux raises it at the end
        while piece := output.read(4096):
            shown += piece
    assert process.wait(60) == 0
    return shown


SLOW = """
import time
@progress.shows_progress
def slow(progress=None):
    for stage in ("search", "verification", "writing " + "long-" * 12 + "name.npy (detail)"):
        for part in range(5):
            progress(stage, part * 10**9, 10**10)
            time.sleep(0.02)
slow(progress=True)
"""


def test_the_line_shows_share_and_times_never_wraps_and_is_removed(subtests):
    for columns in (20, 80):
        with subtests.test(columns=columns):
            shown = shown_in_a_terminal(f"import rich.progress{SLOW}", columns).decode()
            assert shown.count("\x1b[1A") == 1, "only to remove it: rich goes up to draw several lines"
            assert shown.rstrip().endswith("\x1b[2K"), "the line is removed"
            lines = re.sub(r"\x1b\[[\d;?]*[A-JL-Za-z]", "", shown).replace("\r", "").split("\x1b[2K")
            assert max(len(line.strip()) for line in lines) <= columns
            searching = [line for line in lines if "search" in line]
            assert re.search(r"search ━.* \d+%" + r" \d:\d\d:\d\d \d:\d\d:\d\d" * (columns > 20), searching[-1])


def test_drawing_that_fails_does_not_end_the_work():
    for columns in (1, 6):
        assert shown_in_a_terminal(SLOW, columns)
    no_rich = "import sys; sys.modules['rich.console'] = None\n"
    assert shown_in_a_terminal(no_rich + SLOW) == b""


@pytest.mark.parametrize("legacy_windows", [True, False])
def test_a_console_that_would_print_codes_gets_none(monkeypatch, legacy_windows):
    """The message about a signal follows the line; rich knows which consoles of Windows obey codes."""
    monkeypatch.setattr(module, "_can_redraw", lambda: True)
    display = module.Display()
    display._line = SimpleNamespace(console=SimpleNamespace(legacy_windows=legacy_windows))
    with display.covered() as erasure:
        assert ("\x1b" in erasure) == (not legacy_windows)


def test_nothing_is_drawn_of_quick_work_and_without_a_terminal():
    quick = "import fastqueens; fastqueens.solve(8, seed=1, progress=True)"
    assert shown_in_a_terminal(quick, before="") == b""
    without = [sys.executable, "-c", NO_WAIT + SLOW]
    done = subprocess.run(without, cwd=ROOT, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


COMPILING = "from fastqueens._run import progress; progress.say_compiling(progress.COMPILING)"


def test_compiling_is_said_in_a_terminal(monkeypatch, capfd):
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    assert shown_in_a_terminal(COMPILING).count(b"Compiling") == 1
    in_a_pool = "import os, multiprocessing\nmultiprocessing.parent_process = os.getppid\n"
    assert shown_in_a_terminal(in_a_pool + COMPILING) == b""
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "this")
    assert shown_in_a_terminal(COMPILING) == b""
    subprocess.run([sys.executable, "-c", COMPILING], cwd=ROOT, check=True)
    assert capfd.readouterr() == ("", "")


@pytest.mark.gate
def test_python_says_that_it_compiles(monkeypatch, tmp_path):
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    program = "from fastqueens._jit import library; library.FOLDER /= 'none'\n"  # without libraries of the package
    program += "import fastqueens; fastqueens.attacking_pairs([0, 0]); fastqueens.solve(8, seed=1)"
    assert shown_in_a_terminal(program).count(b"Compiling") == 1
    assert shown_in_a_terminal(program) == b""


@pytest.mark.gate
def test_a_notebook_shows_a_bar_without_other_packages():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{NO_WAIT}{SLOW}")]
    )
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert {output["name"] for output in notebook.cells[0].outputs} == {"stderr"}
    assert "40%" in "".join(output["text"] for output in notebook.cells[0].outputs)


def test_a_search_without_a_limit_shows_no_share(subtests):
    for total, shown in [(10**8, 10**8), (2**61, 2**61), (2**61 + 1, None), (2**62, None)]:
        with subtests.test(total=total, shown=shown):
            display = module.Display()
            display.report("complete search", 5, total)
            assert display._state == ("complete search", 5, shown)
