// "Take it home": the dialog that saves pictures, the board and the film of a search.
"use strict";

/** Pixels of the width of A3 at 300 dpi, which phones can draw. */
const A3_WIDTH = 3508;

/** The ends of names, and what makes the files, by the buttons that save. */
const SAVED = {
  "save-picture": [".png", (explorer) => pngOf(sheetFor(explorer, explorer.theme))],
  "save-print": ["-a3.png", ({ painter, theme }) => pngOf(boardOf(painter, theme, A3_WIDTH))],
  "save-shapes": [".svg", ({ painter }) => new Blob([svgOf(painter)], { type: "image/svg+xml" })],
  "save-text": [".txt", ({ board }) => new Blob([board.rows.join("\n"), "\n"], { type: "text/plain" })],
  "save-array": [".npy", ({ board }) => arrayOf(board.rows)],
  "save-film": [".webm", ({ _player: { course }, painter }, ...others) => filmOf(course, painter, ...others)],
};

class Saving {
  constructor(explorer) {
    Object.assign(this, { _explorer: explorer, _dialog: $("save"), _stop: null });
    for (const [id, [suffix, make]] of Object.entries(SAVED)) $(id).onclick = () => this._save(suffix, make);
    $("save-cancel").onclick = () => this._stop.abort();
    this._dialog.onclose = () => this._stop && this._stop.abort();
  }

  open() {
    const { board, board: { n }, _player: player } = this._explorer;
    $("save-shapes").hidden = n > SHAPES_UP_TO;
    $("no-shapes").hidden = n <= SHAPES_UP_TO;
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

  /** Save what `make` makes, which can tell the share that is done, and stop at a signal. */
  async _save(suffix, make) {
    if (this._stop) return;
    const { signal } = this._stop = new AbortController(), name = this._nameWith(suffix);
    this._tell(`Making ${name} ...`, true);
    try {
      await painted();
      const blob = await make(this._explorer, (share) => { $("save-progress").value = share; }, signal);
      if (!signal.aborted) download(blob, name);
      this._tell(signal.aborted ? "Cancelled; nothing was saved." : `Saved ${name}.`);
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

/** Resolve after the page has been painted. */
function painted() {
  return new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
}

function pngOf(canvas) {
  const problem = new Error("the browser has too little memory for the picture.");
  return new Promise((resolve, reject) => { canvas.toBlob((blob) => (blob ? resolve(blob) : reject(problem))); });
}

/** The board as an array of NumPy, in version 1.0 of its format: int32, the lowest byte first. */
function arrayOf(rows) {
  const head = `{'descr': '<i4', 'fortran_order': False, 'shape': (${rows.length},), }`, length = 128 - 10;
  const start = Uint8Array.of(0x93, ...[..."NUMPY"].map((letter) => letter.charCodeAt(0)), 1, 0, length, 0);
  return new Blob([start, `${head.padEnd(length - 1)}\n`, Int32Array.from(rows)], { type: "application/octet-stream" });
}
