import { expect, test, vi } from "vitest";
import { COLLECTIONS, OVERTURE_TYPES } from "../../data/format/collections.ts";
import { allRecords, asRecorded, buildAndVerify, storedRecords } from "../testing/build-and-verify.ts";
import { temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { OVERTURE_EXAMPLES } from "../testing/overture-examples.ts";

vi.setConfig({ testTimeout: 300_000 });

const newFolder = temporaryFolders();

test("the examples have all columns of their types", () => {
  for (const type of OVERTURE_TYPES) {
    const columns = COLLECTIONS[type].columns.map(({ name }) => name);
    const own = columns.filter((name) => !["id", "geometry", "bbox"].includes(name));
    const { country: _, ...values } = OVERTURE_EXAMPLES[type].values;
    expect(Object.keys(values).sort(), type).toEqual(own.sort());
  }
});

test("an example of each type is built, verified and read back with equal values", async () => {
  const source = await newFolder();
  for (const type of OVERTURE_TYPES) {
    const { geometry, values } = OVERTURE_EXAMPLES[type];
    const feature = {
      type: "Feature",
      id: type,
      geometry,
      properties: { theme: COLLECTIONS[type].theme, type, ...values },
    };
    await writeGeoJson(source, `${type}.geojson`, [feature]);
  }
  const dataset = await buildAndVerify(source, await newFolder());
  for (const type of OVERTURE_TYPES) {
    const { geometry, values } = OVERTURE_EXAMPLES[type];
    const { country: _, ...own } = values;
    const answered = await allRecords(dataset, type);
    expect(answered.map((record) => ({ id: record.id, geometry: record.geometry }))).toEqual([{ id: type, geometry }]);
    const stored = (await storedRecords(dataset, type)).get(type);
    expect(asRecorded(stored), type).toEqual(asRecorded({ id: type, ...own }));
  }
});
