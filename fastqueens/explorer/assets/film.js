// The film of a search: the board, its step and the curve, recorded while they are drawn.
"use strict";

/** The side of the board and the height of the curve, in pixels; bits of a second of film. */
const FILM = { side: 1080, curve: 180, bits: 8e6 };

/** The steps of a second of a short film, and the seconds: at least, at most, and of the last board. */
const FILM_STEPS = 4;
const FILM_SECONDS = { least: 2, most: 10, rest: 2 };

/** Films of weaves slow down, as in fastqueens/pictures/animation.py. */
const EASE = Math.log2(10);

const FILM_TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** The kind of film that the browser records, undefined if it records none. */
function filmType() {
  return window.MediaRecorder && FILM_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}

/** The seconds of the film of a course of steps. */
function secondsOf({ last }) {
  return Math.max(FILM_SECONDS.least, Math.min(FILM_SECONDS.most, last / FILM_STEPS)) + FILM_SECONDS.rest;
}

class Film {
  constructor(course, { instance, theme }) {
    const [canvas, picture] = [0, 1].map(() => document.createElement("canvas"));
    const board = new Board(course.boardAt(0), { canMove: true, instance });
    const painter = new Painter(picture, board, instance), ratio = FILM.side / SHEET_ON_SCREEN;
    Object.assign(painter, { theme, ratio, hasRulers: false, mostPairs: course.pairs[0] });
    Object.assign(this, { _course: course, _entry: 0, _board: board, _painter: painter, _picture: picture });
    Object.assign(this._canvas = canvas, { width: FILM.side, height: 1.1 * FILM.side + FILM.curve });
    this._draw();
  }

  /** Record the film, as long as it takes, and return it. A hidden page pauses it, because nothing is drawn there. */
  async record(progress, signal) {
    const options = { mimeType: filmType(), videoBitsPerSecond: FILM.bits };
    const recorder = new MediaRecorder(this._canvas.captureStream(30), options);
    const parts = [], ended = new Promise((resolve) => { recorder.onstop = resolve; });
    const pause = () => (document.hidden ? recorder.pause() : recorder.resume());
    recorder.ondataavailable = ({ data }) => parts.push(data);
    document.addEventListener("visibilitychange", pause);
    recorder.start();
    await this._play(progress, signal);
    document.removeEventListener("visibilitychange", pause);
    recorder.stop();
    await ended;
    for (const track of recorder.stream.getTracks()) track.stop();
    return new Blob(parts, { type: "video/webm" });
  }

  async _play(progress, signal) {
    const { last, n } = this._course, seconds = secondsOf(this._course), moving = seconds - FILM_SECONDS.rest;
    let shown = 0, before = performance.now();
    while (shown < seconds && !signal.aborted) {
      const now = await new Promise(requestAnimationFrame), time = Math.min(1, shown / moving);
      // A frame after a pause counts as a short one.
      shown += Math.max(0, Math.min(0.2, (now - before) / 1000));
      before = now;
      this._goTo(Math.round(last * (n <= PALE_UP_TO ? time : 1 - (1 - time) ** EASE)));
      this._draw();
      progress(shown / seconds);
    }
  }

  _goTo(entry) {
    const { _course: course, _board: board } = this;
    while (this._entry < entry) {
      this._entry += 1;
      const move = course.moveInto(this._entry);
      if (!move) board.setRows(course.boardAt(this._entry));
      else if (move.column >= 0) board.move(move.column, move.to);
    }
  }

  _draw() {
    const { _course: course, _canvas: { width, height }, _painter: painter, _board: { n, pairs } } = this;
    const pen = this._canvas.getContext("2d"), across = 0.45 * width, down = FILM.curve / 2 - 12;
    painter.paint(wholeBoard(n, SHEET_ON_SCREEN));
    pen.fillStyle = painter.look.paper;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(this._picture, 0, 0);
    const words = pairs ? counted(pairs, "attacking pair") : "a solution";
    writeBelow(pen, width, painter.look, counted(n, "queen"), `step ${number(course.stepOf(this._entry))}: ${words}`);
    pen.save();
    pen.translate(width / 20, 1.1 * width);
    pen.scale(2, 2);
    drawCurve(pen, course, across, down, getComputedStyle($("curve")));
    pen.fillStyle = painter.look.ink;
    const at = ((across - 2 * CURVE_MARGIN) * this._entry) / Math.max(1, course.last);
    pen.fillRect(CURVE_MARGIN + at - 1, 0, 2, down);
    pen.restore();
  }
}
