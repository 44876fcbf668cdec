/**
 * Limits the memory of a WebAssembly module. @see
 * https://webassembly.github.io/spec/core/binary/modules.html#memory-section
 * @module
 */

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const PAGE_BYTES = 65_536;

/** Returns the module with a limit on its memory, in bytes. Throws when the module has no memory, or already a limit. */
export function capMemory(wasm: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  let offset = HEADER_BYTES;
  function number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = wasm[offset++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
  while (offset < wasm.length) {
    const start = offset;
    const id = wasm[offset++];
    const size = number();
    const end = offset + size;
    if (id === MEMORY_SECTION) {
      const [memories, flags, least] = [number(), number(), number()];
      if (memories !== 1 || flags !== 0) throw new Error(`${memories} memories with flags ${flags}, expected 1 with 0`);
      const limits = [1, 1, ...encoded(least), ...encoded(Math.floor(maxBytes / PAGE_BYTES))];
      const section = [MEMORY_SECTION, ...encoded(limits.length), ...limits];
      const capped = new Uint8Array(start + section.length + wasm.length - end);
      capped.set(wasm.subarray(0, start));
      capped.set(section, start);
      capped.set(wasm.subarray(end), start + section.length);
      return capped;
    }
    offset = end;
  }
  throw new Error("the module defines no memory");
}

function encoded(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...encoded(Math.floor(value / 128))];
}
