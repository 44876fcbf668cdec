/**
 * Has the rows that a term run is made of at hand.
 * @module
 */
import type { Database } from "../database/database.ts";

const STAGED = "staged";
const PACKED = "packed";

/**
 * Makes a table of the query's rows, in their order, and returns its name. Packed ones take a fifth of the memory, so that a
 * table which is looked at again and again need not be fetched from disk each time; packing costs as much as a few looks.
 */
export async function stageRows(
  database: Database,
  { sql, isPacked }: { readonly sql: string; readonly isPacked: boolean },
): Promise<string> {
  if (!isPacked) {
    await database.run(`CREATE TABLE ${STAGED} AS ${sql}`);
    return STAGED;
  }
  await database.run(`ATTACH ':memory:' AS ${PACKED} (COMPRESS)`);
  const table = `${PACKED}.${STAGED}`;
  await database.run(`CREATE TABLE ${table} AS ${sql}`);
  await database.run(`FORCE CHECKPOINT ${PACKED}`);
  return table;
}
