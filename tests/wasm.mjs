// Runs kernels of a WebAssembly module for tests/wasm.py: node wasm.mjs kernels.wasm
//
// The first line of stdout is JSON: the address of free memory, the names of imports, and the letters of each kernel's
// result. After that, each call on stdin is the length of the kernel's name and of its data in 4 bytes each, the name,
// and the data, which are put at that address and begin with the words. The answer is the status in 4 bytes, and the data.
import { readFileSync, readSync, writeSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const { memory, __heap_base, ...exported } = new WebAssembly.Instance(module).exports;
const free = (__heap_base.value + 63) & ~63;

function read(bytes) {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(0, bytes, done, bytes.length - done);
    if (count === 0) process.exit();
    done += count;
  }
  return bytes;
}

function write(bytes) {
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}

function lettersOf(result) {
  const bytes = new Uint8Array(memory.buffer, exported[result].value);
  return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
}

const results = Object.keys(exported).filter((name) => name.endsWith(".result"));
const letters = Object.fromEntries(results.map((name) => [name, lettersOf(name)]));
const imports = WebAssembly.Module.imports(module);
write(Buffer.from(JSON.stringify({ free, imports, letters }) + "\n"));

for (;;) {
  const [length, size] = new Uint32Array(read(new Uint8Array(8)).buffer);
  const name = String.fromCharCode(...read(new Uint8Array(length)));
  const missing = free + size - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  read(new Uint8Array(memory.buffer, free, size));
  const status = exported[name](free);
  write(new Uint8Array(new Int32Array([status]).buffer));
  write(new Uint8Array(memory.buffer, free, size));
}
