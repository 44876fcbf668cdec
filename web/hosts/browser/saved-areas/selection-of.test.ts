import { expect, test } from "vitest";
import { tileBBox } from "../../../../data/format/tile-id.ts";
import { collectionsAt } from "../protocol/zooms.ts";
import { baseMapOf, circleBox } from "./selection-of.ts";

/** Longitude from 0 to 360, so that west is below east also across the antimeridian. */
const round = (lon: number) => (lon + 360) % 360;

test.each([
  { lon: 7.42, lat: 43.73, radiusMeters: 700 },
  { lon: -105.27, lat: 40.01, radiusMeters: 5000 },
  { lon: 179.999, lat: -16.5, radiusMeters: 3000 },
  { lon: 18.9, lat: 69.6, radiusMeters: 1 },
])("each tile of zoom 12 to 15 that contains $lon, $lat is completely covered by the base map", (circle) => {
  const [west, south, east, north] = circleBox(circle);
  const ground = new Map(baseMapOf({ kind: "circle", ...circle }).map(({ collection, bbox }) => [collection, bbox]));
  let tiles = 0;
  for (let z = 12; z <= 15; z++) {
    const columnAt = (lon: number) => (round(lon + 180) / 360) * 2 ** z;
    const rowAt = (lat: number) => ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z;
    const columns =
      Math.floor(columnAt(west)) + ((Math.floor(columnAt(east)) - Math.floor(columnAt(west)) + 2 ** z) % 2 ** z);
    for (let x = Math.floor(columnAt(west)); x <= columns; x++) {
      for (let y = Math.floor(rowAt(north)); y <= Math.floor(rowAt(south)); y++) {
        const tile = tileBBox({ z, x: x % 2 ** z, y });
        for (const collection of collectionsAt(z)) {
          const box = ground.get(collection);
          const name = `${collection} ${z}/${x}/${y}`;
          expect(box, name).toBeDefined();
          if (!box) continue;
          tiles++;
          const fromWest = round(tile[0] - box[0] + 1e-9);
          expect(fromWest + tile[2] - tile[0], name).toBeLessThanOrEqual(round(box[2] - box[0]) + 1e-6);
          expect(tile[1], name).toBeGreaterThanOrEqual(box[1] - 1e-9);
          expect(tile[3], name).toBeLessThanOrEqual(box[3] + 1e-9);
        }
      }
    }
  }
  expect(tiles).toBeGreaterThan(10);
});
