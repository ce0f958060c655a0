"""The strategies from which hypothesis draws the inputs of the fuzzing: files, commands and options.

Files are valid and then damaged, built of pieces that look valid, or random bytes. Commands and options come from
click, so that a new one is fuzzed from its first day. Boards and pictures are small, so that valid inputs run quickly.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import click
import numpy as np
from hypothesis import strategies as st

from fastqueens.cli.app import cli
from fuzz.trial import Case

# Numbers and texts

SMALL_NUMBERS = ("1", "4", "5", "8", "12", "1e1", "1_2", " 8 ")
ODD_NUMBERS = (
    *("0", "-0", "-1", "2", "3", "1.5", "1e-3", "0x10", "1__0", "_1", "1e", "+8", "", " ", "8,9", "nan", "inf", "-inf"),
    *("5e9", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615"),
    *("18446744073709551616", "1e18", "-1e18", "1e20", "1e308", "1e9999", "9" * 30, "1" * 5000, "\u0663", "\u00b2"),
)
ODD_TEXTS = (
    "",
    " ",
    "-",
    "--",
    "=",
    "\udcff",
    "\u202eabc",
    "\u00e9\u4e2d\U0001f451",
    "a" * 3000,
    "\x1b[31m",
    "\n",
    "$x^2$",
    "$",
    "\\n",
)

#: Without a slash, so that a text used as a file name stays in the folder of the input.
texts = st.one_of(
    st.sampled_from(ODD_TEXTS),
    st.text(st.characters(exclude_characters="\0/", exclude_categories=()), max_size=8),
)
numbers = st.one_of(
    st.sampled_from(SMALL_NUMBERS), st.sampled_from(ODD_NUMBERS), st.integers(-5, 40).map(str), st.floats().map(str)
)

#: Values of options, by name; the other options get choices, numbers and texts.
VALUES = {
    "board": ["2 7 3 6 0 5 1 4", "1 3 0 2", "0,0,0,0", "1", "0", "2 4 1 3", "1 x", "0 1e3", "9" * 30, ",", "0,,1"],
    "seeds": ["1..3", "1,5", "1..1000001", "3..1", "..", "1..", "1,", "0..99999999999999999999"],
    "sizes": ["4", "4..6", "8,5", "6..4", "1..1e9", "..", "4..", "0", "2"],
    "size": ["A4", "30x20mm", "2x3in", "A9", "8x4.5", "1x1", "320x240", "0x0", "-1x5", "99999x99999", "1e9x1e9in"],
    "dpi": ["10", "20", "50", "0", "-5", "nan", "inf", "1e308", "1e-300", "99999999"],
    "style": ["classic", "modern", "lines", "infographic", "cubist"],
    "orientation": ["portrait", "landscape", "upright"],
    "margin": ["5", "2mm", "1in", "-1", "1e9mm", "nan", "mm"],
    "bleed": ["3mm", "0", "0.1in", "-1", "1e9mm", "nan"],
    "seconds": ["3", "4", "2.9", "0", "-1", "nan", "inf", "1e308"],
    "rules": ["steepest", "all", "sideways,annealing", "min-conflicts", "restart", "steepest,", ",", "best"],
    "static_point": ["0,0", "3,0", "-1,0", "99999999999,0", "1", ","],
    "temperature": ["1", "0.5", "0", "-1", "nan", "inf", "1e308", "5e-324"],
    "cooling": ["0.5", "0.9", "0", "1", "1.5", "-1", "nan", "0.999999999999"],
    "scheduler": ["", ":", "127.0.0.1:1", "tcp://", "127.0.0.1:99999", "http://127.0.0.1:1", "[::"],
    "up_to": ["10", "12", "100", "9", "0", "-1", "1e18", "5e9", "4294967295", "1.5", "1e9999"],
    "many": ["1", "2", "10", "0", "-1", "1e19", "1.5", "1e9999"],
    "runs": ["1", "2", "10", "0", "-1", "1e19", "1.5", "1e9999"],
    "sideways_limit": ["0", "1", "100", "-1", "1e18", "1e19"],
    "max_steps": ["0", "1", "50", "-1", "1e18", "1e19"],
    "restarts": ["0", "1", "5", "-1", "1e19"],
    "mix": ["1", "20", "300", "0", "-1", "1e10", "1e19", "1.5"],  # a valid number of 1e9 would take minutes
    "threads": ["1", "2", "1,2", "0", "-1", "1025", "1e18", ","],
}

# Damage


_TOKENS = [
    *(text.encode() for text in (*ODD_NUMBERS, *SMALL_NUMBERS) if text),
    *(b"\n", b"\r", b"\r\n", b"\n\n", b",", b";", b"\t", b"\0", b"\xff\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1b[2J"),
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b'"',
        b":",
        b"[" * 3000,
        b'{"n":' * 3000,
        b"null",
        b"true",
        b"NaN",
        b"Infinity",
        b'"n": 4, ',
    ),
    *(b"(10**18,)", b"(999999999999999999,)", b"(-1,)", b"'|O'", b"'<f8'", b"'<u8'", b"PK\x03\x04", b"\xff" * 8),
]

_edits = st.tuples(
    st.sampled_from(["insert", "overwrite", "delete", "cut", "repeat", "flip"]),
    st.floats(0, 1),
    st.one_of(st.sampled_from(_TOKENS), st.binary(min_size=1, max_size=8)),
)


def _edited(content: bytes, edit: tuple[str, float, bytes]) -> bytes:
    how, where, token = edit
    at = int(where * len(content))
    before, after = content[:at], content[at:]
    if how == "cut":
        return before
    if how == "flip":
        return before + bytes(byte ^ 1 << token[0] % 8 for byte in after[:1]) + after[1:]
    if how == "repeat":
        return content + after[: 20 * len(token)]
    rest = after if how == "insert" else after[len(token) :]
    return before + (b"" if how == "delete" else token) + rest


@st.composite
def damaged(draw: st.DrawFn, contents: st.SearchStrategy[bytes]) -> bytes:
    """Draw valid content and edit it up to four times."""
    content = draw(contents)
    for edit in draw(st.lists(_edits, max_size=4)):
        content = _edited(content, edit)
    return content


# Files


boards = st.one_of(
    st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n), min_size=n, max_size=n)),
    st.lists(st.integers(-(2**70), 2**70), max_size=5),
    st.just([1, 3, 0, 2]),
    st.just(list(range(300))),
)


def _lines(board: list[int]) -> bytes:
    return b"".join(b"%d\n" % row for row in board)


def _columns(board: list[int]) -> bytes:
    return b"column,row\n" + b"".join(b"%d,%d\n" % square for square in enumerate(board))


def _starts(board: list[int]) -> bytes:
    return b" ".join(b"%d" % (row + 1) for row in board) + b"\n"


_json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), boards),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["n", "queens", "pairs", "x"]), inner),
    max_leaves=8,
)


def _json_file(value: Any) -> bytes:
    return json.dumps(value).encode()


_DTYPES = (
    *("i1", "<i2", ">i4", "<i8", "<u4", ">u8", "u1"),
    *("f4", "<f8", "?", "c16", "S3", "U2", "M8[s]", "m8[D]", "V4", "O"),
)
_SHAPES = (
    *("(4,)", "(0,)", "()", "(2,2)", "(1,4)", "(-1,)", "(4.0,)", "('4',)", "4", "(True,)", "(1,)*3000"),
    *("(3000000000,)", "(4294967296,)", "(999999999999999999,)", "(9223372036854775807,2)"),
)
_dtypes = st.sampled_from(_DTYPES)
_shapes = st.sampled_from(_SHAPES)


@st.composite
def _headed_npy(draw: st.DrawFn) -> bytes:
    """Draw an .npy file whose header is built of pieces and need not fit the data."""
    descr = draw(st.one_of(_dtypes.map(repr), st.sampled_from(["[('a','<i4')]", "('<i4',(9,))", "1", "'i'*9999", "x"])))
    order = draw(st.sampled_from(["False", "True", "None", "9**9**9"]))
    text = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {draw(_shapes)}}}".encode()
    version = draw(st.sampled_from([b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x00\x00", b"\xff\xff"]))
    length = draw(st.sampled_from([len(text), 0, 1, 10**4, 2**16 - 1, 2**32 - 1]))
    size = length.to_bytes(4, "little")[: 2 if version == b"\x01\x00" else 4]
    return b"\x93NUMPY" + version + size + text + draw(st.binary(max_size=40))


@st.composite
def _saved_npy(draw: st.DrawFn, values: st.SearchStrategy[list[int]]) -> bytes:
    """Draw an .npy file of any dtype, as NumPy saves it."""
    board = np.array([row % 100 for row in draw(values)])
    array = board.astype(draw(_dtypes)) if draw(st.booleans()) else board
    file = io.BytesIO()
    np.save(file, array.reshape(draw(st.sampled_from([(-1,), (1, -1), (-1, 1)]))), allow_pickle=True)
    return file.getvalue()


_npy = st.one_of(_saved_npy(boards), _headed_npy())


@st.composite
def _npz(draw: st.DrawFn) -> bytes:
    """Draw a trace as .npz, with valid or damaged members."""
    parts = draw(_traces)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))) as archive:
        for name, values in parts.items():
            member = io.BytesIO()
            np.save(member, np.array(values, np.int64))
            damage = draw(st.one_of(st.none(), st.none(), damaged(_npy)))
            archive.writestr(f"{name}.npy", member.getvalue() if damage is None else damage)
    return file.getvalue()


@st.composite
def _trace(draw: st.DrawFn) -> dict[str, list[int]]:
    length = draw(st.integers(1, 8))
    counts = st.lists(st.integers(0, 30), min_size=length, max_size=length)
    marks = st.sets(st.integers(1, 8), max_size=2).map(sorted) if draw(st.booleans()) else st.just([])
    return {"restarts": draw(marks), "pairs": draw(counts), "conflicting_queens": draw(counts)}


_traces = _trace()


def _trace_lines(trace: dict[str, list[int]]) -> bytes:
    entries = enumerate(zip(trace["pairs"], trace["conflicting_queens"], strict=True))
    lines = [b"1,%d,%d,%d\n" % (step, *counts) for step, counts in entries]
    return b"attempt,step,pairs,conflicting_queens\n" + b"".join(lines)


_squares = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)).map(list), max_size=5)
_diagonals = st.lists(st.integers(-8, 15), max_size=4)

_instances = st.fixed_dictionaries(
    {"n": st.integers(0, 9)},
    optional={
        "fixed": _squares,
        "blocked": _squares,
        "excluded_sums": _diagonals,
        "excluded_differences": _diagonals,
        "solution": boards,
        "nodes": st.integers(0, 99),
    },
)


def _facts(stated: dict[str, Any]) -> bytes:
    """Write facts of answer set programming."""
    squares = [
        (name, square) for key, name in (("fixed", "queen"), ("blocked", "block")) for square in stated.get(key, [])
    ]
    facts = "".join(f"{name}({row},{column}).\n" for name, (column, row) in squares)
    return f"num(1..{stated['n']}).\n% instance\n{facts}".encode()


def _parameters(stated: dict[str, Any]) -> bytes:
    """Write a parameter file of CSPLib."""
    names = {"fixed": "init", "blocked": "blocks", "excluded_sums": "sumdiags", "excluded_differences": "diffdiags"}
    lines = [f"letting {names[key]} be {value}" for key, value in stated.items() if key in names]
    diags = [[number, 1] for number in stated.get("excluded_sums", [])]
    return "\n".join([f"n = {stated['n']} $ size", *lines, f"numdiags = {len(diags)}", f"diags = {diags}"]).encode()


def _files(*valid: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    return st.one_of(*map(damaged, valid), *valid, st.binary(max_size=80))


CONTENTS = {
    "board.npy": _files(_npy),
    "board.txt": _files(boards.map(_lines)),
    "board": _files(boards.map(_lines)),
    "board.csv": _files(boards.map(_columns)),
    "board.json": _files(
        boards.map(lambda board: _json_file({"n": len(board), "queens": board})), _json_values.map(_json_file)
    ),
    "starts.txt": _files(boards.map(_starts), st.lists(boards.map(_starts), max_size=4).map(b"".join)),
    "trace.csv": _files(_traces.map(_trace_lines)),
    "trace.npz": _files(_npz()),
    "instance.json": _files(_instances.map(_json_file)),
    "instance.jsonl": _files(st.lists(_instances.map(_json_file), max_size=3).map(b"\n".join)),
    "instance.lp": _files(_instances.map(_facts)),
    "instance.param": _files(_instances.map(_parameters)),
    "instance": _files(_instances.map(_json_file), _instances.map(_facts), _instances.map(_parameters)),
}

# Commands that read


_READING = [
    ["verify", "{}"],
    ["verify", "{}", "--rows-from", "1", "--json"],
    ["show", "{}"],
    ["show", "{}", "--move-costs"],
    ["solve", "--file", "{}", "--max-steps", "20", "-o", "out.json"],
    ["solve", "--file", "{}", "--max-steps", "20", "-o", "out.npy", "--trace", "out.csv", "-q"],
    ["climb", "--file", "{}", "--runs", "1"],
    ["poster", "{}", "--size", "30x20mm", "--dpi", "20", "-o", "out.png"],
]


@st.composite
def reading(draw: st.DrawFn) -> Case:
    """Draw a file or stdin, valid, damaged or random, and a command that reads it."""
    name = draw(st.sampled_from([*CONTENTS, "-"]))
    if name == "-":
        content = draw(st.one_of(CONTENTS["board.txt"], CONTENTS["starts.txt"]))
        command = draw(st.sampled_from([*_READING, ["descend", "{}"]]))
        return Case(tuple(part.format("-") for part in command), {}, content)
    if name.startswith("trace"):
        # The second file is missing, so the command reads the first one but does not draw, which takes longer.
        command = ["plot", "{}", "missing.csv", "-o", "out.png"]
    elif name.startswith("instance"):
        solving = ["solve", "--instance", "{}", "--max-steps", "20", "--restarts", "2", "-o", "out.json"]
        command = draw(st.sampled_from([solving, ["show", "--instance", "{}"]]))
    elif name.startswith("starts"):
        command = draw(st.sampled_from([["descend", "{}"], ["descend", "{}", "-o", "out.txt"]]))
    else:
        command = draw(st.sampled_from(_READING))
    return Case(tuple(part.format(name) for part in command), {name: draw(CONTENTS[name])})


# Commands with options


_SUFFIXES = ("npy", "txt", "csv", "json", "jsonl", "npz", "png", "jpg", "webp", "pdf", "svg", "gif")
_OUTPUTS = tuple(f"out.{suffix}" for suffix in _SUFFIXES)
_PATHS = (
    *_OUTPUTS,
    *CONTENTS,
    "-",
    "",
    ".",
    "missing/out.npy",
    "out.bmp",
    "out",
    "a" * 300,
    "/dev/null",
    "\udcff.txt",
    "caf\u00e9.txt",
)


def _values(parameter: click.Parameter) -> st.SearchStrategy[str]:
    """Return values for an option or an argument, most of them meaningful."""
    name = str(parameter.name)
    is_file = isinstance(parameter.type, click.Path) or name == "output"
    if is_file and name == "board":  # of poster: a file or a number
        return st.one_of(st.sampled_from(_PATHS), st.sampled_from(SMALL_NUMBERS), st.sampled_from(ODD_NUMBERS))
    if is_file:
        # No random texts: the path may be written to.
        return st.sampled_from(_PATHS)
    if isinstance(parameter.type, click.Choice):
        return st.one_of(st.sampled_from([str(choice) for choice in parameter.type.choices]), texts)
    if name in VALUES:
        return st.one_of(st.sampled_from(VALUES[name]), st.sampled_from(VALUES[name]), texts)
    if name == "title":
        return texts
    return st.one_of(numbers, numbers, texts)


@st.composite
def _option(draw: st.DrawFn, option: click.Option) -> list[str]:
    flag = draw(st.sampled_from(option.opts))
    if option.is_flag:
        return [flag]
    value = draw(_values(option))
    return [f"{flag}={value}"] if flag.startswith("--") and draw(st.booleans()) else [flag, value]


#: Options that are always set, since the work takes long without them.
_SHORTENING = ("up_to", "runs", "size", "dpi", "seconds")

#: Commands that draw. They are rare, since drawing takes longer than everything else.
_DRAWING = ("plot", "poster", "animate")
_WEIGHTED = [name for name in cli.commands for _ in range(1 if name in _DRAWING else 4)]


@st.composite
def commanding(draw: st.DrawFn) -> Case:
    """Draw a command with arguments and options, which need not fit, and up to two files to read."""
    command = cli.commands[draw(st.sampled_from(_WEIGHTED))]
    parts = []
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            count = draw(st.sampled_from([1, 1, 1, 1, 0, 2]))
            parts += [[draw(_values(parameter))] for _ in range(count)]
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    required = [option for option in options if option.required or option.name in _SHORTENING]
    if not draw(st.integers(0, 19)):
        required = [option for option in required if not option.required]
    chosen = draw(st.lists(st.sampled_from(options), max_size=4)) if options else []
    parts += [draw(_option(option)) for option in required + chosen]
    if not draw(st.integers(0, 15)):
        parts.append([draw(texts)])
    files = draw(st.lists(st.sampled_from(list(CONTENTS)), max_size=2, unique=True))
    arguments = [str(command.name), *(text for part in draw(st.permutations(parts)) for text in part)]
    return Case(tuple(arguments), {name: draw(CONTENTS[name]) for name in files}, draw(CONTENTS["board.txt"]))


#: Any input.
cases = st.one_of(reading(), commanding())
