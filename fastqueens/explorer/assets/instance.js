// The constraints of an instance: fixed queens, blocked squares and excluded diagonals.
"use strict";

/** An instance in the page: columns and rows of squares, sorted by column, then by row; differences have n added. */
class Instance {
  /** `figures` are the numbers of fixed queens, blocked squares and excluded diagonals. */
  constructor(n, figures, { blocked, fixed, sums, differences }) {
    Object.assign(this, { n, figures });
    this._blocked = new SortedSquares(blocked);
    this._fixed = new SortedSquares(fixed);
    this._sums = sums;
    this._differences = Float64Array.from(differences, (value) => value - n);
  }

  /** Whether a square must stay empty. */
  forbids(column, row) {
    return this._blocked.has(column, row) || holds(this._sums, column + row) || holds(this._differences, row - column);
  }

  eachFixed(act) {
    this._fixed.each(act);
  }

  /** The constraints as lists: {fixed, blocked, sums, differences}. */
  get lists() {
    const [blocked, fixed] = this.squaresIn(0, 0, this.n, this.n);
    return { fixed, blocked, sums: Array.from(this._sums), differences: Array.from(this._differences) };
  }

  /** The violations of a board, in words. */
  violatedBy(rows) {
    let missing = 0, blocked = 0, excluded = 0;
    this._fixed.each((column, row) => { missing += rows[column] !== row; });
    for (let column = 0; column < rows.length; column += 1) {
      const row = rows[column];
      if (row === this.n) continue;
      blocked += this._blocked.has(column, row);
      excluded += holds(this._sums, column + row) || holds(this._differences, row - column);
    }
    return [
      missing ? `${counted(missing, "fixed queen")} missing` : "",
      blocked ? `${counted(blocked, "queen")} on blocked squares` : "",
      excluded ? `${counted(excluded, "queen")} on excluded diagonals` : "",
    ].filter(Boolean).join(", ");
  }

  /** The excluded diagonals that cross a part of the board. */
  linesIn(left, top, right, bottom) {
    return {
      sums: valuesWithin(this._sums, Math.floor(left + top), Math.ceil(right + bottom)),
      differences: valuesWithin(this._differences, Math.floor(top - right), Math.ceil(bottom - left)),
    };
  }

  /** The blocked and the fixed squares in a part of the board, two lists of [column, row]. */
  squaresIn(...part) {
    return [this._blocked, this._fixed].map((squares) => squares.within(...part));
  }

  /** The constraints on a square, in words. */
  wordsAt(column, row) {
    return [
      this._fixed.has(column, row) ? "fixed queen" : "",
      this._blocked.has(column, row) ? "blocked square" : "",
      holds(this._sums, column + row) ? `excluded diagonal c + r = ${number(column + row)}` : "",
      holds(this._differences, row - column) ? `excluded diagonal r - c = ${number(row - column)}` : "",
    ].filter(Boolean);
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

  within(left, top, right, bottom) {
    const found = [], last = placeOf(this._columns, Math.ceil(right));
    for (let i = placeOf(this._columns, Math.floor(left)); i < last; i += 1) {
      if (this._rows[i] > top - 1 && this._rows[i] < bottom) found.push([this._columns[i], this._rows[i]]);
    }
    return found;
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

function holds(ascending, value) {
  return ascending[placeOf(ascending, value)] === value;
}

/** The values of an ascending array from `low` to `high`. */
function valuesWithin(ascending, low, high) {
  return ascending.slice(placeOf(ascending, low), placeOf(ascending, high + 1));
}
