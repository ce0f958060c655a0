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
  for (const d of sums) {
    const left = Math.max(0, d - n + 1), right = Math.min(n - 1, d) + 1;
    strokeLine(pen, view, left, d - left + 1, right, d - right + 1, dash);
  }
  for (const d of differences) {
    const left = Math.max(0, -d), right = Math.min(n, n - d);
    strokeLine(pen, view, left, left + d, right, right + d, dash);
  }
  pen.restore();
}

/** Draw a line of the board, clipped to the window before it becomes pixels (Liang and Barsky).

Dashes, if there are any, keep their places on the board. */
function strokeLine(pen, view, fromColumn, fromRow, toColumn, toRow, dash = []) {
  const x = (fromColumn - view.left) * view.scale, y = (fromRow - view.top) * view.scale, margin = 10;
  const dx = (toColumn - fromColumn) * view.scale, dy = (toRow - fromRow) * view.scale;
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
