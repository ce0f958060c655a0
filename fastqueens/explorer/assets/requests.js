// Requests for parts of the board, to the server or to the data in the page.
"use strict";

/** Requests at a time. */
const MOST_REQUESTS = 6;

/** Milliseconds without requests after a failed one. */
const PAUSE = 2000;

class Requests {
  /** `changed` is called when an answer arrives, when a request fails, and after the pause that follows. */
  constructor(changed) {
    this._changed = changed;
    this._running = new Map();
    this._pausedUntil = 0;
    this.failure = null;
  }

  get isIdle() {
    return this._running.size === 0;
  }

  /** Whether another request may be sent now. */
  get hasRoom() {
    return this._running.size < MOST_REQUESTS && performance.now() >= this._pausedUntil;
  }

  /** Call `ask` with a signal, and `receive` with what it promises, unless a request of this name is running. */
  async send(name, ask, receive) {
    if (this._running.has(name)) return;
    const request = new AbortController();
    this._running.set(name, request);
    try {
      const answer = await ask(request.signal);
      if (request.signal.aborted) return;
      receive(answer);
      this.failure = null;
    } catch (error) {
      if (request.signal.aborted) return;
      this.failure = error;
      this._pausedUntil = performance.now() + PAUSE;
      setTimeout(this._changed, PAUSE + 1);
    } finally {
      if (this._running.get(name) === request) this._running.delete(name);
    }
    this._changed();
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
