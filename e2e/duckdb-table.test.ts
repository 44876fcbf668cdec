import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BothWays, openBothWays } from "../web/app/copy/testing/both-ways.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";
import { buildOwnDataset, OWN_ROWS } from "./support/own-dataset.ts";

let folder: string;
let ways: BothWays;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-duckdb-"));
  ways = await openBothWays(openNodeDataset(await buildOwnDataset(folder)));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["", OWN_ROWS],
  ["name=shop&limit=100", OWN_ROWS],
  ["name=SHOP 1", 11],
  ["Price_max=9.5&lat=47.9&lng=7.8&radius=5000", undefined],
  ["open=true&country=DE", undefined],
  ["brand=A%20%26%20B", OWN_ROWS / 2],
  ["note=number 12", 1],
  ["tags=green&page=0", OWN_ROWS / 2],
  ["area=7.8,47.9,7.81,47.91&x_min=2024-05-01T03", undefined],
  ["Since_min=2015&Since_max=2017-05", undefined],
])("a search of a table has the same rows in DuckDB: %s", async (query, count) => {
  const total = await ways.compare(`my_shops${query === "" ? "" : `?${query}`}`);
  if (count === undefined) expect(total).toBeGreaterThan(0);
  else expect(total).toBe(count);
});
