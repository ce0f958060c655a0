// The kernels in WebAssembly: their memory, and how they are called; see fastqueens/_jit/library.py.
"use strict";

/** The views of arrays, by their letters of Python's module struct. */
const VIEWS = { i: Int32Array, I: Uint32Array, q: BigInt64Array, Q: BigUint64Array, H: Uint16Array };

/** The first words of a call receive its results; no kernel has so many words. */
const RESULTS = 4, WORDS = 256;

/** Bytes of a cache line, at which arrays begin, and of a page of memory, and the most pages. */
const CACHE_LINE = 64, PAGE = 65536, MOST_PAGES = 65536;

/** The kernels of a module. Each task begins with empty memory. */
class Kernels {
  constructor(module) {
    const { memory, __heap_base: base, ...exported } = new WebAssembly.Instance(module).exports;
    Object.assign(this, { _memory: memory, _words: aligned(base.value), _functions: new Map() });
    for (const [name, call] of Object.entries(exported).filter(([name]) => !name.endsWith(".result"))) {
      const [file, kernel, kinds] = name.split("."), arrays = kinds.match(/\d\w/g).join("");
      const text = new Uint8Array(memory.buffer, exported[`${name}.result`].value);
      const results = String.fromCharCode(...text.subarray(0, text.indexOf(0)));
      this._functions.set(`${file}.${kernel} ${arrays}`, { call, results });
    }
  }

  /** Forget all arrays, and make room for a task: `what`, such as "n = 8", needs about so many bytes. */
  begin(what, bytes = 0) {
    this._what = what;
    this._end = this._words + 8 * WORDS;
    this._reserve(this._end + bytes);
  }

  /** An array without content. */
  array(letter, ...shape) {
    const found = new KernelArray(this._memory, letter, this._end, shape);
    this._end = aligned(this._end + found.length * VIEWS[letter].BYTES_PER_ELEMENT);
    this._reserve(this._end);
    return found;
  }

  filled(value, letter, ...shape) {
    const found = this.array(letter, ...shape);
    found.values.fill(VIEWS[letter].BYTES_PER_ELEMENT === 8 ? BigInt(value) : value);
    return found;
  }

  copyOf(letter, values) {
    const found = this.array(letter, values.length);
    found.values.set(values);
    return found;
  }

  /** Call a kernel with arrays, numbers and lists of them, and return its result, or a list of several. */
  call(name, ...values) {
    const flat = values.flat(Infinity), kinds = flat.map((value) => value.kind ?? "").join("");
    const { call, results } = this._functions.get(`${name} ${kinds}`);
    const words = flat.flatMap((value) => (value.kind ? [value.at, ...value.shape] : [value]));
    const memory = new BigInt64Array(this._memory.buffer, this._words, WORDS);
    words.forEach((word, at) => { memory[RESULTS + at] = BigInt.asIntN(64, BigInt(word)); });
    if (call(this._words) !== 0) throw new Error(`the kernel ${name} has failed`);
    const found = Array.from(results, (letter, at) => Number(letter === "?" ? memory[at] & 255n : memory[at]));
    return found.length > 1 ? found : found[0];
  }

  _reserve(end) {
    const pages = Math.ceil(end / PAGE) - this._memory.buffer.byteLength / PAGE;
    if (pages <= 0) return;
    try {
      if (end > PAGE * MOST_PAGES) throw new RangeError();
      this._memory.grow(pages);
    } catch {
      throw new Error(`${this._what} needs ${number(Math.ceil(end / 1e6))} MB of memory, more than this browser gives`);
    }
  }
}

/** An array in the memory of the kernels. */
class KernelArray {
  constructor(memory, letter, at, shape) {
    const length = shape.reduce((product, side) => product * side, 1);
    Object.assign(this, { at, shape, length, kind: `${shape.length}${letter}`, _memory: memory, _letter: letter });
  }

  /** The numbers, until the memory grows. */
  get values() {
    return new VIEWS[this._letter](this._memory.buffer, this.at, this.length);
  }

  /** The part from an index on, of a length or up to the end. */
  part(first, length = this.length - first) {
    const bytes = first * VIEWS[this._letter].BYTES_PER_ELEMENT;
    return new KernelArray(this._memory, this._letter, this.at + bytes, [length]);
  }
}

function aligned(address) {
  return Math.ceil(address / CACHE_LINE) * CACHE_LINE;
}
