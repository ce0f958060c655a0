// The source of the board: the local server or the page itself. Both have the same methods, which return promises:
//   tile(level, column, row, signal)          {queens} or {counts}: see fastqueens/explorer/answers.py
//   lines(column, signal), columnOfRow(row)   see fastqueens/explorer/answers.py
//   conflicting(report)                       the number of conflicting queens, null if they were not counted, and
//                                             what is violated of the instance, in words: {conflicting, violated};
//                                             `report` is called with the checked share if it is known
// Both have n, and `changes`, a number that grows whenever queens move.
"use strict";

const TILE_BITS = 8;
const TILE = 1 << TILE_BITS;
const MOST_LISTED = 4096;
const MOST_ATTACKERS = 1000;

/** Milliseconds between two tries to reach the server. */
const PAUSE = 1500;

/** The level on which one tile shows the whole board. */
function coarsestLevel(n) {
  return Math.max(0, Math.ceil(Math.log2(n)) - TILE_BITS);
}

/** The finest level with at least four queens a cell, on average. */
function finestLevel(n) {
  return Math.ceil(Math.log2(4 * n) / 2);
}

/** A board behind the local server. */
class ServedBoard {
  constructor(facts) {
    Object.assign(this, { n: facts.n, changes: 0 });
  }

  async tile(level, column, row, signal) {
    const answer = await askServer(`tile/${level}/${column}/${row}`, signal);
    return decodedTile(await answer.arrayBuffer());
  }

  async lines(column, signal) {
    return (await askServer(`queen?column=${column}`, signal)).json();
  }

  async columnOfRow(row) {
    return (await (await askServer(`queen?row=${row}`)).json()).column;
  }

  /** Ask again until the server has counted. */
  async conflicting() {
    for (;;) {
      const facts = await (await askServer("board")).json();
      if (facts.checked) return facts;
      await pause(500);
    }
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Request something again while the server is busy; if it has stopped, wait until the page is loaded again. */
async function askServer(path, signal) {
  for (;;) {
    const answer = await fetch(path, { signal }).catch(() => null);
    if (signal) signal.throwIfAborted();
    if (!answer) await (server.isBack ||= reloadWhenBack());
    else if (answer.ok) return answer;
    else if (answer.status !== 503) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await pause(PAUSE);
  }
}

/** The server: `isBack` is a promise while it does not answer, and `tell` is called when this begins. */
const server = { isBack: null, tell() {} };

/** Load the page again when the server answers: it may show another board. */
async function reloadWhenBack() {
  await pause(0);
  server.tell();
  do await pause(PAUSE); while (!(await fetch("board").catch(() => null)));
  location.reload();
  await new Promise(() => {});
}

function decodedTile(buffer) {
  const kind = new DataView(buffer).getUint32(0, true);
  if (kind) {
    const array = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[kind];
    return { counts: new array(buffer, 4, TILE * TILE) };
  }
  const queens = (buffer.byteLength - 4) / 9;
  return { queens: new Uint32Array(buffer, 4, 2 * queens), conflicts: new Uint8Array(buffer, 4 + 8 * queens) };
}

/** A board in the page, whose queens can be moved. */
class LocalBoard {
  constructor(rows, instance = null) {
    Object.assign(this, { n: rows.length, changes: 0, _instance: instance });
    this.setRows(rows);
  }

  setRows(rows) {
    this.changes += 1;
    this.rows = rows;
    this._countLines();
    this._countCells();
  }

  /** Move the queen of a column to another row: O(levels). */
  move(column, row) {
    this.changes += 1;
    for (const [kind, line] of this._linesThrough(column)) this.pairs -= --kind[line];
    this._addToCells(column, -1);
    this.rows[column] = row;
    this._addToCells(column, 1);
    for (const [kind, line] of this._linesThrough(column)) this.pairs += kind[line]++;
  }

  /** The attacking pairs of the board if the queen of a column stood on each of the rows. */
  costsOf(column) {
    const own = this._linesThrough(column).reduce((sum, [kind, line]) => sum + kind[line] - 1, 0);
    return Array.from({ length: this.n }, (_, row) => {
      if (row === this.rows[column]) return this.pairs;
      // The queen itself is on none of the lines through another square of its column.
      const there = this._onRow[row] + this._onSum[column + row] + this._onDifference[row - column + this.n];
      return this.pairs - own + there;
    });
  }

  isInConflict(column) {
    return this._linesThrough(column).some(([kind, line]) => kind[line] > 1);
  }

  /** Whether the queen of a column is in conflict, or on a square on which none may stand. */
  isWrong(column) {
    return this.isInConflict(column) || Boolean(this._instance && this._instance.forbids(column, this.rows[column]));
  }

  async tile(level, column, row) {
    const counted = this._levels.get(level);
    return counted ? this._countedTile(counted, column, row) : this._nearTile(level, column, row);
  }

  async lines(column, signal, row) {
    return this.linesOf(column, row);
  }

  /** The lines of the queen of a column, if it stood on a row: `isEmpty` tells that it does not. */
  linesOf(column, row = this.rows[column]) {
    const found = { column, row, isEmpty: row !== this.rows[column], on_row: 0, on_sum: 0, on_difference: 0, attackers: [] };
    for (let other = 0; other < this.n; other += 1) {
      const at = this.rows[other];
      const onRow = at === row, onSum = at + other === row + column, onDifference = at - other === row - column;
      if (other === column || !(onRow || onSum || onDifference)) continue;
      found.on_row += onRow;
      found.on_sum += onSum;
      found.on_difference += onDifference;
      if (found.attackers.length < MOST_ATTACKERS) found.attackers.push([other, at]);
    }
    return found;
  }

  async columnOfRow(row) {
    const column = this.rows.indexOf(row);
    return column < 0 ? null : column;
  }

  async conflicting(report) {
    let conflicting = 0;
    for (let column = 0; column < this.n; column += 1) {
      conflicting += this.isInConflict(column);
      if (column % 100000 === 99999) await pause(report(column / this.n));
    }
    return { conflicting, violated: this._instance ? this._instance.violatedBy(this.rows) : "" };
  }

  _linesThrough(column) {
    const row = this.rows[column];
    return [[this._onRow, row], [this._onSum, column + row], [this._onDifference, row - column + this.n]];
  }

  _countLines() {
    this._onRow = new Int32Array(this.n);
    this._onSum = new Int32Array(2 * this.n);
    this._onDifference = new Int32Array(2 * this.n);
    this.pairs = 0;
    for (let column = 0; column < this.n; column += 1) {
      for (const [kind, line] of this._linesThrough(column)) this.pairs += kind[line]++;
    }
  }

  /** Count all levels, from the finest with four queens a cell to that of a single tile. */
  _countCells() {
    this._levels = new Map();
    const coarsest = coarsestLevel(this.n);
    for (let level = finestLevel(this.n); level <= coarsest; level += 1) {
      const side = Math.ceil(this.n / 2 ** level);
      this._levels.set(level, { level, side, counts: new Uint32Array(side * side) });
    }
    for (let column = 0; column < this.n; column += 1) this._addToCells(column, 1);
  }

  _addToCells(column, change) {
    const row = this.rows[column];
    for (const { level, side, counts } of this._levels.values()) {
      counts[(row >> level) * side + (column >> level)] += change;
    }
  }

  _countedTile({ side, counts }, column, row) {
    const cells = new Uint32Array(TILE * TILE);
    const width = Math.min(TILE, side - column * TILE);
    for (let i = 0; i < Math.min(TILE, side - row * TILE); i += 1) {
      const first = (row * TILE + i) * side + column * TILE;
      cells.set(counts.subarray(first, first + width), i * TILE);
    }
    return { counts: cells };
  }

  _nearTile(level, column, row) {
    const size = TILE << level, top = row * size, queens = [];
    const last = Math.min(this.n, (column + 1) * size);
    for (let c = column * size; c < last; c += 1) {
      const at = this.rows[c] - top;
      if (at >= 0 && at < size) queens.push(c, this.rows[c]);
    }
    if (queens.length > 2 * MOST_LISTED) return { counts: countedQueens(queens, level, column, row) };
    const conflicts = new Uint8Array(queens.length / 2);
    for (let i = 0; i < conflicts.length; i += 1) conflicts[i] = this.isWrong(queens[2 * i]);
    return { queens: Uint32Array.from(queens), conflicts };
  }
}

/** Count the queens of a tile in its cells. */
function countedQueens(queens, level, column, row) {
  const counts = new Uint32Array(TILE * TILE), width = 2 ** level;
  for (let i = 0; i < queens.length; i += 2) {
    const x = Math.floor(queens[i] / width) - column * TILE, y = Math.floor(queens[i + 1] / width) - row * TILE;
    counts[y * TILE + x] += 1;
  }
  return counts;
}

/** Unpack numbers from fastqueens/explorer/page.py: the lowest bytes of all, then the next; deflated, base64. */
async function unpacked(id) {
  const block = document.getElementById(id), width = Number(block.dataset.bytes), text = atob(block.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = planes.length / width, numbers = width === 4 ? new Uint32Array(length) : new Float64Array(length);
  for (let plane = width - 1; plane >= 0; plane -= 1) {
    for (let i = 0; i < length; i += 1) numbers[i] = 256 * numbers[i] + planes[plane * length + i];
  }
  return numbers;
}
