"""Try the wheel for this system, on Linux, macOS and Windows: ``python .ci/try_wheel.py FOLDER``.

The wheel that pip chooses from the folder is installed in a new environment, in which nothing can import numba. It must
make the boards of ``tests/boards.json``, and run some commands without compiling anything.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]

#: Commands, and words that their output has.
COMMANDS = {
    "info": "that came with the package",
    "solve 1000000 --seed 1 -o q.npy": "Wrote q.npy (4.0 MB)",
    "verify q.npy": "Solved: 1,000,000 queens",
    "count 12": "14,200",
    "study 8 --seed 1": "sideways",
    "sample 1000 --count 10 -o samples.npz": "Wrote samples.npz",
    "poster 1000 --seed 1 -o poster.png": "Wrote poster.png",
    "explore 1000 --seed 1 -o page.html": "Wrote page.html",
}


def main(wheels: Path, folder: Path) -> None:
    """Install and try a wheel; raise if something fails."""
    python = installed(wheels, folder / "environment")
    home = folder / "home"
    home.mkdir()
    places = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME"), str(home))
    settings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NUMBA_CACHE_DIR")}
    settings |= {**places, "PYTHONUTF8": "1"}
    # With -P, the package of this folder is not found.
    tests = [python, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_release.py", "-k", "seed_makes"]
    subprocess.run(tests, cwd=REPOSITORY, env=settings, check=True)
    for command, words in COMMANDS.items():
        print(f"+ fastqueens {command}", flush=True)
        line = [python, "-P", "-m", "fastqueens", *command.split()]
        shown = subprocess.run(
            line, cwd=home, env=settings, check=True, stdout=subprocess.PIPE, encoding="utf-8"
        ).stdout
        print(shown)
        if words not in shown:
            raise SystemExit(f"the output lacks {words!r}")
    stored = [path for path in home.rglob("*") if path.suffix in (".so", ".dylib", ".dll", ".nbi", ".nbc")]
    if stored:
        raise SystemExit(f"commands have compiled and stored code: {stored}")


def installed(wheels: Path, environment: Path) -> str:
    """Install the wheel and what its tests need; return the interpreter."""
    venv.create(environment, with_pip=True)
    python = str(environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", REPOSITORY / "requirements" / "dev.txt"], check=True)
    subprocess.run([*pip, "--no-deps", "--no-index", "--find-links", wheels, "fastqueens"], check=True)
    where = "import sysconfig; print(sysconfig.get_path('platlib'))"
    packages = Path(subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip())
    for library in ("numba", "llvmlite"):
        shutil.rmtree(packages / library)
        (packages / f"{library}.py").write_text('raise SystemExit("something imports " + __name__)\n')
    return python


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        main(Path(sys.argv[1]).resolve(), Path(temporary))
