// The queen nearest to a place, and the arrow that points to it while no queen is in the window.
"use strict";

/** Queens in a tile in which to look, on average. */
const QUEENS_TO_FIND = 16;

/** Tiles kept for the next question. */
const MOST_KEPT = 32;

/** Pixels between the arrow and the edge of the free part of the window. */
const ARROW_MARGIN = 50;

/** Finds the queen nearest to a place in tiles: a tile costs far less than a look at every queen. */
class NearestQueen {
  constructor(board) {
    this._board = board;
    this._kept = new Map();
  }

  /** The square of the nearest queen, [column, row]; null if there is none within half a tile of 4,096 queens or so. */
  to(column, row) {
    const { n } = this._board;
    for (let level = this._levelFor(QUEENS_TO_FIND); ; level += 1) {
      const reach = (TILE / 2) * 2 ** level, tiles = this._tilesAround(level, column, row);
      const isListed = tiles.every((tile) => tile.queens);
      const found = isListed ? nearestIn(tiles, column, row) : null;
      const isLast = level >= coarsestLevel(n);
      if (found && (found.distance <= reach || isLast)) return found.square;
      if (!isListed || isLast) return null;
    }
  }

  /** The largest scale at which so many queens around a place are in a part of the window, undefined if not known. */
  scaleFor(count, column, row, { left, right, top, bottom }) {
    const tiles = this._tilesAround(this._levelFor(8 * count), column, row);
    const scales = tiles.flatMap(({ queens = [] }) => Array.from({ length: queens.length / 2 }, (_, i) => {
      const [dx, dy] = [queens[2 * i] - column, queens[2 * i + 1] - row].map(Math.abs);
      return 0.5 * Math.min((right - left) / dx, (bottom - top) / dy);
    }));
    return scales.sort((one, other) => other - one)[count];
  }

  /** The first level with at least so many queens a tile, on average. */
  _levelFor(queens) {
    const { n } = this._board;
    return Math.max(0, Math.min(coarsestLevel(n), Math.ceil(Math.log2(queens * n) / 2) - TILE_BITS));
  }

  /** The four tiles around a place: every square within half a tile is in one of them, or off the board. */
  _tilesAround(level, column, row) {
    const size = TILE * 2 ** level, last = Math.floor((this._board.n - 1) / size);
    const pair = (place) => {
      const before = Math.floor(place / size - 0.5);
      return [...new Set([before, before + 1].map((at) => Math.max(0, Math.min(last, at))))];
    };
    return pair(column).flatMap((x) => pair(row).map((y) => this._tile(level, x, y)));
  }

  _tile(level, x, y) {
    const name = `${key(level, x, y)} ${this._board.changes}`;
    if (!this._kept.has(name)) {
      if (this._kept.size >= MOST_KEPT) this._kept.clear();
      this._kept.set(name, this._board.tile(level, x, y));
    }
    return this._kept.get(name);
  }
}

/** The nearest queen of some tiles: {square, distance}, or null. */
function nearestIn(tiles, column, row) {
  let square = null, distance = Infinity;
  for (const { queens } of tiles) {
    for (let i = 0; i < queens.length; i += 2) {
      const away = Math.hypot(queens[i] + 0.5 - column, queens[i + 1] + 0.5 - row);
      if (away < distance) [square, distance] = [[queens[i], queens[i + 1]], away];
    }
  }
  return square && { square, distance };
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
