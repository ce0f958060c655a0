"""No file of a megabyte takes long to be read or refused, whatever is in it.

The promise is 2 s. The limits here are several times that, in time of this processor: quadratic work takes minutes.
"""

from __future__ import annotations

import contextlib
import io
import signal
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz.formats import FORMATS
from hostile import TEXTS

from fastqueens.core.errors import InputError, NoSolutionError, NotEnoughMemoryError
from fastqueens.files.boards import parse_board

MEGABYTE = 1_000_000

#: Small texts tell which are the slowest; these are tried with a megabyte.
_SMALL = 16_000
_SLOWEST = 3
_SECONDS, _SMALL_SECONDS = 10, 1

_TEXT_FORMATS = [name for name in FORMATS if not name.endswith((".npy", ".npz"))]


@contextlib.contextmanager
def processor_time(seconds: float, what: str) -> Iterator[None]:
    """Raise AssertionError if the block takes longer. Other programs on the machine do not matter."""

    def stop(*_arguments: Any) -> None:
        raise AssertionError(f"more than {seconds} s for {what}")

    earlier = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier)


def seconds_to_read(name: str, path: Path, content: bytes, limit: float, what: str) -> float:
    path.write_bytes(content)
    started = time.process_time()
    with processor_time(limit, what), contextlib.suppress(InputError, NoSolutionError, NotEnoughMemoryError):
        FORMATS[name].read(path)
    return time.process_time() - started


@pytest.mark.parametrize("size", [MEGABYTE // 5, pytest.param(MEGABYTE, marks=pytest.mark.gate)])
@pytest.mark.parametrize("name", _TEXT_FORMATS)
def test_text_of_a_megabyte(tmp_path: Path, name: str, size: int) -> None:
    path = tmp_path / name
    taken = {what: seconds_to_read(name, path, text(_SMALL), _SMALL_SECONDS, what) for what, text in TEXTS.items()}
    for what in sorted(taken, key=lambda what: taken[what])[-_SLOWEST:]:
        seconds_to_read(name, path, TEXTS[what](size), _SECONDS * size / MEGABYTE, what)


# The hostile texts that once took minutes


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("instance.lp", b"%*\n" * (MEGABYTE // 3)),
        ("instance", b"%*\n" * (MEGABYTE // 3)),
        ("instance", b"{}" + b"\n" * MEGABYTE),
        ("instance.json", TEXTS["a key repeated late"](MEGABYTE)),
        ("board.json", TEXTS["a key repeated late"](MEGABYTE)),
    ],
)
def test_text_that_took_minutes(tmp_path: Path, name: str, content: bytes) -> None:
    seconds_to_read(name, tmp_path / name, content, _SECONDS, name)


def _archive(members: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez(file, **members)
    return file.getvalue()


def _compressed(members: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **members)
    return file.getvalue()


def _many_members() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(MEGABYTE // 100):
            archive.writestr(f"{number}", b"")
    return file.getvalue()


_ATTEMPTS = 100_000

_BINARY = {
    "compressed boards": lambda: _compressed({"boards": np.zeros((900_000, 1000), np.int8)}),
    "a compressed trace": lambda: _compressed(
        {"restarts": [], "pairs": np.zeros(50_000_000, np.int64), "conflicting_queens": np.zeros(50_000_000, np.int64)}
    ),
    "many members": _many_members,
    "many attempts": lambda: _archive(
        {
            "restarts": np.arange(1, _ATTEMPTS, dtype=np.int32),
            "pairs": np.zeros(_ATTEMPTS, np.int8),
            "conflicting_queens": np.zeros(_ATTEMPTS, np.int8),
            "first_boards": np.zeros((_ATTEMPTS, 1), np.int8),
            "moves": np.zeros((0, 3), np.int8),
        }
    ),
    "many boards": lambda: _archive({"boards": np.zeros((MEGABYTE, 1), np.int8)}),
}


@pytest.mark.gate
@pytest.mark.parametrize("content", _BINARY)
def test_archives_of_a_megabyte(tmp_path: Path, content: str) -> None:
    data = _BINARY[content]()
    assert len(data) < 1.3 * MEGABYTE
    for name in ("trace.npz", "moves.npz", "samples.npz"):
        seconds_to_read(name, tmp_path / name, data, _SECONDS, content)


def test_the_board_of_an_option() -> None:
    for text in ("1 " * 500_000, "1" * MEGABYTE, " " * MEGABYTE, "," * MEGABYTE, " ," * 500_000 + "x"):
        with processor_time(_SECONDS, text[:2]), contextlib.suppress(InputError):
            parse_board(text)
