import { randomFrom } from "../../web/engine/testing/random.ts";
import { startServer } from "../../web/hosts/node/server.ts";
import { FORMAT_NAMES } from "../../web/search/index.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { plainSearch, readPoints } from "../support/plain-search.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

test.use({ hasMap: false });

const SEARCHES = 40;

test("REST from the service worker equals the plain loop over source rows", async ({ page, home }) => {
  const random = randomFrom(20261121);
  const rows = {
    places: await readPoints("boulder/place", "monaco/place"),
    addresses: await readPoints("boulder/address", "monaco/address"),
  };
  await page.goto(home);
  await serviceWorkerReady(page);
  for (let i = 0; i < SEARCHES; i++) {
    const path = random.of(["places", "addresses"] as const);
    const near = random.of(rows[path]);
    const radius = Number(random.magnitude(1, 500_000).toFixed(1));
    const search = {
      lat: Number(Math.max(-90, Math.min(90, near.lat + random.spread(radius / 111_000))).toFixed(6)),
      lng: Number((near.lon + random.spread(radius / 111_000)).toFixed(6)),
      radius,
      limit: random.of([1, 10, 100, 1000]),
      page: random.of([0, 0, 0, 1, 2]),
    };
    const address = `${path}?${new URLSearchParams(Object.entries(search).map(([key, value]) => [key, String(value)]))}`;
    const answer = await page.evaluate(async (address) => {
      const response = await fetch(address);
      const body = (await response.json()) as { id: string; properties: { ext_distance: number } }[];
      const total = Number(response.headers.get("Pagination-Count"));
      return { total, rows: body.map(({ id, properties }) => ({ id, distance: properties.ext_distance })) };
    }, address);
    expect(answer, address).toEqual(plainSearch(rows[path], search));
  }
});

test("every path returns the same bytes as the Node host", async ({ page, home }) => {
  const node = await startServer({ dataset: DATASET_FOLDER, port: 0 });
  try {
    await page.goto(home);
    await serviceWorkerReady(page);
    for (const address of [
      "places?lat=43.7347&lng=7.4206&radius=200",
      "places?country=MC&limit=50&page=3&includes=names,categories",
      "buildings?lat=40.0165&lng=-105.271&radius=250&limit=100",
      "addresses?lat=40.0165&lng=-105.271&radius=250&limit=100",
      "base?lat=43.7347&lng=7.4206&radius=150&limit=100",
      "transportation?lat=43.7347&lng=7.4206&radius=150&limit=100",
      "transportation?lat=43.7347&lng=7.4206&radius=150&types=connector",
      "divisions?country=JP&limit=20",
      ...FORMAT_NAMES.map((format) => `places?lat=43.7347&lng=7.4206&radius=200&format=${format}`),
      "search?text=8a2681a33c27fff&limit=3",
      "search?text=13T+476112+4429460&limit=3",
      "photon/api?q=8a2681a33c27fff",
      "tiles/base/15/17059/11948.mvt",
      "tiles/transportation/9/106/193.mvt",
      "tiles/shops/1/1/1.mvt",
      "places?lat=91&lng=0",
      "places?lat=43.7347&lng=7.4206&nonsense=1",
    ]) {
      const answer = await page.evaluate(async (address) => {
        const response = await fetch(address);
        return {
          status: response.status,
          count: response.headers.get("Pagination-Count"),
          body: Array.from(new Uint8Array(await response.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""),
        };
      }, address);
      const expected = await fetch(node.url + address);
      const count = expected.headers.get("Pagination-Count");
      const body = Buffer.from(await expected.arrayBuffer()).toString("latin1");
      expect(answer, address).toEqual({ status: expected.status, count, body });
    }
  } finally {
    await node.close();
  }
});

test("a typed address is also answered", async ({ page, home }) => {
  await page.goto(home);
  await serviceWorkerReady(page);
  const response = await page.goto(`${home}places?lat=43.7347&lng=7.4206&radius=100&limit=5`);
  expect(response?.status()).toBe(200);
  expect(response?.headers()["content-type"]).toContain("application/json");
  const body: unknown = JSON.parse((await page.locator("body").textContent()) ?? "null");
  expect(body).toHaveLength(5);
});

test("HEAD, OPTIONS and other methods follow the specification", async ({ page, home }) => {
  await page.goto(home);
  await serviceWorkerReady(page);
  const statuses = await page.evaluate(async () => {
    const ask = async (method: string) => {
      const response = await fetch("places?lat=43.7347&lng=7.4206&radius=100", { method });
      return [response.status, response.headers.get("Pagination-Count") !== null, (await response.text()).length > 0];
    };
    return { head: await ask("HEAD"), post: await ask("POST") };
  });
  expect(statuses.head).toEqual([200, true, false]);
  expect(statuses.post[0]).toBe(405);
});

test("words, points and OGC API - Features have the same answers in the page as on Node", async ({ page, home }) => {
  await page.goto(home);
  await serviceWorkerReady(page);
  const server = await startServer({ dataset: DATASET_FOLDER, port: 0 });
  try {
    for (const path of [
      "ogc/collections/place/queryables",
      "ogc/collections/place/items?limit=5&filter=categories%20IN%20('hotel')%20AND%20confidence%3E%3D0.9",
      "ogc/collections/place/items?filter=a%20OR%20b",
      "autocomplete?text=1600%20pearl&lat=40.0165&lng=-105.271",
      "search?text=hotel%20monaco&limit=3&format=geojson",
      "autocomplete?text=Apotheke&language=de&lat=43.7384&lng=7.4246",
      "reverse?lat=43.7384&lng=7.4246",
      "photon/api?q=casino%20monaco&limit=3",
      "nominatim/search?q=casino%20monaco&limit=3&addressdetails=1",
      "nominatim/reverse?lat=43.7384&lon=7.4246&format=geojson",
      "nominatim/search?format=xml",
      "ogc/conformance",
      "ogc/collections/place/items/nobody",
    ]) {
      const asked = await page.evaluate(async (address) => {
        const response = await fetch(address);
        return { status: response.status, body: (await response.json()) as object };
      }, home + path);
      const plain = await fetch(server.url + path);
      expect({ ...asked, body: withoutHost(asked.body) }, path).toEqual({
        status: plain.status,
        body: withoutHost((await plain.json()) as object),
      });
    }
  } finally {
    await server.close();
  }
});

/** An answer of OGC API - Features without host and time. */
function withoutHost(body: object): object {
  const { $id: _, links: __, timeStamp: ___, ...comparable } = body as Readonly<Record<string, unknown>>;
  return Array.isArray(body) ? body : comparable;
}
