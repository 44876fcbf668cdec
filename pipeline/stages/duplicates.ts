/** Of rows with the same id one is kept: the highest version, else the first by order of sources and rows. @module */
import { countRows, type Database, quoteLiteral } from "../database/index.ts";
import { type Parts, partFilesSql, partOfFileSql } from "./row-files.ts";

/** Writes the rows to leave out, as `part _row id detail`; returns how many they are. */
export async function writeLosers(database: Database, { work, parts }: Parts, path: string): Promise<number> {
  const files = partFilesSql({ work, parts });
  // hashes are smaller than ids, and most collections have no duplicates
  await database.run(`
    CREATE TABLE twins AS
    SELECT twin FROM (SELECT hash(id) AS twin FROM read_parquet(${files})) GROUP BY twin HAVING count(*) > 1`);
  const places = parts.map((key, index) => `(${quoteLiteral(key)}, ${index})`).join(", ");
  await database.run(`
    CREATE TABLE losers AS
    SELECT part, _row, id, 'version ' || version || ', kept is version ' || best AS detail
    FROM (
      SELECT part, _row, id, version, max(version) OVER same AS best, row_number() OVER same AS rank
      FROM (
        SELECT ${partOfFileSql("r")} AS part, _row, id, "version" AS version
        FROM read_parquet(${files}, filename = true) r WHERE hash(id) IN (FROM twins)
      ) JOIN (VALUES ${places}) parts(part, place) USING (part)
      WINDOW same AS (PARTITION BY id ORDER BY version DESC, place, _row)
    ) WHERE rank > 1`);
  await database.run(`COPY (FROM losers ORDER BY part, _row) TO ${quoteLiteral(path)} (FORMAT parquet)`);
  const rows = await countRows(database, "losers");
  await database.run("DROP TABLE twins");
  await database.run("DROP TABLE losers");
  return rows;
}
