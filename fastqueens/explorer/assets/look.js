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
  paper: { ...DATA, around: "#ffffff", edge: "#8a929c", ruler: "#ffffff", number: "#1b1f24" },
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

/** 256 colours as 32-bit pixels, from few in blue to many in orange: AROUND_EVEN of style.py. */
function densityRamp() {
  const colours = [0x2166a5, 0x5a9ccb, 0xafd0e6, 0xf8f5ef, 0xf2b483, 0xd55e00, 0x6e2400];
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (colours.length - 1), low = Math.min(colours.length - 2, Math.floor(place));
    const part = (bits) => {
      const [one, next] = [colours[low], colours[low + 1]].map((colour) => (colour >> bits) & 255);
      return Math.round(one + (next - one) * (place - low));
    };
    return 0xff000000 | (part(0) << 16) | (part(8) << 8) | part(16);
  });
}

/**
 * The ends of the colour scale in even shares, if a cell holds `even` queens on average. It is that of posters, and
 * wider for few queens, since pure chance makes counts differ from the average by about its square root.
 */
function scaleOf(even, isLogarithmic) {
  const [low, high] = isLogarithmic ? [0.25, 4] : even < 20 ? [0, 2] : [0.4, 1.6];
  return { low, high, isLogarithmic };
}

/** The position of a number of even shares on a scale, from 0 to 255. */
function placeOn({ low, high, isLogarithmic }, shares) {
  const place = isLogarithmic ? Math.log(shares / low) / Math.log(high / low) : (shares - low) / (high - low);
  return Math.round(255 * Math.max(0, Math.min(1, place)));
}
