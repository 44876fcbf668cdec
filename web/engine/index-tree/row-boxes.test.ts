import { expect, test } from "vitest";
import { bboxContains } from "../../../data/format/bbox.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { openDataset } from "../dataset.ts";
import { makeDataset } from "../testing/made-up-dataset.ts";
import { hardRows } from "../testing/made-up-rows.ts";
import { countingSource, memorySource } from "../testing/sources.ts";

const made = hardRows();
const source = countingSource(memorySource(await makeDataset(made, { rowsPerPartition: 16, nodesPerPage: 4 })));

test.each([0, 1000, 1e9])("every row is in a box, and at most %d bytes of pages are read", async (maxBytes) => {
  const dataset = openDataset({ source, decode: decodeParquet });
  await dataset.manifest();
  for (const collection of ["place", "segment", "land_use"] as const) {
    source.reset();
    const boxes = await dataset.rowBoxes([collection], { maxBytes });
    const rows = made[collection] ?? [];
    expect(boxes.reduce((sum, box) => sum + box.rows, 0)).toBe(rows.length);
    for (const { geometry } of rows) {
      const [west = 0, south = 0, east = 0, north = 0] = bboxOf(geometry) ?? [];
      expect(boxes.some(({ bbox }) => bboxContains(bbox, west, south) && bboxContains(bbox, east, north))).toBe(true);
    }
    expect(source.requests.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(maxBytes);
    if (maxBytes === 1e9) expect(boxes.every(({ country }) => country !== undefined)).toBe(true);
  }
});

test("missing collections have no boxes", async () => {
  const dataset = openDataset({ source, decode: decodeParquet });
  expect(await dataset.rowBoxes(["building"], { maxBytes: 1e9 })).toEqual([]);
});
