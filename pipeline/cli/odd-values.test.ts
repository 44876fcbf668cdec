import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openDatabase, quoteLiteral } from "../base/database/index.ts";
import { buildAndVerify, query } from "../testing/build-and-verify.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";

vi.setConfig({ testTimeout: 300_000 });

const newFolder = temporaryFolders();

test("country XX of Overture is a country like any other", async () => {
  const source = await newFolder();
  await writeGeoJson(source, "division.geojson", [
    point("a", 7.42, 43.73, { subtype: "locality", country: "MC", version: 1, names: { primary: "Alpha" } }),
    point("b", 33.6, 35.2, { subtype: "locality", country: "XX", version: 1, names: { primary: "Beta" } }),
  ]);
  const dataset = await buildAndVerify(source, await newFolder());
  const ids = async (request: string) => (await query(dataset, request)).map(({ id }) => id);
  expect(await ids("/divisions?country=XX&name=alpha&types=division")).toEqual([]);
  expect(await ids("/divisions?country=XX&name=beta&types=division")).toEqual(["b"]);
  expect(await ids("/divisions?name=alpha&types=division")).toEqual(["a"]);
  expect(await ids("/divisions?country=XX&types=division")).toEqual(["b"]);
});

test("steps of hierarchies may have null members", async () => {
  const source = await newFolder();
  const division = (id: string, lon: number, steps: unknown) =>
    point(id, lon, 43.73, { subtype: "county", country: "MC", version: 1, names: { primary: id }, hierarchies: steps });
  await writeGeoJson(source, "division.geojson", [
    division("a", 7.42, [
      [
        { division_id: "x", subtype: "country" },
        { division_id: "a", subtype: "county", name: "a" },
      ],
    ]),
    division("b", 7.43, [
      [
        { subtype: "region", name: "foo" },
        { division_id: "b", subtype: "county", name: "b" },
      ],
    ]),
    division("c", 7.44, [[null, { subtype: "region" }]]),
    division("d", 7.45, [null]),
  ]);
  await buildAndVerify(source, await newFolder());
});

test("NaN and infinities are stored as null", async () => {
  const source = await newFolder();
  const database = await openDatabase({ folder: source, threads: 1 });
  try {
    const rows = ["NaN", "Infinity", "-Infinity", "12.5"].map(
      (height, i) => `('${i}', unhex('0101000000AE47E17A14AE1D40D7A3703D0ADD4540'), '${height}'::DOUBLE)`,
    );
    await database.run(
      `COPY (SELECT * FROM (VALUES ${rows.join(", ")}) AS t(id, geometry, height))
       TO ${quoteLiteral(join(source, "building.parquet"))} (FORMAT parquet)`,
    );
  } finally {
    database.close();
  }
  const rows = await query(
    await buildAndVerify(source, await newFolder()),
    "/buildings?lat=43.73&lng=7.42&radius=2000",
  );
  const heights = Object.fromEntries(rows.map(({ id, properties }) => [id, properties.height ?? null]));
  expect(heights).toEqual({ 0: null, 1: null, 2: null, 3: 12.5 });
});
