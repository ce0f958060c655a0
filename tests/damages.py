"""Damage of files, as disks, editors and interrupted copies cause it."""

import re

_DIGITS = (b"0", b"1", b"7", b"9", b"-1", b"", b"00", b"1.5")


def _edited(random, content):
    """Return content with another piece of up to 40 bytes; now and then without everything after it."""
    first = random.randrange(len(content))
    last = min(len(content), first + random.choice((1, 2, 3, 20, 40)))
    piece, after = content[first:last], content[last:]
    new = random.choice(
        (
            bytes([piece[0] ^ 1 << random.randrange(8)]) + piece[1:],
            b"",
            random.choice((random.randbytes(len(piece)), b"\n", b"0", b'"', piece[::-1])) + piece,
            bytes(len(piece)),
            piece * random.choice((2, 4)),
            re.sub(rb"[0-9]", random.choice(_DIGITS), piece, count=1),
        )
    )
    return content[:first] + new + random.choice((after, after, after, after, b""))


def _with_other_lines(random, content):
    """Return content with a line that is swapped, missing, copied, joined to the next, or has the end of another."""
    lines = content.splitlines(keepends=True)
    at, other = (random.randrange(len(lines)) for _ in range(2))
    kind = random.randrange(5)
    if kind == 0:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 1:
        del lines[at]
    elif kind == 2:
        lines.insert(other, lines[at])
    elif kind == 3:
        lines[at] = lines[at].rstrip(b"\n")
    else:
        lines[at] = lines[at][:-20] + lines[other][-20:]  # where the digest is
    return b"".join(lines)


def damaged(random, content):
    """Return content with one, two or four faults."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if content:
            content = random.choice((_edited, _edited, _with_other_lines))(random, content)
    return content
