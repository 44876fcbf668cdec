import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { writeJson } from "../../data/format/json.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import { readManifestFile, writeManifestFile } from "../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { toUtf8 } from "../../data/format/utf8.ts";
import { temporaryFolders } from "../../pipeline/testing/folders.ts";
import { writeSmallDataset } from "../../pipeline/testing/small-dataset/index.ts";

const newFolder = temporaryFolders();
let text: string;

beforeAll(async () => {
  const folder = await newFolder();
  await writeSmallDataset(folder, { collections: ["place"] });
  text = await readFile(join(folder, MANIFEST_PATH), "utf8");
});

type Parent = Record<string, unknown>;

interface Change {
  /** Names of members from the root. An index of a list is `*`. */
  readonly path: readonly string[];
  readonly what: string;
  readonly value: Manifest;
}

/** Yields the manifest with one member or item removed, doubled or changed, for every one of them. */
function* changes(): Generator<Change> {
  const whole = JSON.parse(text) as Parent;
  for (const keys of membersOf(whole)) {
    for (const [what, change] of Object.entries(CHANGES)) {
      const value = structuredClone(whole);
      const parent = keys.slice(0, -1).reduce((above, key) => above[key] as Parent, value);
      change(parent, keys.at(-1) ?? "");
      if (JSON.stringify(value) === JSON.stringify(whole)) continue;
      const path = keys.map((key) => (/^\d+$/.test(key) ? "*" : key));
      yield { path, what, value: value as unknown as Manifest };
    }
  }
}

function* membersOf(value: unknown, above: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    yield [...above, key];
    yield* membersOf(member, [...above, key]);
  }
}

const CHANGES: Readonly<Record<string, (parent: Parent, key: string) => void>> = {
  removed(parent, key) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  },
  doubled(parent, key) {
    const member = parent[key];
    if (Array.isArray(parent)) parent.splice(Number(key), 0, member);
    else if (typeof member === "number") parent[key] = member * 2;
    else if (Array.isArray(member)) parent[key] = [...member, ...member];
  },
  changed(parent, key) {
    const member = parent[key];
    if (typeof member === "number") parent[key] = member + 1;
    else if (typeof member === "string") parent[key] = member.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    else if (Array.isArray(member)) parent[key] = member.toReversed();
  },
};

const isRead = (bytes: Uint8Array): Promise<boolean> =>
  readManifestFile(bytes).then(
    () => true,
    () => false,
  );

const fileOf = (value: unknown) => toUtf8(`${writeJson(value)}\n`);

test("a manifest with any member removed, doubled or changed is refused", async () => {
  expect(await isRead(fileOf(JSON.parse(text)))).toBe(true);
  const read: string[] = [];
  let tested = 0;
  for (const { path, what, value } of changes()) {
    tested++;
    if (await isRead(fileOf(value))) read.push(`${path.join(".")} ${what}`);
  }
  expect(read).toEqual([]);
  expect(tested).toBeGreaterThan(1000);
});

/** Members that are no sum, or of which the index has no other copy. The slices contradict them. */
const NO_SUMS = new Set([
  "attribution",
  "bbox",
  "blocks",
  "bytes",
  "dataset",
  "first",
  "first_id",
  "first_term",
  "fold_version",
  "geohash",
  "ignored_columns",
  "last",
  "last_id",
  "last_term",
  "license",
  "offset",
  "pack",
  "record",
  "release",
  "sections",
  "sha256",
  "start",
  "text",
]);

/** Terms and values of a row are counted only in their own run. */
const ROWS_OF_TERMS = /\.(term|count_\w+)\.nodes\.\*\.rows$/;

/** Collections, and runs that a collection may lack. */
const OPTIONAL = /^collections\.\w+$|\.runs\.(term|find|count_\w+)$/;

test("a manifest with any count or node removed, doubled or changed is refused, also with a new hash", async () => {
  const read = new Set<string>();
  let tested = 0;
  for (const { path, what, value } of changes()) {
    const name = path.join(".");
    const isOrder = what === "changed" && path.at(-1) === "nodes";
    const isOptional = what === "removed" && OPTIONAL.test(name);
    if (isOrder || isOptional || path.some((key) => NO_SUMS.has(key)) || ROWS_OF_TERMS.test(name)) continue;
    tested++;
    const bytes = await writeManifestFile(value).catch(() => undefined);
    if (bytes && (await isRead(bytes))) read.add(`${name} ${what}`);
  }
  expect([...read]).toEqual([]);
  expect(tested).toBeGreaterThan(50);
});

test("the hash is that of the file with zeros in its place", async () => {
  const { sha256 } = JSON.parse(text) as Manifest;
  const zeros = text.replace(sha256, "0".repeat(64));
  expect(createHash("sha256").update(zeros).digest("hex")).toBe(sha256);
});

test("the same manifest gives the same bytes", async () => {
  const manifest = await readManifestFile(toUtf8(text));
  expect(await writeManifestFile(manifest)).toEqual(toUtf8(text));
});

test("a manifest with another hash, or none, is refused with a reason", async () => {
  const manifest = JSON.parse(text) as Manifest;
  const other = { ...manifest, sha256: "0".repeat(64) };
  await expect(readManifestFile(fileOf(other), "manifest.json")).rejects.toThrow(
    /^manifest\.json: its content has SHA-256 \w{64}, expected 0{64}$/,
  );
  const { sha256: _, ...none } = manifest;
  await expect(readManifestFile(fileOf(none))).rejects.toThrow(/sha256/);
});
