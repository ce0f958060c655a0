// The board in the page: its rows, and the queens on each line.
"use strict";

/** Up to this n, queens on each line are counted. */
const COUNTED_UP_TO = 20000;

/** Attackers of a queen that are listed. */
const MOST_ATTACKERS = 1000;

/** A board; `changes` grows whenever queens move. A column without a queen has row n, on small boards. */
class Board {
  /** Queens can move if those on each line are counted: up to some n, or if asked. Otherwise two bits for each line are
  enough, and `pairs` says how many queens attack each other. */
  constructor(rows, { canMove = false, pairs = 0, instance = null } = {}) {
    const n = rows.length;
    Object.assign(this, { n, changes: 0, _hasLines: canMove || n <= COUNTED_UP_TO, _pairs: pairs, _instance: instance });
    this.setRows(rows);
  }

  setRows(rows) {
    this.changes += 1;
    this.rows = rows;
    if (this._hasLines) this._countLines();
    else this._markLines();
  }

  /** Whether a column has a queen. */
  has(column) {
    return this.rows[column] < this.n;
  }

  /** The columns with a queen. */
  get columns() {
    return Array.from(this.rows.keys()).filter((column) => this.has(column));
  }

  /** Move the queen of a column to another row, or to row n to take it away. */
  move(column, row) {
    this.changes += 1;
    for (const [kind, line] of this._linesThrough(column)) this.pairs -= --kind[line];
    this.rows[column] = row;
    for (const [kind, line] of this._linesThrough(column)) this.pairs += kind[line]++;
  }

  /** Whether the queen of a column is on a square that must stay empty. */
  isForbidden(column) {
    return Boolean(this._instance && this.has(column) && this._instance.forbids(column, this.rows[column]));
  }

  /** The queens that attack the queen of a column, if it stood on a row: `isEmpty` tells that it does not. */
  linesOf(column, row = this.rows[column]) {
    const found = { column, row, isEmpty: row !== this.rows[column], others: 0, attackers: [] };
    for (let other = 0; other < this.n; other += 1) {
      const at = this.rows[other];
      const isAttacking = at === row || at + other === row + column || at - other === row - column;
      if (other === column || at === this.n || !isAttacking) continue;
      found.others += 1;
      if (found.attackers.length < MOST_ATTACKERS) found.attackers.push([other, at]);
    }
    return found;
  }

  /** Sum diagonals, difference diagonals (with n added) and rows with at least one queen, or at least two. */
  linesWith(least) {
    if (!this._hasLines) return (least > 1 ? this._crowded : this._occupied).map((bits) => new Lines(bits));
    return [this._onSum, this._onDifference, this._onRow].map((queens) => new Lines(bitsOf(queens, least)));
  }

  /** The violated constraints, in words. */
  get violated() {
    return this._instance ? this._instance.violatedBy(this.rows) : "";
  }

  /** The counters of the lines of a queen; none of a column without one. */
  _linesThrough(column) {
    const row = this.rows[column];
    return row === this.n ? [] : [[this._onRow, row], [this._onSum, column + row], [this._onDifference, row - column + this.n]];
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

  /** Mark the lines with a queen, and those with more than one: sum diagonals, difference diagonals, rows. */
  _markLines() {
    const { n, rows } = this, empty = () => [2 * n, 2 * n, n].map((length) => new Uint32Array((length >>> 5) + 1));
    const occupied = this._occupied = empty(), crowded = this._crowded = empty();
    const mark = (kind, line) => {
      const word = line >>> 5, bit = 1 << (line & 31);
      if (occupied[kind][word] & bit) crowded[kind][word] |= bit;
      occupied[kind][word] |= bit;
    };
    for (let column = 0; column < n; column += 1) {
      const row = rows[column];
      mark(0, column + row);
      mark(1, row - column + n);
      mark(2, row);
    }
    this.pairs = this._pairs;
  }
}

/** Unpack numbers from fastqueens/explorer/page.py: the lowest bytes of all, then the next; deflated, base64. */
async function unpacked(id) {
  const planes = new Uint8Array(await inflated(id)), width = Number(document.getElementById(id).dataset.bytes);
  const length = planes.length / width, numbers = width === 8 ? new Float64Array(length) : new Uint32Array(length);
  if (width === 3) {
    // In one pass, which takes half as long.
    for (let i = 0; i < length; i += 1) numbers[i] = planes[i] | (planes[length + i] << 8) | (planes[2 * length + i] << 16);
    return numbers;
  }
  for (let plane = width - 1; plane >= 0; plane -= 1) {
    for (let i = 0; i < length; i += 1) numbers[i] = 256 * numbers[i] + planes[plane * length + i];
  }
  return numbers;
}

/** The bytes of a block of the page, deflated in base64. */
async function inflated(id) {
  const deflated = new Blob([decoded(document.getElementById(id).textContent)]);
  return new Response(deflated.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

/** The bytes of a text in base64; browsers from before 2025 decode it more slowly. */
function decoded(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}
