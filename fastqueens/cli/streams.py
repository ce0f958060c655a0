"""The streams of the process: everything that the command line prints passes through here.

:func:`write` and :func:`data` are the only ways to stdout. Both return once the system has taken all bytes: the process
ends without Python's own flush, and a report about data must not come before them.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import sys
from collections.abc import Iterator
from typing import IO, Any

import click


class _Stdout(io.RawIOBase):
    """Stdout below Python's buffer: an error names it, and a pipe that does not block waits for its reader."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.isatty, self.fileno = raw.isatty, raw.fileno  # type: ignore[method-assign]

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            while (written := self._raw.write(data)) is None:
                select.select([], [self._raw], [])
        except OSError as error:
            error.filename = "stdout"
            raise
        return int(written)


def prepare() -> None:
    """Let Python buffer stdout, also with PYTHONUNBUFFERED, where a write can end early without an error.

    A character that the terminal lacks becomes a question mark.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        raw = getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Stdout(raw)), sys.stdout.encoding, "replace")


def check_open() -> None:
    """Raise ClickException if stdout is closed."""
    if sys.stdout is None:
        raise click.ClickException("stdout is closed; to discard what the command prints, write > /dev/null")


def write(content: str | bytes) -> None:
    """Write to stdout; without a terminal, a text loses its colours."""
    click.echo(content, nl=False)


@contextlib.contextmanager
def data() -> Iterator[IO[bytes]]:
    """Yield stdout for bytes, which have left this process when the ``with`` block ends."""
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


def say(text: str, *, err: bool = False) -> None:
    """Print sentences. A terminal gets lines that are too wide for it wrapped at blanks, without colours.

    A text for stderr is dropped if stderr is full or nobody reads it: the exit code still tells how the command ended.
    """
    width = columns(err=err)
    if width is not None:
        text = "\n".join(_wrapped(line, width) for line in text.split("\n"))
    if not err:
        write(f"{text}\n")
        return
    with contextlib.suppress(OSError):
        click.echo(text, err=True)


def columns(*, err: bool = False) -> int | None:
    """Return the columns of the terminal that stdout is, or stderr; None for a file, a pipe, or nothing."""
    stream = sys.stderr if err else sys.stdout
    if stream is None or not stream.isatty():
        return None
    import shutil  # 4 ms, and not needed by --help

    try:
        size = os.get_terminal_size(stream.fileno())
    except OSError:
        size = os.terminal_size((80, 24))
    return shutil.get_terminal_size(size).columns or 80  # some terminals do not know, and say 0


def _wrapped(line: str, width: int) -> str:
    plain = click.unstyle(line)
    if len(plain) <= width:
        return line
    import textwrap  # only for a terminal

    # Names of files and options stay whole, so that they can be copied.
    return textwrap.fill(plain, width, break_long_words=False, break_on_hyphens=False)
