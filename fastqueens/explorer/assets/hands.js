// Small boards are for hands: drag a queen, look at a square, and see what each move costs.
"use strict";

/** Boards up to this n can be changed by hand, if squares have as many pixels as for the cost of a move. */
const HANDS_UP_TO = 30;

class Hands {
  /** `take` is called before a queen is taken. */
  constructor(map, board, painter, take) {
    Object.assign(this, { _map: map, _board: board, _painter: painter, _take: take });
    const container = map.getContainer();
    container.addEventListener("pointerdown", (event) => this._press(event));
    container.addEventListener("pointermove", (event) => this._drag(event));
    container.addEventListener("pointerup", () => this._release());
    container.addEventListener("pointercancel", () => this._release(true));
  }

  /** The square at an event, [column, row], if squares are large enough for hands; otherwise null. */
  squareAt(event) {
    const { lat, lng } = this._map.mouseEventToLatLng(event), square = [Math.floor(lng), Math.floor(lat)];
    const isOnBoard = square.every((place) => place >= 0 && place < this._board.n);
    return isOnBoard && this._painter.showsCosts ? square : null;
  }

  /** The last move by hand, in words; empty if the board is as it was before hands changed it. */
  get words() {
    const { changes, rows } = this._board;
    const isChanged = this._changes === changes && this._original.some((row, column) => row !== rows[column]);
    return isChanged ? `by hand: ${this._words}.` : "";
  }

  get isHolding() {
    return Boolean(this._held);
  }

  /** Move a queen unless it is fixed: from a row on which the board had a number of pairs. */
  move(column, row, from = this._board.rows[column], before = this._board.pairs) {
    const board = this._board;
    if (row < 0 || row >= board.n || board.isFixed(column)) return;
    if (this._changes !== board.changes) this._original = board.rows.slice();
    board.move(column, row);
    this._changes = board.changes;
    this._words = wordsOf({ column, from, to: row }, before, board.pairs);
    this._painter.refresh();
  }

  reset() {
    this._board.setRows(this._original.slice());
    this._painter.refresh();
  }

  /** What attacks an empty square, and what a move there costs, in words. */
  textOf({ column, row, on_row, on_sum, on_difference }) {
    const attackers = on_row + on_sum + on_difference, { pairs } = this._board;
    const attacked = attackers === 1 ? "1 queen attacks it, drawn in red." : `${attackers} queens attack it, drawn in red.`;
    const cost = counted(this._board.costsOf(column)[row], "attacking pair");
    return `${attackers ? attacked : "No queen attacks it."} With the queen of its column here: ${pairs} \u2192 ${cost}.`;
  }

  _press(event) {
    this._release(true);
    const square = this.squareAt(event);
    this.hasDragged = false;
    if (!event.isPrimary || event.button !== 0 || event.shiftKey || !square || !this._isMovable(...square)) return;
    this._take();
    if (!this._isMovable(...square)) return;
    const [column, from] = square;
    this._held = { column, from, pairs: this._board.pairs };
    this._map.dragging.disable();
    this._map.getContainer().setPointerCapture(event.pointerId);
  }

  _isMovable(column, row) {
    return this._board.rows[column] === row && !this._board.isFixed(column);
  }

  _drag(event) {
    const square = this.squareAt(event), { rows, n } = this._board;
    this._map.getContainer().classList.toggle("can-take", Boolean(square) && this._isMovable(...square));
    if (!this._held) return;
    const { column, from, pairs } = this._held;
    const place = Math.max(0, Math.min(n - 1, this._map.mouseEventToLatLng(event).lat - 0.5)), row = Math.round(place);
    this.hasDragged ||= row !== rows[column];
    if (row !== rows[column]) this.move(column, row, from, pairs);
    this._painter.moving = { column, row: place, lift: 1, attackers: this._board.linesOf(column, row).attackers };
    this._painter.refresh();
  }

  /** Let a queen go, or put it back: at a second finger, or if the system takes the pointer. */
  _release(isPutBack = false) {
    if (!this._held) return;
    const { column, from, pairs } = this._held;
    this._held = this._painter.moving = null;
    this._map.dragging.enable();
    if (isPutBack && this.hasDragged) this.move(column, from, from, pairs);
    this._painter.refresh();
  }
}

/** The rows and the instance of a small board of the server, for a page that changes them. */
async function copiedParts({ n, instance }) {
  const source = new ServedInstance(), { queens } = await new ServedBoard({ n }).tile(0, 0, 0), rows = new Uint32Array(n);
  for (let at = 0; at < queens.length; at += 2) rows[queens[at]] = queens[at + 1];
  if (!instance) return { rows, instance: null };
  const { blocked, fixed } = await source.squares(0, 0), { sums, differences } = await source.diagonals();
  const split = (keys) => Uint32Array.from([...keys, ...keys], (at, i) => (i < keys.length ? at >> TILE_BITS : at % TILE));
  const parts = { blocked: split(blocked), fixed: split(fixed), sums, differences: differences.map((value) => value + n) };
  return { rows, instance: new LocalInstance(n, parts) };
}
