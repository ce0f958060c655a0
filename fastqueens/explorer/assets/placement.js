// The first board of an attempt: the driver of windowed placements, as in fastqueens/placement.
"use strict";

/** Boards of at least this n are placed in groups of columns; see fastqueens/_run/thresholds.py for all of these. */
const GROUPS = 2 ** 18;

/** [below, blocks, wide]: boards of n < below are cut into so many blocks of columns, each as wide as so many bands. */
const CUTS = [[2 ** 22, 1, 1], [2 ** 24, 4, 2]];

/** Neighbouring columns that are dealt to the bands at a time. */
const DEALT = 1024;

/** With more columns left over, the search counts the queens on each line. */
const LEFT_OVER = 1000;

/** The most squares in the plateau memory. */
const LARGEST_PLATEAU = 2 ** 16;

/** Indices of the state of a search, and its length; see fastqueens/kernels/plateau.py. */
const PAIRS = 0, CONFLICTING = 1, UNUSED = 2, BEST_PAIRS = 3, STATE_LENGTH = 6;

/** The rounds of a placement in tiles, the tries of its turns, rows of a strip, and words of scratch space. */
const ROUNDS = [0, 1 / 2, 3 / 4, 7 / 8, 15 / 16, 31 / 32, 1], TRIES = [2, 4, 8, 16], STRIP = 512, SCRATCH = 822;

/** The arrays of an attempt, without content or as its kernels want them. */
class Attempt {
  constructor(kernels, n, seed, number) {
    const words = n < GROUPS ? Math.ceil(n / 64) : 8 * Math.ceil(n / STRIP) + 1, none = kernels.array("Q", 0);
    const rows = kernels.zeros("Q", words), sums = kernels.zeros("Q", 2 * words), differences = kernels.zeros("Q", 2 * words + 1);
    rows.values.fill(2n ** 64n - 1n, Math.ceil(n / 64));
    if (n % 64) rows.values[Math.floor(n / 64)] = 2n ** 64n - 2n ** BigInt(n % 64);
    Object.assign(this, { kernels, n, random: [seed, number], queens: kernels.array("i", n), none });
    Object.assign(this, { bitsets: [rows, sums, differences, none, none], state: kernels.zeros("q", STATE_LENGTH) });
    this.plateau = emptyPlateauMemory(kernels, n);
  }
}

/** The steps without a new minimum of attacking pairs after which an attempt ends. */
function stagnationLimit(n) {
  return 10 * n + 100;
}

function emptyPlateauMemory(kernels, n) {
  const squares = Math.min(n * n, stagnationLimit(n), LARGEST_PLATEAU), slots = 2 ** bitLength(squares - 1);
  return [kernels.zeros("Q", 2 * slots), kernels.array("I", slots), kernels.zeros("q", 1)];
}

/** The counters of all lines, without content, for min-conflicts. */
function emptyLines(kernels, n) {
  const lines = [n, 2 * n, 2 * n].map((length) => kernels.array("I", length, 2)), none = kernels.array("Q", 0);
  return [...lines, ...Array.from({ length: 4 }, () => kernels.array("I", n)), none, none];
}

/** Place the queens of an attempt. Returns the pairs with which the repair begins, or null if it cannot. */
function place(attempt, report) {
  const { kernels, n, queens, bitsets, plateau, state, random } = attempt, counts = kernels.zeros("q", 3);
  let columns = kernels.array("I", n < GROUPS ? n : 0), unused = kernels.array("I", columns.length);
  if (n < GROUPS) kernels.call("windows.place_in_one_piece", queens, bitsets, columns, unused, counts, random);
  else {
    ({ columns, unused } = new TilePlacement(attempt, report).place());
    counts.values[2] = BigInt(unused.length);
    kernels.call("windows.place_in_unused_rows", queens, bitsets, columns, unused, counts, random, columns.length);
  }
  const leftOver = columns.part(0, Number(counts.values[1])), { length } = leftOver;
  if (length > LEFT_OVER) return null;
  const pairs = [...Array.from({ length: 3 }, () => kernels.array("I", length)), unused.part(0, length)];
  const placed = kernels.call("repair.place_left_over", queens, bitsets, pairs, plateau, leftOver, state, random);
  return placed === length ? pairs : null;
}

/** The placement of a large board in groups, in one tile or several: the driver of kernels/tiles.py. */
class TilePlacement {
  constructor(attempt, report) {
    const { kernels, n } = attempt, [, most, wide] = CUTS.find(([below]) => n < below);
    const band = Math.ceil(n / (most * wide * DEALT)) * DEALT, block = wide * band;
    const blocks = Math.ceil(n / block), bands = Math.ceil(n / band);
    const together = commonDivisor(block, Math.min(DEALT, 256 << bitLength(bands - 1)));
    const [empty, unused] = [block, band].map((size) => kernels.copyOf("q", lengths(n, size)));
    const starts = [blocks, bands].map((count) => kernels.zeros("q", count + 1));
    const [shares, bandShares] = [0, 1].map(() => kernels.array("Q", bands + 1));
    Object.assign(this, { _attempt: attempt, _report: report, _block: block, _band: band, _bandShares: bandShares });
    Object.assign(this, { _empty: empty, _unused: unused, _starts: starts, _tiles: orderOfTiles(blocks, bands) });
    this._orderBits = bitLength(Math.ceil(Math.min(n, block) / together) - 1);
    shares.values.set(sharesOf(unused.values, 0n));
    const bits = [bitLength(Math.floor(together / 16)) - 1, this._orderBits];
    this._tiling = [block, band, ...bits, shares, empty, unused, ...starts];
  }

  /** Fill all tiles, try unused rows for the empty columns, and return the columns and rows that are left over. */
  place() {
    this._placeGroups();
    return TRIES.reduce((rest, tries, turn) => this._placeListed(rest, turn, tries), this._list());
  }

  _placeGroups() {
    const { kernels, n, queens, bitsets, random } = this._attempt;
    const scratch = Array.from({ length: this._empty.length }, () => kernels.array("Q", SCRATCH));
    const ends = ROUNDS.map((part) => Math.floor(part * 2 ** this._orderBits));
    for (let round = 1; round < ends.length; round += 1) {
      for (const tile of this._tiles) {
        const at = [scratch[tile[0]], random, tile, ends[round - 1], ends[round]];
        kernels.call("tiles.place_groups", queens, bitsets, this._tiling, at);
        this._report(1 - totalOf(this._empty.values) / n, "placement");
      }
    }
  }

  /** List the empty columns of each block and the unused rows of each band. */
  _list() {
    const { kernels, n, queens, bitsets, none } = this._attempt, count = totalOf(this._empty.values);
    const [columns, unused] = [0, 1].map(() => kernels.array("I", count));
    const [emptyStart, unusedStart] = this._locateLists();
    for (let block = 0; block < this._empty.length; block += 1) {
      const first = block * this._block, last = Math.min(n, first + this._block);
      kernels.call("tiles.list_empty", queens, none, columns.part(Number(emptyStart[block])), first, last);
    }
    for (let band = 0; band < this._unused.length; band += 1) {
      const first = (band * this._band) / 64, last = Math.ceil(Math.min(n, (band + 1) * this._band) / 64);
      kernels.call("windows.list_unused_rows", bitsets, unused.part(Number(unusedStart[band])), first, last);
    }
    return { columns, unused };
  }

  /** Try unused rows for the empty columns, more in bands with many unused rows; return the rest. */
  _placeListed({ columns, unused }, turn, tries) {
    const { kernels, n, queens, bitsets, random } = this._attempt, dealt = kernels.array("I", columns.length);
    this._bandShares.values.set(sharesOf(this._unused.values, 2n ** 64n - 1n));
    const lists = [columns, dealt, unused, this._bandShares];
    for (const tile of this._tiles) kernels.call("tiles.place_listed", queens, bitsets, this._tiling, lists, random, turn, tile, tries);
    const left = columns.values.filter((column) => column !== n), counts = this._unused.values;
    columns.values.set(left);
    let end = 0;
    this._starts[1].values.subarray(0, -1).forEach((start, band) => {
      unused.values.copyWithin(end, Number(start), Number(start + counts[band]));
      end += Number(counts[band]);
    });
    this._locateLists();
    return { columns: columns.part(0, left.length), unused: unused.part(0, end) };
  }

  _locateLists() {
    return [this._empty, this._unused].map((counts, kind) => {
      const starts = this._starts[kind].values;
      counts.values.forEach((count, at) => { starts[at + 1] = starts[at] + count; });
      return starts;
    });
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

/** The sums of the first counts divided by the sum of all, in units of 2^-64; `ofAll` stands for 1. */
function sharesOf(counts, ofAll) {
  const all = BigInt(totalOf(counts)), sums = [0n];
  counts.forEach((count, at) => sums.push(sums[at] + count));
  return sums.map((part) => (part === all ? ofAll : (part << 64n) / all));
}

/** The lengths of pieces of a size that make up n; the last can be shorter. */
function lengths(n, size) {
  return Array.from({ length: Math.ceil(n / size) }, (_, piece) => BigInt(Math.min(n - piece * size, size)));
}

function totalOf(values) {
  return Number(values.reduce((total, value) => total + value, 0n));
}

function bitLength(value) {
  return 32 - Math.clz32(value);
}

function commonDivisor(a, b) {
  return b ? commonDivisor(b, a % b) : a;
}
