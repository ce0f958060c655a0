"""Endless pipes and devices are refused after some megabytes, and pipes without a writer before they are opened."""

import os
import subprocess

import pytest
from errors import check_names
from processes import running

#: Enough for the libraries and for some megabytes of text. An endless input that is read on would fill it in seconds.
_LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))"

#: What standard input receives, the command, and what the message names.
ENDLESS = [
    ("yes 1", "verify -", "repeats '1\\n'"),
    ("yes Success", "solve --file -", "repeats 'Success\\n'"),
    ("yes '1 ' | tr -d '\\n'", "explore - -o page.html", "repeats '1 '"),
    ("yes '['", "verify -", "repeats"),
    ("tr -d '\\n' < /dev/urandom", "verify -", "not a row of numbers"),
    ("(echo column,row; yes 0,1)", "solve 8 --queens-file -", "repeats"),
    ("yes '{\"n\": 8}'", "batch - -o a.jsonl", "repeats"),
    ("yes", "solve --instance -", "is not an instance"),
    ("yes 1 2", "descend -", "repeats"),
    ("true", "verify /dev/zero", "/dev/zero repeats '\\x00'"),
    ("true", "solve 8 --queens-file /dev/zero", "repeats '\\x00'"),
    ("true", "plot zero.csv -o p.png", "zero.csv: line 1"),
    ("(echo attempt,step,pairs,conflicting_queens; yes 1,0,2,4) > pipe.csv", "plot pipe.csv -o p.png", "repeats"),
    *(("true", f"{command} pipe.npy", "pipe or a device") for command in ("verify", "solve --file")),
    *(("true", f"{command} pipe.npz", "pipe or a device") for command in ("statistics", "explore", "plot -o p.png")),
]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no yes")
@pytest.mark.parametrize(
    "cases",
    [ENDLESS[:1] + ENDLESS[9:10] + ENDLESS[12:14], pytest.param(ENDLESS, marks=pytest.mark.gate)],
    ids=["some", "all"],
)
def test_endless_input_is_refused(tmp_path, cases):
    os.symlink("/dev/zero", tmp_path / "zero.csv")
    for name in ("pipe.csv", "pipe.npy", "pipe.npz"):
        os.mkfifo(tmp_path / name)
    for endless, command, named in cases:
        with subprocess.Popen(endless, shell=True, cwd=tmp_path, stdout=subprocess.PIPE) as source:
            arguments = command.split()
            with running(*arguments, cwd=tmp_path, before=_LIMITED, stdin=source.stdout, text=True) as process:
                source.stdout.close()
                stderr = process.communicate(timeout=60)[1]
                source.terminate()
        assert process.returncode == 2, (endless, command, stderr)
        check_names(" ".join([*stderr.split(), "for", endless, command]), named)
