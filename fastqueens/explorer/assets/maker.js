// Makes boards in the page: solves n queens with a seed, searches step by step, completes boards and counts completions.
"use strict";

/** The largest n whose searches the page plays. */
const WATCHED_UP_TO = 2000;

/** The board of a page that carries none. */
const FIRST = { n: 1000, seed: 1n, algorithm: null };

/** The algorithms that move one queen, in words. */
const WATCHED = {
  "min-conflicts": "Min-conflicts", steepest: "Steepest hill climbing", sideways: "With sideways moves", stochastic: "Stochastic",
  "first-choice": "First choice", restart: "Random restarts", annealing: "Annealing",
};

/** Those that stop as soon as no move is good enough. */
const GET_STUCK = ["steepest", "sideways", "stochastic", "first-choice"];

const NO_CONSTRAINTS = { fixed: [], blocked: [], sums: [], differences: [] };

/** Milliseconds after which the page tells what is under way. */
const TELL_AFTER = 200;

class Maker {
  /** `carried` is what the page carries, or null. */
  constructor(engine, explorer, carried) {
    Object.assign(this, { _engine: engine, _explorer: explorer, _carried: carried, _runs: [], isBusy: false });
    document.body.classList.toggle("makes", !Engine.obstacle);
    $("make").onsubmit = (event) => { event.preventDefault(); this._submit(null); };
    $("new-board").onclick = () => this._submit(null, true);
    $("watch").onsubmit = (event) => { event.preventDefault(); this._submit($("algorithms").value); };
    $("algorithms").replaceChildren(...Object.entries(WATCHED).map(([name, words]) => new Option(words, name)));
    $("stop").onclick = () => { engine.stop(); $("n").focus(); };
    for (const id of ["n", "seed"]) $(id).onfocus = ({ target }) => target.select();
    $("finish").onclick = () => this._finish();
    $("unique").onclick = () => this._tellNumber();
    $("copy-command").onclick = () => explorer.copy($("command-text").textContent, "Copied the command.");
  }

  /** Show the board that an address names, or that of the page; return an error message, empty if all is right. */
  async follow({ n, seed, algorithm, rows }) {
    const { source, painter } = this._explorer, carried = this._carried;
    const isOwn = n === null && (carried || rows === null), size = n === null && rows ? String(rows.split(",").length) : n;
    if (isOwn && carried) {
      if (source || !painter) this._explorer.show(carried);
      return "";
    }
    try {
      const asked = isOwn ? FIRST : checked(size, seed ?? (rows === null ? randomSeed() : "1"), algorithm);
      if (Engine.obstacle) throw new Error(Engine.obstacle);
      if (!isSame(asked, source)) this._explorer.show(await this._made(asked));
      return "";
    } catch (error) {
      if (!painter) this._explorer.show(carried || await this._made(FIRST));
      return sentence(error);
    }
  }

  /** Make what the fields say, with the typed seed or a new one. */
  async _submit(algorithm, isNew = false) {
    try {
      const seed = isNew || !$("seed").value.trim() ? randomSeed() : $("seed").value, asked = checked($("n").value, seed, algorithm);
      this._explorer.replace(await this._made(asked));
      if (algorithm) this._explorer.play();
      else if (FINGERS.matches) document.activeElement.blur();
    } catch (error) {
      this._explorer.words.warn(sentence(error));
    }
  }

  /** Return what Explorer.show shows of a solution, or of a search. */
  async _made(source) {
    const { n, seed, algorithm } = source, facts = { name: "", about: "", search: WATCHED[algorithm] };
    if (!algorithm) {
      const { queens, pairs } = await this._run(`Solving ${counted(n, "queen")}`, (tell) => this._engine.solve(n, seed, tell));
      return { board: new Board(queens, { pairs }), facts, source };
    }
    const found = await this._run("Searching", (tell) => this._engine.climb(n, algorithm, seed, tell));
    const course = new Course(n, found);
    return { board: new Board(course.boardAt(0), { canMove: true }), facts, course, source };
  }

  /** Wait for work, and tell what is under way if it takes long; `begin` gets a function for its progress. */
  async _run(what, begin) {
    if (this.isBusy) this._engine.stop();
    const run = this._running = {}, timer = setTimeout(() => this._tellWork(what), TELL_AFTER);
    this.isBusy = true;
    try {
      return await begin((share) => { $("progress").value = share; });
    } catch (error) {
      throw error.isStopped ? new Error("Stopped.") : error;
    } finally {
      clearTimeout(timer);
      if (this._running === run) {
        this.isBusy = false;
        $("work").hidden = true;
      }
    }
  }

  _tellWork(what) {
    $("work").hidden = false;
    $("doing").textContent = `${what} ...`;
    $("progress").removeAttribute("value");
  }

  /** Show in fields and words where the board comes from, and what else can be done with it. */
  show({ source, board: { n }, course }) {
    const { seed, algorithm } = source || {}, verb = algorithm ? "climb" : "solve";
    $("n").value = n;
    $("seed").value = source ? seed : "";
    $("watch").hidden = n > WATCHED_UP_TO;
    if (algorithm) $("algorithms").value = algorithm;
    const command = `fastqueens ${verb} ${n} ${algorithm ? `--algorithm ${algorithm} --runs 1 ` : ""}--seed ${seed}`;
    $("command-text").replaceChildren(...command.split(" ").flatMap((word, at) => [at ? " " : "", partOf(word)]));
    $("runs").hidden = !algorithm;
    if (algorithm) this._compare(source, course);
  }

  /** List the searches from the same board, for which buttons show them again. */
  _compare(source, course) {
    const isSameBoard = ({ source: { n, seed } }) => n === source.n && seed === source.seed;
    this._runs = this._runs.filter((run) => isSameBoard(run) && run.source.algorithm !== source.algorithm).concat({ source, course });
    $("runs").replaceChildren(...this._runs.map(({ source: of, course: { steps, pairs } }) => {
      const left = pairs[pairs.length - 1], verb = GET_STUCK.includes(of.algorithm) ? "stuck" : "stops";
      const button = Object.assign(document.createElement("button"), { onclick: () => this._submit(of.algorithm) });
      button.textContent = `${WATCHED[of.algorithm]}: ${counted(steps, "step")}, ${left ? `${verb} at ${counted(left, "attacking pair")}` : "solved"}`;
      button.setAttribute("aria-pressed", of === source);
      return button;
    }));
  }

  // Completions of the queens on a small board

  _finish() {
    return this._ask("Completing", async (n, instance, words) => {
      const { queens } = await this._engine.complete(n, instance, 0n);
      if (queens) this._explorer.change(() => this._explorer.hands.show(queens, "Finished"));
      return queens ? "" : `This cannot be finished: no solution exists${words}.`;
    });
  }

  _tellNumber() {
    return this._ask("Counting", async (n, instance, words) => {
      const number = await this._engine.count(n, instance, 2);
      return `${["No solution exists", "Yes: exactly one solution exists", "No: more than one solution exists"][number]}${words}.`;
    });
  }

  /** Ask for completions of the queens on the board, and say the answer, if it has words. */
  async _ask(what, answer) {
    const { board, painter: { instance } } = this._explorer, lists = instance ? instance.lists : NO_CONSTRAINTS;
    const queens = board.columns.map((column) => [column, board.rows[column]]), isFree = ([column]) => !board.has(column);
    const fixed = [...queens, ...lists.fixed.filter(isFree)], pairs = counted(board.pairs, "attacking pair");
    try {
      if (board.pairs) throw new Error(`${pairs}: first take queens away until none attacks another`);
      const text = await this._run(what, () => answer(board.n, { ...lists, fixed }, queensOf(board)));
      if (text) this._explorer.say(text);
    } catch (error) {
      this._explorer.say(sentence(error));
    }
  }
}

/** What an error says, as a sentence. */
function sentence({ message }) {
  return `${message[0].toUpperCase()}${message.slice(1)}${message.endsWith(".") ? "" : "."}`;
}

function queensOf({ columns: { length } }) {
  return length ? ` with ${length === 1 ? "this queen" : `these ${length} queens`}` : "";
}

/** A part of a command in which no line breaks. */
function partOf(word) {
  return Object.assign(document.createElement("span"), { textContent: word });
}

/** The n, seed and algorithm that texts stand for; throws an error that says what is wrong with them. */
function checked(n, seed, algorithm = null) {
  const asked = { n: checkedN(String(n)), seed: checkedSeed(seed), algorithm };
  const names = Object.keys(WATCHED);
  if (algorithm && !names.includes(algorithm)) throw new Error(`the algorithm must be one of ${names.join(", ")}, not ${algorithm}`);
  if (algorithm && asked.n > WATCHED_UP_TO) throw new Error(`n must be at most ${number(WATCHED_UP_TO)} for a search, not ${n}`);
  return asked;
}

function isSame(asked, source) {
  return Boolean(source) && ["n", "seed", "algorithm"].every((part) => asked[part] === source[part]);
}

/** A seed that is short to type. */
function randomSeed() {
  return String(crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000);
}
