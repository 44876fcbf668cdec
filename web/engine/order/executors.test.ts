import { expect, test } from "vitest";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import type { Query } from "../contract/query.ts";
import { openDataset } from "../dataset.ts";
import { createWasmDatabase } from "../testing/databases.ts";
import { makeDataset } from "../testing/made-up-dataset.ts";
import { memorySource } from "../testing/sources.ts";

const ROWS_PER_PARTITION = 10;
const place = Array.from({ length: 40 }, (_, i) => ({
  id: `row${String(i).padStart(2, "0")}`,
  country: "AA",
  geometry: { type: "Point", coordinates: [i / 100, 0] } as const,
}));
const files = await makeDataset({ place }, { rowsPerPartition: ROWS_PER_PARTITION });

test("under auto few rows are left to the loop, and more go to the database once it is up", async () => {
  const dataset = openDataset({
    source: memorySource(files),
    decode: decodeParquet,
    database: () => createWasmDatabase(),
    mostLoopedRows: ROWS_PER_PARTITION,
  });
  const ask = async (limit: number) => {
    const query: Query = { collections: ["place"], country: "AA", offset: 0, limit };
    const { features, report } = await dataset.search(query);
    expect([...features(new Set())].map(({ id }) => id)).toEqual(place.slice(0, limit).map(({ id }) => id));
    return report;
  };
  expect(await ask(25)).toMatchObject({ executor: "scan", rowsScanned: 30 });
  await expect.poll(async () => (await ask(25)).executor, { timeout: 60_000 }).toBe("sql");
  expect((await ask(25)).sql).not.toEqual([]);
  expect(await ask(5)).toMatchObject({ executor: "scan", rowsScanned: ROWS_PER_PARTITION, sql: [] });
});
