import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { DataType } from "apache-arrow";
import { expect, test, vi } from "vitest";
import { parsePage } from "../../../../data/format/manifest.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { SMALL_PAGE, SMALL_PARQUET, type WorkByEnding, warmUps, whileWaiting } from "./warm-up.ts";

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
  const works = warmUps((bytes) => {
    const table = decodeParquet(bytes);
    decoded.push(table);
    return table;
  });
  works.json?.();
  works.parquet?.();
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

const WHILE_MS = 100;

/** Asks for paths, those of an array together; what was asked for and what was done meanwhile, in its order. */
async function readInTurn(steps: readonly (readonly string[])[], works: WorkByEnding): Promise<string[]> {
  vi.useFakeTimers();
  const told: string[] = [];
  const read = async (path: string): Promise<Uint8Array> => {
    told.push(path);
    return new Uint8Array();
  };
  const noted = Object.entries(works).map(([ending, work]) => [
    ending,
    () => {
      told.push(ending);
      work();
    },
  ]);
  const source = whileWaiting({ name: "files", read }, Object.fromEntries(noted));
  for (const paths of steps) {
    for (const path of paths) {
      void source.read(path);
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(WHILE_MS);
  }
  vi.useRealTimers();
  return told;
}

test("each work is done once, after all files of a step were asked for, and not for the manifest", async () => {
  const steps = [["manifest.json"], ["a.json", "b.json"], ["c.json"], ["d.parquet", "e.parquet"], ["f.parquet"]];
  const told = await readInTurn(steps, { json: () => {}, parquet: () => {} });
  const [manifest, [a, b] = [], c, [d, e] = [], f] = steps;
  expect(told).toEqual([...(manifest ?? []), a, b, "json", ...(c ?? []), d, e, "parquet", ...(f ?? [])]);
});

test("a reader that fails is not told of", async () => {
  const fail = () => {
    throw new Error("no memory");
  };
  await expect(readInTurn([["a.parquet"]], { parquet: fail })).resolves.toEqual(["a.parquet", "parquet"]);
});
