// The place of the window on the board: column and row numbers along the edges, and a small map.
"use strict";

/** Pixels across a ruler, and between two of its numbers. */
const RULER = 20;
const NUMBER_GAP = 10;

/** Up to this n, the whole board has rulers; larger ones only from near. */
const RULERS_UP_TO = 30;

/** Up to this n, row numbers are short enough to stand upright. */
const UPRIGHT_UP_TO = 100;

/** Boards above this n have a small map. */
const SMALL_MAP_ABOVE = 1000;

const HEADINGS = '"Fraunces", "DejaVu Serif", Georgia, serif';
const FONTS = '"Jost", "DejaVu Sans", system-ui, sans-serif';

/** The smallest side of the window on the small map, in pixels. */
const LEAST_FRAME = 5;

/** Draw column numbers along the top and row numbers along the left: next to the board, or at the edge of the window if
the corner of the board is outside, or under the panel, which reaches to `cover`. */
function paintRulers(pen, view, n, look, cover) {
  if (n > RULERS_UP_TO && isWhole(view, n)) return;
  pen.save();
  Object.assign(pen, { font: `12px ${FONTS}`, textAlign: "center", textBaseline: "middle" });
  let top = Math.max(0, -view.top * view.scale - RULER), left = Math.max(0, -view.left * view.scale - RULER);
  if (left < cover.right && top < cover.bottom) left = top = 0;
  const right = Math.min(view.width, (n - view.left) * view.scale), bottom = Math.min(view.height, (n - view.top) * view.scale);
  pen.fillStyle = look.paper;
  pen.fillRect(left, top, right - left, RULER);
  pen.fillRect(left, top + RULER, RULER, bottom - top - RULER);
  pen.fillStyle = look.soft;
  for (const [text, at] of ticksOf(pen, view.left, view.width, view.scale, n)) {
    if (at > left + RULER / 2) pen.fillText(text, at, top + RULER / 2);
  }
  for (const [text, at] of ticksOf(pen, view.top, view.height, view.scale, n)) {
    if (at < top + RULER) continue;
    pen.save();
    pen.translate(left + RULER / 2, at);
    if (n > UPRIGHT_UP_TO) pen.rotate(-Math.PI / 2);
    pen.fillText(text, 0, 0);
    pen.restore();
  }
  pen.restore();
}

function isWhole({ left, top, scale, width, height }, n) {
  return left <= 0 && top <= 0 && left + width / scale >= n && top + height / scale >= n;
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

/** The whole board as a small square, with the window on it. */
class SmallMap {
  /** `visit` is called with the column and the row of a click. */
  constructor(canvas, n, visit) {
    Object.assign(this, { _canvas: canvas, _n: n });
    canvas.onclick = (event) => {
      const share = (pixels, length) => Math.max(0, Math.min(1, pixels / length));
      const { offsetX, offsetY } = event;
      visit(n * share(offsetX, canvas.clientWidth), n * share(offsetY, canvas.clientHeight));
    };
  }

  /** Draw the window of a view over the whole board, which `paint` draws, and the chosen queen or null. */
  draw(view, chosen, look, paint) {
    const canvas = this._canvas, side = canvas.clientWidth, pen = clearedPen(canvas), scale = side / this._n;
    paint(pen, side);
    if (chosen) {
      const at = [(chosen.column + 0.5) * scale, (chosen.row + 0.5) * scale];
      paintDisc(pen, ...at, 4, look.paper);
      paintDisc(pen, ...at, 3, look.ink);
    }
    const [left, width] = this._frame(view.left, view.width / view.scale, side);
    const [top, height] = this._frame(view.top, view.height / view.scale, side);
    for (const [lineWidth, strokeStyle] of [[4, look.paper], [2, look.ink]]) {
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
