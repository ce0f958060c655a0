// The lens: it enlarges the board under the pointer or in the middle of the window, as posters of large boards do.
"use strict";

/** Boards from this n on have a lens. */
const LENSES_FROM = 20000;

/** The columns in a lens of the largest power, about, if it has this share of the width of the board. */
const LENS_COLUMNS = 15;
const LENS_SHARE = 0.25;

/** Pixels up to which a queen comes to the middle of a lens, and pixels between a finger and the lens above it. */
const SNAP = 8;
const ABOVE_FINGER = 32;

const LEAST_POWER = 2;

const ROUNDED = { maximumSignificantDigits: 1, roundingMode: "halfEven", useGrouping: false };

/** How many times lenses enlarge a board of n. */
function powersOf(n) {
  const round = new Intl.NumberFormat("en", ROUNDED), largest = (LENS_SHARE * n) / LENS_COLUMNS;
  return [1 / 3, 2 / 3, 1].map((root) => Number(round.format(largest ** root)));
}

class Lens {
  constructor(viewport) {
    Object.assign(this, { _viewport: viewport, _lens: $("lens"), _powers: [], _power: -1 });
    const on = (act, ...kinds) => kinds.forEach((kind) => viewport.container.addEventListener(kind, act));
    on((event) => this._follow(event), "pointerdown", "pointermove");
    on((event) => this._leave(event), "pointerup", "pointercancel", "pointerleave");
    on(({ key }) => key.startsWith("Arrow") && this._moveTo(null), "keydown");
  }

  /** Enlarge the board of another painter, in the same power if it is large enough. */
  show(painter) {
    const { board, instance } = this._painter = painter;
    this._powers = board.n < LENSES_FROM ? [] : powersOf(board.n);
    this._large = new LensPainter(this._lens.querySelector("canvas"), board, instance);
  }

  /** How many times the lens enlarges the board in the window: its power, or less if squares are large; 0 if off. */
  get times() {
    const most = this._lens.offsetWidth / LENS_COLUMNS / this._viewport.view.scale;
    const times = Math.min(this._powers[this._power] || 0, Number(most.toPrecision(2)));
    return times < LEAST_POWER ? 0 : times;
  }

  /** The column of the queen nearest to the middle of the lens; null if the lens shows none. */
  get queen() {
    const half = this._large.view.width / 2;
    return this.times ? this._large.queenAt(half, half, half) : null;
  }

  /** Take the next power that makes a difference, or remove the lens; return this in words. */
  next() {
    const before = this.times;
    this._power += 1;
    if (this._power === this._powers.length || this.times === before) this._power = -1;
    this.paint();
    $("magnify").setAttribute("aria-pressed", String(this._power >= 0));
    if (this.times) return `Lens: \u00d7 ${number(this.times)}.`;
    return before ? "The lens is off." : "Zoom out to use the lens.";
  }

  paint() {
    const { times, _lens: lens, _painter: { theme, chosen, moving, hasDensity, mostPairs } } = this;
    lens.classList.toggle("on", times > 0);
    if (!times) return;
    const { view } = this._viewport, { x, y, isFinger } = this._point || { x: view.width / 2, y: view.height / 2 };
    const side = lens.offsetWidth, half = side / 2, scale = times * view.scale;
    const [column, row] = this._placeAt(view.left + x / view.scale, view.top + y / view.scale, side / scale);
    Object.assign(this._large, { theme, chosen, moving, hasDensity, mostPairs, hasRulers: false });
    this._large.paint({ left: column - half / scale, top: row - half / scale, scale, width: side, height: side });
    const top = isFinger ? Math.max(0, y - side - ABOVE_FINGER) : y - half;
    lens.style.transform = `translate(${Math.round(x - half)}px, ${Math.round(top)}px)`;
    lens.querySelector("b").textContent = `\u00d7 ${number(times)}`;
  }

  /** The middle of a lens at a place: a queen next to the place if fewer than one is in view on average. */
  _placeAt(column, row, across) {
    const { board: { rows, n }, view: { scale } } = this._painter;
    const nearest = across * across > n ? null : nearestQueen(rows, column, row, SNAP / scale);
    return nearest === null ? [column, row] : [nearest + 0.5, rows[nearest] + 0.5];
  }

  /** The lens is around a mouse. It is above a finger, which moves it instead of the board. */
  _follow(event) {
    const { map } = this._viewport, isFinger = event.pointerType === "touch";
    if (!event.isPrimary || (isFinger && !this.times)) return;
    if (isFinger) map.dragging.disable();
    this._moveTo({ ...map.mouseEventToContainerPoint(event), isFinger });
  }

  /** The lens stays where a finger leaves it. Without a mouse over the board, it is in the middle. */
  _leave({ type, pointerType }) {
    this._viewport.map.dragging.enable();
    if (pointerType === "touch") this._moveTo(this._point && { ...this._point, isFinger: false });
    else if (type === "pointerleave") this._moveTo(null);
  }

  _moveTo(point) {
    this._point = point;
    cancelAnimationFrame(this._frame);
    this._frame = requestAnimationFrame(() => this.paint());
  }
}

/** Draws threads in full on paper, and if they are seen one by one, as wide as on a board of the columns in view. */
class LensPainter extends Painter {
  paint(view) {
    this._cloth.across = this._cloth.isSilk(1 / view.scale / this._ratio) ? null : Math.ceil(view.width / view.scale);
    super.paint(view);
  }

  get _contrast() {
    return 0;
  }

  get _strength() {
    return this._solved;
  }
}

/** The column of the queen nearest to a place, null if none is within a distance. */
function nearestQueen(rows, column, row, distance) {
  const first = Math.floor(column);
  let nearest = null, least = distance;
  for (let away = 0; away <= least + 1; away += 1) {
    for (const at of [first - away, first + away]) {
      if (at < 0 || at >= rows.length) continue;
      const found = Math.hypot(at + 0.5 - column, rows[at] + 0.5 - row);
      if (found <= least) [nearest, least] = [at, found];
    }
  }
  return nearest;
}
