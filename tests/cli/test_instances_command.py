"""``fastqueens solve --instances``: a line for each instance, in order; bad input; continuing; signals."""

import io
import json
import os
import random
import signal
import sys
from functools import partial
from pathlib import Path

import pytest
from errors import check_names
from processes import running, signal_and_wait, wait_for

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
    return partial(run, "solve", "--instances")


def lines_of(text):
    """Return the answers in a text, without their times."""
    assert text.endswith("\n")
    answers = [json.loads(line) for line in text.splitlines()]
    assert all(answer.pop("seconds") >= 0 for answer in answers)
    return answers


def alone(line, seed, **options):
    """Return the answer of solve() as a line should give it."""
    Path("one.json").write_text(line)
    try:
        result = fastqueens.solve(fastqueens.read_instance("one.json"), seed=seed, **options)
    except NoSolutionError as error:
        return {"answer": "no solution", "nodes": error.nodes}
    if not result.solved:
        return {"answer": "undecided", "nodes": result.nodes}
    return {"answer": "solved", "nodes": result.nodes, "method": result.method, "queens": result.queens.tolist()}


# Answers


@pytest.mark.parametrize("options", [(), FEW])
def test_each_line_is_the_answer_of_solve(run, options):
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


@pytest.mark.parametrize("options", [("-q",), ("-o", "-"), ("--threads", "1"), ("--threads", "3"), ("-o", "a.jsonl")])
def test_the_same_answers_everywhere(run, options):
    expected = lines_of(run("many.jsonl", "--seed", "7")[1])
    exit_code, stdout, stderr = run("many.jsonl", "--seed", "7", *options)
    assert exit_code == 0
    assert lines_of(Path("a.jsonl").read_text() if "a.jsonl" in options else stdout) == expected
    assert (stderr == "") == bool({"-q", "a.jsonl"} & set(options))


def test_the_same_answers_on_a_cluster(run, cluster):
    expected = lines_of(run("many.jsonl", "--seed", "7")[1])
    exit_code, stdout, _ = run("many.jsonl", "--seed", "7", "--scheduler", cluster.scheduler.address)
    assert (exit_code, lines_of(stdout)) == (0, expected)


def test_instances_from_stdin(run, monkeypatch):
    expected = lines_of(run("many.jsonl", "--seed", "7")[1])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(LINES).encode())))
    assert lines_of(run("-", "--seed", "7")[1]) == expected


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


@pytest.mark.parametrize("at", [0, 3, 5])
@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ("{", ["JSON"]),
        ('{"n": 8, "fixed": [[1, 8]]}', ["fixed[0]", "8", "7"]),
        ('{"n": 0}', ["n is 0"]),
        ('{"n": "8"}', ["'8'"]),
        ('{"fixed": []}', ["the board is missing"]),
        ('{"n": 8, "queens": []}', ["'queens'", "fixed"]),
        ("[1, 3, 0, 2]", ["object"]),
    ],
)
def test_a_bad_line_is_named(run, at, bad, named):
    Path("bad.jsonl").write_text("\n".join([*LINES[:at], "", bad, *LINES[at:]]))
    exit_code, stdout, stderr = run("bad.jsonl", "-o", "a.jsonl")
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "bad.jsonl", f"line {at + 2}", *named)
    assert not Path("a.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["none.jsonl"], ["none.jsonl", "no such file"]),
        (["empty.jsonl"], ["empty.jsonl", "no instance"]),
        (["folder"], ["folder", "no instance"]),
        (["large.jsonl", "--method", "complete"], ["large.jsonl", "line 2", "300", "256"]),
        (["empty.jsonl", "--instance", "empty.jsonl"], ["--instances", "--instance"]),
        (["empty.jsonl", "--count"], ["--instances", "--count"]),
        (["empty.jsonl", "--json"], ["--instances", "--json"]),
        (["empty.jsonl", "8"], ["--instances"]),
        (["many.jsonl", "--seed", "-1"], ["seed", "-1"]),
        (["many.jsonl", "-o", "none/a.jsonl"], ["none/a.jsonl", "no such file"]),
        (["many.jsonl", "-o", "."], ["folder"]),
    ],
)
def test_refused(run, tmp_path, words, named):
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "large.jsonl").write_text('{"n": 8}\n{"n": 300}')
    (tmp_path / "folder").mkdir()
    exit_code, stdout, stderr = run(*words)
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, *named)


def test_a_scheduler_is_for_many_instances(run):
    exit_code, _, stderr = run.func("solve", "8", "--scheduler", "nowhere")
    assert exit_code == 2
    check_names(stderr, "--scheduler", "--instances")


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
            check_names(stdout, f"{kept.count(10)} of them before")


def test_undecided_answers_count_when_a_batch_goes_on(run):
    assert run("many.jsonl", "-o", "a.jsonl", *FEW)[0] == 1
    before = Path("a.jsonl").read_bytes()
    assert run("many.jsonl", "-o", "a.jsonl", *FEW)[0] == 1
    assert Path("a.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "words", "named"),
    [
        (None, ["--seed", "8"], ["line 1", "seed is 7", 8]),
        (None, ["--method", "complete"], ["line 1", "options is {}", "complete"]),
        (None, ["--max-nodes", "3"], ["line 1", "options is {}", '{"max_nodes": 3}']),
        (('"n": 10', '"n": 11'), [], ["line 4", "instance is"]),
        (('"first"', '"other"'), [], ["line 1", 'name is "first"', '"other"']),
        ((LINES[5], ""), [], ["6 answers", "5 instances"]),
        ((LINES[0], ""), [], ["6 answers", "5 instances"]),
        ((LINES[0], LINES[0] + "\n" + LINES[3]), [], ["line 2", "instance is"]),
    ],
)
def test_the_answers_to_another_batch_are_refused(run, change, words, named):
    run("many.jsonl", "--seed", "7", "-o", "a.jsonl")
    before = Path("a.jsonl").read_bytes()
    Path("many.jsonl").write_text("\n".join(LINES).replace(*change or ("", "")))
    exit_code, stdout, stderr = run("many.jsonl", "-o", "a.jsonl", *words)
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "a.jsonl", *named)
    assert Path("a.jsonl").read_bytes() == before


def test_the_answers_of_another_version_are_refused(run, monkeypatch):
    run("many.jsonl", "--seed", "7", "-o", "a.jsonl")
    monkeypatch.setattr(fastqueens, "__version__", "9.9")
    exit_code, _, stderr = run("many.jsonl", "-o", "a.jsonl")
    assert exit_code == 2
    check_names(stderr, "line 1", "version is", "9.9")


@pytest.mark.parametrize(
    "content",
    [b"hello", b"hello\n", b"{}", b"[1, 3, 0, 2]\n", b'{"n": 4, "queens": [1, 3, 0, 2]}\n', b"\n", b"\xff\xfe", b"7\n",
     b'{"answer": "solved"}\n', b'{"answer": "solved"}', b'{"number": 2, "instance"'],
)  # fmt: skip
def test_another_file_is_left_as_it_is(run, content):
    Path("a.jsonl").write_bytes(content)
    exit_code, stdout, stderr = run("many.jsonl", "-o", "a.jsonl")
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "a.jsonl", "line 1")
    assert Path("a.jsonl").read_bytes() == content


def test_instances_are_not_read_from_their_answers(run):
    before = Path("many.jsonl").read_bytes()
    exit_code, _, stderr = run("many.jsonl", "-o", "many.jsonl")
    assert exit_code == 2
    check_names(stderr, "many.jsonl")
    assert Path("many.jsonl").read_bytes() == before


def test_a_full_disk(run):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    exit_code, _, stderr = run("many.jsonl", "-o", "/dev/full")
    assert exit_code == 2
    check_names(stderr, "/dev/full", "the disk is full")


#: A second of answers, one after the other.
SLOWLY = (
    "import time, fastqueens.solving.batch as batch; answer = batch._answer; "
    "batch._answer = lambda *task: (time.sleep(0.02), answer(*task))[1]"
)


@pytest.mark.parametrize(("number", "exit_code"), [("SIGKILL", -9), ("SIGINT", 130), ("SIGTERM", 143)])
def test_a_batch_goes_on_after_a_signal(run, tmp_path, number, exit_code):
    (tmp_path / "many.jsonl").write_text("\n".join(LINES * 10))
    words = ("solve", "--instances", "many.jsonl", "-o", "a.jsonl")
    with running(*words, cwd=tmp_path, before=SLOWLY) as process:
        wait_for(lambda: Path("a.jsonl").exists() and Path("a.jsonl").read_bytes().count(b"\n") >= 5)
        assert signal_and_wait(process, getattr(signal, number), "a batch") == exit_code
        stderr = process.stderr.read().decode()
    if exit_code > 0:
        check_names(stderr, "the same command continues a.jsonl")
    done = Path("a.jsonl").read_bytes()
    assert 5 <= done.count(b"\n") < 60
    assert run("many.jsonl", "-o", "a.jsonl")[0] == 0
    whole = Path("a.jsonl").read_bytes()
    assert whole.startswith(done[: done.rfind(b"\n") + 1])
    (seed,) = {answer["seed"] for answer in lines_of(whole.decode())}
    assert lines_of(run("many.jsonl", "--seed", str(seed))[1]) == lines_of(whole.decode())


def test_python_and_the_command_agree(run):
    answers = fastqueens.solve_instances([8, 10], seed=3)
    Path("two.jsonl").write_text('{"n": 8}\n{"n": 10}\n')
    found = lines_of(run("two.jsonl", "--seed", "3")[1])
    assert [answer["queens"] for answer in found] == [answer.queens.tolist() for answer in answers]
    with pytest.raises(InputError):
        fastqueens.solve_instances(["8"])


def test_a_lost_cluster(run, monkeypatch):
    """What is answered stays, and the error says how to continue."""
    answers, written = fastqueens.solve_instances([8, 8], seed=7), []

    def some(*_, **__):
        yield next(answers)
        written.extend(lines_of(Path("a.jsonl").read_text()))
        raise InputError("the scheduler was lost")

    with monkeypatch.context() as patch:
        patch.setattr("fastqueens.cli.instances.solve_instances", some)
        exit_code, _, stderr = run("many.jsonl", "--seed", "7", "-o", "a.jsonl")
    assert exit_code == 2
    check_names(stderr, "the scheduler was lost", "the same command continues a.jsonl")
    assert [answer["answer"] for answer in written] == ["solved", "no solution"], "each answer is written at once"
    assert lines_of(Path("a.jsonl").read_text()) == written
    assert run("many.jsonl", "--seed", "7", "-o", "a.jsonl")[0] == 0
