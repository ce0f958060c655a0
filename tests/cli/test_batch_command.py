"""``fastqueens batch``: a line for each instance, in order; bad input; continuing; signals."""

import json
import os
import random
import re
import signal
from functools import partial
from pathlib import Path

import pytest
from errors import check_names
from processes import TIMEOUT, process, running, signal_and_wait, small_disk, wait_for

import fastqueens
from fastqueens import InputError, NoSolutionError

#: Solved; no solution: fixed queens attack each other; proved; a free board; n = 3; undecided with FEW nodes.
LINES = [
    '{"n": 8, "fixed": [[1, 3]], "name": "first"}',
    '{"n": 5, "fixed": [[0, 0], [4, 4]]}',
    '{"n": 8, "excluded_sums": [5, 7, 9], "excluded_differences": [0]}',
    '{"n": 10}',
    '{"n": 3}',
    '{"n": 20, "excluded_sums": [17, 18, 19, 20], "excluded_differences": [0]}',
]
FEW = ("--max-nodes", "3", "--max-steps", "0")


@pytest.fixture
def run(run, tmp_path):
    (tmp_path / "many.jsonl").write_text("\n".join(LINES))
    return partial(run, "batch")


def lines_of(text):
    """Return the answers in a text, without their times."""
    assert text.endswith("\n")
    answers = [json.loads(line) for line in text.splitlines()]
    assert all(answer.pop("seconds") >= 0 for answer in answers)
    return answers


def alone(line, seed, **options):
    """Return the answer of solve_instances() as a line should give it."""
    Path("one.json").write_text(line)
    try:
        instance = fastqueens.read_instance("one.json")
    except NoSolutionError:
        return {"answer": "no solution", "nodes": 0}
    (answer,) = fastqueens.solve_instances([instance], seed=seed, **options)
    return {key: value for key, value in answer.as_dict().items() if key in ("answer", "nodes", "method", "queens")}


# Answers


@pytest.mark.parametrize("options", [(), FEW])
def test_each_line_is_the_answer_of_solve_instances(run, options):
    exit_code, stdout, stderr = run("many.jsonl", "--seed", "7", *options)
    answers = lines_of(stdout)
    limits = {"max_nodes": 3, "max_steps": 0} if options else {}
    expected = [alone(line, 7, **limits) for line in LINES]
    assert [{key: answer[key] for key in wanted} for answer, wanted in zip(answers, expected, strict=True)] == expected
    assert [answer["number"] for answer in answers] == [1, 2, 3, 4, 5, 6]
    assert [answer.get("name") for answer in answers] == ["first", None, None, None, None, None]
    assert [answer.get("n") for answer in answers] == [8, None, 8, 10, 3, 20]
    assert {(answer["seed"], answer["version"]) for answer in answers} == {(7, fastqueens.__version__)}
    kinds = [answer["answer"] for answer in answers]
    assert exit_code == int("undecided" in kinds) == bool(options)
    counts = (f"{kinds.count('solved')} solved", f"{kinds.count('undecided')} undecided")
    check_names(stderr, "6 instances", "seed 7", *counts)


def test_the_same_answers_everywhere(run):
    expected = lines_of(run("many.jsonl", "--seed", "7")[1])
    for options in (("-q",), ("-o", "-"), ("--threads", "3"), ("-o", "a.jsonl")):
        exit_code, stdout, stderr = run("many.jsonl", "--seed", "7", *options)
        assert exit_code == 0
        assert lines_of(Path("a.jsonl").read_text() if "a.jsonl" in options else stdout) == expected
        assert (stderr == "") == bool({"-q", "a.jsonl"} & set(options)), options


def test_the_files_of_a_folder_in_the_order_of_their_names(run, tmp_path):
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "c.json").write_text('{"n": 8,\n "fixed": [[1, 3]]}\n')
    (folder / "a.jsonl").write_text("\n".join(LINES[:2]))
    (folder / "b.JSON").write_text('{"n": 3}')
    (folder / "notes.txt").write_text("no instance")
    (folder / "d.param").write_text("letting n = 8")
    answers = lines_of(run("all", "--seed", "7")[1])
    assert [answer["name"] for answer in answers] == ["first", "a.jsonl", "b.JSON", "c.json"]
    assert answers[3]["queens"] == answers[0]["queens"]
    assert [answer["answer"] for answer in answers] == ["solved", "no solution", "no solution", "solved"]


# Bad input: nothing is solved or written


def test_a_bad_line_is_named(run):
    for bad, named in {
        "{": ["JSON"],
        '{"n": 8, "fixed": [[1, 8]]}': ["column 1, row 8", "7"],
        '{"n": 0}': ["n must be", 0],
    }.items():
        for at in (0, 5):
            Path("bad.jsonl").write_text("\n".join([*LINES[:at], "", bad, *LINES[at:]]))
            exit_code, stdout, stderr = run("bad.jsonl", "-o", "a.jsonl")
            assert (exit_code, stdout) == (2, ""), bad
            check_names(stderr, "bad.jsonl", f"line {at + 2}", *named)
            assert not Path("a.jsonl").exists()


#: Words after the command, and what the error names.
REFUSED = [
    (["none.jsonl"], ["none.jsonl", "no such file"]),
    (["empty.jsonl"], ["empty.jsonl", "no instance"]),
    (["folder"], ["folder", "no instance"]),
    (["large.jsonl", "--method", "complete"], ["large.jsonl", "line 2", "300", "64"]),
    (["many.jsonl", "--method", "complete", "--max-steps", "9"], ["--max-steps", "no effect", "auto or local"]),
    (["many.jsonl", "--method", "local", "--max-nodes", "9"], ["--max-nodes", "no effect", "auto or complete"]),
    (["empty.jsonl", "--queen", "0,0"], ["--queen"]),
    (["many.jsonl", "8"], ["8"]),
    ([], ["FILE"]),
    (["many.jsonl", "--seed", "-1"], ["--seed", "-1"]),
    (["many.jsonl", "-o", "none/a.jsonl"], ["none/a.jsonl", "no such file"]),
    (["many.jsonl", "-o", "."], ["folder"]),
    (["many.jsonl", "-o", "pipe"], ["pipe", "not a file"]),
    (["many.jsonl", "-o", "/dev/null"], ["/dev/null", "device", "not a file"]),
]


def test_refused(run, tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "large.jsonl").write_text('{"n": 8}\n{"n": 300}')
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for words, named in REFUSED:
        exit_code, stdout, stderr = run(*words)
        assert (exit_code, stdout) == (2, ""), words
        check_names(stderr, *named)


# Continuing


def test_a_batch_goes_on_where_it_was_cut(run):
    run("many.jsonl", "--seed", "7", "-o", "whole.jsonl")
    whole = Path("whole.jsonl").read_bytes()
    expected = lines_of(whole.decode())
    generator = random.Random(1)
    for cut in [0, 1, 12, len(whole) - 1, len(whole), *generator.sample(range(len(whole)), 25)]:
        Path("a.jsonl").write_bytes(whole[:cut])
        seed = generator.choice([(), ("--seed", "7")]) if b"\n" in whole[:cut] else ("--seed", "7")
        exit_code, stdout, _ = run("many.jsonl", "-o", "a.jsonl", *seed)
        after = Path("a.jsonl").read_bytes()
        kept = whole[: whole.rfind(b"\n", 0, cut) + 1]
        assert (exit_code, lines_of(after.decode())) == (0, expected)
        assert after.startswith(kept)
        if b"\n" in kept:
            check_names(stdout, f"{kept.count(10)} of them in an earlier run")


#: A change of the batch, the words of the second command, and what the error names.
OTHER_BATCHES = [
    (None, ["--seed", "8"], ["line 1", "seed is 7", 8]),
    (None, ["--method", "complete"], ["line 1", "options is", '"method": "auto"', "complete"]),
    (None, ["--max-nodes", "3"], ["line 1", "options is", '"max_nodes": 3']),
    (('"n": 10', '"n": 11'), [], ["line 4", "instance is"]),
    (('"first"', '"other"'), [], ["line 1", 'name is "first"', '"other"']),
    ((LINES[5], ""), [], ["line 6", "number 6", "5 instances"]),
    ((LINES[0], ""), [], ["line 1", "instance is"]),
    ((LINES[0], LINES[0] + "\n" + LINES[3]), [], ["line 2", "instance is"]),
]


def test_the_answers_to_another_batch_are_refused(run):
    run("many.jsonl", "--seed", "7", "-o", "a.jsonl")
    before = Path("a.jsonl").read_bytes()
    for change, words, named in OTHER_BATCHES:
        Path("many.jsonl").write_text("\n".join(LINES).replace(*change or ("", "")))
        exit_code, stdout, stderr = run("many.jsonl", "-o", "a.jsonl", *words)
        assert (exit_code, stdout) == (2, ""), named
        check_names(stderr, "a.jsonl", *named)
        assert Path("a.jsonl").read_bytes() == before


def test_the_answers_of_another_version_are_refused(run):
    run("many.jsonl", "--seed", "7", "-o", "a.jsonl")
    answers = Path("a.jsonl").read_text()
    Path("a.jsonl").write_text(answers.replace(f'"version": "{fastqueens.__version__}"', '"version": "9.9"'))
    exit_code, _, stderr = run("many.jsonl", "-o", "a.jsonl")
    assert exit_code == 2
    check_names(stderr, "line 1", "version is", "9.9")


def test_another_file_is_left_as_it_is(run):
    for content in (
        b"hello", b"hello\n", b"{}", b"[1, 3, 0, 2]\n", b'{"n": 4, "queens": [1, 3, 0, 2]}\n', b"\n", b"\xff\xfe",
        b"7\n", b'{"answer": "solved"}\n', b'{"answer": "solved"}', b'{"number": 2, "instance"', b"[" * 20_000,
        b"\0" * 10**5, b"{}" * 10**4,
    ):  # fmt: skip
        Path("a.jsonl").write_bytes(content)
        exit_code, stdout, stderr = run("many.jsonl", "-o", "a.jsonl")
        assert (exit_code, stdout, len(stderr) < 500) == (2, "", True), content[:50]
        check_names(stderr, "a.jsonl", "line 1")
        assert Path("a.jsonl").read_bytes() == content


def test_instances_are_not_read_from_their_answers(run):
    before = Path("many.jsonl").read_bytes()
    exit_code, _, stderr = run("many.jsonl", "-o", "many.jsonl")
    assert exit_code == 2
    check_names(stderr, "many.jsonl")
    assert Path("many.jsonl").read_bytes() == before


#: A second of answers, one after the other.
SLOWLY = (
    "import time, fastqueens.batch as batch; answer = batch._answer; "
    "batch._answer = lambda *task: (time.sleep(0.02), answer(*task))[1]"
)


@pytest.mark.parametrize(("number", "exit_code"), [("SIGKILL", -9), ("SIGTERM", 143)])
def test_a_batch_goes_on_after_a_signal(run, tmp_path, number, exit_code):
    (tmp_path / "many.jsonl").write_text("\n".join(LINES * 10))
    words = ("batch", "many.jsonl", "-o", "a.jsonl")
    with running(*words, cwd=tmp_path, before=SLOWLY) as process:
        wait_for(lambda: Path("a.jsonl").exists() and Path("a.jsonl").read_bytes().count(b"\n") >= 5)
        assert signal_and_wait(process, getattr(signal, number), "a batch") == exit_code
        stderr = process.stderr.read().decode()
    done = Path("a.jsonl").read_bytes()
    if exit_code > 0:  # the signal can arrive between a line and its count
        lines = done.count(b"\n")
        check_names(stderr, "of 60 instances", "the same command continues a.jsonl")
        assert int(re.search(r"after (\d+) of", stderr)[1]) in (lines - 1, lines)
    assert 5 <= done.count(b"\n") < 60
    assert run("many.jsonl", "-o", "a.jsonl")[0] == 0
    whole = Path("a.jsonl").read_bytes()
    assert whole.startswith(done[: done.rfind(b"\n") + 1])
    (seed,) = {answer["seed"] for answer in lines_of(whole.decode())}
    assert lines_of(run("many.jsonl", "--seed", str(seed))[1]) == lines_of(whole.decode())


def test_a_missing_cluster_leaves_no_file(run):
    exit_code, stdout, stderr = run("many.jsonl", "--scheduler", "", "-o", "a.jsonl")
    assert (exit_code, stdout, Path("a.jsonl").exists()) == (2, "", False)
    assert "dask" in stderr.lower()


def test_a_lost_cluster(run, monkeypatch):
    """Answers stay in the file, and the error says how to continue."""
    answers, written = fastqueens.solve_instances([8, 8], seed=7), []

    def some(*_, **__):
        yield next(answers)
        written.extend(lines_of(Path("a.jsonl").read_text()))
        raise InputError("the scheduler was lost")

    with monkeypatch.context() as patch:
        patch.setattr(fastqueens, "solve_instances", some)
        exit_code, _, stderr = run("many.jsonl", "--seed", "7", "-o", "a.jsonl")
    assert exit_code == 2
    check_names(stderr, "the scheduler was lost", "the same command continues a.jsonl")
    assert [answer["answer"] for answer in written] == ["solved", "no solution"], "each answer is written at once"
    assert lines_of(Path("a.jsonl").read_text()) == written
    assert run("many.jsonl", "--seed", "7", "-o", "a.jsonl")[0] == 0


def test_a_batch_whose_file_is_replaced_is_not_said_to_continue(tmp_path):
    (tmp_path / "many.jsonl").write_text("\n".join(LINES * 10))
    words = ("batch", "many.jsonl", "-o", "a.jsonl")
    with running(*words, cwd=tmp_path, before=SLOWLY) as process:
        wait_for(lambda: (tmp_path / "a.jsonl").exists() and (tmp_path / "a.jsonl").read_bytes().count(b"\n") >= 5)
        (tmp_path / "b.jsonl").write_text("other")
        (tmp_path / "b.jsonl").replace(tmp_path / "a.jsonl")
        assert process.wait(TIMEOUT) == 2
        stderr = process.stderr.read().decode()
    check_names(stderr, "replaced", "of 60 instances")
    assert "continues" not in stderr


# Damage, full disks, and several processes


@pytest.mark.parametrize("size", [1000, 2001])
def test_a_file_that_may_not_grow(run, tmp_path, size):
    """The command fails, because the user asked for the answers; lines that are written stay."""
    (tmp_path / "many.jsonl").write_text("\n".join(LINES * 10))
    words = ("batch", "many.jsonl", "-o", "a.jsonl", "--seed", "7")
    limit = f"import resource as r; r.setrlimit(r.RLIMIT_FSIZE, ({size}, {size}))"
    ended = process(*words, cwd=tmp_path, before=limit)
    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    check_names(line, "a.jsonl", "larger than allowed", "the same command continues a.jsonl")
    before = Path("a.jsonl").read_bytes()
    assert 0 < len(before) <= size
    assert run("many.jsonl", "-o", "a.jsonl")[0] == 0
    after = Path("a.jsonl").read_bytes()
    assert after.startswith(before)
    assert lines_of(after.decode()) == lines_of(run("many.jsonl", "--seed", "7")[1])


def test_a_full_disk(run, tmp_path):
    (tmp_path / "many.jsonl").write_text("\n".join(LINES * 10))
    with small_disk(tmp_path / "disk", "4k") as folder:
        ended = process("batch", "many.jsonl", "-o", str(folder / "a.jsonl"), cwd=tmp_path)
        content = (folder / "a.jsonl").read_bytes()
    assert (ended.returncode, ended.stdout) == (2, "")
    check_names(ended.stderr, "a.jsonl", "the disk is full", "the same command continues")
    answers = lines_of(content.decode())
    assert [answer["number"] for answer in answers] == list(range(1, len(answers) + 1))


@pytest.mark.parametrize("times", [2, pytest.param(20, marks=pytest.mark.gate)])
def test_two_processes_with_one_file(run, tmp_path, times):
    """Each answer is there once. A process that finds a line of the other one reports it; at worst, both do."""
    (tmp_path / "many.jsonl").write_text("\n".join(LINES * 20))
    words = ("batch", "many.jsonl", "--seed", "7", "-q", "-o")
    expected = lines_of(run("many.jsonl", "--seed", "7")[1])
    refused = 0
    for number in range(times):
        name = f"{number}.jsonl"
        with running(*words, name, cwd=tmp_path) as one, running(*words, name, cwd=tmp_path) as other:
            said = [started.communicate(timeout=120)[1].decode() for started in (one, other)]
            codes = [one.returncode, other.returncode]
        answers = lines_of(Path(name).read_text())
        assert answers == expected[: len(answers)]
        assert sorted(codes) == [2, 2] or (sorted(codes) in ([0, 0], [0, 2]) and answers == expected)
        for code, stderr in zip(codes, said, strict=True):
            if code == 2:
                check_names(stderr, name, "another process", f"the same command continues {name}")
                refused += 1
            else:
                assert stderr == ""
    print(f"{refused} of {times} times, one process was refused")


def test_a_file_that_is_moved_meanwhile(run, tmp_path):
    (tmp_path / "many.jsonl").write_text("\n".join(LINES * 10))
    with running("batch", "many.jsonl", "-o", "a.jsonl", cwd=tmp_path, before=SLOWLY) as started:
        wait_for(lambda: Path("a.jsonl").exists() and Path("a.jsonl").read_bytes().count(b"\n") >= 5)
        Path("a.jsonl").rename("b.jsonl")
        _, stderr = started.communicate(timeout=60)
    assert started.returncode == 2
    check_names(stderr.decode(), "a.jsonl", "moved")
    assert len(lines_of(Path("b.jsonl").read_text())) >= 5
