// The page: a board in a window, the chosen queen, hands and the player.
"use strict";

const $ = (id) => document.getElementById(id);

/** A click that zooms in shows everything 2^2 times as large. */
const CLICK_LEVELS = 2;

/** The number of queens that a jump to a queen shows, on average. */
const SURROUNDINGS = 12;

class Explorer {
  /** `carried` is what the page carries, as for `show`, or null. */
  constructor(engine, carried) {
    Object.assign(this, { _canvas: document.createElement("canvas"), theme: "light", words: new Words(this) });
    this.viewport = new Viewport({
      changed: () => this._paintSoon(),
      started: () => { this._address.wait(); this.say(""); },
      stopped: () => this._address.writeSoon(),
      headed: (destination) => this._address.headFor(destination),
    });
    this._canvas.className = "board";
    this.viewport.container.prepend(this._canvas);
    this.lens = new Lens(this.viewport);
    document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
    this._maker = new Maker(engine, this, carried);
    this._address = new Address(() => this._shown, (shown) => this._follow(shown));
    this._address.follow();
  }

  /** Show a board in place of the one before. `source` is {n, seed, algorithm} if the page has made it. */
  show({ board, facts, instance = null, course = null, source = null }) {
    const isFirst = !this.painter, belonging = new AbortController();
    if (this._player) this._player.pause();
    if (this._belonging) this._belonging.abort();
    const { hasCosts = false } = this.painter || {}, { signal } = belonging;
    Object.assign(this, { board, source, _belonging: belonging, hands: null, _player: null });
    this.painter = Object.assign(new Painter(this._canvas, board, instance), { theme: this.theme, hasCosts });
    this.viewport.setSide(board.n);
    this.lens.show(this.painter);
    if (board.n <= HANDS_UP_TO) this.hands = this._newHands(signal);
    this._smallMap = new SmallMap($("small-map"), board.n, (column, row) => {
      this._address.leave();
      this.viewport.goTo(column, row, this.viewport.zoom);
    });
    $("player").hidden = !course;
    if (course) this._play(course, facts.search, signal);
    if (isFirst) this._begin();
    this._toldChange = null;
    this.words.begin(facts);
    this._maker.show({ board, course, source });
    // Now, not in the next frame: no event may find a painter without a view.
    this._paint();
  }

  /** What waits for the first board. */
  _begin() {
    setUpControls(this);
    const observer = new ResizeObserver(() => this._refit());
    for (const id of ["map", "panel", "player"]) observer.observe($(id));
    document.fonts.ready.then(() => this._paintSoon());
  }

  _play(course, name, signal) {
    this.painter.mostPairs = course.pairs[0];
    $("algorithm").textContent = name;
    this._player = new Player(course, this.board, signal, (moving) => {
      this.painter.moving = moving;
      this._paintSoon();
      this._address.writeSoon();
    });
  }

  /** Whether everything is drawn and nothing moves; read by the tests. */
  get isComplete() {
    return Boolean(this.painter) && !this._maker.isBusy && !this._frame && !this.viewport.goal;
  }

  get view() {
    return this.viewport.view;
  }

  get _shown() {
    const { painter, hands, _player: player, source } = this;
    if (!painter) return null;
    const { chosen } = painter;
    return {
      source, destination: this.viewport.destination, queen: chosen && !chosen.isEmpty ? chosen.column : null,
      hasDensity: painter.hasDensity, step: player ? player.step : 0,
      rows: hands && hands.hasChanged ? Array.from(this.board.rows) : null,
    };
  }

  /** Show the board and the view of an address. */
  async _follow(shown) {
    const problem = await this._maker.follow(shown);
    if (!this.painter) return;
    const { place, queen, step, rows, density } = shown;
    if (this.board.n > DENSITY_ABOVE && Boolean(density) !== this.painter.hasDensity) this.toggleDensity();
    if (this._player && this._player.step !== step) this._player.toStep(step);
    if (this.hands && this.hands.hasChanged) this.hands.reset();
    const wrong = problem || (rows === null ? "" : this._showRows(rows));
    if (queen !== null && queen < this.board.n && this.board.has(queen)) this.choose(queen);
    else this.deselect();
    if (!place) this.viewport.showAll(false);
    else this.viewport.lookAt(place[0], place[1], this.viewport.limited(place[2]), false);
    if (wrong) this.say(problem || `${wrong} The page shows its own board.`);
  }

  /** Show the rows of an address; return an error message if they are wrong. */
  _showRows(text) {
    if (!this.hands) return `A link can hold the rows of at most ${HANDS_UP_TO} queens.`;
    try {
      this.hands.show(rowsOf(text, this.board.n), "From the link");
      return "";
    } catch (error) {
      return error.message;
    }
  }

  /** The window or a panel has another size: keep the whole board whole, and the chosen queen visible. */
  _refit() {
    const { map, isWhole } = this.viewport;
    // In print, there is no map.
    if (!this.painter || !$("map").clientWidth || (this.hands && this.hands.isHolding)) return;
    map.invalidateSize({ animate: false });
    if (isWhole) this.viewport.showAll(false);
    else this._uncover();
  }

  goHome() {
    this._address.leave();
    this.viewport.showAll();
  }

  /** Go to the chosen queen if something covers it, unless the map is on its way. */
  _uncover() {
    const { chosen } = this.painter;
    if (!chosen || this.viewport.goal) return;
    const { x, y } = this.viewport.map.latLngToContainerPoint([chosen.row + 0.5, chosen.column + 0.5]);
    const isUnder = (part) => x > part.left - 12 && x < part.right + 12 && y > part.top - 12 && y < part.bottom + 12;
    if (this.viewport.covers().some(isUnder)) this.viewport.goTo(chosen.column + 0.5, chosen.row + 0.5, this.viewport.zoom);
  }

  _paintSoon() {
    if (this._frame || !this.painter) return;
    this._frame = requestAnimationFrame(() => this._paint());
  }

  _paint() {
    cancelAnimationFrame(this._frame);
    this._frame = null;
    this._followBoard();
    this.painter.costs = this._costs();
    this.painter.cover = $("panel").getBoundingClientRect();
    this.painter.paint(this.view);
    this.lens.paint();
    this._showPlace();
    document.body.classList.toggle("whole", this.viewport.isWhole);
    this.words.explain();
  }

  // The chosen queen

  /** Choose the queen at a click, deselect it, or zoom in there as long as squares are tiny. */
  click(event) {
    const { x, y } = event.containerPoint, isTouch = event.originalEvent.pointerType === "touch";
    const square = this.hands && this.hands.squareAt(event.originalEvent);
    if (this.lens.queen !== null) return this.choose(this.lens.queen);
    if (square) {
      if (this.hands.hasDragged) return;
      if (this.board.has(square[0])) this.choose(square[0], { row: square[1] });
      else this.hands.put(...square);
      return;
    }
    const { painter } = this, column = painter.queenAt(x, y, painter.reachOf(isTouch));
    if (column !== null && painter.showsQueens) this.choose(column);
    else if (painter.chosen) this.deselect();
    // A double click zooms by itself.
    else if (!painter.showsSquares && event.originalEvent.detail < 2 && this._isOnBoard(event.latlng)) {
      this._address.leave();
      this.viewport.zoomBy(CLICK_LEVELS, event.containerPoint);
    }
  }

  _isOnBoard({ lng, lat }) {
    return lng >= 0 && lat >= 0 && lng < this.board.n && lat < this.board.n;
  }

  chooseMiddle() {
    const { x, y } = this.viewport.map.getSize(), nearest = this.painter.queenAt(x / 2, y / 2, Math.hypot(x, y));
    const column = this.lens.queen ?? nearest;
    if (column !== null) this.choose(column);
    else this.say(this.painter.showsQueens ? "Zoom out to see a queen." : "Zoom in to see single queens.");
  }

  /** Show the threads of a queen, or of another square of its column. With a zoom, go there. */
  choose(column, { row, zoom = null } = {}) {
    if (zoom !== null) this._address.leave();
    this._showChosen(this.board.linesOf(column, row));
    // A jump writes the address when it arrives.
    const { chosen } = this.painter;
    if (zoom !== null) this.viewport.goTo(chosen.column + 0.5, chosen.row + 0.5, zoom);
    else this._address.writeSoon();
    this._refit();
    this._paintSoon();
  }

  /** Choose a queen and go there, so that some others are in the window. */
  jumpTo(column) {
    const { left, right, top, bottom } = this.viewport.freePart(), pixels = (right - left) * (bottom - top);
    this.choose(column, { zoom: Math.log2(Math.max(1, pixels) / SURROUNDINGS / this.board.n) / 2 });
  }

  deselect() {
    this._showChosen(null);
    this._address.writeSoon();
    this._paintSoon();
  }

  _showChosen(found) {
    this.painter.chosen = found;
    this.words.choose(found);
    showControls(this);
  }

  // Hands

  _newHands(signal) {
    return new Hands(this.viewport.map, this.board, this.painter, signal, {
      pause: () => this._player && this._player.pause(),
      choose: (column) => {
        const { chosen } = this.painter;
        if (chosen && (chosen.isEmpty || chosen.column !== column)) this.deselect();
      },
      changed: () => { this._address.writeSoon(); this._paintSoon(); },
    });
  }

  /** Push the chosen queen, or choose a square next to the chosen one; return whether squares are large enough. */
  push(columns, rows) {
    const { painter: { chosen, showsCosts }, board: { n, rows: now } } = this, next = (place, step) => (place + step + n) % n;
    if (!this.hands || !showsCosts) return false;
    if (!chosen) this._chooseSquare(n >> 1, n >> 1);
    else if (rows && !chosen.isEmpty) this.hands.put(chosen.column, now[chosen.column] + rows);
    else this._chooseSquare(next(chosen.column, columns), next(chosen.row, rows), rows);
    return true;
  }

  /** Choose the queen of a column, or the square of a row if there is none or if it is asked for. */
  _chooseSquare(column, row, isAsked = false) {
    this.choose(column, isAsked || !this.board.has(column) ? { row } : {});
  }

  /** Put a queen on the chosen square of an empty column; return whether there is one. */
  put() {
    const { chosen } = this.painter;
    if (!this.hands || !chosen || this.board.has(chosen.column)) return false;
    this.hands.put(chosen.column, chosen.row);
    this.choose(chosen.column);
    return true;
  }

  /** Take the chosen queen away; its square stays chosen. */
  remove() {
    const { chosen } = this.painter;
    if (!this.hands || !chosen || chosen.isEmpty) return;
    const row = this.board.rows[chosen.column];
    this.hands.remove(chosen.column);
    this.choose(chosen.column, { row });
  }

  /** Change the board in a way from which one can go back in the history. */
  change(act) {
    this._address.record(act);
    this.viewport.container.focus({ preventScroll: true });
  }

  toggleCosts() {
    this.painter.hasCosts = !this.painter.hasCosts;
    showControls(this);
    this.say(this.painter.hasCosts && !this.painter.showsCosts ? "Zoom in to see the costs." : "");
    this._paintSoon();
  }

  /** The costs of all moves, or of those in the chosen column. */
  _costs() {
    const { chosen, hasCosts } = this.painter;
    if (!this.hands || !hasCosts) return null;
    const columns = chosen ? [chosen.column] : [...this.board.rows.keys()];
    return columns.map((column) => ({ column, costs: this.hands.costsOf(column) }));
  }

  toggleDensity() {
    this.painter.hasDensity = !this.painter.hasDensity;
    showControls(this);
    this._address.writeSoon();
    this._paintSoon();
  }

  // Messages

  say(text) {
    this.words.say(text);
  }

  /** Tell what a new or changed board is, and which queens attack the chosen one on it. */
  _followBoard() {
    const { board, _player: player, hands, painter: { chosen } } = this;
    if (this._toldChange === board.changes) return;
    this._toldChange = board.changes;
    const isThere = chosen && (chosen.isEmpty || board.has(chosen.column));
    if (player) player.tell(hands ? hands.words : "");
    this.words.judge();
    this._showChosen(isThere ? board.linesOf(chosen.column, chosen.isEmpty ? chosen.row : undefined) : null);
  }

  _showPlace() {
    const { view, painter } = this, { n } = this.board;
    $("where").hidden = n <= SMALL_MAP_ABOVE || this.viewport.isWhole || isWhole(view, n);
    if ($("where").hidden) return;
    this._smallMap.draw(view, painter.chosen, painter.look, (pen, side) => painter.paintOverview(pen, side));
  }

  // Sharing

  async copyLink() {
    this._address.save();
    const place = location.protocol === "file:" ? " It opens where this file is: send the file too." : "";
    await this.copy(location.href, `Copied the link to this view.${place}`);
  }

  async copy(text, words) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(words);
    } catch {
      this.say(`The browser does not allow copying: ${text}`);
    }
  }

  /** Leave for another board, which `show` shows as a whole. */
  replace(shown) {
    if (this.painter) this._address.leave();
    this.show(shown);
    this.viewport.showAll(false);
  }

  play() {
    $("play").focus();
    if (!STILLNESS.matches) this._player.toggle();
  }

  setTheme(theme) {
    this.theme = this.painter.theme = theme;
    document.documentElement.dataset.theme = theme;
    if (this._player) this._player.draw();
    this._paintSoon();
  }
}
