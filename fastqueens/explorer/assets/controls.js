// Buttons, the field, the wheel, and keys.
"use strict";

/** The parts of the page in which one types. */
const FIELDS = "input:not([type=range]), select";

/** Boards above this n have a field to find a queen, and a button for a random one. */
const FIND_ABOVE = 1000;

/** Boards above this n have a button for their density; of smaller ones, it shows only chance. */
const DENSITY_ABOVE = 9999;

/** Buttons and keys, which act on the board that the explorer shows by then. */
function setUpControls(explorer) {
  const { viewport } = explorer;
  setUpTheme(explorer);
  setUpPointer(explorer);
  const saving = new Saving(explorer);
  const hands = (act) => () => explorer.hands && act(explorer.hands), player = (act) => () => explorer._player && act(explorer._player);
  const above = (least, act) => () => explorer.board.n > least && act();
  const random = above(HANDS_UP_TO, () => explorer.jumpTo(Math.floor(Math.random() * explorer.board.n)));
  const buttons = {
    "zoom-in": () => viewport.zoomBy(1), "zoom-out": () => viewport.zoomBy(-1), "zoom-all": () => explorer.goHome(),
    picture: () => saving.open(), copy: () => explorer.copyLink(), help: () => $("help-text").showModal(),
    random, costs: () => explorer.toggleCosts(),
    density: () => explorer.toggleDensity(), magnify: () => explorer.say(explorer.lens.next()),
    reset: hands((held) => explorer.change(() => held.reset())), remove: () => explorer.remove(), clear: hands((held) => explorer.change(() => held.clear())),
  };
  for (const [id, act] of Object.entries(buttons)) $(id).onclick = act;
  $("copy").hidden = !HAS_ADDRESS;
  $("find").onsubmit = (event) => { event.preventDefault(); find(explorer); };
  $("whole-page").href = `${location.href.split(/[?#]/)[0]}`;
  window.addEventListener("beforeprint", () => preparePrint(explorer));
  const pan = (x, y) => (event) => {
    if (!event.shiftKey && explorer.push(x, y)) return;
    viewport.panBy(...[x, y].map((sign) => sign * (event.shiftKey ? 0.9 : 0.15)));
  };
  setUpKeys({
    ArrowLeft: pan(-1, 0), ArrowRight: pan(1, 0), ArrowUp: pan(0, -1), ArrowDown: pan(0, 1),
    "+": buttons["zoom-in"], "=": buttons["zoom-in"], "-": buttons["zoom-out"], _: buttons["zoom-out"],
    0: buttons["zoom-all"], Home: buttons["zoom-all"], Enter: () => explorer.put() || explorer.chooseMiddle(), Escape: () => explorer.deselect(),
    Delete: buttons.remove, Backspace: buttons.remove,
    g: above(FIND_ABOVE, () => $("column").focus()), r: random, c: () => HAS_ADDRESS && explorer.copyLink(),
    s: buttons.picture, t: () => explorer.setTheme(explorer.theme === "dark" ? "light" : "dark"), "?": buttons.help,
    n: () => $("new-board").click(), m: hands(buttons.costs), d: above(DENSITY_ABOVE, buttons.density),
    l: above(LENSES_FROM - 1, buttons.magnify),
    " ": player((played) => played.toggle()), ",": player((played) => played.by(-1)), ".": player((played) => played.by(1)),
  }, () => viewport.container.focus({ preventScroll: true }));
}

/** Show the buttons that fit the board, the chosen queen and the moves by hand. */
function showControls({ board, source, hands, painter: { chosen, hasCosts, hasDensity } }) {
  const { n } = board, pressed = { costs: hasCosts, density: hasDensity };
  const hidden = {
    hands: !hands, find: n <= FIND_ABOVE, density: n <= DENSITY_ABOVE, magnify: n < LENSES_FROM,
    command: !source || (hands && hands.hasChanged),
  };
  // They stay in their places: a second click must not meet another button.
  const disabled = { reset: !hands || !hands.hasChanged, clear: !board.columns.length, remove: !chosen || chosen.isEmpty };
  for (const [id, isPressed] of Object.entries(pressed)) $(id).setAttribute("aria-pressed", isPressed);
  for (const [id, isHidden] of Object.entries(hidden)) $(id).hidden = isHidden;
  for (const [id, isDisabled] of Object.entries(disabled)) $(id).disabled = isDisabled;
}

function setUpTheme(explorer) {
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => explorer.setTheme(isDark.matches ? "dark" : "light");
  isDark.addEventListener("change", follow);
  follow();
}

function setUpPointer(explorer) {
  const { viewport } = explorer, { map, container } = viewport, place = (event) => map.mouseEventToContainerPoint(event);
  map.on("click", (event) => explorer.click(event));
  container.addEventListener("wheel", (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1;
    const levels = -event.deltaY * unit * (event.ctrlKey ? 0.02 : 0.004);
    viewport.zoomBy(Math.max(-1, Math.min(1, levels)), place(event));
  }, { passive: false });
  container.addEventListener("dblclick", (event) => viewport.zoomBy(event.shiftKey ? -1 : 1, place(event)));
}

/** Go to the queen of the column in the field. */
function find(explorer) {
  const field = $("column"), text = field.value.trim(), column = wholeNumber(text), last = explorer.board.n - 1;
  if (Number.isNaN(column)) explorer.say("Type a column as a whole number, for example 1000, 1,000 or 1e3.");
  else if (column < 0 || column > last) explorer.say(`${text}: columns go from 0 to ${number(last)}.`);
  else {
    explorer.jumpTo(column);
    explorer.viewport.container.focus({ preventScroll: true });
  }
}

/** Let keys act, except while one types, and let Escape leave a field. */
function setUpKeys(keys, leave) {
  document.addEventListener("keydown", (event) => {
    const { activeElement: active } = document, isDialog = document.querySelector("dialog[open]");
    if (event.key === "Escape" && active.matches(FIELDS)) {
      leave();
      return;
    }
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (isDialog || !act || usesKey(active, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(event);
  });
}

/** Whether a part of the page uses a key itself: a field all keys, a slider those that move it, a button two. */
function usesKey(part, key) {
  if (part.matches(FIELDS)) return true;
  if (part.matches("[type=range]")) return /^(Arrow|Home|End|Page)/.test(key);
  return part.matches("button, a") && [" ", "Enter"].includes(key);
}
