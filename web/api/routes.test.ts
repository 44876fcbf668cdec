/**
 * Properties of every route. The list comes from the router: a new route without an example fails here.
 * @module
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import { type Dataset, openDataset } from "../engine/index.ts";
import { openSample } from "../engine/testing/sample.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { SEARCH_PATHS } from "../search/index.ts";
import { createApi, createRoutes, isApiPath } from "./index.ts";
import type { AddressAsked } from "./middleware.ts";
import { EXAMPLE_PATHS, exampleOf } from "./testing/route-examples.ts";

const READING = "GET, HEAD, OPTIONS";
const ORIGIN = "http://maps.example";
/** `/docs` redirects to a page in a folder of the same name. */
const PAGE = "/docs";

let dataset: Dataset;
beforeAll(async () => {
  const { source } = await openSample();
  dataset = openDataset({ source, decode: decodeParquet });
});

async function exampleValue(name: string): Promise<string> {
  if (name === "release") return (await dataset.manifest()).release;
  const { features } = await dataset.search({
    collections: [name as CollectionName],
    country: "MC",
    offset: 0,
    limit: 1,
  });
  const [first] = features();
  return first?.id ?? "none";
}

/** An answer, with its links resolved and removed from the body. */
async function answerOf(address: string, { base = "", addressAsked }: { base?: string; addressAsked: AddressAsked }) {
  const api = createApi({ dataset, basePath: base, addressAsked });
  const asked = `${ORIGIN}${base}${address}`;
  const response = await api(new Request(asked));
  const links: string[] = [];
  const follow = (reference: string): string => {
    const { origin, pathname, search } = new URL(reference, asked);
    links.push(`${origin}${pathname.replace(/(?<=.)\/$/, "")}${search}`);
    return "a link";
  };
  const body = (await response.text())
    .replaceAll(/"timeStamp":"[^"]*"/g, "")
    .replaceAll(/(?<=")(\.{1,2}(\/[^"]*)?|http:\/\/maps\.example[^"]*)(?=")/g, follow);
  for (const [, target = ""] of (response.headers.get("Link") ?? "").matchAll(/<([^>]*)>/g)) follow(target);
  const { status, headers } = response;
  return { status, type: headers.get("Content-Type"), body, links };
}

test("every route has an example", () => {
  expect([...createRoutes(dataset).paths].sort()).toEqual([...EXAMPLE_PATHS].sort());
});

describe.each(EXAMPLE_PATHS)("%s", (path) => {
  test("is answered", async () => {
    const { status } = await answerOf(await exampleOf(path, exampleValue), { addressAsked: ({ url }) => url });
    expect(status).toBe(path === "/changes" ? 400 : path === PAGE ? 302 : 200);
  });

  test.each<[string, string, AddressAsked]>([
    ["where the address is known", "", ({ url }) => url],
    ["where it is not", "", () => undefined],
    ["below a folder", "/my%20maps", () => undefined],
  ])("returns the same with a trailing slash, %s", async (_, base, addressAsked) => {
    const [plain, slashed] = await Promise.all(
      ["", "/"].map(async (slash) => answerOf(await exampleOf(path, exampleValue, slash), { base, addressAsked })),
    );
    if (path !== PAGE) return expect(slashed).toEqual(plain);
    expect(slashed).toMatchObject({ status: 404, body: expect.stringContaining("no page at") });
  });

  test("accepts no other method", async () => {
    const address = ORIGIN + (await exampleOf(path, exampleValue));
    const api = createApi({ dataset });
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const response = await api(new Request(address, { method }));
      const allow =
        path === "/counts" || SEARCH_PATHS.some((searched) => searched.path === path) ? `${READING}, POST` : READING;
      expect([method, response.status, response.headers.get("Allow")]).toEqual([method, 405, allow]);
      const isNominatim = path.startsWith("/nominatim/");
      expect(await response.json()).toMatchObject(isNominatim ? { error: { code: 405 } } : { statusCode: 405 });
    }
  });

  test("belongs to the interface, also below a folder", async () => {
    const { pathname } = new URL(await exampleOf(path, exampleValue), ORIGIN);
    expect(isApiPath(pathname)).toBe(path !== "/");
    expect(isApiPath(`/maps${pathname}`, "/maps/")).toBe(path !== "/");
    if (path !== "/") expect(isApiPath(`${pathname}/`)).toBe(path !== PAGE);
  });
});
