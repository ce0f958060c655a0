"""Files of answers: continuing them, a last line without an end, other files, and another process."""

import json
import logging

import pytest
from errors import check_error
from systems import on_posix

from fastqueens import InputError
from fastqueens.files.answers import appended_answers, seed_in

HEADS = [{"number": number, "instance": f"{number:016x}", "seed": 2**64 - 1} for number in (1, 2, 3)]


def line_of(number, /, **changes):
    return json.dumps({**HEADS[number - 1], "answer": "solved", **changes}).encode()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.jsonl"


def known_in(path, *lines):
    """Return the answers that a file holds, and append lines."""
    with appended_answers(path, HEADS) as (append, known):
        for line in lines:
            append(line)
        return dict(known)


def test_answers_are_continued_from_any_byte(path, caplog):
    assert known_in(path, line_of(1), line_of(2, answer="undecided")) == {}
    assert known_in(path, line_of(3, answer="no solution")) == {1: "solved", 2: "undecided"}
    whole = path.read_bytes()
    assert known_in(path) == {1: "solved", 2: "undecided", 3: "no solution"}
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            assert len(known_in(path)) == whole[:end].count(b"\n")
        assert path.read_bytes() == whole[: whole[:end].rfind(b"\n") + 1]
        assert len(caplog.records) == (not whole[:end].endswith(b"\n") and end > 0)
        assert seed_in(path) == (2**64 - 1 if whole[:end].count(b"\n") else None)


def test_other_content_is_refused_and_unchanged(path):
    for content, *named in (
        [b"notes", "notes"],
        [b"\n", "line 1"],
        [b"[1]\n", "[1]"],
        [line_of(1) + b"\n{}\n", "line 2"],
        [line_of(1, number=4) + b"\n", 4, "3 instances"],
        [line_of(1, answer="maybe") + b"\n", 1, "3 instances"],
        [line_of(1, seed=7) + b"\n", "seed", 7, 2**64 - 1],
    ):
        path.write_bytes(content)
        with check_error(InputError, path.name, *named):
            known_in(path)
        assert path.read_bytes() == content


@on_posix
def test_a_second_process_is_noticed(path):
    with appended_answers(path, HEADS) as (append, _):
        append(line_of(1))
        known_in(path, line_of(2))
        with check_error(InputError, path.name, "another process"):
            append(line_of(2))
        path.unlink()
        with check_error(InputError, path.name):
            append(line_of(2))
    assert not path.exists()


def test_an_answer_that_arrives_at_the_same_time_is_taken_back(path):
    with appended_answers(path, HEADS) as (first, _), appended_answers(path, HEADS) as (second, _):

        class Line(bytes):
            """A line that is written after the other process has written one, although the look came before."""

            def __add__(self, end):
                first(line_of(1))
                return bytes(self) + end

        with check_error(InputError, path.name, "another process"):
            second(Line(line_of(1, nodes=12345)))
        first(line_of(2))
    assert path.read_bytes() == line_of(1) + b"\n" + line_of(2) + b"\n"
