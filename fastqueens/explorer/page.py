"""The page of a board in one file, built from the parts in the folder ``assets`` and the packed board."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import json
import re
import urllib.parse
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Moves, Queens, Trace, check_n
from fastqueens.checking import attacking_pairs, check_same_n
from fastqueens.errors import InputError
from fastqueens.instance import Instance

#: The most queens, steps, queens on first boards, and squares and diagonals of a page that opens quickly.
MOST_QUEENS_INSIDE = 10_000_000
_MOST_STEPS = 2_000_000
_MOST_ON_FIRST_BOARDS = 2_000_000
MOST_SQUARES_INSIDE = 2_000_000

#: On smaller boards, chance hides the shape of the density. Of larger boards, only some queens are read.
_LEAST, _MOST_READ = 10_000, 1_000_000

_LIMIT_SHAPE = (
    "Like almost all solutions of this size, it has fewer queens in the corners and in the middle, and more "
    "along the edges."
)

_FOLDER = Path(__file__).parent / "assets"
_FONTS = Path(__file__).parent.parent / "pictures" / "fonts"

#: The kernels compiled to WebAssembly: ``make kernels.wasm`` writes them.
KERNELS = _FOLDER / "kernels.wasm"

#: The styles and scripts of the page, by their names.
ASSETS = {path.name: path for path in _FOLDER.rglob("*.*") if path.suffix in (".css", ".js")}

_ASSET = re.compile(
    r'<link rel="stylesheet" href="assets/(?P<style>[\w.]+)">|'
    r'<script(?P<mark>( data-worker)?) src="assets/(?P<script>[\w.]+)"></script>'
)


def page_in_one_file(
    queens: Queens,
    name: str = "",
    data: Mapping[str, NDArray[Any]] | None = None,
    instance: Instance | None = None,
    algorithm: str | None = None,
    *,
    kernels: bool = True,
) -> bytes:
    """Return a page in HTML with its board, styles and scripts, which opens without a network.

    ``name`` is the source of the board, which the page shows. ``data`` is a search that the page plays, see
    :func:`course_data`, and ``algorithm`` its name, by default local search. With ``kernels``, the page can compute
    boards itself. Raise :class:`InputError` if the board or the instance is too large.
    """
    check_fits_inside(len(queens))
    facts = _facts(queens, name, instance, "" if data is None else algorithm or "local search")
    arrays = {"rows": queens, **(data or {})}
    if instance is not None:
        check_same_n(instance, len(queens))
        if not instance.is_free:
            arrays |= _page_data(instance)
    blocks = [_block(part, array) for part, array in arrays.items()]
    return _filled(facts, [*blocks, _kernels()] if kernels else blocks, kernels).encode()


def page_that_solves() -> bytes:
    """Return a page in HTML without a board, which solves those that its reader asks for."""
    return _filled({"n": 0}, [_kernels()], kernels=True).encode()


def check_fits_inside(n: int) -> None:
    """Raise :class:`InputError` if a board of n is too large for :func:`page_in_one_file`."""
    if n > MOST_QUEENS_INSIDE and check_n(n):
        raise InputError(
            f"a page holds at most {MOST_QUEENS_INSIDE:,} queens, and this board has {n:,}; for larger boards, "
            "fastqueens show -o and fastqueens poster (in Python, picture and poster) draw their density"
        )


def course_data(trace: Trace, restarts: Sequence[int], moves: Moves) -> dict[str, NDArray[Any]]:
    """Return the data of a search for :func:`page_in_one_file`; its board is the first one.

    "moves" has all columns, then all rows before, then all rows after, and "starts" the first boards, one after the
    other. Raise :class:`InputError` if there are too many steps or first boards.
    """
    n = moves.first_boards.shape[1]
    if len(moves.steps) > _MOST_STEPS:
        raise InputError(
            f"a page plays at most {_MOST_STEPS:,} steps, and this search has {len(moves.steps):,}; show its last "
            "board instead"
        )
    if moves.first_boards.size > _MOST_ON_FIRST_BOARDS:
        raise InputError(
            f"a page that plays a search holds at most {_MOST_ON_FIRST_BOARDS:,} queens, and this search has "
            f"{len(moves.first_boards):,} first boards of {n:,}; show its last board instead"
        )
    return {
        "moves": moves.steps.T,
        "starts": moves.first_boards,
        "pairs": trace.pairs,
        "restarts": np.array(restarts, np.int64),
    }


def _page_data(instance: Instance) -> dict[str, NDArray[Any]]:
    """Return the arrays of an instance for a page; raise :class:`InputError` if they are too large.

    "blocked" and "fixed" have all columns, then all rows, and "differences" has n added.
    """
    parts = {
        "blocked": instance.blocked.T,
        "fixed": instance.fixed.squares.T,
        "sums": instance.excluded_sums,
        "differences": instance.excluded_differences + instance.n,
    }
    held = len(instance.blocked) + len(instance.fixed) + len(parts["sums"]) + len(parts["differences"])
    if held > MOST_SQUARES_INSIDE:
        raise InputError(
            f"a page holds at most {MOST_SQUARES_INSIDE:,} squares and diagonals of an instance, and this one has "
            f"{held:,}; leave the instance out"
        )
    return parts


def _facts(queens: Queens, name: str, instance: Instance | None, search: str) -> dict[str, Any]:
    """Return the facts that the page shows with the board. It counts pairs itself where queens can be moved."""
    asked = None
    if instance is not None and not instance.is_free:
        diagonals = len(instance.excluded_sums) + len(instance.excluded_differences)
        asked = {"fixed": len(instance.fixed), "blocked": len(instance.blocked), "diagonals": diagonals}
    words, pairs = ("", 0) if search else (about(queens), attacking_pairs(queens))
    return {"n": len(queens), "name": name, "instance": asked, "search": search, "about": words, "pairs": pairs}


def about(queens: Queens) -> str:
    """Return a sentence about the limit shape; "" if the board does not show it. At most a million queens are read."""
    n = len(queens)
    if n < _LEAST:
        return ""
    columns = np.arange(0, n, -(-n // _MOST_READ))
    density = np.histogram2d(columns, queens[columns], bins=8, range=[[0, n]] * 2)[0] * 64 / len(columns)
    edges = density[::7, 3:5].mean() + density[3:5, ::7].mean()
    is_typical = density[::7, ::7].mean() < 0.8 and edges > 2.3 and density[3:5, 3:5].mean() < 0.95
    return _LIMIT_SHAPE if is_typical else ""


def _filled(facts: dict[str, Any], blocks: list[str], kernels: bool) -> str:
    """Put facts, blocks of data and assets into the page, with a policy that lists the allowed scripts."""
    icon = "data:image/svg+xml," + urllib.parse.quote((_FOLDER / "icon.svg").read_text("utf-8").strip())
    page, policy = _inlined((_FOLDER / "index.html").read_text("utf-8").replace("assets/icon.svg", icon), kernels)
    only = f"default-src 'none'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; {policy}"
    meta = html.escape(only, quote=False)
    # "</script>" in a name would end the block.
    board = json.dumps(facts).replace("<", "\\u003c")
    pieces = {
        "<!--notices-->": f"<!--\n{_notices()}-->",
        "<!--policy-->": f'<meta http-equiv="Content-Security-Policy" content="{meta}">',
        '<script type="application/json" id="board">': f'<script type="application/json" id="board">{board}',
        "<!--data-->": "\n".join(blocks),
    }
    for mark, piece in pieces.items():
        before, after = page.split(mark)
        page = before + piece + after
    return page


def _notices() -> str:
    """Return the notices that the licences of Leaflet and of the fonts want in each copy."""
    fonts = [path.read_text("utf-8").partition("\n")[0] for path in sorted(_FONTS.glob("OFL-*.txt"))]
    leaflet = (_FOLDER / "leaflet" / "LICENSE").read_text("utf-8")
    return "\n".join([f"{line}. SIL Open Font License 1.1" for line in fonts] + ["", f"Leaflet, {leaflet}"])


def _inlined(page: str, kernels: bool) -> tuple[str, str]:
    """Put the assets into the page; the policy lists their hashes, so only they and the kernels may run."""
    hashes: dict[str, list[str]] = {"script": [], "style": []}

    def element(found: re.Match[str]) -> str:
        kind = "style" if found["style"] else "script"
        text = ASSETS[found[kind]].read_text("utf-8")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        hashes[kind].append(f"'sha256-{digest}'")
        return f"<{kind}{found['mark'] or ''}>{text}</{kind}>"

    page = _ASSET.sub(element, page)
    if kernels:
        hashes["script"].append("'wasm-unsafe-eval'; worker-src blob:")
    return page, f"script-src {' '.join(hashes['script'])}; style-src {' '.join(hashes['style'])}"


def _block(name: str, array: NDArray[Any]) -> str:
    """Pack whole numbers: the lowest bytes of all, then the next bytes, and so on; deflated, in base64.

    In this order, the rows of a board take no more space than in bits, and deflate finds regularities.
    """
    most = int(array.max(initial=0))
    size, width = (8, 8) if most >= 2**32 else (4, 4) if most >= 2**24 else (4, 3)
    planes = array.ravel().astype(f"<u{size}").view(np.uint8).reshape(-1, size)[:, :width].T
    return _script(name, width, zlib.compress(planes.tobytes(), 6))


@functools.cache
def _kernels() -> str:
    return _script("kernels", 1, zlib.compress(KERNELS.read_bytes(), 9))


def _script(name: str, width: int, deflated: bytes) -> str:
    """Return an element with data that the scripts of the page read."""
    packed = base64.b64encode(deflated).decode()
    return f'<script type="text/plain" id="{name}" data-bytes="{width}">{packed}</script>'
