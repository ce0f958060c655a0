// "Take it home": the dialog that saves pictures, the board and the film of a search.
"use strict";

/** Pixels of the width of A3 at 300 dpi, which phones can draw, and pixels of a metre on paper then. */
const A3_WIDTH = 3508;
const PER_METRE = 11811;

/** The rows that become text at a time: the page stays responsive. */
const ROWS_AT_A_TIME = 1 << 18;

/** The ends of names, by the buttons that save. */
const SAVED = {
  "save-picture": ".png", "save-print": "-a3.png", "save-shapes": ".svg", "save-text": ".txt", "save-array": ".npy",
  "save-film": ".webm",
};

const NO_SHAPES = `SVG is for up to ${number(SHAPES_UP_TO)} queens: the threads of more are too fine for shapes.`;

class Saving {
  constructor(explorer) {
    Object.assign(this, { _explorer: explorer, _dialog: $("save"), _stop: null });
    for (const [id, suffix] of Object.entries(SAVED)) $(id).onclick = () => this._save(id, suffix);
    $("save-cancel").onclick = () => this._stop.abort();
    this._dialog.onclose = () => this._stop && this._stop.abort();
  }

  open() {
    const { board, board: { n }, _player: player } = this._explorer;
    $("save-shapes").hidden = n > SHAPES_UP_TO;
    $("no-shapes").hidden = n <= SHAPES_UP_TO;
    $("no-shapes").textContent = NO_SHAPES;
    $("board-choices").hidden = n <= HANDS_UP_TO && board.columns.length < n;
    $("film-choices").hidden = !(player && filmType());
    if (player) $("film-seconds").textContent = Math.round(secondsOf(player.course));
    this._tell("");
    // Focus returns to where it is now.
    if (document.activeElement === document.body) $("picture").focus();
    this._dialog.showModal();
  }

  /** The name of a file: n, and unless the board was changed by hand, the algorithm and the seed. */
  _nameWith(suffix) {
    const { board: { n }, source, hands } = this._explorer;
    const { algorithm, seed } = (!(hands && hands.hasChanged) && source) || {};
    return `${n}-queens${algorithm ? `-${algorithm}` : ""}${seed === undefined ? "" : `-seed-${seed}`}${suffix}`;
  }

  /** The contents of a file. `progress` is called with the share that is done, and `signal` aborts. */
  _contents(id, progress, signal) {
    const { painter, painter: { theme }, board: { rows }, _player: player } = this._explorer;
    if (id === "save-picture") return pngOf(sheetFor(this._explorer, theme));
    if (id === "save-print") return pngOf(boardOf(painter, theme, A3_WIDTH)).then(withDensity);
    if (id === "save-shapes") return new Blob([svgOf(painter)], { type: "image/svg+xml" });
    if (id === "save-text") return textOf(rows, progress, signal);
    return id === "save-array" ? arrayOf(rows) : new Film(player.course, painter).record(progress, signal);
  }

  async _save(id, suffix) {
    if (this._stop) return;
    const { signal } = this._stop = new AbortController(), name = this._nameWith(suffix);
    this._tell(id === "save-film" ? "Recording the film ..." : `Writing ${name} ...`, true);
    try {
      await painted();
      const blob = await this._contents(id, (share) => { $("save-progress").value = share; }, signal);
      if (!signal.aborted) download(blob, name);
      this._tell(signal.aborted ? "Cancelled; nothing was saved." : `Saved ${name}, ${sizeOf(blob.size)}.`);
    } catch (error) {
      this._tell(`${name} could not be saved: ${error.message}`);
    }
    this._stop = null;
  }

  _tell(words, isRunning = false) {
    $("save-status").textContent = words;
    $("save-running").hidden = !isRunning;
    $("save-progress").removeAttribute("value");
  }
}

function download(blob, name) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

function sizeOf(bytes) {
  return bytes < 1e6 ? `${number(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Resolve after the page has been painted. */
function painted() {
  return new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
}

function pngOf(canvas) {
  const problem = new Error("the browser has too little memory for the picture.");
  return new Promise((resolve, reject) => { canvas.toBlob((blob) => (blob ? resolve(blob) : reject(problem))); });
}

/** Return a PNG picture with a note, after its 33 first bytes, that it has 300 dpi. */
async function withDensity(png) {
  const chunk = new DataView(new ArrayBuffer(21));
  [9, 0x70485973, PER_METRE, PER_METRE].forEach((value, at) => chunk.setUint32(4 * at, value));
  chunk.setUint8(16, 1);
  chunk.setUint32(17, checksumOf(new Uint8Array(chunk.buffer, 4, 13)));
  return new Blob([png.slice(0, 33), chunk, png.slice(33)], { type: "image/png" });
}

/** The CRC-32 of some bytes. */
function checksumOf(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** The board as text, one row per line. */
async function textOf(rows, progress, signal) {
  const parts = [];
  for (let from = 0; from < rows.length && !signal.aborted; from += ROWS_AT_A_TIME) {
    parts.push(new Blob([`${rows.subarray(from, from + ROWS_AT_A_TIME).join("\n")}\n`]));
    progress(Math.min(1, (from + ROWS_AT_A_TIME) / rows.length));
    await painted();
  }
  return new Blob(parts, { type: "text/plain" });
}

/** The board as an array of NumPy, in version 1.0 of its format: int32, the lowest byte first. */
function arrayOf(rows) {
  const head = `{'descr': '<i4', 'fortran_order': False, 'shape': (${rows.length},), }`, length = 128 - 10;
  const start = Uint8Array.of(0x93, ...[..."NUMPY"].map((letter) => letter.charCodeAt(0)), 1, 0, length, 0);
  return new Blob([start, `${head.padEnd(length - 1)}\n`, Int32Array.from(rows)], { type: "application/octet-stream" });
}
