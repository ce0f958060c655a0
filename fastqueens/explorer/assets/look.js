// The look of the page, as in all pictures: colours of fastqueens/pictures/style.py, the queen of glyphs.py.
"use strict";

/** What shows data has the same colours in light and dark, so that a picture means the same in both. */
const DATA = {
  board: "#ffffff", queen: "#1b1f24", halo: "#ffffff", squares: ["#f3ead7", "#b98d62"],
  // A red that differs from all other colours here, in hue and with its white halo in lightness.
  attack: "#dc0024", chosen: "#0072b2", blocked: "#3f464f", excluded: "#8e2f78", fixed: "#0072b2", ramp: densityRamp(),
  lines: { row: "#0072b2", sum: "#009e73", difference: "#cc79a7" },
};

const LOOKS = {
  light: { ...DATA, around: "#e9ecf0", edge: "#8a929c", ruler: "#e9ecf0", number: "#3b424a" },
  dark: { ...DATA, around: "#0b0e12", edge: "#5c616e", ruler: "#0b0e12", number: "#d5dae0" },
};

/** The queen in the unit square, row 0 at the bottom: the points of fastqueens/pictures/style.py. */
const QUEEN = {
  crown: [[0.25, 0.27], [0.13, 0.68], [0.31, 0.47], [0.33, 0.78], [0.45, 0.49], [0.50, 0.84],
          [0.55, 0.49], [0.67, 0.78], [0.69, 0.47], [0.87, 0.68], [0.75, 0.27]],
  base: [[0.22, 0.13], [0.22, 0.20], [0.25, 0.235], [0.75, 0.235], [0.78, 0.20], [0.78, 0.13]],
  balls: [[0.13, 0.715], [0.33, 0.82], [0.50, 0.875], [0.67, 0.82], [0.87, 0.715]],
  ball: 0.048,
};

function queenPath() {
  const path = new Path2D();
  for (const outline of [QUEEN.crown, QUEEN.base]) {
    outline.forEach(([x, y], i) => (i ? path.lineTo(x, 1 - y) : path.moveTo(x, 1 - y)));
    path.closePath();
  }
  for (const [x, y] of QUEEN.balls) {
    path.moveTo(x + QUEEN.ball, 1 - y);
    path.arc(x, 1 - y, QUEEN.ball, 0, 2 * Math.PI);
  }
  return path;
}

/** 256 colours as 32-bit pixels, from few to many: from paper white through the blues of style.py. */
function densityRamp() {
  const hexes = ["ffffff", "b5d9ee", "56b4e9", "0072b2", "00224e"];
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const [red, green, blue] = between(hexes, i / 255);
    return 0xff000000 | (blue << 16) | (green << 8) | red;
  });
}

/** The colour at a position from 0 to 1 in a sequence of colours. */
function between(hexes, t) {
  const colours = hexes.map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  const place = Math.min(hexes.length - 1.001, t * (hexes.length - 1)), low = Math.floor(place), share = place - low;
  return colours[low].map((value, i) => Math.round(value + (colours[low + 1][i] - value) * share));
}

/**
 * The colour scale if a cell holds `even` queens on average: from `low` through `middle` to `high` queens.
 * Pure chance makes counts differ from the average by about its square root. The linear scale extends six times as far
 * both ways. If zero is nearer, the scale starts at zero and ends at twice the average, or three times as far above the
 * average if that is more. The logarithmic scale goes at least from a quarter of the average to four times the average.
 */
function scaleOf(even, isLogarithmic) {
  if (isLogarithmic) {
    const factor = Math.max(4, 1 + 4 / Math.sqrt(even));
    return { low: even / factor, middle: even, high: even * factor, isLogarithmic };
  }
  const width = Math.min(even, 6 * Math.sqrt(even)), high = Math.max(even + width, even + 3 * Math.sqrt(even));
  const low = Math.max(0, even - width);
  return { low, middle: (low + high) / 2, high, isLogarithmic };
}

/** The position of a count on a scale, from 0 to 255. */
function placeOn({ low, high, isLogarithmic }, count) {
  const share = isLogarithmic ? Math.log(count / low) / Math.log(high / low) : (count - low) / (high - low);
  // A few queens must look different from none, which is the colour of the paper.
  const least = count > 0 && (isLogarithmic || low > 0) ? 8 : 0;
  return Math.round(255 * Math.max(least / 255, Math.min(1, share)));
}

/** The count at a position from 0 to 1 on a scale. */
function countAt({ low, high, isLogarithmic }, share) {
  return isLogarithmic ? low * (high / low) ** share : low + share * (high - low);
}
