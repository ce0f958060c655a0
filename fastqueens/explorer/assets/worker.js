// The tasks of the page in a Web Worker: each message {id, task, values} is answered by {id, result} or {id, error}.
"use strict";

/** Milliseconds between two reports of progress. */
const REPORTED_EVERY = 50;

const TASKS = { solve, pairs: attackingPairs };

/** Serve the page, whose first message is the module of the kernels. */
function serve() {
  let kernels = null;
  self.onmessage = ({ data: { module, id, task, values } }) => {
    if (module) kernels = new Kernels(module);
    else answer(id, () => TASKS[task](kernels, ...values, reporterOf(id)));
  };
}

function answer(id, work) {
  try {
    const result = work(), arrays = Object.values(result ?? {}).filter((value) => ArrayBuffer.isView(value));
    self.postMessage({ id, result }, arrays.map((array) => array.buffer));
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
}

/** What tells the page the share of a stage that is done, but not too often. */
function reporterOf(id) {
  let last = performance.now();
  return (share, stage) => {
    if (performance.now() - last < REPORTED_EVERY) return;
    last = performance.now();
    self.postMessage({ id, share, stage });
  };
}
