// The engine: what the page lets its kernels compute, in a Web Worker.
"use strict";

/** The least and the largest n of a board that is solved, and the largest seed. */
const LEAST_N = 4, LARGEST_N = 10_000_000, LARGEST_SEED = 2n ** 64n - 1n;

/** Computes in a Worker, which starts with the first task. Tasks wait for each other; `stop` ends all of them. */
class Engine {
  _tasks = new Map();
  _last = 0;
  _worker = null;

  /** Why the page cannot compute; "" if it can. */
  static get obstacle() {
    if (!document.getElementById("kernels")) return "This page has no kernels, so it cannot compute boards.";
    const missing = ["WebAssembly", "DecompressionStream", "Worker"].find((name) => !window[name]);
    return missing ? `This browser has no ${missing}, so the page cannot compute boards.` : "";
  }

  /** {queens, steps, pairs, restarts, seconds} of fastqueens.solve(n, seed=seed); `progress` gets (share, stage). */
  async solve(n, seed, progress) {
    return this._run("solve", [checkedN(n), checkedSeed(seed)], progress);
  }

  /** {moves, starts, pairs, restarts, queens, solved, seconds} of fastqueens.climb(n, algorithm=..., seed=seed). */
  async climb(n, algorithm, seed, progress) {
    return this._run("climb", [checkedN(n), algorithm, checkedSeed(seed)], progress);
  }

  /** {queens, nodes}: a completion of {fixed, blocked, sums, differences}, or null if there is none. */
  async complete(n, instance, seed, progress) {
    return this._run("complete", [n, instance, checkedSeed(seed)], progress);
  }

  /** The number of solutions of an instance, at most a limit. */
  async count(n, instance, limit, progress) {
    return this._run("count", [n, instance, limit], progress);
  }

  /** End the Worker and all tasks. */
  stop(error = Object.assign(new Error("The task was stopped."), { isStopped: true })) {
    this._worker?.then((worker) => worker.terminate(), () => {});
    this._worker = null;
    for (const { reject } of this._tasks.values()) reject(error);
    this._tasks.clear();
  }

  _run(task, values, progress = () => {}) {
    if (Engine.obstacle) throw new Error(Engine.obstacle);
    const id = ++this._last, started = (this._worker ??= this._started());
    return new Promise((resolve, reject) => {
      this._tasks.set(id, { resolve, reject, progress });
      started.then((worker) => worker.postMessage({ id, task, values })).catch(reject);
    });
  }

  async _started() {
    const module = await (Engine._module ??= inflated("kernels").then((bytes) => WebAssembly.compile(bytes)));
    const texts = Array.from(document.querySelectorAll("script[data-worker]"), (script) => `${script.textContent}\n`);
    const address = URL.createObjectURL(new Blob([...texts, "serve();"], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data: { id, ...news } }) => this._tell(id, news);
    worker.onerror = (event) => this.stop(new Error(event.message || "The Worker has failed."));
    worker.postMessage({ module });
    return worker;
  }

  _tell(id, { share, stage, result, error }) {
    const task = this._tasks.get(id);
    if (stage) return task.progress(share, stage);
    this._tasks.delete(id);
    if (error) task.reject(new Error(error));
    else task.resolve(result);
  }
}

/** A number of queens, also from a text such as 1e6. */
function checkedN(n) {
  const size = typeof n === "string" ? wholeNumber(n) : n;
  if (Number.isInteger(size) && size >= LEAST_N && size <= LARGEST_N) return size;
  throw new Error(`the number of queens must be a whole number from ${number(LEAST_N)} to ${number(LARGEST_N)}, not ${n}`);
}

/** A seed as a BigInt, from a BigInt, a text of digits, or a number that is exact. */
function checkedSeed(seed) {
  const isText = typeof seed === "string" && /^\s*\d+\s*$/.test(seed);
  const isExact = isText || typeof seed === "bigint" || Number.isSafeInteger(seed);
  if (isExact && BigInt(seed) >= 0n && BigInt(seed) <= LARGEST_SEED) return BigInt(seed);
  const inexact = Number.isInteger(seed) && seed > 0 ? "; write one above 2^53 as a text or a BigInt" : "";
  throw new Error(`the seed must be a whole number from 0 to ${LARGEST_SEED}, not ${seed}${inexact}`);
}

/** For the console: fastqueens.solve(n, seed) returns a promise of {queens, steps, pairs, restarts, seconds}. */
window.fastqueens = { solve: (n, seed) => (Engine.ofConsole ??= new Engine()).solve(n, seed) };
