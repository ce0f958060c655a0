// The window onto the board: it moves and zooms (with Leaflet), and knows which part of it nothing covers.
"use strict";

/** Up to this n, squares can have 2^9 pixels, so that four queens fill a large window; on larger boards 2^7. */
const FEW = 16;

/** Seconds of a zoom by key or button, and of a flight to a queen. */
const ZOOM_SECONDS = 0.2;
const FLIGHT_SECONDS = 1.2;

/** Pixels between the whole board and what is next to it. */
const EDGE = 8;

/** The elements that cover the board. */
const COVERS = ["panel", "player", "tools", "where", "whole-page"];

const STILLNESS = matchMedia("(prefers-reduced-motion: reduce)");

class Viewport {
  /** `changed` is called when the view changes, `started` when it begins to move and `stopped` when it ends, and
  `headed` with the view {column, row, zoom, isWhole} to which it begins to move. */
  constructor({ changed, started, stopped, headed }) {
    Object.assign(this, { n: 1, goal: null, isWhole: false, _headed: headed });
    const crs = L.extend({}, L.CRS.Simple, { transformation: new L.Transformation(1, 0, 1, 0) });
    const map = this.map = L.map("map", {
      crs, zoomControl: false, attributionControl: false, keyboard: false, scrollWheelZoom: false,
      doubleClickZoom: false, zoomAnimation: false, fadeAnimation: false, zoomSnap: 0, center: [0, 0], zoom: 0,
    });
    this.container = map.getContainer();
    map.on("move zoom viewreset resize", changed);
    map.on("resize", () => this._setLimits());
    map.on("movestart", () => { this.isWhole = false; started(); });
    map.on("moveend", () => {
      this._panEnd = null;
      // A zoom consists of many small moves.
      if (!this._zooming) this.goal = null;
      stopped();
    });
    // This also stops a flight, without a "moveend".
    this.container.addEventListener("pointerdown", () => { this._zooming = this.goal = null; stopped(); });
  }

  /** Get ready for a board of another n: its view has to follow. */
  setSide(n) {
    const { map } = this;
    map.stop();
    Object.assign(this, { n, goal: null, _nearest: n <= FEW ? 9 : 7, _zooming: null, _panEnd: null });
    map.setMaxBounds(null).setMinZoom(-Infinity).setMaxZoom(this._nearest);
    map.setView([n / 2, n / 2], 0, { animate: false });
    map.setMaxBounds(L.latLngBounds([0, 0], [n, n]).pad(2));
    this._setLimits();
  }

  get view() {
    const size = this.map.getSize(), corner = this.map.containerPointToLatLng([0, 0]);
    return { left: corner.lng, top: corner.lat, scale: 2 ** this.zoom, width: size.x, height: size.y };
  }

  get zoom() {
    return this.map.getZoom();
  }

  /** Where the view is or moves to: {column, row, zoom, isWhole}. */
  get destination() {
    const { lng, lat } = this.map.getCenter();
    return this.goal || { column: lng, row: lat, zoom: this.zoom, isWhole: this.isWhole };
  }

  /** Limit zooming out: the board takes up at least a quarter of the window. */
  _setLimits() {
    const size = this.map.getSize();
    this.map.setMinZoom(Math.min(this._nearest - 2, Math.log2(Math.min(size.x, size.y) / this.n) - 2));
  }

  limited(zoom) {
    return Math.max(this.map.getMinZoom(), Math.min(this._nearest, zoom));
  }

  /** Show the whole board in the part of the window that nothing covers; it stays whole until the view changes. */
  showAll(isAnimated = true) {
    $("where").hidden = true;
    document.body.classList.add("whole");  // on phones, this shows more parts, which cover the window
    const { n } = this, { left, right, top, bottom } = this.freePart(n <= RULERS_UP_TO);
    const side = Math.min(right - left, bottom - top) - EDGE;
    this.goTo(n / 2, n / 2, Math.log2(Math.max(50, side) / n), isAnimated, { left, right, top, bottom });
  }

  /** The part of the window that nothing covers, with the longest shorter side, and if asked with room for rulers. */
  freePart(hasRulers = true) {
    const { x, y } = this.map.getSize(), covers = this.covers();
    const ends = (edge, end) => [end, ...covers.map((cover) => cover[edge])];
    let free = { left: 0, right: x, top: 0, bottom: y }, most = 0;
    for (const left of ends("right", 0)) for (const right of ends("left", x)) {
      for (const top of ends("bottom", 0)) for (const bottom of ends("top", y)) {
        const width = right - left, height = bottom - top, room = Math.min(width, height) + (width + height) / 1e4;
        const isCovered = (cover) => left < cover.right && right > cover.left && top < cover.bottom && bottom > cover.top;
        if (room > most && !covers.some(isCovered)) [free, most] = [{ left, right, top, bottom }, room];
      }
    }
    // Also on the right, so that the board is in the middle of a narrow window.
    return hasRulers ? { ...free, left: free.left + RULER, right: free.right - RULER, top: free.top + RULER } : free;
  }

  /** The rectangles that cover the window. */
  covers() {
    return COVERS.map((id) => $(id).getBoundingClientRect()).filter(({ width }) => width > 0);
  }

  /** Bring a place of the board to the middle of the free part of the window, or with `whole`, of that part. */
  goTo(column, row, zoom, isAnimated = true, whole = null) {
    const limited = this.limited(zoom), scale = 2 ** limited;
    const { left, right, top, bottom } = whole || this.freePart(), size = this.map.getSize();
    const away = [(left + right - size.x) / 2 / scale, (top + bottom - size.y) / 2 / scale];
    this.lookAt(column - away[0], row - away[1], limited, isAnimated, Boolean(whole));
  }

  /** Bring a place of the board to the middle of the window. */
  lookAt(column, row, zoom, isAnimated, isWhole = false) {
    this._zooming = null;
    this.map.stop();
    this._headFor({ column, row, zoom, isWhole });
    if (isAnimated && !STILLNESS.matches) this.map.flyTo([row, column], zoom, { duration: FLIGHT_SECONDS });
    else this.map.setView([row, column], zoom, { animate: false });
    this.isWhole = isWhole;
  }

  /** Move by shares of the window; a key that is pressed while the board still moves adds to that move. */
  panBy(x, y) {
    const { map } = this, size = map.getSize(), middle = () => map.project(map.getCenter());
    const end = (this._panEnd || middle()).add([x * size.x, y * size.y]);
    this.goal = null;
    map.stop();
    this._panEnd = end;
    map.panBy(end.subtract(middle()), { animate: !STILLNESS.matches, duration: 0.15 });
  }

  /** Zoom around a point of the window, which stays over its square; smoothly unless reduced motion is preferred. */
  zoomBy(levels, around = null) {
    const size = this.map.getSize(), point = around || L.point(size.x / 2, size.y / 2), running = this._zooming;
    const target = this.limited((running ? running.target : this.zoom) + levels);
    // The map rounds its corner to whole pixels at each frame, so continuing from there would drift.
    const isSame = running && running.point.distanceTo(point) < 1;
    const anchor = isSame ? running.anchor : this.map.containerPointToLatLng(point);
    this.map.stop();
    this._zooming = { target, point, anchor, last: performance.now() };
    this._headFor(this._zoomedTo(target));
    if (STILLNESS.matches) this._zoomOn(0);
    else if (!running) requestAnimationFrame((now) => this._zoomOn(now));
  }

  _zoomOn(now) {
    if (!this._zooming) return;
    const { target, last } = this._zooming, { zoom } = this;
    const share = 1 - Math.exp((-3 * Math.max(1, now - last)) / 1000 / ZOOM_SECONDS);
    const isLast = Math.abs(target - zoom) < 0.01 || STILLNESS.matches;
    const next = this._zoomedTo(isLast ? target : zoom + (target - zoom) * share);
    this._zooming = isLast ? null : { ...this._zooming, last: now };
    this.map.setView([next.row, next.column], next.zoom, { animate: false });
    if (!isLast) requestAnimationFrame((later) => this._zoomOn(later));
  }

  /** The view {column, row, zoom} that the running zoom passes or ends at. */
  _zoomedTo(zoom) {
    const { point, anchor } = this._zooming, size = this.map.getSize(), scale = 2 ** zoom;
    return {
      column: anchor.lng + (size.x / 2 - point.x) / scale, row: anchor.lat + (size.y / 2 - point.y) / scale, zoom,
    };
  }

  _headFor(goal) {
    this.goal = goal;
    this._headed(goal);
  }
}
