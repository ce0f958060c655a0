// Complete search: a completion of an instance or the proof that there is none, and the number of its solutions.
"use strict";

/** Words with a bit for each column without a fixed queen, by their letters. */
const WORD_BITS = { H: 16, I: 32, Q: 64 };

/** Squares that are tried between two reports, and the distance between the random numbers of neighbouring seeds. */
const TREE_SLICE = 2 ** 17, SEED_FACTOR = 0x2545f4914f6cdd1dn;

/** Indices of the state of a tree, its length, and a status; see fastqueens/kernels/tree.py. */
const LEVEL = 0, NODES = 1, SOLUTIONS = 2, OFFSET = 3, TREE_STATE_LENGTH = 5, TREE_UNDER_WAY = 0;

/** Return a completion of an instance, or null if there is none, and the number of squares that were tried. */
function complete(kernels, n, instance, seed, report) {
  if (contradicts(instance, instance.fixed)) return { queens: null, nodes: 0 };
  const { queens, nodes, solutions } = searched(kernels, n, instance, seed, 1, report);
  if (!solutions) return { queens: null, nodes };
  const squares = Array.from(queens, (row, column) => [column, row]);
  const isRight = isSolution(kernels, kernels.copyOf("i", queens)) && instance.fixed.every(([c, r]) => queens[c] === r);
  if (isRight && !contradicts(instance, squares)) return { queens, nodes };
  throw new Error(`a wrong board, please report this: n = ${n}, seed ${seed}`);
}

/** Return the number of solutions of an instance, at most a limit. */
function count(kernels, n, instance, limit, report) {
  return contradicts(instance, instance.fixed) ? 0 : searched(kernels, n, instance, 0n, limit, report).solutions;
}

/** Whether queens on squares attack each other, or stand on blocked squares or excluded diagonals. */
function contradicts({ blocked, sums, differences }, squares) {
  const lines = squares.flatMap(([c, r]) => [`column ${c}`, `row ${r}`, `sum ${c + r}`, `difference ${r - c}`]);
  lines.push(...sums.map((sum) => `sum ${sum}`), ...differences.map((difference) => `difference ${difference}`));
  const closed = new Set(blocked.map(String));
  return new Set(lines).size < lines.length || squares.some((square) => closed.has(String(square)));
}

/** Search until so many solutions are found, or all; `queens` is the last one. The m free lines have no fixed queen. */
function searched(kernels, n, instance, seed, wanted, report) {
  kernels.begin(`n = ${n}`);
  const m = n - instance.fixed.length, [word, bits] = Object.entries(WORD_BITS).find(([, bits]) => m <= bits);
  const [keep, keys, domains] = [m * m + 1, 1, m + 2].map((length) => kernels.array(word, length, 2 * bits));
  const levels = [kernels.array("Q", m + 2, 2), kernels.array("q", m + 2), kernels.array("Q", m + 2)];
  const state = kernels.array("q", TREE_STATE_LENGTH), tree = [keep, keys, domains, ...levels, state];
  const used = kernels.filled(0, "Q", 3, (n >> 5) + 1), lines = kernels.array("q", 2, m);
  kernels.call("tree.prepare", tree, given(kernels, instance), n, used, lines, kernels.array("q", 2 * bits));
  state.values[OFFSET] = (seed * SEED_FACTOR) % 2n ** 62n;
  const numberOf = (index) => Number(state.values[index]), places = kernels.array("H", 0, 0);
  while (kernels.call("tree.search", tree, numberOf(NODES) + TREE_SLICE, wanted, places) === TREE_UNDER_WAY) {
    report(0, "complete search");
  }
  const queens = new Uint32Array(n), [columns, rows] = [lines.part(0, m), lines.part(m, m)];
  for (const [column, row] of instance.fixed) queens[column] = row;
  // One bit is left in the domain of each column.
  domains.part((numberOf(LEVEL) + 1) * 2 * bits, m).values.forEach((domain, line) => {
    queens[Number(columns.values[line])] = Number(rows.values[domain.toString(2).length - 1]);
  });
  return { queens, nodes: numberOf(NODES), solutions: numberOf(SOLUTIONS) };
}

/** The arrays of an instance. */
function given(kernels, { fixed, blocked, sums, differences }) {
  const ascending = [...fixed].sort(([column], [other]) => column - other);
  const numbers = (values) => kernels.copyOf("q", values.map(BigInt));
  const [columns, rows] = [0, 1].map((part) => numbers(ascending.map((square) => square[part])));
  return [columns, rows, kernels.copyOf("Q", blockedIndex(blocked)), numbers(sums), numbers(differences)];
}

/** The blocked squares as kernels/blocked.py describes them, in one cell. */
function blockedIndex(blocked) {
  const squares = blocked.map(([c, r]) => (BigInt(c) << 32n) | BigInt(r)).sort((a, b) => (a < b ? -1 : 1));
  const marks = squares.reduce((found, square) => found | (1n << (square & 63n)), 0n), first = 5n;
  return squares.length ? [32n, 1n, marks, first, first + BigInt(squares.length), ...squares] : [];
}
