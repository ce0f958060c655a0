// The density of queens: a picture of the whole board, in cells that are large enough to be more than noise.
"use strict";

/** There are about 2^8 cells a side, but at least eight queens per cell on average. */
const CELLS_BITS = 8;

/** Cells up to this many pixels wide are smoothed, so that their edges do not flicker. */
const SMOOTH_UP_TO = 2;

class Density {
  /** Cells have 2^level squares a side. */
  constructor(board) {
    const { n } = board, level = Math.max(Math.ceil(Math.log2(8 * n) / 2), Math.ceil(Math.log2(n)) - CELLS_BITS);
    Object.assign(this, { _board: board, _level: level, _side: Math.ceil(n / 2 ** level), even: 4 ** level / n });
    this._picture = document.createElement("canvas");
  }

  /** Draw the board with its corner at a point, and a number of pixels per square. */
  paint(pen, ramp, x, y, scale) {
    if (this._changes !== this._board.changes || this._ramp !== ramp) this._draw(ramp);
    const cell = 2 ** this._level * scale, side = this._picture.width * cell;
    pen.imageSmoothingEnabled = cell < SMOOTH_UP_TO;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(this._picture, x, y, side, side);
  }

  /** Draw each cell as a pixel. */
  _draw(ramp) {
    const { _board: { n, changes }, _level: level, _side: side, even, _counts: counts } = this;
    Object.assign(this, { _changes: changes, _ramp: ramp });
    Object.assign(this._picture, { width: side, height: side });
    const pen = this._picture.getContext("2d"), image = pen.createImageData(side, side);
    const pixels = new Uint32Array(image.data.buffer);
    // The last cells extend beyond the board: their counts are divided by the share that is on it.
    const [low, high] = scaleOf(even), share = (at) => Math.min(1, n / 2 ** level - at);
    for (let row = 0, at = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1, at += 1) {
        const shares = counts[at] / (share(column) * share(row)) / even;
        pixels[at] = ramp[Math.round(255 * Math.max(0, Math.min(1, (shares - low) / (high - low))))];
      }
    }
    pen.putImageData(image, 0, 0);
  }

  /** The number of queens in each cell, row by row. */
  get _counts() {
    const { _board: { n, rows }, _level: level, _side: side } = this, counts = new Uint32Array(side * side);
    for (let column = 0; column < n; column += 1) {
      if (rows[column] < n) counts[(rows[column] >>> level) * side + (column >>> level)] += 1;
    }
    return counts;
  }
}
