import fc from "fast-check";
import { expect, test } from "vitest";
import { COLLECTIONS } from "../../data/format/collections.ts";
import { openDatabase } from "../database/database.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { makePostings, rowTerms, termsSql } from "./term-postings.ts";

const newFolder = temporaryFolders();

/** Names of rows, each of some words. */
type Rows = readonly (readonly string[])[];

const TARGET = 2;

const TABLES = { collection: COLLECTIONS.place, staged: "staged", terms: "terms", postings: "postings" } as const;
const POSTINGS = "(SELECT * EXCLUDE (_term) FROM postings JOIN terms ON terms.rowid = _term)";

function rowsBy(rows: Rows, isIn: (word: string) => boolean): number[] {
  return rows.flatMap((words, row) => (words.some(isIn) ? [row] : []));
}

test("the first stored beginning of all that begin so has the rows of a beginning that more than fit a partition have", async () => {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  database.register(rowTerms());
  // few, so that rows often have several that begin alike
  const word = fc.constantFrom("a", "aa", "aab", "ab", "aba", "abab", "ab\u{1e922}", "\u{1e922}a", "\u{1e922}ab");
  const names = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(names, async (rows) => {
      const values = rows.map((words, row) => `(${row}, '${words.join(" ")}')`).join(", ");
      await database.run(`
        CREATE OR REPLACE TABLE staged AS
        SELECT 'AD' AS _country, ${termsSql(COLLECTIONS.place)} AS _terms
        FROM (
          SELECT row, {"primary": name} AS names, NULL AS categories, NULL AS taxonomy, NULL AS brand
          FROM (VALUES ${values}) rows(row, name)
        ) ORDER BY row`);
      await makePostings(database, { ...TABLES, target: TARGET });
      const postings = await database.rows<{ term: string; at: number[] }>(
        `SELECT term, list(_at::INTEGER ORDER BY _at) AS at FROM ${POSTINGS} GROUP BY ALL ORDER BY term`,
      );
      const stored = new Map(postings.map(({ term, at }) => [term, [...at]]));
      const beginnings = new Set(
        rows.flat().flatMap((text) =>
          Array.from(text, (_, i) =>
            Array.from(text)
              .slice(0, i + 1)
              .join(""),
          ),
        ),
      );
      for (const beginning of beginnings) {
        const words = new Set(rows.flat().filter((text) => text.startsWith(beginning)));
        const all = rowsBy(rows, (text) => text.startsWith(beginning));
        const first = [...stored.keys()].find((term) => term.startsWith(`prefix:${beginning}`));
        // of a country that fits two partitions any page stands close together: all is light
        if (all.length <= TARGET || words.size === 1 || rows.length <= 2 * TARGET) {
          expect(first, `${beginning} is not stored`).toBeUndefined();
        } else expect(stored.get(first ?? ""), `rows of ${beginning} under ${first}`).toEqual(all);
      }
    }),
    { numRuns: 200 },
  );
  database.close();
});

test("a longer beginning that fills a partition does not stand for a shorter one whose rows are light and fill none", async () => {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  database.register(rowTerms());
  // a page of all 100 stands close together, a page of the first 40 does not
  await database.run(`
    CREATE TABLE staged AS
    SELECT 'AD' AS _country, ${termsSql(COLLECTIONS.place)} AS _terms
    FROM (
      SELECT {"primary": ['abc', 'abd', 'ax', 'ay', 'az'][1 + i // 20]} AS names,
        NULL AS categories, NULL AS taxonomy, NULL AS brand
      FROM range(100) rows(i)
    )`);
  await makePostings(database, { ...TABLES, target: 20 });
  const stored = await database.rows<{ term: string; rows: number; light: number }>(`
    SELECT term, count(*) AS rows, count(*) FILTER (is_light) AS light FROM ${POSTINGS}
    WHERE starts_with(term, 'prefix:') GROUP BY ALL ORDER BY term`);
  database.close();
  expect(stored).toEqual([
    { term: "prefix:a", rows: 100, light: 100 },
    { term: "prefix:ab", rows: 40, light: 0 },
  ]);
});
