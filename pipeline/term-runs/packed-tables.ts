/**
 * A place for tables that are looked at again and again, and are too large to be held in memory as they are.
 * @module
 */
import { join } from "node:path";
import { type Database, quoteLiteral } from "../database/index.ts";

/** The database that tables stand in when nothing is said. */
export const IN_MEMORY = "memory";

const PACKED = "packed";

/**
 * Makes a database in a file below the folder, and returns its name. Tables in it take a fifth of what they take in memory;
 * what is read of them can be let go without being written again. Packing costs as much as a few looks at all rows.
 */
export async function attachPacked(database: Database, folder: string): Promise<string> {
  await database.run(
    `ATTACH ${quoteLiteral(join(folder, `${PACKED}.duckdb`))} AS ${PACKED} (STORAGE_VERSION 'latest')`,
  );
  return PACKED;
}
