// The address of the page, "#column,row,zoom;queen=column;step=number;density=1;rows=row,row,...", and the history.
//
// The place is the middle of the window, 2^zoom the pixels per square, and rows the board after moves by hand.
"use strict";

/** Inside a notebook, the page has neither an address nor a history. */
const HAS_ADDRESS = location.protocol !== "about:";

/** Milliseconds between a change and the new address. */
const WRITE_AFTER = 150;

class Address {
  /** `read` returns what the page shows, {destination, queen, step, hasDensity, rows}; `follow` is called with what it should show. */
  constructor(read, follow) {
    Object.assign(this, { _read: read, _follow: follow });
    window.addEventListener("hashchange", () => this.follow());
  }

  /** Keep the current view in the history, because a jump to another one follows. */
  leave() {
    this.save();
    this._isLeaving = true;
  }

  /** A jump is recorded when it begins, with the view to which it leads. */
  headFor(destination) {
    if (!this._isLeaving) return;
    this._isLeaving = false;
    const text = addressOf({ ...this._read(), destination });
    if (HAS_ADDRESS && text !== this._text) history.pushState(null, "", text);
    this._text = text;
  }

  writeSoon() {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this.save(), WRITE_AFTER);
  }

  /** A view on the way must not end up in the history. */
  wait() {
    clearTimeout(this._timer);
  }

  save() {
    clearTimeout(this._timer);
    this._text = addressOf(this._read());
    if (HAS_ADDRESS) history.replaceState(null, "", this._text);
  }

  follow() {
    clearTimeout(this._timer);
    this._isLeaving = false;
    const text = location.hash || "#";
    if (text === this._text) return;
    this._text = text;
    this._follow(shownBy(text));
  }
}

function addressOf({ destination: { column, row, zoom, isWhole }, queen, step, hasDensity, rows }) {
  const digits = Math.max(0, Math.ceil(zoom * 0.31) + 2);
  const parts = [
    !isWhole && `${column.toFixed(digits)},${row.toFixed(digits)},${zoom.toFixed(3)}`,
    queen !== null && `queen=${queen}`, step && `step=${step}`,
    hasDensity && "density=1", rows && `rows=${rows.join()}`,
  ];
  return `#${parts.filter(Boolean).join(";")}`;
}

/** The contents of an address: {place, queen, step, density, rows}, where rows are a text. */
function shownBy(address) {
  const found = { place: null, queen: null, step: 0, density: 0, rows: null };
  for (const part of address.slice(1).replaceAll("%20", "").split(";")) {
    const [name, text] = part.split("="), value = /^\d+$/.test(text) ? Number(text) : null;
    const place = name.split(",").map(Number);
    if (name === "rows") found.rows = text || "";
    else if (text !== undefined) found[name] = value;
    else if (place.length === 3 && place.every(Number.isFinite)) found.place = place;
  }
  return found;
}

/** The rows of a board of n in an address; throws an error that says what is wrong with them. */
function rowsOf(text, n) {
  const rows = text ? text.split(",") : [];
  const wrong = rows.findIndex((row) => !/^\d+$/.test(row) || Number(row) >= n);
  if (rows.length !== n) {
    throw new Error(`The link has ${counted(rows.length, "row")}, and this board has ${counted(n, "column")}.`);
  }
  if (wrong >= 0) throw new Error(`Column ${wrong} has row ${rows[wrong] || "nothing"} in the link; rows go from 0 to ${n - 1}.`);
  return rows.map(Number);
}
