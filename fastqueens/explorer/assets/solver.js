// The solver: attempts of placement, repair and min-conflicts, as fastqueens.solve(n, seed=seed) makes them.
"use strict";

/** Bytes per queen of a windowed placement and of the check, and steps between two reports. */
const BYTES_PER_QUEEN = 6, SEARCH_SLICE = 2 ** 14;

/** Statuses of a search; see fastqueens/kernels/plateau.py and repair.py. */
const UNDER_WAY = 0, SOLVED = 1, NEEDS_MIN_CONFLICTS = 3;

/** Return a solution with the numbers of its search. `report` gets the share of a stage that is done, and its name. */
function solve(kernels, n, seed, report) {
  const begun = performance.now();
  for (let restarts = 0, steps = 0; ; restarts += 1) {
    kernels.begin(`n = ${number(n)}`, BYTES_PER_QUEEN * n);
    const attempt = new Attempt(kernels, n, seed, restarts);
    steps += searchFrom(attempt, place(attempt, report), report);
    if (attempt.state.values[PAIRS]) continue;
    report(1, "checking");
    if (!isSolution(kernels, attempt.queens)) throw new Error(`a wrong board, please report n = ${n}, seed ${seed}`);
    const queens = new Uint32Array(attempt.queens.values);
    return { queens, steps, pairs: 0, restarts, seconds: (performance.now() - begun) / 1000 };
  }
}

/** Make steps by repair or, without pairs, by min-conflicts, until the board is solved or stagnant; count them. */
function searchFrom(attempt, pairs, report) {
  const { kernels, n, queens, bitsets, plateau, state, random } = attempt;
  const others = [plateau, state, kernels.array("q", 0, 2), random, SEARCH_SLICE, stagnationLimit(n)];
  let lines = pairs ? null : countedLines(attempt);
  const first = (state.values[BEST_PAIRS] = state.values[PAIRS]);
  let status = first ? UNDER_WAY : SOLVED, made = 0, steps = 0;
  while (status === UNDER_WAY) {
    if (lines) [status, made] = kernels.call("min_conflicts.search", queens, lines, others);
    else [status, made] = kernels.call("repair.repair", queens, bitsets, pairs, others);
    steps += made;
    if (status === NEEDS_MIN_CONFLICTS) [lines, status] = [countedLines(attempt), UNDER_WAY];
    report(1 - Number(state.values[PAIRS]) / Number(first), "search");
  }
  return steps;
}

/** Count the queens on all lines for min-conflicts, and fill the empty columns. */
function countedLines({ kernels, n, queens, plateau, state, random }) {
  const lines = emptyLines(kernels, n);
  for (const counters of lines.slice(0, 3)) counters.values.fill(0);
  for (const index of [PAIRS, CONFLICTING, UNUSED]) state.values[index] = 0n;
  kernels.call("min_conflicts.count_queens", queens, lines, state, 0, n);
  kernels.call("min_conflicts.list_conflicts", queens, lines, state, 0, n);
  kernels.call("min_conflicts.place_least_conflict", queens, lines, plateau, state, random, 0, n);
  return lines;
}

/** Whether a board in the memory of the kernels is a solution. The check shares no code with the search. */
function isSolution(kernels, queens) {
  const n = queens.length, bitsets = [n, 2 * n, 2 * n].map((lines) => kernels.filled(0, "Q", (lines >> 6) + 1));
  return kernels.call("checking.claim_all_lines", queens, bitsets, 0, n) === 1;
}
