// The algorithms of hill climbing that move one queen at a time: recorded runs, as fastqueens.climb makes them.
"use strict";

/** No limit; the boards that one call of a kernel evaluates, and the steps that it records. */
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

/** The odds that first choice misses a good move; temperatures, and their factor; the most that a page plays. */
const MISSED = 0.01, HOTTEST = 1, COLDEST = 0.1, COOLING = 0.95, MOST_RECORDED = 2_000_000;

/** Indices of the state and the cursor of a climb; see fastqueens/kernels/climbing.py. */
const MADE = STATE_LENGTH + 2, BEGUN = STATE_LENGTH + 3, CLIMB_STATE_LENGTH = STATE_LENGTH + 10;
const RUN = 0, LAST = 1, IS_BEGUN = 2, BUDGET = 4, REFUSED = 7, CURSOR_LENGTH = 9, OUTCOME_LENGTH = 6;

/** Run an algorithm from a random board; return its best final board, and what a Course plays. */
function climb(kernels, n, algorithm, seed, report) {
  const begun = performance.now(), moves = [[], [], []], starts = [], pairs = [], restarts = [];
  kernels.begin(`n = ${number(n)}`);
  const climber = emptyClimber(kernels, n, algorithm), [queens, , , , state] = climber;
  const claimed = kernels.array("Q", (n >> 5) + 2), trace = kernels.array("q", TRACE_ROOM, 5);
  const outcomes = kernels.array("q", 1, OUTCOME_LENGTH), cursor = kernels.filled(0, "q", CURSOR_LENGTH);
  const all = [climber, claimed, trace, kernels.copyOf("Q", [seed]), outcomes, cursor], { values } = cursor;
  let isUnderWay = false, best = Infinity, found = null;
  values[LAST] = 1n;
  while (values[RUN] === 0n) {
    values[BUDGET] = LOOKS;
    state.values[BEGUN] = state.values[MADE];
    kernels.call(`algorithms.${ALGORITHMS[algorithm][0]}`, all);
    const steps = Number(state.values[MADE] - state.values[BEGUN]), cost = Number(state.values[PAIRS]);
    if (isUnderWay) record(trace.values.subarray(0, 5 * steps), pairs, moves);
    else {
      if (starts.length) restarts.push(pairs.length);
      starts.push(...queens.values);
      pairs.push(cost);
    }
    isUnderWay = values[IS_BEGUN] !== 0n;
    if (!isUnderWay && cost < best) [best, found] = [cost, new Uint32Array(queens.values)];
    if (Math.max(pairs.length, starts.length) > MOST_RECORDED) {
      const most = `${number(MOST_RECORDED)} steps, and as many queens on first boards`;
      throw new Error(`a page plays at most ${most}, and this search has more; try a smaller n or another algorithm`);
    }
    report(1 - cost / pairs[0], "climbing");
  }
  if (values[REFUSED]) throw new Error(`a wrong board, please report this: n = ${n}, ${algorithm}, seed ${seed}`);
  const lists = { starts, pairs, restarts }, seconds = (performance.now() - begun) / 1000;
  for (const [name, numbers] of Object.entries(lists)) lists[name] = Uint32Array.from(numbers);
  return { ...lists, moves: Int32Array.from(moves.flat()), queens: found, solved: best === 0, seconds };
}

/** Add the rows of a trace to the pairs after each step, and to the columns, the rows before and the rows after. */
function record(trace, pairs, moves) {
  for (let at = 0; at < trace.length; at += 5) {
    pairs.push(Number(trace[at]));
    moves.forEach((numbers, part) => numbers.push(Number(trace[at + 2 + part])));
  }
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
