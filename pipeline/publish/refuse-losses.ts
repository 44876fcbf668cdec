/** What a source that went wrong would take out of a dataset in silence: a build stops there unless it is told to go on. @module */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { COLLECTION_NAMES, type CollectionName, OVERTURE_TYPES } from "../../data/format/collections.ts";
import { type Manifest, parseManifest } from "../../data/format/manifest.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import { type BuildPlan, readFacts, type ScanTask } from "../plan/index.ts";
import type { ScanFacts } from "../stages/index.ts";
import { scannedRejectsSql } from "./write-rejects.ts";

export interface AllowedLosses {
  /** Share of a collection's records that may be rejected, 0 to 1. */
  readonly mostRejects: number;
  /** Whether a collection that the dataset has may have no rows. */
  readonly allowEmpty: boolean;
  /** Collections that are wanted at all; all when left out. */
  readonly types: readonly CollectionName[] | undefined;
}

interface Taken {
  readonly rows: number;
  readonly rejects: number;
}

/** Throws when the scanned sources lost more than is allowed. Ids that come twice are no loss: one of the rows stays. */
export async function refuseLosses(database: Database, plan: BuildPlan, allowed: AllowedLosses): Promise<void> {
  const taken = await readTaken(plan);
  for (const [collection, { rows, rejects }] of taken) {
    if (rejects <= allowed.mostRejects * (rows + rejects)) continue;
    throw new Error(
      `${collection}: ${rejects} of ${rows + rejects} records rejected, ${percent(rejects / (rows + rejects))}, and ` +
        `--most-rejects allows ${percent(allowed.mostRejects)}: ${await tellRejects(database, plan, collection)}`,
    );
  }
  // what is made of several types is not known yet
  await refuseEmptied(plan.dataset, new Map(OVERTURE_TYPES.map((name) => [name, taken.get(name)?.rows ?? 0])), allowed);
}

/** Throws when a collection that the dataset in place has would have no rows. */
export async function refuseEmptiedBy(
  { collections }: Manifest,
  { dataset }: BuildPlan,
  allowed: AllowedLosses,
): Promise<void> {
  await refuseEmptied(dataset, new Map(COLLECTION_NAMES.map((name) => [name, collections[name]?.rows ?? 0])), allowed);
}

async function refuseEmptied(
  dataset: string,
  rows: ReadonlyMap<CollectionName, number>,
  { allowEmpty, types }: AllowedLosses,
): Promise<void> {
  if (allowEmpty) return;
  const before = await collectionsAt(dataset);
  const emptied = COLLECTION_NAMES.flatMap((name) => {
    const isWanted = types?.includes(name) ?? true;
    const had = before[name]?.rows ?? 0;
    return isWanted && had > 0 && rows.get(name) === 0 ? [`${name} would have 0 rows, and has ${had} now`] : [];
  });
  if (emptied.length > 0)
    throw new Error(
      `${dataset}: ${emptied.join("; ")}: is a source missing or empty? --allow-empty builds all the same`,
    );
}

/** None where no dataset is, or one that cannot be read: a build mends it. */
async function collectionsAt(dataset: string): Promise<Manifest["collections"]> {
  try {
    return parseManifest(JSON.parse(await readFile(join(dataset, MANIFEST_PATH), "utf8"))).collections;
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

const TOLD_REASONS = 3;

interface ToldReason {
  readonly reason: string;
  readonly rows: number;
  readonly id: string | null;
  readonly source: string;
  readonly detail: string;
}

/** The commonest reasons, each with its first record. */
async function tellRejects(database: Database, plan: BuildPlan, collection: CollectionName): Promise<string> {
  const first = (column: string): string => `first(${column} ORDER BY place, _row) AS ${column}`;
  const reasons = await database.rows<ToldReason>(`
    SELECT reason, count(*) AS rows, ${["id", "source", "detail"].map(first).join(", ")}
    FROM (${scannedRejectsSql(plan)}) WHERE collection = ${quoteLiteral(collection)}
    GROUP BY reason ORDER BY rows DESC, reason`);
  const told = reasons.slice(0, TOLD_REASONS).map(({ reason, rows, id, source, detail }) => {
    return `${rows} ${reason}, such as ${id ? `id ${id}` : "one without id"} of ${source} (${detail})`;
  });
  const left = reasons.length - told.length;
  return [...told, ...(left > 0 ? [`further reasons: ${left}`] : [])].join("; ");
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}
