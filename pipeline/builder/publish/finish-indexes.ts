/**
 * Finishes the indexes of all collections, whose lowest pages tasks have written.
 * @module
 */
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { writeJson } from "../../../data/format/json.ts";
import {
  type AnyRunName,
  type Manifest,
  type ManifestCollection,
  type ManifestRun,
  RUN_NAMES,
} from "../../../data/format/manifest.ts";
import { buildIndex, fitRoots, type Root, writePages } from "../index/index.ts";
import { type BuildPlan, partTasks, readFacts, type SurveyTask, type Task } from "../plan/index.ts";
import type { IndexedRun, IndexFacts, PartFacts, ScanFacts, SurveyFacts } from "../stages/index.ts";

/**
 * Writes the upper pages of all indexes into the folder. Returns the manifest's entry of each collection with rows.
 * Throws if tasks lost rows.
 */
export async function finishIndexes(plan: BuildPlan, folder: string): Promise<Manifest["collections"]> {
  const tasks = plan.stages.flatMap((stage) => stage.tasks);
  const made = new Map<CollectionName, MadeCollection>();
  for (const task of tasks) {
    if (task.stage !== "survey" && task.stage !== "survey_join") continue;
    const one = await makeCollection(plan, task, tasks);
    if (one) made.set(task.collection, one);
  }
  return writeIndexes(made, folder, plan.packBytes);
}

type Described = Omit<ManifestCollection, "runs">;

interface MadeCollection extends Described {
  readonly runs: ReadonlyMap<AnyRunName, IndexedRun>;
}

/** Combines the output of all tasks for a collection. Throws if rows were lost. */
async function makeCollection(
  plan: BuildPlan,
  { key, collection }: SurveyTask,
  tasks: readonly Task[],
): Promise<MadeCollection | undefined> {
  const { work } = plan;
  const { rows, countries, duplicates, dictionary } = await readFacts<SurveyFacts>(work, key);
  const parts = await Promise.all(
    partTasks(plan, collection).map((part) => readFacts<PartFacts & Partial<ScanFacts>>(work, part)),
  );
  const taken = parts.reduce((sum, part) => sum + part.rows, 0);
  if (taken - duplicates !== rows)
    throw new Error(`${collection}: ${rows} rows kept, expected ${taken} without ${duplicates} duplicates`);
  if (rows === 0) return undefined;
  const table = tasks.flatMap((task) =>
    task.stage === "derive" && task.collection === collection ? (task.table ?? []) : [],
  )[0];
  if (!dictionary) throw new Error(`${collection}: the survey made no dictionary`);
  const runs = new Map<AnyRunName, IndexedRun>();
  const boxes: BBox[] = [];
  const [segments, chunks]: [(readonly [string, number])[], (readonly [string, number])[]] = [[], []];
  for (const task of tasks) {
    if (task.stage !== "index" || task.collection !== collection) continue;
    const made = await readFacts<IndexFacts>(work, task.key);
    for (const box of made.boxes) boxes.push(box);
    for (const segment of made.segments) segments.push(segment);
    for (const chunk of made.chunks) chunks.push(chunk);
    for (const one of made.runs) runs.set(one.run, joinRuns(runs.get(one.run), one));
  }
  for (const run of RUN_NAMES) {
    const found = runs.get(run)?.rows ?? 0;
    if (found !== rows) throw new Error(`${collection}: partitions of ${run} hold ${found} rows, expected ${rows}`);
  }
  return {
    rows,
    bbox: bboxUnion(boxes),
    countries: Object.fromEntries(countries),
    segments: Object.fromEntries(segments),
    chunks: Object.fromEntries(chunks),
    dictionary,
    ...plan.collections[collection],
    ...(table ? { table } : {}),
    ignored_columns: [...new Set(parts.flatMap(({ ignored = [] }) => ignored))].sort(),
    runs,
  };
}

/** Countries are in order. */
function joinRuns(before: IndexedRun | undefined, { run, partitions, rows, bytes, lowest }: IndexedRun): IndexedRun {
  return {
    run,
    partitions: partitions + (before?.partitions ?? 0),
    rows: rows + (before?.rows ?? 0),
    bytes: bytes + (before?.bytes ?? 0),
    lowest: [...(before?.lowest ?? []), ...lowest],
  };
}

/** Writes the indexes of all collections, whose roots share the manifest. */
async function writeIndexes(
  made: ReadonlyMap<CollectionName, MadeCollection>,
  folder: string,
  packBytes: number,
): Promise<Manifest["collections"]> {
  const roots = new Map<CollectionName, Root[]>();
  for (const [name, { runs }] of made) {
    roots.set(
      name,
      Array.from(runs, ([run, { lowest }]) => ({ name: run, nodes: buildIndex(run, lowest) })),
    );
  }
  const described = Array.from(made.values(), ({ runs: _, ...collection }) => collection);
  fitRoots([...roots.values()].flat(), Buffer.byteLength(writeJson(described)));
  const collections: Manifest["collections"] = {};
  for (const [name, { runs, ...collection }] of made) {
    const mine = new Map((roots.get(name) ?? []).map((root) => [root.name, root.nodes]));
    const written = await writePages({ folder, collection: name, packBytes }, mine);
    const entries = Array.from(runs, ([run, { partitions, bytes }]): [AnyRunName, ManifestRun] => [
      run,
      { partitions, bytes, nodes: written.get(run) ?? [] },
    ]);
    collections[name] = { ...collection, runs: Object.fromEntries(entries) as ManifestCollection["runs"] };
  }
  return collections;
}
