import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import { REJECTS_PATH } from "../../data/format/paths.ts";
import { type Database, quoteLiteral, quotePath } from "../database/index.ts";
import { hashFile } from "../disk/index.ts";
import { copyToParquet } from "../partitions/index.ts";
import { type BuildPlan, taskFolder } from "../plan/index.ts";
import { losersPath, partOfFileSql, REJECTS_FILE } from "../stages/index.ts";

const TABLE = "all_rejects";

/** In the order of collections, sources and records. */
export async function writeRejects(
  database: Database,
  { work, stages }: BuildPlan,
  folder: string,
): Promise<Manifest["rejects"]> {
  const tasks = stages.flatMap((stage) => stage.tasks);
  const scans = tasks.flatMap((task) => (task.stage === "scan" ? [task] : []));
  const sources = scans.map(
    ({ key, collection, source }, index) =>
      `(${quoteLiteral(key)}, ${quoteLiteral(collection)}, ${quoteLiteral(source.name)}, ${index})`,
  );
  const list = (paths: readonly string[]): string => `[${paths.map(quotePath).join(", ")}]`;
  const scanned = list(scans.map(({ key }) => join(taskFolder(work, key), REJECTS_FILE)));
  const losers = list(tasks.flatMap(({ stage, key }) => (stage === "survey" ? [losersPath(work, key)] : [])));
  await database.run(`
    CREATE OR REPLACE TABLE ${TABLE} AS
    SELECT collection, source, id, reason, detail, place, _row
    FROM (
      SELECT ${partOfFileSql("r")} AS part, id, reason, detail, _row FROM read_parquet(${scanned}, filename = true) r
      UNION ALL SELECT part, id, 'duplicate id', detail, _row FROM read_parquet(${losers})
    ) JOIN (VALUES ${sources.join(", ")}) sources(part, collection, source, place) USING (part)`);
  const path = join(folder, REJECTS_PATH);
  const sql = `SELECT collection, source, id, reason, detail FROM ${TABLE} ORDER BY collection, place, _row`;
  await database.each([sql], (connection) => copyToParquet(connection, sql, path));
  const reasons = await database.rows<{ reason: string; rows: number }>(
    `SELECT reason, count(*) AS rows FROM ${TABLE} GROUP BY 1 ORDER BY 1`,
  );
  return {
    rows: reasons.reduce((sum, { rows }) => sum + rows, 0),
    bytes: (await stat(path)).size,
    sha256: await hashFile(path),
    reasons: Object.fromEntries(reasons.map(({ reason, rows }) => [reason, rows])),
  };
}
