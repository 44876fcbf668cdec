import { existsSync } from "node:fs";
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { beforeAll, describe, expect, test } from "vitest";
import { tileAt, tileBBox } from "../../../../data/format/tile-id.ts";
import { type Dataset, openDataset } from "../../../engine/index.ts";
import { buildSample } from "../../../engine/testing/sample.ts";
import { folderSource } from "../../node/folder-source.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { groupOf, ICON_NAMES, iconOf } from "./place-icons.ts";
import { placePoints, placeTiles } from "./place-tiles.ts";

const MONACO = { lon: 7.4246, lat: 43.7384 };
let dataset: Dataset;

beforeAll(async () => {
  dataset = openDataset({ source: folderSource(await buildSample()), decode: decodeParquet });
}, 300_000);

async function layersAt(position: typeof MONACO, z: number) {
  const tile = placeTiles(async () => dataset);
  const bytes = await tile({ map: "places", ...tileAt(position, z), language: "en" }, new AbortController().signal);
  const { layers } = new VectorTile(new PbfReader(new Uint8Array(bytes)));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => layer.feature(i).properties),
    ]),
  );
}

test("a tile has the open places with names in its box, the surest first", async () => {
  const { place = [], house } = await layersAt(MONACO, 16);
  const { features } = await dataset.inBox({ collection: "place", bbox: tileBBox(tileAt(MONACO, 16)) });
  const expected = [...features()].filter(({ properties }) => properties.operating_status !== "permanently_closed");
  expect(place.length).toBeGreaterThan(50);
  expect(place.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
  const ranks = place.map(({ rank }) => Number(rank));
  expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
  expect(new Set(place.map(({ group }) => group)).size).toBeGreaterThan(5);
  expect(house).toBeUndefined();
});

test("bus stops come at zoom 16, house numbers at zoom 17", async () => {
  const stop = { lon: 7.4245414, lat: 43.7374639 };
  expect((await layersAt(stop, 15)).stop).toBeUndefined();
  expect((await layersAt(stop, 16)).stop).toContainEqual(
    expect.objectContaining({ icon: "travel/bus", name: "Ostende" }),
  );
  const { house = [] } = await layersAt({ lon: -105.2765, lat: 40.0177 }, 17);
  expect(house.length).toBeGreaterThan(10);
  expect(house.every(({ number }) => /^\d/.test(String(number)))).toBe(true);
});

describe("icons", () => {
  test("the narrowest category that has one decides, then the ending of its name", () => {
    expect(iconOf(["pizza_restaurant", "restaurant"])).toBe("restaurant-pizza");
    expect(iconOf(["thai_restaurant", "unknown"])).toBe("restaurant");
    expect(iconOf(["toy_store"])).toBe("shop");
    expect(iconOf(["real_estate_agent"])).toBe("circle");
    expect([groupOf("pharmacy"), groupOf("circle")]).toEqual(["health", "other"]);
  });

  test("Maki has each of them", () => {
    const missing = ICON_NAMES.filter((name) => !existsSync(`node_modules/@mapbox/maki/icons/${name}.svg`));
    expect(missing).toEqual([]);
  });

  test("closed places and those without a name are left out", () => {
    const geometry = { type: "Point", coordinates: [0, 0] } as const;
    const make = (id: string, properties: object) => ({ id, type: "Feature", geometry, properties }) as never;
    const places = [
      make("a", { names: { primary: "A" }, confidence: 0.2 }),
      make("b", { names: { primary: "B" }, operating_status: "permanently_closed" }),
      make("c", {}),
      make("d", { names: { primary: "D", common: { fr: "Dé" } }, confidence: 0.9 }),
    ];
    expect(placePoints(places, "fr").map(({ properties }) => properties?.name)).toEqual(["Dé", "A"]);
  });
});
