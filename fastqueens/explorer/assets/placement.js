// The first board of an attempt: the driver of windowed placements, as in fastqueens/placement.
"use strict";

/** See fastqueens/_run/thresholds.py: from GROUPS on, boards are cut into tiles, as [below n, blocks, wide] say. */
const GROUPS = 2 ** 18, CUTS = [[2 ** 22, 1, 1], [2 ** 24, 4, 2]], DEALT = 1024, LEFT_OVER = 1000;

/** See fastqueens/placement: squares of a plateau, rows of a strip, rounds and tries of a placement in tiles. */
const LARGEST_PLATEAU = 2 ** 16, STRIP = 512, ROUNDS = [0, 1 / 2, 3 / 4, 7 / 8, 15 / 16, 31 / 32, 1];
const TRIES = [2, 4, 8, 16];

/** See fastqueens/kernels/tiles.py, and plateau.py: indices of the state of a search, and its length. */
const SCRATCH = 822, PAIRS = 0, CONFLICTING = 1, UNUSED = 2, BEST_PAIRS = 3, STATE_LENGTH = 6;

/** The arrays of an attempt, as its kernels want them. */
class Attempt {
  constructor(kernels, n, seed, number) {
    const words = n < GROUPS ? Math.ceil(n / 64) : 8 * Math.ceil(n / STRIP) + 1, none = kernels.array("Q", 0);
    const [rows, ...diagonals] = [words, 2 * words, 2 * words + 1].map((length) => kernels.filled(0, "Q", length));
    rows.values.fill(2n ** 64n - 1n, Math.ceil(n / 64));
    if (n % 64) rows.values[Math.floor(n / 64)] = 2n ** 64n - 2n ** BigInt(n % 64);
    Object.assign(this, { kernels, n, random: [seed, number], none, bitsets: [rows, ...diagonals, none, none] });
    this.queens = kernels.array("i", n);
    this.state = kernels.filled(0, "q", STATE_LENGTH);
    this.plateau = emptyPlateauMemory(kernels, n);
  }
}

/** The steps without a new minimum of attacking pairs after which an attempt ends. */
function stagnationLimit(n) {
  return 10 * n + 100;
}

function emptyPlateauMemory(kernels, n) {
  const squares = Math.min(n * n, stagnationLimit(n), LARGEST_PLATEAU), slots = 2 ** bitLength(squares - 1);
  return [kernels.filled(0, "Q", 2 * slots), kernels.array("I", slots), kernels.filled(0, "q", 1)];
}

/** The counters of all lines, without content, for min-conflicts. */
function emptyLines(kernels, n) {
  const shapes = [[n, 2], [2 * n, 2], [2 * n, 2], [n], [n], [n], [n]], none = kernels.array("Q", 0);
  return [...shapes.map((shape) => kernels.array("I", ...shape)), none, none];
}

/** Place the queens of an attempt. Returns the pairs with which the repair begins, or null if it cannot. */
function place(attempt, report) {
  const { kernels, n, queens, bitsets, plateau, state, random } = attempt, counts = kernels.filled(0, "q", 3);
  let columns = null, unused = null;
  if (n < GROUPS) {
    [columns, unused] = [kernels.array("I", n), kernels.array("I", n)];
    kernels.call("windows.place_in_one_piece", queens, bitsets, columns, unused, counts, random);
  } else {
    [columns, unused] = new TilePlacement(attempt).place(report);
    counts.values[2] = BigInt(unused.length);
    kernels.call("windows.place_in_unused_rows", queens, bitsets, columns, unused, counts, random, columns.length);
  }
  const length = Number(counts.values[1]), leftOver = columns.part(0, length);
  if (length > LEFT_OVER) return null;
  const pairs = [...[0, 1, 2].map(() => kernels.array("I", length)), unused.part(0, length)];
  const placed = kernels.call("repair.place_left_over", queens, bitsets, pairs, plateau, leftOver, state, random);
  return placed === length ? pairs : null;
}

/** The placement of a large board in groups, in one tile or several: the driver of kernels/tiles.py. */
class TilePlacement {
  constructor(attempt) {
    const { kernels, n, queens, bitsets } = attempt, [, most, wide] = CUTS.find(([below]) => n < below);
    const band = Math.ceil(n / (most * wide * DEALT)) * DEALT, block = wide * band;
    const [empty, unused] = [block, band].map((size) => kernels.copyOf("q", lengths(n, size)));
    const [emptyStart, unusedStart] = [empty, unused].map(({ length }) => kernels.filled(0, "q", length + 1));
    const together = Math.min(DEALT, 256 << bitLength(unused.length - 1));
    const orderBits = bitLength(Math.ceil(Math.min(n, block) / together) - 1);
    const [shares, rowShares] = [0, 1].map(() => kernels.array("Q", unused.length + 1));
    const counts = [shares, empty, unused, emptyStart, unusedStart], bits = [bitLength(together / 16) - 1, orderBits];
    this._tiling = [queens, bitsets, block, band, bits, counts];
    this._tiles = orderOfTiles(empty.length, unused.length);
    this._ends = ROUNDS.map((part) => Math.floor(part * 2 ** orderBits));
    Object.assign(this, { ...attempt, _block: block, _band: band, _rowShares: rowShares });
    Object.assign(this, { _empty: empty, _unused: unused, _emptyStart: emptyStart, _unusedStart: unusedStart });
    this._locateLists();
    shares.values.set(sharesOf(unusedStart.values, 0n));
  }

  /** Fill all tiles, try unused rows for the empty columns, and return the columns and rows that are left over. */
  place(report) {
    const scratch = lengths(this.n, this._block).map(() => this.kernels.array("Q", SCRATCH));
    for (let round = 1; round < ROUNDS.length; round += 1) {
      const span = this._ends.slice(round - 1, round + 1);
      for (const tile of this._tiles) {
        this.kernels.call("tiles.place_groups", this._tiling, scratch[tile[0]], this.random, tile, span);
        report(1 - Number(this._empty.values.reduce((total, count) => total + count)) / this.n, "placement");
      }
    }
    return TRIES.reduce((rest, tries, turn) => this._placeListed(...rest, turn, tries), this._list());
  }

  /** List the empty columns of each block and the unused rows of each band. */
  _list() {
    const { kernels, n, queens, bitsets, none, _block: block, _band: band } = this;
    this._locateLists();
    const [columns, unused] = [0, 1].map(() => kernels.array("I", Number(this._emptyStart.values.at(-1))));
    this._emptyStart.values.subarray(0, -1).forEach((start, at) => {
      const list = columns.part(Number(start));
      kernels.call("tiles.list_empty", queens, none, list, at * block, Math.min(n, (at + 1) * block));
    });
    this._unusedStart.values.subarray(0, -1).forEach((start, at) => {
      const words = [(at * band) / 64, Math.ceil(Math.min(n, (at + 1) * band) / 64)];
      kernels.call("windows.list_unused_rows", bitsets, unused.part(Number(start)), words);
    });
    return [columns, unused];
  }

  /** Try unused rows for the empty columns, more in bands with many unused rows; return the rest. */
  _placeListed(columns, unused, turn, tries) {
    const others = [columns, this.kernels.array("I", columns.length), unused, this._rowShares, this.random, turn];
    this._rowShares.values.set(sharesOf(this._unusedStart.values, 2n ** 64n - 1n));
    for (const tile of this._tiles) this.kernels.call("tiles.place_listed", this._tiling, others, tile, tries);
    const left = columns.values.filter((column) => column !== this.n), counts = this._unused.values;
    columns.values.set(left);
    let end = 0;
    counts.forEach((count, band) => {
      const start = Number(this._unusedStart.values[band]);
      unused.values.copyWithin(end, start, start + Number(count));
      end += Number(count);
    });
    this._locateLists();
    return [columns.part(0, left.length), unused.part(0, end)];
  }

  /** Set where the list of each block and of each band begins. */
  _locateLists() {
    for (const [counts, starts] of [[this._empty, this._emptyStart], [this._unused, this._unusedStart]]) {
      counts.values.forEach((count, at) => { starts.values[at + 1] = starts.values[at] + count; });
    }
  }
}

/** The tiles [block, band] in an order in which every other block moves through the bands, behind the one before it. */
function orderOfTiles(blocks, bands) {
  const pairs = Math.ceil(blocks / 2), tiles = [];
  for (let wave = 0; wave < 2 * bands + pairs - 1; wave += 1) {
    for (let pair = 0; pair < pairs; pair += 1) {
      const step = wave - pair, block = 2 * pair + Math.floor(step / bands);
      if (step >= 0 && step < 2 * bands && block < blocks) tiles.push([block, step % bands]);
    }
  }
  return tiles;
}

/** The starts of lists divided by the length of all, which comes last, in units of 2^-64; `ofAll` stands for 1. */
function sharesOf(starts, ofAll) {
  const all = starts.at(-1);
  return Array.from(starts, (start) => (start === all ? ofAll : (start << 64n) / all));
}

/** The lengths of pieces of a size that make up n; the last can be shorter. */
function lengths(n, size) {
  return Array.from({ length: Math.ceil(n / size) }, (_, piece) => BigInt(Math.min(n - piece * size, size)));
}

function bitLength(value) {
  return 32 - Math.clz32(value);
}
