import { COLLECTIONS, type CollectionName } from "../../data/format/collections.ts";
import { type ManifestCollection, type ManifestRun, RUN_NAMES, type RunName } from "../../data/format/manifest.ts";
import type { Database } from "../database/index.ts";
import { WORLDWIDE } from "../term-runs/index.ts";
import { batchCountries } from "./batches.ts";
import { checkIds, checkOrderAcross, checkRuns, checkStarts, checkTotals, keepIds } from "./collection-checks.ts";
import { checkFileMetadata } from "./file-metadata.ts";
import type { Ledger } from "./ledger.ts";
import { readNamed } from "./named-file.ts";
import { checkPartition, type PartitionRows, summarisePartitions, verifyShapes } from "./partition-checks.ts";
import { type ReadIndex, readIndex } from "./read-index.ts";
import { loadRows, type SoundPartition } from "./row-table.ts";
import { verifyTerms } from "./term-completeness.ts";
import { checkTermOrder, loadTerms, type TermRows } from "./term-run.ts";

type IndexedRun = RunName | "term";

export interface VerifiedCollection {
  readonly database: Database;
  readonly dataset: string;
  readonly name: CollectionName;
  /** Rows looked at together, about. */
  readonly batchRows?: number | undefined;
}

interface Verified extends VerifiedCollection {
  readonly ledger: Ledger;
}

/** By the number of the file. */
interface Summaries {
  readonly rows: Map<number, PartitionRows>;
  readonly terms: Map<number, TermRows>;
  readonly shapes: string[];
}

/** Returns the paths of all files that the collection's index names. */
export async function verifyCollection(
  collection: VerifiedCollection,
  manifest: ManifestCollection,
  ledger: Ledger,
): Promise<string[]> {
  const { database, dataset, name } = collection;
  const sound: SoundPartition[] = [];
  const indexes = new Map<IndexedRun, ReadIndex>();
  const read = async (run: IndexedRun, inManifest: ManifestRun): Promise<void> => {
    const index = await readIndex(dataset, name, run, inManifest, ledger);
    for (const partition of index.partitions) {
      const content = await readNamed(dataset, { scope: name, ...partition.node, path: partition.path }, ledger);
      if (content) sound.push({ ...partition, run, file: sound.length });
    }
    indexes.set(run, index);
  };
  for (const run of RUN_NAMES) await read(run, manifest.runs[run]);
  if (manifest.runs.term) await read("term", manifest.runs.term);

  const summaries: Summaries = { rows: new Map(), terms: new Map(), shapes: [] };
  await keepIds(database);
  // names over all countries belong to no country's partitions
  const batchRows = WORLDWIDE.has(name) ? Number.POSITIVE_INFINITY : collection.batchRows;
  for (const batch of batchCountries(indexes, batchRows)) {
    const mine = sound.filter(({ node }) => batch.has(node.country));
    await verifyBatch({ ...collection, ledger }, { indexes, batch, sound: mine }, summaries);
  }
  for (const run of RUN_NAMES) {
    const { partitions } = indexes.get(run) ?? { partitions: [] };
    const mine = sound.filter((partition) => partition.run === run);
    const pairs = mine.flatMap((partition) => {
      const rows = summaries.rows.get(partition.file);
      return rows ? [[partition, rows] as const] : [];
    });
    checkOrderAcross(name, run, pairs, ledger);
    const counted = new Map(pairs.map(([{ path }, { rows }]) => [path, rows]));
    checkTotals(name, manifest, run, partitions, ({ path, node }) => counted.get(path) ?? node.rows, ledger);
    if (run === "id") checkStarts(name, partitions, ledger);
  }
  await checkIds(database, name, ledger);
  const ofTerms = sound.filter(({ run }) => run === "term");
  checkTermOrder(name, ofTerms, summaries.terms, ledger);
  const named = [...indexes.values()].flatMap(({ pages, partitions }) => [
    ...pages,
    ...partitions.map(({ path }) => path),
  ]);
  return [...named, ...summaries.shapes];
}

interface Batch {
  readonly indexes: ReadonlyMap<IndexedRun, ReadIndex>;
  readonly batch: ReadonlySet<string>;
  readonly sound: readonly SoundPartition[];
}

async function verifyBatch(
  { database, dataset, name, ledger }: Verified,
  { indexes, batch, sound }: Batch,
  summaries: Summaries,
): Promise<void> {
  const collection = COLLECTIONS[name];
  const whole = sound.filter(({ run }) => run !== "term");
  const loaded = await loadRows(database, dataset, collection, whole, ledger);
  for (const run of RUN_NAMES) {
    const mine = loaded.filter((partition) => partition.run === run);
    const rows = await summarisePartitions(database, run, mine);
    for (const partition of mine) await checkPartition(database, name, partition, rows.get(partition.file), ledger);
    for (const [file, summary] of rows) summaries.rows.set(file, summary);
    const expected = { collection: name, schemas: [collection.columns], rows };
    await checkFileMetadata(database, dataset, expected, mine, ledger);
  }
  summaries.shapes.push(...(await verifyShapes(database, dataset, name, loaded, ledger)));
  // without a missing partition, which is a fault already, the runs cannot be compared
  const isWhole = (runs: readonly IndexedRun[], found: readonly SoundPartition[]): boolean =>
    runs.every((run) => {
      const index = indexes.get(run);
      const wanted = index?.partitions.filter(({ node }) => batch.has(node.country)).length;
      return index?.isWhole === true && wanted === found.filter((partition) => partition.run === run).length;
    });
  if (!isWhole(RUN_NAMES, loaded)) return;
  await checkRuns(database, name, loaded, ledger);
  const ofTerms = sound.filter(({ run }) => run === "term");
  if (!indexes.get("term")?.isWhole) return;
  const terms = await loadTerms(database, dataset, collection, ofTerms, ledger);
  if (!terms) return;
  for (const [file, summary] of terms) summaries.terms.set(file, summary);
  if (!isWhole(["term"], ofTerms)) return;
  const rows = loaded.filter(({ run }) => run === "id");
  await verifyTerms(database, { dataset, collection, rows }, ledger);
}
