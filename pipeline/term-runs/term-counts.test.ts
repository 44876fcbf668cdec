import { expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { readTermCounts } from "./term-counts.ts";

const newFolder = temporaryFolders();

test("counts of several chunks are read as a loop counts them", async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({
    country: ["DE", "FR", "US"][i % 3] as string,
    term: `name:${(i * 7919) % 4001}`,
    isLight: i % 5 === 0,
  }));
  const expected = ["DE", "FR", "US"].map((country) => {
    const mine = rows.filter((row) => row.country === country);
    const terms = [...new Set(mine.map(({ term }) => term))].sort();
    const of = (term: string) => mine.filter((row) => row.term === term);
    return {
      country,
      terms,
      rows: terms.map((term) => of(term).length),
      full: terms.map((term) => of(term).filter(({ isLight }) => !isLight).length),
    };
  });
  const database = await openDatabase({ folder: await newFolder(), threads: 2 });
  const values = rows.map(({ country, term, isLight }) => `('${country}', '${term}', ${isLight})`).join(", ");
  await database.run(`CREATE TABLE run AS FROM (VALUES ${values}) rows(country, term, is_light)`);
  const sqlOf = (table: string): string => `
    SELECT country, term, count(*)::INTEGER AS rows, (count(*) FILTER (NOT is_light))::INTEGER AS "full"
    FROM ${table} GROUP BY ALL ORDER BY country, term`;
  expect(await readTermCounts(database, sqlOf("run"))).toEqual(expected);
  await database.run("CREATE TABLE empty AS FROM run LIMIT 0");
  expect(await readTermCounts(database, sqlOf("empty"))).toEqual([]);
  database.close();
});
