"""Damage of files: pieces are inserted, overwritten, repeated, moved, and written in another way."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from random import Random

import numpy as np

from fuzz.formats import NAMES, valid_file

_NUMBERS = (
    *b"0 -0 -1 1 2 8 00 01 +1 1.0 1e3 0x1 1_0 NaN Infinity -Infinity 1e999".split(),
    *b"2147483647 2147483648 -2147483649 4294967295 4294967296 9223372036854775807 9223372036854775808".split(),
    *b"-9223372036854775809 18446744073709551616".split(),
    *(b"9" * 30, b"9" * 5000),
)
_MARKS = (
    *(b"\n", b"\r", b"\r\n", b"\n\n", b"\t", b" ", b"\0", b"\x0b", b"\x1c", b"\x85", b"\xff", b"\xc2\xa0"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xe2\x80\xa8", b"\xd9\xa3", b"\x1b[2J", b"\xff" * 8, b"PK\x03\x04"),
    *rb"""[ ] { } ( ) " : . ? Q / = % $ # - ' \ , ; \u0000 \ud800""".split(),
)
_WORDS = (
    *b"null true column,row\n row,column\n [[0,0]] [] {} block(1,1). 8/8/8/8/8/8/8/Q7".split(),
    *(b'"n": 4, ', b'"queens": ', b'"fixed": [[0, 0]], ', b'"name": "x", ', b"letting n be 4\n"),
    *(b"$ a comment\n", b" % a comment\n", b"# a comment\n", b"Q..\n..Q\n...\n", b"1?4??3"),
    *(b"[" * 300, b"[" * 3000, b'{"n":' * 1000, b" " * 999, b"\n" * 999, b"9," * 999),
    # Parts of the headers of arrays.
    *b"(4,) (10**18,) (999999999999999999,) (9223372036854775807,2) (-1,) (2,2) () ('4',) (1,)*3000".split(),
    *b"'|O' '<f8' '<u8' 'V4' [('a','<i4')] ('<i4',(9,)) True 9**9**9".split(),
)
_TOKENS = (*_NUMBERS, *_NUMBERS, *_MARKS, *_MARKS, *_WORDS)

_DTYPES = str.split("<i4 <i4 <i8 i1 u1 <i2 >i4 >u8 <u4 <f8 ? c16 S3 U2 M8[s] O")

#: Other spellings of valid files, or nearly so.
_SPELLINGS = (
    *((b"\n", b"\r\n"), (b"\n", b" "), (b"\n", b", "), (b"\n", b""), (b", ", b","), (b",", b", "), (b",", b"\t")),
    *((b" ", b"  "), (b",", b";"), (b"excluded_sums", b"excluded_differences"), (b"blocked", b"fixed"), (b"1", b"0")),
)


def damaged(random: Random, content: bytes) -> bytes:
    """Edit content once or a few times."""
    for _ in range(random.choice((1, 1, 1, 1, 2, 2, 4))):
        content = _edited(random, content)
    return content


def _edited(random: Random, content: bytes) -> bytes:
    if content.startswith(b"PK") and random.random() < 0.5:
        return _with_damaged_member(random, content)
    if content.startswith(b"\x93NUMPY") and random.random() < 0.4:
        return _recast(random, content)
    if random.random() < 0.1:
        return content.replace(*random.choice(_SPELLINGS))
    if random.random() < 0.2:
        return _with_another_number(random, content)
    first = random.randint(0, len(content))
    last = min(len(content), first + random.choice((0, 0, 1, 1, 2, 3, 8, 40, len(content))))
    piece = content[first:last]
    other = random.randint(0, len(content))
    depth = random.choice((1, 2, 300, random.randint(930, 1000)))  # often almost as many as Python can parse
    new = random.choice(
        (
            random.choice(_TOKENS),
            random.choice(_TOKENS),
            b"",
            piece * random.choice((2, 2, 3, 50)),
            bytes(byte ^ 1 << random.randrange(8) for byte in piece[:1]) + piece[1:],
            content[other : other + random.choice((1, 3, 8, 40))],
            b"[" * depth + piece + b"]" * depth,
        )
    )
    return content[:first] + new + content[last:]


def _with_another_number(random: Random, content: bytes) -> bytes:
    """Replace a number that is written in digits, by one near it or by a strange one."""
    found = re.compile(rb"\d{1,18}").search(content, random.randint(0, len(content)))
    if found is None:
        return content
    near = b"%d" % (int(found[0]) + random.choice((-1, 1, 1, 5)))
    new = near if random.random() < 0.6 else random.choice(_NUMBERS)
    return content[: found.start()] + new + content[found.end() :]


def _recast(random: Random, content: bytes) -> bytes:
    """Give an array another dtype, and sometimes another shape; a broken one loses its first byte."""
    file = io.BytesIO()
    try:
        with warnings.catch_warnings(action="ignore"):
            array = np.load(io.BytesIO(content)).astype(random.choice(_DTYPES))
            np.save(file, array.reshape(random.choice((array.shape, array.shape, (-1,), (1, -1), (-1, 1)))))
    except Exception:
        return content[1:]
    return file.getvalue()


def _with_damaged_member(random: Random, content: bytes) -> bytes:
    """Damage a file inside an archive and keep its checksum right, so that it reaches the reader of arrays."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        name = random.choice(list(members))
    except Exception:
        return content[1:]
    members[name] = damaged(random, members[name])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return file.getvalue()


def drawn_content(random: Random, name: str) -> bytes:
    """Return the content of a file; one in five is not damaged, and a few are random bytes."""
    share = random.random()
    if share < 0.01:
        return random.randbytes(random.randrange(99))
    content = valid_file(random, name)
    return content if share < 0.2 else damaged(random, content)


def drawn_file(number: int) -> tuple[str, bytes]:
    """Return the format and the content of a file, which depend on its number alone."""
    name = NAMES[number % len(NAMES)]
    return name, drawn_content(Random(number), name)
