import { beforeAll, expect, test } from "vitest";
import { compareIds } from "../../data/format/ids.ts";
import { openDataset } from "../engine/index.ts";
import { openSample } from "../engine/testing/sample.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { type Api, createApi } from "./index.ts";

let api: Api;
beforeAll(async () => {
  const { source } = await openSample();
  api = createApi({ dataset: openDataset({ source, decode: decodeParquet }) });
}, 600_000);

const get = (query: string) => api(new Request(`http://maps.example${query}`));

async function ids(query: string): Promise<{ readonly count: number; readonly ids: readonly string[] }> {
  const response = await get(`${query}&includes=id`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const records = JSON.parse(text) as readonly { readonly id: string }[];
  return { count: Number(response.headers.get("Pagination-Count")), ids: records.map(({ id }) => id) };
}

test("a search in several countries finds the records of each, in one order", async () => {
  for (const path of ["/places?", "/places?categories=restaurant&", "/places?name=ca&", "/buildings?min_height=20&"]) {
    const [monaco, america] = await Promise.all(["MC", "US"].map((code) => ids(`${path}country=${code}&limit=25000`)));
    const all = [...(monaco?.ids ?? []), ...(america?.ids ?? [])].sort(compareIds);
    const both = await ids(`${path}country=us,%20MC&limit=25000`);
    expect(both.count, path).toBe(all.length);
    expect(both.ids, path).toEqual(all.slice(0, 25_000));
    // the second page continues the first
    const second = await ids(`${path}country=MC,US,JP&limit=10&page=1`);
    expect(second.ids, path).toEqual(all.slice(10, 20));
  }
});

test("a circle finds only records of its countries", async () => {
  const near = "/places?lat=43.7384&lng=7.4246&radius=4000&limit=25000";
  const all = await ids(near);
  const [monaco, france, both] = await Promise.all(
    ["MC", "FR", "FR,MC"].map((codes) => ids(`${near}&country=${codes}`)),
  );
  expect(monaco?.count).toBeGreaterThan(0);
  expect(both?.count).toBe((monaco?.count ?? 0) + (france?.count ?? 0));
  expect(both?.ids).toEqual(all.ids.filter((id) => monaco?.ids.includes(id) || france?.ids.includes(id)));
});

test("categories and brands are counted over several countries", async () => {
  const counted = async (codes: string) => {
    const answer = await get(`/places/categories?country=${codes}&limit=25000`);
    const groups = (await answer.json()) as readonly { primary: string; counts: { places: number } }[];
    return new Map(groups.map(({ primary, counts }) => [primary, counts.places]));
  };
  const [monaco, america, both] = await Promise.all(["MC", "US", "MC,US"].map(counted));
  expect(both?.size).toBeGreaterThan(100);
  for (const [category, places] of both ?? [])
    expect(places, category).toBe((monaco?.get(category) ?? 0) + (america?.get(category) ?? 0));
});

test.each(["MC,USA", "MC,", ",", "MC;US", Array.from({ length: 61 }, (_, n) => spelled(n)).join()])(
  "country=%s is refused with what is allowed",
  async (codes) => {
    const response = await get(`/places?country=${codes}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("code of two letters, or at most 60 with commas");
  },
);

test("sixty countries are searched", async () => {
  const others = Array.from({ length: 59 }, (_, n) => spelled(n)).join();
  expect(await ids(`/places?country=${others},MC&limit=10`)).toEqual(await ids("/places?country=MC&limit=10"));
});

/** Codes of no country: XA, XB, ..., YA, ... */
function spelled(number: number): string {
  return `${"QXY"[Math.floor(number / 26)]}${String.fromCharCode(65 + (number % 26))}`;
}
