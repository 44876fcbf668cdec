import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { capMemory, MAX_READER_BYTES } from "../hosts/parquet/index.ts";
import { wasmFiles } from "./wasm.ts";

test("the fast level has the same modules under the same names, and its own entries of the cache", async () => {
  const [fast, small] = [wasmFiles("fast"), wasmFiles("small")];
  const namesOf = (files: typeof fast) => files.map(({ key, name, inputs }) => ({ key, name, inputs }));
  expect(namesOf(fast)).toEqual(namesOf(small));
  for (const [index, { version }] of fast.entries()) expect(version).not.toBe(small[index]?.version);
  const reader = fast.find(({ key }) => key === "parquetWasm");
  const [input = ""] = reader?.inputs ?? [];
  const wasm = await readFile(input);
  const made = await reader?.make([wasm]);
  expect(gunzipSync(made ?? "").equals(capMemory(wasm, MAX_READER_BYTES))).toBe(true);
});
