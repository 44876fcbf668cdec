import { beforeAll, describe, expect, test } from "vitest";
import { compareIds } from "../../../../data/format/ids.ts";
import { type Dataset, type Json, openDataset } from "../../../engine/index.ts";
import { createWasmConsole } from "../../../engine/testing/databases.ts";
import { openSample } from "../../../engine/testing/sample.ts";
import { type Parameters, parseSearch, runSearch, SEARCH_PATHS } from "../../../search/index.ts";
import { decodeParquet } from "../../node/parquet.ts";
import type { Console } from "../duckdb/console-database.ts";
import { CONFIDENCE_STEPS, type Facet, MOST_LISTED_VALUES } from "../protocol/statistics-calls.ts";
import { countTable, statisticsTable } from "./index.ts";

const READ: Readonly<Record<Facet, (properties: Readonly<Record<string, Json>>) => readonly unknown[]>> = {
  categories: ({ categories }) => {
    const { primary, alternate } = (categories ?? {}) as { primary?: string; alternate?: string[] };
    return [primary, ...(alternate ?? [])];
  },
  brand_name: ({ brand }) => [(brand as { names?: { primary?: string } } | undefined)?.names?.primary],
  operating_status: ({ operating_status: status }) => [status],
  types: ({ type }) => [type],
  subtype: ({ subtype }) => [subtype],
  class: (properties) => [properties.class],
};

let dataset: Dataset;
let console: Console;
beforeAll(async () => {
  const { source } = await openSample();
  dataset = openDataset({ source, decode: decodeParquet });
  console = await createWasmConsole();
});

function searchOf(name: string, parameters: Parameters) {
  const path = SEARCH_PATHS.find(({ path }) => path === name);
  if (!path) throw new Error(`no path ${name}`);
  return parseSearch(path, parameters);
}

/** Brands are compared without case. */
const spelt = (facet: string, value: string) => (facet === "brand_name" ? value.toLowerCase() : value);

async function countedByHand(name: string, parameters: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, Json>>[] = [];
  for (let page = 0; ; page++) {
    const { features, length } = await runSearch(
      dataset,
      searchOf(name, { ...parameters, limit: "1000", page: String(page) }),
    );
    all.push(...[...features()].map(({ properties }) => properties));
    if (length < 1000) break;
  }
  // only values that the filter of the facet names
  const isChosen = (facet: string, value: string) =>
    parameters[facet]?.split(",").some((each) => spelt(facet, each) === spelt(facet, value)) ?? true;
  const facets = Object.entries(READ).flatMap(([facet, read]) => {
    const counts = new Map<string, { readonly value: string; readonly rows: number }>();
    for (const properties of all) {
      for (const value of new Set(read(properties))) {
        if (typeof value !== "string" || !isChosen(facet, value)) continue;
        const { rows = 0, value: spelling = value } = counts.get(spelt(facet, value)) ?? {};
        counts.set(spelt(facet, value), { value: spelling, rows: rows + 1 });
      }
    }
    const listed = [...counts.values()].sort((a, b) => b.rows - a.rows || compareIds(a.value, b.value));
    return counts.size === 0 ? [] : [{ facet, values: counts.size, listed: listed.slice(0, MOST_LISTED_VALUES) }];
  });
  const known = all.flatMap(({ confidence }) => (typeof confidence === "number" ? [confidence] : []));
  const confidence = Array.from({ length: CONFIDENCE_STEPS }, (_, step) => {
    return known.filter((value) => value >= step / CONFIDENCE_STEPS).length;
  });
  return { rows: all.length, facets, ...(known.length > 0 ? { confidence } : {}) };
}

const BOULDER = { lat: "40.0165", lng: "-105.271", radius: "1000" };
describe.each([
  ["/places", { ...BOULDER, limit: "1", page: "3" }],
  ["/places", { country: "MC" }],
  ["/places", { ...BOULDER, categories: "cafe,restaurant", min_confidence: "0.5" }],
  ["/places", { ...BOULDER, brand_name: "SWEETGREEN" }],
  ["/buildings", { ...BOULDER, radius: "400" }],
  ["/base", { lat: "43.7384", lng: "7.4246", radius: "600" }],
  ["/transportation", { lat: "43.7384", lng: "7.4246", radius: "600" }],
  ["/divisions", { country: "MC" }],
  ["/addresses", { ...BOULDER, radius: "100" }],
  ["/places", { lat: "0", lng: "-140", radius: "1" }],
] as const)("%s %j", (path, parameters) => {
  test("the counts match a loop over the records of all pages", async () => {
    const { limit: _, page: __, ...all } = parameters as Record<string, string>;
    const table = await statisticsTable(dataset, searchOf(path, parameters), new AbortController().signal);
    const before = console.tables();
    const counted = console.over(new Uint8Array(table), countTable);
    expect(counted).toEqual(await countedByHand(path, all));
    expect(console.tables()).toEqual(before);
    // each number is the number of results of its filter
    const { parameters: names = [], types } = SEARCH_PATHS.find((each) => each.path === path) ?? {};
    const taken: ReadonlySet<string> = new Set([...names, ...(types ? ["types"] : [])]);
    const steps = (counted.confidence ?? []).map((rows, step) => ({ value: String(step / CONFIDENCE_STEPS), rows }));
    const least = Number(all.min_confidence ?? 0);
    const shown = [
      ...counted.facets.map(({ facet, listed }) => [facet, [...listed.slice(0, 2), ...listed.slice(-1)]] as const),
      ["min_confidence", steps.filter(({ value }) => Number(value) >= least)] as const,
    ];
    for (const [filter, values] of shown.filter(([name]) => taken.has(name))) {
      for (const { value, rows } of values) {
        const { total } = await runSearch(dataset, searchOf(path, { ...all, [filter]: value, limit: "1" }));
        expect(total, `${filter}=${value}`).toBe(rows);
      }
    }
  });
});
