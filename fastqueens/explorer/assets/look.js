// The look of the page: the roles of roles.css, and the queen of fastqueens/pictures/chessboard.py.
"use strict";

/** The elements of roles.css that have the colours of a theme, whichever theme the page has. */
const SCHEMES = { light: "default", dark: "slate" };

const looks = {};

/** The roles of a theme, with the inks of rising and falling threads, and the colours of a density as pixels. */
function lookOf(theme) {
  looks[theme] ||= readLook(theme);
  return looks[theme];
}

function readLook(theme) {
  const probe = document.createElement("i");
  probe.dataset.mdColorScheme = SCHEMES[theme];
  document.body.append(probe);
  const style = getComputedStyle(probe), role = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["paper", "ink", "soft", "faint", "square", "dot", "attack", "note", "blocked"];
  const look = Object.fromEntries(names.map((name) => [name, role(name)]));
  const found = {
    ...look, shines: theme === "dark", inks: [role("rising"), role("falling")], ramp: rampOf(role("density").split(/, */)),
  };
  probe.remove();
  return found;
}

/** The queen in the unit square, row 0 at the bottom: the points of fastqueens/pictures/chessboard.py. */
const QUEEN = {
  crown: [[0.25, 0.27], [0.13, 0.68], [0.31, 0.47], [0.33, 0.78], [0.45, 0.49], [0.50, 0.84],
          [0.55, 0.49], [0.67, 0.78], [0.69, 0.47], [0.87, 0.68], [0.75, 0.27]],
  base: [[0.22, 0.13], [0.22, 0.20], [0.25, 0.235], [0.75, 0.235], [0.78, 0.20], [0.78, 0.13]],
  balls: [[0.13, 0.715], [0.33, 0.82], [0.50, 0.875], [0.67, 0.82], [0.87, 0.715]],
  ball: 0.048,
};

/** The queen in a square with its upper left corner at (x, y), as a path of SVG. */
function queenPath(x, y, side) {
  const place = ([right, up]) => [x + side * right, y + side * (1 - up)];
  const outlines = [QUEEN.crown, QUEEN.base].map((corners) => corners.map((corner) => places(...place(corner))));
  const balls = QUEEN.balls.map((middle) => discPath(...place(middle), side * QUEEN.ball));
  return [...outlines.map((corners) => `M${corners.join("L")}z`), ...balls].join("");
}

function discPath(x, y, radius) {
  const arc = (dx) => `a${places(radius, radius)} 0 1 1 ${places(dx, 0)}`;
  return `M${places(x - radius, y)}${arc(2 * radius)}${arc(-2 * radius)}z`;
}

/** Numbers in a path, to a thousandth. */
function places(...values) {
  return values.map((value) => Number(value.toFixed(3))).join(" ");
}

/** 256 colours as 32-bit pixels, from few queens through an even share to many. */
function rampOf(colours) {
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (colours.length - 1), low = Math.min(colours.length - 2, Math.floor(place));
    const [one, next] = [colours[low], colours[low + 1]].map(partsOf);
    return pixelOf(one.map((part, at) => part + (next[at] - part) * (place - low)));
  });
}

/** Red, green and blue of a colour in hexadecimal digits, from 0 to 255. */
function partsOf(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** Red, green, blue and opacity as one number, in the order of the bytes of a picture. */
function pixelOf([red, green, blue], opacity = 255) {
  return ((opacity << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
}

/** The value at a place between given ones, [place, value] in ascending order. */
function between(points, place) {
  const next = points.findIndex(([at]) => at >= place);
  if (next < 0) return points[points.length - 1][1];
  if (next === 0) return points[0][1];
  const [[from, low], [to, high]] = points.slice(next - 1, next + 1);
  return low + ((high - low) * (place - from)) / (to - from);
}

/** The ends of the colours of a density, in even shares, if a cell holds `even` queens on average.

With few queens per cell the scale is wider: by chance, counts differ from the average by about its square root. */
function scaleOf(even) {
  return even < 20 ? [0, 2] : [0.4, 1.6];
}
