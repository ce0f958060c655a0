// The algorithms of hill climbing that move one queen at a time: recorded runs, as fastqueens.climb makes them.
"use strict";

/** The numbers that stand for no limit, for boards that one call of a kernel evaluates, and for steps that it records. */
const UNLIMITED = 2n ** 62n, LOOKS = 2n ** 22n, TRACE_ROOM = 2 ** 14;

/** For each algorithm its kernel, and its most sideways moves and restarts; see fastqueens/classroom/algorithms.py. */
const ALGORITHMS = {
  steepest: ["steepest", () => 0, 0],
  sideways: ["steepest", () => 100, 0],
  restart: ["steepest", () => 0, UNLIMITED],
  "min-conflicts": ["min_conflicts", stagnationLimit, 0],
  annealing: ["annealing", () => 0, 0],
  stochastic: ["stochastic", () => 0, 0],
  "first-choice": ["first_choice", () => 0, 0],
};

/** The probability that first choice misses a good move; the first, the last and the factor of temperatures. */
const MISSED = 0.01, HOTTEST = 1, COLDEST = 0.1, COOLING = 0.95;

/** The most steps, and the most queens on first boards, of a run that is played. */
const MOST_RECORDED = 2_000_000;

/** Indices of the state and the cursor of a climb; see fastqueens/kernels/climbing.py. */
const MADE = STATE_LENGTH + 2, BEGUN = STATE_LENGTH + 3, CLIMB_STATE_LENGTH = STATE_LENGTH + 10;
const RUN = 0, LAST = 1, IS_BEGUN = 2, BUDGET = 4, REFUSED = 7, CURSOR_LENGTH = 9, OUTCOME_LENGTH = 6;

/** Run an algorithm from a random board; return its best final board, and what a Course plays. */
function climb(kernels, n, algorithm, seed, report) {
  const begun = performance.now(), record = new ClimbRecord();
  kernels.begin(`n = ${number(n)}`);
  const climber = emptyClimber(kernels, n, algorithm), [queens, , , , state] = climber;
  const claimed = kernels.array("Q", Math.floor(n / 32) + 2), trace = kernels.array("q", TRACE_ROOM, 5);
  const seeds = kernels.copyOf("Q", [seed]), outcomes = kernels.array("q", 1, OUTCOME_LENGTH);
  const cursor = kernels.filled(0, "q", CURSOR_LENGTH), { values } = cursor, kernel = `algorithms.${ALGORITHMS[algorithm][0]}`;
  values[LAST] = 1n;
  while (values[RUN] === 0n) {
    values[BUDGET] = LOOKS;
    state.values[BEGUN] = state.values[MADE];
    kernels.call(kernel, climber, claimed, trace, seeds, outcomes, cursor);
    record.add(queens.values, state.values, trace.values, values[IS_BEGUN] !== 0n);
    report(1 - record.pairs.at(-1) / record.pairs[0], "climbing");
  }
  if (values[REFUSED]) throw new Error(`a wrong board, please report this: n = ${n}, ${algorithm}, seed ${seed}`);
  return { ...record.result(), seconds: (performance.now() - begun) / 1000 };
}

/** The arrays and options of a climb, as kernels/climbing.py lists them; those of other algorithms are empty. */
function emptyClimber(kernels, n, algorithm) {
  const [, sideways, restarts] = ALGORITHMS[algorithm], tries = Math.ceil(-Math.log(MISSED) * n * (n - 1));
  const board = [kernels.array("i", n), ...[n, 2 * n, 2 * n].map((length) => kernels.array("q", length))];
  const options = [0, sideways(n), tries, oddsOfRises(kernels, n), n * n, 0, UNLIMITED, UNLIMITED, restarts, 0];
  const others = [["i", 0, n], ["Q", 0], ["q", 0, 5], ["q", 0], ["q", 0, 0]].map((shape) => kernels.array(...shape));
  const search = [emptyLines(kernels, n), emptyPlateauMemory(kernels, n)];
  return [...board, kernels.filled(0, "q", CLIMB_STATE_LENGTH), options, others, search];
}

/** 2^64 exp(-rise / temperature) for each temperature of annealing and each rise of the cost from 1 on. */
function oddsOfRises(kernels, n) {
  const levels = Math.floor(Math.log(HOTTEST / COLDEST) / -Math.log(COOLING)) + 1;
  const rises = Math.min(Math.ceil(64 * Math.LN2 * HOTTEST), (n * (n - 1)) / 2);
  const odds = kernels.array("Q", levels, rises), { values } = odds;
  for (let at = 0; at < values.length; at += 1) {
    const heat = HOTTEST * COOLING ** Math.floor(at / rises), rise = 1 + (at % rises);
    values[at] = BigInt(Math.floor(Math.exp(-rise / heat) * 2 ** 64));
  }
  return odds;
}

/** The record of a run, as in fastqueens/classroom/runs.py: its first boards, moves and pairs, and its best final board. */
class ClimbRecord {
  constructor() {
    Object.assign(this, { pairs: [], _starts: [], _moves: [], _restarts: [], _isUnderWay: false, _cost: Infinity });
  }

  /** Record one call of the kernel: the first board of a climb, or its steps. */
  add(queens, state, trace, isUnderWay) {
    const steps = this._isUnderWay ? Number(state[MADE] - state[BEGUN]) : 0, cost = Number(state[PAIRS]);
    for (let at = 0; at < 5 * steps; at += 5) {
      this.pairs.push(Number(trace[at]));
      for (let part = 2; part < 5; part += 1) this._moves.push(Number(trace[at + part]));
    }
    if (!this._isUnderWay) {
      if (this.pairs.length) this._restarts.push(this.pairs.length);
      this._starts.push(...queens);
      this.pairs.push(cost);
    }
    this._isUnderWay = isUnderWay;
    if (!isUnderWay && cost < this._cost) Object.assign(this, { _cost: cost, _queens: new Uint32Array(queens) });
    if (Math.max(this.pairs.length, this._starts.length) <= MOST_RECORDED) return;
    throw new Error(`a page plays at most ${number(MOST_RECORDED)} steps, and as many queens on first boards`);
  }

  result() {
    const { pairs, _starts: starts, _moves: moves, _restarts: restarts, _queens: queens } = this, steps = moves.length / 3;
    const columnsFirst = Int32Array.from(moves, (_, at) => moves[3 * (at % steps) + Math.floor(at / steps)]);
    const arrays = { moves: columnsFirst, starts: Uint32Array.from(starts), pairs: Uint32Array.from(pairs) };
    return { ...arrays, restarts: Uint32Array.from(restarts), queens, solved: this._cost === 0 };
  }
}
