// The tasks of the page in a Web Worker: each message {id, task, values} is answered by {id, result} or {id, error}.
"use strict";

const TASKS = { solve, climb, complete, count };

/** Milliseconds between two reports of progress. */
const REPORTED_EVERY = 50;

/** Serve the page, whose first message is the module of the kernels. */
function serve() {
  let kernels = null;
  self.onmessage = ({ data: { module, id, task, values } }) => {
    if (module) return void (kernels = new Kernels(module));
    let reported = performance.now();
    const report = (share, stage) => {
      if (performance.now() - reported < REPORTED_EVERY) return;
      reported = performance.now();
      self.postMessage({ id, share, stage });
    };
    try {
      const result = TASKS[task](kernels, ...values, report), arrays = Object.values(result).filter(ArrayBuffer.isView);
      self.postMessage({ id, result }, arrays.map(({ buffer }) => buffer));
    } catch (error) {
      self.postMessage({ id, error: error.message });
    }
  };
}
