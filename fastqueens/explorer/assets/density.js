// The density of queens: a picture of the whole board, in cells that are large enough to be more than noise.
"use strict";

/** Cells up to this many pixels wide are smoothed, so that their edges do not flicker. */
const SMOOTH_UP_TO = 2;

class Density {
  constructor(board) {
    this._board = board;
    this._pictures = new Map();
  }

  /** The level whose cells are a pixel or slightly more, but hold 64 queens or are up to eight pixels wide.

  Fewer queens in smaller cells show only noise. A level has cells of 2^level squares a side. */
  levelOf(scale, ratio) {
    const { n } = this._board, level = Math.ceil(-Math.log2(scale * Math.min(2, ratio))), calm = Math.ceil(Math.log2(64 * n) / 2);
    return Math.min(coarsestLevel(n), Math.max(finestLevel(n), Math.min(level + 2, calm), level));
  }

  /** Draw the board with its corner at a point, and a number of pixels per square. */
  paint(pen, level, ramp, x, y, scale) {
    const picture = this._pictureOf(level, ramp), cell = 2 ** level * scale, side = picture.width * cell;
    pen.imageSmoothingEnabled = cell < SMOOTH_UP_TO;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, x, y, side, side);
  }

  /** The cells of a level as pixels. */
  _pictureOf(level, ramp) {
    const { n, changes } = this._board, { side, counts } = this._board.levels.get(level), found = this._pictures.get(level);
    if (found && found.changes === changes && found.ramp === ramp) return found.picture;
    const picture = Object.assign(document.createElement("canvas"), { width: side, height: side });
    const pen = picture.getContext("2d"), image = pen.createImageData(side, side), pixels = new Uint32Array(image.data.buffer);
    const even = 4 ** level / n, [low, high] = scaleOf(even);
    // The last cells extend beyond the board: their counts are divided by the share that is on it.
    const share = (at) => Math.min(1, n / 2 ** level - at);
    for (let row = 0, at = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1, at += 1) {
        const shares = counts[at] / (share(column) * share(row)) / even;
        pixels[at] = ramp[Math.round(255 * Math.max(0, Math.min(1, (shares - low) / (high - low))))];
      }
    }
    pen.putImageData(image, 0, 0);
    this._pictures.set(level, { picture, changes, ramp });
    return picture;
  }
}
