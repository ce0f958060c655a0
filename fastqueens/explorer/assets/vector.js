// The board as shapes in SVG, whose unit is a square.
"use strict";

/** Of larger boards, programs take too long to draw the shapes: Chromium needs ten seconds at this n. */
const SHAPES_UP_TO = 5000;

/** Return the whole board in SVG, with threads, shared lines, queens and constraints. */
function svgOf({ board, instance, mostPairs, theme }) {
  // From 31 queens on, squares are too small to be seen, and threads are full, as on posters.
  const { n } = board, side = n <= PALE_UP_TO ? SHEET_ON_SCREEN : Math.min(SHEET_ON_SCREEN, CHECKERED[0][0] * n);
  const shapes = new Shapes(document.createElement("canvas"), board, instance);
  Object.assign(shapes, { mostPairs, theme, view: wholeBoard(n, side) });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${n} ${n}">`,
    `<title>${counted(n, "queen")}</title>`, `<clipPath id="board"><path d="${bandPath(0, 0, n, 0, n)}"/></clipPath>`,
    '<g clip-path="url(#board)">', ...shapes.elements, "</g>", "</svg>", "",
  ].join("\n");
}

class Shapes extends Painter {
  get elements() {
    const { board: { n }, look, view } = this, frame = [bandPath(0, 0, n, 0, n)], size = this.queenSize() / view.scale;
    const queens = this._queensIn(view), isRed = ([, , red]) => red, isOther = ([, , red]) => !red;
    const drawn = (squares, width) => squares.map(([column, row]) => this._queen(column + 0.5, row + 0.5, width));
    return [
      filled(frame, look.paper), filled(darkSquares(n <= PALE_UP_TO ? n : 0), look.square), ...this._threads,
      filled(this._hasRings ? drawn(queens, RING * size) : [], look.paper), this._sharedLines,
      stroked(frame, look.faint, 1 / view.scale), ...this._constraints,
      filled(drawn(queens.filter(isOther), size), this._queenColour),
      filled(drawn(queens.filter(isRed), size), look.attack),
    ];
  }

  _queen(x, y, size) {
    return this.view.scale < CROWNS_FROM ? discPath(x, y, size / 2) : queenPath(x - size / 2, y - size / 2, size);
  }

  /** Threads in two inks; their overlap is a layer of its own, because not every program blends colours. */
  get _threads() {
    const { board: { n }, look, _strength: strength, _cloth: { width } } = this, isPale = n <= PALE_UP_TO;
    const [up, down] = this.board.linesWith(1).slice(0, 2).map((lines, kind) => bands(lines, kind, n, width).join(""));
    const inked = (kind, ground) => colourOf(inkRamp(look, kind, ground)[Math.round(255 * strength)]);
    const [rising, falling] = isPale ? look.inks : [inked(0, look.paper), inked(1, look.paper)];
    return [
      `<defs><path id="rising" d="${up}"/><path id="falling" d="${down}"/></defs>`,
      '<clipPath id="up"><use href="#rising"/></clipPath>', `<g fill-opacity="${isPale ? strength : 1}">`,
      `<use href="#rising" fill="${rising}"/>`, `<use href="#falling" fill="${falling}"/>`,
      isPale ? "" : `<use href="#falling" fill="${inked(1, rising)}" clip-path="url(#up)"/>`, "</g>",
    ];
  }

  get _sharedLines() {
    const { board: { n }, _cloth: { width } } = this;
    const redBands = (lines, kind) => bands(lines, kind, n, redWidth(width, n, lines.total));
    return filled(this.board.linesWith(2).flatMap(redBands), this.look.attack);
  }

  get _constraints() {
    if (!this.instance || this.view.scale < SQUARES_FROM) return [];
    const { board: { n }, look, view: { scale } } = this, { blocked, fixed, sums, differences } = this.instance.lists;
    const { line, frame } = markWidths(scale), edge = frame / scale;
    // Excluded diagonals have a dash on each square, and begin with half a gap.
    const lines = [...sums.map((sum) => [sum + 1, -n]), ...differences.map((difference) => [-difference, n])];
    const dashes = places(...[0, 0.15, 0.7, 0.15].map((share) => share * Math.SQRT2));
    const paths = lines.map(([from, across]) => `M${places(from, 0)}l${places(across, n)}`);
    return [
      filled(blocked.map((square) => squarePath(...square)), look.blocked),
      stroked(paths, look.note, line / scale, dashes),
      stroked(fixed.map((square) => squarePath(...square, edge / 2)), look.note, edge),
    ];
  }
}

function filled(paths, colour) {
  return `<path d="${paths.join("")}" fill="${colour}"/>`;
}

function stroked(paths, colour, width, dashes = "none") {
  const line = `stroke="${colour}" stroke-width="${places(width)}" stroke-dasharray="${dashes}"`;
  return `<path d="${paths.join("")}" fill="none" ${line}/>`;
}

/** The dark squares of a board: the lower left one is dark. */
function darkSquares(n) {
  const squares = Array.from({ length: n * n }, (_, at) => [at % n, Math.floor(at / n)]);
  return squares.filter(([column, row]) => (column + row + n) % 2).map((square) => squarePath(...square));
}

function squarePath(column, row, edge = 0) {
  return bandPath(column + edge, row + edge, 1 - 2 * edge, 0, 1 - 2 * edge);
}

/** Bands along lines: sum diagonals, difference diagonals or rows, which are narrower by the root of 2. */
function bands(lines, kind, n, width) {
  const across = kind === 2 ? width / Math.SQRT2 : width;
  return lines.within(0, 2 * n).map((line) => {
    const from = [line + 1, n - line, line + 0.5][kind] - across / 2;
    return kind === 2 ? bandPath(0, from, n, 0, across) : bandPath(from, 0, across, kind ? n : -n, n);
  });
}

/** A parallelogram whose upper edge begins at (x, y), and whose lower edge is away by (dx, dy). */
function bandPath(x, y, width, dx, dy) {
  return `M${places(x, y)}h${places(width)}l${places(dx, dy)}h${places(-width)}z`;
}

/** The colour of a pixel in hexadecimal digits. */
function colourOf(pixel) {
  return `#${[pixel, pixel >> 8, pixel >> 16].map((part) => (part & 255).toString(16).padStart(2, "0")).join("")}`;
}
