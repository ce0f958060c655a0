// A set of lines of a board, in two bits per line: the lines before any one are counted in constant time.
"use strict";

class Lines {
  /** `bits` has a bit for each line, in words of 32. */
  constructor(bits) {
    this._bits = bits;
    this._before = new Uint32Array(bits.length + 1);
    for (let word = 0; word < bits.length; word += 1) this._before[word + 1] = this._before[word] + onesIn(bits[word]);
    this.total = this._before[bits.length];
  }

  has(line) {
    return line >= 0 && line < 32 * this._bits.length && hasBit(this._bits, line);
  }

  /** The lines of the set before a line. */
  before(line) {
    if (line <= 0) return 0;
    const word = line >>> 5;
    if (word >= this._bits.length) return this.total;
    return this._before[word] + onesIn(this._bits[word] & ((1 << (line & 31)) - 1));
  }

  /** What threads of a width along the lines cover between 0 and a place; line k reaches from k to k + 1. */
  coveredUpTo(place, width) {
    const line = Math.floor(place), inside = place - line, gap = (1 - width) / 2;
    if (!this.has(line)) return width * this.before(line);
    // Wider threads overlap: their cover is spread over the line.
    return width * this.before(line) + (width > 1 ? width * inside : Math.max(0, Math.min(width, inside - gap)));
  }

  /** The lines of the set from `first` to before `last`. */
  within(first, last) {
    const found = [], end = Math.min(last, 32 * this._bits.length);
    for (let line = Math.max(0, first); line < end; line += 1) {
      if (!this._bits[line >>> 5]) line |= 31;
      else if (hasBit(this._bits, line)) found.push(line);
    }
    return found;
  }
}

/** The lines with at least `least` queens, as bits. */
function bitsOf(queens, least) {
  const bits = new Uint32Array((queens.length >>> 5) + 1);
  for (let line = 0; line < queens.length; line += 1) if (queens[line] >= least) bits[line >>> 5] |= 1 << (line & 31);
  return bits;
}

function hasBit(words, bit) {
  return (words[bit >>> 5] & (1 << (bit & 31))) !== 0;
}

/** The bits of a word that are set. */
function onesIn(word) {
  let ones = word - ((word >>> 1) & 0x55555555);
  ones = (ones & 0x33333333) + ((ones >>> 2) & 0x33333333);
  return (((ones + (ones >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
