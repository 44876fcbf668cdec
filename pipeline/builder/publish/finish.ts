import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FOLD_VERSION } from "../../../data/format/fold.ts";
import { type Attribution, FORMAT_VERSION, MAX_MANIFEST_BYTES, type Manifest } from "../../../data/format/manifest.ts";
import { readManifestFile, writeManifestFile } from "../../../data/format/manifest-file.ts";
import { MANIFEST_PATH, packPath } from "../../../data/format/paths.ts";
import type { Database } from "../../base/database/index.ts";
import { exists, filesBelow, makeFolder } from "../../base/disk/index.ts";
import { mergeAttribution } from "../../overture/extract/index.ts";
import { pageReader, type ReadPage, writeStac } from "../index/index.ts";
import { type BuildPlan, publishedFiles, readFacts, type ScanTask, type Task, taskFolder } from "../plan/index.ts";
import { readAttributions, type SourceFile } from "../sources/index.ts";
import type { ScanFacts } from "../stages/index.ts";
import { finishIndexes } from "./finish-indexes.ts";
import { inlineSlices, mayBeInline, type ReadBytes } from "./inline-slices.ts";
import { writeRejects } from "./refuse-losses.ts";

interface FinishOptions {
  readonly plan: BuildPlan;
  readonly files: readonly SourceFile[];
  /** Name of the release. Default: a hash of the content. */
  readonly release: string | undefined;
  readonly folder: string;
  /** Credits of tables whose format states them. */
  readonly attribution?: readonly Attribution[];
}

/**
 * Empties the folder, and writes the files of a dataset that tasks do not write: manifest, upper index pages, catalogue
 * and rejects. Returns the manifest. Throws if tasks lost rows, or if the manifest is too large.
 */
export async function finish(
  database: Database,
  { plan, files, release, folder, attribution = [] }: FinishOptions,
): Promise<Manifest> {
  await rm(folder, { recursive: true, force: true });
  await makeFolder(folder);
  const tasks = plan.stages.flatMap((stage) => stage.tasks);
  const scans = tasks.filter((task): task is ScanTask => task.stage === "scan");
  const indexed = await finishIndexes(plan, folder);
  const collections = Object.values(indexed).some(mayBeInline)
    ? await inlineSlices(indexed, await bytesOf(plan, tasks, folder))
    : indexed;
  const citations = (await Promise.all(scans.map(({ key }) => readFacts<ScanFacts>(plan.work, key)))).flatMap(
    (facts) => facts.citations,
  );
  const bytes = await writeManifestFile({
    format: "cairn",
    format_version: FORMAT_VERSION,
    release: release ?? (await releaseOf(plan, tasks, folder)),
    fold_version: FOLD_VERSION,
    attribution: mergeAttribution([...(await readAttributions(files)), ...attribution], citations),
    rejects: await writeRejects(database, plan, folder),
    collections,
  });
  if (bytes.byteLength > MAX_MANIFEST_BYTES) {
    throw new Error(
      `the manifest has ${bytes.byteLength} bytes, expected at most ${MAX_MANIFEST_BYTES}: too many sources to credit`,
    );
  }
  const manifest = await readManifestFile(bytes);
  await writeFile(join(folder, MANIFEST_PATH), bytes);
  await writeStac(folder, manifest, await pagesOf(plan, tasks, folder));
  return manifest;
}

/**
 * Returns a function that reads index pages. It reads a page from the output of the task that wrote it, from `folder`
 * for upper pages, or from the dataset if the page was already published.
 */
export async function pagesOf(plan: BuildPlan, tasks: readonly Task[], folder: string): Promise<ReadPage> {
  const indexing = tasks.filter(({ stage }) => stage === "index");
  const folderOf = await locate(plan, indexing, folder);
  return async (collection, page) => {
    const path = packPath(collection, "pages", page.pack);
    return pageReader(await folderOf(path))(collection, page);
  };
}

/** Reads slices of any kind. */
async function bytesOf(plan: BuildPlan, tasks: readonly Task[], folder: string): Promise<ReadBytes> {
  const folderOf = await locate(plan, tasks, folder);
  return async (path, { offset, bytes }) => {
    const file = await readFile(join(await folderOf(path), path));
    return file.subarray(offset, offset + bytes);
  };
}

/** Returns a function that finds the folder with a file: of a task, of the upper index, or the dataset. */
async function locate(
  { work, dataset }: BuildPlan,
  tasks: readonly Task[],
  folder: string,
): Promise<(path: string) => Promise<string>> {
  const madeIn = new Map<string, string>();
  for (const { key } of tasks) {
    for (const { path } of await publishedFiles(work, key)) madeIn.set(path, taskFolder(work, key));
  }
  return async (path) => {
    const made = madeIn.get(path) ?? folder;
    return (await exists(join(made, path))) ? made : dataset;
  };
}

/** A hash of all paths, which contain hashes of the content. */
async function releaseOf({ work }: BuildPlan, tasks: readonly Task[], folder: string): Promise<string> {
  const paths = await filesBelow(folder);
  for (const { key } of tasks) for (const { path } of await publishedFiles(work, key)) paths.push(path);
  const hash = createHash("sha256");
  for (const path of paths.sort()) hash.update(`${path}\n`);
  return hash.digest("hex").slice(0, 12);
}
