// The solver: attempts of placement, repair and min-conflicts, as fastqueens.solve(n, seed) makes them, and checks.
"use strict";

/** Bytes per queen of a windowed placement, of the list of empty columns, and of the check. */
const BYTES_PER_QUEEN = 6;

/** Steps between two reports. */
const SEARCH_SLICE = 2 ** 14;

/** Statuses of a search: see fastqueens/kernels/plateau.py and repair.py. */
const UNDER_WAY = 0, SOLVED = 1, NEEDS_MIN_CONFLICTS = 3;

/** Return a solution with the numbers of its search. `report` gets the share of a stage that is done, and its name. */
function solve(kernels, n, seed, report) {
  const begun = performance.now();
  for (let number = 0, steps = 0; ; number += 1) {
    kernels.begin(`n = ${NUMBER.format(n)}`, BYTES_PER_QUEEN * n);
    const attempt = new Attempt(kernels, n, seed, number), search = new LocalSearch(attempt, place(attempt, report), report);
    steps += search.run();
    if (search.pairs) continue;
    report(1, "checking");
    if (!isSolution(kernels, attempt.queens)) throw new Error(`n = ${n}, seed ${seed} gave a wrong board, please report this`);
    const queens = new Uint32Array(attempt.queens.values), seconds = (performance.now() - begun) / 1000;
    return { queens, steps, pairs: 0, restarts: number, seconds };
  }
}

/** The search from the first board of an attempt: repair has a list of pairs, min-conflicts counts queens on lines. */
class LocalSearch {
  constructor(attempt, pairs, report) {
    Object.assign(this, { _attempt: attempt, _pairs: pairs, _report: report });
    if (!pairs) this._countLines();
    const state = attempt.state.values;
    state[BEST_PAIRS] = state[PAIRS];
  }

  get pairs() {
    return Number(this._attempt.state.values[PAIRS]);
  }

  /** Make steps until the board is solved or stagnant, and return their number. */
  run() {
    const first = this.pairs;
    let status = first ? UNDER_WAY : SOLVED, steps = 0;
    while (status === UNDER_WAY) {
      let made;
      [status, made] = this._advance();
      steps += made;
      if (status === NEEDS_MIN_CONFLICTS) {
        this._countLines();
        status = UNDER_WAY;
      }
      this._report(1 - this.pairs / first, "search");
    }
    return steps;
  }

  _advance() {
    const { kernels, n, queens, bitsets, plateau, state, random } = this._attempt;
    const others = [plateau, state, kernels.array("q", 0, 2), random, SEARCH_SLICE, stagnationLimit(n)];
    if (this._pairs) return kernels.call("repair.repair", queens, bitsets, this._pairs, others);
    return kernels.call("min_conflicts.search", queens, this._lines, others);
  }

  /** Count the queens on all lines, and fill the empty columns. */
  _countLines() {
    const { kernels, n, queens, plateau, state, random } = this._attempt, lines = emptyLines(kernels, n);
    for (const counters of lines.slice(0, 3)) counters.values.fill(0);
    for (const index of [PAIRS, CONFLICTING, UNUSED]) state.values[index] = 0n;
    kernels.call("min_conflicts.count_queens", queens, lines, state, 0, n);
    kernels.call("min_conflicts.list_conflicts", queens, lines, state, 0, n);
    kernels.call("min_conflicts.place_least_conflict", queens, lines, plateau, state, random, 0, n);
    Object.assign(this, { _pairs: null, _lines: lines });
  }
}

/** Whether a board in the memory of the kernels is a solution. The check shares no code with the search. */
function isSolution(kernels, queens) {
  const n = queens.length, words = [n, 2 * n, 2 * n].map((lines) => kernels.zeros("Q", Math.floor(lines / 64) + 1));
  return kernels.call("checking.claim_all_lines", queens, words, 0, n);
}

/** The attacking pairs of any board. */
function attackingPairs(kernels, rows) {
  const n = rows.length;
  kernels.begin(`n = ${NUMBER.format(n)}`, 12 * n);
  const queens = kernels.copyOf("i", rows), spans = [[0n, 0, n], [1n, 0, 2 * n], [-1n, n, 2 * n]];
  const counters = kernels.array("I", 2 * n);
  return spans.reduce((found, span) => {
    counters.values.fill(0);
    return found + kernels.call("checking.count_lines", queens, counters.part(0, span[2]), span, 0, n);
  }, 0);
}
