import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GEOHASH_BITS } from "../../data/format/geohash.ts";
import { buildDataset } from "../build/build.ts";
import { planRun } from "../partitions/index.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { readDataset } from "../testing/read-dataset.ts";
import { TALLY_ROWS } from "./tally.ts";

const newFolder = temporaryFolders();

const ROWS = 240;
/** Of what hardly compresses in a row. */
const HASHES = 150;
/** Of ids, in their keys. */
const DIGITS = 12;

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

test("rows so large that a stretch has fewer than a counted cell are cut by every single id", async () => {
  const [source, out] = [await newFolder(), join(await newFolder(), "dataset")];
  // all in one cell of those that are counted first
  const ids = Array.from({ length: ROWS }, (_, row) => `07${digest(`id ${row}`).toString("hex").slice(0, 30)}`).sort();
  const features = ids.map((id, row) => {
    const text = Array.from({ length: HASHES }, (_, place) => digest(`${row} ${place}`).toString("base64")).join("");
    return point(id, -105.28 + (row % 20) / 1000, 40.015 + Math.floor(row / 20) / 1000, { websites: [text] });
  });
  await writeGeoJson(source, "place.geojson", features);
  await buildDataset({ sources: [source], out });
  const nodes = await (await readDataset(out)).nodes("place", "records");
  const stretches = nodes.map(({ rows }) => rows);
  const most = Math.max(...stretches);
  expect(most).toBeLessThan(TALLY_ROWS);
  const keys = ids.map((id) => {
    const start = Number.parseInt(id.slice(0, DIGITS), 16) * 2 ** (GEOHASH_BITS - 4 * DIGITS);
    return { country: "US", sizeClass: 0, start, rows: 1 };
  });
  expect(stretches).toEqual(planRun(keys, most).map(({ start, end }) => end - start));
});
