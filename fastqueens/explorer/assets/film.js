// The film of a search: the board, its step and the curve, recorded while they are drawn.
"use strict";

/** The side of the board and the height of the curve, in pixels; bits of a second of film. */
const FILM = { side: 1080, curve: 180, bits: 8e6 };

/** The steps of a second of a short film, and the seconds: at least, at most, and of the last board. */
const FILM_STEPS = 4;
const FILM_SECONDS = { least: 2, most: 10, rest: 2 };

const FILM_TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** The kind of film that the browser records, undefined if it records none. */
function filmType() {
  return window.MediaRecorder && FILM_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}

/** The seconds of the film of a course of steps. */
function secondsOf({ last }) {
  return Math.max(FILM_SECONDS.least, Math.min(FILM_SECONDS.most, last / FILM_STEPS)) + FILM_SECONDS.rest;
}

/** Record the film of a course in the theme of a painter, as long as it takes, and return it. */
async function filmOf(course, { instance, theme }, progress, signal) {
  const [film, picture] = [0, 1].map(() => document.createElement("canvas"));
  const board = new Board(course.boardAt(0), { canMove: true, instance });
  const painter = new Painter(picture, board, instance);
  Object.assign(film, { width: FILM.side, height: 1.1 * FILM.side + FILM.curve });
  Object.assign(painter, { theme, ratio: FILM.side / SHEET_ON_SCREEN, hasRulers: false, mostPairs: course.pairs[0] });
  const draw = (entry) => {
    board.setRows(course.boardAt(entry));
    painter.paint(wholeBoard(board.n, SHEET_ON_SCREEN));
    drawFrame(film.getContext("2d"), picture, painter, course, entry);
  };
  draw(0);
  const recorder = new MediaRecorder(film.captureStream(30), { mimeType: filmType(), videoBitsPerSecond: FILM.bits });
  const parts = [], ended = new Promise((resolve) => { recorder.onstop = resolve; });
  const pause = () => (document.hidden ? recorder.pause() : recorder.resume());
  recorder.ondataavailable = ({ data }) => parts.push(data);
  document.addEventListener("visibilitychange", pause);
  recorder.start();
  await play(course, draw, progress, signal);
  document.removeEventListener("visibilitychange", pause);
  recorder.stop();
  await ended;
  for (const track of recorder.stream.getTracks()) track.stop();
  return new Blob(parts, { type: "video/webm" });
}

/** Draw the frames of a film. A hidden page pauses it, because nothing is drawn there. */
async function play(course, draw, progress, signal) {
  const seconds = secondsOf(course), moving = seconds - FILM_SECONDS.rest;
  let shown = 0, before = performance.now();
  while (shown < seconds && !signal.aborted) {
    const now = await new Promise(requestAnimationFrame);
    // A frame after a pause counts as a short one.
    shown += Math.max(0, Math.min(0.2, (now - before) / 1000));
    before = now;
    draw(Math.round(course.last * Math.min(1, shown / moving)));
    progress(shown / seconds);
  }
}

/** Draw the picture of a board, its step, and the curve with a mark at it. */
function drawFrame(pen, picture, { look, board: { n, pairs } }, course, entry) {
  const { width, height } = pen.canvas, across = 0.45 * width, down = FILM.curve / 2 - 12;
  pen.fillStyle = look.paper;
  pen.fillRect(0, 0, width, height);
  pen.drawImage(picture, 0, 0);
  const words = pairs ? counted(pairs, "attacking pair") : "a solution";
  writeBelow(pen, width, look, counted(n, "queen"), `step ${number(course.stepOf(entry))}: ${words}`);
  pen.save();
  pen.translate(width / 20, 1.1 * width);
  pen.scale(2, 2);
  drawCurve(pen, course, across, down, getComputedStyle($("curve")));
  pen.fillStyle = look.ink;
  pen.fillRect(CURVE_MARGIN + ((across - 2 * CURVE_MARGIN) * entry) / Math.max(1, course.last) - 1, 0, 2, down);
  pen.restore();
}
