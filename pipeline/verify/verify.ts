import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCollectionName } from "../../data/format/collections.ts";
import { type Manifest, NO_COUNTRY, parseManifest } from "../../data/format/manifest.ts";
import { MANIFEST_PATH, REJECTS_PATH } from "../../data/format/paths.ts";
import { type Database, defaultMemory, duckdbBytes, openDatabase, quotePath } from "../database/index.ts";
import { filesBelow } from "../disk/index.ts";
import { pageReader, stacFiles } from "../index/index.ts";
import { twkbFunction } from "../partitions/index.ts";
import { geometryFigures } from "../rows/index.ts";
import { rowTerms } from "../term-runs/index.ts";
import { verifyCollection } from "./collection.ts";
import { verifyDerivedRuns } from "./derived-runs.ts";
import { type CheckLine, checksOf, createLedger, type Ledger, messageOf } from "./ledger.ts";
import { readNamed } from "./named-file.ts";

export interface VerifyOptions {
  /** A quarter of this machine's when left out. */
  readonly memoryBytes?: number | undefined;
  /** Folder for what does not fit in memory; the system's when left out. */
  readonly temp?: string | undefined;
  /** Rows of a collection looked at together, about. What is found does not depend on it. */
  readonly batchRows?: number | undefined;
}

/** Checks every file, row and figure of the index; returns a line for each check, with its faults. */
export async function verifyDataset(
  dataset: string,
  { memoryBytes = defaultMemory(), temp = tmpdir(), batchRows }: VerifyOptions = {},
): Promise<CheckLine[]> {
  const ledger = createLedger();
  const manifest = await readManifest(dataset, ledger);
  if (!manifest) return ledger.lines();
  await mkdir(temp, { recursive: true });
  const folder = await mkdtemp(join(temp, "cairn-verify-"));
  try {
    const database = await openDatabase({ folder, memoryBytes: duckdbBytes(memoryBytes) });
    try {
      database.register(geometryFigures(() => NO_COUNTRY));
      database.register(rowTerms());
      database.register(twkbFunction());
      const named = new Set([MANIFEST_PATH, REJECTS_PATH]);
      await verifyRejects(database, dataset, manifest.rejects, ledger);
      for (const [name, collection] of Object.entries(manifest.collections)) {
        if (!isCollectionName(name)) continue;
        const paths = await verifyCollection({ database, dataset, name, batchRows }, collection, ledger);
        for (const path of paths) named.add(path);
      }
      const runs = { dataset, collections: manifest.collections, files: new Set(named) };
      for (const path of await verifyDerivedRuns(database, runs, ledger)) named.add(path);
      for (const path of await verifyStac(dataset, manifest, ledger)) named.add(path);
      for (const path of await filesBelow(dataset)) {
        ledger.expect("dataset", "files", named.has(path), () => `${path}: no index names it`);
      }
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return ledger.lines();
}

async function readManifest(dataset: string, ledger: Ledger): Promise<Manifest | undefined> {
  const path = join(dataset, MANIFEST_PATH);
  const text = await readFile(path, "utf8").catch((cause) => {
    throw new Error(`${dataset} is not a dataset: it has no ${MANIFEST_PATH}`, { cause });
  });
  const { say } = checksOf(ledger, "dataset", MANIFEST_PATH);
  try {
    const manifest = parseManifest(JSON.parse(text));
    say("index", true, () => "");
    return manifest;
  } catch (error) {
    say("index", false, () => messageOf(error));
    return undefined;
  }
}

/** Returns the catalogue's paths. Other checks tell of an index that cannot be read. */
export async function verifyStac(dataset: string, manifest: Manifest, ledger: Ledger): Promise<string[]> {
  const readPage = pageReader(dataset);
  const paths: string[] = [];
  try {
    for await (const { path, text } of stacFiles(manifest, (page) => readPage(page).catch(() => []))) {
      const found = await readFile(join(dataset, path), "utf8").catch(() => undefined);
      const fault = found === undefined ? "missing" : "not what the index says";
      ledger.expect("dataset", "index", found === text, () => `${path}: ${fault}`);
      paths.push(path);
    }
  } catch (error) {
    ledger.expect("dataset", "index", false, () => `the catalogue cannot be compared: ${messageOf(error)}`);
  }
  return paths;
}

const COLUMNS = ["collection", "source", "id", "reason", "detail"];

export async function verifyRejects(
  database: Database,
  dataset: string,
  rejects: Manifest["rejects"],
  ledger: Ledger,
): Promise<void> {
  const { say, same } = checksOf(ledger, "dataset", REJECTS_PATH);
  const content = await readNamed(dataset, { scope: "dataset", path: REJECTS_PATH, ...rejects }, ledger);
  if (!content) return;
  const file = quotePath(join(dataset, REJECTS_PATH));
  try {
    const columns = await database.columns(`SELECT * FROM read_parquet(${file})`);
    const names = columns.map(({ name }) => name);
    if (!same("columns", "columns", COLUMNS, names)) return;
    const reasons = await database.rows<{ reason: string; rows: number }>(
      `SELECT reason, count(*) AS rows FROM read_parquet(${file}) GROUP BY 1 ORDER BY 1`,
    );
    const total = reasons.reduce((sum, { rows }) => sum + rows, 0);
    same("counts", "rows", rejects.rows, total);
    same("counts", "reasons", rejects.reasons, Object.fromEntries(reasons.map(({ reason, rows }) => [reason, rows])));
  } catch (error) {
    say("columns", false, () => `cannot be read: ${String(error).split("\n")[0]}`);
  }
}
