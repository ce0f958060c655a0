"""Tables: as text of a width that fits if possible, and as HTML."""

import re

from fastqueens._run.tables import Table

TABLE = Table(
    [("", "", "evaluations"), ("algorithm", "restarts", "")],
    {"n = 8": [("steepest", "", "56")], "n = 9": [("restart", "1.5", "1,234"), ("  known", "<2>", "")]},
)


def test_groups_have_titles_and_a_narrow_terminal_gets_narrow_gaps():
    assert TABLE.text(30) == TABLE.text()
    assert TABLE.text(26) == TABLE.text() != TABLE.text(25)
    assert TABLE.text(24) == TABLE.text(5) == TABLE.text(25)
    assert TABLE.text(24).splitlines()[:5] == [
        "             evaluations",
        "algorithm restarts",
        "",
        "n = 8",
        "steepest              56",
    ]


def test_a_notebook_gets_whole_names_and_escaped_cells():
    html = re.sub(' style="[^"]*"', "", TABLE.html())
    assert html.startswith("<table><tr><th>algorithm</th><th>restarts</th><th>evaluations</th></tr>")
    assert html.count("<tr>") == 1 + 2 + 3
    assert '<th colspan="3">n = 9</th>' in html
    assert "<td>  known</td><td>&lt;2&gt;</td><td></td></tr>" in html
