/**
 * Files of a dataset, checked before their bytes mean anything.
 * @module
 */
import {
  type IndexNode,
  MAX_MANIFEST_BYTES,
  type Manifest,
  parseManifest,
  parsePage,
} from "../../../data/format/manifest.ts";
import { MANIFEST_PATH } from "../../../data/format/paths.ts";
import { sha256Of } from "../../../data/format/sha256.ts";
import { FetchError, ManifestError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";

/** What the index says of a file. */
export interface FileEntry {
  /** Below the dataset's folder. */
  readonly path: string;
  readonly bytes: number;
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
}

/** A manifest as it came. */
export interface ManifestFile {
  readonly manifest: Manifest;
  /** Of the file; 0 when it was not read. */
  readonly sizeBytes: number;
}

/** An index page in memory. */
export interface IndexPage {
  readonly nodes: readonly IndexNode[];
  /** About what the nodes take up. */
  readonly sizeBytes: number;
}

/** Measured in V8 on the pages of the sample: 1.9 bytes of objects for each of JSON. */
const BYTES_PER_JSON_BYTE = 2;

/**
 * The file, if its length and SHA-256 are what the index says. A file that differs is asked for once more, past the
 * caches; then `FetchError` says what was got and what was expected.
 */
export async function readFile(source: ByteSource, entry: FileEntry, signal?: AbortSignal): Promise<Uint8Array> {
  const bytes = await source.read(entry.path, { bytes: entry.bytes, signal });
  if ((await faultOf(bytes, entry)) === undefined) return bytes;
  const again = await source.read(entry.path, { bytes: entry.bytes, fresh: true, signal });
  const fault = await faultOf(again, entry);
  if (fault === undefined) return again;
  throw new FetchError(`${entry.path} of ${source.name} ${fault}`, { path: entry.path });
}

async function faultOf(bytes: Uint8Array, entry: FileEntry): Promise<string | undefined> {
  if (bytes.byteLength !== entry.bytes) {
    return `has ${bytes.byteLength} bytes, expected ${entry.bytes}${isHtml(bytes) ? "; it looks like a web page" : ""}`;
  }
  const sha256 = await sha256Of(bytes);
  return sha256 === entry.sha256 ? undefined : `has SHA-256 ${sha256}, expected ${entry.sha256}`;
}

/** The manifest as it is now. `ManifestError` when it is missing, damaged, or of another version. */
export async function readManifest(source: ByteSource, signal?: AbortSignal): Promise<ManifestFile> {
  let bytes: Uint8Array;
  try {
    bytes = await source.read(MANIFEST_PATH, { fresh: true, maxBytes: MAX_MANIFEST_BYTES, signal });
  } catch (error) {
    // a host that answers without the file is not a dataset; one that does not answer may come back
    if (error instanceof FetchError && (error.status === 404 || error.status === 410)) {
      throw new ManifestError(`${source.name} has no ${MANIFEST_PATH}`, { cause: error });
    }
    throw error;
  }
  if (bytes.byteLength > MAX_MANIFEST_BYTES) {
    throw new ManifestError(
      `${MANIFEST_PATH} of ${source.name} has more than ${MAX_MANIFEST_BYTES} bytes, the most there may be`,
    );
  }
  const manifest = parseJson(`${MANIFEST_PATH} of ${source.name}`, bytes, parseManifest);
  return { manifest, sizeBytes: bytes.byteLength };
}

/** An index page. `ManifestError` when it is damaged. */
export async function readIndexPage(source: ByteSource, entry: FileEntry, signal?: AbortSignal): Promise<IndexPage> {
  const nodes = parseJson(`${entry.path} of ${source.name}`, await readFile(source, entry, signal), parsePage);
  return { nodes, sizeBytes: entry.bytes * BYTES_PER_JSON_BYTE };
}

function parseJson<T>(name: string, bytes: Uint8Array, parse: (value: unknown) => T): T {
  try {
    return parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const reason = isHtml(bytes) ? "it looks like a web page" : error instanceof Error ? error.message : String(error);
    throw new ManifestError(`${name} cannot be read: ${reason}`, { cause: error });
  }
}

function isHtml(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}
