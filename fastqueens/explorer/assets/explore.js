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

/** Inside a notebook, the page has neither an address nor a history. */
const HAS_ADDRESS = location.protocol !== "about:";

/** The parts of the page in which one types. */
const FIELDS = "input[inputmode], select";

class Explorer {
  constructor(board, facts, source = null) {
    this.board = board;
    this._facts = facts;
    this._verdict = this._message = "";
    this._map = this._newMap();
    this._painter = new Painter(this._canvas, board, () => this._paintSoon());
    if (facts.instance) {
      this._painter.instance = new ShownInstance(board.n, facts.instance, source, () => this._paintSoon());
    }
    if (board.rows && board.n <= HANDS_UP_TO) {
      this._hands = new Hands(this._map, board, this._painter, () => this._player && this._player.pause());
    }
    this._toldChange = board.changes;
    this._setUpLook();
    this._setUpMoving();
    this._setUpForm();
    this._setUpKeys();
    this._smallMap = new SmallMap($("small-map"), board.n, (column, row) => this._visitPlace(column, row));
    this._nearest = new NearestQueen(board);
    this._arrow = new Arrow($("nearest"), () => this.choose(this._nearestColumn, true));
    this._nearestColumn = null;
    this._showFacts();
    $("panel").open = !isNarrow();
    this._hasAddress = this._followAddress();
    if (!this._hasAddress) this.showAll(false);
    window.addEventListener("hashchange", () => this._followAddress());
    // Now, not in the next frame: no event may find a painter without a view.
    this._paint();
  }

  /** Whether everything visible has arrived; read by the tests. */
  get isComplete() {
    return this._painter.isComplete && !this._frame;
  }

  get view() {
    const size = this._map.getSize(), corner = this._map.containerPointToLatLng([0, 0]);
    return {
      left: corner.lng, top: corner.lat, scale: 2 ** this._map.getZoom(), width: size.x, height: size.y,
    };
  }

  get level() {
    return this._painter.level;
  }

  play(course) {
    let shown = this.board.changes;
    const show = (moving) => {
      this._painter.moving = moving;
      if (shown === this.board.changes) this._paintSoon();
      else this._painter.refresh();
      shown = this.board.changes;
    };
    const visit = (column, row) => this._goTo(column + 0.5, row + 0.5, this._map.getZoom(), false);
    this._player = new Player(course, this.board, show, visit);
    this._toldChange = null;
    if (this.board.n <= COSTS_UP_TO) $("costs").click();
    // Above the player, unless the address of the page leads to a view.
    if (!this._hasAddress) this.showAll(false);
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
    map.on("resize", () => this._setLimits(map));
    map.on("move", () => { if (this._message) this._say(""); });
    // Not during a move: a view on the way must not end up in the history.
    map.on("movestart", () => clearTimeout(this._addressTimer));
    map.on("moveend", () => {
      // A zoom consists of many small moves.
      if (!this._zooming) this._goal = null;
      this._writeAddress();
    });
    map.on("click", (event) => this._click(event));
    return map;
  }

  /** Limit zooming out: the board takes up at least half of the window. */
  _setLimits(map) {
    const size = map.getSize();
    map.setMinZoom(Math.min(NEAREST - 1, Math.log2(Math.min(size.x, size.y) / this.board.n) - 1));
  }

  /** Show the whole board in the part of the window that panel and player leave free. */
  showAll(isAnimated = true) {
    const { n } = this.board, { left, right, top, bottom } = this._freePart(), margin = 20;
    const side = Math.min(right - left, bottom - top) - 2 * margin;
    this._goTo(n / 2, n / 2, Math.log2(Math.max(50, side) / n), isAnimated);
  }

  goHome() {
    this._leaveView();
    this.showAll();
  }

  /** The part of the window that is not behind panel, player or buttons, in pixels. */
  _freePart() {
    const size = this._map.getSize(), parts = ["panel", "player", "zoom", "where"];
    const [panel, player, zoom, where] = parts.map((id) => $(id).getBoundingClientRect());
    const bottom = $("player").hidden ? size.y : player.top;
    if (isNarrow() && $("player").hidden) return { left: 0, right: size.x, top: 0, bottom: panel.top };
    if (isNarrow()) return { left: 0, right: size.x, top: Math.max(panel.bottom, where.bottom), bottom };
    const right = where.width > 0 ? Math.min(zoom.left, where.left) : zoom.left;
    return { left: $("panel").open ? panel.right : size.x - right, right, top: 0, bottom };
  }

  /** Bring a place of the board to the middle of the free part of the window. */
  _goTo(column, row, zoom, isAnimated = true) {
    const limited = Math.max(this._map.getMinZoom(), Math.min(NEAREST, zoom)), scale = 2 ** limited;
    const { left, right, top, bottom } = this._freePart(), size = this._map.getSize();
    const away = [(left + right - size.x) / 2 / scale, (top + bottom - size.y) / 2 / scale];
    this._lookAt(column - away[0], row - away[1], limited, isAnimated);
  }

  /** Bring a place of the board to the middle of the window. */
  _lookAt(column, row, zoom, isAnimated) {
    this._stopZoom();
    this._map.stop();
    this._headFor({ column, row, zoom });
    if (isAnimated && !prefersStillness()) this._map.flyTo([row, column], zoom, { duration: FLIGHT_SECONDS });
    else this._map.setView([row, column], zoom, { animate: false });
  }

  /** Go to a queen if it is in the window but behind the panel. */
  _uncover(column, row) {
    const size = this._map.getSize(), { left, top, bottom } = this._freePart();
    const { x, y } = this._map.latLngToContainerPoint([row + 0.5, column + 0.5]);
    const isInside = x >= 0 && x <= size.x && y >= 0 && y <= size.y;
    if (isInside && (x < left || y < top || y > bottom)) {
      this._goTo(column + 0.5, row + 0.5, this._map.getZoom());
    }
  }

  /** Go to a queen, and zoom in if its square is too small to see. */
  visit(column, row) {
    this._goTo(column + 0.5, row + 0.5, Math.max(4.5, this._map.getZoom()));
  }

  /** Go to a place at the same zoom. */
  _visitPlace(column, row) {
    this._leaveView();
    this._goTo(column, row, this._map.getZoom());
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
    if (prefersStillness()) this._zoomTo(target);
    else if (!running) requestAnimationFrame((now) => this._zoomOn(now));
  }

  _zoomOn(now) {
    if (!this._zooming) return;
    const { target, last } = this._zooming, zoom = this._map.getZoom();
    const share = 1 - Math.exp((-3 * Math.max(1, now - last)) / 1000 / ZOOM_SECONDS);
    this._zooming.last = now;
    if (Math.abs(target - zoom) < 0.01) {
      this._zoomTo(target);
      return;
    }
    this._zoomTo(zoom + (target - zoom) * share);
    requestAnimationFrame((next) => this._zoomOn(next));
  }

  _zoomTo(zoom) {
    const { column, row } = this._zoomedTo(zoom);
    if (zoom === this._zooming.target) this._stopZoom();
    this._map.setView([row, column], zoom, { animate: false });
  }

  /** The view {column, row, zoom} that the running zoom passes or ends at. */
  _zoomedTo(zoom) {
    const { point, anchor } = this._zooming, size = this._map.getSize(), scale = 2 ** zoom;
    return {
      column: anchor.lng + (size.x / 2 - point.x) / scale, row: anchor.lat + (size.y / 2 - point.y) / scale, zoom,
    };
  }

  _stopZoom() {
    this._zooming = null;
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

  // The address: "#column,row,zoom;queen=column", with zoom as the power of two of pixels per square

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
    this._address = this._addressOf(this._goal || { column: lng, row: lat, zoom: this._map.getZoom() });
    if (HAS_ADDRESS) history.replaceState(null, "", this._address);
  }

  _addressOf({ column, row, zoom }) {
    const digits = Math.max(0, Math.ceil(zoom * 0.31) + 2);
    const chosen = this._painter.chosen && !this._painter.chosen.isEmpty ? `;queen=${this._painter.chosen.column}` : "";
    return `#${column.toFixed(digits)},${row.toFixed(digits)},${zoom.toFixed(3)}${chosen}`;
  }

  _followAddress() {
    clearTimeout(this._addressTimer);
    this._isLeaving = false;
    if (location.hash === this._address) return true;
    const found = /^#(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)(?:;queen=(\d+))?$/.exec(location.hash);
    if (!found) return false;
    const [column, row, zoom, queen] = found.slice(1).map(Number);
    if (![column, row, zoom].every(Number.isFinite)) return false;
    this._address = location.hash;
    if (queen >= 0 && queen < this.board.n) this.choose(queen);
    else this.deselect();
    this._lookAt(column, row, Math.max(this._map.getMinZoom(), Math.min(NEAREST, zoom)), false);
    return true;
  }

  // The chosen queen

  /** Choose the queen at a click, or zoom in there as long as squares are tiny. */
  async _click(event) {
    const { x, y } = event.containerPoint, isTouch = event.originalEvent.pointerType === "touch";
    this._pointer = event.containerPoint;
    this._tellPointer();
    const square = this._hands && this._hands.squareAt(event.originalEvent);
    if (square) return this._hands.hasDragged ? null : this._chooseInView(...square);
    const column = this._painter.queenAt(x, y, this._reach(isTouch));
    if (column !== null) await this._chooseInView(column);
    // A double click zooms by itself.
    else if (this._hasTinySquares && event.originalEvent.detail < 2) this._clickZoom(event);
  }

  /** The pixels from a queen within which a click is meant for it: while squares are tiny, a click must hit it. */
  _reach(isTouch) {
    const near = isTouch ? 24 : 12;
    return this._hasTinySquares ? Math.min(near, 0.75 * this._painter.queenSize()) : near;
  }

  get _hasTinySquares() {
    return this.view.scale < SQUARES_FROM;
  }

  _clickZoom({ containerPoint, latlng: { lng, lat } }) {
    const { n } = this.board;
    if (lng < 0 || lat < 0 || lng > n || lat > n) return;
    this._leaveView();
    this.zoomBy(CLICK_LEVELS, containerPoint);
  }

  async _chooseInView(column, row) {
    await this.choose(column, false, row);
    const { chosen } = this._painter;
    if (chosen && chosen.column === column) this._uncover(chosen.column, chosen.row);
  }

  chooseMiddle() {
    if (this._nearestColumn !== null) {
      this.choose(this._nearestColumn, true);
      return;
    }
    const size = this._map.getSize();
    const column = this._painter.queenAt(size.x / 2, size.y / 2, Math.hypot(size.x, size.y));
    if (column !== null) this.choose(column);
    else if (this._painter.isDensity) this._say("Single queens are hidden. Switch Density off to see them.");
    else if (this._painter.showsQueens) this._say("There is no queen near the window.");
    else this._say("No single queens are visible. Zoom in.");
  }

  /** Show the lines of a queen, or of another square of its column, and go there if asked. */
  async choose(column, isVisited = false, row) {
    const { signal } = this._newChoice();
    try {
      const found = await this.board.lines(column, signal, row), { instance } = this._painter;
      const asked = instance ? await instance.allWordsAt(found.column, found.row) : [];
      if (signal.aborted) return;
      if (isVisited) this._leaveView();
      this._painter.chosen = found;
      this._showChosen(found, asked);
      $("panel").open = true;
      // A visit writes the address when it arrives.
      if (isVisited) this.visit(found.column, found.row);
      else this._writeAddress();
      this._paintSoon();
    } catch (error) {
      if (!signal.aborted) this._say(`The lines of this queen could not be loaded: ${error.message}`);
    }
  }

  /** Cancel the question about the queen chosen before: the server answers one at a time. */
  _newChoice() {
    if (this._choice) this._choice.abort();
    this._say("");
    this._choice = new AbortController();
    return this._choice;
  }

  deselect() {
    this._newChoice();
    this._painter.chosen = null;
    $("chosen").hidden = true;
    this._writeAddress();
    this._paintSoon();
  }

  _showChosen(found, asked) {
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
  }

  /** Point to the nearest queen while none is in the free part of the window. */
  async _showNearest() {
    const { view } = this, { n } = this.board, free = this._freePart();
    // In a narrow window, the small map covers the right half of the top.
    if (isNarrow()) free.top = Math.max(free.top, $("where").getBoundingClientRect().bottom);
    const asked = this._askedNearest = {};
    if (!this._painter.showsQueens || !this._painter.isComplete || this._painter.hasQueenIn(free)) {
      this._hideNearest();
      return;
    }
    const [column, row] = [
      view.left + (free.left + free.right) / 2 / view.scale, view.top + (free.top + free.bottom) / 2 / view.scale,
    ];
    const inside = (place) => Math.max(0, Math.min(n - 1, place));
    const square = await this._nearest.to(inside(column), inside(row)).catch(() => null);
    if (asked !== this._askedNearest) return;
    if (!square) {
      this._hideNearest();
      return;
    }
    this._nearestColumn = square[0];
    const { x, y } = this._map.latLngToContainerPoint([square[1] + 0.5, square[0] + 0.5]);
    this._arrow.point(free, x, y, Math.hypot(square[0] + 0.5 - column, square[1] + 0.5 - row));
  }

  _hideNearest() {
    this._nearestColumn = null;
    this._arrow.hide();
  }

  // Messages

  async _showFacts() {
    const { n } = this.board, { name } = this._facts;
    document.title = `${number(n)} queens - fastqueens`;
    $("title").textContent = counted(n, "queen");
    if (this._facts.trace) return;
    this._setVerdict(name ? `Checking ${name} ...` : "Checking ...");
    let text = "";
    try {
      const { conflicting, violated } = await this.board.conflicting();
      text = verdictOf(conflicting, violated, this._facts.instance);
      if (conflicting || violated) this._painter.refresh();
    } catch (error) {
      text = `Not checked: ${error.message}`;
    }
    this._setVerdict(text);
  }

  _setVerdict(text) {
    this._verdict = text;
    this._say("");
  }

  /** Show a message until the view or the choice changes, or the verdict on the board if the message is empty. */
  _say(text) {
    this._message = text;
    const shown = text || this._verdict;
    if ($("verdict").textContent !== shown) $("verdict").textContent = shown;
  }

  /** Tell what the board is after a move of the player, and the lines of the chosen queen on it. */
  async _followBoard() {
    const { board, _player: player } = this, { chosen } = this._painter, { changes } = board;
    if (this._toldChange === changes) return;
    this._toldChange = changes;
    const words = this._hands ? this._hands.words : "", isStep = player && !words, { name, instance } = this._facts;
    $("reset").hidden = !words;
    if (player) player.tell(words);
    if (chosen) this._retellChosen(board.linesOf(chosen.column, chosen.isEmpty ? chosen.row : undefined));
    const found = isStep && board.pairs ? null : await board.conflicting();
    const state = found ? verdictOf(found.conflicting, found.violated, instance)
      : "No solution at this step: attacking queens are drawn in red.";
    const what = words ? words[0].toUpperCase() + words.slice(1) : isStep && name ? `${name}, step by step.` : "";
    if (changes === board.changes) this._setVerdict(`${what} ${state}`.trim());
  }

  /** The costs of all moves, or of those in the chosen column. */
  _costs() {
    const { chosen, hasCosts } = this._painter;
    if (!this._hands || !hasCosts) return null;
    const columns = chosen ? [chosen.column] : [...this.board.rows.keys()];
    return columns.map((column) => ({ column, costs: this.board.costsOf(column) }));
  }

  async _retellChosen(found) {
    const { instance } = this._painter, { changes } = this.board;
    this._painter.chosen = found;
    const asked = instance ? await instance.allWordsAt(found.column, found.row) : [];
    const { chosen } = this._painter;
    if (chosen && chosen.column === found.column && changes === this.board.changes) this._showChosen(found, asked);
  }

  /** Show the square under the pointer, or in the middle while keys are in use, and the queens in its cell. */
  _tellPointer() {
    const size = this._map.getSize(), point = this._pointer || L.point(size.x / 2, size.y / 2);
    const { lng, lat } = this._map.containerPointToLatLng(point);
    const column = Math.floor(lng), row = Math.floor(lat), { n } = this.board;
    const { instance } = this._painter;
    if (this._painter.failure) {
      $("pointer").textContent = "Part of the board could not be loaded. Is the server still running?";
    } else if (!this._pointer && document.activeElement !== this._map.getContainer()) {
      $("pointer").textContent = "";
    } else if (column < 0 || row < 0 || column >= n || row >= n) {
      $("pointer").textContent = "outside the board";
    } else {
      const asked = instance && this._painter.showsSquares ? instance.wordsAt(column, row) : [];
      const words = [this._cellText(column, row), ...asked].filter(Boolean).join(", ");
      $("pointer").textContent = `column ${number(column)}, row ${number(row)}${words ? `: ${words}` : ""}`;
    }
  }

  _showPlace() {
    this._smallMap.draw(this.view, this._painter.chosen);
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
    const painter = this._painter, { even, isLogarithmic, showsQueens } = painter;
    const exceeds = showsQueens && painter.queenSize(this.view) > this.view.scale;
    const name = `${even} ${isLogarithmic} ${showsQueens} ${exceeds}`;
    if (name === this._legend) return;
    this._legend = name;
    $("legend").classList.toggle("of-queens", showsQueens);
    if (showsQueens) {
      $("legend-text").textContent = exceeds ? "Each queen is drawn, larger than its square." : "Each queen is drawn.";
      return;
    }
    const scale = scaleOf(even, isLogarithmic);
    const figure = (value) => number(value < 100 ? Number(value.toPrecision(2)) : Math.round(value));
    this._paintScale(scale, DATA.ramp);
    for (const part of ["low", "middle", "high"]) $(`scale-${part}`).textContent = figure(scale[part]);
    const width = number(2 ** painter.level);
    const cell = `a cell of ${width} x ${width} squares`;
    $("legend-text").textContent = `Queens in ${cell}; the even share is ${figure(even)}.`;
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

  _paintScale(scale, ramp) {
    const canvas = $("scale"), pen = canvas.getContext("2d"), image = pen.createImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(image.data.buffer);
    pixels.forEach((_, at) => {
      pixels[at] = ramp[placeOn(scale, countAt(scale, (at % canvas.width) / (canvas.width - 1)))];
    });
    pen.putImageData(image, 0, 0);
  }

  // Buttons, form, pointer, keys

  _setUpLook() {
    let stored = null;
    try {
      stored = localStorage.getItem("fastqueens-theme");
    } catch { /* a page from a file may not store anything */ }
    this._setTheme(stored || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    $("theme").onclick = () => {
      const theme = this._painter.theme === "dark" ? "light" : "dark";
      this._setTheme(theme);
      try {
        localStorage.setItem("fastqueens-theme", theme);
      } catch { /* the next page starts with the default */ }
    };
    $("density").onclick = () => this._toggle("density", "isDensity");
    $("logarithmic").onclick = () => this._toggle("logarithmic", "isLogarithmic");
    $("hands").hidden = !this._hands;
    $("costs").onclick = () => this._toggle("costs", "hasCosts", this._painter.showsCosts ? "" : "Zoom in to see the costs.");
    $("reset").onclick = () => this._hands.reset();
    $("random").onclick = () => this.choose(Math.floor(Math.random() * this.board.n), true);
    $("forget").onclick = () => this.deselect();
    $("visit").onclick = () => {
      this._leaveView();
      this.visit(this._painter.chosen.column, this._painter.chosen.row);
    };
    $("help").onclick = () => $("help-text").showModal();
    $("zoom-in").onclick = () => this.zoomBy(1);
    $("zoom-out").onclick = () => this.zoomBy(-1);
    $("zoom-all").onclick = () => this.goHome();
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
      this._stopZoom();
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
      const field = document.activeElement;
      this._jump().then(
        () => { if (field.matches(FIELDS) && field === document.activeElement) this._focusMap(); },
        (error) => this._hint(error.message),
      );
    });
    $("jump").addEventListener("input", () => this._hint(""));
  }

  async _jump() {
    const column = this._wholeNumber("jump-column"), row = this._wholeNumber("jump-row");
    if (column === null && row === null) throw new Error("Type a column, a row, or both.");
    this._hint("");
    if (column !== null && row !== null) {
      this._leaveView();
      if (this._hands) this.choose(column, false, row);
      else this.deselect();
      this.visit(column, row);
      return;
    }
    const found = column === null ? await this.board.columnOfRow(row) : column;
    if (found === null) throw new Error(`Row ${number(row)} is empty.`);
    await this.choose(found, true);
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
    const hint = $("jump-hint");
    hint.textContent = text || "One number finds its queen, both find a square.";
    hint.classList.toggle("wrong", Boolean(text));
    if (text) hint.setAttribute("role", "alert");
    else hint.removeAttribute("role");
  }

  _setUpKeys() {
    const map = this._map, middle = () => map.project(map.getCenter());
    const pan = (x, y) => (event) => {
      const { chosen, showsCosts } = this._painter, { n } = this.board;
      if (this._hands && chosen && !chosen.isEmpty && showsCosts && !event.shiftKey) {
        if (y) this._hands.push(chosen.column, y);
        else this._chooseInView((chosen.column + x + n) % n);
        return;
      }
      const size = map.getSize(), share = event.shiftKey ? 0.9 : 0.15;
      // A key that is pressed while the board still moves adds to that move.
      const end = (this._panEnd || middle()).add([x * size.x * share, y * size.y * share]);
      this._pointer = this._goal = null;
      map.stop();
      this._panEnd = end;
      map.panBy(end.subtract(middle()), { animate: !prefersStillness(), duration: 0.15 });
    };
    map.on("moveend", () => { this._panEnd = null; });
    const keys = {
      ArrowLeft: pan(-1, 0), ArrowRight: pan(1, 0), ArrowUp: pan(0, -1), ArrowDown: pan(0, 1),
      "+": () => this.zoomBy(1), "=": () => this.zoomBy(1), "-": () => this.zoomBy(-1), _: () => this.zoomBy(-1),
      0: () => this.goHome(), Home: () => this.goHome(),
      Enter: () => this.chooseMiddle(), Escape: () => this.deselect(),
      g: () => this._openForm(), r: () => $("random").click(), d: () => $("density").click(),
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

  _openForm() {
    $("panel").open = true;
    $("jump-column").focus();
  }
}

/** Whether a board is a solution that respects its instance, in a sentence. */
function verdictOf(conflicting, violated, instance) {
  if (conflicting === null) return "Too large to check as a whole; the lines of each queen are exact.";
  if (conflicting || violated) {
    const wrong = [conflicting ? counted(conflicting, "conflicting queen") : "", violated].filter(Boolean).join(", ");
    return `No solution: ${wrong}${/queen.? on|conflicting/.test(wrong) ? ", drawn in red" : ""}.`;
  }
  const respected = instance ? ", and every constraint is respected" : "";
  return `A solution: no two queens share a row or a diagonal${respected}.`;
}

/** Whether the panel is at the bottom, or above a player: the same limit as in explore.css. */
function isNarrow() {
  return matchMedia("(max-width: 700px)").matches;
}

/** Whether a part of the page uses a key itself: a field all keys, a slider those that move it, a button two. */
function usesKey(part, key) {
  if (part.matches(FIELDS)) return true;
  if (part.matches("[role=slider]")) return /^(Arrow|Home|End|Page)/.test(key);
  return part.matches("button, summary, input") && [" ", "Enter"].includes(key);
}

function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The instance in the page. */
async function localInstance(n) {
  const parts = ["blocked", "fixed", "sums", "differences"];
  const [blocked, fixed, sums, differences] = await Promise.all(parts.map(unpacked));
  return new LocalInstance(n, { blocked, fixed, sums, differences });
}

async function start() {
  const facts = JSON.parse($("board").textContent);
  if (facts.served) {
    window.explorer = new Explorer(new ServedBoard(facts), facts, new ServedInstance());
    return;
  }
  const rows = await unpacked("rows");
  const instance = facts.instance ? await localInstance(facts.n) : null;
  const board = new LocalBoard(rows, instance);
  window.explorer = new Explorer(board, facts, instance);
  if (facts.trace) {
    const [moves, starts, pairs, restarts] = await Promise.all(["moves", "starts", "pairs", "restarts"].map(unpacked));
    window.explorer.play(new Course(board.n, { moves, starts, pairs, restarts }));
  }
}

start().catch((error) => {
  $("verdict").textContent = `The page cannot show the board: ${error.message}`;
});
