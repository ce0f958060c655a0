// Plays the search on a board in the page: entry by entry of its trace, with the curve below.
//
// An entry of a trace is the board after a move, or the new board after a restart; entry 0 is the first board.
"use strict";

/** The least steps a second of each speed, and the seconds that the whole search takes at most at it. */
const SPEEDS = { Slow: [1, Infinity], Normal: [3, 30], Fast: [10, 8] };

/** Up to this many steps a second, each queen is lifted and set down. */
const LIFTED_UP_TO = 5;

/** Pixels between the ends of the curve and the edges of its canvas: half of the thumb of the scrubber over it. */
const CURVE_MARGIN = 6;

/** The course of a search: every move, and the board after any entry. */
class Course {
  constructor(n, { moves, starts, pairs, restarts }) {
    Object.assign(this, { n, pairs, restarts, _moves: moves, _starts: starts });
    Object.assign(this, { last: pairs.length - 1, steps: moves.length / 3 });
    this.most = pairs.reduce((most, value) => Math.max(most, value), 1);
  }

  /** Return a sentence about an entry. */
  textOf(entry) {
    const { pairs } = this, move = this.moveInto(entry), attempt = this.attemptOf(entry);
    const board = attempt ? `restart ${number(attempt)} with a new board` : "the first board";
    const first = `${board}; ${counted(pairs[entry], "attacking pair")}`;
    const what = move ? wordsOf(move, pairs[entry - 1], pairs[entry]) : first;
    return `Step ${number(this.stepOf(entry))} of ${number(this.steps)}: ${what}.`;
  }

  /** The number of restarts up to an entry. */
  attemptOf(entry) {
    return placeOf(this.restarts, entry + 1);
  }

  stepOf(entry) {
    return entry - this.attemptOf(entry);
  }

  /** The entry after a step. */
  entryOf(step) {
    let entry = step;
    while (this.stepOf(entry) < step) entry += 1;
    return entry;
  }

  /** The move that led to an entry: {column, from, to}; null for a first board, column -1 if no queen moved. */
  moveInto(entry) {
    if (entry === 0 || this.restarts[this.attemptOf(entry) - 1] === entry) return null;
    const at = this.stepOf(entry) - 1;
    const [column, from, to] = [0, 1, 2].map((part) => this._moves[part * this.steps + at] | 0);
    return { column, from, to };
  }

  /** The board after an entry, from the first board of its attempt. */
  boardAt(entry) {
    const attempt = this.attemptOf(entry), first = attempt ? this.stepOf(this.restarts[attempt - 1]) : 0;
    const rows = this._starts.slice(attempt * this.n, (attempt + 1) * this.n);
    for (let step = first; step < this.stepOf(entry); step += 1) {
      const column = this._moves[step] | 0;
      if (column >= 0) rows[column] = this._moves[2 * this.steps + step];
    }
    return rows;
  }
}

class Player {
  /** `show` is called with {column, row, lift, attackers} or null after each change of the board, until the signal. */
  constructor(course, board, signal, show) {
    Object.assign(this, { course, _board: board, _show: show, _entry: 0, _changes: board.changes });
    this._shown = { entry: 0, time: 1 };
    this._setUp(signal);
  }

  get step() {
    return this.course.stepOf(this._entry);
  }

  toStep(step) {
    this.pause();
    this.go(this.course.entryOf(step));
  }

  /** Pause, or play: `_clock` counts steps since the current one began. */
  toggle() {
    if (this._isPlaying) return this.pause();
    this.go(this._entry === this.course.last ? 0 : this._entry);
    this._clock = 0;
    this._now = performance.now();
    this._setPlaying(true);
    requestAnimationFrame((now) => this._tick(now));
  }

  /** Show the board after an entry, without what was changed by hand. */
  go(entry) {
    this._set(Math.max(0, Math.min(this.course.last, entry)));
    this._present(this._entry);
  }

  by(steps) {
    this.pause();
    this.go(this._entry + steps);
  }

  /** Pause; a queen in the air lands. */
  pause(entry = this._shown.entry) {
    if (!this._isPlaying) return;
    this._setPlaying(false);
    this.go(entry);
  }

  /** Tell what is shown, or after a move by hand, in words, what that was. */
  tell(words = "") {
    const { entry } = this._shown, after = `After step ${number(this.course.stepOf(entry))}. ${words}.`;
    put("step-text", words ? after : this.course.textOf(entry));
  }

  draw() {
    const canvas = $("curve"), pen = clearedPen(canvas), style = getComputedStyle(canvas);
    drawCurve(pen, this.course, canvas.clientWidth, canvas.clientHeight, style);
  }

  _setUp(signal) {
    const speed = $("speed"), scrubber = $("scrubber"), { last } = this.course;
    const options = Object.entries(SPEEDS).map(([name, [least, seconds]]) => new Option(name, Math.max(least, last / seconds)));
    speed.replaceChildren(...options);
    speed.selectedIndex = speed.dataset.chosen ?? 1;
    speed.onchange = () => { speed.dataset.chosen = speed.selectedIndex; };
    for (const [id, steps] of [["back", -1], ["forward", 1]]) $(id).onclick = () => this.by(steps);
    $("play").onclick = () => this.toggle();
    scrubber.max = last;
    scrubber.oninput = () => {
      const entry = Number(scrubber.value);
      this.pause();
      this.go(entry);
    };
    const observer = new ResizeObserver(() => this.draw());
    observer.observe($("curve"));
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /** Bring the board to an entry: move by move if it is near, and anew if it is not or if someone changed the board. */
  _set(target) {
    const course = this.course, board = this._board, direction = Math.sign(target - this._entry);
    const isNear = Math.abs(target - this._entry) < 1e4 && course.attemptOf(target) === course.attemptOf(this._entry);
    if (!isNear || board.changes !== this._changes) {
      board.setRows(course.boardAt(target));
      this._entry = target;
    }
    while (this._entry !== target) {
      const { column, from, to } = course.moveInto(this._entry + Math.max(0, direction));
      if (column >= 0) board.move(column, direction > 0 ? to : from);
      this._entry += direction;
    }
    this._changes = board.changes;
  }

  _setPlaying(isPlaying) {
    this._isPlaying = isPlaying;
    $("play").classList.toggle("playing", isPlaying);
    $("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    for (const id of ["verdict", "message"]) $(id).ariaLive = isPlaying ? "off" : "polite";
  }

  _tick(now) {
    if (!this._isPlaying) return;
    const speed = Number($("speed").value), { last } = this.course;
    this._clock += (speed * Math.max(0, now - this._now)) / 1000;
    this._now = now;
    const whole = Math.min(Math.floor(this._clock), last - this._entry);
    this._clock %= 1;
    if (whole) this._set(this._entry + whole);
    if (this._entry === last) return this.pause(last);
    const next = this.course.moveInto(this._entry + 1);
    if (speed <= LIFTED_UP_TO && next && next.column >= 0) this._present(this._entry + 1, this._clock);
    else if (whole || this._shown.time < 1) this._present(this._entry);
    requestAnimationFrame((next) => this._tick(next));
  }

  /** Show the move into an entry, in the text, on the curve and on the board, at a time from 0 to 1.

  A queen lifts in the first quarter of the time, moves in the middle half, and comes down in the last quarter. */
  _present(entry, time = 1) {
    const move = this.course.moveInto(entry);
    this._shown = { entry, time };
    $("scrubber").value = entry;
    $("scrubber").setAttribute("aria-valuetext", this.course.textOf(entry));
    this.tell();
    if (!move || move.column < 0) return this._show(null);
    const across = Math.max(0, Math.min(1, 2 * time - 0.5)), share = across * across * (3 - 2 * across);
    const row = move.from + (move.to - move.from) * share;
    // Show attackers only on the squares, not in between.
    const attackers = share === 0 || share === 1 ? this._board.linesOf(move.column, row).attackers : [];
    this._show({ column: move.column, row, lift: Math.min(1, 4 * time, 4 - 4 * time), attackers });
  }
}

/** A move and the attacking pairs before and after it, in words. */
function wordsOf({ column, from, to }, before, after) {
  const what = column < 0 ? "no queen moves" : `column ${number(column)}, ${wordsOfRows(from, to)}`;
  return `${what}; ${number(before)} \u2192 ${counted(after, "attacking pair")}`;
}

function wordsOfRows(from, to) {
  return from === to ? `the queen stays in row ${number(to)}` : `row ${number(from)} to ${number(to)}`;
}

/** Draw the pairs after each entry, with the minimum and maximum of each pixel, so that no peak is lost. */
function drawCurve(pen, { pairs, last, most, restarts }, width, height, style) {
  const right = width - CURVE_MARGIN, across = Math.max(1, right - CURVE_MARGIN);
  const x = (entry) => CURVE_MARGIN + (across * entry) / Math.max(1, last), y = (value) => height - 2 - ((height - 4) * value) / most;
  pen.fillStyle = style.getPropertyValue("--grid");
  pen.fillRect(CURVE_MARGIN, height - 1, across, 1);
  for (const restart of restarts) pen.fillRect(x(restart) - 0.5, 0, 1, height);
  Object.assign(pen, { font: `12px ${FONTS}`, textAlign: "right", textBaseline: "top", fillStyle: style.getPropertyValue("--soft") });
  pen.fillText(`Attacking pairs, from 0 to ${number(most)}`, right, 2);
  Object.assign(pen, { strokeStyle: style.getPropertyValue("--attack"), lineWidth: 2, lineJoin: "round" });
  pen.beginPath();
  // A restart begins a curve of its own.
  const begins = [0, ...restarts], each = Math.max(1, Math.floor(last / (2 * across)));
  begins.forEach((begin, attempt) => {
    const end = begins[attempt + 1] || last + 1;
    pen.moveTo(x(begin), y(pairs[begin]));
    for (let at = begin; at < end; at += each) {
      const part = pairs.subarray(at, Math.min(end, at + each));
      for (const value of [Math.max(...part), Math.min(...part)]) pen.lineTo(x(at), y(value));
    }
    pen.lineTo(x(end - 1), y(pairs[end - 1]));
  });
  pen.stroke();
}
