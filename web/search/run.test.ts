import { expect, test } from "vitest";
import type { Query, SearchResult } from "../engine/index.ts";
import { openDataset } from "../engine/index.ts";
import { openSample } from "../engine/testing/sample.ts";
import { countingSource } from "../engine/testing/sources.ts";
import { readStoredRows } from "../engine/testing/stored-rows.ts";
import { withMethods } from "../engine/testing/with-methods.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { pathNamed, SEARCH_PATHS } from "./paths.ts";
import { runSearch } from "./run.ts";
import { parseSearch } from "./search.ts";

interface AreaRow {
  readonly id: string;
  readonly division_id: string;
}

const NONE: SearchResult = {
  total: 0,
  length: 0,
  features: () => [].values(),
  json: () => [].values(),
  report: { release: "", files: [], partitionsCounted: 0 } as unknown as SearchResult["report"],
};

test("every division of the sample that has an area can be searched by outline", async () => {
  const { folder, source } = await openSample();
  const opened = openDataset({ source, decode: decodeParquet });
  const searched: Query[] = [];
  // the areas of countries hold most of the sample: what is in them is not read here
  const dataset = withMethods(opened, (inner) => ({
    search: async (query, options) => {
      if (!query.area) return inner.search(query, options);
      searched.push(query);
      return NONE;
    },
  }));
  const areas = await readStoredRows<AreaRow>(folder, "division_area");
  const path = pathNamed(SEARCH_PATHS, "/places");
  for (const { id, division_id: within } of areas) {
    await runSearch(dataset, parseSearch(path, { within }));
    const area = await opened.find(["division_area"], id);
    expect(searched.at(-1)?.area, within).toEqual(area?.geometry);
  }
  expect(searched).toHaveLength(areas.length);
});

test("the outline of a division needs a few small requests more than that of its area", async () => {
  const { folder, source } = await openSample();
  const areas = await readStoredRows<AreaRow>(folder, "division_area");
  const monaco = areas.find(({ country }) => country === "MC");
  const costOf = async (within = ""): Promise<readonly number[]> => {
    const counting = countingSource(source);
    const opened = openDataset({ source: counting, decode: decodeParquet });
    const dataset = withMethods(opened, (inner) => ({
      search: async (query, options) => (query.area ? NONE : inner.search(query, options)),
    }));
    await runSearch(dataset, parseSearch(pathNamed(SEARCH_PATHS, "/places"), { within }));
    const bytes = counting.requests.reduce((sum, request) => sum + request.bytes, 0);
    return [counting.requests.length, bytes];
  };
  const [requests = 0, bytes = 0] = await costOf(monaco?.id);
  const [more = 0, moreBytes = 0] = await costOf(monaco?.division_id);
  // Among them is a block of ids.
  expect(more - requests).toBeLessThanOrEqual(7);
  expect(moreBytes - bytes).toBeLessThanOrEqual(40_000);
});

test("an error names a division without an area", async () => {
  const { folder, source } = await openSample();
  const dataset = openDataset({ source, decode: decodeParquet });
  const [areas, divisions] = await Promise.all([
    readStoredRows<AreaRow>(folder, "division_area"),
    readStoredRows<{ readonly id: string }>(folder, "division"),
  ]);
  const having = new Set(areas.map(({ division_id }) => division_id));
  const without = divisions.find(({ id }) => !having.has(id))?.id ?? "";
  const asked = runSearch(dataset, parseSearch(pathNamed(SEARCH_PATHS, "/places"), { within: without }));
  await expect(asked).rejects.toThrow(`within must be a division that has an outline, got ${JSON.stringify(without)}`);
});
