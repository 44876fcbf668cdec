import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { capMemory } from "../parquet/cap-memory.ts";
import { createDecoder } from "../parquet/decoder.ts";
import { readerStarter } from "./parquet.ts";

const MEBIBYTE = 1024 * 1024;
const ROWS = 1000;

let folder: string;
/** A few kilobytes that decode to about 80 MiB of text. */
let large: Uint8Array;
let small: Uint8Array;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-parquet-"));
  const database = await DuckDBInstance.create();
  const connection = await database.connect();
  const write = async (letters: number): Promise<Uint8Array> => {
    const path = join(folder, `${letters}.parquet`);
    const select = `SELECT range || repeat('x', ${letters}) AS text FROM range(${ROWS})`;
    await connection.run(`COPY (${select}) TO '${path}' (COMPRESSION zstd)`);
    return new Uint8Array(await readFile(path));
  };
  [large, small] = [await write(80_000), await write(1)];
  connection.closeSync();
  database.closeSync();
});
afterAll(() => rm(folder, { recursive: true }));

function counted(maxBytes: number, keptBytes?: number) {
  const start = readerStarter(maxBytes);
  const readers: ReturnType<typeof start>[] = [];
  const decode = createDecoder(
    () => {
      const reader = start();
      readers.push(reader);
      return reader;
    },
    keptBytes === undefined ? {} : { keptBytes },
  );
  return { decode, readers };
}

test("a reader that used much memory is not reused for the next file", () => {
  expect(large.length).toBeLessThan(200_000);
  const { decode, readers } = counted(1024 * MEBIBYTE);
  expect(decode(small).numRows).toBe(ROWS);
  expect(decode(large).numRows).toBe(ROWS);
  expect(readers.map(({ wasmMemory }) => wasmMemory().buffer.byteLength > 80 * MEBIBYTE)).toEqual([true]);
  expect(decode(small).get(7)?.text).toBe("7x");
  expect(decode(small).numRows).toBe(ROWS);
  expect(readers).toHaveLength(2);
  expect(readers[1]?.wasmMemory().buffer.byteLength).toBeLessThan(16 * MEBIBYTE);
});

test("a reader stays within its memory limit, and the next file is read normally", () => {
  const { decode, readers } = counted(64 * MEBIBYTE);
  expect(decode(small).numRows).toBe(ROWS);
  for (let round = 0; round < 2; round++) {
    expect(() => decode(large)).toThrow("the Parquet reader stopped, as it does when memory runs out");
    expect(decode(small).numRows).toBe(ROWS);
  }
  for (const { wasmMemory } of readers) expect(wasmMemory().buffer.byteLength).toBeLessThanOrEqual(64 * MEBIBYTE);
});

test("a file that is not Parquet is a separate error, and the reader continues", () => {
  const { decode, readers } = counted(64 * MEBIBYTE);
  expect(() => decode(new Uint8Array(100))).toThrow(/Parquet|EOF/);
  expect(decode(small).numRows).toBe(ROWS);
  expect(readers).toHaveLength(1);
});

test("only a module with one unbounded memory is accepted", async () => {
  const wasm = new Uint8Array(await readFile("node_modules/parquet-wasm/node/parquet_wasm_bg.wasm"));
  const capped = capMemory(wasm, 64 * MEBIBYTE);
  expect(WebAssembly.validate(capped)).toBe(true);
  expect(() => capMemory(capped, MEBIBYTE)).toThrow("flags 1, expected 1 with 0");
  expect(() => capMemory(wasm.subarray(0, 8), MEBIBYTE)).toThrow("defines no memory");
});
