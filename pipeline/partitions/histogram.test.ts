import { expect, test } from "vitest";
import { GEOHASH_BITS } from "../../data/format/geohash.ts";
import { openDatabase } from "../database/database.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { countCells } from "./histogram.ts";
import { type CellCount, planRun } from "./plan-partitions.ts";

const TARGET = 100;
const COUNTRIES = 40;
const ROWS = 1000;
/** A country whose keys stand close together. */
const CITY = "99";
const CLOSE_ROWS = 5000;

const newFolder = temporaryFolders();

/** The cells that the cut needs, or every single key. */
async function counted(areFinest: boolean): Promise<CellCount[]> {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  const keys = 2 ** GEOHASH_BITS;
  try {
    await database.run(`
      CREATE TABLE keys AS
      SELECT printf('%02d', country) AS _country, (hash(country * ${ROWS} + n) % ${keys})::BIGINT AS key
      FROM range(${COUNTRIES}) countries(country), range(${ROWS}) rows(n)
      UNION ALL SELECT '${CITY}', ${keys / 2} + (hash(n) % 4096)::BIGINT FROM range(${CLOSE_ROWS}) rows(n)`);
    if (!areFinest) return await countCells(database, { table: "keys", sizeClass: "0", key: "key" }, TARGET);
    const cells = await database.rows<{ country: string; start: number; rows: number }>(
      "SELECT _country AS country, key AS start, count(*) AS rows FROM keys GROUP BY ALL ORDER BY ALL",
    );
    return cells.map((cell) => ({ ...cell, sizeClass: 0, bits: GEOHASH_BITS }));
  } finally {
    database.close();
  }
}

test("a run is cut by a few cells as it is by every single key", async () => {
  const [cells, keys] = [await counted(false), await counted(true)];
  expect(keys.length).toBeGreaterThan(COUNTRIES * ROWS * 0.9);
  expect(cells.filter(({ country }) => country !== CITY).length).toBeLessThanOrEqual(COUNTRIES * 32);
  expect(cells.reduce((sum, { rows }) => sum + rows, 0)).toBe(COUNTRIES * ROWS + CLOSE_ROWS);
  expect(planRun(cells, TARGET)).toEqual(planRun(keys, TARGET));
});
