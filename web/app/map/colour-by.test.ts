import { expect, test, vi } from "vitest";
import type { Feature, Json } from "../../engine/index.ts";

vi.stubGlobal("navigator", { languages: ["en"] });
const { colourColumns, coloursOf } = await import("./colour-by.tsx");

const record = (id: number, properties: Readonly<Record<string, Json>>): Feature =>
  ({ id: `r${id}`, type: "Feature", geometry: { type: "Point", coordinates: [0, 0] }, properties }) as never;

test("columns of a table with numbers or few values are offered, also places' categories", () => {
  const shops = Array.from({ length: 20 }, (_, i) =>
    record(i, {
      ...{ theme: "own", type: "shops", id: `r${i}`, Name: `Shop ${i}`, Price: i % 3 === 0 ? null : i },
      ...{ Kind: i % 2 === 0 ? "new" : "used", Same: "x", Open: i > 3, categories: null },
    }),
  );
  expect(colourColumns(shops)).toEqual(["Kind", "Open", "Price"]);
  const places = ["cafe", "cafe", "bar"].map((primary, i) => record(i, { theme: "places", categories: { primary } }));
  expect(colourColumns(places)).toEqual(["category"]);
  expect(colourColumns(shops.slice(0, 1))).toEqual([]);
});

test("a record without a value has the colour of matches that are not in the list", () => {
  const records = [3, 7, null].map((height, i) => record(i, { height }));
  const colours = coloursOf(records, "height", false);
  const [low, high, unknown] = records.map((each) => colours?.of(each));
  expect(unknown).toEqual(colours?.unknown);
  expect(low).not.toEqual(high);
  expect(coloursOf(records, "depth", false)).toBeUndefined();
  expect(coloursOf(records, undefined, false)).toBeUndefined();
});
