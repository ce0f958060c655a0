// Draws what an instance asks for: blocked squares, excluded diagonals, and frames of fixed queens.
"use strict";

/** The pixels per square from which instances are drawn, and a click is meant for a square. */
const SQUARES_FROM = 3;

function paintInstance(pen, view, instance, look) {
  if (view.scale < SQUARES_FROM) return;
  const window = [view.left, view.top, view.left + view.width / view.scale, view.top + view.height / view.scale];
  const [blocked, fixed] = instance.squaresIn(...window), { frame, line } = markWidths(view.scale);
  const x = (column) => (column - view.left) * view.scale, y = (row) => (row - view.top) * view.scale;
  pen.fillStyle = look.blocked;
  for (const [column, row] of blocked) pen.fillRect(x(column), y(row), view.scale, view.scale);
  Object.assign(pen, { strokeStyle: look.note, lineWidth: line });
  paintExcluded(pen, view, instance.n, instance.linesIn(...window));
  const side = view.scale - frame;
  pen.lineWidth = frame;
  for (const [column, row] of fixed) pen.strokeRect(x(column) + frame / 2, y(row) + frame / 2, side, side);
}

/** The pixels across excluded diagonals and the frames of fixed queens. */
function markWidths(scale) {
  return { line: Math.min(4, Math.max(1, 0.06 * scale)), frame: Math.max(1.5, 0.09 * scale) };
}

/** Draw excluded diagonals: with a dash on each square if squares are large. */
function paintExcluded(pen, view, n, { sums, differences }) {
  const across = Math.SQRT2 * view.scale;
  pen.setLineDash(view.scale >= 2 * SQUARES_FROM ? [0.7 * across, 0.3 * across] : []);
  for (const sum of sums) strokeLine(pen, view, n, sum + 1, -1);
  for (const difference of differences) strokeLine(pen, view, n, difference, 1);
  pen.setLineDash([]);
}

/** Draw the line y = base + slope x of the board, for slopes -1, 0 and 1, on the board and near the window.

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
