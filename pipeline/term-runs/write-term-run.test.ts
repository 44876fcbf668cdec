import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COLLECTIONS } from "../../data/format/collections.ts";
import { partitionPath } from "../../data/format/paths.ts";
import { openDatabase } from "../database/database.ts";
import { copyToParquet } from "../partitions/copy-to-parquet.ts";
import { cairnMetadata } from "../partitions/geo-metadata.ts";
import { temporaryFolders } from "../testing/folders.ts";
import type { PlannedTerms } from "./plan-terms.ts";
import { optionsOf, writeTermPartitions } from "./write-term-run.ts";

const newFolder = temporaryFolders();

/** Ranges of as many rows, one behind the other, the first hundred of one country and the others of another. */
function rangesOf(sizes: readonly number[]): PlannedTerms[] {
  let start = 0;
  return sizes.map((rows, index) => {
    const range = { start, end: start + rows, country: index < 100 ? "AD" : "FR" };
    start = range.end;
    return { ...range, firstTerm: `name:${index}`, lastTerm: `name:${index}`, startInTerm: 0 };
  });
}

test.each([
  ["threads", false],
  ["one thread", true],
])(
  "of a table written by %s, partitions that are copied together have the bytes of one copied alone",
  async (_, isByOneThread) => {
    const folder = await newFolder();
    const database = await openDatabase({ folder: await newFolder(), threads: 2 });
    // sizes that let a partition begin anywhere in a vector: few rows of it there, many, and all but a few
    const sizes = Array.from({ length: 240 }, (_, i) => [1, 700 + (i % 97), 2048, 30 + i, 3000][i % 5] as number);
    const ranges = rangesOf(sizes);
    const rows = ranges.at(-1)?.end ?? 0;
    const create = `
    CREATE TABLE run AS
    SELECT 'name:' || (i // 50) AS term, i % 3 = 0 AS is_light, 'AD' AS row_country, md5(i::VARCHAR) AS id,
      {xmin: i / 1e4, xmax: i / 1e4, ymin: 1.0, ymax: 1.0} AS bbox, [i, i % 7] AS list
    FROM range(${rows}) t(i)`;
    if (isByOneThread) await database.each([create], (connection, sql) => connection.run(sql));
    else await database.run(create);
    const columns = ["term", "is_light", "row_country", "id", "bbox", "list"];
    const into = {
      collection: COLLECTIONS.place.name,
      run: "term",
      table: "run",
      isByOneThread,
      columns,
      folder,
    } as const;
    const made = await writeTermPartitions(database, into, ranges);
    expect(made.map(({ rows: count }) => count)).toEqual(sizes);
    await database.each(ranges, async (connection, { start, end, country }, index) => {
      const alone = join(folder, `alone-${index}.parquet`);
      const sql = `SELECT * FROM run WHERE rowid >= ${start} AND rowid < ${end} ORDER BY rowid`;
      const metadata = { cairn: cairnMetadata("place", "term", country) };
      await copyToParquet(connection, sql, alone, { ...optionsOf("term"), metadata });
      const node = made[index];
      if (!node) throw new Error(`no partition ${index}`);
      const written = await readFile(join(folder, partitionPath("place", "term", node)));
      expect(written.equals(await readFile(alone)), `${index}: rows ${start} to ${end}`).toBe(true);
    });
    database.close();
  },
);
