"""Connections that end: clients that keep the server waiting are dropped, and there is a bound on all together.

uvicorn ends idle connections, but waits forever for the rest of a request, and for a client to take its answer.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

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
            min(waiting, key=_end_of_wait)._drop()


def _end_of_wait(connection: Connection) -> float:
    assert connection._deadline is not None
    return connection._deadline.when()
