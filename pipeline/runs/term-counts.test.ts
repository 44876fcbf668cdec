import { expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { countTerms } from "./count-terms.ts";

const newFolder = temporaryFolders();

test("terms of several chunks are counted as a loop counts them", async () => {
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
  const counted = await countTerms(database, { table: "run", country: "country", isFull: "NOT is_light" });
  expect(counted).toEqual(expected);
  await database.run("CREATE TABLE empty AS FROM run LIMIT 0");
  expect(await countTerms(database, { table: "empty", country: "country", isFull: "true" })).toEqual([]);
  database.close();
});
