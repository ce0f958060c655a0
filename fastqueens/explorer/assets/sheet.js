// The sheet that is saved or printed: the whole board as it is shown, above a line of words.
"use strict";

/** Pixels of a side of the board on the sheet, and of the side on a screen whose sizes of dots and lines it has. */
const SHEET = 2400;
const SHEET_ON_SCREEN = 800;

/** Put the sheet on paper into the page, which only prints show. */
function preparePrint(explorer) {
  $("print").replaceChildren(sheetFor(explorer, "light"));
}

function sheetFor({ painter, board: { n } }, theme) {
  const verdict = $("verdict").textContent;
  const words = verdict === "A solution" ? "No two share a row, a column or a diagonal." : verdict;
  return sheetOf(boardOf(painter, theme, SHEET), lookOf(theme), counted(n, "queen"), words);
}

/** Return a canvas with the board of a painter, whose side has some pixels. */
function boardOf(painter, theme, side) {
  const canvas = document.createElement("canvas"), large = new Painter(canvas, painter.board, painter.instance);
  const { chosen, costs, hasDensity, mostPairs } = painter, ratio = side / SHEET_ON_SCREEN;
  Object.assign(large, { theme, chosen, costs, hasDensity, mostPairs, hasRulers: false, ratio });
  large.paint(wholeBoard(painter.board.n, SHEET_ON_SCREEN));
  return canvas;
}

/** The view of the whole board in a square. */
function wholeBoard(n, side) {
  return { left: 0, top: 0, scale: side / n, width: side, height: side };
}

/** Return a canvas with a picture of the board, and with a title and some words below. */
function sheetOf(board, look, title, words) {
  const sheet = document.createElement("canvas"), pen = sheet.getContext("2d"), side = board.width, below = side / 10;
  Object.assign(sheet, { width: side, height: side + below });
  pen.fillStyle = look.paper;
  pen.fillRect(0, 0, side, side + below);
  pen.drawImage(board, 0, 0);
  writeBelow(pen, side, look, title, words);
  return sheet;
}

/** Write a title on the left below a board, and some words on the right. */
function writeBelow(pen, side, look, title, words) {
  const below = side / 10, base = side + 0.63 * below, edge = side / 20;
  Object.assign(pen, { fillStyle: look.ink, font: `${0.45 * below}px ${HEADINGS}`, textAlign: "left" });
  pen.fillText(title, edge, base);
  Object.assign(pen, { font: `${0.25 * below}px ${FONTS}`, textAlign: "right" });
  pen.fillText(words, side - edge, base);
}
