"""The bar of solve(progress=True): in terminals and notebooks, and nowhere else."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import fastqueens
from fastqueens.core import progress_bar as module
from fastqueens.core.progress_bar import progress_bar
from fastqueens.core.threads import all_cores

ROOT = Path(fastqueens.__file__).parents[1]


def report(*arguments):
    pass


@pytest.mark.parametrize(("given", "expected"), [(None, None), (False, None), (report, report), (True, None)])
def test_what_reports_progress_without_a_terminal(given, expected):
    with progress_bar(given) as found:
        assert found is expected


@pytest.mark.parametrize("progress", [True, False, None, report])
def test_the_result_does_not_depend_on_it(progress, capfd):
    assert fastqueens.solve(1000, seed=1, progress=progress).queens.tolist() == (
        fastqueens.solve(1000, seed=1).queens.tolist()
    )
    assert capfd.readouterr() == ("", "")


def test_a_terminal_shows_a_bar_and_then_nothing():
    program = (
        "from fastqueens.core import progress_bar; progress_bar.DELAY = progress_bar.PAUSE = 0\n"
        "import fastqueens; fastqueens.solve(3_000_000, seed=1, progress=True)"
    )
    terminal, side_of_process = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stderr=side_of_process, env=environment)
    os.close(side_of_process)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    assert process.wait(60) == 0
    assert b"placement" in shown
    assert "⠋".encode() in shown, "a frame of the spinner"
    assert b"-:--:--" not in shown, "unknown times are left out"
    assert b"verification" in shown
    assert shown.rstrip().endswith(b"\x1b[2K"), "the line is removed"


def test_a_notebook_shows_a_bar_without_other_packages():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    source = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from fastqueens.core import progress_bar; progress_bar.DELAY = progress_bar.PAUSE = 0\n"
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


def test_it_draws_at_most_ten_times_a_second(monkeypatch):
    now = [0.0]
    drawn = []
    line = type(
        "Line", (), {"show": lambda _, state: drawn.append((now[0], *state)), "close": lambda _: drawn.append(0)}
    )
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(module, "_kind_of_line", lambda: line)
    with progress_bar(True) as shown:
        for tick in range(80):
            now[0] = tick / 100
            shown("search", tick, 2**62)
    assert [time for time, *_ in drawn[:-1]] == pytest.approx([0.5, 0.6, 0.7], abs=0.02)
    assert drawn[0][1:] == ("search", 50, None)
    assert drawn[-1] == 0


def test_nothing_is_loaded_for_short_work(monkeypatch):
    monkeypatch.setattr(module, "_kind_of_line", lambda: pytest.fail)
    assert fastqueens.solve(8, seed=1, progress=True, threads=all_cores()).solved
