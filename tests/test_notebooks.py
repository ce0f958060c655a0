"""The notebooks are stored without outputs, and results show themselves in one. `make docs` runs them all."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import fastqueens
from fastqueens.explorer.showing import MOST_IN_NOTEBOOK

NOTEBOOKS = sorted(Path(__file__).parents[1].glob("docs/notebooks/*.ipynb"))


def test_a_notebook_is_stored_without_outputs(subtests):
    for path in NOTEBOOKS:
        with subtests.test(path=path):
            notebook = nbformat.read(path, as_version=4)
            nbformat.validate(notebook)
            code = [cell for cell in notebook.cells if cell.cell_type == "code"]
            assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


#: Last lines of cells, and the output of each in addition to text.
SHOWN = {
    "fastqueens.solve(8, seed=1)": "image/png",
    "fastqueens.solve(100, seed=1).plot()": "image/png",
    "next(fastqueens.unique_puzzles(8, 1, seed=1))": "image/png",
    "fastqueens.poster(200, seed=1)": "image/jpeg",
    "fastqueens.study(8, runs=20, seed=1)": "text/html",
    "fastqueens.climb(8, seed=3)": "text/html",
    "fastqueens.animate(8, seed=1)": "text/html",
    "fastqueens.explore(8, seed=1)": "text/html",
    f"fastqueens.explore({MOST_IN_NOTEBOOK + 1}, seed=1)": "text/html",
}


def outputs_of_a_notebook():
    """Return what a notebook stores for each cell, by type."""
    root = str(Path(fastqueens.__file__).parents[1])
    sources = [f"import sys; sys.path.insert(0, {root!r}); import fastqueens", *SHOWN]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    _, *cells = notebook.cells
    outputs = [[output.data for output in cell.outputs if "data" in output] for cell in cells]
    assert all(len(output) == 1 for output in outputs)
    return {source: output[0] for source, output in zip(SHOWN, outputs, strict=True)}


@pytest.mark.gate
def test_a_notebook_shows_pictures_tables_animations_and_pages():
    shown = outputs_of_a_notebook()
    for source, kind in SHOWN.items():
        assert set(shown[source]) == {kind, "text/plain"}, source
        assert kind == "text/html" or len("".join(shown[source][kind].split())) <= 300_000, source
    study, climb, animation, page, larger = (data["text/html"] for data in shown.values() if "text/html" in data)
    assert ">steepest</td>" in study
    assert climb.count("<tr>") == 2
    assert "data:image/webp;base64," in animation
    assert page.startswith("<iframe srcdoc=")
    assert len(page) < 500_000
    assert f"{MOST_IN_NOTEBOOK + 1:,} queens" in larger
