import { expect, test } from "vitest";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { openDataset } from "./dataset.ts";
import { checkSearch } from "./testing/check-search.ts";
import { makeDataset } from "./testing/made-up-dataset.ts";
import { hardRows, oracleRows } from "./testing/made-up-rows.ts";
import { createOracle } from "./testing/oracle.ts";
import { createRandomQueries } from "./testing/queries.ts";
import { randomFrom } from "./testing/random.ts";
import { countingSource, memorySource } from "./testing/sources.ts";

const SEARCHES = 300;
/** A few partitions of some dozens. */
const BUDGET_BYTES = 25_000;

test(`${SEARCHES} random searches stay within a small budget, and right`, async () => {
  const place = (hardRows().place ?? []).slice(0, 200);
  const files = await makeDataset({ place }, { rowsPerPartition: 15, nodesPerPage: 4, withShapes: true });
  const source = countingSource(memorySource(files));
  const dataset = openDataset({ source, decode: decodeParquet, executor: "scan", cacheBytes: BUDGET_BYTES });
  const oracle = createOracle(oracleRows({ place }));
  const next = createRandomQueries(randomFrom(6), "place", oracle.rows);
  let mostBytes = 0;
  for (let i = 0; i < SEARCHES; i++) {
    await checkSearch(dataset, oracle, next());
    mostBytes = Math.max(mostBytes, dataset.heldBytes());
  }
  expect(mostBytes).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(mostBytes).toBeGreaterThan(BUDGET_BYTES / 2);
  // what left came again
  expect(source.requests.length).toBeGreaterThan(files.size);
});
