// Reads what Python put into the page, and shows it.
"use strict";

/** The arrays with these ids in the page, by their ids. */
async function allUnpacked(...ids) {
  return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await unpacked(id)])));
}

async function start() {
  const facts = JSON.parse($("board").textContent), { n, search } = facts, rows = await unpacked("rows");
  const parts = facts.instance && await allUnpacked("blocked", "fixed", "sums", "differences");
  const instance = parts && new Instance(n, facts.instance, parts);
  const course = search && new Course(n, await allUnpacked("moves", "starts", "pairs", "restarts"));
  window.explorer = new Explorer(new Board(rows, search || n <= COUNTED_UP_TO, instance), facts, instance, course);
}

start().catch((error) => {
  $("state").textContent = `The page cannot show the board: ${error.message}`;
});
