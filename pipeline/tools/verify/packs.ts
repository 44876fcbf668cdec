/**
 * Checks that packs exist, are named by their content, and are filled by the slices of the index without gaps.
 * @module
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { packNameOf } from "../../../data/format/paths.ts";
import { checksOf } from "./ledger.ts";
import { type BookedPack, type BookedSlice, nameSlice } from "./slice-book.ts";
import type { Verified } from "./verified.ts";

/** Marks unusable slices in the book. Returns the paths of all packs. */
export async function checkPacks(verified: Verified): Promise<string[]> {
  const { dataset, book } = verified;
  const paths: string[] = [];
  for await (const pack of book.packs()) {
    paths.push(pack.path);
    const file = join(dataset, pack.path);
    const size = await stat(file).then(
      (found) => (found.isFile() ? found.size : undefined),
      () => undefined,
    );
    const isThere = checksOf(verified, pack.path).say("files", size !== undefined, () => "missing");
    if (!isThere || size === undefined) {
      for (const { slice } of pack.slices) book.spoil(slice);
      continue;
    }
    const readable = checkLayout(verified, pack, size);
    const { whole, slices } = await hashSlices(file, readable);
    const { same } = checksOf(verified, pack.path);
    same("packs", "head of the SHA-256", basename(pack.path).replace(/\..*$/, ""), packNameOf(whole));
    for (const booked of pack.slices) {
      const hash = slices.get(booked.slice);
      const isRight =
        hash !== undefined && checksOf(verified, nameSlice(booked)).same("packs", "SHA-256", booked.sha256, hash);
      if (!isRight) book.spoil(booked.slice);
    }
  }
  return paths;
}

/** Checks that slices in the manifest are copies of slices of the index. */
export async function checkInline(verified: Verified): Promise<void> {
  const { book, manifest, name } = verified;
  const { inline = {} } = manifest;
  if (Object.keys(inline).length === 0) return;
  const known = new Set<string>();
  for await (const { slices } of book.packs()) for (const { sha256 } of slices) known.add(sha256);
  const { say, same } = checksOf(verified, "manifest.json");
  for (const [sha256, text] of Object.entries(inline)) {
    say("packs", known.has(sha256), () => `${name} inline: no slice of the index has SHA-256 ${sha256}`);
    const found = createHash("sha256").update(Buffer.from(text, "base64")).digest("hex");
    same("packs", `${name} inline: SHA-256`, sha256, found);
  }
}

/** Returns the slices of the pack in order. */
function checkLayout(verified: Verified, { path, kind, slices }: BookedPack, size: number): BookedSlice[] {
  const readable: BookedSlice[] = [];
  let end = 0;
  for (const booked of slices) {
    const known = readable.at(-1);
    if (known && isSame(known, booked)) {
      readable.push(booked);
      continue;
    }
    const { say } = checksOf(verified, nameSlice(booked));
    const isAfter = say("packs", booked.offset >= end, () => `overlaps the one before, which ends at ${end}`);
    say("packs", booked.offset <= end, () => `a gap of ${booked.offset - end} bytes before it`);
    const last = booked.offset + booked.bytes;
    const isWithin = say("packs", last <= size, () => `ends at ${last}, beyond the ${size} bytes of the pack`);
    if (isAfter && isWithin) readable.push(booked);
    end = Math.max(end, last);
  }
  const { say } = checksOf(verified, path);
  const left = size - end;
  if (left < 0) return readable;
  if (kind === "location" && slices.length > 1) say("packs", left > 0, () => "no joint footer after its slices");
  else say("packs", left === 0, () => `${left} bytes after its last slice`);
  return readable;
}

/** Equal runs of slices are one pack with one name, so several nodes may refer to a slice. */
function isSame(a: BookedSlice, b: BookedSlice): boolean {
  return a.offset === b.offset && a.bytes === b.bytes && a.sha256 === b.sha256;
}

const CHUNK_BYTES = 1 << 20;

/** Hashes a file and its slices in one pass. Slices are sorted, and disjoint or equal. */
async function hashSlices(
  file: string,
  slices: readonly BookedSlice[],
): Promise<{ whole: string; slices: ReadonlyMap<number, string> }> {
  const whole = createHash("sha256");
  const hashes = new Map<number, string>();
  let [index, own, position] = [0, createHash("sha256"), 0];
  const take = (chunk: Buffer): void => {
    for (let booked = slices[index]; booked; booked = slices[index]) {
      const last = booked.offset + booked.bytes;
      own.update(chunk.subarray(Math.max(0, booked.offset - position), Math.max(0, last - position)));
      if (last > position + chunk.length) return;
      const hash = own.digest("hex");
      own = createHash("sha256");
      for (let same: BookedSlice | undefined = booked; same && isSame(same, booked); same = slices[index]) {
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
