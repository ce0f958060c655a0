"""Turns for slow answers: a few are computed at a time, some requests wait, and the rest are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

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
