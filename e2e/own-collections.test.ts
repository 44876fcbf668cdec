import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, expect, test } from "vitest";
import { metersBetween } from "../data/format/sphere.ts";
import { tileAt } from "../data/format/tile-id.ts";
import { buildDataset } from "../pipeline/builder/dataset/build.ts";
import { examplePath } from "../pipeline/cli/serving.ts";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { verifyDataset } from "../pipeline/tools/verify/verify.ts";
import { createApi } from "../web/api/index.ts";
import { describeOwnPaths } from "../web/app/address/paths.ts";
import { parsePageState, restAddress } from "../web/app/address/search.ts";
import { searchSql } from "../web/app/copy/sql.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";
import { answerMcp } from "../web/mcp/index.ts";
import { ownFiltersOf } from "../web/search/index.ts";
import { toolAnswer, toolRequest } from "./damage/hosts.ts";
import { makeShops, type Shop, shopsCsv } from "./support/shops.ts";

const newFolder = temporaryFolders();

const shops = makeShops();
let ask: (path: string) => Promise<Response>;
let dataset: string;

beforeAll(async () => {
  const folder = await newFolder();
  const file = join(folder, "My Shops.csv");
  await writeFile(file, shopsCsv(shops));
  dataset = join(folder, "dataset");
  await buildDataset({ sources: [file], out: dataset });
  const api = createApi({ dataset: openNodeDataset(dataset) });
  ask = (path) => api(new Request(`http://cairn.invalid${path}`));
});

async function namesOf(path: string): Promise<string[]> {
  const answer = await ask(path);
  expect([path, answer.status]).toEqual([path, 200]);
  const features = (await answer.json()) as { readonly properties: { readonly Name: string } }[];
  return features.map(({ properties }) => properties.Name).sort();
}

const matching = (isWanted: (shop: Shop) => boolean) =>
  shops
    .filter(isWanted)
    .map(({ name }) => name)
    .sort();

test("a table becomes a collection that verifies, with one reject for the row without a place", async () => {
  const lines = await verifyDataset(dataset);
  expect(lines.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(await namesOf("/my_shops")).toEqual(matching(() => true));
});

test("each column with a list of values is counted, with all filters", async () => {
  const counted = async (query: string) => {
    const answer = await ask(`/counts?what=my_shops&${query}`);
    const { total, groups } = (await answer.json()) as { total: number; groups: { key: string; count: number }[] };
    expect([query, answer.status]).toEqual([query, 200]);
    return { total, groups: Object.fromEntries(groups.map(({ key, count }) => [key, count])) };
  };
  const expected = (isWanted: (shop: Shop) => boolean) => {
    const counts = new Map<string, number>();
    for (const { kind } of shops.filter(isWanted)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return { total: shops.filter(isWanted).length, groups: Object.fromEntries(counts) };
  };
  expect(await counted("group=Category")).toEqual(expected(() => true));
  expect(await counted("group=Category&Organic=true")).toEqual(expected(({ isOrganic }) => isOrganic));
  expect(await counted("group=Category&Price_min=50")).toEqual(expected(({ price }) => price !== null && price >= 50));
  const { total } = await counted("group=cell&level=3&Category=Bakery");
  expect(total).toBe(expected(({ kind }) => kind === "Bakery").total);
  const wrong = await ask("/counts?what=my_shops&group=Price");
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining("group must be one of cell, country, division"),
  ]);
});

test.each<[string, (shop: Shop) => boolean]>([
  ["Category=Bakery", ({ kind }) => kind === "Bakery"],
  ["categories=Bakery", ({ kind }) => kind === "Bakery"],
  ["Category=Bakery,Café", ({ kind }) => kind === "Bakery" || kind === "Café"],
  ["Organic=true", ({ isOrganic }) => isOrganic],
  ["Price_min=50", ({ price }) => price !== null && price >= 50],
  ["Price_max=20.5", ({ price }) => price !== null && price <= 20.5],
  [
    "Price_min=10&Price_max=30&Organic=false",
    ({ price, isOrganic }) => price !== null && price >= 10 && price <= 30 && !isOrganic,
  ],
  ["Opened=2015", ({ opened }) => opened.startsWith("2015")],
  ["Opened_min=2020-05&Opened_max=2022", ({ opened }) => opened >= "2020-05" && opened.slice(0, 4) <= "2022"],
  ["Note=fresh", ({ note }) => /\bfresh/.test(note)],
  ["Note=muller+number", ({ note }) => note.includes("Müller")],
  // the page's address has an area too
  ["c.area=North&Organic=true", ({ area, isOrganic }) => area === "North" && isOrganic],
  ["name=muller", ({ name }) => name.includes("Müller")],
])("%s finds what a loop finds", async (query, isWanted) => {
  const wanted = matching(isWanted);
  expect(wanted.length).toBeGreaterThan(0);
  expect(await namesOf(`/my_shops?${query}`)).toEqual(wanted);
});

test("a circle with a condition has the nearest first, and pages follow each other", async () => {
  const meters = ({ lng, lat }: Shop) => metersBetween({ lon: 7.9, lat: 48 }, { lon: lng, lat });
  const wanted = shops.filter((shop) => shop.isOrganic && meters(shop) <= 5000).sort((a, b) => meters(a) - meters(b));
  expect(wanted.length).toBeGreaterThan(20);
  const found: string[] = [];
  for (let page = 0; found.length < wanted.length; page++) {
    const answer = await ask(`/my_shops?lat=48&lng=7.9&radius=5000&Organic=true&limit=20&page=${page}`);
    expect(answer.headers.get("Pagination-Count")).toBe(String(wanted.length));
    const features = (await answer.json()) as { readonly properties: { readonly Name: string } }[];
    expect(features.length).toBeGreaterThan(0);
    found.push(...features.map(({ properties }) => properties.Name));
  }
  expect(found).toEqual(wanted.map(({ name }) => name));
});

test("a shop is suggested by words of its name, and drawn in tiles", async () => {
  const [shop] = shops;
  const [word = "", ...others] = (shop?.name ?? "").toLowerCase().split(" ");
  const answer = await ask(`/autocomplete?text=${encodeURIComponent([word, others.at(-1)].join(" "))}`);
  const [first] = (await answer.json()) as { readonly collection: string; readonly name: string }[];
  expect(first).toMatchObject({ collection: "my_shops", name: shop?.name });
  const tile = tileAt({ lon: shop?.lng ?? 0, lat: shop?.lat ?? 0 }, 14);
  const drawn = await ask(`/tiles/my_shops/14/${tile?.x}/${tile?.y}.mvt`);
  expect([drawn.status, (await drawn.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
});

test("Photon and Nominatim answer a shop as a place", async () => {
  const [shop] = shops;
  const text = encodeURIComponent(shop?.name ?? "");
  const photon = (await (await ask(`/photon/api?q=${text}&layer=house&limit=1`)).json()) as {
    readonly features: readonly { readonly properties: object }[];
  };
  expect(photon.features[0]?.properties).toMatchObject({ type: "house", name: shop?.name });
  const [found] = (await (await ask(`/nominatim/search?q=${text}&layer=poi&limit=1`)).json()) as readonly object[];
  expect(found).toMatchObject({ category: expect.not.stringMatching("boundary"), place_rank: 30, name: shop?.name });
});

test("serve prints a search that finds the shops", async () => {
  const path = await examplePath(dataset);
  expect(path).toMatch(/^my_shops\?lat=[\d.]+&lng=[\d.]+&radius=\d+$/);
  expect((await namesOf(`/${path}`)).length).toBeGreaterThan(0);
});

test("an agent finds the table, searches it with its columns, and gets a record", async () => {
  const call = async (name: string, asked: object) =>
    (
      await toolAnswer(
        await answerMcp(
          toolRequest("http://cairn.invalid/", { method: "tools/call", params: { name, arguments: asked } }),
          { dataset: openNodeDataset(dataset) },
        ),
      )
    ).text;
  expect(await call("describe", {})).toContain("my_shops; Name, Category, Price, Organic, Opened, Note, area");
  const columns = { Organic: true, Price_min: 50 };
  const near = { what: "my_shops", lat: 48, lng: 7.9, radius: "100 km", limit: 1, ids: true, columns };
  const wanted = shops.filter(({ isOrganic, price }) => isOrganic && price !== null && price >= 50);
  const found = await call("near", near);
  expect(found).toContain(`total: ${wanted.length}\n`);
  const [, id = ""] = /; (\w{16})$/m.exec(found) ?? [];
  expect(await call("get", { what: "my_shops", id })).toContain('"Organic":true');
  expect(await call("find", { text: shops[0]?.name.toLowerCase() })).toContain(`my_shops; ${shops[0]?.name}; `);
  const books = shops.filter(({ kind }) => kind === "Books & more").length;
  const written = { what: "my_shops", lat: 48, lng: 7.9, radius: "100 km", categories: ["Books & more"] };
  expect(await call("near", written)).toContain(`total: ${books}\n`);
  expect(await call("near", { ...near, columns: { Pric: 3 } })).toContain("the nearest is Price");
  expect(await call("near", { ...near, what: "shops" })).toContain(
    'what must be one of places, buildings, addresses, base, transportation, divisions, my_shops, got "shops"',
  );
});

test("an unknown column is refused with the nearest name", async () => {
  const answer = await ask("/my_shops?Pric=3");
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toContain("Price");
});

test("a record is found by its id, and every column is exported", async () => {
  const [first] = (await (await ask("/my_shops?limit=1")).json()) as { readonly id: string }[];
  expect((await ask(`/my_shops/${first?.id}`)).status).toBe(200);
  const csv = await (await ask("/my_shops?limit=1&format=csv")).text();
  for (const column of ["Name", "Category", "Price", "Organic", "Opened", "Note"])
    expect(csv.split("\r\n")[0]).toContain(column);
  expect((await ask("/other")).status).toBe(404);
});

test.each([
  "Category=Bakery,Books%20%26%20more&Organic=true&limit=1000",
  "Price_min=10&Price_max=30.5&c.area=North&limit=1000",
  "Opened_min=2015-03&Opened_max=2018&limit=1000",
  "Opened=2015&limit=1000",
  "lat=48&lng=7.9&radius=5000&Organic=false&limit=1000",
  "name=corner&Note=fresh&limit=1000",
])("the page copies %s as a statement with the same rows in the same order", async (query) => {
  const { collections } = await openNodeDataset(dataset).manifest();
  const described = Object.entries(collections).map(([name, { schema, bbox, rows, countries }]) => {
    const filters = schema && ownFiltersOf(schema);
    return { name, schema, filters, bbox, rows, countries, focus: undefined, namesBytes: 0 };
  });
  describeOwnPaths({ collections: described });
  const { search, refused } = parsePageState(`#/my_shops?${query}`);
  if (!search) throw new Error("no search in the address");
  expect([refused, restAddress(search)]).toEqual([[], `my_shops?${query}`]);
  const features = (await (await ask(`/${restAddress(search)}`)).json()) as { readonly id: string }[];
  const ids = features.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(0);
  const sql = searchSql({ search, collections: new Set(["my_shops"]), ids }).replace(
    "'my_shops/",
    `'${dataset}/my_shops/`,
  );
  const duckdb = await (await DuckDBInstance.create()).connect();
  const reader = await duckdb.runAndReadAll(sql);
  expect(reader.getRowObjects().map(({ id }) => id)).toEqual(ids);
});
