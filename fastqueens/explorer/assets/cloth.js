// The cloth: the two diagonals of each queen as threads in two inks, as in fastqueens/pictures/weave.py.
//
// The share of a pixel that threads cover depends only on the sum or only on the difference of its coordinates. A strip of
// pixels therefore holds the colours of each direction, and the canvas shears the strip over the board.
"use strict";

/** Boards of up to this n are drawn as cloth. */
const CLOTH_UP_TO = 20000;

/** The width of threads in distances between neighbouring diagonals, by n. */
const WIDTHS = [[8, 0.3], [60, 0.55], [400, 1]];

/** The strength of the other threads while a queen is chosen. */
const BEHIND = 0.2;

/** The least width in CSS pixels of the threads of the chosen queen, and of red lines if there are at most some. */
const LEAST_THREAD = 2;
const FEW_LINES = 50;

class Cloth {
  constructor(board) {
    this._board = board;
    this._strip = document.createElement("canvas");
  }

  get width() {
    return between(WIDTHS, this._board.n);
  }

  /** Draw the threads in a strength from 0 to 1, both threads of a chosen square {column, row} in full, attacks in red.

  `ground` is the colour of the board, or null if something is on it that threads are to darken or to lighten. */
  paint(pen, view, look, strength, chosen, ground) {
    const { n } = this._board, { width, height } = pen.canvas, pixel = view.width / view.scale / width, { width: wide } = this;
    this._count();
    const length = width + height, others = chosen ? BEHIND * strength : strength;
    const least = Math.max(wide, (LEAST_THREAD * Math.SQRT2) / view.scale);
    // The middle of the first pixel of each strip, where line k reaches from k to k + 1.
    const starts = [view.left + view.top + pixel - 0.5, view.top - view.left + n + 0.5 + (height - 1) * pixel];
    const steps = [pixel, -pixel];
    pen.save();
    pen.imageSmoothingEnabled = false;
    for (const kind of [0, 1]) {
      const shares = coverage(this._threads[kind], starts[kind], steps[kind], length, wide).map((share) => others * share);
      if (chosen) {
        const line = kind ? chosen.row - chosen.column + n : chosen.row + chosen.column;
        coverageOf(line, starts[kind], pixel, steps[kind], least, shares);
      }
      // The first direction replaces the ground, which is faster than blending.
      const isOpaque = ground && kind === 0;
      pen.globalCompositeOperation = isOpaque ? "source-over" : look.blend;
      this._shear(pen, kind, shares, inkRamp(look, kind, isOpaque ? ground : null));
    }
    pen.globalCompositeOperation = "source-over";
    for (const kind of [0, 1]) {
      const { all, few } = this._crowded[kind];
      if (!all) continue;
      const shares = coverage(all, starts[kind], steps[kind], length, wide);
      for (const line of few) coverageOf(line, starts[kind], pixel, steps[kind], least, shares);
      this._shear(pen, kind, shares, redRamp(look));
    }
    if (this._crowded[2].all) this._paintRows(pen, view, look, wide / Math.SQRT2);
    pen.restore();
  }

  /** Draw pixels of the colours of shares, one for each diagonal of pixels of the canvas. */
  _shear(pen, kind, shares, ramp) {
    const { height } = pen.canvas;
    this._fill(shares, ramp, shares.length, 1);
    pen.setTransform(1, 0, kind ? 1 : -1, 1, 0, 0);
    pen.drawImage(this._strip, 0, 0, shares.length, 1, kind ? 0.5 - height : 0.5, 0, shares.length, height);
  }

  /** Draw the rows with several queens in red. */
  _paintRows(pen, view, look, width) {
    const { all, few } = this._crowded[2], { height } = pen.canvas, pixel = view.height / view.scale / height;
    const shares = Float64Array.from({ length: height }, (_, y) => {
      const at = view.top + y * pixel, gap = (1 - width) / 2;
      return Math.min(1, (integralOf(all.once, at + pixel, gap) - integralOf(all.once, at, gap)) / pixel);
    });
    const half = Math.max(width, LEAST_THREAD / view.scale) / 2;
    for (const row of few) {
      const [first, last] = [row + 0.5 - half, row + 0.5 + half].map((at) => (at - view.top) / pixel);
      for (let y = Math.max(0, Math.floor(first)); y < Math.min(height, last); y += 1) {
        shares[y] = Math.max(shares[y], Math.min(y + 1, last) - Math.max(y, first));
      }
    }
    this._fill(shares, redRamp(look), 1, height);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this._strip, 0, 0, 1, height, 0, 0, pen.canvas.width, height);
  }

  _fill(shares, ramp, width, height) {
    const strip = this._strip;
    if (strip.width !== width || strip.height !== height) Object.assign(strip, { width, height });
    const pen = strip.getContext("2d"), image = pen.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < shares.length; i += 1) pixels[i] = ramp[Math.round(255 * shares[i])];
    pen.putImageData(image, 0, 0);
  }

  /** Sum up all threads, and the threads of several queens, unless the board is as before. */
  _count() {
    const { changes, lines } = this._board;
    if (this._changes === changes) return;
    this._changes = changes;
    const [rows, sums, differences] = lines;
    this._threads = [sums, differences].map((queens) => summed(queens, 1));
    this._crowded = [sums, differences, rows].map((queens) => {
      const crowded = [...queens.keys()].filter((line) => queens[line] > 1);
      return { all: crowded.length ? summed(queens, 2) : null, few: crowded.length > FEW_LINES ? [] : crowded };
    });
  }
}

/** The lines with at least `least` queens: whether each is one, the number before it, and the sum of these numbers. */
function summed(queens, least) {
  const length = queens.length + 1;
  const taken = new Uint8Array(length), once = new Float64Array(length), twice = new Float64Array(length);
  for (let line = 0; line < queens.length; line += 1) {
    taken[line] = queens[line] >= least ? 1 : 0;
    once[line + 1] = once[line] + taken[line];
    twice[line + 1] = twice[line] + once[line] + 0.5 * taken[line];
  }
  return { taken, once, twice };
}

/** The share of each pixel that threads of a width cover: the first pixel has its middle at `start`, each other one a step further.

A pixel stands on its corner: it reaches one step to both sides, less and less. So what is covered of it is a second
difference of the double integral of the threads: this is exact, and there is no moire. */
function coverage({ taken, once, twice }, start, step, length, width) {
  const last = taken.length - 1, gap = (1 - width) / 2, found = new Float64Array(length);
  const integral = (at) => {
    if (at <= 0) return 0;
    const line = Math.min(last, Math.floor(at)), inside = at - line, part = Math.max(0, Math.min(width, inside - gap));
    const thread = taken[line] ? 0.5 * part * part + width * Math.max(0, inside - gap - width) : 0;
    return width * (twice[line] + once[line] * inside) + thread;
  };
  let before = integral(start - step), here = integral(start);
  for (let i = 0; i < length; i += 1) {
    const next = integral(start + (i + 1) * step);
    found[i] = Math.max(0, Math.min(1, (before - 2 * here + next) / (step * step)));
    [before, here] = [here, next];
  }
  return found;
}

/** Let a single thread cover shares that are not covered more. */
function coverageOf(line, start, pixel, step, width, shares) {
  const low = line + 0.5 - width / 2, high = line + 0.5 + width / 2;
  const upTo = (z) => (z <= -1 ? 0 : z >= 1 ? 1 : z < 0 ? 0.5 * (1 + z) ** 2 : 1 - 0.5 * (1 - z) ** 2);
  for (let i = 0; i < shares.length; i += 1) {
    const at = start + i * step;
    shares[i] = Math.max(shares[i], upTo((high - at) / pixel) - upTo((low - at) / pixel));
  }
}

/** The coverage from 0 to a place by lines with gaps on both sides. */
function integralOf(once, at, gap) {
  const line = Math.max(0, Math.min(once.length - 1, Math.floor(at))), taken = (once[line + 1] ?? once[line]) - once[line];
  const width = 1 - 2 * gap;
  return width * once[line] + taken * Math.max(0, Math.min(width, at - line - gap));
}

/** 256 pixels from no ink to full ink: on a ground, or for a canvas that multiplies or screens. */
function inkRamp(look, kind, ground) {
  const isDarkening = look.blend === "multiply", ink = partsOf(look.inks[kind]);
  const paper = ground ? partsOf(ground) : isDarkening ? [255, 255, 255] : [0, 0, 0];
  return ramp(`${look.blend} ${kind} ${ground}`, (share) => pixelOf(ink.map((part, at) => (isDarkening
    ? paper[at] * (1 - share * (1 - part / 255)) : 255 - (255 - paper[at]) * (1 - (share * part) / 255)))));
}

/** 256 pixels from nothing to the red of attacks. */
function redRamp({ attack }) {
  return ramp(attack, (share) => pixelOf(partsOf(attack), Math.round(255 * share)));
}

const ramps = new Map();

function ramp(name, colourOf) {
  if (!ramps.has(name)) ramps.set(name, Uint32Array.from({ length: 256 }, (_, i) => colourOf(i / 255)));
  return ramps.get(name);
}
