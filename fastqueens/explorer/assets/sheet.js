// The sheet that is saved or printed: the whole board as it is shown, above a line of words.
"use strict";

/** Pixels of a side of the board on the sheet, and of the side on a screen whose sizes of dots and lines it has. */
const SHEET = 2400;
const SHEET_ON_SCREEN = 800;

function savePicture(explorer) {
  sheetFor(explorer, explorer.painter.theme).toBlob((blob) => {
    const name = `${explorer.board.n}-queens.png`;
    Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name }).click();
    explorer.say(`Saved ${name}, a picture of the board.`);
  });
}

/** Put the sheet on paper into the page, which only prints show. */
function preparePrint(explorer) {
  $("print").replaceChildren(sheetFor(explorer, "light"));
}

function sheetFor({ painter, board: { n } }, theme) {
  const verdict = $("verdict").textContent;
  const words = verdict === "A solution" ? "No two share a row, a column or a diagonal." : verdict;
  return sheetOf(painter, n, theme, counted(n, "queen"), words);
}

/** Return a canvas with the board of a painter, and with the title and some words below. */
function sheetOf(painter, n, theme, title, words) {
  const board = document.createElement("canvas"), sheet = document.createElement("canvas");
  const large = new Painter(board, painter.board, painter.instance), { chosen, costs, hasDensity, mostPairs } = painter;
  Object.assign(large, { theme, chosen, costs, hasDensity, mostPairs, hasRulers: false, ratio: SHEET / SHEET_ON_SCREEN });
  large.paint({ left: 0, top: 0, scale: SHEET_ON_SCREEN / n, width: SHEET_ON_SCREEN, height: SHEET_ON_SCREEN });
  const { look } = large, pen = sheet.getContext("2d"), edge = SHEET / 20, below = SHEET / 10;
  Object.assign(sheet, { width: SHEET, height: SHEET + below });
  pen.fillStyle = look.paper;
  pen.fillRect(0, 0, SHEET, SHEET + below);
  pen.drawImage(board, 0, 0);
  const base = SHEET + 0.63 * below;
  Object.assign(pen, { fillStyle: look.ink, font: `${0.45 * below}px ${HEADINGS}` });
  pen.fillText(title, edge, base);
  Object.assign(pen, { font: `${0.25 * below}px ${FONTS}`, textAlign: "right" });
  pen.fillText(words, SHEET - edge, base);
  return sheet;
}
