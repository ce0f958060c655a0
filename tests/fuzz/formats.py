"""Files of every format, valid ones and damaged ones, and what reads and writes each.

A plain random generator draws them, which takes microseconds, so that a million are read in minutes. What an input is
depends on its number alone.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import fastqueens
from fastqueens.classroom.descent import read_starts
from fastqueens.core.board import Moves
from fastqueens.files.boards import read_board, write_board
from fastqueens.files.instance_lines import read_fixed_queens, write_fixed_queens
from fastqueens.files.instances import read_instance, read_instances, write_instance
from fastqueens.files.samples import read_sample_boards, write_samples
from fastqueens.files.traces import Header, read_moves, read_trace_and_header, write_trace

Draw = Callable[[Random], bytes]

#: The n of files that do not state it.
_N = 9


class Format(NamedTuple):
    """A kind of file.

    draw : makes valid content, or nearly valid
    read : returns what a file holds
    write : writes what ``read`` returned; None if the library writes no such files
    suffix : what ``write`` adds to the name of the file
    """

    draw: Draw
    read: Callable[[Path], Any]
    write: Callable[[Path, Any], object] | None = None
    suffix: str = ""


# Valid files


def _board(random: Random) -> list[int]:
    n = random.choice((1, 4, 5, 8, 9, 12, 12, 40))
    return [random.randrange(n) for _ in range(n)]


def _is_rare(random: Random) -> bool:
    return random.random() < 0.15


def _line_end(random: Random) -> bytes:
    return b"\r\n" if _is_rare(random) else b"\n"


def _lines(random: Random, parts: Sequence[Sequence[int]], header: bytes = b"") -> bytes:
    end = _line_end(random)
    lines = [b",".join(b"%d" % value for value in part) for part in parts]
    return end.join([header] * (header != b"" and not _is_rare(random)) + lines) + end * (not _is_rare(random))


def _text_board(random: Random) -> bytes:
    board = _board(random)
    if random.random() < 0.3:
        return random.choice((b" ", b",", b", ", b"\t")).join(b"%d" % row for row in board)
    return _lines(random, [[row] for row in board])


def _table(random: Random) -> bytes:
    squares = list(enumerate(_board(random)))
    if random.random() < 0.5:
        random.shuffle(squares)
    return _lines(random, squares, b"column,row")


def _dumped(random: Random, value: Any) -> bytes:
    return json.dumps(value, indent=random.choice((None, None, None, 1)), ensure_ascii=random.random() < 0.5).encode()


def _json_board(random: Random) -> bytes:
    board = _board(random)
    return _dumped(random, board if _is_rare(random) else {"n": len(board), "queens": board})


_DTYPES = ("<i4", "<i4", "<i8", "i1", "u1", "<i2", ">i4", ">u8", "<u4", "<f8", "?", "c16", "S3", "U2", "M8[s]", "O")


def _array(random: Random, values: Any) -> Any:
    """Return an array of any dtype; most are integers."""
    dtype = random.choice(_DTYPES) if _is_rare(random) else random.choice(_DTYPES[:9])
    return np.array(values, dtype="<i8").astype(dtype)


def _saved(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def _npy(random: Random) -> bytes:
    return _saved(_array(random, _board(random)))


def _archive(random: Random, members: dict[str, Any]) -> bytes:
    """Return an archive of arrays; a member of bytes is stored as it is."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name, value in members.items():
            content = value if isinstance(value, bytes) else _saved(_array(random, value))
            # Damage inside of a member keeps its checksum right, so that it reaches the reader of arrays.
            archive.writestr(f"{name}.npy", damaged(random, content) if random.random() < 0.04 else content)
    return file.getvalue()


def _squares(random: Random, n: int, most: int = 5, first: int = 0) -> list[list[int]]:
    return [[random.randrange(n) + first, random.randrange(n) + first] for _ in range(random.randrange(most))]


def _instance(random: Random) -> dict[str, Any]:
    n = random.choice((1, 4, 5, 8, _N, 30))
    stated: dict[str, Any] = {"n": n}
    if random.random() < 0.6:
        stated["fixed"] = _squares(random, n, 3)
    if random.random() < 0.6:
        stated["blocked"] = _squares(random, n)
    if random.random() < 0.4:
        stated["excluded_sums"] = [random.randrange(2 * n - 1) for _ in range(random.randrange(4))]
    if random.random() < 0.4:
        stated["excluded_differences"] = [random.randint(1 - n, n - 1) for _ in range(random.randrange(4))]
    if random.random() < 0.2:
        stated["name"] = random.choice(("", "eight", "\u265b", '"', "x" * 99))
    return stated


def _json_instance(random: Random) -> bytes:
    return _dumped(random, _instance(random))


def _json_lines(random: Random) -> bytes:
    end = _line_end(random)
    return end.join(json.dumps(_instance(random)).encode() for _ in range(random.randrange(4))) + end


def _facts(random: Random) -> bytes:
    n = random.choice((1, 4, 8, 30))
    size = random.choice(
        (
            f"num(1..{n}).",
            f"size({n}).",
            f"board({n}) .",
            f"#const n = {n}.",
            "".join(f"num({i})." for i in range(1, n + 1)),
            "%* the size *%",
        )
    )
    facts = [size]
    for predicate in random.choices(("block", "queen"), k=random.randrange(3)):
        facts += [f"{predicate}({row},{column})." for row, column in _squares(random, n, first=1)]
    return random.choice(("\n", " ", "", "\r\n", " % a comment\n", "%* a\n b *%")).join(facts).encode()


def _parameters(random: Random) -> bytes:
    stated = _instance(random)
    n = stated["n"]
    values: dict[str, Any] = {"n": n}
    names = {"fixed": "init", "excluded_sums": "sumdiags", "excluded_differences": "diffdiags"}
    values |= {names[key]: value for key, value in stated.items() if key in names}
    if "blocked" in stated:
        values["blocks"] = [[row + 1, column + 1] for column, row in stated["blocked"]]
    if _is_rare(random):
        values["diags"] = [[random.randrange(2 * n - 1), random.randrange(2)] for _ in range(random.randrange(4))]
        values["numdiags"] = len(values["diags"])
    form = random.choice(("{} = {}", "letting {} = {}", "letting {} be {}"))
    lines = [form.format(name, value) for name, value in values.items()]
    if _is_rare(random):
        lines = ["language ESSENCE' 1.0", "$ a comment", *(line.replace("]]", "]; int(1..3)]") for line in lines)]
    return _line_end(random).join(line.encode() for line in lines)


def _trace(random: Random) -> dict[str, Any]:
    length = random.choice((1, 2, 5, 20))
    restarts = sorted(random.sample(range(1, length), random.randrange(min(length, 3))))
    pairs, queens = ([random.randrange(30) for _ in range(length)] for _ in range(2))
    return {"restarts": restarts, "pairs": pairs, "conflicting_queens": queens}


def _header(random: Random) -> dict[str, Any]:
    return {"n": 8, "seed": random.randrange(99), "start": "random"} if random.random() < 0.5 else {}


def _csv_trace(random: Random) -> bytes:
    trace = _trace(random)
    entries = np.arange(len(trace["pairs"]))
    earlier = np.searchsorted(trace["restarts"], entries, side="right")
    parts = zip(
        (earlier + 1).tolist(), (entries - earlier).tolist(), trace["pairs"], trace["conflicting_queens"], strict=True
    )
    return _lines(random, list(parts), b"attempt,step,pairs,conflicting_queens")


def _npz_trace(random: Random) -> bytes:
    header = {part: _saved(np.asarray(value)) for part, value in _header(random).items()}
    return _archive(random, _trace(random) | header)


def _npz_moves(random: Random) -> bytes:
    trace = _trace(random)
    n, attempts, length = random.choice((1, 4, 8)), len(trace["restarts"]) + 1, len(trace["pairs"])
    first = [[random.randrange(n) for _ in range(n)] for _ in range(attempts)]
    moves, attempt, board = [], 0, list(first[0])
    for entry in range(1, length):
        if entry in trace["restarts"]:
            attempt += 1
            board = list(first[attempt])
            continue
        column, row = random.randrange(n), random.randrange(n)
        moves.append((column, board[column], row))
        board[column] = row
    steps = np.array(moves, np.int64).reshape(-1, 3)
    return _archive(random, trace | {"first_boards": first, "moves": steps})


def _boards(random: Random) -> list[list[int]]:
    n = random.choice((1, 4, 5, 8))
    return [[random.randrange(n) for _ in range(n)] for _ in range(random.choice((1, 2, 5)))]


def _npz_samples(random: Random) -> bytes:
    boards = _boards(random)
    first = random.randrange(2)
    figures = {"rows_from": _saved(np.asarray(first)), "n": _saved(np.asarray(len(boards[0])))}
    counted = [[row + first for row in board] for board in boards]
    return _archive(random, {"boards": counted} | (figures if first or random.random() < 0.5 else {}))


def _text_samples(random: Random) -> bytes:
    end = _line_end(random)
    separator = random.choice((b" ", b" ", b",", b"  "))
    return end.join(separator.join(b"%d" % row for row in board) for board in _boards(random)) + end


def _starts(random: Random) -> bytes:
    boards = _boards(random)
    return _line_end(random).join(b" ".join(b"%d" % (row + 1) for row in board) for board in boards)


# Damage

_NUMBERS = (
    *(b"0", b"-0", b"-1", b"1", b"2", b"8", b"00", b"01", b"+1", b"1.0", b"1e3", b"0x1", b"1_0", b"NaN", b"Infinity"),
    *(b"4294967295", b"4294967296", b"2147483647", b"2147483648", b"-2147483649", b"9223372036854775807"),
    *(b"9223372036854775808", b"-9223372036854775809", b"18446744073709551616", b"9" * 30, b"9" * 5000, b"1e999"),
)
_MARKS = (
    *(b"\n", b"\r", b"\r\n", b"\n\n", b",", b";", b"\t", b" ", b"\0", b"\x0b", b"\x1c", b"\x85", b"\xff", b"\xc2\xa0"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xe2\x80\xa8", b"\xd9\xa3", b"\x1b[2J", b"[", b"]", b"{", b"}", b"(", b")"),
    *(b'"', b":", b".", b"..", b"=", b"%", b"%*", b"*%", b"$", b"#", b"-", b"'", b"\\", b"\\u0000", b"\\ud800"),
)
_WORDS = (
    *(b'"n": 4, ', b'"queens": ', b'"fixed": [[0, 0]], ', b"null", b"true", b"column,row\n", b"[[0, 0]]", b"[]", b"{}"),
    *(
        b"block(1,1).",
        b"queen(2,3).",
        b"num(1).",
        b"size(4).",
        b"#const n = 4.",
        b"letting n be 4\n",
        b"diags = [[1,1]]",
    ),
    *(b"; int(1..2)", b"[" * 300, b"[" * 3000, b'{"n":' * 1000, b"%*" * 500, b" " * 999, b"\n" * 999, b"9," * 999),
    *(
        b"(4,)",
        b"(10**18,)",
        b"(-1,)",
        b"(2, 2)",
        b"()",
        b"'|O'",
        b"'<f8'",
        b"'<u8'",
        b"True",
        b"PK\x03\x04",
        b"\xff" * 8,
    ),
)
_TOKENS = (*_NUMBERS, *_NUMBERS, *_MARKS, *_MARKS, *_WORDS)
_DIGITS = b"0123456789"


def damaged(random: Random, content: bytes) -> bytes:
    """Edit content once or a few times."""
    for _ in range(random.choice((1, 1, 1, 1, 2, 2, 4))):
        content = _EDITS[random.randrange(len(_EDITS))](random, content)
    return content


def _span(random: Random, content: bytes) -> tuple[int, int]:
    """Return two places of which the second is often near the first."""
    first = random.randint(0, len(content))
    return first, min(len(content), first + random.choice((1, 1, 2, 3, 8, 40)))


def _insert(random: Random, content: bytes) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + random.choice(_TOKENS) + content[at:]


def _nest(random: Random, content: bytes) -> bytes:
    """Put a number or a list into many brackets, often almost as many as Python can parse."""
    depth = random.choice((1, 2, 300, random.randint(930, 1000)))
    first, last = _span(random, content)
    return content[:first] + b"[" * depth + content[first:last] + b"]" * depth + content[last:]


def _overwrite(random: Random, content: bytes) -> bytes:
    first, last = _span(random, content)
    return content[:first] + random.choice(_TOKENS) + content[last:]


def _delete(random: Random, content: bytes) -> bytes:
    first, last = _span(random, content)
    return content[:first] + content[last:]


def _repeat(random: Random, content: bytes) -> bytes:
    first, last = _span(random, content)
    return content[:last] + content[first:last] * random.choice((1, 1, 2, 50)) + content[last:]


def _move(random: Random, content: bytes) -> bytes:
    first, last = _span(random, content)
    rest = content[:first] + content[last:]
    at = random.randint(0, len(rest))
    return rest[:at] + content[first:last] + rest[at:]


def _flip(random: Random, content: bytes) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + bytes(byte ^ 1 << random.randrange(8) for byte in content[at : at + 1]) + content[at + 1 :]


def _cut(random: Random, content: bytes) -> bytes:
    return content[: random.randint(0, len(content))]


def _change_number(random: Random, content: bytes) -> bytes:
    """Replace a number that is written in digits, by one near it or by a strange one."""
    at = random.randint(0, len(content))
    first = next((place for place in range(at, len(content)) if content[place] in _DIGITS), None)
    if first is None:
        return content
    last = next((place for place in range(first, len(content)) if content[place] not in _DIGITS), len(content))
    near = b"%d" % (int(content[first:last][:18]) + random.choice((-1, 1, 1, 5)))
    return content[:first] + (near if random.random() < 0.6 else random.choice(_NUMBERS)) + content[last:]


_EDITS = (
    _insert,
    _insert,
    _nest,
    _overwrite,
    _overwrite,
    _delete,
    _repeat,
    _move,
    _flip,
    _cut,
    _change_number,
    _change_number,
)


# Formats


def _write_trace(path: Path, held: Any) -> None:
    trace, restarts, header = held
    write_trace(path, trace, restarts, header)


def _write_moves(path: Path, held: Any) -> None:
    trace, restarts, moves = held
    write_trace(path, trace, restarts, Header(), Moves(*moves))


_read_counted = partial(read_board, rows_from=1)
_write_counted = partial(write_board, rows_from=1)

FORMATS = {
    "board.npy": Format(_npy, read_board, write_board),
    "board.txt": Format(_text_board, read_board, write_board),
    "board": Format(_text_board, _read_counted, _write_counted, ".txt"),
    "board.csv": Format(_table, read_board, write_board),
    "board.json": Format(_json_board, read_board, write_board),
    "fixed.csv": Format(_table, lambda path: read_fixed_queens(path, _N), write_fixed_queens),
    "instance.json": Format(_json_instance, read_instance, write_instance),
    "instance.jsonl": Format(_json_lines, lambda path: list(read_instances(path))),
    "instance.param": Format(_parameters, read_instance, write_instance),
    "instance.lp": Format(_facts, read_instance, write_instance),
    "instance.csv": Format(_table, lambda path: read_instance(path, n=_N), write_instance),
    "instance": Format(
        lambda random: random.choice((_json_instance, _json_lines, _parameters, _facts))(random),
        read_instance,
        write_instance,
        ".json",
    ),
    "trace.csv": Format(_csv_trace, read_trace_and_header, _write_trace),
    "trace.npz": Format(_npz_trace, read_trace_and_header, _write_trace),
    "moves.npz": Format(_npz_moves, read_moves, _write_moves),
    "samples.npz": Format(_npz_samples, read_sample_boards, write_samples),
    "samples.txt": Format(_text_samples, read_sample_boards, write_samples),
    "starts.txt": Format(_starts, read_starts),
}

NAMES = tuple(FORMATS)


def drawn(number: int) -> tuple[str, bytes]:
    """Return the format and the content of an input; one in five is not damaged, and a few are random bytes."""
    random = Random(number)
    name = NAMES[number % len(NAMES)]
    share = random.random()
    if share < 0.01:
        return name, random.randbytes(random.randrange(99))
    content = FORMATS[name].draw(random)
    return name, content if share < 0.2 else damaged(random, content)


def same(held: Any, other: Any) -> bool:
    """Tell whether two readers returned the same: arrays by value, everything else by its parts."""
    if isinstance(held, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(held, other))
    if isinstance(held, fastqueens.Instance):
        return all(same(part, other_part) for part, other_part in zip(_parts(held), _parts(other), strict=True))
    if isinstance(held, (tuple, list)):
        return len(held) == len(other) and all(map(same, held, other))
    return bool(held == other)


def _parts(instance: fastqueens.Instance) -> tuple[Any, ...]:
    constraints = instance.blocked, instance.excluded_sums, instance.excluded_differences
    return instance.n, instance.fixed.squares, *constraints
