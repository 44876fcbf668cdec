import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openDatabase, quoteLiteral } from "../base/database/index.ts";
import { type Answered, buildAndVerify, query } from "../testing/build-and-verify.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { runCairn } from "../testing/run-cairn.ts";

vi.setConfig({ testTimeout: 300_000 });

const newFolder = temporaryFolders();

/** Writes the rows of a query as Parquet. */
async function writeParquet(path: string, sql: string, options = ""): Promise<void> {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  try {
    await database.run(`COPY (${sql}) TO ${quoteLiteral(path)} (FORMAT parquet${options})`);
  } finally {
    database.close();
  }
}

/** A point of Monaco as WKB in SQL. */
const MONACO = "unhex('0101000000AE47E17A14AE1D40D7A3703D0ADD4540')";

async function placesOf(source: string): Promise<Map<string, Answered>> {
  const rows = await query(await buildAndVerify(source, await newFolder()), "/places?lat=43.73&lng=7.42&radius=5000");
  return new Map(rows.map((row) => [row.id, row]));
}

const common = { fr: "Alphe", de: "Alfa" };

test("maps may be lists of pairs, and nested columns may be JSON text", async () => {
  const source = await newFolder();
  const names = [
    { primary: "Alpha", common: Object.entries(common), rules: null },
    { primary: "Alpha", common: Object.entries(common).map(([key, value]) => ({ key, value })) },
    { primary: "Alpha", common: JSON.stringify(common) },
    JSON.stringify({ primary: "Alpha", common: Object.entries(common) }),
  ];
  await writeGeoJson(
    source,
    "place.geojson",
    names.map((one, i) => point(`json-${i}`, 7.42, 43.73, { names: one, websites: '["https://a.example"]' })),
  );
  const columns = [
    "{'primary': 'Alpha', 'common': [['fr', 'Alphe'], ['de', 'Alfa']]}",
    "{'primary': 'Alpha', 'common': [{'key': 'fr', 'value': 'Alphe'}, {'key': 'de', 'value': 'Alfa'}]}",
    `'{"primary": "Alpha", "common": {"fr": "Alphe", "de": "Alfa"}, "rules": null}'`,
  ];
  for (const [i, column] of columns.entries()) {
    await mkdir(join(source, `${i}`));
    await writeParquet(
      join(source, `${i}`, "place.parquet"),
      `SELECT 'parquet-${i}' AS id, ${MONACO} AS geometry, ${column} AS names, '["https://a.example"]' AS websites`,
    );
  }
  const places = await placesOf(source);
  expect(places.size).toBe(7);
  for (const { properties } of places.values()) {
    expect(properties.names).toMatchObject({ primary: "Alpha", common });
    expect(properties.websites).toEqual(["https://a.example"]);
  }
});

test("a nested value that does not fit rejects its row, and the reason has its path", async () => {
  const source = await newFolder();
  await writeParquet(
    join(source, "place.parquet"),
    `SELECT * FROM (VALUES ('a', ${MONACO}, '{"primary": "Alpha"}'), ('b', ${MONACO}, '{"common": "Alpha"}'), ('c', ${MONACO}, NULL))
     AS t(id, geometry, names)`,
  );
  const built = await runCairn("build", source, "--out", join(await newFolder(), "dataset"));
  expect(built.code).toBe(1);
  expect(built.stderr).toContain(
    '1 value that cannot be cast, such as id b of place.parquet (names.common: "Alpha" is no MAP',
  );
});

test("flattened names are columns, as GDAL writes them", async () => {
  const source = await newFolder();
  const flat = {
    "names.primary": "Alpha",
    "names.common": JSON.stringify(common),
    "names.__proto__.x": "y",
    "categories.primary": "cafe",
    "categories.alternate": ["bar"],
    "brand.names.primary": "Beta",
    "bbox.xmin": 7.42,
  };
  await writeGeoJson(source, "place.geojson", [point("a", 7.42, 43.73, flat)]);
  await writeParquet(
    join(source, "place.parquet"),
    `SELECT 'b' AS id, ${MONACO} AS geometry, 'Alpha' AS "names.primary", '${JSON.stringify(common)}' AS "names.common",
       'cafe' AS "categories.primary", ['bar'] AS "categories.alternate", 'Beta' AS "brand.names.primary", 7.42 AS "bbox.xmin"`,
  );
  const places = await placesOf(source);
  expect([...places.keys()]).toEqual(["a", "b"]);
  for (const { properties } of places.values()) {
    expect(properties).toMatchObject({
      names: { primary: "Alpha", common },
      categories: { primary: "cafe", alternate: ["bar"] },
      brand: { names: { primary: "Beta" } },
    });
  }
});

test("the content of GeoJSON decides whether it is a sequence, and every usual ending is a source", async () => {
  const source = await newFolder();
  const endings = ["geojson", "json", "geojsonl", "geojsons", "geojsonseq", "ndjson", "jsonl"];
  const expected: string[] = [];
  for (const ending of endings) {
    const feature = (kind: string) => {
      const id = `${ending}-${kind}`;
      expected.push(id);
      return point(id, 7.42, 43.73, { names: { primary: id } });
    };
    for (const kind of ["collection", "lines", "records"]) await mkdir(join(source, `${ending}-${kind}`));
    await writeGeoJson(join(source, `${ending}-collection`), `place.${ending}`, [feature("collection")]);
    for (const [kind, separator] of [
      ["lines", ""],
      ["records", "\u001e"],
    ] as const) {
      const texts = ["1", "2"].map((number) => `${separator}${JSON.stringify(feature(`${kind}-${number}`))}\n`);
      await writeFile(join(source, `${ending}-${kind}`, `place.${ending}`), texts.join(""));
    }
  }
  for (const ending of ["geoparquet", "gpq"]) {
    await writeParquet(join(source, `place.${ending}`), `SELECT '${ending}' AS id, ${MONACO} AS geometry`);
    expected.push(ending);
  }
  expect([...(await placesOf(source)).keys()].sort()).toEqual(expected.sort());
});

test("numbers with NaN, as Python writes them, are no values", async () => {
  const source = await newFolder();
  await writeFile(
    join(source, "place.geojson"),
    `{"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [7.42, 43.73]},
       "properties": {"confidence": NaN, "version": NaN, "names": {"primary": "NaN, \\"-Infinity\\""}}},
      {"type": "Feature", "id": "b", "geometry": {"type": "Point", "coordinates": [7.42, 43.73]},
       "properties": {"confidence": -Infinity, "sources": [{"dataset": "Infinity", "confidence":Infinity}]}}]}`,
  );
  await writeParquet(
    join(source, "place.parquet"),
    `SELECT 'c' AS id, ${MONACO} AS geometry, 'nan'::FLOAT AS confidence, 'nan'::DOUBLE AS version`,
  );
  const places = await placesOf(source);
  expect([...places.keys()]).toEqual(["a", "b", "c"]);
  for (const { properties } of places.values()) expect(properties).not.toHaveProperty("confidence");
  expect(places.get("a")?.properties).toMatchObject({ version: "0", names: { primary: 'NaN, "-Infinity"' } });
  expect(places.get("b")?.properties.sources).toMatchObject([{ dataset: "Infinity" }]);
});

test("a longitude beyond 180 by a rounding error is clamped", async () => {
  const source = await newFolder();
  await writeGeoJson(source, "place.geojson", [point("a", 180.00000000000003, 43.73)]);
  const rows = await query(await buildAndVerify(source, await newFolder()), "/places?lat=43.73&lng=180&radius=10");
  expect(rows.map(({ geometry }) => geometry)).toEqual([{ type: "Point", coordinates: [180, 43.73] }]);
});

/** The point of Monaco in UTM zone 32, which is EPSG:32632. */
const EAST = 372716.3;
const NORTH = 4843136.7;

/** Little-endian EWKB of a point, with an SRID or without. */
function ewkb(x: number, y: number, srid?: number): string {
  const bytes = Buffer.alloc(srid === undefined ? 21 : 25);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(srid === undefined ? 1 : 0x20000001, 1);
  if (srid !== undefined) bytes.writeUInt32LE(srid, 5);
  bytes.writeDoubleLE(x, bytes.length - 16);
  bytes.writeDoubleLE(y, bytes.length - 8);
  return `unhex('${bytes.toString("hex")}')`;
}

test("a reference system is transformed, wherever the file states it, and any name of the geometry column is found", async () => {
  const source = await newFolder();
  const collection = {
    type: "FeatureCollection",
    crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::32632" } },
  };
  const features = (id: string) => [point(id, EAST, NORTH)];
  await writeFile(join(source, "place.geojson"), JSON.stringify({ ...collection, features: features("crs-first") }));
  const { crs, ...rest } = collection;
  await writeFile(join(source, "place.json"), JSON.stringify({ ...rest, features: features("crs-last"), crs }));
  const projected = ewkb(EAST, NORTH);
  const geo = {
    version: "1.1.0",
    primary_column: "shape",
    columns: { shape: { encoding: "WKB", crs: { id: { authority: "EPSG", code: 32632 } } } },
  };
  const folder = async (name: string) => {
    await mkdir(join(source, name));
    return join(source, name, "place.parquet");
  };
  await writeParquet(
    await folder("metadata"),
    `SELECT 'metadata' AS id, ${projected} AS shape, NULL::BLOB AS geometry, {'xmin': 0.0, 'xmax': 1.0, 'ymin': 0.0, 'ymax': 1.0} AS bbox`,
    `, KV_METADATA {geo: ${quoteLiteral(JSON.stringify(geo))}}`,
  );
  await writeParquet(
    await folder("type"),
    `SELECT 'type' AS id, ST_SetCRS(ST_GeomFromWKB(${projected}), 'EPSG:32632') AS position`,
    ", GEOPARQUET_VERSION 'NONE'",
  );
  await writeParquet(
    await folder("srid"),
    `SELECT * FROM (VALUES ('srid', ${ewkb(EAST, NORTH, 32632)}), ('srid-4326', ${ewkb(7.42, 43.73, 4326)}), ('degrees', ${MONACO}))
     AS t(id, wkb_geometry)`,
  );
  const places = await placesOf(source);
  expect([...places.keys()].sort()).toEqual([
    "crs-first",
    "crs-last",
    "degrees",
    "metadata",
    "srid",
    "srid-4326",
    "type",
  ]);
  for (const { geometry } of places.values()) {
    const [lon = 0, lat = 0] = geometry.type === "Point" ? geometry.coordinates : [];
    expect(Math.abs(lon - 7.42)).toBeLessThan(0.01);
    expect(Math.abs(lat - 43.73)).toBeLessThan(0.01);
  }
});

test("--crs is for Overture's files, too", async () => {
  const [source, out] = [await newFolder(), join(await newFolder(), "dataset")];
  await writeGeoJson(source, "place.geojson", [point("a", EAST, NORTH)]);
  expect((await runCairn("build", source, "--crs", "EPSG:32632", "--out", out)).code).toBe(0);
  expect(await query(out, "/places?lat=43.73&lng=7.42&radius=1000")).toMatchObject([{ id: "a" }]);
});

test("an unknown reference system is refused with its name", async () => {
  const source = await newFolder();
  await writeParquet(join(source, "place.parquet"), `SELECT 'a' AS id, ${ewkb(1, 2, 99999)} AS geometry`);
  const built = await runCairn("build", source, "--out", join(await newFolder(), "dataset"));
  expect(built.code).toBe(1);
  expect(built.stderr).toContain("place.parquet: reference system EPSG:99999 is not among the known ones");
});

test("a table of coordinates only is read", async () => {
  const folder = await newFolder();
  const source = join(folder, "points.csv");
  await writeFile(source, "lat,lng\n43.73,7.42\n43.74,7.43\n");
  const rows = await query(await buildAndVerify(source, await newFolder()), "/points?lat=43.73&lng=7.42&radius=5000");
  expect(rows).toHaveLength(2);
});
