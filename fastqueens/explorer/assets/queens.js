// Queens on the canvas: crowns on large squares, otherwise dots, which have a ring of paper where threads would hide them.
"use strict";

/** A ring of paper is this many times as wide as its dot, and from this many pixels on, a dot is round. */
const RING = 1.5;
const ROUND_FROM = 4;

class QueenPen {
  constructor() {
    this._crown = queenPath();
    this._dots = new Map();
  }

  drawCrown(pen, x, y, size, colour) {
    pen.save();
    pen.translate(x - size / 2, y - size / 2);
    pen.scale(size, size);
    pen.fillStyle = colour;
    pen.fill(this._crown);
    pen.restore();
  }

  /** Draw a dot; `ring` is the colour of the ring around it, or null. */
  drawDot(pen, x, y, size, colour, ring, ratio) {
    if (size * ratio < ROUND_FROM) {
      pen.fillStyle = colour;
      pen.fillRect(x - size / 2, y - size / 2, size, size);
    } else {
      const side = ring ? RING * size : size;
      pen.drawImage(this._dotOf(Math.ceil(side * ratio), colour, ring), x - side / 2, y - side / 2, side, side);
    }
  }

  /** The picture of a dot, which is faster than drawing thousands of circles. */
  _dotOf(pixels, colour, ring) {
    const name = `${pixels} ${colour} ${ring}`;
    if (this._dots.size > 200) this._dots.clear();
    if (!this._dots.has(name)) {
      const picture = Object.assign(document.createElement("canvas"), { width: pixels, height: pixels });
      const pen = picture.getContext("2d"), radius = pixels / 2;
      if (ring) paintDisc(pen, radius, radius, radius, ring);
      paintDisc(pen, radius, radius, ring ? radius / RING : radius, colour);
      this._dots.set(name, picture);
    }
    return this._dots.get(name);
  }
}

function paintDisc(pen, x, y, radius, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}
