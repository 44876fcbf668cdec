/**
 * The requests of the public service's map demo: its parameters, headers, and checks of answers, written
 * independently.
 * @see https://github.com/thatapicompany/overture-maps-world-places-demo
 * @module
 */
import { readFile } from "node:fs/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";

let sample: string;
let server: RunningServer;
beforeAll(async () => {
  sample = await buildSample();
  server = await startServer({ dataset: sample, port: 0 });
});
afterAll(() => server.close());

const text = z.string();
const maybeText = text.nullable().optional();
const counts = z.object({ places: z.number(), brands: z.number() });
const Category = z.object({ primary: text, counts });
const Country = z.object({ country: text, counts });
const Brand = z.object({
  names: z.object({
    primary: maybeText,
    common: z.record(text, text).nullable().optional(),
    rules: z
      .array(z.object({ variant: text, value: text }))
      .nullable()
      .optional(),
  }),
  wikidata: maybeText,
  counts: counts.optional(),
});
const texts = z.array(text).optional();
const Place = z.object({
  id: text,
  geometry: z.object({ type: text, coordinates: z.tuple([z.number(), z.number()]) }),
  properties: z.looseObject({
    id: text,
    version: z.number(),
    sources: z.array(
      z.object({
        property: text,
        dataset: text,
        record_id: text,
        update_time: text.optional(),
        confidence: z.number().optional(),
      }),
    ),
    names: z.object({ primary: maybeText }),
    categories: z.object({ primary: maybeText, alternate: texts }).nullable().optional(),
    confidence: z.number().optional(),
    websites: texts,
    socials: texts,
    emails: texts,
    phones: texts,
    brand: z.object({ names: z.object({ primary: text.nullable() }), wikidata: maybeText }).optional(),
    addresses: z
      .array(
        z.object({
          freeform: maybeText,
          locality: maybeText,
          postcode: maybeText,
          region: maybeText,
          country: maybeText,
        }),
      )
      .optional(),
    ext_name: text.optional(),
  }),
});

/** Members in which the specification differs from the demo. The demo does not read them. */
const OTHERWISE = ["counts.brands", "properties.ext_name", "properties.version"];

/** Sends a request as the demo does and returns what it uses. Collects its errors. */
async function ask<T>(path: string, params: Record<string, unknown>, item: z.ZodType<T>) {
  const url = new URL(path, server.url);
  for (const [key, value] of Object.entries({ ...params, format: "json" }))
    if (value !== undefined) url.searchParams.set(key, Array.isArray(value) ? value.join(",") : String(value));
  const headers = { "x-api-key": "DEMO-API-KEY", "Content-Type": "application/json", Origin: "http://localhost:3000" };
  const preflight = await fetch(url, {
    method: "OPTIONS",
    headers: {
      Origin: headers.Origin,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "content-type,x-api-key",
    },
  });
  expect(preflight.ok).toBe(true);
  expect(preflight.headers.get("Access-Control-Allow-Headers")?.toLowerCase()).toMatch(/x-api-key.*content-type/);
  const response = await fetch(url, { headers });
  expect([response.status, response.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"]);
  const body: unknown = await response.json();
  const issues = z.array(item).safeParse(body).error?.issues ?? [];
  const complaints = [...new Set(issues.map((issue) => issue.path.slice(1).join(".")))].sort();
  return { items: body as T[], complaints };
}

const BOULDER = { lat: 40.0176, lng: -105.2797, radius: 2000 };

test("search, filter by category and brand, open a place by the id among its properties", async () => {
  const countries = await ask("/places/countries", { ...BOULDER, radius: 1000 }, Country);
  expect([countries.items[0]?.country, countries.complaints]).toEqual(["US", []]);
  const categories = await ask("/places/categories", BOULDER, Category);
  expect(categories.complaints).toEqual([]);
  const chosen = ["bank", "atms"].filter((name) => categories.items.some(({ primary }) => primary === name));
  expect(chosen.length).toBeGreaterThan(0);
  const brands = await ask("/places/brands", { ...BOULDER, categories: chosen }, Brand);
  expect(brands.complaints).toEqual(["counts.brands"]);
  const brand = brands.items[0]?.names.primary ?? "";
  expect(brand).not.toBe("");

  const wide = { ...BOULDER, limit: 200, categories: chosen.join(",") };
  const { items: all } = await ask("/places", wide, Place);
  const { items, complaints } = await ask("/places", { ...wide, brand_name: brand }, Place);
  expect(complaints).toEqual(["properties.ext_name", "properties.version"]);
  expect(items.length).toBe(brands.items[0]?.counts?.places);
  expect(items.length).toBeLessThan(all.length);

  // Drawn features only have their properties, which a click returns.
  const drawn = items.map(({ geometry, properties }) => ({ type: "Feature", geometry, properties }));
  for (const [i, clicked] of drawn.entries()) {
    const opened = items.find((place) => place.id === clicked.properties.id);
    expect(opened).toBe(items[i]);
    expect(opened?.properties.names.primary).toMatch(/./);
    expect(opened?.properties.brand?.names.primary).toBe(brand);
    expect(chosen).toContain(opened?.properties.categories?.primary);
    expect(opened?.geometry.coordinates[0]).toBeLessThan(-105);
  }
});

test("every place of the sample has what the demo reads, and docs/reference/rest.md counts the gaps in the data", async () => {
  const places: z.infer<typeof Place>[] = [];
  for (const country of ["US", "MC", "FR"]) {
    const { items, complaints } = await ask("/places", { country, limit: 25_000 }, Place);
    expect(complaints.filter((path) => !OTHERWISE.includes(path))).toEqual([]);
    places.push(...items);
  }
  const sources = places.flatMap(({ properties }) => properties.sources);
  const elsewhere = places.filter(({ properties: { ext_country: found, addresses } }) =>
    addresses?.some(({ country }) => country && country !== found),
  );
  expect(new Set(elsewhere.map(({ properties }) => properties.ext_country))).toEqual(new Set(["FR"]));
  const page = await readFile("docs/reference/rest.md", "utf8");
  const count = (value: number) => value.toLocaleString("en");
  const nameless = sources.filter(({ record_id: id }) => id === "");
  expect(page).toContain(`${count(nameless.length)} of the ${count(sources.length)} sources`);
  const branded = places.filter(({ properties }) => properties.brand).length;
  const brands = await brandsStored();
  expect(page).toContain(`${count(brands - branded)} of ${count(brands)} are written as a brand`);
  expect(page).toContain(`differ for ${elsewhere.length} of ${count(places.length)} places`);
});

/** Places with a brand in the files. */
async function brandsStored(): Promise<number> {
  const connection = await (await DuckDBInstance.create()).connect();
  const files = `${sample}/place/country=*/geohash=*/*.parquet`;
  const rows = await connection.runAndReadAll(`SELECT count(brand) FROM read_parquet('${files}')`);
  return Number(rows.getRows()[0]?.[0]);
}
