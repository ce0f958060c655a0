// Moves by hand on small boards: drag a queen, put one on an empty column or take one away, and look at a square.
"use strict";

/** Boards up to this n can be changed by hand, if squares have as many pixels as for the cost of a move. */
const HANDS_UP_TO = 30;

class Hands {
  /** `pause` is called before a queen is taken, `choose` with its column before it moves, and `changed` afterwards;
  nothing after the signal. */
  constructor(map, board, painter, signal, { pause, choose, changed }) {
    Object.assign(this, { _map: map, _board: board, _painter: painter, _pause: pause, _choose: choose, _changed: changed });
    const listen = (kind, act) => map.getContainer().addEventListener(kind, act, { signal });
    listen("pointerdown", (event) => this._press(event));
    listen("pointermove", (event) => this._drag(event));
    // Otherwise, the browser takes the finger for a gesture of its own.
    listen("touchmove", (event) => { if (this._held) event.preventDefault(); });
    for (const kind of ["pointerup", "pointercancel"]) listen(kind, () => this._release());
  }

  /** The square at an event, [column, row], if squares are large enough for hands; otherwise null. */
  squareAt(event) {
    const { lat, lng } = this._map.mouseEventToLatLng(event), square = [Math.floor(lng), Math.floor(lat)];
    return this._painter.showsCosts && square.every((place) => place >= 0 && place < this._board.n) ? square : null;
  }

  /** Whether hands, or the rows of a link, have changed the board. */
  get hasChanged() {
    const { changes, rows } = this._board;
    return this._changes === changes && this._original.some((row, column) => row !== rows[column]);
  }

  get isHolding() {
    return Boolean(this._held);
  }

  /** The last move by hand, in words; empty if the board is unchanged. */
  get words() {
    return this.hasChanged ? this._words : "";
  }

  /** Show other rows as if they were set by hand, and say what they are. */
  show(rows, words) {
    const original = this.hasChanged ? this._original : this._board.rows.slice();
    this._pause();
    this._board.setRows(Uint32Array.from(rows));
    Object.assign(this, { _original: original, _changes: this._board.changes, _words: words });
    this._changed();
  }

  /** Take all queens away that the instance does not fix. */
  clear() {
    const rows = new Array(this._board.n).fill(this._board.n), { instance } = this._painter;
    if (instance) instance.eachFixed((column, row) => { rows[column] = row; });
    this.show(rows, "Cleared: a click on a square puts a queen there");
  }

  /** Move a queen to a row, or put one there. */
  put(column, row) {
    this._take(column);
    this._move(row);
    this._release();
  }

  remove(column) {
    this._take(column);
    this._set(this._board.n, "the queen is taken away");
    this._release();
  }

  reset() {
    this._board.setRows(this._original.slice());
    this._changed();
  }

  /** What attacks an empty square and the cost of a move there, in words. */
  textOf({ column, row, attackers: { length } }) {
    const cost = counted(this.costsOf(column)[row], "attacking pair");
    return `attacked by ${length ? counted(length, "queen") : "no queen"}. A move there: ${this._board.pairs} \u2192 ${cost}.`;
  }

  /** The attacking pairs of the board if the queen of a column stood on each of the rows. */
  costsOf(column) {
    const { rows, pairs } = this._board, attackersOn = (row) => this._board.linesOf(column, row).attackers.length;
    const others = pairs - (this._board.has(column) ? attackersOn(rows[column]) : 0);
    return Array.from(rows, (_, row) => others + attackersOn(row));
  }

  /** Take a queen; a second finger zooms instead. */
  _press(event) {
    this._release();
    this.hasDragged = false;
    const column = this._queenAt(event);
    if (column < 0 || !event.isPrimary || event.button !== 0 || event.shiftKey) return;
    this._take(column);
    this._map.dragging.disable();
    this._map.getContainer().setPointerCapture(event.pointerId);
  }

  /** The column of the queen on the square at an event, otherwise -1. */
  _queenAt(event) {
    const [column, row] = this.squareAt(event) || [-1];
    return this._board.rows[column] === row ? column : -1;
  }

  _take(column) {
    this._pause();
    this._held = { column, from: this._board.rows[column], pairs: this._board.pairs };
  }

  /** Move the queen that is held, or put one on the empty column. */
  _move(row) {
    const { column, from } = this._held, board = this._board;
    if (row < 0 || row >= board.n || row === board.rows[column]) return;
    this.hasDragged = true;
    this._set(row, from < board.n ? wordsOfRows(from, row) : `a queen on row ${number(row)}`);
  }

  _set(row, what) {
    const { column, pairs } = this._held, board = this._board;
    this._choose(column);
    if (this._changes !== board.changes) this._original = board.rows.slice();
    board.move(column, row);
    this._changes = board.changes;
    this._words = `By hand: column ${number(column)}, ${what}; ${number(pairs)} \u2192 ${counted(board.pairs, "attacking pair")}`;
  }

  _drag(event) {
    this._map.getContainer().classList.toggle("can-take", this._queenAt(event) >= 0);
    if (!this._held) return;
    const { lat } = this._map.mouseEventToLatLng(event), row = Math.max(0, Math.min(this._board.n - 1, lat - 0.5));
    this._move(Math.round(row));
    this._painter.moving = { ...this._board.linesOf(this._held.column), row, lift: 1 };
    this._changed();
  }

  _release() {
    if (!this._held) return;
    this._held = this._painter.moving = null;
    this._map.dragging.enable();
    this._changed();
  }
}
