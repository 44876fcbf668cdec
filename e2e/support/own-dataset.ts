/** A dataset of two tables whose columns have every type, and names of other parameters and of records' usual columns. @module */
import { join } from "node:path";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { point, writeGeoJson } from "../../pipeline/testing/folders.ts";

export const OWN_ROWS = 30;

/** Builds the dataset in the folder and returns its folder. The tables are `tile`, a name of a fixed operation, and `my_shops`. */
export async function buildOwnDataset(folder: string): Promise<string> {
  const names = ["my_shops", "tile"];
  const sources = names.map((name) => writeGeoJson(folder, `${name}.geojson`, Array.from({ length: OWN_ROWS }, rowOf)));
  const out = join(folder, "dataset");
  await buildDataset({ sources: await Promise.all(sources), out });
  return out;
}

function rowOf(_: unknown, index: number): unknown {
  return point(undefined, 7.8 + index / 1000, 47.9 + index / 1000, {
    Name: `Shop ${index}`,
    Price: index + 0.5,
    Price_min: `a note of ${index} francs`,
    limit: index,
    "Größe (m²) & more": index * 10,
    "includes[]": index % 2 === 0 ? "even" : "odd",
    constructor: index % 3 === 0 ? "Fizz" : "Buzz",
    brand: index % 2 === 0 ? "A & B" : "C, D",
    confidence: "high",
    open: index % 2 === 0,
    Since: `20${10 + (index % 10)}-05-0${1 + (index % 9)}`,
    x: `2024-05-01T0${index % 9}:00:00Z`,
    note: `a note about number ${index} of many`,
    tags: ["red", index % 2 === 0 ? "green" : "blue"],
    details: { floor: index },
  });
}
