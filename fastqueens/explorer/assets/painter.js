// Draws the visible part of a board: tiles of counts, single queens, the lines of the chosen queen.
//
// A view is {left, top, scale, width, height}: the board's coordinates at the window's corner, CSS pixels per square,
// and the size of the window in CSS pixels. Coordinates stay doubles until drawing: a billion columns are exact.
"use strict";

const MOST_TILES = 320;
/** Single queens are drawn if they are at least this many pixels apart, on average. */
const ROOM = 9;

/** Density alone is shown up to this many pixels a cell. */
const LARGEST_CELL = 64;

/** The pixels per square from which squares are drawn, and the screen pixels from which a queen has a shape. */
const SQUARES_FROM = 3;
const GLYPH_FROM = 11;

/** The pixels per square from which the cost of each move is written on the squares. */
const COSTS_FROM = 18;

/** Up to this many excluded diagonals in the window are drawn in full colour from far away. */
const CLEAR_LINES = 100;

class Painter {
  constructor(canvas, board) {
    Object.assign(this, { _canvas: canvas, _board: board });
    this._tiles = new Map();
    this.enlargement = 1;
    this._path = queenPath();
    this._sprites = new Map();
    this.theme = "light";
    this.isDensity = this.isLogarithmic = this.hasCosts = false;
    this.chosen = this.moving = this.costs = this.instance = null;
  }

  /** Pixels of the picture per CSS pixel. */
  get _ratio() {
    return this.enlargement * (window.devicePixelRatio || 1);
  }

  paint(view) {
    const ratio = this._ratio;
    const width = Math.round(view.width * ratio), height = Math.round(view.height * ratio);
    if (this._canvas.width !== width || this._canvas.height !== height) Object.assign(this._canvas, { width, height });
    const pen = this._canvas.getContext("2d", { alpha: false });
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.view = view;
    this.level = this.levelOf(view);
    this._dots = [];
    this._paintGround(pen, view);
    this._paintTiles(pen, view);
    this._paintEdge(pen);
    this._paintInstance(pen, view);
    this._paintLines(pen, view);
    this._paintQueens(pen, view);
    this._paintChosen(pen, view);
    this._paintMoving(pen, view);
    this._paintCosts(pen, view);
    paintRulers(pen, view, this._board.n, this._look);
  }

  /** The level whose cells are a pixel or slightly more, with 8 queens until single ones are drawn, 4 for a density. */
  levelOf(view) {
    const ratio = Math.min(2, this._ratio), { n } = this._board, finest = finestLevel(n);
    const level = Math.max(0, Math.ceil(-Math.log2(view.scale * ratio)));
    // From far away, cells hold 64 queens or more and are up to eight pixels wide: fewer queens show only noise.
    const calm = Math.max(Math.ceil(Math.log2(8 * n) / 2), Math.min(level, finest) + 2);
    const least = this.showsQueens ? 0 : this.showsDensity ? finest : calm;
    return Math.min(coarsestLevel(n), Math.max(least, level));
  }

  get showsQueens() {
    return !this.showsDensity && this._room >= ROOM;
  }

  /** Whether single queens are hidden: in a window with few cells, that would show nothing. */
  get showsDensity() {
    return this.isDensity && 2 ** finestLevel(this._board.n) * this.view.scale <= LARGEST_CELL;
  }

  /** The whole board in 256 x 256 cells or fewer, {picture, side}. */
  get overview() {
    const level = coarsestLevel(this._board.n);
    return { picture: this._picture(this._tile(level, 0, 0)), side: this._board.n / 2 ** level };
  }

  /** The column of the queen nearest to a point of the window, null if none is within reach. */
  queenAt(x, y, reach) {
    const limit = Math.max(reach, 0.5 * this.view.scale);
    let nearest = null, least = limit * limit;
    for (const [column, row] of this._dots) {
      const dx = this._x(column + 0.5) - x, dy = this._y(row + 0.5) - y;
      const distance = dx * dx + dy * dy;
      if (distance <= least) [nearest, least] = [column, distance];
    }
    return nearest;
  }

  /** Whether a queen is drawn in a part of the window. */
  hasQueenIn({ left, right, top, bottom }) {
    return this._dots.some(([column, row]) => {
      const x = this._x(column + 0.5), y = this._y(row + 0.5);
      return x >= left && x <= right && y >= top && y <= bottom;
    });
  }

  /** The queens in the cell at a square of the board: {count, width}, or null before the cell is drawn. */
  cellAt(column, row) {
    const size = 2 ** this.level;
    const x = Math.floor(column / size), y = Math.floor(row / size);
    const tile = this._tiles.get(key(this.level, Math.floor(x / TILE), Math.floor(y / TILE)));
    if (!tile) return null;
    return { count: this._countsOf(tile)[(y % TILE) * TILE + (x % TILE)], width: size };
  }

  _x(column) {
    return (column - this.view.left) * this.view.scale;
  }

  _y(row) {
    return (row - this.view.top) * this.view.scale;
  }

  get _look() {
    return LOOKS[this.theme];
  }

  // The ground: the surroundings, the board, its squares.

  _paintGround(pen, view) {
    const n = this._board.n;
    pen.fillStyle = this._look.around;
    pen.fillRect(0, 0, view.width, view.height);
    pen.fillStyle = this._look.board;
    this._fill(pen, 0, 0, n, n);
    if (!this.showsSquares) return;
    pen.save();
    pen.globalAlpha = Math.min(1, (view.scale - SQUARES_FROM) / SQUARES_FROM);
    pen.imageSmoothingEnabled = false;
    pen.fillStyle = this._squares(pen, view);
    this._fill(pen, 0, 0, n, n);
    pen.restore();
  }

  /** A repeated pattern of two by two squares; square (0, 0) is light. */
  _squares(pen, view) {
    const four = document.createElement("canvas"), ink = four.getContext("2d");
    four.width = four.height = 2;
    for (const [x, y] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
      ink.fillStyle = this._look.squares[(x + y) % 2];
      ink.fillRect(x, y, 1, 1);
    }
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

  _fill(pen, ...rectangle) {
    pen.fillRect(...this._visible(...rectangle));
  }

  _paintEdge(pen) {
    pen.strokeStyle = this._look.edge;
    pen.lineWidth = 1;
    pen.strokeRect(...this._visible(0, 0, this._board.n, this._board.n));
  }

  // Tiles

  _paintTiles(pen, view) {
    const size = TILE * 2 ** this.level, last = Math.floor((this._board.n - 1) / size);
    const span = (from, pixels) => [
      Math.max(0, Math.floor(from / size)), Math.min(last, Math.floor((from + pixels / view.scale) / size)),
    ];
    const [left, right] = span(view.left, view.width), [top, bottom] = span(view.top, view.height);
    pen.save();
    pen.imageSmoothingQuality = "high";
    // The last cells may extend beyond the board.
    pen.beginPath();
    pen.rect(...this._visible(0, 0, this._board.n, this._board.n));
    pen.clip();
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) this._paintTile(pen, column, row);
    }
    pen.restore();
    this._dropOld();
  }

  /** Draw a tile: its queens are drawn later, its counts now. */
  _paintTile(pen, column, row) {
    const tile = this._tile(this.level, column, row), { queens, conflicts } = tile.content;
    if (queens && this.showsQueens) {
      for (let i = 0; i < queens.length; i += 2) this._dots.push([queens[i], queens[i + 1], conflicts[i / 2]]);
      return;
    }
    const cell = 2 ** tile.level, size = TILE * cell, side = size * this.view.scale;
    // Large cells keep sharp edges; smaller ones are smoothed.
    pen.imageSmoothingEnabled = this.view.scale * cell < 12;
    pen.drawImage(this._picture(tile), this._x(column * size), this._y(row * size), side, side);
  }

  /** The counts of a tile as a picture in the current colours. */
  _picture(tile) {
    const colours = this.isLogarithmic ? "logarithmic" : "linear";
    if (tile.colours === colours) return tile.picture;
    const { n } = this._board;
    tile.picture = tile.picture || document.createElement("canvas");
    tile.picture.width = tile.picture.height = TILE;
    const pen = tile.picture.getContext("2d");
    const image = pen.createImageData(TILE, TILE), pixels = new Uint32Array(image.data.buffer);
    const counts = this._countsOf(tile), even = 4 ** tile.level / n, scale = scaleOf(even, this.isLogarithmic);
    // Counts are divided by the share of each cell that is on the board.
    const shares = [tile.column, tile.row].map((place) => Float64Array.from({ length: TILE }, (_, i) => (
      Math.max(0, Math.min(1, n / 2 ** tile.level - place * TILE - i))
    )));
    const { ramp } = this._look, known = new Uint32Array(4096);
    for (let i = 0; i < TILE; i += 1) {
      for (let j = 0; j < TILE; j += 1) {
        const at = i * TILE + j, count = counts[at], share = shares[0][j] * shares[1][i];
        if (share === 1 && count < known.length) pixels[at] = known[count] ||= ramp[placeOn(scale, count / even)];
        else if (share) pixels[at] = ramp[placeOn(scale, count / share / even)];
      }
    }
    pen.putImageData(image, 0, 0);
    tile.colours = colours;
    return tile.picture;
  }

  _countsOf(tile) {
    const { counts, queens } = tile.content;
    if (counts) return counts;
    tile.counted = tile.counted || countedQueens(queens, tile.level, tile.column, tile.row);
    return tile.counted;
  }

  _tile(level, column, row) {
    const name = key(level, column, row), tile = this._tiles.get(name) || { level, column, row };
    const { changes } = this._board;
    if (tile.changes !== changes) {
      Object.assign(tile, { changes, content: this._board.tile(level, column, row), counted: null, colours: null });
    }
    // Those used last come last.
    this._tiles.delete(name);
    this._tiles.set(name, tile);
    return tile;
  }

  _dropOld() {
    const coarsest = coarsestLevel(this._board.n);
    for (const [name, { level }] of this._tiles) {
      if (this._tiles.size > MOST_TILES && level !== coarsest) this._tiles.delete(name);
    }
  }

  // The instance

  /** Whether squares are large enough to be told apart. */
  get showsSquares() {
    return this.view.scale >= SQUARES_FROM && !this.showsDensity;
  }

  _paintInstance(pen, view) {
    if (!this.instance) return;
    const window = [view.left, view.top, view.left + view.width / view.scale, view.top + view.height / view.scale];
    const tiles = this.showsSquares ? this.instance.tilesIn(...window) : [];
    for (const tile of tiles) this._paintBlocked(pen, tile);
    const lines = this.showsSquares || this.instance.hasFewLines ? this.instance.linesIn(...window) : null;
    if (lines) this._paintExcluded(pen, view, lines);
    for (const tile of tiles) this._paintFixed(pen, tile);
  }

  _paintBlocked(pen, { column, row, blocked }) {
    pen.fillStyle = this._look.blocked;
    for (const at of blocked) {
      const left = column * TILE + Math.floor(at / TILE), top = row * TILE + (at % TILE);
      this._fill(pen, left, top, left + 1, top + 1);
    }
  }

  /** Draw excluded diagonals: with a dash on each square if squares are large, otherwise as thin lines. */
  _paintExcluded(pen, view, { sums, differences }) {
    const { n } = this._board, across = Math.SQRT2 * view.scale;
    const dash = view.scale >= 2 * SQUARES_FROM ? [0.7 * across, 0.3 * across] : [];
    pen.save();
    // From far away, many lines are pale: the density stays visible.
    const clear = CLEAR_LINES / (sums.length + differences.length);
    pen.globalAlpha = this.showsSquares ? 1 : Math.max(0.2, Math.min(1, clear));
    pen.strokeStyle = this._look.excluded;
    pen.lineWidth = Math.min(4, Math.max(1, 0.06 * view.scale));
    for (const d of sums) {
      const left = Math.max(0, d - n + 1), right = Math.min(n - 1, d) + 1;
      this._strokeLine(pen, view, left, d - left + 1, right, d - right + 1, dash);
    }
    for (const d of differences) {
      const left = Math.max(0, -d), right = Math.min(n, n - d);
      this._strokeLine(pen, view, left, left + d, right, right + d, dash);
    }
    pen.restore();
  }

  /** Frame the squares of fixed queens. */
  _paintFixed(pen, { column, row, fixed }) {
    const width = Math.max(1.5, 0.09 * this.view.scale), side = Math.max(width, this.view.scale - width);
    pen.strokeStyle = this._look.fixed;
    pen.lineWidth = width;
    for (const at of fixed) {
      const left = column * TILE + Math.floor(at / TILE), top = row * TILE + (at % TILE);
      pen.strokeRect(this._x(left) + width / 2, this._y(top) + width / 2, side, side);
    }
  }

  // Queens and lines

  _paintQueens(pen, view) {
    if (!this.showsQueens) return;
    const hidden = this.moving ? this.moving.column : -1;
    const size = this.queenSize(view);
    for (const isInConflict of [0, 1]) {
      const colour = isInConflict ? this._look.attack : this._look.queen;
      for (const [column, row, conflict] of this._dots) {
        if (conflict === isInConflict && column !== hidden) this._paintQueen(pen, column, row, size, colour);
      }
    }
  }

  /** Width of a queen in pixels: that of a large square, otherwise as the space between queens allows. */
  queenSize(view = this.view) {
    return Math.max(0.92 * view.scale, Math.min(18, Math.max(3, 0.2 * this._room)));
  }

  /** Pixels between two queens if all were spread evenly. */
  get _room() {
    return Math.sqrt(this._board.n) * this.view.scale;
  }

  _paintQueen(pen, column, row, size, colour) {
    const x = this._x(column + 0.5), y = this._y(row + 0.5);
    if (size * Math.min(2, this._ratio) < GLYPH_FROM) {
      // On whole pixels, because such small dots would otherwise look dim.
      pen.fillStyle = colour;
      pen.fillRect(Math.round(x - size / 2), Math.round(y - size / 2), Math.round(size), Math.round(size));
    } else if (size <= 64) {
      pen.drawImage(this._sprite(size, colour), x - size / 2, y - size / 2, size, size);
    } else {
      this._strokeQueen(pen, x - size / 2, y - size / 2, size, colour);
    }
  }

  _sprite(size, colour) {
    const pixels = Math.ceil(size * this._ratio), name = `${pixels} ${colour}`;
    let sprite = this._sprites.get(name);
    if (!sprite) {
      if (this._sprites.size > 200) this._sprites.clear();
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = pixels;
      this._strokeQueen(sprite.getContext("2d"), 0, 0, pixels, colour);
      this._sprites.set(name, sprite);
    }
    return sprite;
  }

  _strokeQueen(pen, x, y, size, colour) {
    pen.save();
    pen.translate(x, y);
    pen.scale(size, size);
    Object.assign(pen, { lineJoin: "round", lineWidth: 0.09, strokeStyle: this._look.halo });
    pen.stroke(this._path);
    pen.fillStyle = colour;
    pen.fill(this._path);
    pen.restore();
  }

  _paintLines(pen, view) {
    for (const queen of [this.chosen, this.moving]) if (queen) this._paintLinesOf(pen, view, queen.column, queen.row);
  }

  /** Draw the row and both diagonals of a square, from edge to edge of the board. */
  _paintLinesOf(pen, view, column, row) {
    const n = this._board.n, x = column + 0.5, y = row + 0.5;
    const up = Math.min(x, n - y), down = Math.min(n - x, y), left = Math.min(x, y), right = n - Math.max(x, y);
    const width = Math.min(6, Math.max(2, 0.06 * view.scale));
    const ends = {
      row: [0, y, n, y],
      sum: [x - up, y + up, x + down, y - down],
      difference: [x - left, y - left, x + right, y + right],
    };
    // On a pale band, to stand out from a density of any colour.
    for (const isBand of [true, false]) {
      pen.lineWidth = isBand ? width + 3 : width;
      pen.globalAlpha = isBand ? 0.7 : 1;
      for (const [kind, line] of Object.entries(ends)) {
        pen.strokeStyle = isBand ? this._look.halo : this._look.lines[kind];
        this._strokeLine(pen, view, ...line);
      }
    }
  }

  /** Draw a line of the board, clipped to the window before it becomes pixels (Liang and Barsky).

  Dashes, if there are any, keep their places on the board. */
  _strokeLine(pen, view, fromColumn, fromRow, toColumn, toRow, dash = []) {
    const x = this._x(fromColumn), y = this._y(fromRow), dx = this._x(toColumn) - x, dy = this._y(toRow) - y;
    const margin = 10;
    let begin = 0, end = 1;
    const sides = [
      [-dx, x + margin], [dx, view.width + margin - x], [-dy, y + margin], [dy, view.height + margin - y],
    ];
    for (const [step, room] of sides) {
      if (step === 0 && room < 0) return;
      if (step < 0) begin = Math.max(begin, room / step);
      if (step > 0) end = Math.min(end, room / step);
    }
    if (begin > end) return;
    pen.setLineDash(dash);
    if (dash.length) pen.lineDashOffset = (begin * Math.hypot(dx, dy) - dash[1] / 2) % (dash[0] + dash[1]);
    pen.beginPath();
    pen.moveTo(x + begin * dx, y + begin * dy);
    pen.lineTo(x + end * dx, y + end * dy);
    pen.stroke();
    pen.setLineDash([]);
  }

  _paintChosen(pen, view) {
    if (!this.chosen) return;
    const { column, row, attackers, isEmpty } = this.chosen, size = Math.max(12, this.queenSize(view));
    this._paintMarked(pen, attackers, size, this._look.attack);
    if (this.moving && this.moving.column === column) return;
    if (isEmpty) this._paintRing(pen, column, row, size, this._look.chosen);
    else this._paintMarked(pen, [[column, row]], size, this._look.chosen);
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
    pen.arc(this._x(column + 0.5), this._y(row + 0.5), 0.72 * size, 0, 2 * Math.PI);
    for (const [lineWidth, strokeStyle] of [[4, this._look.halo], [2, colour]]) {
      Object.assign(pen, { lineWidth, strokeStyle });
      pen.stroke();
    }
  }

  /** Draw the queen that the search lifts: {column, row, lift from 0 to 1, attackers}. */
  _paintMoving(pen, view) {
    if (!this.moving) return;
    const { column, row, lift, attackers } = this.moving, size = Math.max(14, this.queenSize(view));
    this._paintMarked(pen, attackers, size, this._look.attack);
    pen.save();
    Object.assign(pen, { shadowColor: "rgba(0, 0, 0, 0.5)", shadowBlur: 0.3 * size * lift, shadowOffsetY: 0.2 * size * lift });
    const rise = 0.12 * size * lift, larger = size * (1 + 0.25 * lift);
    const x = this._x(column + 0.5) - larger / 2, y = this._y(row + 0.5) - larger / 2 - rise;
    const colour = attackers.length ? this._look.attack : this._look.chosen;
    this._strokeQueen(pen, x, y, larger, colour);
    pen.restore();
    if (view.scale < GLYPH_FROM) this._paintRing(pen, column, row, larger, colour);
  }

  /** Whether squares are large enough for the costs of moves. */
  get showsCosts() {
    return this.view.scale >= COSTS_FROM && !this.showsDensity;
  }

  /** Write the cost of each move of some columns, {column, costs}, on their squares; the smallest costs are on blue. */
  _paintCosts(pen, view) {
    if (!this.costs || !this.showsCosts) return;
    const least = Math.min(...this.costs.flatMap(({ costs }) => costs)), height = Math.max(11, 0.3 * view.scale);
    Object.assign(pen, { font: `${0.8 * height}px ${FONTS}`, textAlign: "center", textBaseline: "middle" });
    for (const { column, costs } of this.costs) costs.forEach((cost, row) => {
      const width = Math.max(height, pen.measureText(cost).width + 4);
      const right = this._x(column + 1) - 1, bottom = this._y(row + 1) - 1;
      pen.fillStyle = cost === least ? this._look.chosen : this._look.halo;
      pen.fillRect(right - width, bottom - height, width, height);
      pen.fillStyle = cost === least ? this._look.halo : this._look.queen;
      pen.fillText(cost, right - width / 2, bottom - height / 2);
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

function paintDot(pen, x, y, radius, colour) {
  for (const [size, paint] of [[radius + 1, DATA.halo], [radius, colour]]) {
    pen.fillStyle = paint;
    pen.beginPath();
    pen.arc(x, y, size, 0, 2 * Math.PI);
    pen.fill();
  }
}

function key(level, column, row) {
  return `${level}/${column}/${row}`;
}
