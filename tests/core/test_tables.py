"""Tables: nothing is cut at any width, and they are stacked only if they have to be."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastqueens.core.tables import Table, block

CELLS = st.text("ab1.", min_size=1, max_size=9)

TABLE = Table(
    [("", "re-", "evalu-"), ("rule", "starts", "ations")],
    {"n = 8": [("steepest", "", "56")], "n = 9": [("restart", "1.5", "1,234"), ("  known", "<2>", "")]},
    gap=1,
)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=4), st.integers(1, 60) | st.none())
def test_no_cell_is_lost_at_any_width(rows, width):
    table = Table([("one", "two", "three")], {"": rows})
    text, whole = table.text(width), table.text()
    longest = max(map(len, whole.splitlines()))
    assert Counter(word for row in rows for word in row) <= Counter(text.split())
    narrow = Table([("one", "two", "three")], {"": rows}, gap=1).text()
    if width is None or width >= longest:
        assert text == whole
    elif width >= max(map(len, narrow.splitlines())):
        assert text == narrow
    else:
        assert all(len(line) <= width or len(line.split()) < 3 for line in text.splitlines())
        assert text.count("three") == len(rows)


def test_a_table_is_stacked_if_it_is_wider_than_the_terminal():
    whole = TABLE.text()
    longest = max(map(len, whole.splitlines()))
    assert [TABLE.text(longest + more) == whole for more in (-1, 0, 1)] == [False, True, True]
    assert whole.splitlines()[:5] == [
        "            re- evalu-",
        "rule     starts ations",
        "",
        "n = 8",
        "steepest            56",
    ]


def test_the_blocks_of_a_stacked_table_have_whole_names_and_no_empty_cells():
    assert TABLE.text(21).split("\n\n") == [
        "n = 8",
        "rule         steepest\nevaluations  56",
        "n = 9",
        "rule         restart\nrestarts     1.5\nevaluations  1,234",
        "rule         known\nrestarts     <2>",
    ]


def test_a_notebook_gets_whole_names_and_escaped_cells():
    html = re.sub(' style="[^"]*"', "", TABLE.html())
    assert html.startswith("<table><tr><th>rule</th><th>restarts</th><th>evaluations</th></tr>")
    assert html.count("<tr>") == 1 + 2 + 3
    assert '<th colspan="3">n = 9</th>' in html
    assert "<td>  known</td><td>&lt;2&gt;</td><td></td></tr>" in html


@pytest.mark.parametrize(("width", "lines"), [(None, 1), (26, 1), (25, 1), (24, 2), (20, 2), (19, 3)])
def test_the_text_of_a_name_is_wrapped_only_in_a_terminal(width, lines):
    text = block([("name", "one two-three four"), ("empty", "")], width)
    assert len(text.splitlines()) == lines
    assert text.split() == ["name", "one", "two-three", "four"]
