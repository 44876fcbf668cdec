import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COLLECTION_NAMES } from "../../data/format/collections.ts";
import { MAX_MANIFEST_BYTES, type Manifest, NO_COUNTRY, parseManifest } from "../../data/format/manifest.ts";
import { MANIFEST_PATH, REJECTS_PATH } from "../../data/format/paths.ts";
import { type Database, defaultMemory, duckdbBytes, openDatabase } from "../database/index.ts";
import { filesBelow } from "../disk/index.ts";
import { geometryFigures } from "../rows/index.ts";
import { verifyCollection } from "./collection.ts";
import { verifyKept } from "./kept-releases.ts";
import { emptyKept, suggestionOf } from "./kept-rows.ts";
import { type CheckLine, checksOf, createLedger, type Ledger, messageOf } from "./ledger.ts";
import { verifyRejects } from "./rejects.ts";
import { geometryDigest, jsonDigest, middleOf, rowFacts } from "./row-facts.ts";
import { verifyStac } from "./stac.ts";
import { checkSuggest } from "./table-checks.ts";
import { endTermFunction } from "./told-terms.ts";

export interface VerifyOptions {
  /** A quarter of this machine's when left out. */
  readonly memoryBytes?: number | undefined;
  /** Folder for what does not fit in memory; the system's when left out. */
  readonly temp?: string | undefined;
  /** Rows of a collection looked at together, about. What is found does not depend on it. */
  readonly batchRows?: number | undefined;
  /** Rows from which on a beginning of names is a term; that of the specification when left out. */
  readonly prefixRows?: number | undefined;
}

/** Checks every file, slice, row and figure of the index; returns a line for each check, with its faults. */
export async function verifyDataset(
  dataset: string,
  { memoryBytes = defaultMemory(), temp = tmpdir(), ...amounts }: VerifyOptions = {},
): Promise<CheckLine[]> {
  const ledger = createLedger();
  const manifest = await readManifest(dataset, ledger);
  if (!manifest) return ledger.lines();
  await mkdir(temp, { recursive: true });
  const folder = await mkdtemp(join(temp, "cairn-verify-"));
  try {
    const database = await openDatabase({ folder, memoryBytes: duckdbBytes(memoryBytes) });
    try {
      await verifyContent(database, dataset, manifest, { ...amounts, ledger });
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
  const { size } = await stat(path);
  say("index", size <= MAX_MANIFEST_BYTES, () => `${size} bytes, readers take at most ${MAX_MANIFEST_BYTES}`);
  try {
    const manifest = parseManifest(JSON.parse(text));
    say("index", true, () => "");
    return manifest;
  } catch (error) {
    say("index", false, () => messageOf(error));
    return undefined;
  }
}

async function verifyContent(
  database: Database,
  dataset: string,
  manifest: Manifest,
  { ledger, ...amounts }: Pick<VerifyOptions, "batchRows" | "prefixRows"> & { readonly ledger: Ledger },
): Promise<void> {
  database.register(geometryFigures(() => NO_COUNTRY));
  for (const make of [rowFacts, geometryDigest, jsonDigest, middleOf, suggestionOf, endTermFunction])
    database.register(make());
  await emptyKept(database);
  const named = new Set([MANIFEST_PATH, REJECTS_PATH]);
  await verifyRejects(database, dataset, manifest.rejects, ledger);
  const whole = new Set<string>();
  for (const name of COLLECTION_NAMES) {
    const collection = manifest.collections[name];
    if (!collection) continue;
    const { paths, isWhole } = await verifyCollection({ database, dataset, name, ...amounts }, collection, ledger);
    for (const path of paths) named.add(path);
    if (isWhole) whole.add(name);
  }
  const areas = manifest.collections.division_area;
  if (whole.has("division") && (!areas || whole.has("division_area"))) await checkSuggest(database, ledger);
  for (const path of await verifyStac(dataset, manifest, ledger)) named.add(path);
  for (const path of await verifyKept(dataset, manifest, ledger)) named.add(path);
  for (const path of await filesBelow(dataset)) {
    ledger.expect("dataset", "files", named.has(path), () => `${path}: no index names it`);
  }
}
