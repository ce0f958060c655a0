"""No file of a megabyte takes long to be read or refused, whatever its content.

The promise is 2 s. The limits here are several times that, in time of this processor, which other programs share:
quadratic work takes minutes, and it takes 16 times as long for a text that is 4 times as long.
"""

import contextlib
import io
import signal
import time
import zipfile
from functools import partial

import numpy as np
import pytest
from formats import FORMATS

from fastqueens.errors import InputError, NoSolutionError, NotEnoughMemoryError
from fastqueens.files.boards import parse_boards
from fastqueens.files.instances import read_instance

MEGABYTE = 1_000_000

#: Small texts tell which are the slowest; these are tried with a megabyte.
_SMALL = 16_000
_SLOWEST = 3
_SECONDS, _SMALL_SECONDS = 30, 10

#: Seconds above which the time is compared with that of the small text, which counts as at least the second number,
#: since collecting garbage takes longer; and the largest growth of the time relative to the text.
_MEASURABLE, _LEAST, _GROWTH = 0.5, 0.03, 4

READERS = {name: form.read for name, form in FORMATS.items()} | {"instance": read_instance}

_TEXT_FORMATS = [name for name in READERS if not name.endswith((".npy", ".npz"))]

# Texts of about a megabyte that make careless parsers slow, for every format

#: Pieces that are repeated up to a megabyte, as in a literal of bytes, with ~ for a blank.
_PIECES = r"""
    % %\n $ $\n # #\n
    [ { ] } [] {} [[ []\n {}\n {}\n\n }~ {"n": [1, [[1,2], " \\"
    ( ) ? null, Q .Q Q.\n | |-
    1 0 - -1 1\n -1\n 0~ 0~0\n 1~2\n 1, 1,2\n 0,0\n 1~, 1,~ 1~\t 1\r\n
    , ,\n ,~ ~, ~ \t \n \r \r\n \x00 \xff \xef\xbb\xbf a _ a~ a= aa( e .
    {"n":1}\n {"n":~8,~"fixed":~[[1,~3]]}\n 0,0,1,1\n 1,0,0,0\n column,row\n 2~1\n 1e9, null,
    99999999999999999999,
"""

_UNITS = [piece.replace("~", " ").encode().decode("unicode_escape").encode("latin-1") for piece in _PIECES.split()]

#: The beginning and the end of such a text.
_FRAMES = (
    (b"", b""),
    (b"", b"x"),
    (b"", b"\n{"),
    (b"\xef\xbb\xbf", b"\n"),
    (b"[", b"]"),
    (b"[", b"0]"),
    (b'{"n": 8, "fixed": [', b"[1, 1]]}"),
    (b'{"queens": [', b"0]}"),
    (b'{"n": 8, "name": "', b'"}'),
    (b"{}", b"{"),
    (b"{", b"}"),
    (b"1 2", b"x"),
    (b"column,row\n0,0\n", b"7"),
    (b"attempt,step,pairs,conflicting_queens\n1,0,2,4\n", b"x"),
)


def _repeated(begin, unit, end, size):
    return begin + unit * (size // len(unit)) + end


def _numbered(pattern, numbers, separator=b""):
    """Put each number into the pattern, once for each of its placeholders."""
    places = pattern.count(b"%d")
    return separator.join(pattern % ((number,) * places) for number in numbers)


_SPECIAL = {
    "different keys": lambda size: b"{" + _numbered(b'"k%d": 0', range(size // 12), b",") + b"}",
    "a key repeated late": lambda size: (
        b"{" + _numbered(b'"k%d": 0', [*range(size // 12), size // 12 - 1], b",") + b"}"
    ),
    "squares": lambda size: b'{"n": %d, "fixed": [' % size + _numbered(b"[%d, 0]", range(size // 11), b", ") + b"]}",
    "a board": lambda size: _numbered(b"%d\n", range(size // 7)),
    "a board in one line": lambda size: _numbered(b"%d", range(size // 7), b" "),
    "attempts": lambda size: _numbered(b"%d,0,0,0\n", range(1, size // 13)),
    "huge numbers": lambda size: b"[" + (b"9" * 4000 + b",") * (size // 4001) + b"1]",
    "a huge fraction": lambda size: b"[" + b"9" * size + b".5]",
}

#: Texts by name, made for a size in bytes, which they can exceed a little.
TEXTS = {
    f"{begin!r} {unit!r}... {end!r}": partial(_repeated, begin, unit, end) for begin, end in _FRAMES for unit in _UNITS
} | _SPECIAL


def seconds_of(read, limit):
    """Return the processor time until a file is read or refused; stop one second after the limit."""

    def stop(*_):
        raise TimeoutError

    started = time.process_time()
    if not hasattr(signal, "setitimer"):
        pytest.skip("the system has no timer that sends signals")
    earlier = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit + 1)
    try:
        with contextlib.suppress(InputError, NoSolutionError, NotEnoughMemoryError, TimeoutError):
            read()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier)
    return time.process_time() - started


def seconds_to_read(name, path, content, limit):
    path.write_bytes(content)
    return seconds_of(lambda: READERS[name](path), limit)


@pytest.mark.parametrize(
    ("size", "step"), [(MEGABYTE // 16, 120), pytest.param(MEGABYTE, 100, marks=pytest.mark.gate)], ids=["some", "many"]
)
def test_text_of_a_megabyte(subtests, tmp_path, size, step):
    for name in _TEXT_FORMATS:
        with subtests.test(name=name):
            check_times(tmp_path, name, size, step)


def check_times(folder, name, size, step):
    path, first = folder / name, _TEXT_FORMATS.index(name) * 7 % step
    texts = list(TEXTS)[first::step]
    taken = {what: seconds_to_read(name, path, TEXTS[what](_SMALL), _SMALL_SECONDS) for what in texts}
    slowest = sorted(taken, key=taken.get)[-_SLOWEST:]
    assert taken[slowest[-1]] < _SMALL_SECONDS, slowest[-1]
    for what in slowest:
        seconds = seconds_to_read(name, path, TEXTS[what](size), _SECONDS)
        assert seconds < _SECONDS, what
        if seconds > _MEASURABLE:
            assert seconds < _GROWTH * max(taken[what], _LEAST) * size / _SMALL, what


# The hostile texts that once took minutes


ONCE_SLOW = [
    ("instance", b"{}" + b"\n" * MEGABYTE),
    ("instance.json", TEXTS["a key repeated late"](MEGABYTE)),
    ("board.json", TEXTS["a key repeated late"](MEGABYTE)),
]


def test_text_that_took_minutes(subtests, tmp_path):
    for name, content in ONCE_SLOW:
        with subtests.test(name=name, content=content):
            assert seconds_to_read(name, tmp_path / name, content, _SECONDS) < _SECONDS


def _archive(save=np.savez, **members):
    file = io.BytesIO()
    save(file, **members)
    return file.getvalue()


def _many_members():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(MEGABYTE // 100):
            archive.writestr(f"{number}", b"")
    return file.getvalue()


def _many_attempts(attempts=100_000):
    counts = np.zeros(attempts, np.int8)
    return _archive(
        restarts=np.arange(1, attempts, dtype=np.int32), pairs=counts, conflicting_queens=counts,
        first_boards=counts.reshape(-1, 1), moves=np.zeros((0, 3), np.int8),
    )  # fmt: skip


_BINARY = {
    "compressed boards": lambda: _archive(np.savez_compressed, boards=np.zeros((900_000, 1000), np.int8)),
    "a compressed trace": lambda: _archive(
        np.savez_compressed, restarts=[], **dict.fromkeys(("pairs", "conflicting_queens"), np.zeros(50_000_000, int))
    ),
    "many members": _many_members,
    "many attempts": _many_attempts,
    "many boards": lambda: _archive(boards=np.zeros((MEGABYTE, 1), np.int8)),
}


@pytest.mark.gate
def test_archives_of_a_megabyte(subtests, tmp_path):
    for content in _BINARY:
        with subtests.test(content=content):
            data = _BINARY[content]()
            assert len(data) < 1.3 * MEGABYTE
            for name in ("trace.npz", "moves.npz", "samples.npz"):
                assert seconds_to_read(name, tmp_path / name, data, _SECONDS) < _SECONDS, name


OPTIONS = ["1 " * 500_000, "1" * MEGABYTE, " " * MEGABYTE, "," * MEGABYTE, " ," * 500_000 + "x"]


def test_the_board_of_an_option(subtests):
    for text in OPTIONS:
        with subtests.test(begin=text[:2], end=text[-1]):
            assert seconds_of(partial(parse_boards, text, 0), _SECONDS) < _SECONDS
