"""A release: the version is stated once, boards belong to a version, and the README works on a package index."""

import configparser
import hashlib
import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest

import fastqueens
from fastqueens._run.arguments import STARTS
from fastqueens.classroom.algorithms import ALGORITHMS

REPOSITORY = Path(__file__).parents[1]


def load(path):
    spec = importlib.util.spec_from_file_location("loaded", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


description = load(REPOSITORY / ".ci" / "long_description.py")
README = (REPOSITORY / "README.md").read_text()
URL = "https://example.org/someone/fastqueens"


def targets(text):
    """Return where the links and pictures of a page lead."""
    return [one or other for one, other in re.findall(r'\]\(([^)\s]+)\)|(?:href|src|srcset)="([^"]+)"', text)]


def test_the_links_of_the_readme_lead_to_the_repository():
    before, after = targets(README), targets(description.absolute(README, URL, "v1"))
    assert len(before) == len(after) > 5
    for relative, link in zip(before, after, strict=True):
        if not relative.startswith(("http", "#")):
            kind, path = re.fullmatch(rf"{URL}/(blob|raw)/v1/(.*)", link).groups()
            assert path == relative
            assert (REPOSITORY / path.partition("#")[0]).exists()
            assert kind == "raw" or not path.endswith((".jpg", ".png", ".webp")) or f'href="{path}"' in README


def test_without_an_address_the_readme_has_no_link_that_leads_nowhere():
    text = description.without_links(README)
    assert [target for target in targets(text) if not target.startswith(("http", "#"))] == []
    assert "<img" not in text
    assert "<source" not in text
    assert "fastqueens" in text


def test_every_dependency_has_a_least_version_that_the_gate_can_check():
    setup = configparser.ConfigParser()
    setup.read(REPOSITORY / "setup.cfg")
    lines = [setup["options"]["install_requires"], *setup["options.extras_require"].values()]
    requirements = [line for part in lines for line in part.splitlines() if line and not line.startswith("#")]
    assert len(requirements) > 20
    parts = [line.partition(";")[0] for line in requirements]
    assert [part for part in parts if not re.fullmatch(r"[\w.\[\]-]+ >=[\d.]+(, <[\d.]+)?", part)] == []
    assert "click >=8.4.2" in requirements, "cli/ needs 8.4, and fish completes nothing with 8.4.0 and 8.4.1"


WORKFLOWS = {path.name: path.read_text() for path in (REPOSITORY / ".github" / "workflows").glob("*.yml")}


def test_actions_are_pinned_by_their_commit():
    used = [line.strip("- ") for text in WORKFLOWS.values() for line in text.splitlines() if "uses:" in line]
    assert len(used) > 10
    own = r"uses: \./\.github/workflows/(\S+)"
    assert [line for line in used if not re.fullmatch(rf"uses: \S+@[0-9a-f]{{40}}  # v[\d.]+|{own}", line)] == []
    assert {name for line in used for name in re.findall(own, line)} <= {*WORKFLOWS}


def test_each_admitted_python_has_a_classifier_and_runs_the_tests():
    setup = configparser.ConfigParser()
    setup.read(REPOSITORY / "setup.cfg")
    classifiers = re.findall(r"Python :: (3\.\d+)", setup["metadata"]["classifiers"])
    assert setup["options"]["python_requires"] == f">={classifiers[0]}"
    [tested] = re.findall(r"python: \[(.+)\]", WORKFLOWS["ci.yml"])
    assert [text.strip('" ') for text in tested.split(",")] == classifiers


def test_every_licence_in_the_package_is_released():
    setup = configparser.ConfigParser()
    setup.read(REPOSITORY / "setup.cfg")
    own, *patterns = setup["metadata"]["license_files"].split()
    package = Path(fastqueens.__file__).parent
    assert own == "LICENSE"
    named = {path for pattern in patterns for path in package.parent.glob(pattern)}
    assert named == {path for name in ("LICENSE*", "OFL*") for path in package.rglob(name)}
    assert len(named) == 3


def test_the_version_is_said_in_one_place_of_the_code():
    setup = configparser.ConfigParser()
    setup.read(REPOSITORY / "setup.cfg")
    assert setup["metadata"]["version"] == "attr: fastqueens.__version__"
    package = Path(fastqueens.__file__).parent
    said = [path for path in package.rglob("*.py") if f'"{fastqueens.__version__}"' in path.read_text()]
    assert [path.name for path in said] == ["__init__.py"]
    assert f"\nversion: {fastqueens.__version__}\n" in (REPOSITORY / "CITATION.cff").read_text()


# Boards

#: Digests of boards by the first version that makes them. If boards are changed on purpose, seeds that users wrote down
#: lead to other boards: raise the version, and add an entry with all digests. The message of the test has each of them.
BOARDS = json.loads((Path(__file__).parent / "boards.json").read_text())


def boards_of_this_version():
    """Return the digests of the newest version that is not newer than this one."""
    number = numbers(fastqueens.__version__)
    return BOARDS[max((version for version in BOARDS if numbers(version) <= number), key=numbers)]


def numbers(version):
    return [int(number) for number in version.split(".")]


def boards():
    """Return what a seed has to repeat: by name, a function that makes boards."""
    makers = {}
    for n in (1, 4, 5, 8, 64, 100, 1000, 100_000, 300_000, 2**22 + 1):
        for start in STARTS[: 4 if n <= 1000 else 2 if n == 100_000 else 1]:
            for threads in (1, 3) if n > 2**22 else (None,):
                name = f"solve, n = {n}, {start}" + (f", {threads} threads" if threads else "")
                makers[name] = lambda n=n, start=start, threads=threads: (
                    fastqueens.solve(n, seed=1, start=start, threads=threads).queens
                )
    for n in (1000, 300_007):
        makers[f"mix, n = {n}"] = lambda n=n: fastqueens.solve(n, seed=1, mix=5).queens
    makers["sample, n = 20"] = lambda: fastqueens.sample(20, 100, seed=1).boards
    makers["random board, n = 100"] = lambda: fastqueens.random_board(100, seed=1)
    makers["puzzle, n = 100"] = lambda: fastqueens.puzzle(100, 40, seed=1, solvable=True).fixed
    makers["unique puzzle, n = 12"] = lambda: next(fastqueens.unique_puzzles(12, 1, seed=1)).fixed
    for name in ALGORITHMS:
        makers[f"climb, n = 8, {name}"] = lambda name=name: fastqueens.climb(8, algorithm=name, seed=1).queens
        makers[f"study, n = 8, {name}"] = lambda name=name: tallies(name)
    makers["complete, n = 30, 8 fixed queens"] = lambda: complete(30, 8)
    makers["complete, n = 64"] = lambda: complete(64, 0)
    makers["all, n = 9, lexicographic"] = lambda: [*fastqueens.all_solutions(9)]
    makers["all, n = 40, limit 50"] = lambda: [*fastqueens.all_solutions(40, limit=50)]
    makers["counts"] = lambda: [
        *(fastqueens.count_solutions(n) for n in (1, 4, 8, 12, 13)),
        *(fastqueens.count_solutions(n, fundamental=True) for n in (8, 12)),
        fastqueens.count_solutions(20, fixed={0: 3, 5: 10, 9: 1, 15: 16, 19: 8}),
        fastqueens.count_solutions(
            fastqueens.make_instance(12, blocked=[(0, 0), (5, 5)], excluded_sums=[11], excluded_differences=[0, 3])
        ),
    ]
    # Not the whole of it: the last digits of a logarithm depend on the system.
    makers["estimate, n = 50"] = lambda: [round(1e6 * fastqueens.estimate(50, seed=1, replicas=4).log_count)]
    return makers


def complete(n, fixed):
    """Return the board that complete search finds with random fixed queens, and the squares that it tried."""
    instance = fastqueens.puzzle(n, fixed, seed=1, solvable=True).instance
    result = fastqueens.solve(instance, method="complete", seed=1)
    return [*result.queens, result.nodes]


def tallies(algorithm):
    """Return the counts of a study: final costs, evaluations, and the steps of solved and failed runs."""
    (row,) = fastqueens.study([8], algorithms=[algorithm], runs=30, seed=1).rows
    counters = (row.tally.costs, row.tally.evaluations, row.tally.backtracks, row.tally.solved, row.tally.failed)
    return [number for counter in counters for pair in sorted(counter.items()) for number in pair]


def assert_same_board(name):
    array = np.asarray(boards()[name]())
    digest = hashlib.sha256(array.astype("<i8").tobytes()).hexdigest()[:16]
    assert digest == boards_of_this_version().get(name), f"{name} has changed: this needs a new version"


def group(name):
    """Return the group of a name: its first word, and for runs of solve() the size if it is large."""
    kind, *others = name.split(", ")
    n = int(others[0].removeprefix("n = ")) if kind == "solve" else 0
    if n <= 1000:
        return kind.split()[0]
    return "solve, large" if n <= 10**6 else "solve, largest"


GROUPS = sorted({group(name) for name in boards()})


@pytest.mark.checked
@pytest.mark.parametrize(
    "chosen", [pytest.param(name, marks=pytest.mark.gate) if name == "solve, largest" else name for name in GROUPS]
)
def test_a_seed_makes_the_boards_of_this_version(chosen, subtests):
    for name in boards():
        if group(name) == chosen:
            with subtests.test(name):
                assert_same_board(name)


def test_each_digest_has_a_board():
    assert set(boards_of_this_version()) == set(boards())
