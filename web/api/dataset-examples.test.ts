import { expect, test } from "vitest";
import { openDataset } from "../engine/index.ts";
import { ELSEWHERE_BOX, elsewhereFiles } from "../engine/testing/elsewhere.ts";
import { memorySource } from "../engine/testing/sources.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { exampleSearch } from "../search/index.ts";
import { createApi } from "./index.ts";

interface Parameter {
  readonly name: string;
  readonly schema?: { readonly example?: unknown };
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
}

const dataset = openDataset({ source: memorySource(await elsewhereFiles()), decode: decodeParquet });
const api = createApi({ dataset });
const ask = (path: string) => api(new Request(`http://maps.example${path}`));
const [west, south, east, north] = ELSEWHERE_BOX;

async function examplesOf(document: Document): Promise<ReadonlyMap<string, ReadonlySet<unknown>>> {
  const found = new Map<string, Set<unknown>>();
  for (const { get } of Object.values(document.paths)) {
    for (const { name, schema } of get?.parameters ?? []) {
      if (schema?.example === undefined) continue;
      found.set(name, (found.get(name) ?? new Set()).add(schema.example));
    }
  }
  return found;
}

test("the OpenAPI document of a dataset has no example of the sample, and its coordinates are in the dataset", async () => {
  const document = (await (await ask("/openapi.json")).json()) as Document;
  expect(JSON.stringify(document)).not.toMatch(/monaco|boulder|-105\.2|43\.7/i);
  const examples = await examplesOf(document);
  const [lat, ...otherLats] = examples.get("lat") ?? [];
  expect(otherLats).toEqual([]);
  expect(lat).toBeGreaterThan(south);
  expect(lat).toBeLessThan(north);
  for (const name of ["lng", "lon"]) {
    const [lon, ...others] = examples.get(name) ?? [];
    expect(others).toEqual([]);
    expect(lon).toBeGreaterThan(west);
    expect(lon).toBeLessThan(east);
  }
  expect(examples.get("country")).toEqual(new Set(["LI"]));
  expect([...(examples.get("countrycodes") ?? [])]).toEqual([["li"]]);
  expect(examples.get("viewbox")).toEqual(examples.get("bbox"));
  expect(examples.get("text")).toEqual(new Set(["Liechtenstein"]));
  expect(examples.has("since")).toBe(false);
  expect(examples.get("release")).toEqual(new Set([(await dataset.manifest()).release]));
  // a word that any dataset may have
  expect([...(examples.get("categories") ?? [])][0]).toEqual(["cafe"]);
  const [z, x, y] = ["z", "x", "y"].map((name) => [...(examples.get(name) ?? [])][0]);
  const tile = await ask(`/tiles/places/${z}/${x}/${y}.mvt`);
  expect((await tile.arrayBuffer()).byteLength).toBeGreaterThan(100);
});

test("the example search of a dataset has results", async () => {
  const example = exampleSearch(await dataset.manifest());
  expect(example?.path).toBe("/places");
  const answer = await ask(`${example?.path}?${new URLSearchParams(example?.parameters)}`);
  expect(Number(answer.headers.get("Pagination-Count"))).toBe(40);
});

test("a dataset of divisions as sparse points is searched by type and country", () => {
  const node = { rows: 9, bbox: [-20, -30, 40, 30] };
  const division = { rows: 9, countries: { KE: 2, TZ: 7 }, runs: { location: { nodes: [node] } } };
  const manifest = { collections: { division } } as unknown as Parameters<typeof exampleSearch>[0];
  const parameters = { country: "TZ", limit: "5", types: "division" };
  expect(exampleSearch(manifest)).toEqual({ path: "/divisions", parameters });
  expect(exampleSearch({ collections: {} })).toBeUndefined();
});
