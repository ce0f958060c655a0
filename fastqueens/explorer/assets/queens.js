// Queens on the canvas: crowns on large squares, otherwise dots.
"use strict";

/** A ring of paper around a dot is this many times as wide as the dot. */
const RING = 1.5;

/** Dots are drawn at multiples of this share of a pixel. */
const PHASES = 4;

class QueenPen {
  constructor() {
    this._crown = new Path2D(queenPath(0, 0, 1));
    this._discs = new Map();
  }

  drawCrown(pen, x, y, size, colour) {
    pen.save();
    pen.translate(x - size / 2, y - size / 2);
    pen.scale(size, size);
    pen.fillStyle = colour;
    pen.fill(this._crown);
    pen.restore();
  }

  /** Draw a disc from a picture of it on whole pixels, which is faster than thousands of circles. */
  drawDisc(pen, x, y, size, colour, ratio) {
    const side = size * ratio, corner = [x, y].map((at) => Math.round(PHASES * (at * ratio - side / 2)) / PHASES);
    const whole = corner.map(Math.floor), [right, down] = corner.map((at, axis) => at - whole[axis]);
    const disc = this._discOf(side, colour, right, down);
    pen.drawImage(disc, whole[0] / ratio, whole[1] / ratio, disc.width / ratio, disc.height / ratio);
  }

  _discOf(side, colour, right, down) {
    const name = `${side} ${colour} ${right} ${down}`;
    if (this._discs.size > 500) this._discs.clear();
    if (!this._discs.has(name)) {
      const picture = document.createElement("canvas");
      picture.width = picture.height = Math.ceil(side) + 1;
      paintDisc(picture.getContext("2d"), side / 2 + right, side / 2 + down, side / 2, colour);
      this._discs.set(name, picture);
    }
    return this._discs.get(name);
  }
}

function paintDisc(pen, x, y, radius, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}
