"""Names of files with line ends, tabs and other control characters, in errors, reports and the progress line."""

import errno
import os
from pathlib import Path

import pytest
from errors import check_names
from systems import on_posix

import fastqueens
from fastqueens.files import text
from fastqueens.files.boards import write_board

#: A name for which a file exists, and one without a file; how messages show both.
ODD, MISSING = "\x1b[2Ja\nb\tc\r\x7f", "\x1b[2Jno\nb\tc\r\x7f"
SHOWN = r"b\tc\r\x7f"

BOARD, TRACE, SEVERAL, INSTANCE = (ODD + suffix for suffix in (".txt", ".csv", ".2.txt", ".json"))

#: Reports on files that are read or written, and errors about those that cannot be.
REPORTS = (
    ["verify", BOARD, "-v"],
    ["solve", "8", "-o", f"{ODD}.npy", "--trace", f"{ODD}.npz", "--plot", f"{ODD}.svg"],
    ["list", "8", "-o", f"{ODD}.txt"],
    ["random", "8", "-o", BOARD],
    ["show", BOARD, "-o", f"{ODD}.svg"],
    ["sample", "8", "-o", BOARD],
    ["plot", TRACE, "-o", f"{ODD}.svg"],
    ["puzzle", "8", "-o", INSTANCE],
    ["batch", INSTANCE, "-o", f"{ODD}.jsonl"],
)
ERRORS = (
    *(["verify", f"{MISSING}{suffix}"] for suffix in ("", ".txt", ".npy", ".json")),
    ["verify", ODD],
    ["verify", BOARD, "--instance", MISSING],
    ["verify", BOARD, "--queens-file", f"{MISSING}.csv"],
    ["show", SEVERAL, "-o", "q.png"],
    ["show", MISSING],
    ["solve", "--file", BOARD, "-o", f"{ODD}/q.npy"],
    ["solve", "-o", f"{MISSING}.odd"],
    ["solve", "-o", f"{MISSING}.png"],
    ["solve", MISSING],
    ["solve", f"{ODD}.txt"],
    ["solve", f"--{ODD}"],
    ["solve", "8", "--start", ODD],
    ["solve", "--instance", TRACE],
    ["batch", MISSING],
    ["count", "8", "--checkpoint", f"{ODD}.txt"],
    ["plot", BOARD, "-o", "q.png"],
    ["statistics", BOARD, "-o", BOARD],
    ["descend", MISSING],
    ["climb", "--algorithm", ODD],
    [ODD],
)


@pytest.fixture
def odd_files(run):
    """Write the files into the folder in which commands run."""
    write_board(BOARD, [1, 3, 0, 2])
    fastqueens.write_trace(TRACE, fastqueens.solve(8, seed=1, trace=True).trace)
    for name, content in ((ODD, "no board"), (SEVERAL, "1 3 0 2\n2 0 3 1\n"), (INSTANCE, '{"n": 8}')):
        Path(name).write_text(content)


def check_shown(text):
    assert SHOWN in text
    assert all(letter.isprintable() or letter == "\n" for letter in text), text


@on_posix
def test_reports_escape_control_characters(run, odd_files, subtests):
    for words in REPORTS:
        with subtests.test(" ".join(words)):
            exit_code, stdout, stderr = run(*words)
            assert exit_code == 0
            check_shown(stdout + stderr)
            assert "\nb" not in stdout + stderr


@on_posix
def test_errors_escape_control_characters(run, odd_files, subtests):
    for words in ERRORS:
        with subtests.test(" ".join(words)):
            exit_code, stdout, stderr = run(*words)
            assert (exit_code, stdout) == (2, "")
            usage, _, error = stderr.rpartition("Error: ")
            check_shown(error)
            assert usage[:6] in ("", "Usage:")
            assert error.partition("Accepted forms of boards")[0].count("\n") == 1


RESERVED = {
    "solve 8 -o con.txt": "con.txt",
    "solve 8 --trace Aux.csv -q": "Aux.csv",
    "random 8 -o folder/nul.npy": "folder/nul.npy",
    "show --board 1302 -o lpt1.png": "lpt1.png",
    "explore 8 -o con.page.html": "con.page.html",
    "count 8 --checkpoint prn.sqlite": "prn.sqlite",
    "batch entries.jsonl -o com1.jsonl": "com1.jsonl",
    "verify con:": "con:",
    "solve --file NUL": "NUL",
}


def realpath_of_windows(path, realpath=os.path.realpath, **options):
    """Fail as on Windows, where these names have no path."""
    if Path(path).name.partition(".")[0].lower() in text._RESERVED:
        raise OSError(errno.EINVAL, "Invalid handle", path)
    return realpath(path, **options)


@pytest.mark.parametrize("words", RESERVED)
def test_names_that_windows_reserves_for_devices_are_refused_there(run, monkeypatch, words):
    monkeypatch.setattr(text, "_HAS_RESERVED_NAMES", True)
    monkeypatch.setattr(os.path, "realpath", realpath_of_windows)
    Path("entries.jsonl").write_text('{"n": 8}\n')
    exit_code, stdout, stderr = run(*words.split())
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, RESERVED[words], "Windows reserves the name")
    assert os.listdir() == ["entries.jsonl"]


@pytest.mark.parametrize("name", ["console.txt", "x.con", "com10.npy", "nul-1.txt", "con/q.txt"])
def test_other_names_are_not_reserved(monkeypatch, name):
    monkeypatch.setattr(text, "_HAS_RESERVED_NAMES", True)
    assert text.checked_name(name) == name
