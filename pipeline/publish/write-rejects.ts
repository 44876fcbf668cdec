import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import { REJECTS_PATH } from "../../data/format/paths.ts";
import { type Database, quoteLiteral, quotePath } from "../database/index.ts";
import { hashFile } from "../disk/index.ts";
import { copyToParquet } from "../partitions/index.ts";
import { type BuildPlan, type ScanTask, taskFolder } from "../plan/index.ts";
import { losersPath, partOfFileSql, REJECTS_FILE } from "../stages/index.ts";

const TABLE = "all_rejects";

/** In the order of collections, sources and records. */
export async function writeRejects(database: Database, plan: BuildPlan, folder: string): Promise<Manifest["rejects"]> {
  const surveys = plan.stages.flatMap(({ tasks }) => tasks.filter(({ stage }) => stage === "survey"));
  const losers = listSql(surveys.map(({ key }) => losersPath(plan.work, key)));
  await database.run(`
    CREATE OR REPLACE TABLE ${TABLE} AS
    ${scannedRejectsSql(plan)}
    UNION ALL
    SELECT collection, source, id, 'duplicate id' AS reason, detail, place, _row
    FROM read_parquet(${losers}) JOIN ${sourcesSql(plan)} USING (part)`);
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

/** SQL of what the scans rejected: `collection source id reason detail`, and `place _row`, by which sources and their records stand in order. */
export function scannedRejectsSql(plan: BuildPlan): string {
  const files = listSql(scansOf(plan).map(({ key }) => join(taskFolder(plan.work, key), REJECTS_FILE)));
  return `
    SELECT collection, source, id, reason, detail, place, _row
    FROM (SELECT ${partOfFileSql("r")} AS part, id, reason, detail, _row FROM read_parquet(${files}, filename = true) r)
    JOIN ${sourcesSql(plan)} USING (part)`;
}

function sourcesSql(plan: BuildPlan): string {
  const sources = scansOf(plan).map(
    ({ key, collection, source }, index) =>
      `(${quoteLiteral(key)}, ${quoteLiteral(collection)}, ${quoteLiteral(source.name)}, ${index})`,
  );
  return `(VALUES ${sources.join(", ")}) sources(part, collection, source, place)`;
}

function scansOf({ stages }: BuildPlan): ScanTask[] {
  return stages.flatMap(({ tasks }) => tasks.filter((task) => task.stage === "scan"));
}

function listSql(paths: readonly string[]): string {
  return `[${paths.map(quotePath).join(", ")}]`;
}
