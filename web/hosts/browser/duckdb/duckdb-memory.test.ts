import { expect, test } from "vitest";
import { QueryError } from "../../../engine/contract/errors.ts";
import type { Query } from "../../../engine/contract/query.ts";
import { openDataset } from "../../../engine/dataset.ts";
import { createWasmDatabase } from "../../../engine/testing/databases.ts";
import { makeDataset } from "../../../engine/testing/made-up-dataset.ts";
import { memorySource } from "../../../engine/testing/sources.ts";
import { decodeParquet } from "../../node/parquet.ts";

/** Too little for the tables of a thousand rows. */
const MEMORY_MEGABYTES = 1;
const place = Array.from({ length: 3000 }, (_, i) => ({
  id: `row${String(i).padStart(4, "0")}-${"x".repeat(200)}`,
  country: "AA",
  geometry: { type: "Point", coordinates: [i / 10_000, 0] } as const,
}));
const QUERY: Query = { collections: ["place"], country: "AA", offset: 100, limit: 1000 };
const files = makeDataset({ place }, { rowsPerPartition: 1000 });

test("DuckDB out of memory: the error says so", async () => {
  const dataset = openDataset({
    source: memorySource(await files),
    decode: decodeParquet,
    executor: "sql",
    database: () => createWasmDatabase(MEMORY_MEGABYTES),
  });
  const search = dataset.search(QUERY);
  await expect(search).rejects.toThrow(QueryError);
  await expect(search).rejects.toThrow(/memory/i);
});
