// What the page says of the board: title, verdict, legend, and messages.
"use strict";

/** Whether one points with fingers. */
const FINGERS = matchMedia("(pointer: coarse)");

/** Up to this many queens, their rows are in the page for screen readers. */
const READ_UP_TO = 30;

class Words {
  constructor(explorer) {
    Object.assign(this, { _explorer: explorer, _message: "", _choice: "" });
  }

  /** Tell what the page knows of a new board. */
  begin({ name, about }) {
    const { board: { n }, painter: { instance } } = this._explorer;
    $("title").textContent = counted(n, "queen");
    document.title = `${name ? `${name}: ` : ""}${counted(n, "queen")} - fastqueens`;
    $("about").textContent = about;
    $("instance").hidden = !instance;
    if (instance) showFigures(instance);
  }

  /** Tell whether the board is a solution. */
  judge() {
    const { board, painter: { instance }, hands } = this._explorer, { pairs, violated, n, rows } = board;
    const queens = hands ? board.columns.length : n, placed = queens < n ? `${queens} of ${counted(n, "queen")}` : "";
    const isSolution = !pairs && !violated && !placed;
    $("verdict").className = isSolution ? "solved" : placed && !pairs ? "" : "wrong";
    put("count", pairs ? number(pairs) : "");
    put("state", isSolution ? `A solution${instance ? " that respects every constraint" : ""}`
      : [pairs ? ` attacking pair${pairs === 1 ? "" : "s"}` : "", placed, violated].filter(Boolean).join(", "));
    const places = Array.from(n <= READ_UP_TO ? rows : [], (row) => (row < n ? row : "none"));
    put("queens", places.length ? `Rows of the queens, by column: ${places.join(", ")}.` : "");
  }

  /** Tell which queen or square is chosen, as Board.linesOf describes it; null for none. */
  choose(found) {
    this._choice = found ? this._wordsOf(found) : "";
    this.say("");
  }

  _wordsOf(found) {
    const { painter: { instance }, hands } = this._explorer, asked = instance ? instance.wordsAt(found.column, found.row) : [];
    const { others, attackers: { length: listed } } = found;
    const square = `${found.isEmpty ? "Square" : "Queen"} in column ${number(found.column)}, row ${number(found.row)}`;
    const attacked = found.isEmpty ? hands.textOf(found) : !others ? "attacks no other queen."
      : `attacks ${counted(others, "other queen")}${listed < others ? `, of which ${number(listed)} are red` : ""}.`;
    return `${square}${found.isEmpty ? ":" : ""} ${attacked}${asked.length ? ` On the square: ${asked.join(", ")}.` : ""}`;
  }

  /** Show a message until the view or the choice changes; otherwise what was chosen, or done by hand. */
  say(text) {
    const { hands } = this._explorer, words = hands && hands.words;
    this._message = text;
    $("message").classList.remove("warning");
    put("message", text || this._choice || (words ? `${words}.` : "") || this._hint);
  }

  warn(text) {
    this.say(text);
    $("message").classList.add("warning");
  }

  /** What to try, if there is nothing else to say. */
  get _hint() {
    const { hands, board, painter } = this._explorer, click = FINGERS.matches ? "Tap" : "Click";
    if (hands && board.columns.length < board.n) return `${click} a square of an empty column to put a queen there.`;
    if (hands) return `Drag a queen up or down, or ${click.toLowerCase()} an empty square to see what attacks it.`;
    return painter.showsQueens ? `${click} a queen to lift its two threads.` : `${click} the board to zoom in to its queens.`;
  }

  /** Explain the colours of a density, and say whether squares are large enough for the marks of an instance. */
  explain() {
    const { painter: { showsDensity, showsSquares, density, instance }, board: { pairs } } = this._explorer;
    const [low, high] = scaleOf(density.even);
    $("legend").hidden = !showsDensity;
    $("key").hidden = showsDensity;
    $("key-shared").hidden = !pairs;
    if (!this._message) this.say("");
    put("low", `${low} x`);
    put("high", `${high} x`);
    $("instance-hint").hidden = !instance || showsSquares;
  }
}

/** Write a text, unless it is there: screen readers read it when it changes. */
function put(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

/** Count the constraints of an instance, in the legend. */
function showFigures({ figures: { fixed, blocked, diagonals } }) {
  for (const [id, value, noun] of [
    ["instance-fixed", fixed, "fixed queen"], ["instance-blocked", blocked, "blocked square"],
    ["instance-diagonals", diagonals, "excluded diagonal"],
  ]) {
    $(id).hidden = value === 0;
    $(id).querySelector("span").textContent = counted(value, noun);
  }
}
