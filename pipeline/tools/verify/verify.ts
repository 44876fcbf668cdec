import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_MANIFEST_BYTES, type Manifest, NO_COUNTRY } from "../../../data/format/manifest.ts";
import { readManifestFile } from "../../../data/format/manifest-file.ts";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { MANIFEST_PATH, REJECTS_PATH } from "../../../data/format/paths.ts";
import type { PublicKey } from "../../../data/format/signature.ts";
import { fromUtf8 } from "../../../data/format/utf8.ts";
import { type Database, defaultMemory, duckdbBytes, openDatabase } from "../../base/database/index.ts";
import { filesBelow, makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { geometryFigures } from "../../builder/rows/index.ts";
import { readSigned } from "../sign/index.ts";
import { verifyCollection } from "./collection.ts";
import { emptyKept, suggestionOf } from "./copied-rows.ts";
import { type CheckLine, checksOf, createLedger, type Scope } from "./ledger.ts";
import { verifyKept, verifyRejects, verifyStac } from "./other-files.ts";
import { rowFunctions } from "./row-facts.ts";
import { checkSuggest } from "./table-checks.ts";

interface VerifyOptions {
  /** Bytes of memory to use. Default: a quarter of this machine's memory. */
  readonly memoryBytes?: number | undefined;
  /** Folder for data that does not fit in memory. Default: the system's temporary folder. */
  readonly temp?: string | undefined;
  /** Public keys, one of which must have signed the dataset. Default: no signature is needed. */
  readonly keys?: readonly PublicKey[] | undefined;
  /** About how many rows of a collection to check together. Does not change the result. */
  readonly batchRows?: number | undefined;
  /** A prefix of names with more rows than this is a term. Default: as in the specification. */
  readonly prefixRows?: number | undefined;
}

/**
 * Checks all files, slices and rows of a dataset, and all numbers of its index. Returns one line for each check of each
 * collection, with its faults. Throws only if the folder has no manifest, or if the check cannot run.
 */
export async function verifyDataset(
  dataset: string,
  { memoryBytes = defaultMemory(), temp = tmpdir(), keys, ...amounts }: VerifyOptions = {},
): Promise<CheckLine[]> {
  const ledger = createLedger();
  const scope = { ledger, dataset, name: "dataset" };
  const manifest = await readManifest(scope);
  if (!manifest) return ledger.lines();
  const signed = await readSigned(dataset, keys);
  if (signed.path ?? keys) ledger.expect(scope.name, "signature", signed.fault === undefined, () => signed.fault ?? "");
  await makeFolder(temp);
  const folder = await mkdtemp(join(temp, "cairn-verify-"));
  try {
    const database = await openDatabase({ folder, memoryBytes: duckdbBytes(memoryBytes) });
    try {
      await verifyContent(scope, database, manifest, { ...amounts, signature: signed.path });
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return ledger.lines();
}

async function readManifest(scope: Scope): Promise<Manifest | undefined> {
  const path = join(scope.dataset, MANIFEST_PATH);
  const bytes = await readFile(path).catch((cause) => {
    throw new CodedError("CAIRN_E_DATA", `${scope.dataset} is not a dataset: it has no ${MANIFEST_PATH}`, { cause });
  });
  const { say } = checksOf(scope, MANIFEST_PATH);
  const size = bytes.byteLength;
  say("index", size <= MAX_MANIFEST_BYTES, () => `${size} bytes, readers take at most ${MAX_MANIFEST_BYTES}`);
  try {
    const manifest = await readManifestFile(bytes);
    say("index", true, () => "");
    return manifest;
  } catch (error) {
    say("index", false, () => firstLineOf(error));
  }
  try {
    // with wrong sums or a wrong hash, the other checks find what is wrong
    return parseManifest(JSON.parse(fromUtf8(bytes)));
  } catch {
    return undefined;
  }
}

async function verifyContent(
  scope: Scope,
  database: Database,
  manifest: Manifest,
  {
    signature,
    ...amounts
  }: Pick<VerifyOptions, "batchRows" | "prefixRows"> & { readonly signature: string | undefined },
): Promise<void> {
  const { dataset, ledger } = scope;
  database.register(geometryFigures(() => NO_COUNTRY));
  for (const fn of [...rowFunctions(manifest), suggestionOf()]) database.register(fn);
  await emptyKept(database);
  const named = new Set([MANIFEST_PATH, REJECTS_PATH, ...(signature === undefined ? [] : [signature])]);
  await verifyRejects(scope, database, manifest.rejects);
  const whole = new Set<string>();
  for (const [name, described] of Object.entries(manifest.collections)) {
    const collection = collectionIn(manifest, name);
    const verified = { ...scope, ...amounts, database, name, collection, manifest: described };
    const { paths, isWhole } = await verifyCollection(verified);
    for (const path of paths) named.add(path);
    if (isWhole) whole.add(name);
  }
  const areas = manifest.collections.division_area;
  if (whole.has("division") && (!areas || whole.has("division_area"))) await checkSuggest(database, ledger);
  for (const path of await verifyStac(scope, manifest)) named.add(path);
  for (const path of await verifyKept(scope, manifest)) named.add(path);
  for (const path of await filesBelow(dataset)) {
    ledger.expect(scope.name, "files", named.has(path), () => `${path}: no index names it`);
  }
}
