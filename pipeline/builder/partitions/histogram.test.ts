import { expect, test } from "vitest";
import { GEOHASH_BITS } from "../../../data/format/geohash.ts";
import { type Database, openDatabase } from "../../base/database/database.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { countCells, tallyCells } from "./histogram.ts";
import { type CellCount, planRun } from "./plan-partitions.ts";

const TARGET = 150;
const COUNTRIES = 40;
const ROWS = 2000;
/** A country whose keys are close together. */
const CITY = "99";
const CLOSE_ROWS = 5000;
const SHARES = 3;
const SHARED_BITS = 20;

const newFolder = temporaryFolders();

/** Runs the work with a table of `country size_class key rows`, with one row per key. */
async function withKeys<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  const keys = 2 ** GEOHASH_BITS;
  try {
    await database.run(`
      CREATE TABLE keys AS
      SELECT printf('%02d', country) AS country, 0 AS size_class, (hash(country * ${ROWS} + n) % ${keys})::BIGINT AS key, 1 AS rows
      FROM range(${COUNTRIES}) countries(country), range(${ROWS}) rows(n)
      UNION ALL SELECT '${CITY}', 0, ${keys / 2} + (hash(n) % 4096)::BIGINT, 1 FROM range(${CLOSE_ROWS}) rows(n)`);
    return await work(database);
  } finally {
    database.close();
  }
}

test("a run is cut the same by few cells as by all keys", async () => {
  await withKeys(async (database) => {
    const cells = await countCells(database, "keys", TARGET);
    const keys = await database.rows<CellCount>(`
      SELECT country, 0 AS "sizeClass", key AS start, count(*) AS rows FROM keys GROUP BY ALL ORDER BY ALL`);
    expect(keys.length).toBeGreaterThan(COUNTRIES * ROWS * 0.9);
    expect(cells.filter(({ country }) => country !== CITY).length).toBeLessThanOrEqual(COUNTRIES * 32);
    expect(cells.reduce((sum, { rows }) => sum + rows, 0)).toBe(COUNTRIES * ROWS + CLOSE_ROWS);
    expect(planRun(cells, TARGET)).toEqual(planRun(keys, TARGET));
    // Cells slightly over the target are not cut to single rows.
    const finer = await countCells(database, "keys", TARGET / 5);
    expect(finer.filter(({ country }) => country !== CITY).length).toBeLessThanOrEqual(COUNTRIES * 32 * 8);
  });
});

test("shares of cells that are counted separately cut a run as all keys do, for any larger target", async () => {
  await withKeys(async (database) => {
    const tables = Array.from({ length: SHARES }, (_, share) => `share_${share}`);
    for (const [share, table] of tables.entries()) {
      const from = `(FROM keys WHERE hash(key >> ${GEOHASH_BITS - SHARED_BITS}) % ${SHARES} = ${share})`;
      await tallyCells(database, { from, leastBits: SHARED_BITS }, { table, target: TARGET });
    }
    const merged = `(${tables.map((table) => `FROM ${table}`).join(" UNION ALL ")})`;
    for (const target of [TARGET, 3 * TARGET, 10 * TARGET]) {
      const [cells, keys] = [await countCells(database, merged, target), await countCells(database, "keys", target)];
      expect(planRun(cells, target), String(target)).toEqual(planRun(keys, target));
    }
  });
});
