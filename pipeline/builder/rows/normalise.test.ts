import { join } from "node:path";
import { expect, test } from "vitest";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { openDatabase } from "../../base/database/database.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { type Row, readParquet } from "../../testing/read-parquet.ts";
import { buildDataset } from "../dataset/build.ts";

const newFolder = temporaryFolders();

function pointSql(lon: number, lat: number): string {
  return `from_hex('${Buffer.from(writeWkb({ type: "Point", coordinates: [lon, lat] })).toString("hex")}')`;
}

const MONACO = pointSql(7.42, 43.73);

/** Builds a dataset from a file with the query's rows. */
async function buildFrom(name: string, sql: string): Promise<{ rows: Row[]; rejects: Row[]; countries: string[] }> {
  const source = join(await newFolder(), name);
  const database = await openDatabase({ folder: await newFolder() });
  await database.run(`COPY (${sql}) TO '${source}' (FORMAT parquet)`);
  database.close();
  const out = await newFolder();
  await buildDataset({ sources: [source], out, mostRejects: 1 });
  const primary = (await filesBelow(out)).filter((path) => /^\w+\/country=/.test(path));
  const rows = (await Promise.all(primary.map((path) => readParquet(join(out, path))))).flat();
  return {
    rows: rows.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
    rejects: await readParquet(join(out, "rejects.parquet")),
    countries: primary.map((path) => /country=(..)/.exec(path)?.[1] ?? ""),
  };
}

test("columns are cast by name: missing members are null, narrow types are widened, extra members are left out", async () => {
  const { rows } = await buildFrom(
    "place.parquet",
    `SELECT 7 AS id, ${MONACO} AS geometry, 3::BIGINT AS version, 0.5::FLOAT AS confidence,
      {'primary': 'Café', 'extra': 1} AS names, [{'dataset': 'x', 'unknown': true}] AS sources, 'y' AS note`,
  );
  expect(rows).toMatchObject([
    {
      id: "7",
      version: 3,
      confidence: 0.5,
      names: { primary: "Café", common: null, rules: null },
      sources: [{ dataset: "x", license: null, between: null }],
      addresses: null,
    },
  ]);
  expect(rows[0]).not.toHaveProperty("note");
});

test("categories come from taxonomy and basic_category if the column is missing", async () => {
  const { rows } = await buildFrom(
    "place.parquet",
    `SELECT id, ${MONACO} AS geometry, basic_category, taxonomy, categories FROM (VALUES
      ('a', 'shop', {'primary': 'bakery', 'hierarchy': ['food', 'bakery'], 'alternates': ['cafe']}, NULL),
      ('b', 'shop', NULL, NULL),
      ('c', 'shop', {'primary': 'bakery', 'hierarchy': NULL, 'alternates': NULL}, {'primary': 'kept', 'alternate': ['too']}),
      ('d', NULL, NULL, NULL)
    ) AS t(id, basic_category, taxonomy, categories)`,
  );
  expect(rows.map(({ categories }) => categories)).toEqual([
    { primary: "bakery", alternate: ["cafe"] },
    { primary: "shop", alternate: null },
    { primary: "kept", alternate: ["too"] },
    null,
  ]);
});

test("a value that cannot be cast rejects only its row, and the reason names it", async () => {
  const { rows, rejects } = await buildFrom(
    "place.parquet",
    `SELECT id, ${MONACO} AS geometry, version, confidence, names FROM (VALUES
      ('a', '1', '0.5', {'primary': 'x'}), ('b', 'new', '0.5', NULL), ('c', NULL, 'high', NULL), ('d', NULL, NULL, NULL)
    ) AS t(id, version, confidence, names)`,
  );
  expect(rows.map(({ id, version, confidence }) => [id, version, confidence])).toEqual([
    ["a", 1, 0.5],
    ["d", 0, null],
  ]);
  expect(rejects.map(({ id, reason, detail }) => [id, reason, detail])).toEqual([
    ["b", "value that cannot be cast", "version: new"],
    ["c", "value that cannot be cast", "confidence: high"],
  ]);
});

test("geometries that are null, truncated, empty or off the earth are rejected", async () => {
  const { rows, rejects } = await buildFrom(
    "connector.parquet",
    `SELECT * FROM (VALUES ('a', ${MONACO}), ('b', NULL), ('c', from_hex('0101')), ('d', ${pointSql(7, 91)}),
      (NULL, ${MONACO}), ('e', ${pointSql(Number.NaN, Number.NaN)})) AS t(id, geometry)`,
  );
  expect(rows.map(({ id }) => id)).toEqual(["a"]);
  expect(rejects.map(({ id, reason }) => [id, reason])).toEqual([
    ["b", "missing geometry"],
    ["c", "unreadable geometry"],
    ["d", "position out of range"],
    [null, "missing id"],
    ["e", "missing geometry"],
  ]);
});

test("a declared country counts if the type has one, in capitals; otherwise the location decides", async () => {
  const sql = `SELECT * FROM (VALUES ('a', 'us', ${MONACO}), ('b', 'Monaco', ${MONACO}), ('c', NULL, ${MONACO}))
    AS t(id, country, geometry)`;
  expect((await buildFrom("address.parquet", sql)).countries).toEqual(["MC", "US"]);
  expect((await buildFrom("connector.parquet", sql)).countries).toEqual(["MC"]);
});

test("a geometry column without WKB is an error that names the file", async () => {
  await expect(buildFrom("place.parquet", "SELECT 'a' AS id, 'POINT (1 2)' AS geometry")).rejects.toThrow(
    /place\.parquet: column geometry is VARCHAR, expected WKB/,
  );
});
