// The address of the page, "#n=number&seed=number&algorithm=name&at=column,row,zoom&queen=column&step=number&density=1
// &rows=row,row,...", and the history.
//
// The place is the middle of the window, and 2^zoom are the pixels per square. Rows are the board after moves by hand,
// with - for columns without a queen.
"use strict";

/** Inside a notebook, the page has neither an address nor a history. */
const HAS_ADDRESS = location.protocol !== "about:";

/** Milliseconds between a change and the new address. */
const WRITE_AFTER = 150;

class Address {
  /** `read` returns what the page shows, as addressOf takes it, or null; `follow` gets what it should show. */
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

  /** Record a change of the board as a new entry, so that one can go back. */
  record(act) {
    this.save();
    act();
    this._text = addressOf(this._read());
    if (HAS_ADDRESS) history.pushState(null, "", this._text);
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
    const shown = this._read();
    if (!shown) return;
    this._text = addressOf(shown);
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

function addressOf({ source, destination: { column, row, zoom, isWhole }, queen, step, hasDensity, rows }) {
  const digits = Math.max(0, Math.ceil(zoom * 0.31) + 2);
  const parts = {
    n: source && source.n, seed: source && String(source.seed), algorithm: source && source.algorithm,
    at: !isWhole && `${column.toFixed(digits)},${row.toFixed(digits)},${zoom.toFixed(3)}`,
    queen, step: step || null, density: hasDensity ? 1 : null,
    rows: rows && rows.map((at) => (at < rows.length ? at : "-")).join(),
  };
  const given = Object.entries(parts).filter(([, value]) => value || value === 0);
  return `#${given.map((part) => part.join("=")).join("&")}`;
}

/** What an address asks the page to show; n, seed and rows are texts. */
function shownBy(address) {
  const parts = new URLSearchParams(address.slice(1));
  const whole = (name) => (/^\d+$/.test(parts.get(name)) ? Number(parts.get(name)) : null);
  const place = (parts.get("at") || "").split(",").map(Number), isPlace = place.length === 3 && place.every(Number.isFinite);
  return {
    n: parts.get("n"), seed: parts.get("seed"), algorithm: parts.get("algorithm"), place: isPlace ? place : null,
    queen: whole("queen"), step: whole("step") || 0, density: whole("density") || 0, rows: parts.get("rows"),
  };
}

/** The rows of a board of n in an address; throws an error that says what is wrong with them. */
function rowsOf(text, n) {
  const rows = text ? text.replaceAll(" ", "").split(",") : [];
  const wrong = rows.findIndex((row) => row !== "-" && (!/^\d+$/.test(row) || Number(row) >= n));
  if (rows.length !== n) {
    throw new Error(`The link has ${counted(rows.length, "row")}, and this board has ${counted(n, "column")}.`);
  }
  if (wrong >= 0) throw new Error(`Column ${wrong} has row ${rows[wrong] || "nothing"} in the link; rows go from 0 to ${n - 1}.`);
  return rows.map((row) => (row === "-" ? n : Number(row)));
}
