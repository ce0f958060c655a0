"""The local server behind the page: it serves the page, its assets, tiles and the lines of a queen, and nothing else.

It listens on the loopback only, answers only GET and HEAD, and refuses Host headers with other names and requests that
the browser marks as coming from another site. It answers clients that send no such marks (old browsers, programs on
this machine), so it limits slow answers: they take turns, and too many at a time are refused. It also limits
connections. Every number in an address is validated.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance, make_instance
from fastqueens.explorer.answers import Tiles, column_of_row, lines_of_queen, tile_of_squares
from fastqueens.explorer.guards import HEADERS, MOST, Connection, OwnSiteOnly, Turns
from fastqueens.explorer.page import ASSETS, page_of_server

HOST = "127.0.0.1"

#: A question about lines reads the whole board, so the server answers one at a time. A browser has at most six
#: connections to a server, so its page never reaches the limit.
_LINES_WAITING = 8

#: At most this many tiles are read at a time, and at most one per thread. As many may wait as the pages in a dozen
#: browsers request. All that wait are fewer than the connections, so that quick requests can always be answered.
_TILES_AT_ONCE = 8
_TILES_WAITING = 100

_KINDS = {".js": "text/javascript", ".css": "text/css"}

#: Columns and rows have at most 10 digits.
_NUMBER = re.compile(r"\d{1,10}", re.ASCII)


def application(tiles: Tiles, name: str = "") -> ASGIApp:
    """Return the server of a board; ``name`` is what the page calls it."""
    instance = tiles.instance or make_instance(tiles.n)
    tile_turns = Turns(min(tiles.threads, _TILES_AT_ONCE), _TILES_WAITING)
    line_turns = Turns(1, _LINES_WAITING)

    def send_asset(request: Request) -> Response:
        _check_parameters(request)
        path = ASSETS.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404, "there is no such file")
        return Response(path.read_bytes(), media_type=_KINDS[path.suffix])

    def send_board(request: Request) -> Response:
        _check_parameters(request)
        is_checked = tiles.is_checked  # read first: the result is set before this becomes true
        found = {"conflicting": tiles.conflicting, "violated": tiles.violated}
        return JSONResponse({"n": tiles.n, "checked": is_checked, **found})

    async def send_tile(request: Request) -> Response:
        place = _numbers(request, "level", "column", "row")
        return await tile_turns.answer(request, lambda: _packed(tiles.tile(*place)))

    async def send_squares(request: Request) -> Response:
        place = _numbers(request, "column", "row")
        return await tile_turns.answer(request, lambda: _packed(tile_of_squares(instance, *place)))

    async def send_diagonals(request: Request) -> Response:
        _check_parameters(request)
        # In turns, since there may be millions of them.
        return await tile_turns.answer(request, lambda: JSONResponse(_diagonals(instance)))

    async def send_queen(request: Request) -> Response:
        name, value = _requested_line(request)
        return await line_turns.answer(request, lambda: JSONResponse(_lines(tiles, name, value)))

    routes: dict[str, Callable[..., Any]] = {
        "/assets/{name}": send_asset,
        "/board": send_board,
        "/tile/{level}/{column}/{row}": send_tile,
        "/squares/{column}/{row}": send_squares,
        "/diagonals": send_diagonals,
        "/queen": send_queen,
    }
    return application_of_page(page_of_server(tiles.queens, name, tiles.instance), routes)


def listening(port: int = 0) -> socket.socket:
    """Open a port of the loopback; the system chooses one if the port is 0.

    Raises
    ------
    InputError
        If the port cannot be opened.
    """
    if not 0 <= port < 2**16:
        raise InputError(f"port is {port}: ports go from 1 to 65535, or 0 for any free port")
    try:
        listener = socket.create_server((HOST, port), backlog=MOST)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise InputError(f"port {port} of {HOST} cannot be opened: {reason}") from error
    # Only if the protocol is named does asyncio switch off Nagle's algorithm, which delays each answer by 40 ms.
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, listener.detach())


def address_of(listener: socket.socket) -> str:
    """Return the address of the page of a listening server."""
    return f"http://{HOST}:{listener.getsockname()[1]}/"


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Return a server for :meth:`uvicorn.Server.run`; it ends when its ``should_exit`` is set."""
    config = uvicorn.Config(
        app, http=Connection, ws="none", lifespan="off", backlog=MOST, timeout_graceful_shutdown=1,
        headers=list(HEADERS.items()), server_header=False, proxy_headers=False,
        log_config=None, log_level="critical", access_log=False,
    )  # fmt: skip
    return uvicorn.Server(config)


def application_of_page(page: bytes, routes: dict[str, Callable[..., Any]] | None = None) -> ASGIApp:
    """Return the server of a page, which contains everything that it needs or requests it along the routes."""

    def send_page(request: Request) -> Response:
        _check_parameters(request, "embed")
        return Response(page, media_type="text/html; charset=utf-8")

    app = Starlette(
        routes=[Route(path, send, methods=["GET"]) for path, send in {"/": send_page, **(routes or {})}.items()],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"], www_redirect=False),
            Middleware(OwnSiteOnly),
        ],
        exception_handlers={HTTPException: _refuse, InputError: _refuse},
    )
    app.router.redirect_slashes = False
    return app


def _refuse(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return PlainTextResponse(f"{error.detail}\n", error.status_code, headers=error.headers)
    # A tile that the board does not have is not there, but a question about such a queen is wrong.
    return PlainTextResponse(f"{error}\n", 400 if request.url.path == "/queen" else 404)


def _check_parameters(request: Request, *known: str) -> None:
    """Refuse unknown and repeated parameters."""
    names = [name for name, _ in request.query_params.multi_items()]
    for name in names:
        if name not in known or names.count(name) > 1:
            raise HTTPException(400, f"{name[:50]!r} is no parameter here, or is repeated")


def _number(text: str, name: str, status: int) -> int:
    if not _NUMBER.fullmatch(text):
        raise HTTPException(status, f"{name} is {text[:50]!r}: a whole number is needed")
    return int(text)


def _numbers(request: Request, *names: str) -> list[int]:
    """Return these numbers of the path of a tile."""
    _check_parameters(request)
    return [_number(request.path_params[name], name, 404) for name in names]


def _requested_line(request: Request) -> tuple[str, int]:
    """Return the only parameter of a question about lines, column or row, and its value."""
    _check_parameters(request, "column", "row")
    parameters = dict(request.query_params)
    if len(parameters) != 1:
        raise HTTPException(400, "the request needs either a column or a row")
    ((name, text),) = parameters.items()
    return name, _number(text, name, 400)


def _lines(tiles: Tiles, name: str, value: int) -> dict[str, Any]:
    """Return the lines of the queen in a column, or the column of the queen on a row."""
    if name == "row":
        return {"row": value, "column": column_of_row(tiles.queens, value)}
    return lines_of_queen(tiles.queens, value, threads=tiles.threads)._asdict()


def _diagonals(instance: Instance) -> dict[str, list[int]]:
    """Return the excluded diagonals, ascending."""
    return {"sums": instance.excluded_sums.tolist(), "differences": instance.excluded_differences.tolist()}


def _packed(content: bytes) -> Response:
    return Response(content, media_type="application/octet-stream")
