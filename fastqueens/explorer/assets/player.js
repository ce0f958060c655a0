// Plays the search on a board in the page: entry by entry of its trace, with the curve below.
//
// An entry of a trace is the board after a move, or the new board after a restart; entry 0 is the first board.
"use strict";

const SPEEDS = [1, 2, 5, 10, 30, 100, 300, 1000, 10000, 100000];

/** Up to this many steps a second, each queen is lifted and set down. */
const LIFTED_UP_TO = 5;

/** Plateaus of at least this many steps are shaded. */
const PLATEAU_FROM = 5;

/** The course of a search: every move, and the board after any entry. */
class Course {
  constructor(n, { moves, starts, pairs, restarts }) {
    Object.assign(this, { n, pairs, restarts, _moves: moves, _starts: starts });
    Object.assign(this, { last: pairs.length - 1, steps: moves.length / 3 });
    this.most = pairs.reduce((most, value) => Math.max(most, value), 1);
    this.plateaus = plateausOf(pairs, restarts);
  }

  /** What an entry is, in a sentence. */
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

/** The entries of each plateau, [first, last]: steps of one attempt that leave the attacking pairs unchanged. */
function plateausOf(pairs, restarts) {
  const found = [], ends = new Set([...restarts, pairs.length]);
  for (let first = 0, at = 1; at <= pairs.length; at += 1) {
    if (pairs[at] === pairs[first] && !ends.has(at)) continue;
    if (at - 1 - first >= PLATEAU_FROM) found.push([first, at - 1]);
    first = at;
  }
  return found;
}

class Player {
  /** `show` is called with {column, row, lift, attackers} or null after each change of the board. */
  constructor(course, board, show, visit, step) {
    Object.assign(this, { _course: course, _board: board, _show: show, _visit: visit, _entry: 0, _shown: {}, _changes: board.changes });
    this._setUp();
    this.toStep(step);
  }

  get step() {
    return this._course.stepOf(this._entry);
  }

  toStep(step) {
    this.pause();
    this.go(this._course.entryOf(step));
  }

  /** Pause, or play: `_clock` counts steps since the current one began. */
  toggle() {
    if (this._isPlaying) return this.pause();
    this.go(this._entry === this._course.last ? 0 : this._entry);
    this._clock = 0;
    this._now = performance.now();
    this._setPlaying(true);
    requestAnimationFrame((now) => this._tick(now));
  }

  /** Show the board after an entry, without what was changed by hand. */
  go(entry) {
    this._set(Math.max(0, Math.min(this._course.last, entry)));
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
    const { entry } = this._shown, after = `After step ${number(this._course.stepOf(entry))}, ${words}`;
    const text = words ? after : this._course.textOf(entry);
    if ($("step-text").textContent !== text) $("step-text").textContent = text;
  }

  /** Draw the curve, with axes if there is room. */
  draw() {
    const canvas = $("curve"), course = this._course, pen = clearedPen(canvas), style = getComputedStyle(canvas);
    pen.font = `11px ${style.fontFamily}`;
    this._places = placesOf(pen, course, canvas.clientWidth, canvas.clientHeight, $("log-curve").checked);
    drawMarks(pen, course, this._places, style);
    if (this._places.hasAxes) drawAxes(pen, course, this._places, style);
    drawPairs(pen, course, this._places);
    this._mark();
  }

  _setUp() {
    const speed = $("speed"), curve = $("curve"), { last } = this._course, far = Math.ceil((last + 1) / 10);
    $("player").hidden = false;
    document.body.classList.add("with-player");
    for (const value of SPEEDS) speed.add(new Option(`${number(value)} a second`, value));
    speed.value = SPEEDS.find((value) => value >= (last + 1) / 30) || SPEEDS[SPEEDS.length - 1];
    const jumps = { begin: -Infinity, back: -1, forward: 1, end: Infinity };
    for (const [id, steps] of Object.entries(jumps)) $(id).onclick = () => this.by(steps);
    $("play").onclick = () => this.toggle();
    $("log-curve").onchange = () => this.draw();
    curve.setAttribute("aria-valuemax", last);
    curve.onpointermove = (event) => {
      if (!curve.hasPointerCapture(event.pointerId)) return;
      this.pause();
      this.go(this._places.entryAt(event.offsetX));
    };
    curve.onpointerdown = (event) => {
      if (event.button === 0) curve.setPointerCapture(event.pointerId);
      curve.onpointermove(event);
    };
    const keys = {
      ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: far, PageDown: -far, Home: -Infinity, End: Infinity,
    };
    curve.onkeydown = (event) => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.by(keys[event.key]);
    };
    new ResizeObserver(() => this.draw()).observe(curve);
  }

  /** Bring the board to an entry: move by move if it is near, and anew if it is not or if someone changed the board. */
  _set(target) {
    const course = this._course, board = this._board, direction = Math.sign(target - this._entry);
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
    for (const id of ["verdict", "peek"]) $(id).ariaLive = isPlaying ? "off" : "polite";
  }

  _tick(now) {
    if (!this._isPlaying) return;
    const speed = Number($("speed").value), { last } = this._course;
    this._clock += (speed * Math.max(0, now - this._now)) / 1000;
    this._now = now;
    const whole = Math.min(Math.floor(this._clock), last - this._entry);
    this._clock %= 1;
    if (whole) this._set(this._entry + whole);
    if (this._entry === last) return this.pause(last);
    const next = this._course.moveInto(this._entry + 1);
    if (speed <= LIFTED_UP_TO && next && next.column >= 0) this._present(this._entry + 1, this._clock);
    else if (whole || this._shown.time < 1) this._present(this._entry);
    requestAnimationFrame((next) => this._tick(next));
  }

  /** Show the move into an entry, in the text, on the curve and on the board, at a time from 0 to 1.

  A queen lifts in the first quarter of the time, moves in the middle half, and comes down in the last quarter. */
  _present(entry, time = 1) {
    const move = this._course.moveInto(entry);
    this._shown = { entry, time };
    this._mark();
    this.tell();
    if (!move || move.column < 0) return this._show(null);
    const across = Math.max(0, Math.min(1, 2 * time - 0.5)), share = across * across * (3 - 2 * across);
    const row = move.from + (move.to - move.from) * share;
    // Show attackers only on the squares, not in between.
    const attackers = share === 0 || share === 1 ? this._board.linesOf(move.column, row).attackers : [];
    this._show({ column: move.column, row, lift: Math.min(1, 4 * time, 4 - 4 * time), attackers });
    if ($("follow").checked) this._visit(move.column, row);
  }

  /** Mark on the curve what is shown; a queen in the air is between two entries. */
  _mark() {
    if (!this._places) return;
    const { entry, time } = this._shown, { x, y } = this._places, { pairs } = this._course;
    const between = (from, to) => from + (to - from) * time, before = Math.max(0, entry - 1);
    $("now").style.left = `${between(x(before), x(entry))}px`;
    $("now").style.top = `${between(y(pairs[before]), y(pairs[entry]))}px`;
    $("curve").setAttribute("aria-valuenow", entry);
    $("curve").setAttribute("aria-valuetext", this._course.textOf(entry));
  }
}

/** A move and the attacking pairs before and after it, in words. */
function wordsOf({ column, from, to }, before, after) {
  const rows = from === to ? `the queen stays in row ${number(to)}` : `row ${number(from)} to ${number(to)}`;
  const what = column < 0 ? "no queen moves" : `column ${number(column)}, ${rows}`;
  return `${what}; ${number(before)} \u2192 ${counted(after, "attacking pair")}`;
}

/** The pixels of entries and of numbers of pairs: {x, y, entryAt, left, right, top, bottom}. */
function placesOf(pen, course, width, height, isLogarithmic) {
  const hasAxes = height >= 70, left = hasAxes ? pen.measureText(number(course.most)).width + 18 : 10;
  const right = width - 10, top = hasAxes ? 20 : 8, bottom = height - (hasAxes ? 17 : 8);
  const scaled = isLogarithmic ? Math.log1p : (value) => value, last = Math.max(1, course.last);
  return {
    left, right, top, bottom, isLogarithmic, hasAxes,
    x: (entry) => left + ((right - left) * entry) / last,
    y: (pairs) => bottom - ((bottom - top) * scaled(pairs)) / scaled(course.most),
    entryAt: (x) => Math.round((last * (x - left)) / (right - left)),
  };
}

/** Numbers for an axis from 0 to a value: round ones, or on a logarithmic scale 0 and powers of ten. */
function ticksUpTo(most, count, isLogarithmic = false) {
  if (isLogarithmic) return [0, ...Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, power) => 10 ** power)];
  const step = stepOf(most / count);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}

/** Shade the plateaus and tick the restarts. */
function drawMarks(pen, { plateaus, restarts }, { x, top, bottom }, style) {
  pen.fillStyle = style.getPropertyValue("--plateau");
  for (const [first, last] of plateaus) pen.fillRect(x(first), top, x(last) - x(first), bottom - top);
  pen.fillStyle = style.getPropertyValue("--soft");
  for (const restart of restarts) pen.fillRect(x(restart) - 0.5, bottom - 6, 1, 6);
}

function drawAxes(pen, course, { x, y, left, right, top, bottom, isLogarithmic }, style) {
  const write = (text, at, height, align, baseline = "bottom") => {
    [pen.fillStyle, pen.textAlign, pen.textBaseline] = [style.getPropertyValue("--soft"), align, baseline];
    pen.fillText(text, at, height);
  };
  let above = Infinity;
  for (const pairs of ticksUpTo(course.most, 3, isLogarithmic)) {
    pen.fillStyle = style.getPropertyValue("--grid");
    pen.fillRect(left, y(pairs) - 0.5, right - left, 1);
    if (above - y(pairs) < 12) continue;
    above = y(pairs);
    write(number(pairs), left - 11, above, "right", "middle");
  }
  const marks = [course.plateaus.length && "shaded: plateaus", course.restarts.length && "ticks: restarts"].filter(Boolean);
  write(["attacking pairs", ...marks].join("; "), left, top - 5, "left");
  write("step", right, top - 5, "right");
  const steps = ticksUpTo(course.steps, Math.max(1, Math.floor((right - left) / 110)));
  for (const step of steps) write(number(step), x(course.entryOf(step)), bottom + 15, "center");
}

/** Draw the curve with the minimum and maximum of each pixel, so that no peak is lost. */
function drawPairs(pen, { pairs, last }, { x, y, left, right }) {
  Object.assign(pen, { strokeStyle: DATA.chosen, lineWidth: 2, lineJoin: "round" });
  pen.beginPath();
  const each = Math.max(1, Math.floor(last / (2 * (right - left))));
  for (let at = 0; at <= last; at += each) {
    const part = pairs.subarray(at, at + each);
    for (const value of [Math.max(...part), Math.min(...part)]) pen.lineTo(x(at), y(value));
  }
  pen.lineTo(x(last), y(pairs[last]));
  pen.stroke();
}
