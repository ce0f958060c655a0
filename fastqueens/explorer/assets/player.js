// Plays the search on a board in the page: entry by entry of its trace, with the curve below.
//
// An entry of a trace is the board after a move, or the new board after a restart; entry 0 is the first board.
"use strict";

const SPEEDS = [1, 2, 5, 10, 30, 100, 300, 1000, 10000, 100000];

/** Up to this many steps a second, each queen is lifted and set down. */
const LIFTED_UP_TO = 5;

/** The course of a search: every move, and the board after any entry. */
class Course {
  constructor(n, { moves, starts, pairs, restarts }) {
    this.n = n;
    this.pairs = pairs;
    this.most = pairs.reduce((most, value) => Math.max(most, value), 1);
    this.restarts = restarts;
    // The step after each restart.
    this._nextSteps = restarts.map((entry, before) => entry - before);
    this._moves = moves;
    this._starts = starts;
    this.steps = moves.length / 3;
  }

  get entries() {
    return this.pairs.length;
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
    return step + placeOf(this._nextSteps, step + 1);
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
    const attempt = this.attemptOf(entry), first = attempt ? this.restarts[attempt - 1] : 0;
    const rows = this._starts.slice(attempt * this.n, (attempt + 1) * this.n);
    for (let at = first + 1; at <= entry; at += 1) {
      const { column, to } = this.moveInto(at);
      if (column >= 0) rows[column] = to;
    }
    return rows;
  }
}

class Player {
  /** `show` is called with {column, row, lift, attackers} or null after each change of the board. */
  constructor(course, board, show, visit) {
    this._course = course;
    this._board = board;
    this._show = show;
    this._visit = visit;
    this._entry = 0;
    this._isPlaying = false;
    const buttons = ["begin", "back", "play", "forward"], fields = ["speed", "follow", "log-curve", "step"];
    const ids = ["player", ...buttons, ...fields, "step-text", "curve"];
    this._parts = Object.fromEntries(ids.map((id) => [id, document.getElementById(id)]));
    this._setUp();
    this.go(0);
  }

  toggle() {
    if (this._isPlaying) this._pause();
    else this._play();
  }

  /** Show the board after an entry. */
  go(entry) {
    const last = this._course.entries - 1;
    const target = Math.max(0, Math.min(last, entry));
    if (target === this._entry + 1) this._forward();
    else if (target === this._entry - 1 && this._course.moveInto(this._entry)) this._backward();
    else if (target !== this._entry) this._board.setRows(this._course.boardAt(target));
    this._entry = target;
    this._showMove(this._course.moveInto(target), 1, 0);
    this._tell();
  }

  by(steps) {
    this._pause();
    this.go(this._entry + steps);
  }

  draw() {
    drawCurve(this._parts.curve, this._course, this._entry, this._parts["log-curve"].checked);
  }

  _setUp() {
    const { player, begin, back, play, forward, speed, step } = this._parts;
    player.hidden = false;
    document.body.classList.add("with-player");
    step.max = this._course.entries - 1;
    for (const value of SPEEDS) speed.add(new Option(`${number(value)} a second`, value));
    const wanted = this._course.entries / 30;
    speed.value = SPEEDS.find((value) => value >= wanted) || SPEEDS[SPEEDS.length - 1];
    begin.onclick = () => this.by(-Infinity);
    back.onclick = () => this.by(-1);
    forward.onclick = () => this.by(1);
    play.onclick = () => this.toggle();
    step.oninput = () => this.by(Number(step.value) - this._entry);
    this._parts["log-curve"].onchange = () => this.draw();
    new ResizeObserver(() => this.draw()).observe(this._parts.curve);
  }

  _forward() {
    const move = this._course.moveInto(this._entry + 1);
    if (!move) this._board.setRows(this._course.boardAt(this._entry + 1));
    else if (move.column >= 0) this._board.move(move.column, move.to);
  }

  _backward() {
    const { column, from } = this._course.moveInto(this._entry);
    if (column >= 0) this._board.move(column, from);
  }

  // Playing: `_clock` counts steps since the current one began.

  _play() {
    if (this._entry === this._course.entries - 1) this.go(0);
    this._isPlaying = true;
    this._clock = 0;
    this._last = performance.now();
    this._label();
    requestAnimationFrame((now) => this._tick(now));
  }

  _pause() {
    if (!this._isPlaying) return;
    this._isPlaying = false;
    this._label();
    this._showMove(this._course.moveInto(this._entry), 1, 0);
  }

  _label() {
    const { play } = this._parts;
    play.classList.toggle("playing", this._isPlaying);
    play.setAttribute("aria-label", this._isPlaying ? "Pause" : "Play");
  }

  _tick(now) {
    if (!this._isPlaying) return;
    const speed = Number(this._parts.speed.value);
    this._clock += (speed * Math.max(0, now - this._last)) / 1000;
    this._last = now;
    const whole = Math.min(Math.floor(this._clock), this._course.entries - 1 - this._entry);
    this._clock -= Math.floor(this._clock);
    for (let step = 0; step < whole; step += 1) {
      this._forward();
      this._entry += 1;
    }
    if (whole) this._tell();
    if (this._entry === this._course.entries - 1) {
      this._pause();
      return;
    }
    const isLifted = speed <= LIFTED_UP_TO;
    if (isLifted) this._lift(this._course.moveInto(this._entry + 1), this._clock);
    else if (whole) this._showMove(this._course.moveInto(this._entry), 1, 0);
    requestAnimationFrame((next) => this._tick(next));
  }

  /** Lift in the first quarter of the time, move in the middle half, set down in the last quarter. */
  _lift(move, time) {
    if (!move || move.column < 0) {
      // No queen lifts next, so the one before must have landed.
      this._showMove(this._course.moveInto(this._entry), 1, 0);
      return;
    }
    const across = Math.max(0, Math.min(1, 2 * time - 0.5));
    const eased = across * across * (3 - 2 * across);
    this._showMove(move, eased, Math.min(1, 4 * time, 4 - 4 * time));
  }

  /** Show a moving queen: at share 0 on its old square, at share 1 on its new one. */
  _showMove(move, share, lift) {
    if (!move || move.column < 0) {
      this._show(null);
      return;
    }
    const row = move.from + (move.to - move.from) * share;
    // Show attackers only on the squares, not in between.
    const attackers = share === 0 || share === 1 ? this._attackers(move.column, row) : [];
    this._show({ column: move.column, row, lift, attackers });
    if (this._parts.follow.checked) this._visit(move.column, row);
  }

  /** The queens that attack a square; the queen of its column, which moves, is not one of them. */
  _attackers(column, row) {
    const name = `${this._entry} ${column} ${row}`;
    if (this._known !== name) [this._known, this._found] = [name, this._board.linesOf(column, row).attackers];
    return this._found;
  }

  _tell() {
    const course = this._course, move = course.moveInto(this._entry), attempt = course.attemptOf(this._entry);
    const step = `Step ${number(course.stepOf(this._entry))} of ${number(course.steps)}`;
    const what = move ? wordsOf(move) : attempt ? `restart ${number(attempt)} with a new board` : "the first board";
    const pairs = counted(course.pairs[this._entry], "attacking pair");
    this._parts["step-text"].textContent = `${step}: ${what}. ${pairs}.`;
    this._parts.step.value = this._entry;
    this._parts.step.setAttribute("aria-valuetext", `${step}, ${pairs}`);
    this.draw();
  }
}

function wordsOf({ column, from, to }) {
  if (column < 0) return "no queen moves";
  const queen = `column ${number(column)}`;
  return from === to ? `${queen}, the queen stays` : `${queen}, from row ${number(from)} to row ${number(to)}`;
}

/** Draw attacking pairs against steps, with axes, restarts as lines, and the current entry as a dot. */
function drawCurve(canvas, course, entry, isLogarithmic) {
  const pen = clearedPen(canvas), style = getComputedStyle(canvas);
  pen.font = `11px ${style.fontFamily}`;
  const places = placesOf(pen, course, canvas.clientWidth, canvas.clientHeight, isLogarithmic);
  drawAxes(pen, course, places, style);
  drawPairs(pen, course, places);
  paintDot(pen, places.x(entry), places.y(course.pairs[entry]), 4, DATA.attack);
}

/** The pixels of entries and of numbers of pairs: {x, y, left, right, top, bottom}. */
function placesOf(pen, course, width, height, isLogarithmic) {
  const left = pen.measureText(number(course.most)).width + 10, right = width - 10, top = 20, bottom = height - 17;
  const scaled = isLogarithmic ? Math.log1p : (value) => value;
  return {
    left, right, top, bottom, isLogarithmic,
    x: (entry) => left + ((right - left) * entry) / Math.max(1, course.entries - 1),
    y: (pairs) => bottom - ((bottom - top) * scaled(pairs)) / scaled(course.most),
  };
}

/** Numbers for an axis from 0 to a value: round ones, or on a logarithmic scale 0 and powers of ten. */
function ticksUpTo(most, count, isLogarithmic = false) {
  if (isLogarithmic) return [0, ...Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, power) => 10 ** power)];
  const step = stepOf(most / count);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}

function drawAxes(pen, course, { x, y, left, right, top, bottom, isLogarithmic }, style) {
  pen.strokeStyle = style.getPropertyValue("--grid");
  pen.fillStyle = style.getPropertyValue("--soft");
  let before = -Infinity;
  for (const restart of course.restarts) {
    // Several in one pixel would only cost time.
    if (x(restart) - before < 1) continue;
    before = x(restart);
    strokeSegment(pen, before, top, before, bottom);
  }
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  let above = Infinity;
  for (const pairs of ticksUpTo(course.most, 3, isLogarithmic)) {
    strokeSegment(pen, left, y(pairs), right, y(pairs));
    if (above - y(pairs) < 12) continue;
    above = y(pairs);
    pen.fillText(number(pairs), left - 5, above);
  }
  pen.textBaseline = "bottom";
  pen.textAlign = "left";
  pen.fillText("attacking pairs", left, top - 5);
  pen.textAlign = "center";
  const steps = ticksUpTo(course.steps, Math.max(1, Math.floor((right - left) / 110)));
  for (const step of steps) pen.fillText(number(step), x(course.entryOf(step)), bottom + 15);
  pen.textAlign = "right";
  pen.fillText("step", right, top - 5);
}

/** Draw the curve with the minimum and maximum of each pixel, so that no peak is lost. */
function drawPairs(pen, { pairs, entries }, { x, y, left, right }) {
  pen.strokeStyle = DATA.chosen;
  pen.lineWidth = 2;
  pen.lineJoin = "round";
  pen.beginPath();
  const each = Math.max(1, Math.floor(entries / (2 * (right - left))));
  for (let at = 0; at < entries; at += each) {
    let [low, high] = [pairs[at], pairs[at]];
    for (let i = at + 1; i < Math.min(entries, at + each); i += 1) {
      low = Math.min(low, pairs[i]);
      high = Math.max(high, pairs[i]);
    }
    pen.lineTo(x(at), y(high));
    if (low !== high) pen.lineTo(x(at), y(low));
  }
  pen.lineTo(x(entries - 1), y(pairs[entries - 1]));
  pen.stroke();
}

function strokeSegment(pen, ...ends) {
  pen.beginPath();
  pen.moveTo(ends[0], ends[1]);
  pen.lineTo(ends[2], ends[3]);
  pen.stroke();
}
