import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { metersBetween } from "../data/format/sphere.ts";
import { buildDataset } from "../pipeline/builder/dataset/build.ts";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { createApi } from "../web/api/index.ts";
import { type BothWays, openBothWays } from "../web/app/copy/testing/both-ways.ts";
import { buildSample } from "../web/engine/testing/sample.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";

const newFolder = temporaryFolders();

interface Shed {
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
  readonly size: number | null;
  readonly isHeated: boolean | null;
  readonly since: string | null;
}

/** Every value is missing in a third of the rows, independently. */
const SHEDS: readonly Shed[] = Array.from({ length: 216 }, (_, index) => ({
  name: `Shed ${String(index).padStart(3, "0")}`,
  lat: 48 + (index % 15) / 1000,
  lng: 7.9 + (index % 17) / 1000,
  size: index % 3 === 0 ? null : (index % 40) - 5,
  isHeated: Math.floor(index / 3) % 3 === 0 ? null : index % 2 === 0,
  since: Math.floor(index / 9) % 3 === 0 ? null : `20${10 + (index % 10)}-0${1 + (index % 9)}-15`,
}));

type Ask = (path: string) => Promise<Response>;
let ways: BothWays;
let askSheds: Ask;
let askSample: Ask;

beforeAll(async () => {
  const folder = await newFolder();
  const file = join(folder, "Sheds.csv");
  const lines = SHEDS.map(({ name, lat, lng, size, isHeated, since }) =>
    [name, lat, lng, size ?? "", isHeated ?? "", since ?? ""].join(";"),
  );
  await writeFile(file, ["Name;Lat;Lon;Size;Heated;Since", ...lines].join("\n"));
  const sheds = join(folder, "dataset");
  await buildDataset({ sources: [file], out: sheds });
  ways = await openBothWays(openNodeDataset(sheds));
  const asking = (dataset: string): Ask => {
    const api = createApi({ dataset: openNodeDataset(dataset) });
    return (path) => api(new Request(`http://cairn.invalid${path}`));
  };
  askSheds = asking(sheds);
  askSample = asking(await buildSample());
});

interface Found {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** All pages, which must have the same count. */
async function pagesOf(ask: Ask, query: string, limit: number): Promise<Found[]> {
  const found: Found[] = [];
  for (let page = 0; ; page++) {
    const answer = await ask(`${query}&limit=${limit}&page=${page}`);
    expect([query, answer.status]).toEqual([query, 200]);
    const records = (await answer.json()) as Found[];
    found.push(...records);
    const count = Number(answer.headers.get("Pagination-Count"));
    if ((page + 1) * limit < count) continue;
    expect(found, query).toHaveLength(count);
    return found;
  }
}

const faultsOf = async (ask: Ask, path: string) => {
  const answer = await ask(path);
  expect(answer.status).toBe(400);
  return ((await answer.json()) as { readonly message: readonly string[] }).message;
};

const orUnknown = <T>(value: T | null, isWanted: (value: T) => boolean) => value === null || isWanted(value);

describe.each<[string, (shed: Shed) => boolean]>([
  ["Size_min=20&include_unknown=Size_min", ({ size }) => orUnknown(size, (is) => is >= 20)],
  ["Size_max=-1&include_unknown=Size_max", ({ size }) => orUnknown(size, (is) => is <= -1)],
  ["Size_min=0&Size_max=9&include_unknown=Size_max", ({ size }) => orUnknown(size, (is) => is >= 0 && is <= 9)],
  ["Size=7,8&include_unknown=Size", ({ size }) => orUnknown(size, (is) => is === 7 || is === 8)],
  ["Heated=true&include_unknown=Heated", ({ isHeated }) => orUnknown(isHeated, (is) => is)],
  ["Heated=false&include_unknown=Heated", ({ isHeated }) => orUnknown(isHeated, (is) => !is)],
  ["Heated=true,false&include_unknown=Heated", () => true],
  [
    "Since_min=2014&Since_max=2016-03&include_unknown=Since_min",
    ({ since }) => orUnknown(since, (is) => is >= "2014" && is.slice(0, 7) <= "2016-03"),
  ],
  [
    "Size_min=20&Heated=true&include_unknown=Size_min",
    ({ size, isHeated }) => orUnknown(size, (is) => is >= 20) && isHeated === true,
  ],
  [
    "Size_min=20&Heated=true&Since_max=2013&include_unknown=Heated,Size_min",
    ({ size, isHeated, since }) =>
      orUnknown(size, (is) => is >= 20) && orUnknown(isHeated, (is) => is) && since !== null && since < "2014",
  ],
  [
    "name=shed+00&Size_min=30&include_unknown=Size_min",
    ({ name, size }) => /00\d/.test(name) && orUnknown(size, (is) => is >= 30),
  ],
  // a filter that is not set leaves nothing out
  ["include_unknown=Size_min", () => true],
])("a table with %s", (query, isWanted) => {
  const wanted = SHEDS.filter(isWanted);

  test("finds what a loop finds, on pages", async () => {
    expect(wanted.length).toBeGreaterThan(0);
    const found = await pagesOf(askSheds, `/sheds?${query}`, 13);
    expect(found.map(({ properties }) => properties.Name).sort()).toEqual(wanted.map(({ name }) => name).sort());
  });

  test("finds them nearest first", async () => {
    const meters = ({ lng, lat }: Shed) => metersBetween({ lon: 7.9, lat: 48 }, { lon: lng, lat });
    const near = wanted.filter((shed) => meters(shed) <= 1200);
    const found = await pagesOf(askSheds, `/sheds?lat=48&lng=7.9&radius=1200&${query}`, 7);
    expect(found.map(({ properties }) => properties.Name).sort()).toEqual(near.map(({ name }) => name).sort());
    const distances = found.map(({ properties }) => Number(properties.ext_distance));
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  });

  test("counts them, and its SQL finds them", async () => {
    const counted = await askSheds(`/counts?what=sheds&group=country&${query}`);
    expect(await counted.json()).toMatchObject({ total: wanted.length });
    expect(await ways.compare(`sheds?${query}`)).toBe(wanted.length);
  });
});

describe.each<[string, string, (properties: Found["properties"]) => boolean]>([
  ["/buildings?lat=40.0165&lng=-105.271&radius=700", "min_height=6", ({ height }) => Number(height ?? 6) >= 6],
  ["/buildings?country=MC", "max_height=9.5", ({ height }) => Number(height ?? 0) <= 9.5],
  ["/buildings?country=MC", "min_floors=4", ({ num_floors: floors }) => Number(floors ?? 4) >= 4],
  ["/buildings?country=MC&types=building,building_part", "min_height=30", ({ height }) => Number(height ?? 30) >= 30],
  ["/places?country=MC", "min_confidence=0.9", ({ confidence }) => Number(confidence ?? 1) >= 0.9],
  ["/places/buildings?country=MC", "min_confidence=0.7", ({ confidence }) => Number(confidence ?? 1) >= 0.7],
])("%s with %s", (path, filter, isWanted) => {
  test("finds the same records in the same order as a loop over all", async () => {
    const all = await pagesOf(askSample, path, 25_000);
    const known = await pagesOf(askSample, `${path}&${filter}`, 25_000);
    const found = await pagesOf(askSample, `${path}&${filter}&include_unknown=${filter.split("=")[0]}`, 400);
    expect(found.map(({ id }) => id)).toEqual(all.filter(({ properties }) => isWanted(properties)).map(({ id }) => id));
    if (path.startsWith("/buildings")) expect(found.length).toBeGreaterThan(known.length);
  });
});

test("other filters are refused, with the names that are allowed", async () => {
  expect(await faultsOf(askSample, "/places?country=MC&has_contact=website&include_unknown=has_contact")).toEqual([
    'include_unknown must be of min_confidence, several with commas, got "has_contact"',
  ]);
  expect(await faultsOf(askSample, "/buildings?country=MC&include_unknown=min_height,class")).toEqual([
    'include_unknown must be of min_height, max_height, min_floors, max_floors, several with commas, got "min_height,class"',
  ]);
  expect((await faultsOf(askSample, "/addresses?country=MC&include_unknown=name"))[0]).toContain(
    '"include_unknown" is not a parameter here',
  );
  expect(await faultsOf(askSheds, "/sheds?include_unknown=Name")).toEqual([
    'include_unknown must be of Size, Size_min, Size_max, Heated, Since, Since_min, Since_max, several with commas, got "Name"',
  ]);
});

test("counts and OGC items take it too", async () => {
  const query = "what=buildings&lat=43.7347&lng=7.4206&radius=400&min_floors=5";
  const totalOf = async (path: string) => ((await (await askSample(path)).json()) as { readonly total: number }).total;
  const all = await pagesOf(askSample, "/buildings?lat=43.7347&lng=7.4206&radius=400", 25_000);
  const wanted = all.filter(({ properties }) => Number(properties.num_floors ?? 5) >= 5).length;
  expect(await totalOf(`/counts?${query}&include_unknown=min_floors`)).toBe(wanted);
  expect(await totalOf(`/counts?${query}`)).toBeLessThan(wanted);
  const brands = await askSample("/places/brands?country=MC&min_confidence=0.5&include_unknown=min_confidence");
  expect(brands.status).toBe(200);

  const itemsOf = async (filters: string) => {
    const answer = await askSample(`/ogc/collections/building/items?bbox=7.41,43.73,7.42,43.74&limit=1&${filters}`);
    return ((await answer.json()) as { readonly numberMatched: number }).numberMatched;
  };
  const orLow = "min_height=5&include_unknown=min_height";
  const high = await itemsOf("filter=height>=10");
  expect(high).toBeGreaterThan(0);
  expect(await itemsOf(`filter=height>=10&${orLow}`)).toBe(high);
  expect(await itemsOf(orLow)).toBe(await itemsOf("filter=height>=5 OR height IS NULL"));
});
