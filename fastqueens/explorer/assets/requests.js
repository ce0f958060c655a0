// Requests for parts of the board, to the server or to the data in the page.
"use strict";

/** Requests at a time. */
const MOST_REQUESTS = 6;

class Requests {
  /** `changed` is called when an answer arrives or a request fails. */
  constructor(changed) {
    this._changed = changed;
    this._running = new Map();
  }

  get isIdle() {
    return this._running.size === 0;
  }

  /** Whether another request may be sent now. */
  get hasRoom() {
    return this._running.size < MOST_REQUESTS;
  }

  /** Call `ask` with a signal, and `receive` with what it promises, unless a request of this name is running. */
  async send(name, ask, receive) {
    if (this._running.has(name)) return;
    const request = new AbortController();
    this._running.set(name, request);
    try {
      const answer = await ask(request.signal);
      if (!request.signal.aborted) receive(answer);
    } catch {
      // The same question would get the same answer at once.
      if (!request.signal.aborted) await pause(PAUSE);
    } finally {
      if (this._running.get(name) === request) this._running.delete(name);
    }
    if (!request.signal.aborted) this._changed();
  }

  /** Cancel all requests except those with one of some names. */
  cancelExcept(names) {
    for (const [name, request] of this._running) {
      if (names.has(name)) continue;
      request.abort();
      this._running.delete(name);
    }
  }
}
