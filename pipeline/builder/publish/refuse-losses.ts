/**
 * Stops a build that would silently lose data of the existing dataset, unless the loss is allowed.
 * @module
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Manifest } from "../../../data/format/manifest.ts";
import { REJECTS_PATH } from "../../../data/format/paths.ts";
import { type Database, quoteLiteral } from "../../base/database/index.ts";
import { hashFile } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { readManifest } from "../index/index.ts";
import { copyToParquet } from "../partitions/index.ts";
import { type BuildPlan, readFacts, type ScanTask, taskFolder } from "../plan/index.ts";
import { duplicatesPath, listSql, partOfFileSql, REJECTS_FILE, type ScanFacts } from "../stages/index.ts";

/** What may be lost from the sources or the existing dataset without an error. */
export interface AllowedLosses {
  /** Share of a collection's records that may be rejected, 0 to 1. */
  readonly mostRejects: number;
  /** Allows a collection of the existing dataset to become empty. */
  readonly allowEmpty: boolean;
  /** Collections that must not become empty. Default: all. */
  readonly types: readonly CollectionName[] | undefined;
}

interface Taken {
  readonly rows: number;
  readonly rejects: number;
}

/**
 * Throws if more records of a collection were rejected than allowed, or if a collection would become empty. A user's
 * table only needs one accepted row. Returns the number of accepted and of rejected rows. Duplicate ids are no loss,
 * because one of the rows stays.
 */
export async function refuseLosses(database: Database, plan: BuildPlan, allowed: AllowedLosses): Promise<Taken> {
  const taken = await readTaken(plan);
  for (const [collection, { rows, rejects }] of taken) {
    // people correct a table row by row; the build names its rejects
    if (plan.collections[collection] !== undefined && rows > 0) continue;
    if (rejects <= allowed.mostRejects * (rows + rejects)) continue;
    throw new CodedError(
      "CAIRN_E_REJECTS",
      `${collection}: ${rejects} of ${rows + rejects} records rejected, ${percent(rejects / (rows + rejects))}, and ` +
        `--most-rejects allows ${percent(allowed.mostRejects)}: ${await describeRejects(database, plan, collection)}`,
    );
  }
  // what is made of several types is not known yet
  const rowsOf = (name: CollectionName) => (name === "place_building" ? undefined : (taken.get(name)?.rows ?? 0));
  await refuseEmptied(plan.dataset, rowsOf, allowed);
  const sum = (member: keyof Taken): number => [...taken.values()].reduce((all, one) => all + one[member], 0);
  return { rows: sum("rows"), rejects: sum("rejects") };
}

/** Throws if a wanted collection of the existing dataset has no rows in the new manifest, unless that is allowed. */
export async function refuseEmptiedBy(
  { collections }: Manifest,
  { dataset }: BuildPlan,
  allowed: AllowedLosses,
): Promise<void> {
  await refuseEmptied(dataset, (name) => collections[name]?.rows ?? 0, allowed);
}

async function refuseEmptied(
  dataset: string,
  /** Undefined where it is not known yet. */
  rowsOf: (name: CollectionName) => number | undefined,
  { allowEmpty, types }: AllowedLosses,
): Promise<void> {
  if (allowEmpty) return;
  const before = await collectionsAt(dataset);
  const emptied = Object.keys(before).flatMap((name) => {
    const isWanted = types?.some((type) => type === name) ?? true;
    const had = before[name]?.rows ?? 0;
    return isWanted && had > 0 && rowsOf(name) === 0 ? [`${name} would have 0 rows, and has ${had} now`] : [];
  });
  if (emptied.length > 0)
    throw new CodedError(
      "CAIRN_E_EMPTY",
      `${dataset}: ${emptied.join("; ")}: is a source missing or empty? --allow-empty builds all the same`,
    );
}

/** Empty if there is no readable dataset: a build repairs it. */
async function collectionsAt(dataset: string): Promise<Manifest["collections"]> {
  try {
    return (await readManifest(dataset)).collections;
  } catch {
    return {};
  }
}

async function readTaken({ work, stages }: BuildPlan): Promise<Map<CollectionName, Taken>> {
  const scans = stages.flatMap(({ tasks }) => tasks.filter((task): task is ScanTask => task.stage === "scan"));
  const taken = new Map<CollectionName, Taken>();
  for (const { key, collection } of scans) {
    const { rows, rejects } = await readFacts<ScanFacts>(work, key);
    const before = taken.get(collection) ?? { rows: 0, rejects: 0 };
    taken.set(collection, { rows: before.rows + rows, rejects: before.rejects + rejects });
  }
  return taken;
}

const SHOWN_REASONS = 3;
/** Rows of Overture have ids. A table of a user may have the name of a type, such as `water.geojson`. */
const OWN_TABLE_HINT = "a table of your own, not in Overture's schema, is built with --name";

interface ReasonRow {
  readonly reason: string;
  readonly rows: number;
  readonly id: string | null;
  readonly source: string;
  readonly detail: string;
}

/** The most frequent reasons, each with its first record. */
async function describeRejects(database: Database, plan: BuildPlan, collection: CollectionName): Promise<string> {
  const first = (column: string): string => `first(${column} ORDER BY ordinal, _row) AS ${column}`;
  const reasons = await database.rows<ReasonRow>(`
    SELECT reason, count(*) AS rows, ${["id", "source", "detail"].map(first).join(", ")}
    FROM (${scannedRejectsSql(plan)}) WHERE collection = ${quoteLiteral(collection)}
    GROUP BY reason ORDER BY rows DESC, reason`);
  const shown = reasons.slice(0, SHOWN_REASONS).map(({ reason, rows, id, source, detail }) => {
    return `${rows} ${reason}, such as ${id ? `id ${id}` : "one without id"} of ${source} (${detail})`;
  });
  const left = reasons.length - shown.length;
  return [
    ...shown,
    ...(left > 0 ? [`further reasons: ${left}`] : []),
    ...(reasons[0]?.reason === "missing id" ? [OWN_TABLE_HINT] : []),
  ].join("; ");
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}

const TABLE = "all_rejects";

/**
 * Writes the rejected records to `rejects.parquet` in the folder, in the order of collections, sources and records.
 * Returns the entry `rejects` of the manifest.
 */
export async function writeRejects(database: Database, plan: BuildPlan, folder: string): Promise<Manifest["rejects"]> {
  const tasks = plan.stages.flatMap(({ tasks }) => tasks.filter(({ stage }) => stage === "duplicates"));
  const duplicates = listSql(tasks.map(({ key }) => duplicatesPath(plan.work, key)));
  await database.run(`
    CREATE OR REPLACE TABLE ${TABLE} AS
    ${scannedRejectsSql(plan)}
    UNION ALL
    SELECT collection, source, id, 'duplicate id' AS reason, detail, ordinal, _row
    FROM read_parquet(${duplicates}) JOIN ${sourcesSql(plan)} USING (part)`);
  const path = join(folder, REJECTS_PATH);
  const sql = `SELECT collection, source, id, reason, detail FROM ${TABLE} ORDER BY collection, ordinal, _row`;
  await database.each([sql], (connection) => copyToParquet(connection, sql, path, { level: "small" }));
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

/**
 * SQL of the rejected records: `collection source id reason detail`, and `ordinal _row` to sort by source and record.
 */
function scannedRejectsSql(plan: BuildPlan): string {
  const files = listSql(scansOf(plan).map(({ key }) => join(taskFolder(plan.work, key), REJECTS_FILE)));
  return `
    SELECT collection, source, id, reason, detail, ordinal, _row
    FROM (SELECT ${partOfFileSql("r")} AS part, id, reason, detail, _row FROM read_parquet(${files}, filename = true) r)
    JOIN ${sourcesSql(plan)} USING (part)`;
}

function sourcesSql(plan: BuildPlan): string {
  const sources = scansOf(plan).map(
    ({ key, collection, source }, index) =>
      `(${quoteLiteral(key)}, ${quoteLiteral(collection)}, ${quoteLiteral(source.name)}, ${index})`,
  );
  return `(VALUES ${sources.join(", ")}) sources(part, collection, source, ordinal)`;
}

function scansOf({ stages }: BuildPlan): ScanTask[] {
  return stages.flatMap(({ tasks }) => tasks.filter((task) => task.stage === "scan"));
}
