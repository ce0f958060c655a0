"""What protects the local server: headers, turns for slow answers, and an end for clients that keep it waiting.

Of slow answers, a few are computed at a time, some requests wait, and the rest are refused. uvicorn ends idle
connections, but waits forever for the rest of a request, and for a client to take its answer: such clients are dropped,
and there is a bound on all connections together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import h11
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

#: Headers of every answer: they keep other sites from using it. A notebook on this machine may show it in a frame.
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "frame-ancestors http://127.0.0.1:* http://localhost:*",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

#: Accepted values of ``Sec-Fetch-Site``: sent by a page of this server; typed, bookmarked or opened by a program.
_OWN_SITE = ("same-origin", "none")


class OwnSiteOnly:
    """Refuse requests of other sites with 403; the Host header must be checked before.

    Any page on the web can make the browser send a GET request to this server. It cannot read the answer, but the
    answer may cost time that grows with n. The headers ``Sec-Fetch-Site`` and ``Origin`` tell where a request comes
    from. A site here is a scheme, a host and a port, so other servers on this machine are other sites.

    Another site may open the page itself in a window or a frame, since that costs nothing. The requests of that page
    then count as those of this site.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        fault = _fault(Headers(scope=scope), scope["path"])
        if fault is None:
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse(f"{fault}\n", 403)(scope, receive, send)


def _fault(headers: Headers, path: str) -> str | None:
    """Return why a request is from another site, or None if it is not."""
    own = f"http://{headers['host']}"
    is_navigation = path == "/" and headers.get("sec-fetch-mode") == "navigate"
    opens_the_page = is_navigation and headers.get("sec-fetch-dest") in ("document", "iframe")
    for origin in headers.getlist("origin"):
        if origin != own:
            return f"the request has Origin {origin[:100]!r}; only pages of {own} may send requests here"
    for site in headers.getlist("sec-fetch-site"):
        if site not in _OWN_SITE and not opens_the_page:
            return f"the request has Sec-Fetch-Site {site[:100]!r}; only pages of {own} may send requests here"
    return None


#: Seconds that a refused client should wait.
RETRY_AFTER = 2


class Turns:
    """Turns for one kind of answer, first come, first served.

    Parameters
    ----------
    at_once : int
        How many answers are computed at the same time, each in a thread.
    waiting : int
        How many more requests may wait for their turn.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._room = at_once + waiting

    async def answer(self, request: Request, work: Callable[[], Response]) -> Response:
        """Wait for a turn, call ``work`` in a thread, and return its answer.

        Raises
        ------
        HTTPException
            503 if too many requests are waiting; 499, which no client sees, if the client leaves before its turn.
        """
        if self._room == 0:
            raise HTTPException(
                503, "too many requests are waiting for an answer; try again", {"retry-after": str(RETRY_AFTER)}
            )
        self._room -= 1
        try:
            await self._wait(request)
            try:
                return await run_in_threadpool(work)
            finally:
                self._free.release()
        finally:
            self._room += 1

    async def _wait(self, request: Request) -> None:
        """Wait for a turn, but no longer than the client does, so that others can take its place."""
        turn = asyncio.ensure_future(self._free.acquire())
        gone = asyncio.ensure_future(_client_has_left(request))
        try:
            done, _ = await asyncio.wait((turn, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            turn.cancel()
            gone.cancel()
        if gone in done:
            if turn in done:
                self._free.release()
            raise HTTPException(499, "the client has left")


async def _client_has_left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


#: The most seconds that the server waits for a complete request, or for the client to take its answer.
WAITS = 10.0

#: Several browsers with six connections each, and as many as may wait for tiles and lines. Less than the 256 files that
#: a process may have open on some systems.
MOST = 128


class Connection(H11Protocol):
    """A connection of uvicorn that is dropped after ``WAITS`` seconds in which the server waits for the client.

    Single bytes do not prolong them. If there are more than ``MOST`` connections, that which has kept the server
    waiting for the longest time is dropped, so that a new client is answered while others are silent.
    """

    _deadline: asyncio.TimerHandle | None = None
    _is_stalled = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._watch()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._stop_waiting()

    def data_received(self, data: bytes) -> None:
        """Stop waiting if the request is complete."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Begin to wait for the client to take its answer."""
        super().pause_writing()
        self._is_stalled = True
        self._watch()

    def resume_writing(self) -> None:
        """Stop waiting: the client has taken its answer, or most of it."""
        super().resume_writing()
        self._is_stalled = False
        self._watch()

    def _watch(self) -> None:
        is_answering = self.conn.our_state in (h11.SEND_RESPONSE, h11.SEND_BODY)
        has_request = self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)
        if is_answering and has_request and not self._is_stalled:
            self._stop_waiting()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(WAITS, self._drop)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _drop(self) -> None:
        # Not close(), which would wait until the client has taken what was sent.
        self.transport.abort()

    def _make_room(self) -> None:
        """If there are too many, drop the connection that has waited for the longest time: this one if none does."""
        connections = [other for other in self.connections if isinstance(other, Connection)]
        kept = [other for other in connections if not other.transport.is_closing()]
        if len(kept) > MOST:
            waiting = [other for other in kept if other._deadline is not None]
            min(waiting, key=lambda other: other._deadline.when())._drop()  # type: ignore[union-attr]
