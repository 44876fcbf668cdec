import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { DataType } from "apache-arrow";
import { expect, test } from "vitest";
import { parsePage } from "../../../../data/format/manifest.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { SMALL_PAGE, SMALL_PARQUET, warmUp, whileWaiting } from "./warm-up.ts";

const SQL = `
  SELECT i::VARCHAR AS id, i::VARCHAR::BLOB AS wkb, {x: i / 2.0} AS s, 1 AS n, i > 2 AS flag,
    [{d: 'a', c: CASE WHEN i > 2 THEN 0.5::DOUBLE END}] AS l, MAP {'en': ['x', NULL]} AS m
  FROM range(9) t(i)`;

test("the small file is what DuckDB makes of these columns", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-small-"));
  const path = join(folder, "small.parquet");
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run(`COPY (${SQL}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  connection.closeSync();
  instance.closeSync();
  const made = (await readFile(path)).toString("base64");
  await rm(folder, { recursive: true });
  // of a new DuckDB it may differ: put what is told here in its place
  expect(SMALL_PARQUET).toBe(made);
});

test("the reader has decoded texts, bytes, numbers, flags, lists, structs and maps", () => {
  const decoded: ReturnType<typeof decodeParquet>[] = [];
  warmUp((bytes) => {
    const table = decodeParquet(bytes);
    decoded.push(table);
    return table;
  });
  const [table] = decoded;
  expect(table?.numRows).toBe(9);
  const types = table?.schema.fields.map(({ type }) => type) ?? [];
  for (const isKind of [
    DataType.isUtf8,
    DataType.isBinary,
    DataType.isStruct,
    DataType.isInt,
    DataType.isBool,
    DataType.isList,
    DataType.isMap,
  ]) {
    expect(
      types.some((type) => isKind(type)),
      isKind.name,
    ).toBe(true);
  }
});

test("the small page is one", () => {
  expect(parsePage(SMALL_PAGE)).toEqual(SMALL_PAGE);
});

test("a reader that fails is not told of", () => {
  expect(() =>
    warmUp(() => {
      throw new Error("no memory");
    }),
  ).not.toThrow();
});

test("the work is done once, after a file was asked for, and not for the manifest", async () => {
  const told: string[] = [];
  const read = async (path: string): Promise<Uint8Array> => {
    told.push(path);
    return new Uint8Array();
  };
  const source = whileWaiting({ name: "files", read }, () => told.push("work"));
  for (const path of ["manifest.json", "a.parquet", "b.parquet"]) {
    await source.read(path);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(told).toEqual(["manifest.json", "a.parquet", "work", "b.parquet"]);
});
