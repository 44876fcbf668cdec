/**
 * What the checks of a collection share, and how they read files.
 * @module
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import type { ManifestCollection, Slice } from "../../../data/format/manifest.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { sha256Of } from "../../../data/format/sha256.ts";
import type { Database } from "../../base/database/index.ts";
import { readRange } from "../../base/disk/index.ts";
import { type Check, checksOf, type Scope } from "./ledger.ts";
import { nameSlice, type SliceTable } from "./slice-table.ts";

export interface Verified extends Scope {
  readonly database: Database;
  readonly name: CollectionName;
  readonly collection: Collection;
  readonly manifest: ManifestCollection;
  readonly sliceTable: SliceTable;
  /** About how many rows to check together. Does not change the result. */
  readonly batchRows?: number | undefined;
  /** A prefix of names with more rows than this is a term. Default: as in the specification. */
  readonly prefixRows?: number | undefined;
}

/** A slice of the index. `slice` is its number in the table of slices, which knows whether it is damaged. */
interface NamedSlice extends Omit<Slice, "pack"> {
  readonly path: string;
  readonly slice?: number;
}

/**
 * Reads a slice and records whether `read` accepts its bytes. Undefined if `read` throws, or if the bytes do not have
 * the SHA-256 of the index, which `checkPacks` reports.
 */
export async function openSlice<Read>(
  verified: Verified,
  check: Check,
  named: NamedSlice,
  read: (bytes: Uint8Array) => Read | Promise<Read>,
): Promise<Read | undefined> {
  const { path, offset, bytes, sha256, slice } = named;
  if (slice !== undefined && !verified.sliceTable.isSound(slice)) return undefined;
  const content = await readRange(join(verified.dataset, path), offset, bytes).catch(() => undefined);
  if (!content || (await sha256Of(content)) !== sha256) return undefined;
  const { say } = checksOf(verified, nameSlice(named));
  try {
    const made = await read(content);
    say(check, true, () => "");
    return made;
  } catch (error) {
    say(check, false, () => `cannot be read: ${firstLineOf(error)}`);
    return undefined;
  }
}

/**
 * Reads a file and checks its length and SHA-256. Undefined, with a fault in the ledger, if it is missing or damaged.
 */
export async function readNamed(
  scope: Scope,
  { path, bytes, sha256 }: { readonly path: string; readonly bytes: number; readonly sha256: string },
): Promise<Buffer | undefined> {
  const { say, same } = checksOf(scope, path);
  const content = await readFile(join(scope.dataset, path)).catch((error: NodeJS.ErrnoException) => error);
  const isThere = Buffer.isBuffer(content);
  say("files", isThere, () => `${isThere ? "" : (content.code ?? content.message)}, expected a file`);
  if (!isThere) return undefined;
  const isLong = same("files", "length", bytes, content.length);
  const isSame = same("files", "SHA-256", sha256, createHash("sha256").update(content).digest("hex"));
  return isLong && isSame ? content : undefined;
}

/** Runs a query that counts wrong `rows` and gives the `first` of them. Records a fault unless the count is 0. */
export async function expectNone(
  { database, ledger, name }: Pick<Verified, "database" | "ledger" | "name">,
  check: Check,
  sql: string,
  fault: (rows: number, first: string) => string,
): Promise<void> {
  const [wrong] = await database.rows<{ rows: number; first: string | null }>(sql);
  ledger.expect(name, check, wrong?.rows === 0, () => `${name}: ${fault(wrong?.rows ?? 0, wrong?.first ?? "null")}`);
}
