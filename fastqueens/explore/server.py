"""The local server behind the page: it gives the page, its assets, tiles and the lines of a queen, and nothing else.

It listens on the loopback only, answers GET only and refuses Host headers of other names, so that no other site can
reach it through the browser. Every number in an address is checked against the board.
"""

from __future__ import annotations

import re
import socket
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fastqueens.board import InputError
from fastqueens.explore.lines import column_of_row, lines_of_queen
from fastqueens.explore.page import ASSETS, page_of_server
from fastqueens.explore.tiles import Tiles

HOST = "127.0.0.1"

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

_KINDS = {".js": "text/javascript", ".css": "text/css"}

#: No board has a column or a row with more digits.
_NUMBER = re.compile(r"\d{1,10}", re.ASCII)


def application(tiles: Tiles, name: str = "") -> ASGIApp:
    """Give the server of a board; ``name`` is what the page calls it."""
    page = page_of_server(tiles.n, name)

    def give_page(request: Request) -> Response:
        _only(request)
        return Response(page, media_type="text/html; charset=utf-8")

    def give_asset(request: Request) -> Response:
        _only(request)
        path = ASSETS.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404, "there is no such file")
        return Response(path.read_bytes(), media_type=_KINDS[path.suffix])

    def give_board(request: Request) -> Response:
        _only(request)
        is_checked = tiles.is_checked  # asked first: what is found is there before this is true
        return JSONResponse({"n": tiles.n, "checked": is_checked, "conflicting": tiles.conflicting})

    def give_tile(request: Request) -> Response:
        _only(request)
        level, column, row = (_number(request.path_params[part], part, 404) for part in ("level", "column", "row"))
        try:
            return Response(tiles.tile(level, column, row), media_type="application/octet-stream")
        except InputError as error:
            raise HTTPException(404, str(error)) from None

    def give_queen(request: Request) -> Response:
        _only(request, "column", "row")
        try:
            return JSONResponse(_answer(tiles, request))
        except InputError as error:
            raise HTTPException(400, str(error)) from None

    return _application(
        Route("/", give_page, methods=["GET"]),
        Route("/assets/{name}", give_asset, methods=["GET"]),
        Route("/board", give_board, methods=["GET"]),
        Route("/tile/{level}/{column}/{row}", give_tile, methods=["GET"]),
        Route("/queen", give_queen, methods=["GET"]),
    )


def application_of_page(page: bytes) -> ASGIApp:
    """Give the server of a page that holds everything it needs."""

    def give_page(request: Request) -> Response:
        _only(request)
        return Response(page, media_type="text/html; charset=utf-8")

    return _application(Route("/", give_page, methods=["GET"]))


def listening(port: int = 0) -> socket.socket:
    """Open a port of the loopback, one that the system chooses for 0.

    Raises
    ------
    InputError
        Where it cannot be had.
    """
    if not 0 <= port < 2**16:
        raise InputError(f"port is {port}: ports go from 1 to 65535, and 0 leaves the choice to the system")
    # With the protocol named: asyncio sends at once then, else each answer waits 40 ms for the one before to be noted.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InputError(f"port {port} of {HOST} cannot be opened: {error.strerror or error}") from error
    return listener


def address_of(listener: socket.socket) -> str:
    """The address of a listening server's page."""
    return f"http://{HOST}:{listener.getsockname()[1]}/"


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Give a server for :meth:`uvicorn.Server.run`; it ends when its ``should_exit`` is set."""
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="critical",
        access_log=False,
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def _application(*routes: Route) -> ASGIApp:
    app = Starlette(
        routes=list(routes),
        middleware=[
            Middleware(_Guarded),
            Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"], www_redirect=False),
        ],
        exception_handlers={HTTPException: _refuse},
    )
    app.router.redirect_slashes = False
    return app


def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainTextResponse(f"{error.detail}\n", error.status_code, headers=error.headers)


def _only(request: Request, *known: str) -> None:
    """Refuse parameters that mean nothing here, and any given twice."""
    names = [name for name, _ in request.query_params.multi_items()]
    for name in names:
        if name not in known or names.count(name) > 1:
            raise HTTPException(400, f"{name[:50]!r} is no parameter here, or stands there twice")


def _number(text: str, name: str, status: int) -> int:
    if not _NUMBER.fullmatch(text):
        raise HTTPException(status, f"{name} is {text[:50]!r}: a whole number is needed")
    return int(text)


def _answer(tiles: Tiles, request: Request) -> dict[str, Any]:
    """The lines of the queen in ?column=, or the column of the queen in ?row=."""
    given = dict(request.query_params)
    if len(given) != 1:
        raise HTTPException(400, "one of column and row is needed")
    ((name, text),) = given.items()
    value = _number(text, name, 400)
    if name == "row":
        return {"row": value, "column": column_of_row(tiles.queens, value)}
    return lines_of_queen(tiles.queens, value)._asdict()


class _Guarded:
    """Adds the headers that keep what is served to its own page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *headers]}
            await send(message)

        await self._app(scope, receive, guarded)
