// The cloth: the two diagonals of each queen as threads in two inks, as in fastqueens/pictures/weave.py.
//
// The share of a pixel that threads cover depends only on the sum or only on the difference of its coordinates. A strip
// of pixels therefore holds the colours of each direction, and the canvas shears the strip over the board.
"use strict";

/** The width of threads in distances between neighbouring diagonals, by n. */
const WIDTHS = [[8, 0.3], [60, 0.55], [400, 1]];

/** With more queens than this per pixel, threads are silk: their density in bins of half a pixel. */
const QUEENS_PER_PIXEL = 0.25;

/** The standard deviation to which the deviations of silk from a smooth density are amplified: up to a number of queens,
and the power of n with which it falls on larger boards. The smooth density is a mean over a share of the side. */
const DEVIATION = 0.22;
const DEVIATION_OF = 5000;
const FALL = 0.22;
const SMOOTH = 1 / 9;

/** The shares of a pixel in the four bins that it touches. */
const BINS_OF_PIXEL = [0.125, 0.375, 0.375, 0.125];

/** The smooth density is computed in so many cells, and deviations are measured on so many pixels at most. */
const SMOOTH_CELLS = 2048;
const MEASURED = 8192;

/** Up to so many red lines have this least width, as a share of the side of the visible part; more are narrower. */
const FEW_RED = 4;
const WIDE_RED = 0.004;

/** Up to so many red lines of a direction are drawn one by one. */
const SINGLE_RED = 2000;

/** The strength of threads on squares, dark ones on light paper and bright ones in the dark. */
const PALE = { light: 0.42, dark: 0.8 };

/** The strength of the other threads while a queen is chosen, and the least width of her threads in CSS pixels. */
const BEHIND = 0.2;
const LEAST_THREAD = 2;

class Cloth {
  constructor(board) {
    Object.assign(this, { _board: board, _strip: document.createElement("canvas"), _gains: new Map(), across: null });
  }

  /** The width of threads on the whole board, or with `across`, on one of so many columns. */
  get width() {
    return between(WIDTHS, this.across ?? this._board.n);
  }

  /** Whether pixels of so many squares a side are too large for single threads. */
  isSilk(pixel) {
    return QUEENS_PER_PIXEL < pixel;
  }

  /** Draw the threads in a strength from 0 to 1, and both threads of a chosen square {column, row} in full.

  `ground` is the colour of the board, or null if something is on it that threads are to darken or to lighten. Pale
  threads lie over it instead. */
  paintThreads(pen, view, look, { strength, chosen, ground, isPale }) {
    const { n } = this._board, { pixel, places, length } = this._strips(pen, view);
    const others = chosen ? BEHIND * strength : strength;
    const least = Math.max(this.width, (LEAST_THREAD * Math.SQRT2) / view.scale);
    pen.save();
    pen.imageSmoothingEnabled = false;
    for (const kind of [0, 1]) {
      const cells = this._cells(this._threads[kind], kind, places[kind], length, pixel);
      const shares = coverage(cells, places[kind], length).map((share) => others * share);
      if (chosen) {
        const line = kind ? chosen.row - chosen.column + n : chosen.row + chosen.column;
        coverLine(line, places[kind], least, shares);
      }
      // The first direction replaces the ground, which is faster than blending.
      const isOpaque = ground && !isPale && kind === 0;
      pen.globalCompositeOperation = isOpaque || isPale ? "source-over" : look.shines ? "screen" : "multiply";
      this._shear(pen, kind, shares, isPale ? clearRamp(look.inks[kind]) : inkRamp(look, kind, isOpaque ? ground : null));
    }
    pen.restore();
  }

  /** Draw the lines of several queens in red. */
  paintRed(pen, view, look) {
    this._count();
    if (!this._crowded.some(Boolean)) return;
    const { n } = this._board, { pixel, places, length } = this._strips(pen, view), red = clearRamp(look.attack);
    const side = Math.min(n, Math.min(view.width, view.height) / view.scale);
    pen.save();
    pen.imageSmoothingEnabled = false;
    this._crowded.forEach((lines, kind) => {
      if (!lines) return;
      const { start, step } = places[kind], own = redWidth(this.width, side, lines.total);
      const width = kind === 2 ? own / Math.SQRT2 : own;
      let shares = new Float64Array(length);
      if (lines.total > SINGLE_RED) {
        shares = coverage(this._cells(lines, kind, places[kind], length, pixel, width), places[kind], length);
      } else {
        const [low, high] = [start, start + length * step].sort((a, b) => a - b);
        const seen = lines.within(Math.floor(low - width), Math.ceil(high + width));
        for (const line of seen) coverLine(line, places[kind], width, shares);
      }
      this._shear(pen, kind, shares, red);
    });
    pen.restore();
  }

  /** The squares per pixel; where the first pixel of each strip has its middle, and the step to the next.

  Strips of diagonals have a pixel for each diagonal of pixels of the canvas. The strip of rows begins with its rows. */
  _strips(pen, view) {
    this._count();
    const { n } = this._board, { width, height } = pen.canvas, pixel = view.width / view.scale / width;
    const places = [
      { start: view.left + view.top + pixel - 0.5, step: pixel },
      { start: view.top - view.left + n + 0.5 + (height - 1) * pixel, step: -pixel },
      { start: view.top + pixel / 2, step: pixel },
    ];
    return { pixel, places, length: width + height };
  }

  /** The cover of the part of the board that a strip sees, in cells: lines from near, bins of silk from far away. */
  _cells(lines, kind, { start, step }, length, pixel, red = null) {
    const { n } = this._board, width = red ?? this.width;
    const ends = [start - step, start + (length + 1) * step].sort((a, b) => a - b);
    if (!this.isSilk(pixel)) {
      const from = Math.max(0, Math.floor(ends[0])), last = Math.min(2 * n, Math.ceil(ends[1]));
      const values = Float64Array.from({ length: Math.max(0, last - from) }, (_, at) => lines.has(from + at));
      return { from, size: 1, width, values };
    }
    const bins = Math.max(2, Math.round((4 * n) / pixel)), size = (2 * n) / bins, corner = [-0.5, 0.5, 0][kind];
    const first = Math.max(0, Math.floor((ends[0] - corner) / size)), last = Math.min(bins, Math.ceil((ends[1] - corner) / size));
    const gain = red ? 1 : this._gain(kind, bins, size, corner), values = new Float64Array(Math.max(0, last - first));
    let before = lines.coveredUpTo(corner + first * size, width);
    for (let at = 0; at < values.length; at += 1) {
      const end = corner + (first + at + 1) * size, after = lines.coveredUpTo(end, width);
      const density = (after - before) / size, smooth = red ? 0 : this._smooths[kind](end - size / 2 - corner);
      values[at] = Math.max(0, Math.min(1, smooth + gain * (density - smooth)));
      before = after;
    }
    return { from: corner + first * size, size, width: 1, values };
  }

  /** The factor by which the deviations of bins are amplified, measured on all pixels or on some. */
  _gain(kind, bins, size, corner) {
    const name = `${kind} ${bins}`;
    if (this._gains.has(name)) return this._gains.get(name);
    const { n } = this._board, lines = this._threads[kind], { width } = this, each = Math.ceil(bins / MEASURED);
    let count = 0, sum = 0, squares = 0;
    for (let first = 0; first + BINS_OF_PIXEL.length <= bins; first += each, count += 1) {
      let pixel = 0, before = lines.coveredUpTo(corner + first * size, width);
      BINS_OF_PIXEL.forEach((share, at) => {
        const after = lines.coveredUpTo(corner + (first + at + 1) * size, width);
        pixel += share * ((after - before) / size - this._smooths[kind]((first + at + 0.5) * size));
        before = after;
      });
      sum += pixel;
      squares += pixel * pixel;
    }
    const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
    const wanted = DEVIATION * Math.min(1, DEVIATION_OF / n) ** FALL, gain = Math.max(1, wanted / Math.max(deviation, 1e-9));
    this._gains.set(name, gain);
    return gain;
  }

  /** Draw pixels of the colours of shares, one for each diagonal or row of pixels of the canvas. */
  _shear(pen, kind, shares, ramp) {
    const strip = this._strip, { width, height } = pen.canvas, { length } = shares;
    if (strip.width !== length) Object.assign(strip, { width: length, height: 1 });
    const ink = strip.getContext("2d"), image = ink.createImageData(length, 1);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < length; i += 1) pixels[i] = ramp[Math.round(255 * shares[i])];
    ink.putImageData(image, 0, 0);
    pen.setTransform(...[[1, 0, -1, 1], [1, 0, 1, 1], [0, 1, 1, 0]][kind], 0, 0);
    pen.drawImage(strip, 0, 0, length, 1, [0.5, 0.5 - height, 0][kind], 0, length, kind === 2 ? width : height);
  }

  /** Find the threads, their smooth density, and the lines of several queens, unless the board is as before. */
  _count() {
    const { changes, n } = this._board;
    if (this._changes === changes) return;
    this._changes = changes;
    this._gains.clear();
    this._threads = this._board.linesWith(1).slice(0, 2);
    this._smooths = this._threads.map((lines, kind) => smoothDensity(lines, 2 * n, kind ? 0.5 : -0.5, between(WIDTHS, n)));
    this._crowded = this._board.linesWith(2).map((lines) => (lines.total ? lines : null));
  }
}

/** The width of red lines, in distances between neighbouring diagonals; the visible part has a side of some squares. */
function redWidth(least, side, lines) {
  return Math.max(least, (WIDE_RED * side * Math.SQRT2 * FEW_RED) / Math.max(FEW_RED, lines));
}

/** Return a function for the smooth density at a distance from the corner. */
function smoothDensity(lines, length, corner, width) {
  const size = length / SMOOTH_CELLS, half = Math.round((SMOOTH * SMOOTH_CELLS) / 2) >> 1, taps = 2 * half + 1;
  const upTo = Float64Array.from({ length: SMOOTH_CELLS + 1 }, (_, at) => lines.coveredUpTo(corner + at * size, width));
  const cells = Float64Array.from({ length: SMOOTH_CELLS }, (_, at) => (upTo[at + 1] - upTo[at]) / size);
  const weights = Float64Array.from({ length: taps }, (_, at) => (1 - Math.cos((2 * Math.PI * at) / (taps - 1))) / (taps - 1));
  const smooth = cells.map((_, middle) => {
    let sum = 0;
    for (let at = 0; at < taps; at += 1) {
      sum += weights[at] * cells[Math.max(0, Math.min(SMOOTH_CELLS - 1, middle + at - half))];
    }
    return sum;
  });
  return (distance) => {
    const at = Math.max(0, Math.min(SMOOTH_CELLS - 1, distance / size - 0.5)), low = Math.min(SMOOTH_CELLS - 2, Math.floor(at));
    return smooth[low] + (smooth[low + 1] - smooth[low]) * (at - low);
  };
}

/** The share of each pixel of a strip that cells cover, each along its middle, over a share `width` of its size.

A pixel stands on its corner: it reaches one step to both sides, less and less. So what is covered of it is a second
difference of the double integral of the cover: this is exact, and there is no moire. */
function coverage({ from, size, width, values }, place, length) {
  const count = values.length, once = new Float64Array(count + 1), twice = new Float64Array(count + 1), gap = (1 - width) / 2;
  for (let at = 0; at < count; at += 1) {
    once[at + 1] = once[at] + values[at];
    twice[at + 1] = twice[at] + once[at] + 0.5 * values[at];
  }
  const start = (place.start - from) / size, step = place.step / size, found = new Float64Array(length);
  const integral = (at) => {
    if (at <= 0) return 0;
    const cell = Math.min(count, Math.floor(at)), inside = at - cell, part = Math.max(0, Math.min(width, inside - gap));
    const own = cell < count ? values[cell] * (0.5 * part * part + width * Math.max(0, inside - gap - width)) : 0;
    return width * (twice[cell] + once[cell] * inside) + own;
  };
  let before = integral(start - step), here = integral(start);
  for (let i = 0; i < length; i += 1) {
    const next = integral(start + (i + 1) * step);
    found[i] = Math.max(0, Math.min(1, (before - 2 * here + next) / (step * step)));
    [before, here] = [here, next];
  }
  return found;
}

/** Add the cover of a single thread to the shares of the pixels of a strip. */
function coverLine(line, { start, step }, width, shares) {
  const pixel = Math.abs(step), low = line + 0.5 - width / 2, high = line + 0.5 + width / 2;
  const upTo = (z) => (z <= -1 ? 0 : z >= 1 ? 1 : z < 0 ? 0.5 * (1 + z) ** 2 : 1 - 0.5 * (1 - z) ** 2);
  const [first, last] = [(low - pixel - start) / step, (high + pixel - start) / step].sort((a, b) => a - b);
  for (let i = Math.max(0, Math.ceil(first)); i <= Math.min(shares.length - 1, last); i += 1) {
    const at = start + i * step;
    shares[i] = Math.min(1, shares[i] + upTo((high - at) / pixel) - upTo((low - at) / pixel));
  }
}

/** 256 pixels from no ink to full ink: on a ground, or for a canvas that multiplies or screens. */
function inkRamp({ shines, inks }, kind, ground) {
  const ink = partsOf(inks[kind]), paper = ground ? partsOf(ground) : shines ? [0, 0, 0] : [255, 255, 255];
  return ramp(`${inks[kind]} ${ground}`, (share) => pixelOf(ink.map((part, at) => (shines
    ? 255 - (255 - paper[at]) * (1 - (share * part) / 255) : paper[at] * (1 - share * (1 - part / 255))))));
}

/** 256 pixels from nothing to a colour. */
function clearRamp(colour) {
  return ramp(colour, (share) => pixelOf(partsOf(colour), Math.round(255 * share)));
}

const ramps = new Map();

function ramp(name, colourOf) {
  if (!ramps.has(name)) ramps.set(name, Uint32Array.from({ length: 256 }, (_, i) => colourOf(i / 255)));
  return ramps.get(name);
}
