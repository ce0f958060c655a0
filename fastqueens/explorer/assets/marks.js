// Draws what an instance asks for: blocked squares, excluded diagonals, and frames of fixed queens.
"use strict";

/** The pixels per square from which squares of instances are drawn, and a click is meant for a square. */
const SQUARES_FROM = 3;

/** Up to this many excluded diagonals in the window are drawn in full colour from far away. */
const CLEAR_LINES = 100;

function paintInstance(pen, view, instance, look) {
  const window = [view.left, view.top, view.left + view.width / view.scale, view.top + view.height / view.scale];
  const hasSquares = view.scale >= SQUARES_FROM, [blocked, fixed] = hasSquares ? instance.squaresIn(...window) : [[], []];
  const x = (column) => (column - view.left) * view.scale, y = (row) => (row - view.top) * view.scale;
  pen.fillStyle = look.blocked;
  for (const [column, row] of blocked) pen.fillRect(x(column), y(row), view.scale, view.scale);
  if (hasSquares || instance.hasFewLines) paintExcluded(pen, view, instance.n, instance.linesIn(...window), look);
  const width = Math.max(1.5, 0.09 * view.scale), side = Math.max(width, view.scale - width);
  pen.strokeStyle = look.note;
  pen.lineWidth = width;
  for (const [column, row] of fixed) pen.strokeRect(x(column) + width / 2, y(row) + width / 2, side, side);
}

/** Draw excluded diagonals: with a dash on each square if squares are large, otherwise as thin lines. */
function paintExcluded(pen, view, n, { sums, differences }, look) {
  const across = Math.SQRT2 * view.scale, dash = view.scale >= 2 * SQUARES_FROM ? [0.7 * across, 0.3 * across] : [];
  pen.save();
  // From far away, many lines are pale: what is below them stays visible.
  const clear = CLEAR_LINES / (sums.length + differences.length);
  pen.globalAlpha = view.scale >= SQUARES_FROM ? 1 : Math.max(0.2, Math.min(1, clear));
  pen.strokeStyle = look.note;
  pen.lineWidth = Math.min(4, Math.max(1, 0.06 * view.scale));
  pen.setLineDash(dash);
  for (const sum of sums) strokeLine(pen, view, n, sum + 1, -1);
  for (const difference of differences) strokeLine(pen, view, n, difference, 1);
  pen.restore();
}

/** Draw the line y = base + slope x of the board, for slopes -1, 0 and 1, as far as it is on the board and near the window.

Dashes, if there are any, begin with half a gap in column 0, so that each square of a diagonal has one. */
function strokeLine(pen, view, n, base, slope) {
  const margin = 10 / view.scale, ends = slope ? [-slope * base, slope * (n - base)] : [0, n];
  const left = Math.max(0, Math.min(...ends), view.left - margin);
  const right = Math.min(n, Math.max(...ends), view.left + view.width / view.scale + margin);
  if (left >= right) return;
  const place = (x) => [(x - view.left) * view.scale, (base + slope * x - view.top) * view.scale];
  const [dash, gap] = pen.getLineDash();
  if (dash) pen.lineDashOffset = (left * (dash + gap) - gap / 2) % (dash + gap);
  pen.beginPath();
  pen.moveTo(...place(left));
  pen.lineTo(...place(right));
  pen.stroke();
}
