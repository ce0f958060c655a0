// The board as shapes in SVG: a painter draws with a pen that writes elements, and with bands for threads.
"use strict";

/** Up to this n, threads are at least 0.3 mm wide on A0. Programs draw finer shapes too dark, or too slowly. */
const SHAPES_UP_TO = 2000;

/** Return the whole board in SVG, with threads, shared lines, queens and constraints. */
function svgOf({ board, instance, mostPairs, theme }) {
  // From 31 queens on, squares are too small to be seen, and threads are full, as on posters.
  const { n } = board, side = n <= PALE_UP_TO ? SHEET_ON_SCREEN : Math.min(SHEET_ON_SCREEN, CHECKERED[0][0] * n);
  const pen = new ShapePen(), painter = new ShapePainter({ getContext: () => pen }, board, instance);
  Object.assign(painter, { theme, mostPairs }).paint(wholeBoard(n, side));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">`,
    `<title>${counted(n, "queen")}</title>`, `<clipPath id="board"><path d="${boxPath(0, 0, side, side)}"/></clipPath>`,
    '<g clip-path="url(#board)">', ...pen.elements, "</g>", "</svg>", "",
  ].join("\n");
}

/** Writes what a painter draws on a canvas, as far as it needs it for a whole board. */
class ShapePen {
  constructor() {
    Object.assign(this, { elements: [], globalAlpha: 1, lineDashOffset: 0, _dash: "", _saved: [] });
    for (const unused of ["setTransform", "rect", "clip"]) this[unused] = () => {};
  }

  write(element) {
    this.elements.push(element);
  }

  save() {
    this._saved.push(this.globalAlpha);
  }

  restore() {
    this.globalAlpha = this._saved.pop();
  }

  beginPath() {
    this._path = "";
  }

  moveTo(x, y) {
    this._path += `M${places(x, y)}`;
  }

  lineTo(x, y) {
    this._path += `L${places(x, y)}`;
  }

  setLineDash(dash) {
    this._dash = dash.length ? ` stroke-dasharray="${places(...dash)}"` : "";
  }

  stroke() {
    const dash = this._dash && `${this._dash} stroke-dashoffset="${places(this.lineDashOffset)}"`;
    this.write(`<path d="${this._path}"${dash}${this._line}/>`);
  }

  strokeRect(...box) {
    this.write(`<path d="${boxPath(...box)}"${this._line}/>`);
  }

  fillRect(...box) {
    this.write(`<path d="${boxPath(...box)}" fill="${this.fillStyle}"${this._opacity}/>`);
  }

  get _opacity() {
    return this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : "";
  }

  get _line() {
    return ` fill="none" stroke="${this.strokeStyle}" stroke-width="${places(this.lineWidth)}"${this._opacity}`;
  }
}

class ShapePainter extends Painter {
  constructor(...parts) {
    super(...parts);
    Object.assign(this, { hasRulers: false, ratio: SHEET / SHEET_ON_SCREEN });
    Object.assign(this, { _cloth: new ShapeCloth(this.board), _queens: new ShapeQueens() });
  }

  _squares(pen, { scale }) {
    const dark = (this.board.n + 1) % 2, path = boxPath(0, dark, 1, 1) + boxPath(1, 1 - dark, 1, 1);
    const size = `width="2" height="2" patternUnits="userSpaceOnUse" patternTransform="scale(${scale})"`;
    pen.write(`<pattern id="squares" ${size}><path d="${path}" fill="${this.look.square}"/></pattern>`);
    return "url(#squares)";
  }
}

class ShapeQueens {
  drawCrown(pen, x, y, size, colour) {
    const outlines = [QUEEN.crown, QUEEN.base].map((outline) => outline.map(([right, up]) => places(right, 1 - up)));
    const balls = QUEEN.balls.map(([right, up]) => discPath(right, 1 - up, QUEEN.ball));
    const path = [...outlines.map((corners) => `M${corners.join("L")}z`), ...balls].join("");
    const place = `translate(${places(x - size / 2, y - size / 2)}) scale(${places(size)})`;
    pen.write(`<path d="${path}" fill="${colour}" transform="${place}"/>`);
  }

  /** Discs of a colour that follow each other are one shape. */
  drawDisc(pen, x, y, size, colour) {
    const { elements } = pen, asText = function asText() { return `<path d="${this.path}" fill="${colour}"/>`; };
    if (elements[elements.length - 1].colour !== colour) pen.write({ colour, path: "", toString: asText });
    elements[elements.length - 1].path += discPath(x, y, size / 2);
  }
}

class ShapeCloth extends Cloth {
  /** Threads in two inks; their overlap is a layer of its own, because not every program blends colours. */
  paintThreads(pen, { scale }, look, { strength, isPale }) {
    this._count();
    const inked = (kind, ground) => colourOf(inkRamp(look, kind, ground)[Math.round(255 * strength)]);
    const [rising, falling] = isPale ? look.inks : [0, 1].map((kind) => inked(kind, look.paper));
    const [up, down] = this._threads.map((lines, kind) => bandPath(lines, kind, this._board.n, this.width));
    pen.write(`<defs><path id="rising" d="${up}"/><path id="falling" d="${down}"/>`);
    pen.write('<clipPath id="up"><use href="#rising"/></clipPath></defs>');
    pen.write(`<g transform="scale(${scale})"${isPale ? ` fill-opacity="${strength}"` : ""}>`);
    pen.write(`<use href="#rising" fill="${rising}"/><use href="#falling" fill="${falling}"/>`);
    if (!isPale) pen.write(`<use href="#falling" fill="${inked(1, rising)}" clip-path="url(#up)"/>`);
    pen.write("</g>");
  }

  paintRed(pen, { scale }, look) {
    this._count();
    const { n } = this._board, paths = this._crowded.map((lines, kind) => {
      const width = lines && redWidth(this.width, n, lines.total);
      return lines ? bandPath(lines, kind, n, kind === 2 ? width / Math.SQRT2 : width) : "";
    });
    pen.write(`<path d="${paths.join("")}" fill="${look.attack}" transform="scale(${scale})"/>`);
  }
}

/** The path of bands along lines: sum diagonals, difference diagonals or rows. Bands without a gap are one. */
function bandPath(lines, kind, n, width) {
  const bands = [], middleOf = (line) => [line + 1, n - line, line + 0.5][kind];
  for (const middle of lines.within(0, 2 * n).map(middleOf).sort((one, other) => one - other)) {
    const last = bands[bands.length - 1], [from, to] = [middle - width / 2, middle + width / 2];
    if (last && from <= last[1] + 1e-9) last[1] = to;
    else bands.push([from, to]);
  }
  const across = [-n, n][kind];
  return bands.map(([from, to]) => (kind === 2 ? boxPath(0, from, n, to - from)
    : `M${places(from, 0)}H${places(to)}l${places(across, n)}H${places(from + across)}z`)).join("");
}

function boxPath(x, y, width, height) {
  return `M${places(x, y)}h${places(width)}v${places(height)}h${places(-width)}z`;
}

function discPath(x, y, radius) {
  const arc = (dx) => `a${places(radius, radius)} 0 1 0 ${places(dx, 0)}`;
  return `M${places(x - radius, y)}${arc(2 * radius)}${arc(-2 * radius)}z`;
}

/** Numbers in a path, to a thousandth. */
function places(...values) {
  return values.map((value) => Number(value.toFixed(3))).join(" ");
}

/** The colour of a pixel in hexadecimal digits. */
function colourOf(pixel) {
  return `#${[pixel, pixel >> 8, pixel >> 16].map((part) => (part & 255).toString(16).padStart(2, "0")).join("")}`;
}
