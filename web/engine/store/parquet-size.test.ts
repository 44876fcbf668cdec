import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import { buildSample } from "../testing/sample.ts";
import { readParquetSize } from "./parquet-size.ts";

const dataset = await buildSample();
const names = (await readdir(dataset, { recursive: true })).filter((name) => name.endsWith(".parquet")).sort();
const files = await Promise.all(
  [...names.filter((_, i) => i % 40 === 0), ...["boulder/segment", "monaco/place", "world/division_area"]].map(
    async (name) =>
      new Uint8Array(await readFile(name.includes(".") ? join(dataset, name) : `data/sample/${name}.parquet`)),
  ),
);

test("rows and bytes are those that another reader finds", () => {
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const { num_rows, row_groups } = parquetMetadata(file);
    const bytes = row_groups.reduce((sum, { total_byte_size }) => sum + Number(total_byte_size), 0);
    expect(readParquetSize(file)).toEqual({ rows: Number(num_rows), bytes });
  }
});

test("a file within a larger buffer is read", () => {
  const [file = new Uint8Array()] = files;
  const larger = new Uint8Array(file.length + 20);
  larger.set(file, 7);
  expect(readParquetSize(larger.subarray(7, 7 + file.length))).toEqual(readParquetSize(file));
});

test.each([
  ["nothing", new Uint8Array(), /no Parquet file/],
  ["another file", new Uint8Array(100), /no Parquet file/],
  ["a footer longer than the file", footer([0], 100), /longer than the file/],
  ["a footer that ends early", footer([0x49]), /damaged/],
  ["structures without an end", footer(Array(1000).fill(0x1c)), /deeper than 16/],
  ["lists of lists without an end", footer([0x19, ...Array(1000).fill(0x19)]), /damaged/],
  ["a number without an end", footer([0x16, ...Array(100_000).fill(0xff)]), /without an end/],
  ["a text longer than the file", footer([0x18, 0xff, 0xff, 0xff, 0xff, 0x0f]), /ends early/],
  ["a type that is none", footer([0x1d]), /type 13/],
  ["fewer rows than none", footer([0x49, 0x1c, 0x36, 0x01, 0, 0]), /a row group of -1 rows/],
])("%s is refused", (_, file, reason) => {
  expect(() => readParquetSize(file)).toThrow(reason);
});

test("a changed footer is read or refused, and takes no longer", () => {
  const file = files.find(({ length }) => length > 20_000) ?? new Uint8Array();
  const length = new DataView(file.buffer).getUint32(file.length - 8, true);
  const changes = fc.array(fc.tuple(fc.nat(length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(changes, (made) => {
      const changed = file.slice();
      for (const [at, byte] of made) changed[file.length - 8 - length + at] = byte;
      try {
        const { rows, bytes } = readParquetSize(changed);
        expect(rows >= 0 && bytes >= 0).toBe(true);
      } catch (error) {
        expect(String(error)).toMatch(/its Parquet footer is damaged: /);
      }
    }),
    { numRuns: 2000, seed: 20261125 },
  );
});

function footer(bytes: readonly number[], length = bytes.length): Uint8Array {
  const file = new Uint8Array(bytes.length + 8);
  file.set(bytes);
  new DataView(file.buffer).setUint32(bytes.length, length, true);
  file.set(new TextEncoder().encode("PAR1"), bytes.length + 4);
  return file;
}
