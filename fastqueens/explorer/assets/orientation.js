// Tells where the window is on the board: column and row numbers along the edges, the scale, and a small map.
"use strict";

/** Pixels between an edge and the text next to it, and at least between two numbers on an edge. */
const RULER = 20;
const NUMBER_GAP = 10;

const FONTS = '"Jost", "DejaVu Sans", system-ui, sans-serif';

/** The smallest side of the window on the small map, in pixels. */
const LEAST_FRAME = 5;

/** Draw column numbers along the top and row numbers along the left, next to the board or at the edge of the window. */
function paintRulers(pen, view, n, look) {
  pen.save();
  Object.assign(pen, { font: `12px ${FONTS}`, textAlign: "center", textBaseline: "middle" });
  const top = Math.max(0, -view.top * view.scale - RULER), left = Math.max(0, -view.left * view.scale - RULER);
  paintBands(pen, view, n, look, top, left);
  const columns = ticksOf(pen, view.left, view.width, view.scale, n);
  const rows = ticksOf(pen, view.top, view.height, view.scale, n);
  paintRuler(pen, columns, look, (at) => [at, top + RULER / 2], 0);
  paintRuler(pen, rows, look, (at) => [left + RULER / 2, at], -Math.PI / 2);
  pen.restore();
}

/** Bands below the numbers, which may stand on the board. */
function paintBands(pen, view, n, look, top, left) {
  const right = Math.min(view.width, (n - view.left) * view.scale);
  const bottom = Math.min(view.height, (n - view.top) * view.scale);
  pen.globalAlpha = 0.8;
  pen.fillStyle = look.ruler;
  pen.fillRect(left, top, right - left, RULER);
  pen.fillRect(left, top + RULER, RULER, bottom - top - RULER);
  pen.globalAlpha = 1;
}

/** The numbers on an edge and their pixels: [text, at]. Each stands at the middle of its column or row. */
function ticksOf(pen, from, pixels, scale, n) {
  const first = Math.max(0, Math.floor(from)), last = Math.min(n - 1, Math.floor(from + pixels / scale));
  const step = stepOf((pen.measureText(number(Math.max(first, last))).width + NUMBER_GAP) / scale);
  const ticks = [];
  for (let value = Math.ceil(first / step) * step; value <= last; value += step) {
    ticks.push([number(value), (value + 0.5 - from) * scale]);
  }
  return ticks;
}

/** The least of 1, 2, 5, 10, 20, 50, ... that is not less than a number. */
function stepOf(least) {
  for (let power = 1; ; power *= 10) {
    const factor = [1, 2, 5].find((one) => one * power >= least);
    if (factor) return factor * power;
  }
}

function paintRuler(pen, ticks, look, placeOf, angle) {
  for (const [text, at] of ticks) {
    pen.save();
    pen.translate(...placeOf(at));
    pen.rotate(angle);
    Object.assign(pen, { lineWidth: 4, lineJoin: "round", strokeStyle: look.ruler });
    pen.strokeText(text, 0, 0);
    pen.fillStyle = look.number;
    pen.fillText(text, 0, 0);
    pen.restore();
  }
}

/** How large squares are, in words. */
function scaleText(scale) {
  const figure = (value) => (value < 10 ? Number(value.toPrecision(2)) : Math.round(value));
  return scale < 1 ? `1 px = ${counted(figure(1 / scale), "column")}` : `1 column = ${number(figure(scale))} px`;
}

/** The whole board as a small square, with the window on it. */
class SmallMap {
  /** `visit` is called with the column and the row of a click. */
  constructor(canvas, n, visit) {
    Object.assign(this, { _canvas: canvas, _n: n });
    canvas.addEventListener("click", (event) => {
      const share = (pixels, length) => Math.max(0, Math.min(1, pixels / length));
      const { offsetX, offsetY } = event;
      visit(n * share(offsetX, canvas.clientWidth), n * share(offsetY, canvas.clientHeight));
    });
  }

  /** Draw the window of a view over the whole board, and the chosen queen or null. */
  draw(view, chosen, whole) {
    const canvas = this._canvas, side = canvas.clientWidth, pen = clearedPen(canvas), scale = side / this._n;
    if (whole) pen.drawImage(whole.picture, 0, 0, whole.side, whole.side, 0, 0, side, side);
    if (chosen) paintDot(pen, (chosen.column + 0.5) * scale, (chosen.row + 0.5) * scale, 3, DATA.chosen);
    const [left, width] = this._frame(view.left, view.width / view.scale, side);
    const [top, height] = this._frame(view.top, view.height / view.scale, side);
    for (const [lineWidth, strokeStyle] of [[4, DATA.halo], [2, DATA.queen]]) {
      Object.assign(pen, { lineWidth, strokeStyle });
      pen.strokeRect(left, top, width, height);
    }
  }

  /** Begin and length of the window on the map, at least large enough to be seen and within the map. */
  _frame(from, squares, side) {
    const scale = side / this._n, edge = 1;
    const begin = Math.max(edge, from * scale), end = Math.min(side - edge, (from + squares) * scale);
    if (end - begin >= LEAST_FRAME) return [begin, end - begin];
    const middle = (begin + end) / 2;
    return [Math.max(edge, Math.min(side - edge - LEAST_FRAME, middle - LEAST_FRAME / 2)), LEAST_FRAME];
  }
}
