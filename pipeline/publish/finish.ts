import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { FOLD_VERSION } from "../../data/format/fold.ts";
import {
  type AnyRunName,
  FORMAT_VERSION,
  type IndexNode,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type ManifestCollection,
  type ManifestRun,
  type PartitionNode,
  parseManifest,
  type StretchNode,
} from "../../data/format/manifest.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import type { Database } from "../database/index.ts";
import { filesBelow } from "../disk/index.ts";
import {
  buildIndex,
  fitRoots,
  lowestLevel,
  type Root,
  writeJson,
  writeLowestPages,
  writePages,
  writeStac,
} from "../index/index.ts";
import {
  type BuildPlan,
  partTasks,
  publishedFiles,
  readFacts,
  type ScanTask,
  type SurveyTask,
  type Task,
} from "../plan/index.ts";
import { mergeAttribution, readAttributions, type SourceFile } from "../sources/index.ts";
import {
  type DeriveFacts,
  type LooseStretch,
  type PartFacts,
  type ReduceFacts,
  readNumbering,
  readStretches,
  type ScanFacts,
  type SurveyFacts,
  type TermsFacts,
} from "../stages/index.ts";
import { writeRejects } from "./refuse-losses.ts";

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
  const made = new Map<CollectionName, MadeCollection>();
  for (const task of tasks) {
    if (task.stage !== "survey" && task.stage !== "survey_join") continue;
    const mine = tasks.filter(({ collection }) => collection === task.collection);
    const one = await makeCollection(plan, { survey: task, tasks: mine, folder });
    if (one) made.set(task.collection, one);
  }
  const collections = await writeIndexes(made, folder, plan.packBytes);
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

type Described = Omit<ManifestCollection, "runs">;

/** A run of which the pages of partitions are written. */
interface MadeRun extends Pick<ManifestRun, "partitions" | "bytes"> {
  readonly lowest: readonly IndexNode[];
}

interface MadeCollection extends Described {
  readonly runs: ReadonlyMap<AnyRunName, MadeRun>;
}

interface CollectionToMake {
  readonly survey: SurveyTask;
  /** Of the collection. */
  readonly tasks: readonly Task[];
  readonly folder: string;
}

async function makeCollection(
  plan: BuildPlan,
  { survey, tasks, folder }: CollectionToMake,
): Promise<MadeCollection | undefined> {
  const { work, packBytes } = plan;
  const { collection } = survey;
  const { rows, countries, losers, dictionary } = await readFacts<SurveyFacts>(work, survey.key);
  const parts = await Promise.all(
    partTasks(plan, collection).map((key) => readFacts<PartFacts & Partial<ScanFacts>>(work, key)),
  );
  const taken = parts.reduce((sum, part) => sum + part.rows, 0);
  if (taken - losers !== rows)
    throw new Error(`${collection}: ${rows} rows kept, expected ${taken} without ${losers} duplicates`);
  if (rows === 0) return undefined;
  if (!dictionary) throw new Error(`${collection}: the survey made no dictionary`);
  const numbering = await readNumbering(plan, { survey: survey.key });
  const sums = new Map<AnyRunName, Pick<ManifestRun, "partitions" | "bytes">>();
  let bbox: BBox | undefined;
  async function* lowestLevels() {
    for (const run of new Set<AnyRunName>(["location", "records", ...tasks.flatMap((task) => runOf(task) ?? [])])) {
      const partitions =
        run === "records" ? await withStarts(readStretches(plan, numbering)) : await partitionsOf(work, tasks, run);
      if (run === "location") bbox = bboxUnion(partitions.map((partition) => partition.bbox));
      if (run === "location" || run === "records") checkRows(collection, rows, partitions);
      const bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0);
      sums.set(run, { partitions: partitions.length, bytes });
      yield [run, lowestLevel(run, partitions)] as const;
    }
  }
  const lowest = await writeLowestPages({ folder, collection, packBytes }, lowestLevels());
  if (!bbox) throw new Error(`${collection}: no slice of the primary copy`);
  return {
    rows,
    bbox,
    countries: Object.fromEntries(countries),
    stretches: Object.fromEntries(numbering.firstStretches),
    dictionary,
    ignored_columns: [...new Set(parts.flatMap(({ ignored = [] }) => ignored))].sort(),
    runs: new Map(Array.from(sums, ([run, sum]) => [run, { ...sum, lowest: lowest.get(run) ?? [] }])),
  };
}

/** In the order of countries, those over all countries too, which are made last. */
async function partitionsOf(work: string, tasks: readonly Task[], run: AnyRunName): Promise<PartitionNode[]> {
  const partitions: PartitionNode[] = [];
  for (const task of tasks) {
    if (runOf(task) !== run) continue;
    const made = await readFacts<ReduceFacts | TermsFacts | DeriveFacts>(work, task.key);
    for (const partition of made.partitions) partitions.push(partition);
  }
  return run === "term" ? partitions.sort(byCountry) : partitions;
}

function byCountry(a: PartitionNode, b: PartitionNode): number {
  return a.country < b.country ? -1 : a.country > b.country ? 1 : 0;
}

function runOf(task: Task): AnyRunName | undefined {
  if (task.stage === "terms") return "term";
  if (task.stage === "reduce") return "location";
  return task.stage === "derive" ? task.run : undefined;
}

async function withStarts(stretches: AsyncIterable<LooseStretch>): Promise<StretchNode[]> {
  const nodes: StretchNode[] = [];
  let [country, start] = ["", 0];
  for await (const loose of stretches) {
    if (loose.country !== country) [country, start] = [loose.country, 0];
    nodes.push({ ...loose, start, stretch: nodes.length });
    start += loose.rows;
  }
  return nodes;
}

function checkRows(collection: CollectionName, expected: number, partitions: readonly PartitionNode[]): void {
  const rows = partitions.reduce((sum, partition) => sum + partition.rows, 0);
  if (rows !== expected) throw new Error(`${collection}: partitions hold ${rows} rows, expected ${expected}`);
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

/** A hash of all paths, which hold hashes of the content. */
async function releaseOf({ work }: BuildPlan, tasks: readonly Task[], folder: string): Promise<string> {
  const paths = await filesBelow(folder);
  for (const { key } of tasks) for (const { path } of await publishedFiles(work, key)) paths.push(path);
  const hash = createHash("sha256");
  for (const path of paths.sort()) hash.update(`${path}\n`);
  return hash.digest("hex").slice(0, 12);
}
