/**
 * Checks that packs (files) exist, have the hash in their name, and are filled by the slices of the index without gaps.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { packNameOf } from "../../../data/format/paths.ts";
import { readTexts, textsOfChunk } from "../../../data/format/texts.ts";
import { checksOf } from "./ledger.ts";
import { nameSlice, type TablePack, type TableSlice } from "./slice-table.ts";
import { openSlice, type Verified } from "./verified.ts";

/** Checks all packs, and marks slices that cannot be read in the table. Returns the paths of all packs. */
export async function checkPacks(verified: Verified): Promise<string[]> {
  const { dataset, sliceTable } = verified;
  const paths: string[] = [];
  for await (const pack of sliceTable.packs()) {
    paths.push(pack.path);
    const file = join(dataset, pack.path);
    const size = await stat(file).then(
      (found) => (found.isFile() ? found.size : undefined),
      () => undefined,
    );
    const isThere = checksOf(verified, pack.path).say("files", size !== undefined, () => "missing");
    if (!isThere || size === undefined) {
      for (const { slice } of pack.slices) sliceTable.spoil(slice);
      continue;
    }
    const readable = checkLayout(verified, pack, size);
    const { whole, slices } = await hashSlices(file, readable);
    const { same } = checksOf(verified, pack.path);
    same("packs", "head of the SHA-256", basename(pack.path).replace(/\..*$/, ""), packNameOf(whole));
    for (const entry of pack.slices) {
      const hash = slices.get(entry.slice);
      const isRight =
        hash !== undefined && checksOf(verified, nameSlice(entry)).same("packs", "SHA-256", entry.sha256, hash);
      if (!isRight) sliceTable.spoil(entry.slice);
    }
  }
  return paths;
}

/** Checks that the slices inside the manifest are copies of slices of the index. */
export async function checkInline(verified: Verified): Promise<void> {
  const { sliceTable, manifest, name } = verified;
  const { inline = {} } = manifest;
  if (Object.keys(inline).length === 0) return;
  const known = new Set<string>();
  for await (const { slices } of sliceTable.packs()) for (const { sha256 } of slices) known.add(sha256);
  const { say, same } = checksOf(verified, "manifest.json");
  for (const [sha256, text] of Object.entries(inline)) {
    say("packs", known.has(sha256), () => `${name} inline: no slice of the index has SHA-256 ${sha256}`);
    const found = createHash("sha256").update(Buffer.from(text, "base64")).digest("hex");
    same("packs", `${name} inline: SHA-256`, sha256, found);
  }
}

/**
 * Checks that the manifest's copy of the records' texts has the text of each record. Does nothing if the manifest has
 * no copy. Ends if a record cannot be read, which is a fault of its own.
 */
export async function checkTexts(verified: Verified, dictionary: Uint8Array): Promise<void> {
  const { sliceTable, manifest, name } = verified;
  if (manifest.texts === undefined) return;
  const { say } = checksOf(verified, "manifest.json");
  const texts = await readTexts(manifest.texts, manifest.rows).catch(firstLineOf);
  if (typeof texts === "string") {
    say("packs", false, () => `${name} texts cannot be read: ${texts}`);
    return;
  }
  const found = createHash("sha256");
  for (const text of texts) found.update(text).update("\n");
  const expected = createHash("sha256");
  for await (const entry of sliceTable.nodes("records")) {
    const chunk = await openSlice(verified, "records", entry, (content) => content);
    const own = chunk && (await textsOfChunk(chunk, dictionary).catch(() => new Uint8Array()));
    if (chunk && !own) say("packs", false, () => `${name} texts: a record has a long geometry, expected none`);
    if (!own) return;
    expected.update(own);
  }
  const isSame = found.digest("hex") === expected.digest("hex");
  say("packs", isSame, () => `${name} texts are not the texts of its records`);
}

/**
 * Reports gaps, overlaps and bytes after the slices. Returns the slices that are inside the pack and do not overlap, by
 * offset.
 */
function checkLayout(verified: Verified, { path, kind, slices }: TablePack, size: number): TableSlice[] {
  const readable: TableSlice[] = [];
  let end = 0;
  for (const entry of slices) {
    const known = readable.at(-1);
    if (known && isSame(known, entry)) {
      readable.push(entry);
      continue;
    }
    const { say } = checksOf(verified, nameSlice(entry));
    const isAfter = say("packs", entry.offset >= end, () => `overlaps the one before, which ends at ${end}`);
    say("packs", entry.offset <= end, () => `a gap of ${entry.offset - end} bytes before it`);
    const last = entry.offset + entry.bytes;
    const isWithin = say("packs", last <= size, () => `ends at ${last}, beyond the ${size} bytes of the pack`);
    if (isAfter && isWithin) readable.push(entry);
    end = Math.max(end, last);
  }
  const { say } = checksOf(verified, path);
  const left = size - end;
  if (left < 0) return readable;
  if (kind === "location" && slices.length > 1) say("packs", left > 0, () => "no joint footer after its slices");
  else say("packs", left === 0, () => `${left} bytes after its last slice`);
  return readable;
}

/**
 * Returns true if both are the same bytes. Packs with equal content have one name, so several nodes may name one slice.
 */
function isSame(a: TableSlice, b: TableSlice): boolean {
  return a.offset === b.offset && a.bytes === b.bytes && a.sha256 === b.sha256;
}

const CHUNK_BYTES = 1 << 20;

/** Returns the SHA-256 of a file and of its slices, read once. Slices are sorted, and disjoint or equal. */
async function hashSlices(
  file: string,
  slices: readonly TableSlice[],
): Promise<{ whole: string; slices: ReadonlyMap<number, string> }> {
  const whole = createHash("sha256");
  const hashes = new Map<number, string>();
  let [index, own, position] = [0, createHash("sha256"), 0];
  const take = (chunk: Buffer): void => {
    for (let entry = slices[index]; entry; entry = slices[index]) {
      const last = entry.offset + entry.bytes;
      own.update(chunk.subarray(Math.max(0, entry.offset - position), Math.max(0, last - position)));
      if (last > position + chunk.length) return;
      const hash = own.digest("hex");
      own = createHash("sha256");
      for (let same: TableSlice | undefined = entry; same && isSame(same, entry); same = slices[index]) {
        hashes.set(same.slice, hash);
        index++;
      }
    }
  };
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    whole.update(chunk);
    take(chunk);
    position += chunk.length;
  }
  return { whole: whole.digest("hex"), slices: hashes };
}
