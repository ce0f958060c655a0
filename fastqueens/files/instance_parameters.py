"""Instances in the parameter files of CSPLib: lines ``NAME = VALUE`` or, in Essence', ``letting NAME be VALUE``.

==============  ======================================================================================================
``n``           the size of the board
``diags``       CSPLib 079: [d, 1] excludes the sum diagonal d, [d, 0] the difference diagonal d - (n - 1); any first
                part of the list makes an instance.
``init``        CSPLib 079: fixed queens, as [column, row] from 0
``blocks``      CSPLib 080: blocked squares, as [row, column] from 1
``sumdiags``    excluded sum diagonals, from 0 to 2 n - 2
``diffdiags``   excluded difference diagonals, from -(n - 1) to n - 1
==============  ======================================================================================================

``numdiags``, ``numsum`` and ``numdiff`` count diagonals. Comments begin with ``$``. Nothing is executed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.core.wording import counted
from fastqueens.files.instance_json import squares_list
from fastqueens.files.instance_parts import (
    ListIn,
    Parts,
    Request,
    agreed_n,
    check_pairs,
    check_parse_memory,
    line_at,
    made,
    pairs,
)
from fastqueens.files.text import check_range, integers, json_list, pieces_of, shortened

#: The lists of diagonals, and the name under which a file may state the length of each.
_COUNTS = {"diags": "numdiags", "sumdiags": "numsum", "diffdiags": "numdiff"}
_NAMES = ("n", "init", "blocks", *_COUNTS, *_COUNTS.values())

_COMMENT = re.compile(rb"\$[^\n]*")
_LANGUAGE = re.compile(rb"\s*language\s+essence'?\s+[\d.]+", re.IGNORECASE)
#: A class of characters comes first, since the search for one is fast in long lists. Names are short, so that a long
#: word that is none takes no long time either.
_ASSIGNMENT = re.compile(rb"([A-Za-z_]\w{0,30}+)(?:(?<=\bletting)\s++([A-Za-z_]\w{0,30}+))??\s*+(?:=|\bbe\b)", re.ASCII)
_INDEX_DOMAIN = re.compile(rb";\s*int\s*\([^()\[\]]*\)\s*(?=\])")

_NEEDED = "NAME = VALUE is needed, as in n = 8 or letting init = [[1, 3]]"
_COUNTED_FROM_0 = "; here columns and rows count from 0"


def read(data: bytes, name: str, request: Request) -> Instance:
    """Read an instance from a parameter file."""
    check_parse_memory(data, name)
    values, places = _assignments(data.removeprefix(b"\xef\xbb\xbf"), name)
    n = agreed_n(_whole(values, "n", name), request, name, "n = 8")
    for listed in _COUNTS:
        _check_count(values, listed, name)
    fixed = pairs(values.get("init", []), places["init"], "[column, row]")
    check_pairs(fixed, n, places["init"].entry, ("columns", "rows"))
    blocked = pairs(values.get("blocks", []), places["blocks"], "[row, column]")
    check_pairs(blocked, n, places["blocks"].entry, ("rows", "columns"), first=1)
    sums, differences = _diags(values, n, request.first, name, places["diags"])
    parts = Parts(
        fixed,
        blocked[:, ::-1] - 1,
        np.concatenate([sums, _diagonals(values, 0, 2 * n - 2, places["sumdiags"])]),
        np.concatenate([differences, _diagonals(values, 1 - n, n - 1, places["diffdiags"])]),
    )
    return made(n, parts, name, hint=_COUNTED_FROM_0 if len(blocked) else "")


def content(instance: Instance) -> Iterator[bytes]:
    """Yield the lines of the file, in Essence', as CSPLib's models read them."""
    yield f"letting n = {instance.n}\n".encode()
    for name, squares in (("init", instance.fixed.squares), ("blocks", instance.blocked[:, ::-1] + 1)):
        if len(squares):
            yield f"letting {name} = ".encode()
            yield from squares_list(squares)
            yield b"\n"
    sums, differences = instance.excluded_sums, instance.excluded_differences
    for name, numbers in (("sumdiags", sums), ("diffdiags", differences)) if len(sums) or len(differences) else ():
        yield f"letting {_COUNTS[name]} = {len(numbers)}\nletting {name} = ".encode()
        yield from json_list(piece for _, piece in pieces_of(numbers))
        yield b"\n"


def _assignments(data: bytes, name: str) -> tuple[dict[str, Any], dict[str, ListIn]]:
    """Return the value of each name in a file, and where each list is."""
    text = _COMMENT.sub(b"", data)
    language = _LANGUAGE.match(text)
    begin = language.end() if language else 0
    found = list(_ASSIGNMENT.finditer(text, begin))
    _check_blank(text, begin, found[0].start() if found else len(text), name)
    values: dict[str, Any] = {}
    places = {key: ListIn(name, key) for key in _NAMES}
    for at, match in enumerate(found):
        key = (match[2] or match[1]).decode()
        place = f"{name}: line {line_at(text, match.start())}"
        if key not in _NAMES:
            raise InputError(f"{place}: the name {shortened(repr(key))} is unknown; known are {', '.join(_NAMES)}")
        if key in values:
            raise InputError(f"{place} states {key} again; once is enough")
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        values[key] = _value(text, match.end(), end, f"{name}: {key}")
        places[key] = ListIn(name, key, text, match.end() if isinstance(values[key], list) else -1)
    return values, places


def _check_blank(text: bytes, first: int, last: int, name: str) -> None:
    """Raise :class:`InputError` for text outside of assignments."""
    other = re.compile(rb"\S[^\n]*").search(text, first, last)
    if other:
        shown = shortened(repr(other[0].strip().decode(errors="replace")))
        raise InputError(f"{name}: line {line_at(text, other.start())} holds {shown}; {_NEEDED}")


def _value(text: bytes, first: int, last: int, place: str) -> Any:
    """Return a number, or a list that may have index domains as in ``[1, 2; int(1..2)]``."""
    value = _INDEX_DOMAIN.sub(b"", text[first:last])
    try:
        return json.loads(value)
    except json.JSONDecodeError as error:
        at = line_at(text, first) + error.lineno - 1
        shown = shortened(repr(value.decode(errors="replace").strip()))
        raise InputError(f"{place} holds {shown}; a number or a list is needed (line {at}: {error.msg})") from None
    except (UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{place}: it cannot be read ({error}); a number or a list is needed") from None
    except RecursionError:
        raise InputError(f"{place}: the brackets are nested too deeply; a list of pairs is needed") from None


def _whole(values: dict[str, Any], key: str, name: str) -> int | None:
    """Return the number that a name stands for, or None if the file does not state it."""
    value = values.get(key)
    if key in values and type(value) is not int:
        raise InputError(f"{name}: {key} holds {shortened(repr(value))}; a whole number is needed")
    return value


def _check_count(values: dict[str, Any], listed: str, name: str) -> None:
    """Raise :class:`InputError` if the file states another length of a list."""
    count = _whole(values, _COUNTS[listed], name)
    held = values.get(listed, [])
    if count is not None and isinstance(held, list) and count != len(held):
        raise InputError(f"{name}: {_COUNTS[listed]} is {count}, but {listed} holds {counted(len(held), 'diagonal')}")


def _diags(
    values: dict[str, Any], n: int, first: int | None, name: str, listed: ListIn
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return sum and difference diagonals of the first part of the list ``diags``."""
    if first is not None and "diags" not in values:
        raise InputError(f"{name}: only a list diags, as in CSPLib 079, has a first part; this file has none")
    diags = pairs(values.get("diags", []), listed, "[diagonal, kind]")
    if first is not None and not 0 <= first <= len(diags):
        raise InputError(
            f"{name}: first is {first}; diags holds {counted(len(diags), 'diagonal')}, so it goes "
            f"from 0 to {len(diags)}"
        )
    check_range(diags[:, 0], 0, 2 * n - 2, listed.entry, "diagonals")
    check_range(diags[:, 1], 0, 1, listed.entry, "kinds (0 for a difference diagonal, 1 for a sum diagonal)")
    numbers, kinds = diags[:first].T
    return numbers[kinds == 1], numbers[kinds == 0] - (n - 1)


def _diagonals(values: dict[str, Any], least: int, most: int, place: ListIn) -> NDArray[np.int64]:
    diagonals = integers(values.get(place.key, []), str(place), place.entry)
    check_range(diagonals, least, most, place.entry, "diagonals")
    return diagonals
