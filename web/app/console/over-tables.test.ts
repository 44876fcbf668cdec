import { expect, test } from "vitest";
import { overTables } from "./over-tables.ts";

const OPTIONS = "hive_partitioning = true, hive_types_autocast = false";
const ONE = `read_parquet('place/country=*/geohash=*/*.parquet', ${OPTIONS})`;
const TWO = `read_parquet([
  'land/country=*/geohash=*/*.parquet',
  'water/country=*/geohash=*/*.parquet'
], ${OPTIONS}, union_by_name = true)`;

test.each([
  [`SELECT * FROM ${ONE} WHERE confidence > 1`, "SELECT * FROM place WHERE confidence > 1"],
  [`SELECT * FROM ${TWO}`, "SELECT * FROM (SELECT * FROM land UNION ALL BY NAME SELECT * FROM water)"],
  [
    `SELECT * FROM read_parquet('place/country=*/geohash=*/*.parquet', ${OPTIONS}) WHERE id = 'a'`,
    "SELECT * FROM place WHERE id = 'a'",
  ],
  [`SELECT * FROM read_parquet('order2/country=*/geohash=*/*.parquet', ${OPTIONS})`, 'SELECT * FROM "order2"'],
  ["SELECT 1", "SELECT 1"],
  ["SELECT * FROM read_parquet('mine.parquet')", "SELECT * FROM read_parquet('mine.parquet')"],
  [`SELECT * FROM ${ONE} WHERE country = 'MC'`, "SELECT * FROM place WHERE country = 'MC'"],
  [`SELECT geometry::VARCHAR FROM ${ONE}`, undefined],
  ["SELECT country = 'MC' FROM mine", "SELECT country = 'MC' FROM mine"],
])("%j is run as %j", (sql, run) => {
  expect(overTables(sql)).toBe(run);
});
