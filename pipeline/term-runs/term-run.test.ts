import { join } from "node:path";
import { expect, test } from "vitest";
import { COLLECTIONS } from "../../data/format/collections.ts";
import { openDatabase } from "../database/database.ts";
import { quotePath } from "../database/sql.ts";
import { attachPacked, IN_MEMORY } from "../stages/terms.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { stagedSql } from "./staged-rows.ts";
import { rowTerms } from "./term-postings.ts";
import { makeTermPartitions } from "./term-run.ts";

const newFolder = temporaryFolders();
const PLACES = join(import.meta.dirname, "../../data/sample/monaco/place.parquet");

test("rows that are packed make the same partitions", async () => {
  const rows = `(SELECT *, addresses[1].country AS _country FROM read_parquet(${quotePath(PLACES)}))`;
  const sql = `${stagedSql(COLLECTIONS.place, rows)} ORDER BY _country, id`;
  const make = async (isPacked: boolean) => {
    const scratch = await newFolder();
    const database = await openDatabase({ folder: scratch, threads: 2 });
    database.register(rowTerms());
    const home = isPacked ? await attachPacked(database, scratch) : IN_MEMORY;
    const staged = `${home}.staged`;
    await database.run(`CREATE TABLE ${staged} AS ${sql}`);
    const options = { collection: COLLECTIONS.place, staged, home, target: 50, folder: await newFolder() };
    const made = await makeTermPartitions(database, options);
    database.close();
    return made;
  };
  const plain = await make(false);
  expect(plain.length).toBeGreaterThan(20);
  expect(await make(true)).toEqual(plain);
});
