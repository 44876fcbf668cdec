import { beforeAll, expect, test } from "vitest";
import { createApi } from "../api/index.ts";
import { type Dataset, openDataset } from "../engine/index.ts";
import { createOracle, type Oracle } from "../engine/testing/oracle.ts";
import { openSampleRows } from "../engine/testing/sample.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { positionOf } from "./typed-position.ts";

const BOULDER = { lat: 40.015, lon: -105.27991 };

let dataset: Dataset;
let oracle: Oracle;
let ask: (path: string, parameters: Readonly<Record<string, string>>) => Promise<readonly Found[]>;

interface Found {
  readonly id: string;
  readonly properties: {
    readonly ext_match?: string;
    readonly ext_distance?: number;
    readonly ext_unused?: readonly string[];
  };
}

async function photon(path: string, parameters: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { features } = (await ask(path, parameters)) as unknown as { readonly features: readonly unknown[] };
  return features.map((feature) => JSON.stringify(feature));
}

beforeAll(async () => {
  const sample = await openSampleRows();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  oracle = createOracle(sample.rows);
  const api = createApi({ dataset });
  ask = async (path, parameters) => {
    const response = await api(new Request(`http://maps.example${path}?${new URLSearchParams(parameters)}`));
    expect(response.status).toBe(200);
    return (await response.json()) as readonly Found[];
  };
});

test.each([
  "40.015, -105.27991",
  "40°0.9'N 105°16.7946'W",
  "https://www.openstreetmap.org/?mlat=40.015&mlon=-105.27991#map=18/40/-105",
  "https://www.google.com/maps/@40.015,-105.27991,17z",
  "geo:40.015,-105.27991",
  "85GP2P8C+22",
  "2P8C+22 Boulder",
  "2P8C+22 Boulder, CO",
  "spv2bcsq",
  "13TDE76112946",
  "13T 476112 4429460",
  "8a2681a33c27fff",
])("%s finds what is there", async (text) => {
  const point = await positionOf(dataset, { text });
  if (!point) throw new Error("no position");
  const found = await ask("/search", { text, limit: "3" });
  expect(found.length).toBeGreaterThan(1);
  const circle = { ...point, radiusMeters: 1000 };
  const addresses = { collections: ["address", "place"] as const, circle, offset: 0, limit: 1 };
  const [nearest] = oracle.near(addresses, circle, 1000);
  expect(found[0]?.properties.ext_distance).toBeLessThanOrEqual((nearest?.meters ?? 0) + 0.01);
  const meters = found.map(({ properties }) => Number(properties.ext_distance));
  expect(meters).toEqual(meters.toSorted((a, b) => a - b));
  for (const { properties } of found) expect(properties).toMatchObject({ ext_match: "position", ext_unused: [] });
  const [place] = await ask("/nominatim/search", { q: text });
  const kinds = { lat: String(point.lat), lon: String(point.lon) };
  expect(place?.id).toBe(((await ask("/nominatim/reverse", kinds)) as unknown as Found).id);
  const [around, there] = [await photon("/photon/api", { q: text }), await photon("/photon/reverse", kinds)];
  expect(around.length).toBeGreaterThan(1);
  expect(there).toContain(around[0]);
  expect(await photon("/photon/api", { q: text, bbox: "10,10,11,11" })).toEqual([]);
});

test("the codes of one position agree", async () => {
  for (const text of ["85GP2P8C+22", "2P8C+22 Boulder", "13T DE 7611 2946", "13T 476112 4429460", "8a2681a33c27fff"]) {
    const point = await positionOf(dataset, { text });
    expect(point?.lat, text).toBeCloseTo(BOULDER.lat, 2);
    expect(point?.lon, text).toBeCloseTo(BOULDER.lon, 2);
  }
});

test("a short plus code needs a town or a position, and other texts are no positions", async () => {
  expect(await positionOf(dataset, { text: "2P8C+22" })).toBeUndefined();
  const beside = await positionOf(dataset, { text: "2P8C+22", near: BOULDER });
  expect(beside?.lat).toBeCloseTo(BOULDER.lat, 3);
  for (const text of ["2P8C+22 Qqqzzz", "boulder", "80302", "1345 Spruce St", "restaurant", "http://maps.example/"])
    expect(await positionOf(dataset, { text })).toBeUndefined();
});
