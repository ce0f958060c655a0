// The queens nearest to a place.
"use strict";

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
