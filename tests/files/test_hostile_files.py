"""No file of a megabyte takes long to be read or refused, whatever is in it.

The promise is 2 s. The limits here are several times that, in time of this processor, which other programs share:
quadratic work takes minutes, and it takes 16 times as long for a text that is 4 times as long.
"""

import contextlib
import io
import signal
import time
import zipfile

import numpy as np
import pytest
from formats import FORMATS
from hostile import TEXTS

from fastqueens.core.errors import InputError, NoSolutionError, NotEnoughMemoryError
from fastqueens.files.boards import parse_board
from fastqueens.files.instances import read_instance

MEGABYTE = 1_000_000

#: Small texts tell which are the slowest; these are tried with a megabyte.
_SMALL = 16_000
_SLOWEST = 3
_SECONDS, _SMALL_SECONDS = 10, 3

#: Seconds above which the time is compared with that of the small text, which counts as at least the second number,
#: since collecting garbage takes longer; and how much faster than the text it may grow.
_MEASURABLE, _LEAST, _GROWTH = 0.5, 0.03, 4

READERS = {name: form.read for name, form in FORMATS.items()} | {"instance": read_instance}

_TEXT_FORMATS = [name for name in READERS if not name.endswith((".npy", ".npz"))]


def seconds_of(read, limit):
    """Return the processor time until something is read or refused; stop at the limit, which is a second more."""

    def stop(*_):
        raise TimeoutError

    started = time.process_time()
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
    ("size", "step"), [(MEGABYTE // 8, 12), pytest.param(MEGABYTE, 1, marks=pytest.mark.gate)], ids=["some", "all"]
)
@pytest.mark.parametrize("name", _TEXT_FORMATS)
def test_text_of_a_megabyte(tmp_path, name, size, step):
    path, first = tmp_path / name, _TEXT_FORMATS.index(name) % step
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


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("instance", b"{}" + b"\n" * MEGABYTE),
        ("instance.json", TEXTS["a key repeated late"](MEGABYTE)),
        ("board.json", TEXTS["a key repeated late"](MEGABYTE)),
    ],
)
def test_text_that_took_minutes(tmp_path, name, content):
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
@pytest.mark.parametrize("content", _BINARY)
def test_archives_of_a_megabyte(tmp_path, content):
    data = _BINARY[content]()
    assert len(data) < 1.3 * MEGABYTE
    for name in ("trace.npz", "moves.npz", "samples.npz"):
        assert seconds_to_read(name, tmp_path / name, data, _SECONDS) < _SECONDS, name


@pytest.mark.parametrize("text", ["1 " * 500_000, "1" * MEGABYTE, " " * MEGABYTE, "," * MEGABYTE, " ," * 500_000 + "x"])
def test_the_board_of_an_option(text):
    assert seconds_of(lambda: parse_board(text), _SECONDS) < _SECONDS
