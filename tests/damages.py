"""Damage of files of lines, as disks, editors and interrupted copies cause it."""

import re


def _flip(random, content, first, last):
    at = min(first, len(content) - 1)
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def _delete(random, content, first, last):
    return content[:first] + content[last:]


def _insert(random, content, first, last):
    new = random.choice((random.randbytes(last - first), b"\n", b"0", b'"', content[first:last][::-1]))
    return content[:first] + new + content[first:]


def _truncate(random, content, first, last):
    return content[:first]


def _zero(random, content, first, last):
    return content[:first] + bytes(last - first) + content[last:]


def _repeat(random, content, first, last):
    return content[:last] + content[first:last] * random.choice((1, 1, 3)) + content[last:]


def _digit(random, content, first, last):
    found = re.search(rb"[0-9]", content[first:])
    at = len(content) - 1 if found is None else first + found.start()
    return content[:at] + random.choice((b"0", b"1", b"7", b"9", b"-1", b"", b"00", b"1.5")) + content[at + 1 :]


def _lines(change):
    def changed(random, content, first, last):
        lines = content.splitlines(keepends=True)
        at, other = (random.randrange(len(lines)) for _ in range(2))
        change(lines, at, other)
        return b"".join(lines)

    return changed


def _join(lines, at, other):
    lines[at] = lines[at].rstrip(b"\n")


def _swap(lines, at, other):
    lines[at], lines[other] = lines[other], lines[at]


def _drop(lines, at, other):
    del lines[at]


def _copy(lines, at, other):
    lines.insert(other, lines[at])


def _mix(lines, at, other):
    """Give a line the end of another one, where the digest is."""
    lines[at] = lines[at][:-20] + lines[other][-20:]


KINDS = (
    *(_flip, _delete, _insert, _truncate, _zero, _repeat, _digit, _digit),
    *map(_lines, (_join, _swap, _drop, _copy, _mix)),
)


def damaged(random, content):
    """Return content with one, two or four faults, each of which hits up to 40 bytes, or everything after them."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if content:
            first = random.randrange(len(content))
            last = min(len(content), first + random.choice((1, 2, 3, 20, 40)))
            content = random.choice(KINDS)(random, content, first, last)
    return content
