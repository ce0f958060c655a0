r"""Read and write instances: n with fixed queens, blocked squares and excluded diagonals.

======================================  ===============================================================================
``.json``                               our own format: an object with ``n`` and lists of constraints
``.jsonl``                              many instances, one such object in each line
``.param``, ``.eprime``, ``.essence``   the parameter files of CSPLib 079 (completions and excluded diagonals) and 080
``.lp``, ``.asp``                       facts of answer set programming, as in the ASP competitions
``.csv``                                fixed queens only, as lines ``column,row``
======================================  ===============================================================================

A file with another suffix, or standard input, is recognised by how its content begins.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from fastqueens.core.arguments import check_limit
from fastqueens.core.board import check_n
from fastqueens.core.errors import InputError, NoSolutionError
from fastqueens.core.instance import Instance
from fastqueens.files import instance_lines, instance_lists
from fastqueens.files.atomic import atomic_write
from fastqueens.files.instance_lists import Request, no_first_part
from fastqueens.files.text import FileName, check_rows_from, checked_suffix, name_of_input, open_input, read_all


class _Format(NamedTuple):
    """How to read and write a format.

    ``read(data, name, request)`` yields the instances of a file, and ``content(instance)`` the bytes of its file.
    ``holds`` are the constraints that a file can hold: attributes of an instance.
    """

    read: Callable[[bytes, str, Request], Iterator[Instance]]
    content: Callable[[Instance], Iterator[bytes]]
    holds: tuple[str, ...] = ("fixed", "blocked", "excluded_sums", "excluded_differences")


_PARAMETERS = _Format(instance_lists.read_parameters, instance_lists.parameters_content)
_FACTS = _Format(instance_lines.read_facts, instance_lines.facts_content, ("fixed", "blocked"))

_FORMATS = {
    ".json": _Format(instance_lists.read_json, instance_lists.json_content),
    ".jsonl": _Format(instance_lists.read_json_lines, instance_lists.json_content),
    ".param": _PARAMETERS,
    ".eprime": _PARAMETERS,
    ".essence": _PARAMETERS,
    ".lp": _FACTS,
    ".asp": _FACTS,
    ".csv": _Format(instance_lines.read_squares, instance_lines.squares_content, ("fixed",)),
}

INSTANCE_FORMATS = tuple(_FORMATS)

#: How the content of a format may begin, after comments, in the order in which they are tried. A comment without an end
#: is left to the reader of facts.
_BEGINNINGS = (
    (re.compile(rb"\{[^\n]*\}[^\S\n]*+\n\s*+\{"), ".jsonl"),
    (re.compile(rb"[{\[]"), ".json"),
    (re.compile(rb'["\s]*column|-?[0-9]+[ \t]*,|\Z'), ".csv"),
    (re.compile(rb"[#%]|[a-z]\w*\s*\("), ".lp"),
    (re.compile(rb"(?:language|letting)\b|[A-Za-z_]\w*\s*(?:=|be\b)"), ".param"),
)
_COMMENTS = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|%\*.*?\*%|(?!%\*)[%$][^\n]*)*+", re.DOTALL)


def read_instance(source: FileName, *, n: int | None = None, first: int | None = None, rows_from: int = 0) -> Instance:
    r"""Read an instance from a file; the suffix decides the format, or the content if the suffix is unknown.

    Parameters
    ----------
    source : str or path
        The file, or "-" for standard input.
    n : int, optional
        The size of the board, for files that do not state it. If both do, they must agree.
    first : int, optional
        In a file with CSPLib's list ``diags``: exclude only the first diagonals of the list, this many. By default all.
    rows_from : 0 or 1
        The number of the first row in a ``.csv`` file. The other formats fix how they count.

    Returns
    -------
    Instance

    Raises
    ------
    InputError
        Naming the file, the line or key, the value found, and what would be valid. Also if the file holds several
        instances; :func:`read_instances` reads these.
    NoSolutionError
        If fixed queens attack each other, or one is on a blocked square or on an excluded diagonal.

    Notes
    -----
    A million blocked squares take about a second.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "ten.param")
    ...     _ = file.write_text("n = 10\ndiags = [[4, 1], [2, 1], [14, 0]]\n")
    ...     read_instance(file).constraints, read_instance(file, first=2).constraints
    ('2 excluded sum diagonals and 1 excluded difference diagonal', '2 excluded sum diagonals')

    """
    found = list(islice(read_instances(source, n=n, first=first, rows_from=rows_from), 2))
    name = name_of_input(source)
    if len(found) != 1:
        held = "several instances, one in each line" if found else "no instance"
        raise InputError(f"{name}: it holds {held}; one is needed")
    return found[0]


def read_instances(
    source: FileName, *, n: int | None = None, first: int | None = None, rows_from: int = 0
) -> Iterator[Instance]:
    r"""Yield the instances of a file: one for each line of a ``.jsonl`` file, and one from any other.

    The parameters and the errors are those of :func:`read_instance`. The file is read before the first instance is
    yielded; each is parsed when it is asked for.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "two.jsonl")
    ...     _ = file.write_text('{"n": 8, "fixed": [[1, 3]]}\n{"n": 9}\n')
    ...     [instance.n for instance in read_instances(file)]
    [8, 9]
    """
    check_rows_from(rows_from)
    first = None if first is None else check_limit(first, "first")
    request = Request(None if n is None else check_n(n), first, rows_from)
    form, data, name = _read(source)
    if first is not None and form is not _PARAMETERS:
        raise no_first_part(name)
    yield from form.read(data, name, request)


class Entry(NamedTuple):
    """An instance of a batch.

    place : the file, and the line if there is an instance in each, for messages
    text : how it is stated there
    name : the name that it has there, or that of its file in a folder; None if it has none
    instance : Instance, or the error that says why it has no solution
    """

    place: str
    text: bytes
    name: Any
    instance: Instance | NoSolutionError


def read_batch(source: FileName) -> list[Entry]:
    """Read the instances of a file, or of the instance files in a folder, in the order of their names.

    Raises :class:`InputError` for the first that is not valid, as :func:`read_instances` does, and if there is none.
    """
    name = os.fspath(source)
    if os.path.isdir(name):
        files = [file for file in sorted(os.listdir(name)) if file.lower().endswith(INSTANCE_FORMATS)]
        found = [(file, entry) for file in files for entry in _entries(os.path.join(name, file))]
        entries = [entry if entry.name else entry._replace(name=file) for file, entry in found]
    else:
        entries = list(_entries(name))
    if not entries:
        raise InputError(f"{name}: it holds no instance; at least one is needed")
    return entries


def _entries(source: FileName) -> Iterator[Entry]:
    form, data, name = _read(source)
    if form is _FORMATS[".jsonl"]:
        for place, text, content in instance_lists.json_lines(data, name):
            instance = _or_no_solution(place, partial(instance_lists.instance_of, content, place, Request()))
            yield Entry(place, text, content.get("name"), instance)
    else:
        yield Entry(name, data, None, _or_no_solution(name, partial(next, form.read(data, name, Request()))))


def _or_no_solution(place: str, make: Callable[[], Instance]) -> Instance | NoSolutionError:
    try:
        return make()
    except NoSolutionError as error:
        return NoSolutionError(str(error).removeprefix(f"{place}: "))


def _read(source: FileName) -> tuple[_Format, bytes, str]:
    """Return the format, the content and the name of a file."""
    with open_input(source) as (file, name):
        data = read_all(file, name)
    suffix = os.path.splitext(source)[1].lower()
    return _FORMATS[suffix if suffix in _FORMATS else _recognised(data, name)], data, name


def write_instance(path: FileName, instance: Instance) -> None:
    r"""Write an instance in the format of the suffix; if that fails, an earlier file of that name stays unchanged.

    Parameters
    ----------
    path : str or path
        The file. An earlier one is replaced when the new one is complete.
    instance : Instance
        See :func:`fastqueens.make_instance`.

    Raises
    ------
    InputError
        If the suffix is unknown, its format cannot hold all constraints (``.lp`` has no diagonals, ``.csv`` has fixed
        queens only), or the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fastqueens import make_instance
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "eight.json")
    ...     write_instance(file, make_instance(8, {1: 3}, excluded_sums=[2]))
    ...     file.read_text()
    '{"n": 8, "fixed": [[1, 3]], "excluded_sums": [2]}\n'

    """
    suffix = checked_suffix(path, INSTANCE_FORMATS)
    form = _FORMATS[suffix]
    for part in _PARAMETERS.holds:
        if len(getattr(instance, part)) and part not in form.holds:
            held = part.replace("_", " ")
            raise InputError(f"{os.fspath(path)}: a {suffix} file cannot hold {held}; use .json or .param")
    with atomic_write(path) as file:
        file.writelines(form.content(instance))


def _recognised(data: bytes, name: str) -> str:
    """Return the suffix that fits to the beginning of a file."""
    begin = _COMMENTS.match(data)
    assert begin is not None
    for beginning, suffix in _BEGINNINGS:
        if beginning.match(data, begin.end()):
            return suffix
    shown = repr(data[begin.end() : begin.end() + 40].split(b"\n")[0].decode(errors="replace"))
    raise InputError(
        f"{name}: it begins with {shown}, as no format of instances does; use {', '.join(INSTANCE_FORMATS)}"
    )
