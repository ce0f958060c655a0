// The board in the page. Its parts are tiles: {queens, conflicts}, or {counts} if there are too many queens to list.
"use strict";

const TILE_BITS = 8;
const TILE = 1 << TILE_BITS;
const MOST_LISTED = 4096;
const MOST_ATTACKERS = 1000;

/** The level on which one tile shows the whole board. */
function coarsestLevel(n) {
  return Math.max(0, Math.ceil(Math.log2(n)) - TILE_BITS);
}

/** The finest level with at least four queens a cell, on average. */
function finestLevel(n) {
  return Math.ceil(Math.log2(4 * n) / 2);
}

/** A board; `changes` grows whenever queens move. */
class Board {
  /** Queens that can move need counts of queens on each line; for others, a bit for each crowded line is enough. */
  constructor(rows, canMove, instance = null) {
    Object.assign(this, { n: rows.length, changes: 0, _canMove: canMove, _instance: instance });
    this.setRows(rows);
  }

  setRows(rows) {
    this.changes += 1;
    this.rows = rows;
    if (this._canMove) this._countLines();
    else this._markLines();
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
    if (!this._canMove) {
      const { n, rows, _crowded: crowded } = this, row = rows[column];
      return hasBit(crowded, row) || hasBit(crowded, n + column + row) || hasBit(crowded, 4 * n + row - column);
    }
    return this._linesThrough(column).some(([kind, line]) => kind[line] > 1);
  }

  /** Whether the queen of a column is in conflict, or on a square on which none may stand. */
  isWrong(column) {
    return this.isInConflict(column) || Boolean(this._instance && this._instance.forbids(column, this.rows[column]));
  }

  tile(level, column, row) {
    const counted = this._levels.get(level);
    return counted ? this._countedTile(counted, column, row) : this._nearTile(level, column, row);
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

  columnOfRow(row) {
    const column = this.rows.indexOf(row);
    return column < 0 ? null : column;
  }

  /** The number of conflicting queens, and what is violated of the instance, in words. */
  conflicting() {
    let conflicting = 0;
    for (let column = 0; column < this.n; column += 1) conflicting += this.isInConflict(column);
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

  /** Mark the lines with more than one queen: rows first, then sum diagonals, then difference diagonals. */
  _markLines() {
    const { n, rows } = this, words = ((5 * n) >>> 5) + 1;
    const occupied = new Uint32Array(words), crowded = this._crowded = new Uint32Array(words);
    const mark = (line) => {
      const word = line >>> 5, bit = 1 << (line & 31);
      if (occupied[word] & bit) crowded[word] |= bit;
      occupied[word] |= bit;
    };
    for (let column = 0; column < n; column += 1) {
      const row = rows[column];
      mark(row);
      mark(n + column + row);
      mark(4 * n + row - column);
    }
  }

  /** Count all levels, from the finest with four queens per cell to that of a single tile. */
  _countCells() {
    this._levels = new Map();
    const coarsest = coarsestLevel(this.n);
    for (let level = finestLevel(this.n); level <= coarsest; level += 1) {
      const side = Math.ceil(this.n / 2 ** level);
      this._levels.set(level, { level, side, counts: new Uint32Array(side * side) });
    }
    const [finest, ...others] = this._levels.values();
    if (!finest) return;
    const { level, side, counts } = finest, { n, rows } = this;
    for (let column = 0; column < n; column += 1) counts[(rows[column] >>> level) * side + (column >>> level)] += 1;
    others.reduce(summedInto, finest);
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

/** Sum 2 x 2 cells of a level into those of the next one, which is returned. */
function summedInto(fine, coarse) {
  for (let row = 0; row < fine.side; row += 1) {
    for (let column = 0; column < fine.side; column += 1) {
      coarse.counts[(row >> 1) * coarse.side + (column >> 1)] += fine.counts[row * fine.side + column];
    }
  }
  return coarse;
}

function hasBit(words, bit) {
  return (words[bit >>> 5] & (1 << (bit & 31))) !== 0;
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
  const block = document.getElementById(id), width = Number(block.dataset.bytes);
  const stream = new Blob([decoded(block.textContent)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
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

/** The bytes of a text in base64; browsers from before 2025 decode it more slowly. */
function decoded(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}
