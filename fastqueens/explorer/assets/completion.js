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
  const tree = new SearchTree(kernels, n, instance, seed), nodes = tree.search(1, report);
  if (!tree.solutions) return { queens: null, nodes };
  const queens = tree.board(), squares = Array.from(queens, (row, column) => [column, row]);
  const isRight = isSolution(kernels, kernels.copyOf("i", queens)) && instance.fixed.every(([c, r]) => queens[c] === r);
  if (isRight && !contradicts(instance, squares)) return { queens, nodes };
  throw new Error(`a wrong board, please report this: n = ${n}, seed ${seed}`);
}

/** Return the number of solutions of an instance, at most a limit. */
function count(kernels, n, instance, limit, report) {
  if (contradicts(instance, instance.fixed)) return 0;
  const tree = new SearchTree(kernels, n, instance, 0n);
  tree.search(limit, report);
  return tree.solutions;
}

/** Whether queens on squares attack each other, or stand on blocked squares or excluded diagonals. */
function contradicts({ blocked, sums, differences }, squares) {
  const lines = squares.flatMap(([c, r]) => [`column ${c}`, `row ${r}`, `sum ${c + r}`, `difference ${r - c}`]);
  lines.push(...sums.map((sum) => `sum ${sum}`), ...differences.map((difference) => `difference ${difference}`));
  const closed = new Set(blocked.map(String));
  return new Set(lines).size < lines.length || squares.some((square) => closed.has(String(square)));
}

/** A complete search of an instance; its m free columns and rows are those without a fixed queen. */
class SearchTree {
  constructor(kernels, n, instance, seed) {
    kernels.begin(`n = ${n}`);
    const m = n - instance.fixed.length, [word, bits] = Object.entries(WORD_BITS).find(([, bits]) => m <= bits);
    const [keep, keys, domains] = [m * m + 1, 1, m + 2].map((length) => kernels.array(word, length, 2 * bits));
    const levels = [kernels.array("Q", m + 2, 2), kernels.array("q", m + 2), kernels.array("Q", m + 2)];
    const state = kernels.array("q", TREE_STATE_LENGTH), tree = [keep, keys, domains, ...levels, state];
    const lines = kernels.array("q", 2, m), used = kernels.filled(0, "Q", 3, (n >> 5) + 1);
    kernels.call("tree.prepare", tree, given(kernels, instance), n, used, lines, kernels.array("q", 2 * bits));
    state.values[OFFSET] = (seed * SEED_FACTOR) % 2n ** 62n;
    Object.assign(this, { _kernels: kernels, _tree: tree, _state: state, _domains: domains, _lines: lines });
    Object.assign(this, { _n: n, _m: m, _fixed: instance.fixed });
  }

  get solutions() {
    return Number(this._state.values[SOLUTIONS]);
  }

  /** Search until so many solutions are found, or all; return the number of squares that were tried. */
  search(wanted, report) {
    const places = this._kernels.array("H", 0, 0);
    let nodes = 0, status = TREE_UNDER_WAY;
    while (status === TREE_UNDER_WAY) {
      status = this._kernels.call("tree.search", this._tree, nodes + TREE_SLICE, wanted, places);
      nodes = Number(this._state.values[NODES]);
      report(0, "complete search");
    }
    return nodes;
  }

  /** The solution at which the search ended: the last word of each column has one bit. */
  board() {
    const { _m: m, _lines: lines, _domains: domains } = this, queens = new Uint32Array(this._n);
    for (const [column, row] of this._fixed) queens[column] = row;
    const first = (Number(this._state.values[LEVEL]) + 1) * domains.shape[1];
    for (let line = 0; line < m; line += 1) {
      const place = domains.values[first + line].toString(2).length - 1;
      queens[Number(lines.values[line])] = Number(lines.values[m + place]);
    }
    return queens;
  }
}

/** The arrays of an instance. */
function given(kernels, { fixed, blocked, sums, differences }) {
  const ascending = [...fixed].sort(([column], [other]) => column - other);
  const squares = [0, 1].map((part) => ascending.map((square) => square[part])), numbers = [...squares, sums, differences];
  const [columns, rows, ...excluded] = numbers.map((values) => kernels.copyOf("q", values.map(BigInt)));
  return [columns, rows, kernels.copyOf("Q", blockedIndex(blocked)), ...excluded];
}

/** The blocked squares as kernels/blocked.py describes them, in one cell. */
function blockedIndex(blocked) {
  const squares = blocked.map(([c, r]) => (BigInt(c) << 32n) | BigInt(r)).sort((a, b) => (a < b ? -1 : 1));
  const marks = squares.reduce((found, square) => found | (1n << (square & 63n)), 0n), first = 5n;
  return squares.length ? [32n, 1n, marks, first, first + BigInt(squares.length), ...squares] : [];
}
