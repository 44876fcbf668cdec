/** Checks the manifest and the nodes of the index, which are untrusted. @module */
import { requireSums } from "../../data/format/index-sums.ts";
import { inflate } from "../../data/format/inflate.ts";
import { MAX_SLICE_BYTES } from "../../data/format/limits.ts";
import {
  DERIVED_RUN_NAMES,
  FORMAT_VERSION,
  type IndexNode,
  MAX_MANIFEST_BYTES,
  MAX_PAGE_BYTES,
  MAX_PARTITION_ROWS,
  type Manifest,
  RUN_NAMES,
} from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import { fromUtf8, toUtf8 } from "../../data/format/utf8.ts";

type Members = Readonly<Record<string, unknown>>;

const HASH = /^[0-9a-f]{64}$/;
const PACK = /^[0-9a-f]{16}$/;
const LOCATION_PACK = /^(-|[0-9b-hjkmnp-z]{1,12})\/[0-9a-f]{16}$/;
const COUNTRY = /^[A-Z]{2}$/;
const COUNTRY_OR_ALL = /^([A-Z]{2}|\*)$/;
/** Names of collections, which are also names of folders: none leads out of the dataset. */
const COLLECTION = /^[a-z][a-z0-9_]{0,39}$/;

function membersOf(value: unknown, name: string): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${name} is not an object`);
  return value as Members;
}

function wrong(name: string, value: unknown, expected: string): Error {
  return new Error(`${name} is ${JSON.stringify(value)?.slice(0, 80)}, expected ${expected}`);
}

function requireCount(members: Members, name: string, most = Number.MAX_SAFE_INTEGER): void {
  const value = members[name];
  if (!(Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most))
    throw wrong(name, value, `a whole number from 0 to ${most}`);
}

function requireText(members: Members, name: string, pattern = /^/): void {
  const value = members[name];
  if (typeof value !== "string" || !pattern.test(value)) throw wrong(name, value, `a text like ${pattern.source}`);
}

function requireSlice(members: Members, pack = PACK): void {
  requireText(members, "sha256", HASH);
  requireCount(members, "bytes", MAX_SLICE_BYTES);
  requireText(members, "pack", pack);
  requireCount(members, "offset");
}

function requireNode(value: unknown): void {
  const node = membersOf(value, "a node");
  const isPage = "partitions" in node;
  const isLocation = "points" in node;
  requireSlice(node, isLocation ? LOCATION_PACK : PACK);
  requireCount(node, "rows", isPage ? undefined : MAX_PARTITION_ROWS);
  const { bbox } = node;
  if (!Array.isArray(bbox) || bbox.length !== 4 || !bbox.every(Number.isFinite))
    throw wrong("bbox", bbox, "four numbers");
  if (isPage) {
    requireCount(node, "partitions");
    for (const end of [node.first, node.last]) {
      if (end === undefined) continue;
      if (!Array.isArray(end) || end.length !== 2) throw wrong("first or last", end, "a country and a text");
      requireText({ country: end[0] }, "country", COUNTRY_OR_ALL);
      requireText({ key: end[1] }, "key");
    }
    return;
  }
  requireText(node, "country", COUNTRY_OR_ALL);
  if (isLocation) {
    requireSlice(membersOf(node.points, "points"));
    requireCount(node, "record");
  } else if ("chunk" in node) requireCounts(node, ["chunk", "blocks"]);
  else if ("segment" in node) requireCounts(node, ["segment", "blocks", "start"]);
  else {
    requireText(node, "first_term");
    requireText(node, "last_term");
  }
}

function requireCounts(members: Members, names: readonly string[]): void {
  for (const name of names) requireCount(members, name);
}

/** Returns the value as nodes of the index. Throws if it is not a list, or if a node is invalid. */
export function requireNodes(value: unknown): readonly IndexNode[] {
  if (!Array.isArray(value)) throw wrong("nodes", value, "a list");
  for (const node of value) requireNode(node);
  return value as readonly IndexNode[];
}

/**
 * Reads a page of the index tree, which is compressed JSON. Returns its nodes in order. Throws if a node lacks a member or has a
 * wrong one.
 */
export function readPage(slice: Uint8Array): readonly IndexNode[] {
  return requireNodes(JSON.parse(fromUtf8(inflate(slice, { maxBytes: MAX_PAGE_BYTES }))));
}

/**
 * Reads and checks the manifest, and leaves out runs (kinds of stored data) that this program does not know. Throws if it is too
 * long, or if its version, a member, a sum or its SHA-256 is wrong.
 */
export async function readManifest(bytes: Uint8Array): Promise<Manifest> {
  if (bytes.length > MAX_MANIFEST_BYTES)
    throw new Error(`it has ${bytes.length} bytes, expected at most ${MAX_MANIFEST_BYTES}`);
  const text = fromUtf8(bytes);
  const manifest = membersOf(JSON.parse(text), "it");
  if (manifest.format !== "cairn") throw wrong("format", manifest.format, '"cairn"');
  if (manifest.format_version !== FORMAT_VERSION)
    throw wrong("format_version", manifest.format_version, String(FORMAT_VERSION));
  requireText(manifest, "sha256", HASH);
  requireText(manifest, "release");
  if (!Array.isArray(manifest.attribution)) throw wrong("attribution", manifest.attribution, "a list");
  membersOf(membersOf(manifest.rejects, "rejects").reasons, "reasons");
  const collections = Object.entries(membersOf(manifest.collections, "collections")).map(([name, value]) => {
    if (!COLLECTION.test(name)) throw wrong("the name of a collection", name, `a text like ${COLLECTION.source}`);
    return [name, knownCollection(membersOf(value, name))] as const;
  });
  const known = { ...manifest, collections: Object.fromEntries(collections) };
  const checked = requireSums(known as unknown as Manifest);
  const found = await sha256Of(toUtf8(text.replace(checked.sha256, "0".repeat(64))));
  if (found !== checked.sha256) throw new Error(`its content has SHA-256 ${found}, expected ${checked.sha256}`);
  return checked;
}

/**
 * Checks a collection of the manifest. Returns it without runs that this program does not know. Throws if a member is invalid.
 */
function knownCollection(collection: Members): Members {
  requireCount(collection, "rows");
  for (const name of ["countries", "segments", "chunks"]) {
    const counts = membersOf(collection[name], name);
    for (const country of Object.keys(counts)) {
      requireText({ country }, "country", COUNTRY);
      requireCount(counts, country);
    }
  }
  requireSlice(membersOf(collection.dictionary, "dictionary"));
  const runs = membersOf(collection.runs, "runs");
  const known = [...RUN_NAMES, ...DERIVED_RUN_NAMES].flatMap((name) => {
    if (!(name in runs) && !RUN_NAMES.some((always) => always === name)) return [];
    const run = membersOf(runs[name], name);
    requireCounts(run, ["partitions", "bytes"]);
    requireNodes(run.nodes);
    return [[name, run] as const];
  });
  return { ...collection, runs: Object.fromEntries(known) };
}
