"""Output of the command line: stdout, sentences in a terminal, JSON, and the look of file names in them.

Every function that writes to stdout returns when the system has taken all bytes. The process ends without Python's own
flush, and a report about data must not appear before the data.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from operator import methodcaller
from typing import IO, Any, TextIO

from fastqueens.errors import printable

#: Results for JSON: numbers, texts, lists and arrays by their names.
Figures = dict[str, Any]

#: Only boards of n below this number are drawn by default.
DRAWN_BELOW = 33


@contextlib.contextmanager
def prepared() -> Iterator[None]:
    """Let Python buffer stdout, even with PYTHONUNBUFFERED, and write UTF-8 into files and pipes on all systems.

    Python itself would take the encoding of the system, on Windows one that depends on the country. Characters that the
    terminal lacks are written as ``?``.
    """
    before = sys.stdout
    if not isinstance(before, io.TextIOWrapper):
        yield
        return
    with contextlib.suppress(AttributeError, OSError):  # on Windows
        os.set_blocking(before.fileno(), True)  # Python does not wait for the reader of a non-blocking pipe
    file = open(before.fileno(), "wb", closefd=False)  # noqa: SIM115 (stays open; on Windows, it can be the console)
    with _stderr_in_utf8(), contextlib.redirect_stdout(io.TextIOWrapper(file, _encoding(before), "replace")):
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # a closed pipe, which the exit code has told
                sys.stdout.close()


@contextlib.contextmanager
def _stderr_in_utf8() -> Iterator[None]:
    stream = sys.stderr
    if not isinstance(stream, io.TextIOWrapper):
        yield
        return
    before = stream.encoding
    stream.reconfigure(encoding=_encoding(stream))
    try:
        yield
    finally:
        stream.reconfigure(encoding=before)


def _encoding(stream: io.TextIOWrapper) -> str:
    """Return the encoding for a stream: its own in a terminal or if the user has chosen it, and otherwise UTF-8."""
    return stream.encoding if stream.isatty() or os.environ.get("PYTHONIOENCODING") else "utf-8"


def check_open() -> None:
    """Raise ClickException if stdout is closed."""
    if sys.stdout is None:
        from click import ClickException

        raise ClickException("stdout is closed; to discard the output of the command, use > /dev/null")


@contextlib.contextmanager
def data() -> Iterator[IO[bytes]]:
    """Yield stdout for bytes. All of them are written when the ``with`` block ends."""
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


def say(text: str, *, err: bool = False) -> None:
    """Print sentences, wrapped in a terminal. Text for stderr is dropped if stderr is full or has no reader."""
    from click import echo  # not at the top, because signals must be handled while click is imported

    width = columns(err=err)
    if width is not None:
        text = "\n".join(_wrapped(line, width) for line in text.split("\n"))
    with contextlib.suppress(OSError) if err else contextlib.nullcontext():
        echo(text, err=err)  # without colours if it does not go to a terminal


def columns(*, err: bool = False) -> int | None:
    """Return the width of the terminal that shows stdout or stderr, or None if it is a file, a pipe or closed."""
    stream = stream_of(err=err)
    if stream is None or not stream.isatty():
        return None
    import shutil  # takes 4 ms, and --help does not need it

    try:
        size = os.get_terminal_size(stream.fileno())
    except OSError:
        size = os.terminal_size((80, 24))
    return shutil.get_terminal_size(size).columns or 80  # some terminals report 0


def stream_of(*, err: bool) -> TextIO | None:
    """Return stderr or stdout, or None if it is closed."""
    return sys.stderr if err else sys.stdout


def _wrapped(line: str, width: int) -> str:
    from click import unstyle

    plain = unstyle(line)
    if len(plain) <= width:
        return line
    import textwrap  # only for a terminal

    # Names of files and options are not broken, so that they can be copied.
    return textwrap.fill(plain, width, break_long_words=False, break_on_hyphens=False)


def as_json(value: object) -> str:
    """Return a value as JSON; arrays become lists."""
    import json  # takes 5 ms, and --help does not need it

    return json.dumps(value, default=methodcaller("tolist"))


def file_label(path: str | None) -> str:
    """Return the name of a file for use in a sentence; None stands for a board from ``--board``."""
    if path is None:
        return "--board"
    return "standard input" if path == "-" else printable(path)
