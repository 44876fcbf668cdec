/**
 * Reads and validates files of a dataset and slices of them.
 * @module
 */
import {
  type IndexNode,
  type KeptRelease,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type Slice,
} from "../../../data/format/manifest.ts";
import { readManifestFile } from "../../../data/format/manifest-file.ts";
import { readPage } from "../../../data/format/manifest-schema.ts";
import { keptManifestPath, MANIFEST_PATH } from "../../../data/format/paths.ts";
import { sha256Of } from "../../../data/format/sha256.ts";
import { FetchError, ManifestError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";

/** The location and checksum of a slice. */
export interface SliceEntry extends Pick<Slice, "sha256" | "bytes" | "offset"> {
  /** Path of the pack, below the folder of the dataset. */
  readonly path: string;
}

/** A manifest as received. */
export interface ManifestFile {
  readonly manifest: Manifest;
  /** Size of the file; 0 when it was not read. */
  readonly sizeBytes: number;
}

export interface IndexPage {
  readonly nodes: readonly IndexNode[];
  /** Estimated memory of the nodes. */
  readonly sizeBytes: number;
}

/** Measured in V8 on the pages of the sample: 1.9 bytes of objects per byte of JSON. */
const BYTES_PER_JSON_BYTE = 2;

/**
 * Reads a slice and checks its length and SHA-256. If they are wrong, reads it once more past the caches, then throws
 * `FetchError`, which states what was received and expected.
 */
export function readSlice(source: ByteSource, entry: SliceEntry, signal?: AbortSignal): Promise<Uint8Array> {
  const { path, offset, bytes } = entry;
  const range = { start: offset, end: offset + bytes };
  return readChecked(source, { path, range, faultOf: (read) => faultOf(read, entry), sha256: entry.sha256 }, signal);
}

export interface CheckedRead {
  readonly path: string;
  /** Bytes of the file; `end` is exclusive. */
  readonly range: { readonly start: number; readonly end: number };
  /** SHA-256 of the range, if the index contains it. */
  readonly sha256?: string;
  /** The slice that contains the range, if it is part of one. */
  readonly within?: Pick<SliceEntry, "offset" | "bytes" | "sha256">;
  /** Returns what is wrong with the bytes, as a text; undefined if nothing is. */
  readonly faultOf: (bytes: Uint8Array) => Promise<string | undefined>;
}

/**
 * Reads a range and checks it with `faultOf`. Reads it at most twice, the second time past the caches, then throws `FetchError`
 * with the fault.
 */
export async function readChecked(
  source: ByteSource,
  { path, range, sha256, within, faultOf }: CheckedRead,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  // a cache may validate the same bytes: do it once
  const faults = new WeakMap<Uint8Array, Promise<string | undefined>>();
  const look = (bytes: Uint8Array): Promise<string | undefined> => {
    const fault = faults.get(bytes) ?? faultOf(bytes);
    faults.set(bytes, fault);
    return fault;
  };
  const isSound = async (bytes: Uint8Array) => (await look(bytes)) === undefined;
  const options = { range, sha256, within, isSound, signal };
  const bytes = await source.read(path, options);
  if ((await look(bytes)) === undefined) return bytes;
  const again = await source.read(path, { ...options, fresh: true });
  const fault = await look(again);
  if (fault === undefined) return again;
  throw new FetchError(`${path} of ${source.name} ${fault}`, { path });
}

async function faultOf(bytes: Uint8Array, entry: SliceEntry): Promise<string | undefined> {
  const where = `from byte ${entry.offset} on`;
  if (bytes.byteLength !== entry.bytes) {
    return `has ${bytes.byteLength} bytes ${where}, expected ${entry.bytes}${isHtml(bytes) ? "; it looks like a web page" : ""}`;
  }
  const sha256 = await sha256Of(bytes);
  return sha256 === entry.sha256 ? undefined : `has SHA-256 ${sha256} ${where}, expected ${entry.sha256}`;
}

/**
 * Reads the current manifest, past caches. Throws `ManifestError` when it is missing, damaged, or of another version, and
 * `FetchError` when the host does not answer.
 */
export async function readManifest(source: ByteSource, signal?: AbortSignal): Promise<ManifestFile> {
  const name = `${MANIFEST_PATH} of ${source.name}`;
  // a cache may validate the same bytes: do it once
  let opened: { readonly read: Uint8Array; readonly file: Promise<ManifestFile> } | undefined;
  const open = (read: Uint8Array): Promise<ManifestFile> => {
    if (opened?.read !== read) opened = { read, file: openManifest(read, name) };
    return opened.file;
  };
  const isSound = (read: Uint8Array) =>
    open(read).then(
      () => true,
      () => false,
    );
  let bytes: Uint8Array;
  try {
    bytes = await source.read(MANIFEST_PATH, { fresh: true, maxBytes: MAX_MANIFEST_BYTES, isSound, signal });
  } catch (error) {
    // a host that answers without the file has no dataset; one that does not answer may return
    if (error instanceof FetchError && (error.status === 404 || error.status === 410)) {
      throw new ManifestError(`${source.name} has no ${MANIFEST_PATH}`, { cause: error });
    }
    throw error;
  }
  if (bytes.byteLength > MAX_MANIFEST_BYTES) {
    throw new ManifestError(`${name} has more than ${MAX_MANIFEST_BYTES} bytes, the maximum`);
  }
  return open(bytes);
}

/**
 * Reads the manifest of an older release of the dataset, always as a whole file, because hosts compress JSON and send wrong
 * ranges of compressed files. Throws `FetchError` if it cannot be read or has another SHA-256, `ManifestError` if it is invalid.
 */
export async function readKeptManifest(
  source: ByteSource,
  { sha256, bytes }: KeptRelease,
  signal?: AbortSignal,
): Promise<ManifestFile> {
  const path = keptManifestPath({ sha256 });
  const entry = { path, offset: 0, sha256, bytes };
  let read = await source.read(path, { bytes, signal });
  if (await faultOf(read, entry)) read = await source.read(path, { bytes, fresh: true, signal });
  const fault = await faultOf(read, entry);
  if (fault) throw new FetchError(`${path} of ${source.name} ${fault}`, { path });
  return openManifest(read, `${path} of ${source.name}`);
}

async function openManifest(bytes: Uint8Array, name: string): Promise<ManifestFile> {
  try {
    return { manifest: await readManifestFile(bytes), sizeBytes: bytes.byteLength };
  } catch (cause) {
    const reason = isHtml(bytes) ? "it looks like a web page" : cause instanceof Error ? cause.message : String(cause);
    throw unreadable(name, reason, cause);
  }
}

/**
 * Reads an index page. Throws `FetchError` when it cannot be read or has another hash, `ManifestError` when its content is
 * invalid.
 */
export async function readIndexPage(source: ByteSource, entry: SliceEntry, signal?: AbortSignal): Promise<IndexPage> {
  const slice = await readSlice(source, entry, signal);
  const name = `the index page at byte ${entry.offset} of ${entry.path} of ${source.name}`;
  try {
    const { nodes, jsonBytes } = readPage(slice);
    return { nodes, sizeBytes: jsonBytes * BYTES_PER_JSON_BYTE };
  } catch (cause) {
    throw unreadable(name, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function unreadable(name: string, reason: string, cause: unknown): ManifestError {
  return new ManifestError(`${name} cannot be read: ${reason}`, { cause });
}

function isHtml(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}
