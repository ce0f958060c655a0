// Draws the visible part of a board: its ground, cloth or density, instance, queens, and the chosen one with its lines.
//
// A view is {left, top, scale, width, height}: the board's coordinates at the window's corner, CSS pixels per square,
// and the size of the window in CSS pixels. Coordinates stay doubles until drawing: a billion columns are exact.
"use strict";

/** Single queens can be found on boards up to this n, and if they are at least this many pixels apart, on average. */
const FOUND_UP_TO = 20000;
const ROOM = 9;

/** The colour of every second square on large boards, from none to all of it, by the pixels per square. */
const CHECKERED = [[8, 0], [40, 1]];

/** Up to this n, threads are pale and lie over squares. On larger boards, they fade as squares grow, not to hide them.

The strength by the pixels per square, and what remains of it from near by n. */
const PALE_UP_TO = 30;
const FADING = [[8, 1], [20, 0]];
const REMAINING = [[30, 0.5], [300, 0]];

/** The strength of threads while all queens attack each other, so that red stands out, and its growth with the share of
resolved pairs. */
const FAINTEST = 0.15;
const GROWTH = 1.6;

/** Queens are crowns from this many pixels per square on. Smaller ones are dots. */
const CROWNS_FROM = 16;

/** The width of a dot as a share of its square and of the mean distance between queens; the largest one, in CSS pixels,
that is wider than its square; and the least one that is drawn, in pixels of the picture. */
const DOT_IN_SQUARE = 0.72;
const DOT_IN_DISTANCE = 0.15;
const LARGEST_DOT = 8;
const LEAST_DOT = 3;

/** Threads of at least this width and strength leave so little paper that dots are lighter than they are. */
const DENSE = { width: 0.8, strength: 0.6 };

/** The pixels per square from which queens can be moved, and the cost of each move is written on the squares. */
const COSTS_FROM = 18;

class Painter {
  constructor(canvas, board, instance) {
    Object.assign(this, { _canvas: canvas, board, instance, dots: [], theme: "light", hasRulers: true });
    this.cover = { right: 0, bottom: 0 };
    this.density = new Density(board);
    this._cloth = new Cloth(board);
    this._queens = new QueenPen();
    this.hasCosts = this.hasDensity = false;
    this.mostPairs = board.n / 2;
    this.view = { left: 0, top: 0, scale: 0, width: 0, height: 0 };
    this.chosen = this.moving = this.costs = this.ratio = null;
  }

  /** Pixels of the picture per CSS pixel. */
  get _ratio() {
    return this.ratio || window.devicePixelRatio || 1;
  }

  paint(view) {
    const ratio = this._ratio;
    const width = Math.round(view.width * ratio), height = Math.round(view.height * ratio);
    if (this._canvas.width !== width || this._canvas.height !== height) Object.assign(this._canvas, { width, height });
    const pen = this._canvas.getContext("2d", { alpha: false });
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.view = view;
    this._paintGround(pen, view);
    this._paintQueensFromAfar(pen, view);
    this._paintEdge(pen);
    if (this.instance) paintInstance(pen, view, this.instance, this.look);
    this._paintLines(pen, view);
    this._paintQueens(pen);
    this._paintChosen(pen);
    this._paintCosts(pen, view);
    if (this.hasRulers) paintRulers(pen, view, this.board.n, this.look, this.cover);
    this._paintMoving(pen);
  }

  get look() {
    return lookOf(this.theme);
  }

  /** Whether single queens can be found, even if they are too small to be drawn. */
  get showsQueens() {
    return (this.board.n <= FOUND_UP_TO && !this.hasDensity) || this._room >= ROOM;
  }

  /** Whether the density is drawn, which hides single queens. */
  get showsDensity() {
    return this.hasDensity && !this.showsQueens;
  }

  /** Whether squares are large enough to be told apart. */
  get showsSquares() {
    return this.view.scale >= SQUARES_FROM;
  }

  /** Whether squares are large enough for hands and for the costs of moves. */
  get showsCosts() {
    return this.view.scale >= COSTS_FROM;
  }

  /** The whole board on a small canvas with sides of some CSS pixels. */
  paintOverview(pen, side) {
    const { n } = this.board;
    if (this.hasDensity) {
      this.density.paint(pen, this.look.ramp, 0, 0, side / n);
      return;
    }
    const view = { left: 0, top: 0, scale: side / n, width: side, height: side };
    this._cloth.paintThreads(pen, view, this.look, { strength: this._solved, ground: this.look.paper });
    this._cloth.paintRed(pen, view, this.look);
  }

  /** The column of the queen nearest to a point of the window, null if none is within reach. */
  queenAt(x, y, reach) {
    const limit = Math.max(reach, 0.5 * this.view.scale);
    let nearest = null, least = limit * limit;
    for (const [column, row] of this.dots) {
      const dx = this._x(column + 0.5) - x, dy = this._y(row + 0.5) - y;
      const distance = dx * dx + dy * dy;
      if (distance <= least) [nearest, least] = [column, distance];
    }
    return nearest;
  }

  /** The pixels from a queen within which a click is meant for it: more if queens are far apart. */
  reachOf(isTouch) {
    const near = isTouch ? 24 : 12;
    return this.showsSquares ? near : Math.min(near, Math.max(0.75 * this.queenSize(), 0.3 * this._room));
  }

  _x(column) {
    return (column - this.view.left) * this.view.scale;
  }

  _y(row) {
    return (row - this.view.top) * this.view.scale;
  }

  // The ground, and what is seen from far away

  _paintGround(pen, view) {
    const { n } = this.board, contrast = this._contrast;
    pen.fillStyle = this.look.paper;
    pen.fillRect(0, 0, view.width, view.height);
    if (!contrast) return;
    pen.save();
    pen.globalAlpha = contrast;
    pen.imageSmoothingEnabled = false;
    pen.fillStyle = this._squares(pen, view);
    pen.fillRect(...this._visible(0, 0, n, n));
    pen.restore();
  }

  /** The strength of the squares, from 0 to 1. */
  get _contrast() {
    return this.board.n <= PALE_UP_TO ? 1 : between(CHECKERED, this.view.scale);
  }

  /** A repeated pattern of two by two squares, so that the lower left corner of the board is dark. */
  _squares(pen, view) {
    const four = document.createElement("canvas"), ink = four.getContext("2d");
    four.width = four.height = 2;
    ink.fillStyle = this.look.square;
    for (const x of [0, 1]) ink.fillRect(x, (this.board.n + 1 + x) % 2, 1, 1);
    const pattern = pen.createPattern(four, "repeat"), even = (place) => 2 * Math.floor(place / 2);
    const corner = [this._x(even(view.left)), this._y(even(view.top))];
    pattern.setTransform(new DOMMatrix([view.scale, 0, 0, view.scale, ...corner]));
    return pattern;
  }

  /** The pixels of the visible part of a rectangle of squares: x, y, width and height. */
  _visible(left, top, right, bottom) {
    const x = Math.max(-1, this._x(left)), y = Math.max(-1, this._y(top));
    const ends = [Math.min(this.view.width + 1, this._x(right)), Math.min(this.view.height + 1, this._y(bottom))];
    return [x, y, Math.max(0, ends[0] - x), Math.max(0, ends[1] - y)];
  }

  _paintEdge(pen) {
    pen.strokeStyle = this.look.faint;
    pen.lineWidth = 1;
    pen.strokeRect(...this._visible(0, 0, this.board.n, this.board.n));
  }

  /** Draw threads or the density, find the queens of the window, and draw their rings and the lines that they share. */
  _paintQueensFromAfar(pen, view) {
    const { n } = this.board, { look } = this;
    this.dots = this.showsQueens ? this._queensIn(view) : [];
    pen.save();
    pen.beginPath();
    pen.rect(...this._visible(0, 0, n, n));
    pen.clip();
    if (this.showsDensity) this.density.paint(pen, look.ramp, this._x(0), this._y(0), view.scale);
    else if (!this.hasDensity) {
      const ground = this._contrast ? null : look.paper, isPale = n <= PALE_UP_TO;
      const threads = { strength: this._strength, chosen: this._lifted, ground, isPale };
      if (threads.strength || threads.chosen) this._cloth.paintThreads(pen, view, look, threads);
    }
    this._paintRings(pen);
    if (!this.showsDensity && this.board.pairs) this._cloth.paintRed(pen, view, look);
    pen.restore();
  }

  /** The strength of threads, from 0 to 1. */
  get _strength() {
    const { n } = this.board;
    if (n <= PALE_UP_TO) return PALE[this.theme];
    const fading = between(FADING, this.view.scale);
    return this._solved * (fading + (1 - fading) * between(REMAINING, n));
  }

  /** The strength that the share of resolved pairs leaves; `mostPairs` count as none resolved. */
  get _solved() {
    const { pairs } = this.board;
    return pairs ? FAINTEST + (1 - FAINTEST) * Math.max(0, 1 - pairs / this.mostPairs) ** GROWTH : 1;
  }

  /** The square whose threads are lifted from the cloth: of a queen in the air, or the chosen one. */
  get _lifted() {
    return this.moving && this.moving.lift > 0 ? this.moving : this.chosen;
  }

  /** The queens near the window: [column, row, is red]. Those that attack others are on red lines instead. */
  _queensIn(view) {
    const { n, rows } = this.board, margin = 20 / view.scale, found = [];
    const top = view.top - margin, bottom = view.top + view.height / view.scale + margin;
    const first = Math.max(0, Math.floor(view.left - margin));
    const last = Math.min(n - 1, Math.ceil(view.left + view.width / view.scale + margin));
    for (let column = first; column <= last; column += 1) {
      const row = rows[column];
      if (row < top || row > bottom || row === n) continue;
      found.push([column, row, Number(this.board.isForbidden(column))]);
    }
    return found;
  }

  // Queens and lines

  _paintQueens(pen) {
    if (this._hasSpecks) return;
    const size = this.queenSize(), hidden = this.moving ? this.moving.column : -1;
    const colours = [this._queenColour, this.look.attack];
    for (const red of [0, 1]) {
      for (const [column, row, isRed] of this.dots) {
        if (isRed === red && column !== hidden) this._paintQueen(pen, column, row, size, colours[red]);
      }
    }
  }

  /** Draw rings of paper around dots, where threads would hide them. */
  _paintRings(pen) {
    if (this._hasSpecks || !this._hasRings) return;
    const size = RING * this.queenSize();
    for (const [column, row] of this.dots) {
      this._queens.drawDisc(pen, this._x(column + 0.5), this._y(row + 0.5), size, this.look.paper, this._ratio);
    }
  }

  get _hasRings() {
    return this.view.scale < CROWNS_FROM && (this.look.shines || !this._isDense);
  }

  /** Whether dots would be too small to be round. */
  get _hasSpecks() {
    return this.queenSize() * this._ratio < LEAST_DOT;
  }

  get _queenColour() {
    const { look } = this, isDot = this.view.scale < CROWNS_FROM;
    return isDot && (this._isDense || look.shines) ? look.dot : look.ink;
  }

  /** Whether threads are so dense that dots are lighter than they are. */
  get _isDense() {
    const isFull = this._strength > DENSE.strength && !this.board.pairs;
    return isFull && this._cloth.width >= DENSE.width && !this._lifted && !this.hasDensity;
  }

  /** The width of queens in CSS pixels. */
  queenSize() {
    const { scale } = this.view;
    if (scale >= CROWNS_FROM) return 0.92 * scale;
    return Math.max(DOT_IN_SQUARE * scale, Math.min(LARGEST_DOT, DOT_IN_DISTANCE * this._room));
  }

  /** Pixels between two queens if all were spread evenly. */
  get _room() {
    return Math.sqrt(this.board.n) * this.view.scale;
  }

  _paintQueen(pen, column, row, size, colour) {
    const x = this._x(column + 0.5), y = this._y(row + 0.5);
    if (this.view.scale >= CROWNS_FROM) this._queens.drawCrown(pen, x, y, size, colour);
    else this._queens.drawDisc(pen, x, y, size, colour, this._ratio);
  }

  /** Draw the row of the lifted square, and its diagonals if no threads show them. */
  _paintLines(pen, view) {
    if (!this._lifted) return;
    const { column, row } = this._lifted, { board: { n }, look: { inks, ink } } = this;
    const lines = this.hasDensity ? [[inks[0], column + row + 1, -1], [inks[1], row - column, 1]] : [];
    pen.lineWidth = LEAST_THREAD;
    for (const [colour, base, slope] of [...lines, [ink, row + 0.5, 0]]) {
      Object.assign(pen, { strokeStyle: colour, globalAlpha: slope ? 1 : 0.5 });
      strokeLine(pen, view, n, base, slope);
    }
    pen.globalAlpha = 1;
  }

  _paintChosen(pen) {
    if (!this.chosen) return;
    const { column, row, attackers, isEmpty } = this.chosen, size = Math.max(8, this.queenSize());
    this._paintMarked(pen, attackers, size, this.look.attack);
    if (this.moving && this.moving.column === column) return;
    if (isEmpty) this._paintRing(pen, column, row, size, this.look.ink);
    else this._paintMarked(pen, [[column, row]], size, attackers.length ? this.look.attack : this.look.ink);
  }

  /** Draw queens in rings. */
  _paintMarked(pen, squares, size, colour) {
    for (const [column, row] of squares) {
      this._paintQueen(pen, column, row, size, colour);
      this._paintRing(pen, column, row, size, colour);
    }
  }

  _paintRing(pen, column, row, size, colour) {
    pen.beginPath();
    pen.arc(this._x(column + 0.5), this._y(row + 0.5), this.view.scale >= CROWNS_FROM ? 0.53 * size : size, 0, 2 * Math.PI);
    for (const [lineWidth, strokeStyle] of [[4, this.look.paper], [2, colour]]) {
      Object.assign(pen, { lineWidth, strokeStyle });
      pen.stroke();
    }
  }

  /** Draw the queen that hands or the search lift: {column, row, lift from 0 to 1, attackers}. */
  _paintMoving(pen) {
    if (!this.moving) return;
    const { column, row, lift, attackers } = this.moving, size = Math.max(8, this.queenSize());
    this._paintMarked(pen, attackers, size, this.look.attack);
    pen.save();
    Object.assign(pen, { shadowColor: this.look.faint, shadowBlur: 0.3 * size * lift, shadowOffsetY: 0.2 * size * lift });
    const rise = (0.12 * size * lift) / this.view.scale, colour = attackers.length ? this.look.attack : this.look.ink;
    this._paintQueen(pen, column, row - rise, size * (1 + 0.25 * lift), colour);
    pen.restore();
    if (this.view.scale < CROWNS_FROM) this._paintRing(pen, column, row, size, colour);
  }

  /** Write the cost of each move of some columns, {column, costs}, on their empty squares; rings mark the smallest. */
  _paintCosts(pen, view) {
    if (!this.costs || !this.showsCosts) return;
    const isMove = (column, row) => this.board.rows[column] !== row, height = Math.max(11, 0.3 * view.scale);
    const least = Math.min(...this.costs.flatMap(({ column, costs }) => costs.filter((_, row) => isMove(column, row))));
    Object.assign(pen, { font: `${height}px ${FONTS}`, textAlign: "center", textBaseline: "middle", fillStyle: this.look.ink });
    for (const { column, costs } of this.costs) costs.forEach((cost, row) => {
      if (!isMove(column, row)) return;
      const place = [cost, this._x(column + 0.5), this._y(row + 0.5) + 0.08 * height];
      Object.assign(pen, { lineWidth: 0.3 * height, lineJoin: "round", strokeStyle: this.look.paper });
      pen.strokeText(...place);
      pen.fillText(...place);
      if (cost !== least) return;
      pen.beginPath();
      pen.arc(this._x(column + 0.5), this._y(row + 0.5), 0.42 * view.scale, 0, 2 * Math.PI);
      Object.assign(pen, { lineWidth: Math.max(1.5, 0.05 * view.scale), strokeStyle: this.look.note });
      pen.stroke();
    });
  }
}

/** Clear a canvas and fit it to its place in the page; return its pen, which counts in CSS pixels. */
function clearedPen(canvas) {
  const ratio = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
  [canvas.width, canvas.height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * ratio));
  pen.scale(ratio, ratio);
  return pen;
}
