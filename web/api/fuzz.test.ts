import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { type Dataset, openDataset, type Query } from "../engine/index.ts";
import { checkSearch } from "../engine/testing/check-search.ts";
import { makeDataset } from "../engine/testing/made-up-dataset.ts";
import { hardRows, oracleRows } from "../engine/testing/made-up-rows.ts";
import { createOracle } from "../engine/testing/oracle.ts";
import { memorySource } from "../engine/testing/sources.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { COUNT_PATHS, parametersOf, parseSearch, SEARCH_PATHS } from "../search/index.ts";
import { type Api, createApi } from "./index.ts";

/** Numbers of random requests, most of which are refused, and of requests near rows with some random parts. */
const WILD_REQUESTS = 10_000;
const LIKELY_REQUESTS = 1000;
const ALLOWED = new Set([200, 304, 400, 401, 404, 405, 409]);
const PARAMETERS = [
  ...new Set([...SEARCH_PATHS, ...COUNT_PATHS].flatMap(({ parameters }) => [...parameters, "types"])),
];

const INJECTIONS = [
  "'; DROP TABLE place; --",
  '" OR 1=1 --',
  "1) UNION SELECT * FROM duckdb_settings() --",
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(1)</script>",
  "a\r\nSet-Cookie: stolen=1",
  "a%0d%0aX-Injected: 1",
  "../../etc/passwd",
  "%00",
  "\u0000",
  "__proto__",
  "constructor",
  "\ud800",
  "İ".repeat(500),
  "東".repeat(300),
];

const rows = hardRows();
const oracle = createOracle(oracleRows(rows));
let dataset: Dataset;
let ask: Api;
const failures: unknown[] = [];

beforeAll(async () => {
  dataset = openDataset({
    source: memorySource(await makeDataset(rows, { nodesPerPage: 4 })),
    decode: decodeParquet,
  });
  ask = createApi({
    dataset,
    isKnownKey: (key) => key !== "wrong",
    onFailure: (error) => failures.push(error),
  });
});

/** Returns the query of an answered search by circle and country alone, which the plain loop knows. */
function plainQuery(asked: string, parameters: URLSearchParams): Query | undefined {
  const path = SEARCH_PATHS.find((each) => each.path === asked);
  if (!path) return undefined;
  const { query, within } = parseSearch(path, parametersOf(parameters));
  const isPlain = within === undefined && !query.filters && !query.area && query.nearest === undefined;
  return isPlain && (query.circle || query.country !== undefined) ? query : undefined;
}

const number = fc.oneof(
  fc.double({ noNaN: true, min: -200, max: 200 }).map(String),
  fc.integer({ min: -5, max: 30_000 }).map(String),
  fc.constantFrom(
    "0",
    "-0",
    "90",
    "-90",
    "180",
    "-180",
    "1e5",
    "1e308",
    "NaN",
    "Infinity",
    "0x10",
    "1,2",
    "",
    " 1",
    "１",
  ),
);
const text = fc.oneof(
  number,
  fc.constantFrom(...INJECTIONS),
  fc.constantFrom(
    "AA",
    "fj",
    "ZZ",
    "true",
    "json",
    "csv",
    "geojson",
    "place,segment",
    "water",
    "open",
    "website",
    "7,43,8,44",
    "names",
  ),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PARAMETERS) }, { weight: 1, arbitrary: text });
const pair = fc.oneof(fc.tuple(name, text), fc.tuple(fc.constantFrom("lat", "lng", "radius", "limit", "page"), number));
const path = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...[...SEARCH_PATHS, ...COUNT_PATHS].map((each) => each.path)) },
  { weight: 1, arbitrary: text.map((id) => `/places/${encodeURIComponent(id.replace(/[\ud800-\udfff]/g, ""))}`) },
  { weight: 1, arbitrary: fc.constantFrom("/", "/openapi.json", "/%", "/places/%ff", "//", "/places/", "/PLACES") },
);
const request = fc.record({
  path,
  pairs: fc.array(pair, { maxLength: 6 }),
  method: fc.constantFrom("GET", "GET", "GET", "GET", "HEAD", "POST", "DELETE"),
  key: fc.constantFrom("right", "right", "right", "wrong", undefined),
});

const somewhere = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(["180", "0"], ["179.99", "65"], ["7.42", "43.73"], ["0", "90"]),
      fc.integer({ min: 1, max: 300_000 }),
    )
    .map(([[lng = "", lat = ""], radius]) => [
      ["lat", lat],
      ["lng", lng],
      ["radius", String(radius)],
    ]),
  fc.constantFrom("AA", "fj", "ZZ").map((country) => [["country", country]]),
);
const likely = fc.record({
  path: fc.constantFrom("/places", "/places", "/transportation", "/base", "/places/countries"),
  pairs: fc
    .tuple(somewhere, fc.option(fc.tuple(fc.constantFrom("limit", "page", "format", "includes"), text), { freq: 1 }))
    .map(([place, more]): string[][] => [...place, ...(more ? [more] : [])]),
  method: fc.constantFrom("GET"),
  key: fc.constantFrom("right"),
});

test.each([
  ["of anything", request, WILD_REQUESTS, 200],
  ["where rows are", likely, LIKELY_REQUESTS, 300],
])(
  "fuzzed requests %s are answered or refused in the specified formats, with the rows of a plain loop",
  async (_, requests, numRuns, leastAnswered) => {
    let answered = 0;
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(requests, async ({ path: asked, pairs, method, key }) => {
        const query = new URLSearchParams(pairs);
        const headers = key === undefined ? {} : { "x-api-key": key };
        const response = await ask(new Request(`http://cairn.test${asked}?${query}`, { method, headers }));
        // only a request that names a release can conflict with the current one
        const allowed = query.has("release") ? new Set([...ALLOWED, 409]) : ALLOWED;
        expect(allowed, `${response.status}`).toContain(response.status);
        for (const [header, value] of response.headers) {
          expect(header).not.toMatch(/injected|set-cookie/i);
          expect(value).not.toMatch(/[\r\n]/);
        }
        if (method === "HEAD") return;
        const body = await response.text();
        if (response.status === 200) {
          answered++;
          if (response.headers.get("Content-Type")?.includes("json")) JSON.parse(body);
          const plain = method === "GET" ? plainQuery(asked, query) : undefined;
          if (!plain) return;
          compared++;
          const { total, ids } = await checkSearch(dataset, oracle, plain);
          expect(response.headers.get("Pagination-Count")).toBe(String(total));
          for (const id of ids) expect(body).toContain(id);
          return;
        }
        const fault = JSON.parse(body);
        expect(Object.keys(fault)).toEqual(["statusCode", "message", "error"]);
        expect(fault.statusCode).toBe(response.status);
        expect(fault.message.length).toBeGreaterThan(0);
        expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
      }),
      { numRuns, seed: 20261121 },
    );
    expect(failures).toEqual([]);
    // the fuzzed requests reach the engine, not only the parser
    expect(answered).toBeGreaterThan(leastAnswered);
    if (requests === likely) expect(compared).toBeGreaterThan(200);
  },
);
