// The page: a board in a window that moves and zooms (with Leaflet), messages, buttons and keys.
"use strict";

const $ = (id) => document.getElementById(id);

/** Pixels per square at the largest zoom, as a power of two. */
const NEAREST = 7;

/** Seconds of a zoom by key or button, and of a flight to a queen. */
const ZOOM_SECONDS = 0.2;
const FLIGHT_SECONDS = 1.2;

/** A click that zooms in shows everything 2^2 times as large. */
const CLICK_LEVELS = 2;

/** The player begins with the costs of all moves on boards up to this n. */
const COSTS_UP_TO = 16;

/** Milliseconds between the first picture and the check of the board. */
const CHECK_AFTER = 20;

/** A random queen is shown with about this many others, or the whole board if it has not many more. */
const SURROUNDINGS = 32;

/** Pixels between the whole board and what is next to it. */
const EDGE = 8;

/** Inside a notebook, the page has neither an address nor a history. */
const HAS_ADDRESS = location.protocol !== "about:";

const STILLNESS = matchMedia("(prefers-reduced-motion: reduce)");

/** The parts of the page in which one types. */
const FIELDS = "input[inputmode], select";

class Explorer {
  constructor(board, facts, instance) {
    this.board = board;
    this._facts = facts;
    this._verdict = this._message = "";
    this._map = this._newMap();
    this._painter = new Painter(this._canvas, board);
    this._painter.instance = instance;
    document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
    if (board.n <= HANDS_UP_TO) {
      this._hands = new Hands(this._map, board, this._painter, {
        pause: () => this._player && this._player.pause(),
        choose: (column) => {
          const { chosen } = this._painter;
          if (chosen && (chosen.isEmpty || chosen.column !== column)) this.deselect();
        },
        changed: () => this._paintSoon(),
      });
    }
    this._toldChange = board.changes;
    this._setUpLook();
    this._setUpMoving();
    this._setUpForm();
    this._setUpKeys();
    this._smallMap = new SmallMap($("small-map"), board.n, (column, row) => {
      this._leaveView();
      this._goTo(column, row, this._map.getZoom());
    });
    this._nearest = new NearestQueen(board);
    $("nearest").onclick = () => this.choose(this._nearestColumn, true);
    this._nearestColumn = null;
    this._showFacts();
    // As wide and high as in explore.css.
    $("panel").open = matchMedia("(min-width: 56em) and (min-height: 30em)").matches;
    if (!this._followAddress()) this.showAll(false);
    window.addEventListener("hashchange", () => this._followAddress());
    const observer = new ResizeObserver(() => this._refit());
    for (const id of ["map", "panel", "player"]) observer.observe($(id));
    document.fonts.ready.then(() => this._paintSoon());
    // Now, not in the next frame: no event may find a painter without a view.
    this._paint();
  }

  /** Whether everything is drawn and nothing moves; read by the tests. */
  get isComplete() {
    return !this._frame && !this._goal;
  }

  get view() {
    const size = this._map.getSize(), corner = this._map.containerPointToLatLng([0, 0]);
    return {
      left: corner.lng, top: corner.lat, scale: 2 ** this._map.getZoom(), width: size.x, height: size.y,
    };
  }

  play(course) {
    const show = (moving) => {
      this._painter.moving = moving;
      this._paintSoon();
      this._writeAddress();
    };
    const visit = (column, row) => this._goTo(column + 0.5, row + 0.5, this._map.getZoom(), false);
    this._player = new Player(course, this.board, show, visit, this._step);
    this._toldChange = null;
    if (this.board.n <= COSTS_UP_TO) $("costs").click();
    this._refit();
  }

  // The map

  _newMap() {
    const n = this.board.n;
    const crs = L.extend({}, L.CRS.Simple, { transformation: new L.Transformation(1, 0, 1, 0) });
    const map = L.map("map", {
      crs, zoomControl: false, attributionControl: false, keyboard: false, scrollWheelZoom: false,
      doubleClickZoom: false, zoomAnimation: false, fadeAnimation: false, zoomSnap: 0, maxZoom: NEAREST,
      maxBounds: L.latLngBounds([0, 0], [n, n]).pad(2),
    });
    this._canvas = document.createElement("canvas");
    this._canvas.className = "board";
    map.getContainer().prepend(this._canvas);
    map.setView([n / 2, n / 2], 0, { animate: false });
    this._setLimits(map);
    map.on("move zoom viewreset resize", () => this._paintSoon());
    map.on("resize", () => { this._pointer = null; this._setLimits(map); });
    map.on("move", () => { if (this._message) this._say(""); });
    // Not during a move: a view on the way must not end up in the history.
    map.on("movestart", () => { clearTimeout(this._addressTimer); this._isWhole = false; });
    map.on("moveend", () => {
      // A zoom consists of many small moves.
      if (!this._zooming) this._goal = null;
      this._writeAddress();
    });
    map.on("click", (event) => this._click(event));
    return map;
  }

  /** Limit zooming out: the board takes up at least a quarter of the window. */
  _setLimits(map) {
    const size = map.getSize();
    map.setMinZoom(Math.min(NEAREST - 2, Math.log2(Math.min(size.x, size.y) / this.board.n) - 2));
  }

  /** Show the whole board in the part of the window that nothing covers; it stays whole until the view changes. */
  showAll(isAnimated = true) {
    $("where").hidden = true;
    const { n } = this.board, { left, right, top, bottom } = this._freePart();
    const side = Math.min(right - left, bottom - top) - EDGE;
    this._goTo(n / 2, n / 2, Math.log2(Math.max(50, side) / n), isAnimated, true);
  }

  /** The window or a panel has another size: keep the whole board whole, and the chosen queen visible. */
  _refit() {
    const isWhole = this._isWhole;
    // In print, there is no map.
    if (!$("map").clientWidth || (this._hands && this._hands._held)) return;
    this._map.invalidateSize({ animate: false });
    if (isWhole) this.showAll(false);
    else this._uncover();
  }

  goHome() {
    this._leaveView();
    this.showAll();
  }

  /** The rectangles of what covers the window. */
  _covers() {
    const parts = ["panel", "player", "zoom", "where", "pointer-place"];
    return parts.map((id) => $(id).getBoundingClientRect()).filter(({ width }) => width > 0);
  }

  /** The part of the window that nothing covers, with the longest shorter side and room for the rulers, in pixels. */
  _freePart() {
    const { x, y } = this._map.getSize(), covers = this._covers();
    const ends = (edge, end) => [end, ...covers.map((cover) => cover[edge])];
    let free = { left: 0, right: x, top: 0, bottom: y }, most = 0;
    for (const left of ends("right", 0)) for (const right of ends("left", x)) {
      for (const top of ends("bottom", 0)) for (const bottom of ends("top", y)) {
        const width = right - left, height = bottom - top, room = Math.min(width, height) + (width + height) / 1e4;
        const isCovered = (cover) => left < cover.right && right > cover.left && top < cover.bottom && bottom > cover.top;
        if (room > most && !covers.some(isCovered)) [free, most] = [{ left, right, top, bottom }, room];
      }
    }
    return { ...free, left: free.left + RULER, top: free.top + RULER };
  }

  /** Bring a place of the board to the middle of the free part of the window. */
  _goTo(column, row, zoom, isAnimated = true, isWhole = false) {
    const limited = Math.max(this._map.getMinZoom(), Math.min(NEAREST, zoom)), scale = 2 ** limited;
    const { left, right, top, bottom } = this._freePart(), size = this._map.getSize();
    const away = [(left + right - size.x) / 2 / scale, (top + bottom - size.y) / 2 / scale];
    this._lookAt(column - away[0], row - away[1], limited, isAnimated, isWhole);
  }

  /** Bring a place of the board to the middle of the window. */
  _lookAt(column, row, zoom, isAnimated, isWhole = false) {
    this._zooming = null;
    this._map.stop();
    this._headFor({ column, row, zoom, isWhole });
    if (isAnimated && !STILLNESS.matches) this._map.flyTo([row, column], zoom, { duration: FLIGHT_SECONDS });
    else this._map.setView([row, column], zoom, { animate: false });
    this._isWhole = isWhole;
  }

  /** Go to the chosen queen if something covers it, unless the map is on its way. */
  _uncover() {
    const { chosen } = this._painter;
    if (!chosen || this._goal) return;
    const { x, y } = this._map.latLngToContainerPoint([chosen.row + 0.5, chosen.column + 0.5]);
    const isUnder = (part) => x > part.left - 12 && x < part.right + 12 && y > part.top - 12 && y < part.bottom + 12;
    if (this._covers().some(isUnder)) this._goTo(chosen.column + 0.5, chosen.row + 0.5, this._map.getZoom());
  }

  /** Go to a queen, and zoom in if its square is too small to see. */
  visit(column, row, zoom = Math.max(4.5, this._map.getZoom())) {
    this._goTo(column + 0.5, row + 0.5, zoom);
  }

  /** Choose a random queen, and show it with its surroundings. */
  chooseRandom() {
    const { n } = this.board, isSmall = n <= 1.5 * SURROUNDINGS;
    if (isSmall) this.goHome();
    const column = Math.floor(Math.random() * n);
    const scale = this._nearest.scaleFor(SURROUNDINGS, column, this.board.rows[column], this._freePart());
    this.choose(column, !isSmall, undefined, Math.log2(scale || 16));
  }

  /** Zoom around a point of the window, which stays over its square; smoothly unless reduced motion is preferred. */
  zoomBy(levels, around = null) {
    const size = this._map.getSize(), point = around || L.point(size.x / 2, size.y / 2), running = this._zooming;
    const from = running ? running.target : this._map.getZoom();
    const target = Math.max(this._map.getMinZoom(), Math.min(NEAREST, from + levels));
    // The map rounds its corner to whole pixels at each frame, so continuing from there would drift.
    const isSame = running && running.point.distanceTo(point) < 1;
    const anchor = isSame ? running.anchor : this._map.containerPointToLatLng(point);
    this._map.stop();
    this._zooming = { target, point, anchor, last: performance.now() };
    this._headFor(this._zoomedTo(target));
    if (STILLNESS.matches) this._zoomOn(0);
    else if (!running) requestAnimationFrame((now) => this._zoomOn(now));
  }

  _zoomOn(now) {
    if (!this._zooming) return;
    const { target, last } = this._zooming, zoom = this._map.getZoom();
    const share = 1 - Math.exp((-3 * Math.max(1, now - last)) / 1000 / ZOOM_SECONDS);
    const isLast = Math.abs(target - zoom) < 0.01 || STILLNESS.matches;
    const next = this._zoomedTo(isLast ? target : zoom + (target - zoom) * share);
    this._zooming = isLast ? null : { ...this._zooming, last: now };
    this._map.setView([next.row, next.column], next.zoom, { animate: false });
    if (!isLast) requestAnimationFrame((later) => this._zoomOn(later));
  }

  /** The view {column, row, zoom} that the running zoom passes or ends at. */
  _zoomedTo(zoom) {
    const { point, anchor } = this._zooming, size = this._map.getSize(), scale = 2 ** zoom;
    return {
      column: anchor.lng + (size.x / 2 - point.x) / scale, row: anchor.lat + (size.y / 2 - point.y) / scale, zoom,
    };
  }

  _paintSoon() {
    if (this._frame || !this._painter) return;
    this._frame = requestAnimationFrame(() => this._paint());
  }

  _paint() {
    cancelAnimationFrame(this._frame);
    this._frame = null;
    this._followBoard();
    this._painter.costs = this._costs();
    this._painter.paint(this.view);
    this._tellPointer();
    this._showPlace();
    this._showNearest();
    this._showLegend();
    this._showInstance();
  }

  // The address: "#column,row,zoom;queen=column;step=number", with zoom as the power of two of pixels per square

  /** Keep the current view in the browser's history, because a jump to another one follows. */
  _leaveView() {
    this._saveAddress();
    this._isLeaving = true;
  }

  /** Note the view {column, row, zoom} to which the map begins to move. A jump is recorded now, with this view. */
  _headFor(goal) {
    this._goal = goal;
    if (!this._isLeaving) return;
    this._isLeaving = false;
    const address = this._addressOf(goal);
    if (HAS_ADDRESS && address !== this._address) history.pushState(null, "", address);
    this._address = address;
  }

  _writeAddress() {
    clearTimeout(this._addressTimer);
    this._addressTimer = setTimeout(() => this._saveAddress(), 150);
  }

  /** Write the current view into the address, or during a flight the one where it ends. */
  _saveAddress() {
    clearTimeout(this._addressTimer);
    const { lng, lat } = this._map.getCenter();
    const view = { column: lng, row: lat, zoom: this._map.getZoom(), isWhole: this._isWhole };
    this._address = this._addressOf(this._goal || view);
    if (HAS_ADDRESS) history.replaceState(null, "", this._address);
  }

  _addressOf({ column, row, zoom, isWhole }) {
    const digits = Math.max(0, Math.ceil(zoom * 0.31) + 2);
    const { chosen } = this._painter, step = this._player ? this._player.step : this._step;
    const parts = [
      !isWhole && `${column.toFixed(digits)},${row.toFixed(digits)},${zoom.toFixed(3)}`,
      chosen && !chosen.isEmpty && `queen=${chosen.column}`, step && `step=${step}`,
    ];
    return `#${parts.filter(Boolean).join(";")}`;
  }

  _followAddress() {
    clearTimeout(this._addressTimer);
    this._isLeaving = false;
    const address = location.hash || "#";
    if (address === this._address) return true;
    const found = /^#(?:(-?[\d.]+),(-?[\d.]+),(-?[\d.]+))?;?(?:queen=(\d+))?;?(?:step=(\d+))?$/.exec(address);
    if (!found) return false;
    const [column, row, zoom, queen, step] = found.slice(1).map(Number);
    if (found[1] && ![column, row, zoom].every(Number.isFinite)) return false;
    this._address = address;
    this._step = step || 0;
    if (this._player && this._player.step !== this._step) this._player.toStep(this._step);
    if (queen >= 0 && queen < this.board.n) this.choose(queen);
    else this.deselect();
    if (!found[1]) this.showAll(false);
    else this._lookAt(column, row, Math.max(this._map.getMinZoom(), Math.min(NEAREST, zoom)), false);
    return true;
  }

  // The chosen queen

  /** Choose the queen at a click, or zoom in there as long as squares are tiny. */
  _click(event) {
    const { x, y } = event.containerPoint, isTouch = event.originalEvent.pointerType === "touch";
    this._pointer = event.containerPoint;
    this._tellPointer();
    const square = this._hands && this._hands.squareAt(event.originalEvent);
    if (square) {
      if (!this._hands.hasDragged) this.choose(square[0], false, square[1]);
      return;
    }
    const column = this._painter.queenAt(x, y, this._reach(isTouch));
    if (column !== null) this.choose(column);
    // A double click zooms by itself.
    else if (!this._painter.showsSquares && event.originalEvent.detail < 2 && this._isOnBoard(event.latlng)) {
      this._leaveView();
      this.zoomBy(CLICK_LEVELS, event.containerPoint);
    }
  }

  _isOnBoard({ lng, lat }) {
    return lng >= 0 && lat >= 0 && lng < this.board.n && lat < this.board.n;
  }

  /** The pixels from a queen within which a click is meant for it: while squares are tiny, a click must hit it. */
  _reach(isTouch) {
    const near = isTouch ? 24 : 12;
    return !this._painter.showsSquares ? Math.min(near, 0.75 * this._painter.queenSize()) : near;
  }

  chooseMiddle() {
    const { x, y } = this._map.getSize(), nearest = this._nearestColumn;
    const column = nearest === null ? this._painter.queenAt(x / 2, y / 2, Math.hypot(x, y)) : nearest;
    if (column !== null) this.choose(column, nearest !== null);
    else if (this._painter.showsDensity) this._say("Single queens are hidden. Switch Density off to see them.");
    else if (this._painter.showsQueens) this._say("There is no queen near the window.");
    else this._say("No single queens are visible. Zoom in.");
  }

  /** Show the lines of a queen, or of another square of its column, and go there if asked. */
  choose(column, isVisited = false, row, zoom) {
    const found = this.board.linesOf(column, row);
    if (isVisited) this._leaveView();
    this._showChosen(found);
    // A visit writes the address when it arrives.
    if (isVisited) this.visit(found.column, found.row, zoom);
    else this._writeAddress();
    this._refit();
    this._paintSoon();
  }

  deselect() {
    this._painter.chosen = null;
    $("chosen").hidden = true;
    this._say("");
    this._writeAddress();
    this._paintSoon();
  }

  _showChosen(found) {
    const { instance } = this._painter, asked = instance ? instance.wordsAt(found.column, found.row) : [];
    this._painter.chosen = found;
    $("chosen").hidden = false;
    const what = found.isEmpty ? "Square" : "Queen";
    $("chosen-title").textContent = `${what} in column ${number(found.column)}, row ${number(found.row)}`;
    for (const line of ["row", "sum", "difference"]) {
      const id = `on-${line}`, count = found[`on_${line}`];
      $(id).textContent = counted(count, found.isEmpty ? "queen" : "other");
      $(id).classList.toggle("attacked", count > 0);
    }
    const others = found.on_row + found.on_sum + found.on_difference;
    const listed = found.attackers.length;
    const drawn = listed < others ? ` The first ${number(listed)} are drawn in red.` :
      others === 1 ? " It is drawn in red." : " They are drawn in red.";
    const attacked = found.isEmpty ? this._hands.textOf(found) : others === 0
      ? `None of the other ${number(this.board.n - 1)} queens is on its three lines.`
      : `It attacks ${counted(others, "queen")}.${listed ? drawn : ""}`;
    $("chosen-verdict").textContent = asked.length ? `${attacked} On its square: ${asked.join(", ")}.` : attacked;
    const [attacks, none] = found.isEmpty ? ["attacked by", "no queen"] : ["attacks", "no other"];
    this._peek = `Column ${number(found.column)}, row ${number(found.row)}: ${attacks} ${others ? counted(others, "queen") : none}.`;
    this._say("");
  }

  /** Point to the nearest queen while none is in the free part of the window. */
  _showNearest() {
    const { view } = this, { n } = this.board, free = this._freePart();
    const isNeeded = this._painter.showsQueens && !this._painter.hasQueenIn(free);
    const [column, row] = [
      view.left + (free.left + free.right) / 2 / view.scale, view.top + (free.top + free.bottom) / 2 / view.scale,
    ];
    const inside = (place) => Math.max(0, Math.min(n - 1, place));
    const square = isNeeded ? this._nearest.to(inside(column), inside(row)) : null;
    this._nearestColumn = square && square[0];
    $("nearest").hidden = !square;
    if (!square) return;
    const { x, y } = this._map.latLngToContainerPoint([square[1] + 0.5, square[0] + 0.5]);
    pointArrow($("nearest"), free, x, y, Math.hypot(square[0] + 0.5 - column, square[1] + 0.5 - row));
  }

  // Messages

  async _showFacts() {
    const { n } = this.board, { name } = this._facts;
    document.title = `${number(n)} queens - fastqueens`;
    $("title").textContent = counted(n, "queen");
    $("about").textContent = this._facts.about;
    if (this._facts.trace) return;
    this._say("", name ? `Checking ${name} ...` : "Checking ...");
    // The picture comes first: checking 10 million queens takes a moment.
    await new Promise((resolve) => setTimeout(resolve, CHECK_AFTER));
    this._say(this._message, this._state());
  }

  /** What the board is, in a sentence. */
  _state() {
    const { conflicting, violated } = this.board.conflicting();
    return verdictOf(conflicting, violated, this._facts.instance);
  }

  /** Show a message until the view or the choice changes, or the verdict on the board if the message is empty. */
  _say(text, verdict = this._verdict) {
    [this._message, this._verdict] = [text, verdict];
    this._put("verdict", text || this._verdict);
    // In the closed panel.
    this._put("peek", text || (this._painter.chosen ? this._peek : this._verdict));
  }

  /** Write a text, unless it is there: screen readers read it when it changes. */
  _put(id, text) {
    if ($(id).textContent !== text) $(id).textContent = text;
  }

  /** Tell what the board is after a move of the player, and the lines of the chosen queen on it. */
  _followBoard() {
    const { board, _player: player } = this, { chosen } = this._painter, { changes } = board;
    if (this._toldChange === changes) return;
    this._toldChange = changes;
    const words = this._hands ? this._hands.words : "", isStep = player && !words, { name } = this._facts;
    $("reset").hidden = !words;
    if (player) player.tell(words);
    if (chosen) this._showChosen(board.linesOf(chosen.column, chosen.isEmpty ? chosen.row : undefined));
    const state = isStep && board.pairs ? `${counted(board.pairs, "attacking pair")} at this step, drawn in red.` : this._state();
    const text = words ? `${words[0].toUpperCase()}${words.slice(1)} ${state}`
      : isStep && name ? `${state} ${name}, step by step.` : state;
    this._say("", text);
  }

  /** The costs of all moves, or of those in the chosen column. */
  _costs() {
    const { chosen, hasCosts } = this._painter;
    if (!this._hands || !hasCosts) return null;
    const columns = chosen ? [chosen.column] : [...this.board.rows.keys()];
    return columns.map((column) => ({ column, costs: this.board.costsOf(column) }));
  }

  /** Show the square under the pointer, or in the middle while keys are in use, and the queens in its cell. */
  _tellPointer() {
    const size = this._map.getSize(), point = this._pointer || L.point(size.x / 2, size.y / 2);
    const place = this._map.containerPointToLatLng(point), held = this._hands && this._hands._held;
    // A queen that is held stays in its column.
    if (held) Object.assign(place, { lng: held.column, lat: this.board.rows[held.column] });
    const column = Math.floor(place.lng), row = Math.floor(place.lat);
    const { instance } = this._painter;
    if (!this._pointer && document.activeElement !== this._map.getContainer()) {
      $("pointer").textContent = "";
    } else if (!this._isOnBoard(place)) {
      $("pointer").textContent = "outside the board";
    } else {
      const asked = instance && this._painter.showsSquares ? instance.wordsAt(column, row) : [];
      const words = [this._cellText(column, row), ...asked].filter(Boolean).join(", ");
      $("pointer").textContent = `column ${number(column)}, row ${number(row)}${words ? `: ${words}` : ""}`;
    }
  }

  _showPlace() {
    const { left, top, scale, width, height } = this.view, { n } = this.board;
    const isAll = left <= 0 && top <= 0 && left + width / scale >= n && top + height / scale >= n;
    $("where").hidden = this._isWhole || isAll;
    if (!$("where").hidden) this._smallMap.draw(this.view, this._painter.chosen, this._painter.overview);
    $("map-scale").textContent = scaleText(this.view.scale);
  }

  _cellText(column, row) {
    const cell = this._painter.cellAt(column, row);
    if (!cell) return "";
    if (cell.width === 1) return cell.count ? "a queen" : "";
    if (this._painter.showsQueens) return "";
    return `${counted(cell.count, "queen")} in ${number(cell.width)} x ${number(cell.width)} squares`;
  }

  _showLegend() {
    const painter = this._painter, { isLogarithmic, showsQueens } = painter, even = 4 ** painter.level / this.board.n;
    const exceeds = showsQueens && painter.queenSize(this.view) > this.view.scale;
    const share = number(even < 100 ? Number(even.toPrecision(2)) : Math.round(even)), width = number(2 ** painter.level);
    const scale = scaleOf(even, isLogarithmic);
    $("legend").classList.toggle("of-queens", showsQueens);
    for (const part of ["low", "high"]) this._put(`scale-${part}`, String(scale[part]));
    this._put("legend-text", !showsQueens
      ? `Blue cells have fewer queens than an even share, orange cells more. The even share of a cell of ${width} x \
${width} squares is ${share}.`
      : `Each queen is drawn${exceeds ? ", larger than its square" : ""}.`);
  }

  /** Explain the marks of the instance, and say whether squares are large enough for them. */
  _showInstance() {
    const { instance, showsSquares } = this._painter;
    if (!instance) return;
    const { fixed, blocked, diagonals } = instance.figures;
    $("instance").hidden = false;
    for (const [id, value, noun] of [
      ["instance-fixed", fixed, "fixed queen"], ["instance-blocked", blocked, "blocked square"],
      ["instance-diagonals", diagonals, "excluded diagonal"],
    ]) {
      $(id).hidden = value === 0;
      $(id).querySelector("span").textContent = counted(value, noun);
    }
    $("instance-hint").hidden = showsSquares || (fixed + blocked === 0 && instance.hasFewLines);
  }

  // Buttons, form, pointer, keys

  _setUpLook() {
    this._setTheme(storedTheme() || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    $("theme").onclick = () => this._setTheme(storedTheme(this._painter.theme === "dark" ? "light" : "dark"));
    $("copy").hidden = !HAS_ADDRESS;
    $("copy").onclick = () => this._copyLink();
    $("picture").onclick = () => this._picture().toBlob((blob) => {
      const name = `${this.board.n}-queens.png`;
      Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name }).click();
      this._say(`${name}, a picture of this view, is saved.`);
    });
    window.addEventListener("beforeprint", () => $("print").replaceChildren(this._picture("paper"), `${document.title}. ${this._verdict}`));
    $("full").hidden = !document.fullscreenEnabled;
    const { documentElement: whole } = document;
    $("full").onclick = () => (document.fullscreenElement ? document.exitFullscreen() : whole.requestFullscreen());
    $("density").hidden = this.board.n < 1000;
    $("density").onclick = () => this._toggle("density", "isDensity");
    $("logarithmic").onclick = () => this._toggle("logarithmic", "isLogarithmic");
    $("hands").hidden = !this._hands;
    $("costs").onclick = () => this._toggle("costs", "hasCosts", this._painter.showsCosts ? "" : "Zoom in to see the costs.");
    $("reset").onclick = () => this._hands.reset();
    $("random").onclick = () => this.chooseRandom();
    $("forget").onclick = () => this.deselect();
    $("visit").onclick = () => this.choose(this._painter.chosen.column, true);
    $("help").onclick = () => $("help-text").showModal();
    $("zoom-in").onclick = () => this.zoomBy(1);
    $("zoom-out").onclick = () => this.zoomBy(-1);
    $("zoom-all").onclick = () => this.goHome();
  }

  async _copyLink() {
    this._saveAddress();
    const hands = this._hands && this._hands.words ? " It shows the board without the moves by hand." : "";
    try {
      await navigator.clipboard.writeText(location.href);
      this._say(`The link to this view is copied.${hands}`);
    } catch {
      this._say("The browser does not allow copying. The address of the page is the link.");
    }
  }

  /** The visible part of the board and its rulers as a canvas, larger than on the screen if all queens are known. */
  _picture(theme = this._painter.theme) {
    const { view, _painter: painter } = this, { n } = this.board, canvas = document.createElement("canvas");
    const onScreen = { theme: painter.theme, enlargement: 1 };
    Object.assign(painter, { theme, enlargement: coarsestLevel(n) ? 1 : 3 });
    painter.paint(view);
    const ratio = this._canvas.width / view.width;
    const span = (from, pixels) => {
      const first = Math.max(0, -from * view.scale - RULER), last = Math.min(pixels, (n - from) * view.scale + 1);
      return [-first, Math.max(1, last - first)].map((place) => Math.round(place * ratio));
    };
    const [[x, width], [y, height]] = [span(view.left, view.width), span(view.top, view.height)];
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").drawImage(this._canvas, x, y);
    Object.assign(painter, onScreen).paint(view);
    return canvas;
  }

  _setTheme(theme) {
    this._painter.theme = theme;
    document.documentElement.dataset.theme = theme;
    $("theme").setAttribute("aria-pressed", String(theme === "dark"));
    if (this._player) this._player.draw();
    this._paintSoon();
  }

  _toggle(id, property, message = "") {
    this._say(message);
    this._painter[property] = !this._painter[property];
    $(id).setAttribute("aria-pressed", String(this._painter[property]));
    this._paintSoon();
  }

  _setUpMoving() {
    const container = this._map.getContainer();
    const place = (event) => this._map.mouseEventToContainerPoint(event);
    container.addEventListener("wheel", (event) => {
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1;
      const levels = -event.deltaY * unit * (event.ctrlKey ? 0.02 : 0.004);
      this.zoomBy(Math.max(-1, Math.min(1, levels)), place(event));
    }, { passive: false });
    container.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return;
      this._pointer = place(event);
      this._tellPointer();
    });
    container.addEventListener("pointerdown", (event) => {
      this._zooming = null;
      // This also stops a flight, without a "moveend".
      this._goal = null;
      this._writeAddress();
      if (event.pointerType === "touch") this._pointer = place(event);
    });
    for (const kind of ["pointerleave", "focus", "blur"]) {
      container.addEventListener(kind, (event) => {
        if (kind === "pointerleave" && event.pointerType !== "touch") this._pointer = null;
        this._tellPointer();
      });
    }
    container.addEventListener("dblclick", (event) => this.zoomBy(event.shiftKey ? -1 : 1, place(event)));
  }

  _setUpForm() {
    $("jump").addEventListener("submit", (event) => {
      event.preventDefault();
      try {
        this._jump();
        if (document.activeElement.matches(FIELDS)) this._focusMap();
      } catch (error) {
        this._hint(error.message);
      }
    });
    $("jump").addEventListener("input", () => this._hint(""));
  }

  _jump() {
    const column = this._wholeNumber("jump-column"), row = this._wholeNumber("jump-row");
    this._hint("");
    if (column === null && row === null) throw new Error("Type a column, a row, or both.");
    if (column !== null && row !== null) {
      this._leaveView();
      if (this._hands) this.choose(column, false, row);
      else this.deselect();
      this.visit(column, row);
      return;
    }
    const found = column === null ? this.board.columnOfRow(row) : column;
    if (found === null) throw new Error(`Row ${number(row)} is empty.`);
    this.choose(found, true);
  }

  /** The number in a field, null if it is empty. */
  _wholeNumber(id) {
    const text = $(id).value.trim(), value = wholeNumber(text), last = this.board.n - 1;
    if (!text) return null;
    if (value >= 0 && value <= last) return value;
    $(id).focus();
    if (Number.isNaN(value)) throw new Error(`${text} is not a whole number; type, for example, 1000, 1,000 or 1e3.`);
    throw new Error(`${text}: columns and rows go from 0 to ${number(last)}.`);
  }

  _hint(text) {
    this._put("jump-hint", text || "One number finds its queen, both find a square.");
    $("jump-hint").classList.toggle("wrong", Boolean(text));
  }

  _setUpKeys() {
    const map = this._map, middle = () => map.project(map.getCenter());
    const pan = (x, y) => (event) => {
      const { chosen, showsCosts } = this._painter, { n } = this.board;
      if (this._hands && chosen && !chosen.isEmpty && showsCosts && !event.shiftKey) {
        return y ? this._hands.push(chosen.column, y) : this.choose((chosen.column + x + n) % n);
      }
      const size = map.getSize(), share = event.shiftKey ? 0.9 : 0.15;
      // A key that is pressed while the board still moves adds to that move.
      const end = (this._panEnd || middle()).add([x * size.x * share, y * size.y * share]);
      this._pointer = this._goal = null;
      map.stop();
      this._panEnd = end;
      map.panBy(end.subtract(middle()), { animate: !STILLNESS.matches, duration: 0.15 });
    };
    map.on("moveend", () => { this._panEnd = null; });
    const keys = {
      ArrowLeft: pan(-1, 0), ArrowRight: pan(1, 0), ArrowUp: pan(0, -1), ArrowDown: pan(0, 1),
      "+": () => this.zoomBy(1), "=": () => this.zoomBy(1), "-": () => this.zoomBy(-1), _: () => this.zoomBy(-1),
      0: () => this.goHome(), Home: () => this.goHome(),
      Enter: () => this.chooseMiddle(), Escape: () => this.deselect(),
      g: () => { $("panel").open = true; $("jump-column").focus(); }, r: () => $("random").click(), d: () => $("density").click(),
      c: () => $("copy").click(), f: () => $("full").click(), s: () => $("picture").click(),
      l: () => $("logarithmic").click(), t: () => $("theme").click(), "?": () => $("help").click(),
      m: () => this._hands && $("costs").click(),
      " ": () => this._player && this._player.toggle(), ",": () => this._player && this._player.by(-1),
      ".": () => this._player && this._player.by(1),
    };
    document.addEventListener("keydown", (event) => {
      const { activeElement: active } = document, isDialog = $("help-text").open;
      if (event.key === "Escape" && active.matches(FIELDS)) {
        this._focusMap();
        return;
      }
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (isDialog || !act || usesKey(active, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act(event);
    });
  }

  _focusMap() {
    this._map.getContainer().focus({ preventScroll: true });
  }
}

/** Whether a board is a solution that respects its instance, in a sentence. */
function verdictOf(conflicting, violated, instance) {
  if (conflicting || violated) {
    const wrong = [conflicting ? counted(conflicting, "conflicting queen") : "", violated].filter(Boolean).join(", ");
    return `No solution: ${wrong}${/queen.? on|conflicting/.test(wrong) ? ", drawn in red" : ""}.`;
  }
  const respected = instance ? ", and every constraint is respected" : "";
  return `A solution: no two queens share a row or a diagonal${respected}.`;
}

/** The theme that was chosen last, null if none is stored; `theme` is stored first. */
function storedTheme(theme = null) {
  try {
    if (theme) localStorage.setItem("fastqueens-theme", theme);
    return localStorage.getItem("fastqueens-theme");
  } catch {
    // A page in a file or in a frame may not store anything.
    return theme;
  }
}

/** Whether a part of the page uses a key itself: a field all keys, a slider those that move it, a button two. */
function usesKey(part, key) {
  if (part.matches(FIELDS)) return true;
  if (part.matches("[role=slider]")) return /^(Arrow|Home|End|Page)/.test(key);
  return part.matches("button, summary, input") && [" ", "Enter"].includes(key);
}

/** The arrays with these ids in the page, by their ids. */
async function allUnpacked(...ids) {
  return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await unpacked(id)])));
}

async function start() {
  const facts = JSON.parse($("board").textContent);
  const rows = await unpacked("rows");
  const parts = facts.instance && await allUnpacked("blocked", "fixed", "sums", "differences");
  const instance = parts && new Instance(facts.n, facts.instance, parts);
  const board = new Board(rows, facts.trace || facts.n <= HANDS_UP_TO, instance);
  window.explorer = new Explorer(board, facts, instance);
  if (facts.trace) {
    window.explorer.play(new Course(board.n, await allUnpacked("moves", "starts", "pairs", "restarts")));
  }
}

start().catch((error) => {
  $("verdict").textContent = `The page cannot show the board: ${error.message}`;
});
