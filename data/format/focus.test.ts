import { expect, test } from "vitest";
import type { BBox } from "./bbox.ts";
import { focusOf } from "./focus.ts";
import type { ManifestCollection } from "./manifest.ts";
import { metersBetween } from "./sphere.ts";

const node = (bbox: BBox, rows: number, country?: string) => ({ bbox, rows, ...(country ? { country } : {}) });

function collection(nodes: readonly object[], countries: Readonly<Record<string, number>> = { IS: 1 }) {
  return { countries, runs: { location: { nodes } } } as unknown as ManifestCollection;
}

test("the focus is a circle around the densest box, and contains all of that box", () => {
  const wide = node([-24, 63, -23.5, 63.5], 5000, "IS");
  const town: BBox = [-21.95, 64.13, -21.85, 64.16];
  const village = node([-14.1, 65.1, -14.0999, 65.1001], 3, "IS");
  const focus = focusOf(collection([wide, node(town, 900, "IS"), village]));
  expect(focus).toEqual({ lat: 64.145, lon: -21.9, radiusMeters: 3000, country: "IS" });
  const corners = [
    [town[0], town[1]],
    [town[2], town[3]],
  ] as const;
  for (const [lon, lat] of corners) {
    expect(metersBetween({ lat: focus?.lat ?? 0, lon: focus?.lon ?? 0 }, { lon, lat })).toBeLessThan(3000);
  }
});

test("a single row has a focus, and so does a box across the antimeridian", () => {
  expect(focusOf(collection([node([9.52, 47.14, 9.52, 47.14], 1, "LI")]))).toMatchObject({ radiusMeters: 100 });
  const fiji = focusOf(collection([node([179.98, -16.8, -179.96, -16.7], 40, "FJ")]));
  expect(fiji).toMatchObject({ lat: -16.75, lon: -179.99 });
  expect(fiji?.radiusMeters).toBeLessThan(8000);
});

test("a page of partitions has the collection's country if there is only one", () => {
  const page = node([9.5, 47.1, 9.6, 47.2], 4000);
  expect(focusOf(collection([page], { LI: 4000 }))?.country).toBe("LI");
  expect(focusOf(collection([page], { CH: 1, LI: 3999 }))?.country).toBeUndefined();
});

test("there is no focus if every box of the root is as large as a region", () => {
  expect(focusOf(collection([node([-10, 40, 10, 50], 1e6)]))).toBeUndefined();
  expect(focusOf(collection([]))).toBeUndefined();
});
