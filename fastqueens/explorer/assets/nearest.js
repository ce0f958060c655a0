// The queens nearest to a place, and the arrow that points to the nearest one while none is in the window.
"use strict";

/** Pixels between the arrow and the edge of the free part of the window. */
const ARROW_MARGIN = 50;

/** The columns of the queens nearest to a place of the board; `distanceOf` has their columns and rows from it.

Columns are read outwards from the place, as long as one could be nearer than those that are found. */
function nearestQueens(rows, count, column, row, distanceOf) {
  const found = [], first = Math.floor(column);
  const farthest = () => (found.length < count ? Infinity : found[count - 1].distance);
  for (let away = 0; away < rows.length && distanceOf(Math.max(0, away - 1), 0) < farthest(); away += 1) {
    for (const at of away ? [first - away, first + away] : [first]) {
      if (at < 0 || at >= rows.length) continue;
      const distance = distanceOf(at + 0.5 - column, rows[at] + 0.5 - row);
      if (distance >= farthest()) continue;
      found.splice(count - 1, 1);
      found.push({ column: at, distance });
      found.sort((one, other) => one.distance - other.distance);
    }
  }
  return found;
}

/** Let the arrow point from the middle of the free part of the window, {left, right, top, bottom}, to a point outside. */
function pointArrow(button, free, x, y, distance) {
  const middle = [(free.left + free.right) / 2, (free.top + free.bottom) / 2];
  const [dx, dy] = [x - middle[0], y - middle[1]];
  const room = [(free.right - free.left) / 2, (free.bottom - free.top) / 2].map((half) => half - ARROW_MARGIN);
  const share = Math.min(1, Math.max(0, room[0]) / Math.abs(dx), Math.max(0, room[1]) / Math.abs(dy));
  button.hidden = false;
  button.style.left = `${middle[0] + share * dx}px`;
  button.style.top = `${middle[1] + share * dy}px`;
  button.querySelector("svg").style.transform = `rotate(${Math.atan2(dy, dx)}rad)`;
  const away = `The nearest queen is ${counted(Math.round(distance), "square")} away`;
  button.title = `${away}. Key Enter`;
  button.setAttribute("aria-label", `${away}. Go there`);
}
