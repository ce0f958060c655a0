// Complete search: a completion of an instance or the proof that there is none, and the number of its solutions.
"use strict";

/** Words with a bit for each column without a fixed queen, by their letters, and the handicap of lines. */
const WORD_BITS = { H: 16, I: 32, Q: 64 }, SPREAD = 96;

/** Squares that are tried between two reports, and the distance between the random numbers of neighbouring seeds. */
const TREE_SLICE = 2 ** 17, SEED_FACTOR = 0x2545f4914f6cdd1dn;

/** Indices of the state of a tree, its length, and a status; see fastqueens/kernels/tree.py. */
const LEVEL = 0, NODES = 1, SOLUTIONS = 2, OFFSET = 3, TREE_STATE_LENGTH = 5, TREE_UNDER_WAY = 0;

/** Return a completion of an instance, or null if there is none, and the number of squares that were tried. */
function complete(kernels, n, instance, seed, report) {
  if (contradicts(instance)) return { queens: null, nodes: 0 };
  const tree = new SearchTree(kernels, n, instance, seed), nodes = tree.search(1, report), queens = tree.solutions ? tree.board() : null;
  if (queens && !isCompletion(kernels, queens, instance)) throw new Error(`a wrong board, please report this: n = ${n}, seed ${seed}`);
  return { queens, nodes };
}

/** Return the number of solutions of an instance, at most a limit. */
function count(kernels, n, instance, limit, report) {
  if (contradicts(instance)) return 0;
  const tree = new SearchTree(kernels, n, instance, 0n);
  tree.search(limit, report);
  return tree.solutions;
}

/** Whether queens on the fixed squares attack each other, or stand on blocked squares or excluded diagonals. */
function contradicts({ fixed, blocked, sums, differences }) {
  const lines = fixed.flatMap(([c, r]) => [`column ${c}`, `row ${r}`, `sum ${c + r}`, `difference ${r - c}`]);
  lines.push(...sums.map((sum) => `sum ${sum}`), ...differences.map((difference) => `difference ${difference}`));
  const squares = new Set(blocked.map(String));
  return new Set(lines).size < lines.length || fixed.some((square) => squares.has(String(square)));
}

function isCompletion(kernels, rows, instance) {
  const all = Array.from(rows, (row, column) => [column, row]), hasFixed = instance.fixed.every(([c, r]) => rows[c] === r);
  return hasFixed && isSolution(kernels, kernels.copyOf("i", rows)) && !contradicts({ ...instance, fixed: all });
}

/** A complete search of an instance; its m free columns and rows are those without a fixed queen. */
class SearchTree {
  constructor(kernels, n, instance, seed) {
    kernels.begin(`n = ${n}`);
    const m = n - instance.fixed.length, [letter, w] = Object.entries(WORD_BITS).find(([, bits]) => m <= bits);
    const lines = kernels.array("q", 2, m), free = freeSquares(kernels, n, instance, lines, letter, w);
    const keep = kernels.filled(-1, letter, m * m + 1, 2 * w), numbers = kernels.filled(0, "q", 2 * w);
    kernels.call("tree.attack_tables", lines, keep);
    kernels.call("tree.line_keys", keep, m, free, SPREAD, numbers);
    const keys = kernels.array(letter, 1, 2 * w), word = letter === "Q" ? (key) => key : Number;
    keys.values.set(Array.from(numbers.values, (key, line) => word(key * BigInt(2 * w) + BigInt(line))));
    const domains = kernels.array(letter, m + 2, 2 * w), state = kernels.filled(0, "q", TREE_STATE_LENGTH);
    domains.values.set(free.values);
    const settled = kernels.filled(m < 64 ? -1n << BigInt(m) : 0, "Q", m + 2, 2);
    const chosen = kernels.filled(-1, "q", m + 2), untried = kernels.filled(1, "Q", m + 2);
    state.values[OFFSET] = (seed * SEED_FACTOR) % 2n ** 62n;
    Object.assign(this, { _kernels: kernels, _n: n, _m: m, _fixed: instance.fixed, _lines: lines, _domains: domains });
    Object.assign(this, { _state: state, _tree: [keep, keys, domains, settled, chosen, untried, state] });
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

/** List the free columns and rows, and return the open squares of each as the bits of a word. */
function freeSquares(kernels, n, { fixed, blocked, sums, differences }, lines, letter, w) {
  const ascending = fixed.toSorted(([column], [other]) => column - other), m = lines.shape[1];
  const given = [ascending.map(([column]) => column), ascending.map(([, row]) => row), sums, differences];
  const [columns, rows, ...excluded] = given.map((values) => kernels.copyOf("q", values.map(BigInt)));
  const free = kernels.filled(0, letter, 2, w, 1), used = kernels.filled(0, "Q", 3, Math.floor(n / 32) + 1);
  const index = kernels.copyOf("Q", blockedIndex(blocked));
  kernels.call("tree.free_squares", [columns, rows, index, ...excluded], n, used, lines, free);
  // A line that does not exist keeps a single square forever.
  for (const first of [0, w]) free.values.fill(letter === "Q" ? 1n : 1, first + m, first + w);
  return free.part(0, 2 * w, 1);
}

/** The blocked squares as kernels/blocked.py describes them, in one cell. */
function blockedIndex(blocked) {
  const squares = blocked.map(([column, row]) => (BigInt(column) << 32n) | BigInt(row)).sort((a, b) => (a < b ? -1 : 1));
  const marks = squares.reduce((found, square) => found | (1n << (square & 63n)), 0n), first = 5n;
  return squares.length ? [32n, 1n, marks, first, first + BigInt(squares.length), ...squares] : [];
}
