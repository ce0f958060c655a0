"""Checkpoints: continuing from every one, damage, other files, full disks, and several processes."""

import functools
import json
import os
import random
import subprocess
import sys
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from damages import damaged
from doubles import RandomOrder
from drawing import hard_instance
from errors import check_error, check_names
from lowered import lowered
from processes import process, running, small_disk, wait_for

import fastqueens
from fastqueens import InputError, NoSolutionError, make_instance
from fastqueens.exact import checkpoint, complete_search, solutions
from fastqueens.files import growing
from fastqueens.files.growing import line_of, values_of

pytestmark = pytest.mark.checked

#: Thresholds with which small searches have hundreds of parts.
SMALL = {"uncut_squares": 20, "part_squares": 5}
IN_THE_COMMAND = f"from fastqueens._run import thresholds as t; t.current = t.current._replace(**{SMALL})"

#: OEIS A000170.
SOLUTIONS = {9: 352, 10: 724, 11: 2680}


@pytest.fixture(scope="module")
def ways():
    """Return the keyword arguments of some ways to run tasks."""
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, get_context("spawn")) as processes:
        yield [
            {"threads": 1},
            {"threads": 2},
            {"executor": threads},
            {"executor": processes},
            {"executor": RandomOrder(1)},
        ]


def lines_of(path):
    return path.read_bytes().splitlines(keepends=True)


def header_of(path):
    """Return the values of the first line, and the key of the others."""
    first = lines_of(path)[0].rstrip(b"\n")
    return values_of(first), json.loads(first)["digest"].encode()


@pytest.fixture
def complete(tmp_path):
    """Return the checkpoint of a complete count of n = 10, and lower the thresholds."""
    with lowered(**SMALL):
        path = tmp_path / "count.jsonl"
        assert fastqueens.count_solutions(10, threads=1, checkpoint=path) == SOLUTIONS[10]
        yield path


# Continuing


def test_a_complete_checkpoint_answers_without_searching_a_part(complete, monkeypatch):
    before = complete.read_bytes()
    monkeypatch.setattr(complete_search, "search_subtree", None)
    assert fastqueens.count_solutions(10, checkpoint=complete) == SOLUTIONS[10]
    assert complete.read_bytes() == before
    keys = [tuple(json.loads(line)["part"]) for line in before.splitlines()[1:]]
    assert len(set(keys)) == len(keys) > 100
    assert {generation for generation, *_ in keys} >= {0, 1}


def test_a_search_continues_from_any_first_lines_and_any_torn_one(complete, ways):
    whole = complete.read_bytes()
    draw = random.Random(1)
    first = whole.index(b"\n")
    ends = [0, 1, first, first + 1, len(whole) - 1, *(draw.randrange(len(whole)) for _ in range(10))]
    for number, end in enumerate(ends):
        complete.write_bytes(whole[:end])
        assert fastqueens.count_solutions(10, checkpoint=complete, **ways[number % len(ways)]) == SOLUTIONS[10]
        assert sorted(lines_of(complete)) == sorted(whole.splitlines(keepends=True))


def test_solve_continues_with_the_seed_of_the_checkpoint(tmp_path):
    instance = hard_instance(97)
    path = tmp_path / "solve.jsonl"
    with lowered(**SMALL):
        first = fastqueens.solve(instance, method="complete", checkpoint=path, seed=1)
        whole = path.read_bytes()
        assert whole.count(b"\n") > 10
        for end in (len(whole), len(whole) // 2):
            path.write_bytes(whole[:end])
            again = fastqueens.solve(instance, method="complete", checkpoint=path)
            assert (again.queens.tolist(), again.nodes, again.seed) == (first.queens.tolist(), first.nodes, first.seed)
        with check_error(InputError, "seed", first.seed, first.seed ^ 1):
            fastqueens.solve(instance, method="complete", checkpoint=path, seed=first.seed ^ 1)
        # Without its first line, the file does not tell the seed.
        path.write_bytes(whole[whole.index(b"\n") + 1 :])
        with check_error(InputError, "solve.jsonl", "first line is damaged", "seed"):
            fastqueens.solve(instance, method="complete", checkpoint=path)
        again = fastqueens.solve(instance, method="complete", checkpoint=path, seed=first.seed)
    assert (again.queens.tolist(), again.nodes) == (first.queens.tolist(), first.nodes)
    assert sorted(lines_of(path)) == sorted(whole.splitlines(keepends=True))


#: Count n = 13 with lowered thresholds and slow tasks, in a process that is killed.
COUNTING = """
import sys, time, fastqueens
from fastqueens._run.thresholds import lowered
from fastqueens.exact import complete_search
search = complete_search.search_subtree
complete_search.search_subtree = lambda *task, **stop: (time.sleep(0.005), search(*task, **stop))[1]
with lowered(uncut_squares=20, part_squares=50):
    print(fastqueens.count_solutions(13, threads=2, checkpoint=sys.argv[1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_search_that_is_killed_again_and_again_continues(tmp_path):
    path, uninterrupted = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"
    with lowered(uncut_squares=20, part_squares=50):
        assert fastqueens.count_solutions(13, threads=2, checkpoint=uninterrupted) == 73712
    lines, draw = len(lines_of(uninterrupted)), random.Random(3)
    environment = {**os.environ, "PYTHONPATH": str(Path(fastqueens.__file__).parents[1])}
    killed = 0
    for _ in range(4):
        end = known(path) + draw.randrange(lines // 4)
        counting = subprocess.Popen([sys.executable, "-c", COUNTING, path], env=environment, stdout=subprocess.DEVNULL)
        wait_for(lambda end=end, counting=counting: counting.poll() is not None or known(path) > end)
        killed += counting.poll() is None
        counting.kill()
        counting.wait()
    print(f"killed {killed} times, with {known(path):,} of {lines:,} lines written")
    assert killed == 4
    with lowered(uncut_squares=20, part_squares=50):
        assert fastqueens.count_solutions(13, threads=2, checkpoint=path) == 73712
    assert sorted(lines_of(path)) == sorted(lines_of(uninterrupted))


def known(path):
    return len(lines_of(path)) if path.exists() else 0


# Damage


def proof(path, instance, seed=1):
    """Return the board and the squares tried, or the squares tried that prove that there is none."""
    try:
        result = fastqueens.solve(instance, method="complete", checkpoint=path, seed=seed, threads=1)
    except NoSolutionError as error:
        return error.nodes
    return result.nodes, result.queens.tolist()


def counted(path, n, **constraints):
    return fastqueens.count_solutions(n, checkpoint=path, threads=1, **constraints)


def unique(path, instance):
    return fastqueens.has_unique_solution(instance, checkpoint=path, threads=1)


#: Two counts, of which the number of the first is known; two proofs, first solutions, and whether there is one only.
SEARCHES = [
    *(lambda path: counted(path, 9), lambda path: counted(path, 8, blocked=[(0, 0)])),
    *(lambda path, seed=seed: proof(path, hard_instance(seed)) for seed in (1, 3, 31, 97)),
    *(lambda path, seed=seed: unique(path, hard_instance(seed)) for seed in (31, 36, 12)),
]


@pytest.fixture
def remembered(monkeypatch):
    """Remember the outcomes of parts, which depend only on the arguments, so that repeated parts take no time."""
    search = functools.cache(complete_search.search_subtree)
    monkeypatch.setattr(complete_search, "search_subtree", lambda *arguments, stop: search(*arguments))
    with lowered(**SMALL):
        yield


@functools.cache
def content_and_answer(which, folder):
    path = folder / f"{which}.jsonl"
    answer = SEARCHES[which](path)
    content = path.read_bytes()
    assert content.count(b"\n") > 40
    return content, answer


@pytest.mark.parametrize("numbers", [range(100), pytest.param(range(100, 2_600), marks=pytest.mark.gate)])
def test_random_damage_ends_in_the_right_answer_or_is_refused(remembered, tmp_path, monkeypatch, numbers):
    path, told = tmp_path / "c.jsonl", []
    monkeypatch.setattr(growing.log, "warning", lambda *words: told.append(words))
    outcomes = {"the same": 0, "repaired": 0, "refused": 0}
    for number in numbers:
        which = number % len(SEARCHES)
        content, expected = content_and_answer(which, tmp_path)
        bad = damaged(random.Random(number), content)
        path.write_bytes(bad)
        told.clear()
        try:
            answer = SEARCHES[which](path)
        except InputError:
            assert path.read_bytes() == bad, number
            outcomes["refused"] += 1
            continue
        assert (type(answer), answer) == (type(expected), expected), number
        lines = set(content.splitlines(keepends=True))
        # A search that ends with a solution leaves the parts that it has begun ahead, or not.
        assert set(lines_of(path)) == lines or which > 1, number
        assert len(told) == (not set(bad.splitlines(keepends=True)) <= lines), number
        outcomes["repaired" if told else "the same"] += 1
    print(outcomes)
    assert outcomes["repaired"] > len(numbers) / 2
    assert outcomes["refused"] < len(numbers) / 20


def test_a_changed_digit_costs_its_part(complete, monkeypatch, caplog):
    """Without digests, the wrong count of a part would be trusted, and 100 solutions would be missing."""
    lines, searched = lines_of(complete), []
    at = next(at for at, line in enumerate(lines) if at > 5 and json.loads(line)["solutions"] > 1)
    lines[at] = lines[at].replace(b'"solutions": ', b'"solutions": 1', 1)
    complete.write_bytes(b"".join(lines))
    search = complete_search.search_subtree
    search_too = lambda *task, stop: searched.append(task) or search(*task, stop=stop)  # noqa: E731
    monkeypatch.setattr(complete_search, "search_subtree", search_too)
    assert fastqueens.count_solutions(10, threads=1, checkpoint=complete) == SOLUTIONS[10]
    assert len(searched) == 1
    (record,) = caplog.records
    check_names(record.getMessage(), str(complete), "1 damaged or repeated line")


def test_a_count_of_a_free_board_is_compared_with_the_known_one(complete, monkeypatch):
    """A checkpoint with right digests and wrong counts can only be made on purpose."""
    first, *others = lines_of(complete)
    _, key = header_of(complete)
    values = values_of(others[-1].rstrip(b"\n"), key)
    others[-1] = line_of({**values, "solutions": values["solutions"] + 1}, key) + b"\n"
    complete.write_bytes(b"".join([first, *others]))
    for fundamental in (False, True):
        with check_error(InputError, str(complete), 726, 724, "n = 10"):
            fastqueens.count_solutions(10, checkpoint=complete, fundamental=fundamental)
    monkeypatch.setattr(solutions, "known_count", lambda n: 725)
    with check_error(RuntimeError, 724, 725, "n = 10", "report"):
        fastqueens.count_solutions(10)
    assert fastqueens.count_solutions(10, blocked=[(0, 0)]) == 660
    assert fastqueens.count_solutions(10, limit=500) == 500


# Other files


def searches_with(path):
    """Return functions that use a checkpoint, without a seed and with one."""
    instance = make_instance(8, {0: 0})
    return [
        lambda: fastqueens.count_solutions(10, checkpoint=path),
        lambda: fastqueens.has_unique_solution(instance, checkpoint=path),
        lambda: fastqueens.solve(instance, method="complete", checkpoint=path),
        lambda: fastqueens.solve(instance, method="complete", checkpoint=path, seed=1),
    ]


def test_the_checkpoint_of_another_search_is_refused_and_unchanged(complete, monkeypatch):
    before = complete.read_bytes()
    for wrong, *named in (
        [{"n": 11}, "n is 10", "is 11"],
        [{"n": 10, "limit": 5}, "null", "is 5"],
        [{"n": 10, "blocked": [(0, 0)]}, "another search", "constraints"],
    ):
        with check_error(InputError, complete.name, *named):
            fastqueens.count_solutions(**wrong, checkpoint=complete)
    with lowered(part_squares=2), check_error(InputError, complete.name, "budgets"):
        fastqueens.count_solutions(10, checkpoint=complete)
    monkeypatch.setattr(checkpoint, "__version__", "0.0.1")
    with check_error(InputError, "version", fastqueens.__version__, "0.0.1"):
        fastqueens.count_solutions(10, checkpoint=complete)
    assert complete.read_bytes() == before


def test_two_checkpoints_in_one_file_are_refused_and_unchanged(complete, tmp_path):
    other = tmp_path / "other.jsonl"
    fastqueens.count_solutions(9, checkpoint=other)
    for both in (complete.read_bytes() + other.read_bytes(), other.read_bytes() + complete.read_bytes()):
        complete.write_bytes(both)
        with check_error(InputError, complete.name, "another search"):
            fastqueens.count_solutions(10, checkpoint=complete)
        assert complete.read_bytes() == both


@pytest.mark.parametrize(
    "content",
    [b"x", b"\n", b"[1]\n", b'{"n": 8}\n', b"\xff\n", b'{"format": "fastqueens"', b"\0" * 5000, b"[" * 200_000,
     b'{"format": "fastqueens checkpoint", "seed": 5}\n', line_of({"n": 8}) + b"\n", b"{}" * 300_000],
)  # fmt: skip
def test_a_file_that_is_not_a_checkpoint_is_refused_and_unchanged(tmp_path, content):
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    for search in searches_with(path):
        with check_error(InputError, "other.jsonl", "not a checkpoint"):
            search()
    assert path.read_bytes() == content


@pytest.mark.parametrize("seed", ["abc", True, -1, 10**30, "missing"])
def test_an_odd_first_line_is_refused_and_unchanged(complete, seed):
    """This holds even if its digest is right."""
    header, _ = header_of(complete)
    header |= {"seed": seed}
    if seed == "missing":
        del header["seed"]
    content = line_of(header) + b"\n"
    complete.write_bytes(content)
    for search in searches_with(complete):
        with check_error(InputError):
            search()
    assert complete.read_bytes() == content


def test_what_is_not_a_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    (tmp_path / "null.jsonl").symlink_to("/dev/null")
    (tmp_path / "folder.jsonl").mkdir()
    for name, kind in (("pipe", "pipe"), ("zero", "device"), ("null", "device"), ("folder", "folder")):
        for search in searches_with(tmp_path / f"{name}.jsonl"):
            with check_error(InputError, f"{name}.jsonl", kind):
                search()
    for search in searches_with(tmp_path / "none" / "c.jsonl"):
        with check_error(InputError, "c.jsonl", "no such file"):
            search()


def test_a_long_file_takes_little_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "_LONGEST", 1 << 16)
    path = tmp_path / "zeros.jsonl"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    for search in searches_with(path):
        tracemalloc.start()
        with check_error(InputError, "not a checkpoint"):
            search()
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
        tracemalloc.stop()


# Full disks


@pytest.mark.parametrize("quiet", [(), ("-q",)])
@pytest.mark.parametrize("size", [3000, 12_345, 20_000])
def test_a_count_goes_on_if_a_file_may_not_grow(tmp_path, size, quiet):
    path = tmp_path / "count.jsonl"
    limit = f"import resource as r; r.setrlimit(r.RLIMIT_FSIZE, ({size}, {size})); {IN_THE_COMMAND}"
    command = ("solve", "10", "--count", "--checkpoint", str(path), *quiet)
    check_full(process(*command, before=limit), path, "larger than allowed")
    check_continues(command, path, size)


def test_a_count_goes_on_if_the_disk_is_full(tmp_path):
    with small_disk(tmp_path / "disk", "12k") as folder:
        path = folder / "count.jsonl"
        command = ("solve", "10", "--count", "--checkpoint", str(path), "--threads", "2")
        check_full(process(*command, before=IN_THE_COMMAND), path, "the disk is full")
        content = path.read_bytes()
        path = tmp_path / "count.jsonl"
        path.write_bytes(content)
        check_continues(("solve", "10", "--count", "--checkpoint", str(path)), path, 12 << 10)


def check_full(ended, path, reason):
    """The count is right, and one line says that the checkpoint is no longer written."""
    assert (ended.returncode, "724" in ended.stdout) == (0, True)
    (line,) = ended.stderr.splitlines()
    check_names(line, str(path), reason, "no longer updated")


def check_continues(command, path, size):
    """The file has whole lines only, and the command without the fault adds the others."""
    content = path.read_bytes()
    assert content.endswith(b"\n")
    assert 0 < len(content) <= size
    ended = process(*command, before=IN_THE_COMMAND)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert path.read_bytes().startswith(content)
    assert len(path.read_bytes()) > 30_000


def test_a_checkpoint_that_is_removed_meanwhile_is_not_missed_in_silence(tmp_path, caplog):
    path = tmp_path / "count.jsonl"

    def remove(stage, done, total):
        if done > 0.3 * total:
            path.unlink(missing_ok=True)

    with lowered(**SMALL):
        assert fastqueens.count_solutions(10, checkpoint=path, progress=remove) == SOLUTIONS[10]
    (record,) = caplog.records
    check_names(record.getMessage(), str(path), "removed", "no longer updated")


# Several processes


@pytest.mark.parametrize("times", [2, pytest.param(9, marks=pytest.mark.gate)])
def test_two_processes_with_one_checkpoint(tmp_path, times):
    with lowered(**SMALL):
        assert fastqueens.count_solutions(11, checkpoint=tmp_path / "whole.jsonl") == SOLUTIONS[11]
    expected = set(lines_of(tmp_path / "whole.jsonl"))
    for number in range(times):
        path = tmp_path / f"{number}.jsonl"
        command = ("solve", "11", "--count", "-q", "--checkpoint", str(path))
        with running(*command, before=IN_THE_COMMAND) as one, running(*command, before=IN_THE_COMMAND) as other:
            for ended in (one, other):
                assert ended.communicate(timeout=120) == (b"2680\n", b"")
                assert ended.returncode == 0
        assert set(lines_of(path)) == expected
