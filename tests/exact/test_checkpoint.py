"""Checkpoints: continuing from every one, damage, other files, full disks, and several processes."""

import os
import random
import sqlite3
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest
from doubles import RandomOrder
from drawing import hard_instance
from errors import check_error, check_names
from lowered import lowered
from processes import process, running, small_disk, wait_for

import fastqueens
from fastqueens import InputError

#: Thresholds with which small searches have hundreds of parts.
SMALL = {"uncut_squares": 20, "part_squares": 5}
IN_THE_COMMAND = "from fastqueens.exact import complete_search as s; s.UNCUT_SQUARES, s.PART_SQUARES = 20, 5"

#: OEIS A000170.
SOLUTIONS = {9: 352, 10: 724, 11: 2680, 13: 73712}


def rows_of(path):
    """Return the parts in a checkpoint, as a set."""
    with closing(sqlite3.connect(path)) as database:
        return set(database.execute("SELECT key, outcome, digest FROM part"))


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def known(path):
    try:
        return len(rows_of(path))
    except sqlite3.OperationalError:  # not yet created
        return 0


@pytest.fixture
def complete(tmp_path):
    """Return the checkpoint of a complete count of n = 10, and lower the thresholds."""
    with lowered(**SMALL):
        path = tmp_path / "count.sqlite"
        assert fastqueens.count_solutions(10, threads=1, checkpoint=path) == SOLUTIONS[10]
        assert len(rows_of(path)) > 100
        yield path


# Continuing


def test_a_search_continues_from_any_parts_wherever_it_runs(complete):
    whole, draw = rows_of(complete), random.Random(1)
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, get_context("spawn")) as processes:
        ways = [{"threads": 1}, {"threads": 2}, {"executor": threads}, {"executor": processes}]
        for number, way in enumerate([*ways, {"executor": RandomOrder(1)}, *ways]):
            for key, _, _ in draw.sample(sorted(whole), draw.randrange(len(whole)) if number else 0):
                change(complete, "DELETE FROM part WHERE key = ?", key)
            before = known(complete)
            assert fastqueens.count_solutions(10, checkpoint=complete, **way) == SOLUTIONS[10]
            assert rows_of(complete) == whole, before


@pytest.mark.parametrize("seed", [{}, {"seed": 2**64 - 1}])
def test_the_same_call_continues_a_search(tmp_path, seed):
    instance, path = hard_instance(97), tmp_path / "search.sqlite"
    with lowered(**SMALL):
        first = fastqueens.prove(instance, checkpoint=path, **seed)
        change(path, "DELETE FROM part WHERE key < '[1'")
        again = fastqueens.prove(instance, checkpoint=path, **seed)
        assert again.queens.tolist() == first.queens.tolist()
        assert (again.nodes, again.seed) == (first.nodes, seed.get("seed", 0))
        with check_error(InputError, "seed", first.seed, 1):
            fastqueens.prove(instance, checkpoint=path, seed=1)


#: Counts with lowered thresholds and slow parts, in a process that is killed.
COUNTING = """
import sys, time, fastqueens
from fastqueens.exact import checkpoint, complete_search
checkpoint._PAUSE = 0.02
search = complete_search.search_subtree
complete_search.search_subtree = lambda *task, **stop: (time.sleep(0.002), search(*task, **stop))[1]
complete_search.UNCUT_SQUARES = complete_search.PART_SQUARES = 20
print(fastqueens.count_solutions(int(sys.argv[2]), threads=2, checkpoint=sys.argv[1]))
"""


def counting(path, n):
    environment = {**os.environ, "PYTHONPATH": str(Path(fastqueens.__file__).parents[1])}
    command = [sys.executable, "-c", COUNTING, path, str(n)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_search_that_is_killed_again_and_again_continues(tmp_path):
    path = tmp_path / "killed.sqlite"
    for killed in range(3):
        end = known(path) + 40
        started = counting(path, 11)
        wait_for(lambda end=end, started=started: started.poll() is not None or known(path) > end)
        assert started.poll() is None, killed
        started.kill()
        started.communicate()
    started = counting(path, 11)
    assert started.communicate()[0] == f"{SOLUTIONS[11]}\n"


def test_two_processes_with_one_checkpoint(tmp_path):
    path = tmp_path / "both.sqlite"
    both = [counting(path, 10) for _ in range(2)]
    assert [one.communicate()[0] for one in both] == [f"{SOLUTIONS[10]}\n"] * 2
    rows = rows_of(path)
    change(path, "DELETE FROM part")
    assert counting(path, 10).communicate()[0] == f"{SOLUTIONS[10]}\n"
    assert rows_of(path) == rows


def test_ctrl_c_keeps_the_parts(tmp_path):
    with running("count", "18", "--checkpoint", "c.sqlite", cwd=tmp_path) as started:
        wait_for(lambda: known(tmp_path / "c.sqlite") > 1)
        before = known(tmp_path / "c.sqlite")
        started.send_signal(2)
        assert started.wait() == 130
    assert known(tmp_path / "c.sqlite") >= before


# Damage


def test_a_changed_part_is_searched_again(complete, caplog):
    """Without digests, the wrong count of a part would be trusted."""
    whole = rows_of(complete)
    [wrong] = random.Random(1).sample(sorted(whole), 1)
    change(complete, "UPDATE part SET outcome = '[1, 100, null, []]' WHERE key = ?", wrong[0])
    assert fastqueens.count_solutions(10, threads=1, checkpoint=complete) == SOLUTIONS[10]
    (record,) = caplog.records
    check_names(record.getMessage(), str(complete), "1 part", "searched again")
    assert rows_of(complete) == whole


@pytest.mark.parametrize("numbers", [range(40), pytest.param(range(40, 400), marks=pytest.mark.gate)])
def test_random_damage_ends_in_the_right_answer_or_is_refused(complete, numbers):
    content, refused = complete.read_bytes(), 0
    for number in numbers:
        draw = random.Random(number)
        bad = bytearray(content)
        at = draw.choice((draw.randrange(100), draw.randrange(len(bad))))
        bad[at : at + draw.choice((1, 2, 20))] = draw.choice((b"", b"x", b"\0" * 20, draw.randbytes(7)))
        complete.write_bytes(bad)
        try:
            assert fastqueens.count_solutions(10, threads=1, checkpoint=complete) == SOLUTIONS[10], number
        except InputError:
            refused += 1
    print(refused, "refused")
    assert refused < len(numbers)


# Other files


def searches_with(path):
    """Return functions that use a checkpoint, without a seed and with one."""
    instance = fastqueens.make_instance(8, {0: 0})
    return [
        lambda: fastqueens.count_solutions(10, checkpoint=path),
        lambda: fastqueens.has_unique_solution(instance, checkpoint=path),
        lambda: fastqueens.prove(instance, checkpoint=path),
        lambda: fastqueens.prove(instance, checkpoint=path, seed=1),
    ]


def test_the_checkpoint_of_another_search_is_refused_and_unchanged(complete, monkeypatch):
    before = complete.read_bytes()
    for wrong, *named in (
        [{"n": 11}, "n is 10", "is 11"],
        [{"n": 10, "limit": 5}, "null", "is 5"],
        [{"n": 10, "blocked": [(0, 0)]}, "another search", "instance"],
    ):
        with check_error(InputError, complete.name, *named):
            fastqueens.count_solutions(**wrong, checkpoint=complete)
    with lowered(part_squares=2), check_error(InputError, complete.name, "budgets"):
        fastqueens.count_solutions(10, checkpoint=complete)
    assert complete.read_bytes() == before


@pytest.mark.parametrize("content", [b"x", b"\n", b'{"n": 8}\n', b"\0" * 5000, b"SQLite format 3\0", "database"])
def test_a_file_that_is_not_a_checkpoint_is_refused_and_unchanged(tmp_path, content):
    path = tmp_path / "other.sqlite"
    if content == "database":
        change(path, "CREATE TABLE search (description TEXT)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    for search in searches_with(path):
        with check_error(InputError, "other.sqlite", "checkpoint"):
            search()
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_checkpoint(tmp_path):
    path = tmp_path / "empty.sqlite"
    path.touch()
    assert fastqueens.count_solutions(8, checkpoint=path) == 92
    assert fastqueens.count_solutions(8, checkpoint=path) == 92


def test_what_is_not_a_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.sqlite")
    (tmp_path / "zero.sqlite").symlink_to("/dev/zero")
    (tmp_path / "folder.sqlite").mkdir()
    for name in ("pipe.sqlite", "zero.sqlite", "folder.sqlite", "none/c.sqlite"):
        for search in searches_with(tmp_path / name):
            with check_error(InputError, name):
                search()


# Full disks


def test_a_count_goes_on_if_the_disk_is_full(tmp_path):
    with small_disk(tmp_path / "disk", "24k") as folder:
        path = folder / "count.sqlite"
        command = ("count", "10", "--checkpoint", str(path), "--threads", "2")
        ended = process(*command, before=IN_THE_COMMAND)
        assert (ended.returncode, "724" in ended.stdout) == (0, True)
        (line,) = ended.stderr.splitlines()
        check_names(line, str(path), "disk", "full", "no longer updated")


def test_a_checkpoint_that_is_removed_meanwhile_is_not_missed_in_silence(tmp_path, caplog):
    path = tmp_path / "count.sqlite"

    def remove(stage, done, total):
        if done > 0.3 * total:
            path.unlink(missing_ok=True)

    with lowered(**SMALL):
        assert fastqueens.count_solutions(10, checkpoint=path, progress=remove) == SOLUTIONS[10]
    (record,) = caplog.records
    check_names(record.getMessage(), str(path), "removed", "no longer updated")


def test_a_proof_is_the_same_from_its_checkpoint(tmp_path):
    path = tmp_path / "proof.sqlite"
    with lowered(**SMALL):
        first, again = (fastqueens.prove(hard_instance(1), checkpoint=path, seed=1) for _ in range(2))
    assert (first.solvable, first.nodes) == (again.solvable, again.nodes) == (False, again.nodes)
