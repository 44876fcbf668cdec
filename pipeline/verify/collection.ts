/**
 * Verifies one collection.
 * @module
 */
import { COLLECTIONS, type CollectionName } from "../../data/format/collections.ts";
import {
  type AnyRunName,
  type ManifestCollection,
  type ManifestRun,
  RUN_NAMES,
  type RunName,
} from "../../data/format/manifest.ts";
import type { Database } from "../database.ts";
import { checkOrderAcross, checkRows, checkStarts, checkTotals } from "./collection-checks.ts";
import { checkFileMetadata } from "./file-metadata.ts";
import type { Ledger } from "./ledger.ts";
import { readNamed } from "./named-file.ts";
import { checkPartition, summarisePartitions } from "./partition-checks.ts";
import { type ReadIndex, readIndex } from "./read-index.ts";
import { loadRows, type SoundPartition } from "./row-table.ts";
import { verifyShapes } from "./shapes.ts";
import { verifyTerms } from "./term-completeness.ts";
import { verifyTermRun } from "./term-run.ts";

/** Checks a collection; returns the paths of all files that its index names. */
export async function verifyCollection(
  database: Database,
  dataset: string,
  name: CollectionName,
  manifest: ManifestCollection,
  ledger: Ledger,
): Promise<string[]> {
  const sound: SoundPartition[] = [];
  const indexes = new Map<RunName, ReadIndex>();
  const read = async (run: AnyRunName, inManifest: ManifestRun): Promise<ReadIndex> => {
    const index = await readIndex(dataset, name, run, inManifest, ledger);
    for (const partition of index.partitions) {
      const content = await readNamed(dataset, { scope: name, ...partition.node, path: partition.path }, ledger);
      if (content) sound.push({ ...partition, run, file: sound.length });
    }
    return index;
  };
  for (const run of RUN_NAMES) indexes.set(run, await read(run, manifest.runs[run]));
  const terms = manifest.runs.term && (await read("term", manifest.runs.term));
  const whole = sound.filter(({ run }) => run !== "term");
  const loaded = await loadRows(database, dataset, COLLECTIONS[name], whole, ledger);
  for (const [run, index] of indexes) {
    const mine = loaded.filter((partition) => partition.run === run);
    const counted = await verifyRun(database, dataset, name, run, mine, ledger);
    checkTotals(name, manifest, run, index.partitions, ({ path, node }) => counted.get(path) ?? node.rows, ledger);
    if (run === "id") checkStarts(name, index.partitions, ledger);
  }
  const shapes = await verifyShapes(database, dataset, name, loaded, ledger);
  // A partition that is not there is a fault already; without it the runs cannot be compared.
  const all = [...indexes.values()];
  const isWhole = all.every((index) => index.isWhole) && loaded.length === all.flatMap((i) => i.partitions).length;
  if (isWhole) {
    await checkRows(database, name, loaded, ledger);
    const mine = sound.filter(({ run }) => run === "term");
    if (terms?.isWhole) await verifyTermRun(database, dataset, COLLECTIONS[name], mine, ledger);
    if (terms?.isWhole && terms.partitions.length === mine.length) {
      const rows = loaded.filter(({ run }) => run === "id");
      await verifyTerms(database, { dataset, collection: COLLECTIONS[name], rows, terms: mine }, ledger);
    }
  }
  const named = [...all, ...(terms ? [terms] : [])].flatMap(({ pages, partitions }) => [
    ...pages,
    ...partitions.map(({ path }) => path),
  ]);
  return [...named, ...shapes];
}

/** Checks the partitions of a run; returns their true numbers of rows. */
async function verifyRun(
  database: Database,
  dataset: string,
  name: CollectionName,
  run: RunName,
  partitions: readonly SoundPartition[],
  ledger: Ledger,
): Promise<Map<string, number>> {
  const summaries = await summarisePartitions(database, run, partitions);
  for (const partition of partitions) {
    await checkPartition(database, name, partition, summaries.get(partition.file), ledger);
  }
  const pairs = partitions.flatMap((partition) => {
    const rows = summaries.get(partition.file);
    return rows ? [[partition, rows] as const] : [];
  });
  checkOrderAcross(name, run, pairs, ledger);
  const expected = { collection: name, schemas: [COLLECTIONS[name].columns], rows: summaries };
  await checkFileMetadata(database, dataset, expected, partitions, ledger);
  return new Map(partitions.map(({ path, file }) => [path, summaries.get(file)?.rows ?? 0]));
}
