"""Texts of about one megabyte that make careless parsers slow, for every format; see test_hostile_files.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

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

#: What such a text begins with, and ends with.
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


def _repeated(begin: bytes, unit: bytes, end: bytes, size: int) -> bytes:
    return begin + unit * (size // len(unit)) + end


def _numbered(pattern: bytes, numbers: Iterable[int], separator: bytes = b"") -> bytes:
    """Put each number into the pattern as often as that has place for it."""
    places = pattern.count(b"%d")
    return separator.join(pattern % ((number,) * places) for number in numbers)


_SPECIAL: dict[str, Callable[[int], bytes]] = {
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

#: Texts by name, made for a size in bytes, which they may exceed a little.
TEXTS: dict[str, Callable[[int], bytes]] = {
    f"{begin!r} {unit!r}... {end!r}": partial(_repeated, begin, unit, end) for begin, end in _FRAMES for unit in _UNITS
} | _SPECIAL
