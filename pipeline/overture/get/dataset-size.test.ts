import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { buildSample } from "../../../web/engine/testing/sample.ts";
import { filesBelow } from "../../base/disk/index.ts";
import { BYTES_A_ROW, datasetSize } from "./dataset-size.ts";

test("bytes per row match the sample dataset", async () => {
  const dataset = await buildSample();
  const { collections } = parseManifest(JSON.parse(await readFile(join(dataset, "manifest.json"), "utf8")));
  const paths = await filesBelow(dataset);
  expect([...BYTES_A_ROW.keys()].sort()).toEqual(Object.keys(collections).sort());
  for (const [name, collection] of Object.entries(collections)) {
    const bytesARow = BYTES_A_ROW.get(name) ?? 0;
    const own = paths.filter((path) => path.startsWith(`${name}/`));
    const sizes = await Promise.all(own.map(async (path) => (await stat(join(dataset, path))).size));
    const measured = sizes.reduce((sum, size) => sum + size, 0) / collection.rows;
    expect(Math.abs(bytesARow / measured - 1), `${name}: ${measured} bytes a row`).toBeLessThan(0.02);
  }
});

test("estimates a dataset's size from its rows, with the join and without unmeasured types", () => {
  const [place = 0, joined = 0, building = 0] = ["place", "place_building", "building"].map((name) =>
    BYTES_A_ROW.get(name),
  );
  expect(datasetSize(new Map([["place", 100]]))).toEqual({ bytes: 100 * place, unmeasured: [] });
  const both = 100 * (place + joined) + 2 * building;
  expect(
    datasetSize(
      new Map([
        ["place", 100],
        ["building", 2],
        ["water", 0],
      ]),
    ).bytes,
  ).toBe(both);
  expect(
    datasetSize(
      new Map([
        ["land_cover", 3],
        ["bathymetry", 0],
      ]),
    ),
  ).toEqual({ bytes: 0, unmeasured: ["land_cover"] });
});
