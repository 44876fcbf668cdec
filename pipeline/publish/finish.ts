import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { FOLD_VERSION } from "../../data/format/fold.ts";
import {
  type AnyRunName,
  FORMAT_VERSION,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type ManifestCollection,
  type ManifestRun,
  type PartitionNode,
  parseManifest,
} from "../../data/format/manifest.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import type { Database } from "../database/index.ts";
import { filesBelow } from "../disk/index.ts";
import { fitRoots, writeIndex, writeJson, writeStac } from "../index/index.ts";
import { type BuildPlan, readFacts, readRecord, type ScanTask, type SurveyTask, type Task } from "../plan/index.ts";
import { mergeAttribution, readAttributions, type SourceFile } from "../sources/index.ts";
import type { DeriveFacts, PartFacts, ReduceFacts, ScanFacts, SurveyFacts, TermsFacts } from "../stages/index.ts";
import { writeRejects } from "./write-rejects.ts";

export interface FinishOptions {
  readonly plan: BuildPlan;
  readonly files: readonly SourceFile[];
  /** Made from the content when left out. */
  readonly release: string | undefined;
  readonly folder: string;
}

/** Writes manifest, index pages, catalogue and rejects from what all tasks found. Throws when rows were lost. */
export async function finish(database: Database, { plan, files, release, folder }: FinishOptions): Promise<Manifest> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const tasks = plan.stages.flatMap((stage) => stage.tasks);
  const scans = tasks.filter((task): task is ScanTask => task.stage === "scan");
  const collections: Manifest["collections"] = {};
  for (const task of tasks) {
    if (task.stage !== "survey" && task.stage !== "survey_join") continue;
    const mine = tasks.filter(({ collection }) => collection === task.collection);
    const made = await makeCollection(plan, task, mine, folder);
    if (made) collections[task.collection] = made;
  }
  await fitRoots(folder, collections);
  const citations = (await Promise.all(scans.map(({ key }) => readFacts<ScanFacts>(plan.work, key)))).flatMap(
    (facts) => facts.citations,
  );
  const manifest: Manifest = {
    format: "cairn",
    format_version: FORMAT_VERSION,
    release: release ?? (await releaseOf(plan, tasks, folder)),
    fold_version: FOLD_VERSION,
    attribution: mergeAttribution(await readAttributions(files), citations),
    rejects: await writeRejects(database, plan, folder),
    collections,
  };
  const text = `${writeJson(parseManifest(manifest))}\n`;
  if (Buffer.byteLength(text) > MAX_MANIFEST_BYTES) {
    throw new Error(
      `the manifest has ${Buffer.byteLength(text)} bytes, expected at most ${MAX_MANIFEST_BYTES}: too many sources to credit`,
    );
  }
  await writeFile(join(folder, MANIFEST_PATH), text);
  // made from the pages in this folder
  await writeStac(folder, manifest);
  return manifest;
}

async function makeCollection(
  { work }: BuildPlan,
  survey: SurveyTask,
  tasks: readonly Task[],
  folder: string,
): Promise<ManifestCollection | undefined> {
  const { collection } = survey;
  const { rows, countries, losers } = await readFacts<SurveyFacts>(work, survey.key);
  const parts = await Promise.all(survey.parts.map((key) => readFacts<PartFacts & Partial<ScanFacts>>(work, key)));
  const taken = parts.reduce((sum, part) => sum + part.rows, 0);
  if (taken - losers !== rows)
    throw new Error(`${collection}: ${rows} rows kept, expected ${taken} without ${losers} duplicates`);
  if (rows === 0) return undefined;
  const made = new Map<AnyRunName, PartitionNode[]>();
  for (const task of tasks) {
    const run = runOf(task);
    if (run === undefined) continue;
    const { partitions } = await readFacts<ReduceFacts | TermsFacts | DeriveFacts>(work, task.key);
    made.set(run, [...(made.get(run) ?? []), ...partitions]);
  }
  const [location, id] = [made.get("location") ?? [], withStarts(made.get("id") ?? [])];
  for (const partitions of [location, id]) checkRows(collection, rows, partitions);
  made.set("id", id);
  const runs: [AnyRunName, ManifestRun][] = [];
  for (const [run, partitions] of made) {
    if (partitions.length > 0) runs.push([run, await writeIndex(folder, { collection, run, partitions })]);
  }
  return {
    rows,
    bbox: bboxUnion(location.map(({ bbox }) => bbox)),
    countries: Object.fromEntries(countries),
    ignored_columns: [...new Set(parts.flatMap(({ ignored = [] }) => ignored))].sort(),
    runs: Object.fromEntries(runs) as ManifestCollection["runs"],
  };
}

function runOf(task: Task): AnyRunName | undefined {
  if (task.stage === "terms") return "term";
  return task.stage === "reduce" || task.stage === "derive" ? task.run : undefined;
}

function withStarts(partitions: readonly PartitionNode[]): PartitionNode[] {
  let [country, start] = ["", 0];
  return partitions.map((partition) => {
    if (partition.country !== country) [country, start] = [partition.country, 0];
    const node = { ...partition, start };
    start += partition.rows;
    return node;
  });
}

function checkRows(collection: CollectionName, expected: number, partitions: readonly PartitionNode[]): void {
  const rows = partitions.reduce((sum, partition) => sum + partition.rows, 0);
  if (rows !== expected) throw new Error(`${collection}: partitions hold ${rows} rows, expected ${expected}`);
}

/** A hash of all paths, which hold hashes of the content. */
async function releaseOf({ work }: BuildPlan, tasks: readonly Task[], folder: string): Promise<string> {
  const paths = await filesBelow(folder);
  for (const task of tasks) paths.push(...(await publishedFiles(work, task)));
  const hash = createHash("sha256");
  for (const path of paths.sort()) hash.update(`${path}\n`);
  return hash.digest("hex").slice(0, 12);
}

export async function publishedFiles(work: string, { key, stage }: Task): Promise<string[]> {
  if (stage !== "reduce" && stage !== "terms" && stage !== "derive") return [];
  return ((await readRecord(work, key))?.files ?? []).map(({ path }) => path);
}
