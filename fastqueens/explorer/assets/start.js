// Reads what Python put into the page, and shows it; a page without a board solves one.
"use strict";

/** The arrays with these ids in the page, by their ids. */
async function allUnpacked(...ids) {
  return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await unpacked(id)])));
}

/** The board that the page carries, as for Explorer.show, or null. */
async function readCarried() {
  const facts = JSON.parse($("board").textContent), { n, search, pairs } = facts;
  if (!n) return null;
  const rows = await unpacked("rows"), parts = facts.instance && await allUnpacked("blocked", "fixed", "sums", "differences");
  const instance = parts && new Instance(n, facts.instance, parts);
  const course = search ? new Course(n, await allUnpacked("moves", "starts", "pairs", "restarts")) : null;
  return { board: new Board(rows, { canMove: Boolean(search), pairs, instance }), facts, instance, course };
}

async function start() {
  const carried = await readCarried();
  if (!carried && Engine.obstacle) throw new Error(Engine.obstacle);
  window.explorer = new Explorer(new Engine(), carried);
}

start().catch((error) => {
  $("state").textContent = `The page cannot show a board: ${error.message}`;
});
