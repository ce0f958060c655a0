// What an instance asks for: fixed queens, blocked squares and excluded diagonals. Its source is the page or the local
// server; both have the same methods, which return promises:
//   diagonals()                     {sums, differences}, ascending
//   squares(column, row, signal)    {blocked, fixed} of a tile: see fastqueens/explorer/answers.py
"use strict";

/** With more excluded diagonals, only those near the window are drawn, and only if squares are visible. */
const MOST_LINES = 2000;

/** Tiles of squares in memory. */
const MOST_SQUARE_TILES = 400;

class ServedInstance {
  async diagonals() {
    return (await askServer("diagonals")).json();
  }

  async squares(column, row, signal) {
    const answer = await (await askServer(`squares/${column}/${row}`, signal)).arrayBuffer();
    const keys = new Uint16Array(answer, 4), blocked = new DataView(answer).getUint32(0, true);
    return { blocked: keys.subarray(0, blocked), fixed: keys.subarray(blocked) };
  }
}

/** An instance in the page: columns and rows of squares, sorted by column, then by row; differences have n added. */
class LocalInstance {
  constructor(n, { blocked, fixed, sums, differences }) {
    this._blocked = new SortedSquares(blocked);
    this._fixed = new SortedSquares(fixed);
    this._sums = sums;
    this._differences = Float64Array.from(differences, (value) => value - n);
  }

  async diagonals() {
    return { sums: this._sums, differences: this._differences };
  }

  async squares(column, row) {
    return { blocked: this._blocked.keysOf(column, row), fixed: this._fixed.keysOf(column, row) };
  }

  /** Whether no queen may stand on a square. */
  forbids(column, row) {
    return this._blocked.has(column, row) || holds(this._sums, column + row) || holds(this._differences, row - column);
  }

  /** What a board violates, in words as in fastqueens/check/violations.py. */
  violatedBy(rows) {
    let missing = 0, blocked = 0, excluded = 0;
    this._fixed.each((column, row) => { missing += rows[column] !== row; });
    for (let column = 0; column < rows.length; column += 1) {
      const row = rows[column];
      blocked += this._blocked.has(column, row);
      excluded += holds(this._sums, column + row) || holds(this._differences, row - column);
    }
    return [
      missing ? `${counted(missing, "fixed queen")} missing` : "",
      blocked ? `${counted(blocked, "queen")} on blocked squares` : "",
      excluded ? `${counted(excluded, "queen")} on excluded diagonals` : "",
    ].filter(Boolean).join(", ");
  }
}

class SortedSquares {
  constructor(squares) {
    const length = squares.length / 2;
    this._columns = squares.subarray(0, length);
    this._rows = squares.subarray(length);
  }

  has(column, row) {
    const first = placeOf(this._columns, column);
    if (this._columns[first] !== column) return false;
    const last = placeOf(this._columns, column + 1, first);
    const at = placeOf(this._rows, row, first, last);
    return at < last && this._rows[at] === row;
  }

  each(act) {
    for (let i = 0; i < this._columns.length; i += 1) act(this._columns[i], this._rows[i]);
  }

  keysOf(column, row) {
    const left = column * TILE, top = row * TILE, keys = [];
    const last = placeOf(this._columns, left + TILE);
    for (let i = placeOf(this._columns, left); i < last; i += 1) {
      const inside = this._rows[i] - top;
      if (inside >= 0 && inside < TILE) keys.push((this._columns[i] - left) * TILE + inside);
    }
    return Uint16Array.from(keys);
  }
}

/** What the painter draws of an instance, and what the page says about a square. */
class ShownInstance {
  constructor(n, figures, source, changed) {
    this.n = n;
    this.figures = figures;
    this._source = source;
    this._changed = changed;
    this._tiles = new Map();
    this._requests = new Requests(changed);
    this._lines = { sums: [], differences: [] };
    this._diagonalsFailure = null;
    this._load();
  }

  get isComplete() {
    return this._isLoaded && this._requests.isIdle;
  }

  get failure() {
    return this._diagonalsFailure || this._requests.failure;
  }

  /** Whether excluded diagonals are so few that all of them are drawn at any zoom. */
  get hasFewLines() {
    return this.figures.diagonals <= MOST_LINES;
  }

  /** The excluded diagonals that cross a part of the board. */
  linesIn(left, top, right, bottom) {
    const { sums, differences } = this._lines;
    return {
      sums: valuesWithin(sums, Math.floor(left + top), Math.ceil(right + bottom)),
      differences: valuesWithin(differences, Math.floor(top - right), Math.ceil(bottom - left)),
    };
  }

  /** The tiles of squares in a part of the board that have arrived: [{column, row, blocked, fixed}]. */
  tilesIn(left, top, right, bottom) {
    const last = Math.floor((this.n - 1) / TILE), found = [], wanted = new Set();
    const span = (from, to) => [Math.max(0, tileOf(from)), Math.min(last, tileOf(to))];
    const [[firstColumn, lastColumn], [firstRow, lastRow]] = [span(left, right), span(top, bottom)];
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      for (let row = firstRow; row <= lastRow; row += 1) {
        const name = key(0, column, row), tile = this._tiles.get(name);
        wanted.add(name);
        if (tile) found.push(tile);
        else if (this._requests.hasRoom) this._ask(name, column, row);
      }
    }
    this._drop(wanted);
    return found;
  }

  /** What is on a square, in words, as far as its tile has arrived. */
  wordsAt(column, row) {
    return this._words(this._tiles.get(key(0, ...[column, row].map(tileOf))), column, row);
  }

  /** What is on a square, in words. */
  async allWordsAt(column, row) {
    return this._words(await this._source.squares(tileOf(column), tileOf(row)), column, row);
  }

  _words(tile, column, row) {
    const { sums, differences } = this._lines, at = (column % TILE) * TILE + (row % TILE);
    return [
      tile && holds(tile.fixed, at) ? "fixed queen" : "",
      tile && holds(tile.blocked, at) ? "blocked square" : "",
      holds(sums, column + row) ? `excluded diagonal c + r = ${number(column + row)}` : "",
      holds(differences, row - column) ? `excluded diagonal r - c = ${number(row - column)}` : "",
    ].filter(Boolean);
  }

  async _load() {
    try {
      this._lines = await this._source.diagonals();
      this._diagonalsFailure = null;
      this._isLoaded = true;
    } catch (error) {
      this._diagonalsFailure = error;
      setTimeout(() => this._load(), PAUSE);
    }
    this._changed();
  }

  _ask(name, column, row) {
    const receive = (squares) => this._tiles.set(name, { column, row, ...squares });
    this._requests.send(name, (signal) => this._source.squares(column, row, signal), receive);
  }

  _drop(wanted) {
    this._requests.cancelExcept(wanted);
    if (this._tiles.size <= MOST_SQUARE_TILES) return;
    for (const name of this._tiles.keys()) if (!wanted.has(name)) this._tiles.delete(name);
  }
}

/** The place of the first value in an ascending array that is at least `value`. */
function placeOf(ascending, value, first = 0, last = ascending.length) {
  let low = first, high = last;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function tileOf(place) {
  return Math.floor(place / TILE);
}

function holds(ascending, value) {
  return ascending[placeOf(ascending, value)] === value;
}

/** The values of an ascending array from `low` to `high`. */
function valuesWithin(ascending, low, high) {
  return ascending.slice(placeOf(ascending, low), placeOf(ascending, high + 1));
}
