"""Tab completion, by click's protocol, and typed into bash, zsh and fish where they are installed."""

import os
import shlex
import shutil
import subprocess
import sys
from functools import partial

import pytest
from click.shell_completion import ShellComplete
from processes import REPOSITORY, open_terminal, read_until, wait_for

from fastqueens._run.arguments import METHODS, STARTS
from fastqueens.classroom.algorithms import ALGORITHMS, MOVES, ONE_QUEEN_ALGORITHMS
from fastqueens.cli.app import cli
from fastqueens.pictures.palettes import PALETTES, STYLES
from fastqueens.pictures.paper import ORIENTATIONS, PAPERS

ALL = [*ALGORITHMS, "all"]


def offered(line):
    """Return what completes the last word of a line, and the kinds of it."""
    *words, last = line.split(" ")
    found = ShellComplete(cli, {}, "fastqueens", "_FASTQUEENS_COMPLETE").get_completions(words, last)
    return [item.value for item in found], {item.type for item in found}


def test_values_are_offered():
    for line, values in {
        "climb --algorithm ": ALL,
        "study --algorithms steepest,side": ["steepest,sideways"],
        "study --algorithms steepest,": [f"steepest,{algorithm}" for algorithm in ALL],
        "animate --algorithm ": ONE_QUEEN_ALGORITHMS,
        "animate --size ": ["square", "wide", "tall"],
        "climb --moves ": list(MOVES),
        "solve --start ": list(STARTS),
        "solve --method=": list(METHODS),
        "poster --style ": list(STYLES),
        "poster --palette ": list(PALETTES),
        "poster --size ": list(PAPERS),
        "poster --orientation ": list(ORIENTATIONS),
        "sample --scheduler ": [],
    }.items():
        assert offered(line)[0] == values, line


def test_files_are_offered():
    for line in (
        *("verify ", "show ", "descend ", "statistics ", "plot ", "poster ", "explore "),
        *(f"solve --{name} " for name in ("file", "instance", "queens-file", "output", "trace")),
        *("solve --plot ", "solve --poster ", "count --checkpoint ", "batch ", "study --runs-file ", "explore 8 -o "),
        *("poster 8 -o ", "puzzle 8 -o a.csv -o "),
    ):
        assert offered(line)[1] == {"file"}, line


def test_completing_loads_no_numpy():
    script = """
import sys
from fastqueens.cli.app import run
run([], None)
print({"numpy", "numba", "rich", "matplotlib"} & set(sys.modules))
"""
    for words in ("poster --style ", "poster --size ", "climb --algorithm ", "sol"):
        line = {"COMP_WORDS": f"fastqueens {words}", "COMP_CWORD": str(len(words.split(" ")))}
        environment = {**os.environ, **line, "_FASTQUEENS_COMPLETE": "bash_complete"}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, cwd=REPOSITORY, capture_output=True, text=True, check=True)
        *completed, loaded = done.stdout.splitlines()
        assert (completed != [], loaded) == (True, "set()")


#: How to start a shell on a terminal that reads no files of the user, and how to set its prompt and load the script.
SHELLS = {
    "bash": ("bash --noprofile --norc -i", 'PS1="READY"">"', 'eval "$(_FASTQUEENS_COMPLETE=bash_source fastqueens)"'),
    "zsh": (
        "zsh -f -i", 'autoload compinit; compinit -D -u; PS1="READY"">"',
        'eval "$(_FASTQUEENS_COMPLETE=zsh_source fastqueens)"',
    ),
    "fish": (
        "fish --no-config -i", "function fish_prompt; printf READY; printf '>'; end",
        "_FASTQUEENS_COMPLETE=fish_source fastqueens | source",
    ),
}  # fmt: skip

#: The words before TAB, and the arguments of the command.
TYPED = {
    "sol": "solve",
    "solve --sta": "solve --start",
    "solve 8 --start perm": "solve 8 --start permutation",
    "climb --algorithm side": "climb --algorithm sideways",
    "climb --moves sw": "climb --moves swap",
    "poster 8 --style wea": "poster 8 --style weave",
    "poster 8 --size tab": "poster 8 --size tabloid",
    "verify boa": "verify board.txt",
    "explore 8 -o pag": "explore 8 -o page.html",
    "batch fol": "batch folder",
}


@pytest.mark.parametrize("shell", ["bash", *(pytest.param(shell, marks=pytest.mark.gate) for shell in ("zsh", "fish"))])
def test_a_shell_completes(tmp_path, shell):
    """The program that the shell finds completes as ours does, and otherwise notes its arguments."""
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    program, noted, work = tmp_path / "bin" / "fastqueens", tmp_path / "noted", tmp_path / "work"
    (work / "folder").mkdir(parents=True)
    for name in ("board.txt", "page.html"):
        (work / name).touch()
    program.parent.mkdir()
    ours = f"PYTHONPATH={shlex.quote(str(REPOSITORY))} exec {shlex.quote(sys.executable)} -m fastqueens"
    program.write_text(
        f'#!/bin/sh\n[ -n "$_FASTQUEENS_COMPLETE" ] && {ours} "$@"\necho "$@" >> {shlex.quote(str(noted))}\n'
    )
    program.chmod(0o755)
    start, prompt, load = SHELLS[shell]
    environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(tmp_path), "TERM": "dumb"}
    terminal, side_of_shell = open_terminal()
    takes_the_terminal = partial(os.login_tty, side_of_shell)
    with subprocess.Popen(start.split(), cwd=work, env=environment, preexec_fn=takes_the_terminal) as process:
        os.close(side_of_shell)
        try:
            for line in (prompt, load, *(f"fastqueens {typed}\t" for typed in TYPED)):
                os.write(terminal, f"{line}\n".encode())
                read_until(terminal, b"READY>")
            wait_for(lambda: noted.exists() and noted.read_text().count("\n") == len(TYPED))
        finally:
            process.kill()
            os.close(terminal)
    # In zsh, the slash that completes a folder goes if nothing follows.
    assert [line.rstrip("/") for line in noted.read_text().splitlines()] == [*TYPED.values()]
