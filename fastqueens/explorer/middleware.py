"""Middleware for every request and every answer of the local server."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

#: Accepted values of ``Sec-Fetch-Site``: sent by a page of this server; typed, bookmarked or opened by a program.
_OWN_SITE = ("same-origin", "none")


class ProtectiveHeaders:
    """Add headers that keep other sites from using the answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request and add the headers."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *headers]}
            await send(message)

        await self._app(scope, receive, guarded)


class OwnSiteOnly:
    """Refuse requests of other sites with 403; the Host header must be checked before.

    Any page on the web can make the browser send a GET request to this server. It cannot read the answer, but the
    answer may cost time that grows with n. The headers ``Sec-Fetch-Site`` and ``Origin`` tell where a request comes
    from. A site here is a scheme, a host and a port, so other servers on this machine are other sites.

    A link on another site may open the page itself in a window, since that costs nothing. The requests of that page
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
    for origin in headers.getlist("origin"):
        if origin != own:
            return f"the request has Origin {origin[:100]!r}; only pages of {own} may send requests here"
    for site in headers.getlist("sec-fetch-site"):
        if site not in _OWN_SITE and not (path == "/" and _opens_a_window(headers)):
            return f"the request has Sec-Fetch-Site {site[:100]!r}; only pages of {own} may send requests here"
    return None


def _opens_a_window(headers: Headers) -> bool:
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
